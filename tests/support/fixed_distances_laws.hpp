// What docs/theory/tightness.md claims of segments at fixed distances, against an exact simulation that releases them so.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "support/carried_laws.hpp"
#include "support/fixed_distances_oracle.hpp"

namespace rta::test {

struct Segmented {
  RandomPathSystem s;
  std::vector<std::vector<std::size_t>> groups;
};

/// Of a system near full load, neighbours are segments of one DAG.
inline Segmented segmented(std::uint64_t seed) {
  Segmented out{near_full_load(seed), {}};
  std::mt19937_64 random(seed + 1);
  for (std::size_t d = 0; d < out.s.system.dags.size(); ++d) {
    const bool joins = d > 0 && random() % 3 != 0;
    if (joins) {
      out.s.system.dags[d].T = out.s.system.dags[d - 1].T;
      out.groups.back().push_back(d);
    } else {
      out.groups.push_back({d});
    }
  }
  return out;
}

struct DistanceCounts {
  int systems = 0;
  int lower = 0;  // ends than by the third form
  int reached = 0;
  std::array<int, distance_mutants> caught{};
};

inline void attack_fixed_distances(std::uint64_t seed, int runs, DistanceCounts& counts) {
  using namespace rta::analysis::path;
  CAPTURE(seed);
  const Segmented segments = segmented(seed);
  const auto& system = segments.s.system;
  if (segments.groups.size() == system.dags.size()) return;
  std::int64_t limit = 0;
  std::int64_t H = 1;
  for (const auto& dag : system.dags) {
    limit = std::max(limit, 20 * dag.T.count());
    H = std::lcm(H, dag.T.count());
  }
  Limits limits;
  limits.periods = 20;
  if (H > 1'000 || !node_bounds(system, Refinement::T10g, limits)) return;
  const auto start = CarriedOracle(system).nodes(limit);
  if (!start) return;
  std::vector<std::int64_t> Phi(system.dags.size(), 0);
  for (const auto& group : segments.groups) {
    for (std::size_t i = 1; i < group.size(); ++i) {
      Phi[group[i]] = Phi[group[i - 1]] + *std::ranges::max_element((*start)[group[i - 1]]);
    }
  }
  const auto ends = [&](DistanceMutant mutant) { return FixedDistancesOracle(system, segments.groups, Phi, mutant).down_from(*start); };
  const auto F = ends(DistanceMutant::none);
  ++counts.systems;
  counts.lower += F == *start ? 0 : 1;
  std::array<CarriedOracle::Ends, distance_mutants> broken;
  for (std::size_t i = 0; i < distance_mutants; ++i) broken[i] = ends(static_cast<DistanceMutant>(i));
  std::array<bool, distance_mutants> caught{};
  bool reached = false;
  RandomPaths random(seed);
  for (int run = 0; run < runs; ++run) {
    const auto latest = random.run_at_distances(segments.s, segments.groups, Phi);
    for (std::size_t k = 0; k < latest.size(); ++k) {
      for (std::size_t v = 0; v < latest[k].size(); ++v) {
        REQUIRE(latest[k][v] <= F[k][v]);
        reached = reached || (F[k][v] < (*start)[k][v] && latest[k][v] == F[k][v]);
        for (std::size_t i = 0; i < distance_mutants; ++i) caught[i] = caught[i] || latest[k][v] > broken[i][k][v];
      }
    }
  }
  counts.reached += reached ? 1 : 0;
  for (std::size_t i = 0; i < distance_mutants; ++i) counts.caught[i] += caught[i] ? 1 : 0;
}

}  // namespace rta::test
