#include "assigned_cores.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "pools.hpp"

namespace rta::convert {

std::vector<PoolId> pools_for(const std::vector<Assignment>& nodes, std::vector<DraftPool>& pools, const Options& options, Notes& notes) {
  const auto assigned = static_cast<std::size_t>(std::ranges::count_if(nodes, [](const Assignment& a) { return a.core.has_value(); }));
  const bool partitioned = options.processors.empty() && assigned > 0;
  if (partitioned && assigned < nodes.size()) {
    notes.miss(fmt::format("{} of {} nodes name no core (p): give --processors N, so that all run on any of N processors",
                           nodes.size() - assigned, nodes.size()));
  }
  if (!partitioned && assigned > 0) notes.assume("--processors: the cores that nodes name (p) do not count");
  std::map<std::pair<std::int64_t, std::int64_t>, PoolId> pool_of;
  std::vector<PoolId> out;
  for (const Assignment& a : nodes) {
    const std::pair key{a.kind, partitioned ? a.core.value_or(0) : 0};
    const auto [at, fresh] = pool_of.emplace(key, pools.size());
    if (fresh) {
      std::string name = partitioned ? fmt::format("core{}", key.second) : std::string("cpu");
      if (a.kind != 0) name = partitioned ? fmt::format("kind{}-core{}", a.kind, key.second) : fmt::format("kind{}", a.kind);
      DraftPool pool;
      if (partitioned) {
        pool.pool = {name, CpuPool{1, options.scheduler.value_or(Scheduler::g_edf), true}};
      } else {
        pool = cpu_pool(name, options, notes);
      }
      pools.push_back(std::move(pool));
    }
    out.push_back(at->second);
  }
  notes.uses("scheduler");
  if (partitioned && !options.scheduler) notes.assume("cores are scheduled by G-EDF (--scheduler)");
  return out;
}

}  // namespace rta::convert
