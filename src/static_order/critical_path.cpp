#include "critical_path.hpp"

#include <algorithm>

namespace rta::static_order {

void walk_critical_path(const Problem& problem, const Order& order, const Times& times, std::span<const Ns> due, Random& random,
                        std::vector<TaskId>& path) {
  path.clear();
  TaskId t = none;
  std::uint32_t seen = 0;
  const auto pick = [&](TaskId candidate) {
    if (random.below(++seen) == 0) t = candidate;
  };
  for (TaskId last = 0; last < problem.size(); ++last) {
    if (times.start[last] + problem.tasks[last].length - due[last] == times.lateness) pick(last);
  }
  while (t != none) {
    path.push_back(t);
    const TaskId at = t;
    t = none;
    seen = 0;
    if (times.start[at] == problem.tasks[at].release) break;
    for (const Arc& arc : problem.into(at)) {
      if (times.start[arc.from] + lag(problem, arc) == times.start[at]) pick(arc.from);
    }
    const auto consider = [&](TaskId from) {
      if (times.start[from] + problem.tasks[from].length == times.start[at]) pick(from);
    };
    for (std::uint32_t need = problem.first_need[at]; need < problem.first_need[at + 1]; ++need) {
      if (problem.machines[order.machine(need)].capacity > 1 || order.prev(need) == none) continue;
      consider(problem.needs[order.prev(need)].task);
    }
    const std::uint32_t place = times.place[at];
    for (std::uint32_t f = times.first_flow[place]; f < times.first_flow[place + 1]; ++f) consider(times.flow[f].from);
  }
  std::ranges::reverse(path);
}

}  // namespace rta::static_order
