// Random systems whose GPUs are cut into partitions.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "rta/model/partitions.hpp"
#include "support/random_system.hpp"

namespace rta::test {

/// The same with each GPU of 2 to 5 SMs cut into one or two partitions, in half of the systems with what is left as another; each kernel is
/// in any. Periods are longer by as much as the smallest has fewer SMs.
inline TaskSet with_partitions(const TaskSet& set, std::uint64_t seed) {
  Dice dice(seed + 2'000'003);
  std::vector<Pool> pools;
  std::vector<std::pair<PoolId, std::int64_t>> parts;  // pool -> its first partition, and how many there are
  std::int64_t stretch = 1;
  for (const Pool& pool : set.pools()) {
    parts.emplace_back(pools.size(), 1);
    if (pool.kind() != PoolKind::gpu) {
      pools.push_back(pool);
      continue;
    }
    const auto of = static_cast<std::uint32_t>(dice.between(2, 5));
    const auto first = static_cast<std::uint32_t>(dice.between(1, of - 1));
    std::vector<std::uint32_t> sms{first};
    if (!dice.one_in(4)) sms.push_back(static_cast<std::uint32_t>(dice.between(1, of - first)));
    const std::uint32_t left = of - first - (sms.size() > 1 ? sms[1] : 0);
    const bool rest = left > 0 && dice.one_in(2);
    if (rest) sms.push_back(left);
    parts.back().second = static_cast<std::int64_t>(sms.size());
    for (std::size_t i = 0; i < sms.size(); ++i) {
      Pool part = pool;
      const std::string name = std::to_string(i);
      part.name = partition_name(pool.name, name);
      auto& gpu = std::get<GpuPool>(part.resource);
      stretch = std::max<std::int64_t>(stretch, (gpu.sms + sms[i] - 1) / sms[i]);
      gpu.sms = sms[i];
      gpu.partition =
          Partition{.gpu = pool.name, .name = name, .kind = PartitionKind::green, .of = of, .rest = rest && i + 1 == sms.size()};
      pools.push_back(std::move(part));
    }
  }
  std::vector<Dag> dags;
  for (const Dag& dag : set.dags()) {
    std::vector<Node> nodes(dag.nodes().begin(), dag.nodes().end());
    for (Node& node : nodes) {
      const auto [first, count] = parts[node.pool];
      node.pool = first + static_cast<PoolId>(dice.between(0, count - 1));
    }
    dags.emplace_back(dag.name(), dag.period() * stretch, dag.deadline(), std::move(nodes),
                      std::vector<Edge>(dag.edges().begin(), dag.edges().end()), dag.attributes());
  }
  return {set.name(), std::move(pools), std::move(dags)};
}

}  // namespace rta::test
