// The laws of T10a and T10v over random systems, for the tests of every day and the long ones.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <string>

#include "rta/analysis/path/derivations.hpp"
#include "support/aligned_oracle.hpp"
#include "support/inequality_laws.hpp"
#include "support/random_path_system.hpp"

namespace rta::test {

inline constexpr std::size_t aligned_mutants = 13;

struct AlignedCounts {
  int bounded = 0;
  int aligned = 0;                            // nodes by T10a
  int overlapped = 0;                         // nodes by T10v
  int together = 0;                           // nodes by T10a for which jobs count together, by T30
  int better = 0;                             // systems in which some node is better off than by T10n
  int reached = 0;                            // systems of several DAGs in which some node ends exactly at its bound
  int by_letter = 0;                          // systems without T10v, equal to the oracle
  std::array<int, aligned_mutants> caught{};  // systems in which the simulation breaks a mutant
};

/// One GEL pool and one FIFO pool or GPU, long periods: where T10v applies.
inline RandomPathSystem of_two_pools(RandomPaths& random) {
  using namespace analysis::path;
  RandomPathOptions options;
  options.most_dags = 4;
  for (;;) {
    RandomPathSystem s = random.system(options);
    const auto& pools = s.system.pools;
    if (pools.size() != 2 || pools[0].order != Order::gel || pools[1].order != Order::fifo) continue;
    for (Dag& dag : s.system.dags) dag.T = Time(dag.T.count() * 3);
    return s;
  }
}

/// Two to four GEL processors, one to three servers; DAGs with a root, or none, and strands that lead to the servers, each of a node or two
/// and an item or two, up to `rounds` times; and a chain that executes for long before it comes to the servers, and perhaps after.
inline RandomPathSystem of_strands(std::uint64_t seed, std::size_t rounds) {
  using namespace analysis::path;
  std::mt19937_64 random(seed);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const auto units = [&](std::size_t least, std::size_t n) { return static_cast<std::int64_t>(least + below(n)) * grid; };
  RandomPathSystem s;
  s.system.pools.resize(2);
  s.system.pools[0].order = Order::gel;
  s.system.pools[0].capacity = static_cast<std::uint32_t>(2 + below(3));
  s.system.pools[1].capacity = static_cast<std::uint32_t>(1 + below(3));
  s.pools = {{SimulatedOrder::gel, s.system.pools[0].capacity, 1}, {SimulatedOrder::fifo, s.system.pools[1].capacity, 1}};
  const auto add = [&](Dag& dag, std::size_t pool, std::int64_t e, std::int64_t pieces, std::optional<std::size_t> after) {
    Node node;
    node.pool = pool;
    node.e = Time(e);
    node.s = e;
    node.vol = e * pieces;
    dag.nodes.push_back(node);
    s.pieces.back().push_back({pieces, 1});
    if (after) dag.edges.push_back({*after, dag.nodes.size() - 1});
    return dag.nodes.size() - 1;
  };
  const std::size_t dags = 2 + below(2);
  for (std::size_t d = 0; d < dags; ++d) {
    Dag dag;
    dag.name = "d" + std::to_string(d);
    dag.T = Time(units(20, below(2) == 0 ? 20 : 60));
    dag.Y = Time(below(2) == 0 ? 480 : units(10, 60));
    s.pieces.emplace_back();
    std::optional<std::size_t> root;
    if (d == 0 || below(2) == 0) root = add(dag, 0, units(1, d == 0 ? 12 : 4), 1, {});
    const std::size_t strands = d == 0 ? 1 : 1 + below(3);
    for (std::size_t i = 0; i < strands; ++i) {
      std::optional<std::size_t> last = root;
      if (!root || below(2) == 0) last = add(dag, 0, units(0, 4), 1, last);
      for (std::size_t round = 0; round < rounds; ++round) {
        last = add(dag, 1, units(1, 4), static_cast<std::int64_t>(1 + below(2)), last);
        if (below(3) == 0) last = add(dag, 0, units(0, 6), 1, last);
        if (round + 1 < rounds && below(3) == 0) break;
      }
    }
    s.system.dags.push_back(std::move(dag));
  }
  return s;
}

/// Up to three FIFO pools that chains go to and fro between, with short periods: jobs of which several count, but few of their nodes at
/// once.
inline RandomPathSystem of_chains(std::uint64_t seed) {
  using namespace analysis::path;
  std::mt19937_64 random(seed);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  RandomPathSystem s;
  const std::size_t pools = 1 + below(3);
  for (std::size_t p = 0; p < pools; ++p) {
    const auto capacity = static_cast<std::uint32_t>(below(3) == 0 ? 2 : 1);
    s.system.pools.emplace_back().capacity = capacity;
    s.pools.push_back({SimulatedOrder::fifo, capacity, 1});
  }
  const std::size_t dags = 2 + below(2);
  const std::int64_t slack = 1 + static_cast<std::int64_t>(below(4));
  for (std::size_t d = 0; d < dags; ++d) {
    Dag dag;
    dag.name = "d" + std::to_string(d);
    s.pieces.emplace_back();
    std::int64_t work = 0;
    const std::size_t nodes = 1 + below(4);
    for (std::size_t v = 0; v < nodes; ++v) {
      Node node;
      node.pool = below(pools);
      node.e = Time(static_cast<std::int64_t>(1 + below(4)) * grid);
      node.s = node.vol = node.e.count();
      work += node.e.count();
      dag.nodes.push_back(node);
      s.pieces.back().push_back({1, 1});
      if (v > 0 && below(6) != 0) dag.edges.push_back({v - 1, v});
    }
    const std::int64_t most = static_cast<std::int64_t>(dags) * work * slack / 2;
    dag.T = Time(std::max(grid, (work + static_cast<std::int64_t>(below(static_cast<std::size_t>(most)))) / grid * grid));
    s.system.dags.push_back(std::move(dag));
  }
  return s;
}

inline void check_aligned_derivation(const analysis::path::Derivations& derivations, const analysis::path::NodeBounds& bounds,
                                     std::size_t k, std::size_t v, AlignedCounts& counts) {
  using namespace analysis::path;
  const Support support = bounds.support[k][v];
  if (support != Support::aligned && support != Support::overlapped) return;
  ++(support == Support::aligned ? counts.aligned : counts.overlapped);
  const auto derivation = derivations.of(k, v);
  check_inequality(derivation, bounds.F[k][v]);
  CHECK(derivation.path.back() == v);
  const auto* sum = std::get_if<AlignedSum>(&derivation.detail);
  if (sum != nullptr && std::ranges::any_of(sum->others, [](const AlignedJobs& jobs) { return !jobs.together.empty(); })) ++counts.together;
}

/// Against the oracle: never below what the theorems say, and equal to it where T10v is out of question; and whether `latest`, what
/// was seen to happen, breaks its mutants.
class BrokenAligned {
 public:
  BrokenAligned(const RandomPathSystem& s, const analysis::path::NodeBounds& bounds, AlignedCounts& counts) {
    using analysis::path::Order;
    const auto known = [](const analysis::path::Pool& pool) { return pool.order == Order::gel || pool.order == Order::fifo; };
    if (!std::ranges::all_of(s.system.pools, known)) return;
    std::int64_t limit = 0;
    for (const auto& dag : s.system.dags) limit = std::max(limit, 20 * dag.T.count());
    AlignedOracle oracle(s.system, AlignedMutant::none, grid);
    const auto by_the_letter = oracle.nodes(limit);
    REQUIRE(by_the_letter);
    bool overlaps = false;
    for (std::size_t k = 0; k < bounds.F.size(); ++k) overlaps = overlaps || oracle.overlap(k);
    counts.by_letter += overlaps ? 0 : 1;
    for (std::size_t k = 0; k < bounds.F.size(); ++k) {
      for (std::size_t v = 0; v < bounds.F[k].size(); ++v) {
        if (overlaps) {
          CHECK(bounds.F[k][v].count() >= (*by_the_letter)[k][v]);
        } else {
          CHECK(bounds.F[k][v].count() == (*by_the_letter)[k][v]);
        }
      }
    }
    for (std::size_t i = 1; i < aligned_mutants; ++i) {
      const bool of_strands =
          i >= static_cast<std::size_t>(AlignedMutant::whole_path) && i <= static_cast<std::size_t>(AlignedMutant::no_queue);
      if (of_strands && !overlaps) continue;
      broken_[i] = AlignedOracle(s.system, static_cast<AlignedMutant>(i), grid).nodes(limit);
    }
  }

