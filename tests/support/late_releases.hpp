// Small random systems whose releases are late.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>

#include "support/random_path_system.hpp"

namespace rta::test {

/// Sometimes by more than a period where nothing may be blocked.
inline void release_late(analysis::path::System& system, std::uint64_t seed) {
  std::mt19937_64 dice(seed);
  const bool blocks = std::ranges::any_of(system.pools, [](const auto& pool) { return analysis::path::is_non_preemptive(pool.order); });
  const bool far = !blocks && seed % 5 == 0;
  for (auto& dag : system.dags) {
    const auto units = static_cast<std::uint64_t>(dag.T.count() / grid) * (far ? 3 : 1);
    if (dice() % 3 != 0) dag.J = Time(static_cast<std::int64_t>(dice() % units) * grid);
  }
}

/// Pools of every kind; DAGs whose releases are late by up to T less a unit of time.
inline RandomPathSystem with_jitter(RandomPaths& random, std::mt19937_64& dice) {
  RandomPathSystem s = random.system({.by_node = true, .fixed = true});
  for (auto& dag : s.system.dags) {
    if (dice() % 3 != 0) dag.J = Time(static_cast<std::int64_t>(dice() % static_cast<std::uint64_t>(dag.T.count() / grid)) * grid);
  }
  return s;
}

}  // namespace rta::test
