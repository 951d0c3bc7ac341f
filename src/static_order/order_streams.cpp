// What the order of a stream adds to a problem: submitters of one stream are in the order of their submittees.
#include <fmt/format.h>

#include <algorithm>
#include <boost/dynamic_bitset.hpp>

#include "build_problem.hpp"
#include "rta/model/error.hpp"

namespace rta::static_order {
namespace {

using Bits = boost::dynamic_bitset<>;

constexpr std::size_t most_ordered = 5'000;  // tasks of a problem whose paths are all found

// What is behind each task, by arcs.
std::vector<Bits> tasks_behind(const Problem& problem) {
  std::vector<Bits> behind(problem.size(), Bits(problem.size()));
  for (std::size_t i = problem.size(); i-- > 0;) {
    const TaskId t = problem.order[i];
    for (const Arc& arc : problem.outof(t)) {
      behind[t] |= behind[arc.to];
      behind[t].set(arc.to);
    }
  }
  return behind;
}

}  // namespace

// What arcs say of two submitters they say of the submittees, and the other way round.
void HyperepochProblem::order_streams(Problem& problem) const {
  if (problem.size() > most_ordered) return;
  std::vector<std::vector<TaskId>> submitters(machines_.size());
  for (const Need& need : problem.needs) {
    if (need.choice == none && problem.follower[need.machine.front()] != none) submitters[need.machine.front()].push_back(need.task);
  }
  for (bool changed = std::ranges::any_of(submitters, [](const auto& of) { return of.size() > 1; }); changed;) {
    changed = false;
    const std::vector<Bits> behind = tasks_behind(problem);
    for (MachineId m = 0; m < submitters.size(); ++m) {
      for (const TaskId a : submitters[m]) {
        for (const TaskId b : submitters[m]) {
          const TaskId x = problem.tasks[a].submittee;
          const TaskId y = problem.tasks[b].submittee;
          if (a == b || (!behind[a].test(b) && !behind[x].test(y))) continue;
          if (behind[b].test(a) || behind[y].test(x))
            throw UserError(fmt::format("stream {}: {} and {} are submitted in one order and needed in the other; a stream keeps one order",
                                        full_name(graph_, machines_[m]), task_name(x), task_name(y)));
          if (behind[a].test(b) && behind[x].test(y)) continue;
          problem.arcs.insert(problem.arcs.end(), {{a, b, false}, {x, y, false}});
          changed = true;
        }
      }
    }
    if (changed && !problem.index()) throw UserError("streams: what is submitted to them waits for one another in a circle");
  }
}

}  // namespace rta::static_order
