// T1n, T1bn.
#include <algorithm>
#include <limits>
#include <tuple>

#include "analysis/cpu/gel_refinement.hpp"
#include "rta/model/error.hpp"

namespace rta::analysis::gel {
namespace {

// Tasks of equal T, Y, proven R and J release equally many jobs.
struct Group {
  std::int64_t T;
  std::int64_t Y;
  std::int64_t R;
  std::int64_t J;
  Wide C;  // their sum
};

// Jobs of one of the group's tasks that can run while a job with priority point Y waits: released after r - R_i and before
// r + min(`within`, Y - Y_i), r being that job's release.
Wide jobs(const Group& group, std::int64_t Y, std::int64_t within) {
  const Wide ahead = std::min<Wide>(within, Wide{Y} - group.Y);
  const Wide length = ahead + group.R;
  if (length <= 0) return 0;
  if (group.J > 0) return ceil_div(length + group.J, group.T);
  const auto n = static_cast<std::uint64_t>(length);  // at most 2^64 - 2
  const auto T = static_cast<std::uint64_t>(group.T);
  return Wide{n / T} + (n % T == 0 ? 0 : 1);
}

// What T1n and T1bn count beside the groups. Without preemption a job waits until it starts, C before it ends.
struct Waiting {
  Wide blocked = 0;
  bool preemptive = true;

  [[nodiscard]] std::int64_t within(Time R, Time C) const { return preemptive ? R.count() : (R - C).count(); }
};

// The least R >= right-hand side, or `proven` when that is no larger or the budget of pairs is spent: what lies below is not proven.
Time least_fixed_point(std::span<const Group> groups, const Task& task, Wide m, Time proven, const Waiting& waiting, std::size_t& budget) {
  Time R = task.C;
  while (R < proven && groups.size() <= budget) {
    budget -= groups.size();
    Wide work = waiting.blocked - task.C.count();
    const std::int64_t within = waiting.within(R, task.C);
    for (const Group& group : groups) work = checked_add(work, checked_mul(jobs(group, task.Y.count(), within), group.C));
    const Wide right = checked_add(Wide{task.C.count()}, ceil_div(work, m));
    if (right <= R.count()) return R;
    if (right >= proven.count()) break;
    R = to_time(right);
  }
  return proven;
}

}  // namespace

bool follows_from_proven(std::span<const Task> tasks, std::uint32_t processors, std::span<const Time> R, std::size_t k,
                         std::optional<Wide> blocked) {
  const Waiting waiting{blocked.value_or(0), !blocked};
  const std::int64_t within = waiting.within(R[k], tasks[k].C);
  Wide work = waiting.blocked - tasks[k].C.count();
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const Group alone{tasks[i].T.count(), tasks[i].Y.count(), R[i].count(), tasks[i].J.count(), tasks[i].C.count()};
    work = checked_add(work, checked_mul(jobs(alone, tasks[k].Y.count(), within), alone.C));
  }
  return checked_add(Wide{tasks[k].C.count()}, ceil_div(work, Wide{processors})) <= R[k].count();
}

std::vector<Time> bounds_from_proven(std::span<const Task> tasks, std::uint32_t processors, std::span<const Time> proven) {
  std::size_t unlimited = std::numeric_limits<std::size_t>::max();
  return bounds_from_proven(tasks, processors, proven, unlimited);
}

std::vector<Time> bounds_from_proven(std::span<const Task> tasks, std::uint32_t processors, std::span<const Time> proven,
                                     std::size_t& budget, std::span<const Wide> blocked) {
  require(processors > 0, "T1n needs at least one processor");
  require(proven.size() == tasks.size(), "T1n needs one proven bound per task");
  std::vector<Group> groups;
  groups.reserve(tasks.size());
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const Task& task = tasks[i];
    require(task.C >= Time{} && task.T > Time{} && proven[i] >= task.C, "T1n needs 0 <= C <= R and T > 0");
    groups.push_back({task.T.count(), task.Y.count(), proven[i].count(), task.J.count(), task.C.count()});
  }
  const auto key = [](const Group& g) { return std::tie(g.T, g.Y, g.R, g.J); };
  std::sort(groups.begin(), groups.end(), [&](const Group& a, const Group& b) { return key(a) < key(b); });
  std::size_t last = 0;
  for (std::size_t i = 1; i < groups.size(); ++i) {
    if (key(groups[last]) == key(groups[i])) {
      groups[last].C += groups[i].C;
    } else {
      groups[++last] = groups[i];
    }
  }
  if (!groups.empty()) groups.resize(last + 1);

  // Tasks of equal C, Y and proven R share their answer.
  std::vector<std::size_t> order(tasks.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto same = [&](std::size_t i) { return std::tuple(tasks[i].C, tasks[i].Y, proven[i]); };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return same(a) < same(b); });
  std::size_t distinct = 0;
  for (std::size_t j = 0; j < order.size(); ++j) distinct += j == 0 || same(order[j - 1]) != same(order[j]) ? 1 : 0;
  std::vector<Time> R(proven.begin(), proven.end());
  constexpr std::size_t usual_rounds = 4;
  if (!groups.empty() && distinct > budget / usual_rounds / groups.size()) {
    budget = 0;
    return R;
  }
  for (std::size_t j = 0; j < order.size(); ++j) {
    const std::size_t k = order[j];
    if (j > 0 && same(order[j - 1]) == same(k)) {
      R[k] = R[order[j - 1]];
      continue;
    }
    const Waiting waiting = blocked.empty() ? Waiting{} : Waiting{blocked[k], false};
    R[k] = least_fixed_point(groups, tasks[k], processors, proven[k], waiting, budget);
  }
  return R;
}

}  // namespace rta::analysis::gel
