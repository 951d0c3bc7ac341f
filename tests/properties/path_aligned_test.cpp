// Laws of T10a and T10v over random systems, against an exact simulation.
#include <doctest/doctest.h>

#include <cstdint>

#include "support/random_path_system.hpp"

namespace {

using namespace rta;
using namespace rta::analysis::path;
using namespace rta::test;
using rta::analysis::ceil_to_time;

/// One GEL pool and one FIFO pool or GPU, long periods: where T10v applies.
RandomPathSystem of_two_pools(RandomPaths& random) {
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

struct Counts {
  int bounded = 0;
  int aligned = 0;     // nodes
  int overlapped = 0;  // nodes
  int better = 0;      // systems in which some node is better off than by T10n
};

void check_derivation(const Derivations& derivations, const NodeBounds& bounds, std::size_t k, std::size_t v, Counts& counts) {
  const Support support = bounds.support[k][v];
  if (support != Support::aligned && support != Support::overlapped) return;
  ++(support == Support::aligned ? counts.aligned : counts.overlapped);
  const auto derivation = derivations.aligned(k, v, support == Support::overlapped);
  CHECK(ceil_to_time(derivation.total) <= bounds.F[k][v]);
  CHECK(derivation.path.back() == v);
}

void check_system(const RandomPathSystem& s, RandomPaths& random, int runs, Counts& counts) {
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
      check_derivation(derivations, *bounds, k, v, counts);
    }
  }
  counts.better += better ? 1 : 0;
  for (int run = 0; run < runs; ++run) {
    const auto latest = random.run(s);
    for (std::size_t k = 0; k < latest.size(); ++k) {
      for (std::size_t v = 0; v < latest[k].size(); ++v) REQUIRE(latest[k][v] <= bounds->F[k][v].count());
    }
  }
}

}  // namespace

TEST_CASE("T10a, T10v: 2,000 random systems never exceed them, and they are never above T10n") {
  Counts counts;
  for (std::uint64_t seed = 1; seed <= 2'000; ++seed) {
    CAPTURE(seed);
    RandomPaths random(seed);
    RandomPathOptions options;
    options.by_node = seed % 5 == 0;
    options.most_dags = 4;
    const RandomPathSystem s = seed % 2 == 0 ? of_two_pools(random) : random.system(options);
    check_system(s, random, 6, counts);
  }
  MESSAGE(counts.better, " of ", counts.bounded, " systems better; ", counts.aligned, " nodes by T10a, ", counts.overlapped, " by T10v");
  CHECK(counts.bounded > 1'000);
  CHECK(counts.aligned > 50);
  CHECK(counts.overlapped > 50);
  CHECK(counts.better > 100);
}
