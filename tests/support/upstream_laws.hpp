// The laws of T39 over random systems.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "rta/analysis/path/derivations.hpp"
#include "support/inequality_laws.hpp"
#include "support/random_path_system.hpp"
#include "support/upstream_oracle.hpp"
#include "support/visit_laws.hpp"

namespace rta::test {

struct UpstreamCounts {
  int bounded = 0;
  int only = 0;                                  // systems that nothing else bounds
  int nodes = 0;                                 // by T39
  int alone = 0;                                 // systems that T39 alone bounds, by the letter
  int reached = 0;                               // of these, in which some node ends exactly there
  std::array<int, upstream_mutants> compared{};  // of these, in which a mutant says something else
  std::array<int, upstream_mutants> caught{};    // in which the simulation breaks it
};

/// One to three pools of one to three processors, all FIFO or all by points, two or three DAGs of up to five nodes, some pool loaded to
/// most of what it can do.
inline RandomPathSystem loaded_pools(std::uint64_t seed) {
  using namespace analysis::path;
  std::mt19937_64 random(seed);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  RandomPathSystem s;
  const bool fifo = below(2) == 0;
  s.system.pools.resize(1 + below(8) / 3);
  for (analysis::path::Pool& pool : s.system.pools) {
    pool.order = fifo ? Order::fifo : Order::gel;
    pool.capacity = static_cast<std::uint32_t>(1 + below(3));
    s.pools.push_back({fifo ? SimulatedOrder::fifo : SimulatedOrder::gel, pool.capacity, 1});
  }
  const std::size_t dags = 2 + below(2);
  constexpr std::array periods{2, 3, 4, 6, 8, 12};
  for (std::size_t d = 0; d < dags; ++d) {
    Dag dag;
    dag.name = "d" + std::to_string(d);
    dag.T = Time(periods[below(periods.size())] * grid);
    dag.Y = Time(static_cast<std::int64_t>(below(12)) * grid);
    auto& pieces = s.pieces.emplace_back();
    const std::size_t nodes = 1 + below(5);
    for (std::size_t v = 0; v < nodes; ++v) {
      Node node;
      node.pool = below(s.system.pools.size());
      node.e = Time(static_cast<std::int64_t>(below(4)) * grid);
      node.s = node.vol = node.e.count();
      dag.nodes.push_back(node);
      pieces.push_back({1, 1});
      if (v > 0 && below(4) > 0) dag.edges.push_back({v - 1, v});
      for (std::size_t w = 0; w + 1 < v; ++w) {
        if (below(4) == 0) dag.edges.push_back({w, v});
      }
    }
    s.system.dags.push_back(std::move(dag));
  }
  return s;
}

[[nodiscard]] inline double most_loaded(const analysis::path::System& system) {
  std::vector<double> U(system.pools.size());
  for (const auto& dag : system.dags) {
    for (const auto& node : dag.nodes)
      U[node.pool] += static_cast<double>(node.e.count()) / static_cast<double>(dag.T.count()) / system.pools[node.pool].capacity;
  }
  return *std::ranges::max_element(U);
}

inline void check_upstream_derivation(const analysis::Inequality& derivation, Time F, const analysis::path::System& system) {
  using namespace analysis::path;
  CHECK(derivation.theorem == analysis::Theorem::T39);
  check_inequality(derivation, F, Time(8));
  const auto& sum = std::get<AlignedSum>(derivation.detail);
  CHECK_FALSE(sum.left_on.empty());
  for (const Upstream& on : sum.upstream) {
    analysis::FineTime left = on.left.carry - on.left.after - on.left.worked_off;
    for (const Backlog::Part& part : on.left.parts) left = left + part.left + part.released;
    const auto last = analysis::fine_ceil(on.last_pieces, Wide{system.pools[on.pool].capacity});
    CHECK(analysis::ceil_to_time(left) + Time(1) >= analysis::ceil_to_time(on.length + last));
    CHECK(analysis::ceil_to_time(left) <= analysis::ceil_to_time(on.length + last) + Time(1));
  }
}

/// Law 1 against `runs` simulations of the product's bounds and of T39 alone by the letter; law 2; derivations; mutants.
inline void check_upstream_laws(std::uint64_t seed, int runs, double load, UpstreamCounts& counts) {
  using namespace analysis::path;
  CAPTURE(seed);
  const RandomPathSystem s = loaded_pools(seed);
  const double U = most_loaded(s.system);
  if (U < load || U > 1.0001) return;
  Limits limits;
  limits.periods = 20;
  const auto bounds = node_bounds(s.system, Refinement::T39, limits);
  const auto plain = node_bounds(s.system, Refinement::T10g, limits);
  if (plain) REQUIRE(bounds);
  if (!bounds) return;
  ++counts.bounded;
  counts.only += plain ? 0 : 1;
  const Derivations derivations(s.system, *bounds);
  for (std::size_t k = 0; k < bounds->F.size(); ++k) {
    for (std::size_t v = 0; v < bounds->F[k].size(); ++v) {
      if (bounds->support[k][v] != Support::upstream) continue;
      ++counts.nodes;
      check_upstream_derivation(derivations.of(k, v), bounds->F[k][v], s.system);
    }
  }
  std::array<std::optional<UpstreamOracle::Ends>, upstream_mutants> of;
  for (std::size_t i = 0; i < of.size(); ++i)
    of[i] = visits_from_below(s.system, UpstreamOracle(s.system, static_cast<UpstreamMutant>(i)), nullptr);
  const auto& alone = of.front();
  counts.alone += alone ? 1 : 0;
  for (std::size_t k = 0; alone && k < alone->size(); ++k) {  // the product takes the least of more theorems
    for (std::size_t v = 0; v < (*alone)[k].size(); ++v) CHECK(bounds->F[k][v].count() <= (*alone)[k][v]);
  }
  RandomPaths random(seed);
  bool reached = false;
  std::array<bool, upstream_mutants> caught{};
  for (std::size_t i = 0; i < of.size(); ++i) counts.compared[i] += of[i] && of[i] != alone ? 1 : 0;
  for (int run = 0; run < runs; ++run) {
    const auto latest = random.run(s);
    for (std::size_t k = 0; k < latest.size(); ++k) {
      for (std::size_t v = 0; v < latest[k].size(); ++v) {
        REQUIRE(latest[k][v] <= bounds->F[k][v].count());
        if (alone) REQUIRE(latest[k][v] <= (*alone)[k][v]);
        reached = reached || (alone && latest[k][v] > 0 && latest[k][v] == (*alone)[k][v]);
        for (std::size_t i = 0; i < caught.size(); ++i) caught[i] = caught[i] || (of[i] && latest[k][v] > (*of[i])[k][v]);
      }
    }
  }
  counts.reached += reached ? 1 : 0;
  for (std::size_t i = 0; i < caught.size(); ++i) counts.caught[i] += caught[i] ? 1 : 0;
}

}  // namespace rta::test
