// The laws of T10j's and T14j's carry (a) over small GPUs near full load, for the tests of every day and the long ones.
#pragma once

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "rta/analysis/path/derivations.hpp"
#include "support/full_gpu.hpp"
#include "support/inequality_laws.hpp"
#include "support/late_sums_oracle.hpp"

namespace rta::test {

struct ResidentCounts {
  int systems = 0;                              // with a bound
  int only = 0;                                 // of them, those that have none with (b) alone
  int resting = 0;                              // nodes whose carry is (a)
  int less = 0;                                 // nodes that have less than with (b) alone
  int late = 0;                                 // systems with release jitter
  int sliced = 0;                               // nodes whose carry is (a) where the GPU has slices, too
  std::array<int, resident_variants> caught{};  // systems in which a schedule exceeds the variant's bounds
  std::array<int, resident_variants> caught_in_slices{};
};

using ResidentEnds = std::vector<std::vector<std::int64_t>>;

inline analysis::path::Limits resident_limits() {
  analysis::path::Limits limits;
  limits.periods = 50;
  return limits;
}

inline std::optional<ResidentEnds> resident_ends(const analysis::path::System& system) {
  const auto bounds = node_bounds(system, analysis::path::Refinement::T10j, resident_limits());
  if (!bounds) return std::nullopt;
  ResidentEnds F;
  for (const auto& row : bounds->F) {
    auto& out = F.emplace_back();
    for (const Time f : row) out.push_back(f.count());
  }
  return F;
}

/// The same GPU in slices that no schedule here lasts as long as, so that gaps need not occur: T14j in place of T10j.
inline analysis::path::System in_slices(analysis::path::System system) {
  system.pools.front().slices = analysis::path::Slices{Time(1'000'000'000), Time(1)};
  return system;
}

/// How many nodes' carry is (a). Each that (3) carries has it by the letter.
inline int nodes_resting_on_it(const analysis::path::System& system, const ResidentEnds& F) {
  const LateSumsOracle letter(system, LateMutant::none);
  const bool sliced = system.pools.front().slices.has_value();
  const auto bounds = node_bounds(system, analysis::path::Refinement::T10j, resident_limits());
  const analysis::path::Derivations reasons(system, *bounds);
  int nodes = 0;
  for (std::size_t d = 0; d < system.dags.size(); ++d) {
    for (std::size_t v = 0; v < system.dags[d].nodes.size(); ++v) {
      if (bounds->support[d][v] != analysis::path::Support::late) continue;
      const auto late = reasons.of(d, v);
      nodes += std::get<analysis::path::SporadicSum>(late.detail).resident ? 1 : 0;
      check_inequality(late, Time(F[d][v]));
      if (sliced) continue;
      const auto exact = letter.right_hand_side(d, v, F);
      REQUIRE(exact);
      CHECK(ceil_to_time(late.total).count() >= *exact);
      CHECK(ceil_to_time(late.total).count() <= *exact + 8);  // each node's term is rounded up
    }
  }
  return nodes;
}

/// No schedule exceeds the bounds, and they are never above those with (b) alone.
inline void check_resident_laws(std::uint64_t seed, ResidentCounts& counts) {
  CAPTURE(seed);
  const FullGpu gpu = full_gpu(seed);
  analysis::path::System without = gpu.s.system;
  without.pools.front().resident.reset();
  const auto light = resident_ends(without);
  std::array<std::optional<ResidentEnds>, resident_variants> F;
  for (std::size_t i = 0; i < resident_variants; ++i) F[i] = resident_ends(gpu.with(static_cast<Resident>(i)));
  if (light) REQUIRE(F[0]);
  if (!F[0]) return;
  ++counts.systems;
  counts.only += light ? 0 : 1;
  counts.late += has_release_jitter(gpu.s.system) ? 1 : 0;
  counts.resting += nodes_resting_on_it(gpu.s.system, *F[0]);
  for (std::size_t d = 0; light && d < F[0]->size(); ++d) {
    for (std::size_t v = 0; v < (*F[0])[d].size(); ++v) {
      CHECK((*F[0])[d][v] <= (*light)[d][v]);
      counts.less += (*F[0])[d][v] < (*light)[d][v] ? 1 : 0;
    }
  }
  std::array<std::optional<ResidentEnds>, resident_variants> sliced;  // none with release jitter: T12 knows no slices
  for (std::size_t i = 0; i < resident_variants && !has_release_jitter(gpu.s.system); ++i) {
    sliced[i] = resident_ends(in_slices(gpu.with(static_cast<Resident>(i))));
  }
  if (sliced[0]) counts.sliced += nodes_resting_on_it(in_slices(gpu.s.system), *sliced[0]);
  RandomPaths random(seed);
  std::array<bool, resident_variants> caught{};
  std::array<bool, resident_variants> caught_in_slices{};
  const auto exceeded = [](std::int64_t end, const std::optional<ResidentEnds>& bounds, std::size_t d, std::size_t v) {
    return bounds && end > (*bounds)[d][v];
  };
  for (int run = 0; run < 12; ++run) {
    const auto latest = random.run(gpu.s);
    for (std::size_t d = 0; d < latest.size(); ++d) {
      for (std::size_t v = 0; v < latest[d].size(); ++v) {
        REQUIRE(latest[d][v] <= (*F[0])[d][v]);
        if (sliced[0]) REQUIRE(latest[d][v] <= (*sliced[0])[d][v]);
        for (std::size_t i = 0; i < resident_variants; ++i) {
          caught[i] = caught[i] || exceeded(latest[d][v], F[i], d, v);
          caught_in_slices[i] = caught_in_slices[i] || exceeded(latest[d][v], sliced[i], d, v);
        }
      }
    }
  }
  for (std::size_t i = 0; i < resident_variants; ++i) {
    counts.caught[i] += caught[i] ? 1 : 0;
    counts.caught_in_slices[i] += caught_in_slices[i] ? 1 : 0;
  }
}

/// Over so many systems with a bound; wrong variants are caught.
inline void check_resident_laws(std::uint64_t first_seed, int systems) {
  ResidentCounts counts;
  for (std::uint64_t seed = first_seed; counts.systems < systems; ++seed) check_resident_laws(seed, counts);
  MESSAGE(counts.systems, " systems, ", counts.late, " with release jitter, ", counts.only, " by (a) alone; ", counts.resting,
          " nodes rest on it, ", counts.less, " nodes have less; in slices ", counts.sliced, " rest on it");
  for (std::size_t i = 0; i < resident_variants; ++i) MESSAGE("caught in ", counts.caught[i], ", in slices ", counts.caught_in_slices[i]);
  CHECK(counts.late > systems / 20);
  CHECK(counts.resting > systems / 20);
  CHECK(counts.less > systems / 20);
  CHECK(counts.sliced > systems / 20);
  CHECK(counts.caught[0] + counts.caught_in_slices[0] == 0);
  for (std::size_t i = 1; i < resident_variants; ++i) {
    CAPTURE(i);
    CHECK(counts.caught[i] > 0);
    CHECK(counts.caught_in_slices[i] > 0);
  }
}

}  // namespace rta::test
