// Small random GPUs near full load, with any valid weights, and what T10j says of them with carries that are too small.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "support/every_configuration.hpp"
#include "support/random_path_system.hpp"

namespace rta::test {

/// T6's carry (a), and what is wrong.
enum class Resident : std::uint8_t {
  right,      // (g-1) K + K'
  sm_less,    // (g-2) K + K'
  no_beside,  // (g-1) K: as if the SM with room held nothing
  all_beside  // g K': as if every SM had room
};
inline constexpr std::size_t resident_variants = 4;

struct FullGpu {
  RandomPathSystem s;
  EveryConfiguration sm{{}, 1};

  [[nodiscard]] Wide resident(Resident variant) const {
    const Wide g = s.system.pools.front().capacity;
    switch (variant) {
      case Resident::right: break;
      case Resident::sm_less: return std::max<Wide>(0, g - 2) * sm.K + sm.beside;
      case Resident::no_beside: return (g - 1) * sm.K;
      case Resident::all_beside: return g * sm.beside;
    }
    return sm.carry(s.system.pools.front().capacity);
  }

  [[nodiscard]] analysis::path::System with(Resident variant) const {
    analysis::path::System system = s.system;
    system.pools.front().resident = resident(variant);
    return system;
  }
};

/// One to three SMs of up to 6 G-threads, two to four chains of one or two kernels, a few of them of large or long blocks, some with
/// release jitter. In `even` ones all blocks take one G-thread, so that SMs that block do no more than is counted on, and the first
/// kernel's are long and few less than fit.
inline FullGpu full_gpu(std::uint64_t seed) {
  std::mt19937_64 dice(seed);
  const auto below = [&](std::int64_t n) { return static_cast<std::int64_t>(dice() % static_cast<std::uint64_t>(n)); };
  const bool even = below(2) == 0;
  const bool late = !even && below(4) == 0;
  FullGpu out;
  const std::int64_t threads = even ? 1 + below(3) : 3 + below(4);
  analysis::path::Pool pool;
  pool.name = "gpu";
  pool.unit_weights = false;
  pool.capacity = static_cast<std::uint32_t>(even ? 2 + below(2) : 1 + below(3));
  out.s.pools.push_back({SimulatedOrder::gpu, pool.capacity, threads});
  const std::int64_t servers = threads * pool.capacity;
  std::vector<std::int64_t> density(static_cast<std::size_t>(threads) + 1, 1);
  const bool occupancy = below(2) == 0;
  for (std::int64_t& d : density) d = occupancy ? 1 : 1 + below(4);
  const std::int64_t dags = 2 + below(3);
  std::vector<SmallBlock> blocks;
  for (std::int64_t d = 0; d < dags; ++d) {
    analysis::path::Dag dag;
    dag.name = "d" + std::to_string(d);
    auto& pieces = out.s.pieces.emplace_back();
    const std::int64_t kernels = !even && below(4) == 0 ? 2 : 1;
    for (std::int64_t v = 0; v < kernels; ++v) {
      const bool first = even && d == 0;
      analysis::path::Node node;
      node.e = Time(grid * (first ? 4 + below(8) : even || below(3) != 0 ? 1 + below(2) : 4 + below(8)));
      const std::int64_t H = !even && below(3) == 0 ? 1 + below(threads) : 1;
      pieces.push_back({first ? std::max<std::int64_t>(1, servers - below(2)) : 1 + below(servers), H});
      const Wide weight = density[static_cast<std::size_t>(H)] * H;
      node.s = weight * node.e.count();
      node.vol = node.s * pieces.back().count;
      blocks.push_back({H, weight, node.s});
      if (v > 0) dag.edges.push_back({0, 1});
      dag.nodes.push_back(node);
    }
    out.s.system.dags.push_back(std::move(dag));
  }
  out.sm = EveryConfiguration(blocks, threads);
  pool.unit = out.sm.least_blocking;
  // Shares of a load between nine tenths of the capacity and all of it.
  const Wide capacity = pool.unit * pool.capacity;
  std::vector<std::int64_t> share;
  std::int64_t shares = 0;
  for (std::int64_t d = 0; d < dags; ++d) shares += share.emplace_back(1 + below(4));
  const std::int64_t load = 100 - (even ? 0 : below(10));
  for (std::size_t d = 0; d < share.size(); ++d) {
    auto& dag = out.s.system.dags[d];
    Wide vol = 0;
    for (const auto& node : dag.nodes) vol += node.vol;
    dag.T = Time(static_cast<std::int64_t>(ceil_div(vol * shares * 100, capacity * share[d] * load * grid)) * grid);
    if (late) dag.J = Time(grid * below(1 + dag.T.count() / grid / 2));
  }
  out.s.system.pools.push_back(pool);
  out.s.system.pools.front().resident = out.resident(Resident::right);
  return out;
}

}  // namespace rta::test
