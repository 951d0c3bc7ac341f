// Small random systems whose releases are late.
#pragma once

#include <cstdint>
#include <random>

#include "support/random_path_system.hpp"

namespace rta::test {

/// Pools of every kind; DAGs whose releases are late by up to T less a unit of time.
inline RandomPathSystem with_jitter(RandomPaths& random, std::mt19937_64& dice) {
  RandomPathSystem s = random.system({.by_node = true, .fixed = true});
  for (auto& dag : s.system.dags) {
    if (dice() % 3 != 0) dag.J = Time(static_cast<std::int64_t>(dice() % static_cast<std::uint64_t>(dag.T.count() / grid)) * grid);
  }
  return s;
}

}  // namespace rta::test
