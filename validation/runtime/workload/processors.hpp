// Which processors the CPU pools of a task set get.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "options.hpp"
#include "status.hpp"
#include "table.hpp"

namespace workload {

/// Whether some pool needs the driver of a GPU.
inline bool needs_gpu(const TaskSet& set) {
  return std::any_of(set.pools, set.pools + set.pool_count, [](const Pool& pool) { return pool.kind != PoolKind::cpu; });
}

/// The processors of every CPU pool: those that were asked for, else the next of `free`, in the order of the pools. Beside a GPU,
/// processor 0 comes last: it usually takes the GPU's interrupts, and some drivers end kernels in a thread there that has no real-time
/// level.
inline std::vector<std::vector<int>> assign_processors(const TaskSet& set, const Options& options, std::vector<int> free) {
  const std::size_t present = free.size();
  if (needs_gpu(set)) std::stable_partition(free.begin(), free.end(), [](int processor) { return processor != 0; });
  std::vector<std::vector<int>> assigned(set.pool_count);
  const auto take = [&](int processor, const Pool& pool) {
    const auto at = std::find(free.begin(), free.end(), processor);
    if (at == free.end())
      usage_error("pool '" + std::string(pool.name) + "': processor " + std::to_string(processor) + " is not there or already taken");
    free.erase(at);
  };
  for (unsigned p = 0; p < set.pool_count; ++p) {
    const auto wanted = options.processors.find(set.pools[p].name);
    if (wanted == options.processors.end()) continue;
    if (wanted->second.size() != set.pools[p].count)
      usage_error("pool '" + std::string(set.pools[p].name) + "' has " + std::to_string(set.pools[p].count) + " processors, --cpus names " +
                  std::to_string(wanted->second.size()));
    assigned[p] = wanted->second;
    for (int processor : assigned[p]) take(processor, set.pools[p]);
  }
  for (unsigned p = 0; p < set.pool_count; ++p) {
    if (set.pools[p].kind != PoolKind::cpu || !assigned[p].empty()) continue;
    if (free.size() < set.pools[p].count) {
      std::fprintf(stderr, "workload: pool '%s' needs %u processors; %zu of the %zu that this process may use are left\n",
                   set.pools[p].name, set.pools[p].count, free.size(), present);
      std::exit(could_not_run);
    }
    assigned[p].assign(free.begin(), free.begin() + set.pools[p].count);
    free.erase(free.begin(), free.begin() + set.pools[p].count);
  }
  return assigned;
}

}  // namespace workload
