// The laws of T10c over random systems near full load, for the tests of every day and the long ones.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <string>

#include "rta/analysis/path/derivations.hpp"
#include "support/carried_oracle.hpp"
#include "support/inequality_laws.hpp"
#include "support/random_path_system.hpp"

namespace rta::test {

struct CarriedCounts {
  int bounded = 0;
  int carried = 0;                            // nodes by T10c
  int only = 0;                               // systems that neither T10v nor T10j bounds
  int by_letter = 0;                          // systems with bounds by T10n and T10c alone
  int by_busy = 0;                            // systems of these in which that is less than without the third form
  int told_busy = 0;                          // nodes by T10c for some time that the pool was busy
  int reached = 0;                            // systems in which some node ends exactly at its bound
  std::array<int, carried_mutants> caught{};  // systems in which the simulation breaks a mutant
};

/// One to four GEL processors, and in half of the systems a server or two behind a FIFO; two to four DAGs of short periods and with points
/// a period or more apart, most of them wholly on the processors.
inline RandomPathSystem near_full_load(std::uint64_t seed) {
  using namespace analysis::path;
  std::mt19937_64 random(seed);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  RandomPathSystem s;
  s.system.pools.resize(1 + below(2));
  for (std::size_t p = 0; p < s.system.pools.size(); ++p) {
    analysis::path::Pool& pool = s.system.pools[p];
    pool.order = p == 0 ? Order::gel : Order::fifo;
    pool.capacity = static_cast<std::uint32_t>(1 + below(p == 0 ? 4 : 2));
    s.pools.push_back({p == 0 ? SimulatedOrder::gel : SimulatedOrder::fifo, pool.capacity, 1});
  }
  const std::size_t dags = 2 + below(3);
  for (std::size_t d = 0; d < dags; ++d) {
    Dag dag;
    dag.name = "d" + std::to_string(d);
    const std::size_t T = 4 + below(9);
    dag.T = Time(static_cast<std::int64_t>(T) * grid);
    dag.Y = Time((static_cast<std::int64_t>(below(3 * T)) - static_cast<std::int64_t>(T)) * grid);
    auto& pieces = s.pieces.emplace_back();
    const bool whole = s.system.pools.size() == 1 || below(3) == 0;
    const std::size_t nodes = 1 + below(4);
    for (std::size_t v = 0; v < nodes; ++v) {
      Node node;
      node.pool = whole ? 0 : below(2);
      node.e = Time(static_cast<std::int64_t>(below(node.pool == 0 ? 5 : 2)) * grid);
      node.s = node.vol = node.e.count();
      dag.nodes.push_back(node);
      pieces.push_back({1, 1});
      for (std::size_t w = 0; w < v; ++w) {
        if (below(2) == 0) dag.edges.push_back({w, v});
      }
    }
    s.system.dags.push_back(std::move(dag));
  }
  return s;
}

/// Two or three GEL processors, two or three DAGs of up to four nodes of some length that are wholly on them, with points of less than
/// three periods: chains that are left are what others wait for.
inline RandomPathSystem chains_alone(std::uint64_t seed) {
  using namespace analysis::path;
  std::mt19937_64 random(seed);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  RandomPathSystem s;
  auto& pool = s.system.pools.emplace_back();
  pool.order = Order::gel;
  pool.capacity = static_cast<std::uint32_t>(2 + below(2));
  s.pools.push_back({SimulatedOrder::gel, pool.capacity, 1});
  const std::size_t dags = 2 + below(2);
  for (std::size_t d = 0; d < dags; ++d) {
    Dag dag;
    dag.name = "d" + std::to_string(d);
    dag.T = Time(static_cast<std::int64_t>(3 + below(7)) * grid);
    dag.Y = Time(static_cast<std::int64_t>(below(10)) * grid);
    auto& pieces = s.pieces.emplace_back();
    const std::size_t nodes = 1 + below(4);
    for (std::size_t v = 0; v < nodes; ++v) {
      Node node;
      node.e = Time(static_cast<std::int64_t>(1 + below(4)) * grid);
      node.s = node.vol = node.e.count();
      dag.nodes.push_back(node);
      pieces.push_back({1, 1});
      for (std::size_t w = 0; w < v; ++w) {
        if (below(2) == 0) dag.edges.push_back({w, v});
      }
    }
    s.system.dags.push_back(std::move(dag));
  }
  return s;
}

/// Whether `runs` simulations break the mutant; none where it says what the theorem says, or nothing bounds the system. Law 1 on the way.
inline std::optional<bool> catches(const RandomPathSystem& s, std::uint64_t seed, CarriedMutant mutant, int runs) {
  using namespace analysis::path;
  Limits limits;
  limits.periods = 20;
  if (!node_bounds(s.system, Refinement::T10g, limits)) return std::nullopt;
  std::int64_t limit = 0;
  for (const auto& dag : s.system.dags) limit = std::max(limit, 20 * dag.T.count());
  const auto F = CarriedOracle(s.system).nodes(limit);
  const auto broken = CarriedOracle(s.system, mutant).nodes(limit);
  if (!F || !broken || *F == *broken) return std::nullopt;
  RandomPaths random(seed);
  bool caught = false;
  for (int run = 0; run < runs; ++run) {
    const auto latest = random.run(s);
    for (std::size_t k = 0; k < latest.size(); ++k) {
      for (std::size_t v = 0; v < latest[k].size(); ++v) {
        REQUIRE(latest[k][v] <= (*F)[k][v]);
        caught = caught || latest[k][v] > (*broken)[k][v];
      }
    }
  }
  return caught;
}

/// Law 1 against `runs` simulations, law 2, derivations, and the oracle and its mutants where they are asked for, for one system.
inline void check_carried_laws(std::uint64_t seed, int runs, bool by_the_letter, CarriedCounts& counts) {
  using namespace analysis::path;
  CAPTURE(seed);
  RandomPaths random(seed);
  const RandomPathSystem s = near_full_load(seed);
  Limits limits;
  limits.periods = 20;
  const auto bounds = node_bounds(s.system, Refinement::T10g, limits);
  const auto plain = node_bounds(s.system, Refinement::T10v, limits);
  const auto late = node_bounds(s.system, Refinement::T10j, limits);
  if (plain || late) REQUIRE(bounds);
  if (!bounds) return;
  ++counts.bounded;
  counts.only += plain || late ? 0 : 1;

  const Derivations derivations(s.system, *bounds);
  for (std::size_t k = 0; k < bounds->F.size(); ++k) {
    for (std::size_t v = 0; v < bounds->F[k].size(); ++v) {
      if (plain) CHECK(bounds->F[k][v] <= plain->F[k][v]);
      if (bounds->support[k][v] != Support::carried) continue;
      ++counts.carried;
      const auto derivation = derivations.of(k, v);
      check_inequality(derivation, bounds->F[k][v]);
      for (const Waiting& wait : std::get<CountedSum>(derivation.detail).waits) {
        if (!wait.backlog) continue;
        counts.told_busy += wait.backlog->busy > Time::zero() ? 1 : 0;
        CHECK((wait.backlog->busy > Time::zero()) == (wait.backlog->worked_off > analysis::FineTime::zero()));
        analysis::FineTime left = wait.backlog->carry - wait.backlog->after - wait.backlog->worked_off;
        for (const Backlog::Part& part : wait.backlog->parts) left = left + part.left + part.released;
        const auto last = analysis::fine_ceil(wait.last_pieces, Wide{s.system.pools[wait.pool].capacity} * s.system.pools[wait.pool].unit);
        CHECK(analysis::ceil_to_time(left) + Time(1) >= analysis::ceil_to_time(wait.length + last));
        CHECK(analysis::ceil_to_time(left) <= analysis::ceil_to_time(wait.length + last) + Time(1));
      }
    }
  }

  std::array<std::optional<CarriedOracle::Ends>, carried_mutants> broken;
  if (by_the_letter) {
    std::int64_t limit = 0;
    for (const auto& dag : s.system.dags) limit = std::max(limit, 20 * dag.T.count());
    for (std::size_t i = 0; i < carried_mutants; ++i) broken[i] = CarriedOracle(s.system, static_cast<CarriedMutant>(i)).nodes(limit);
    counts.by_letter += broken.front() ? 1 : 0;
    const auto& in_fractions = broken[static_cast<std::size_t>(CarriedMutant::in_fractions)];
    if (in_fractions) REQUIRE(broken.front());
    bool less = broken.front() && !in_fractions;
    for (std::size_t k = 0; in_fractions && k < in_fractions->size(); ++k) {
      for (std::size_t v = 0; v < (*in_fractions)[k].size(); ++v) {
        CHECK((*broken.front())[k][v] <= (*in_fractions)[k][v]);
        less = less || (*broken.front())[k][v] < (*in_fractions)[k][v];
      }
    }
    counts.by_busy += less ? 1 : 0;
    // The product takes the least of more theorems.
    for (std::size_t k = 0; broken.front() && k < bounds->F.size(); ++k) {
      for (std::size_t v = 0; v < bounds->F[k].size(); ++v) CHECK(bounds->F[k][v].count() <= (*broken.front())[k][v]);
    }
  }

  bool reached = false;
  std::array<bool, carried_mutants> caught{};
  for (int run = 0; run < runs; ++run) {
    const auto latest = random.run(s);
    for (std::size_t k = 0; k < latest.size(); ++k) {
      for (std::size_t v = 0; v < latest[k].size(); ++v) {
        REQUIRE(latest[k][v] <= bounds->F[k][v].count());
        reached = reached || (latest[k][v] > 0 && latest[k][v] == bounds->F[k][v].count());
        for (std::size_t i = 0; i < caught.size(); ++i) caught[i] = caught[i] || (broken[i] && latest[k][v] > (*broken[i])[k][v]);
      }
    }
  }
  counts.reached += reached ? 1 : 0;
  for (std::size_t i = 0; i < caught.size(); ++i) counts.caught[i] += caught[i] ? 1 : 0;
}

}  // namespace rta::test
