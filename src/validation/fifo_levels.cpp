#include "fifo_levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "rta/model/error.hpp"
#include "rta/model/fixed_priority.hpp"

namespace rta::validation {
namespace {

constexpr std::size_t level_count = highest_job_level - lowest_job_level + 1;

// The level of each priority that some node of the pool has.
std::map<FixedPriority, int> levels_of(const TaskSet& task_set, PoolId p, const FixedPriorities& priorities) {
  std::map<FixedPriority, int> levels;
  for (DagId d = 0; d < task_set.dags().size(); ++d) {
    const auto nodes = task_set.dags()[d].nodes();
    for (NodeId v = 0; v < nodes.size(); ++v) {
      if (nodes[v].pool == p) levels.emplace(priorities.of[d][v], 0);
    }
  }
  if (levels.size() > level_count) {
    throw UserError(fmt::format("pool '{}' has {} fixed priorities; a workload has {} levels of SCHED_FIFO for them, {} to {}",
                                task_set.pools()[p].name, levels.size(), level_count, lowest_job_level, highest_job_level));
  }
  const bool as_given =
      std::ranges::all_of(levels, [](const auto& entry) { return entry.first >= lowest_job_level && entry.first <= highest_job_level; });
  int next = lowest_job_level;
  for (auto& [priority, level] : levels) level = as_given ? static_cast<int>(priority) : next++;
  return levels;
}

}  // namespace

FifoLevels fifo_levels(const TaskSet& task_set) {
  const FixedPriorities priorities = fixed_priorities(task_set);
  FifoLevels result;
  for (const Dag& dag : task_set.dags()) result.of.emplace_back(dag.nodes().size());
  for (PoolId p = 0; p < task_set.pools().size(); ++p) {
    const auto* cpu = std::get_if<CpuPool>(&task_set.pools()[p].resource);
    if (cpu == nullptr || cpu->scheduler != Scheduler::fp) continue;
    const auto levels = levels_of(task_set, p, priorities);
    for (DagId d = 0; d < task_set.dags().size(); ++d) {
      const auto nodes = task_set.dags()[d].nodes();
      for (NodeId v = 0; v < nodes.size(); ++v) {
        if (nodes[v].pool == p) result.of[d][v] = levels.at(priorities.of[d][v]);
      }
    }
    if (!levels.empty() && levels.begin()->second != static_cast<int>(levels.begin()->first)) {
      result.notes.push_back(fmt::format("pool '{}': its priorities {} to {} become the levels {} to {} of SCHED_FIFO, in the same order",
                                         task_set.pools()[p].name, levels.begin()->first, levels.rbegin()->first, levels.begin()->second,
                                         levels.rbegin()->second));
    }
  }
  return result;
}

}  // namespace rta::validation