  void see(const std::vector<std::vector<std::int64_t>>& latest) {
    for (std::size_t i = 0; i < broken_.size(); ++i) {
      for (std::size_t k = 0; broken_[i] && k < latest.size(); ++k) {
        for (std::size_t v = 0; v < latest[k].size(); ++v) caught_[i] = caught_[i] || latest[k][v] > (*broken_[i])[k][v];
      }
    }
  }

  void count(AlignedCounts& counts) const {
    for (std::size_t i = 0; i < caught_.size(); ++i) counts.caught[i] += caught_[i] ? 1 : 0;
  }

 private:
  std::array<std::optional<std::vector<std::vector<std::int64_t>>>, aligned_mutants> broken_;
  std::array<bool, aligned_mutants> caught_{};
};

/// Law 1 against `runs` simulations, T10v <= T10n, derivations, and the oracle where it is asked for, for one system.
inline void check_aligned_laws(const RandomPathSystem& s, RandomPaths& random, int runs, bool by_the_letter, AlignedCounts& counts) {
  using namespace analysis::path;
  Limits limits;
  limits.periods = 20;
  const auto plain = node_bounds(s.system, Refinement::T10n, limits);
  const auto bounds = node_bounds(s.system, Refinement::T10v, limits);
  if (plain) REQUIRE(bounds);
  if (!bounds) return;
  ++counts.bounded;
  const Derivations derivations(s.system, *bounds);
  bool better = false;
  for (std::size_t k = 0; k < bounds->F.size(); ++k) {
    for (std::size_t v = 0; v < bounds->F[k].size(); ++v) {
      if (plain) CHECK(bounds->F[k][v] <= plain->F[k][v]);
      better = better || !plain || bounds->F[k][v] < plain->F[k][v];
      check_aligned_derivation(derivations, *bounds, k, v, counts);
    }
  }
  counts.better += better ? 1 : 0;
  std::optional<BrokenAligned> broken;
  if (by_the_letter) broken.emplace(s, *bounds, counts);
  bool reached = false;
  for (int run = 0; run < runs; ++run) {
    const auto latest = random.run(s);
    for (std::size_t k = 0; k < latest.size(); ++k) {
      for (std::size_t v = 0; v < latest[k].size(); ++v) {
        REQUIRE(latest[k][v] <= bounds->F[k][v].count());
        reached = reached || (latest.size() > 1 && latest[k][v] > 0 && latest[k][v] == bounds->F[k][v].count());
      }
    }
    if (broken) broken->see(latest);
  }
  counts.reached += reached ? 1 : 0;
  if (broken) broken->count(counts);
}

/// One random system in three of each kind.
inline void check_aligned_laws(std::uint64_t seed, int runs, bool by_the_letter, AlignedCounts& counts) {
  CAPTURE(seed);
  RandomPaths random(seed);
  RandomPathOptions options;
  options.by_node = seed % 9 == 0;
  options.most_dags = 4;
  const std::size_t rounds = 1 + seed / 3 % 3;
  const bool strands = seed % 3 == 2;
  const RandomPathSystem s = seed % 3 == 0 ? random.system(options) : strands ? of_strands(seed, rounds) : of_two_pools(random);
  // By the letter strands of several rounds take minutes.
  check_aligned_laws(s, random, runs, by_the_letter && !(strands && rounds > 1), counts);
}

}  // namespace rta::test
