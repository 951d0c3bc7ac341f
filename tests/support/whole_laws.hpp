// The laws of T10d and T12d over random systems, for the tests of every day and the long ones.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "rta/analysis/path/derivations.hpp"
#include "rta/analysis/path/path.hpp"
#include "support/inequality_laws.hpp"
#include "support/late_releases.hpp"
#include "support/whole_oracle.hpp"

namespace rta::test {

struct WholeCounts {
  int bounded = 0;
  int only = 0;                             // systems that nothing else bounds
  int whole = 0;                            // nodes by T10d
  int exact = 0;                            // of these, as the oracle says; the others' paths were joined
  int reached = 0;                          // systems in which some node ends exactly at its bound
  std::array<int, whole_mutants> caught{};  // systems in which the simulation breaks a mutant
  int takes_first = 0;                      // systems in which servers that take their next node first break a bound by T10d
};

/// T12d is stated for systems that wait for no node which is less urgent.
inline bool has_whole_dags(const analysis::path::System& system) {
  const bool blocks = std::ranges::any_of(system.pools, [](const auto& pool) { return analysis::path::is_non_preemptive(pool.order); });
  return !blocks || !analysis::path::has_release_jitter(system);
}

/// Pools of processors, on which something is preempted or waits in a FIFO, without points per node: what the oracle knows.
inline bool is_for_whole_oracle(const analysis::path::System& system) {
  using analysis::path::Order;
  if (!has_whole_dags(system)) return false;
  const bool processors = std::ranges::all_of(system.pools, [](const analysis::path::Pool& pool) {
    return pool.unit_weights && (pool.order == Order::fifo || pool.order == Order::gel || pool.order == Order::fixed ||
                                 pool.order == Order::fixed_non_preemptive || pool.order == Order::gel_non_preemptive);
  });
  return processors && std::ranges::all_of(system.dags, [](const auto& dag) {
           return std::ranges::all_of(dag.nodes, [](const auto& node) { return node.vol == node.s; });
         });
}

inline WholeOracle::Ends lowered(const WholeOracle& oracle, WholeOracle::Ends F) {
  for (int round = 0; round < 3; ++round) {
    for (std::size_t k = 0; k < F.size(); ++k) {
      for (std::size_t v = 0; v < F[k].size(); ++v) F[k][v] = std::min(F[k][v], oracle.right_hand_side(k, v, F));
    }
  }
  return F;
}

/// The least solution; nothing where it is not found soon.
inline std::optional<WholeOracle::Ends> from_below(const analysis::path::System& system, const WholeOracle& oracle,
                                                   const WholeOracle::Ends& F) {
  WholeOracle::Ends ends = F;
  for (std::size_t k = 0; k < F.size(); ++k) {
    for (std::size_t v = 0; v < F[k].size(); ++v) ends[k][v] = system.dags[k].nodes[v].e.count();
  }
  for (int round = 0; round < 30; ++round) {
    bool changed = false;
    for (std::size_t k = 0; k < F.size(); ++k) {
      for (std::size_t v = 0; v < F[k].size(); ++v) {
        const std::int64_t next = std::min(F[k][v], oracle.right_hand_side(k, v, ends));
        changed = changed || next > ends[k][v];
        ends[k][v] = std::max(ends[k][v], next);
      }
    }
    if (!changed) return ends;
  }
  return std::nullopt;
}

/// Law 1 against `runs` simulations, law 2, derivations, and where it knows the system the oracle and its mutants.
inline void check_whole_laws(std::uint64_t seed, int runs, WholeCounts& counts, RandomPathOptions options = {}, bool late = false) {
  using namespace analysis::path;
  CAPTURE(seed);
  options.non_preemptive = seed % 8 == 0;
  options.by_node = seed % 8 == 1;
  options.fixed = seed % 3 != 0;
  options.most_dags = options.started_beside ? 2 : options.started ? 3 : 4;
  RandomPathSystem s = RandomPaths(seed).system(options);
  if (late) release_late(s.system, seed);
  if (has_release_jitter(s.system) != late) return;
  Limits limits;
  limits.periods = 20;
  const auto bounds = node_bounds(s.system, Refinement::T10d, limits);
  const auto plain = node_bounds(s.system, Refinement::T10g, limits);
  if (plain) REQUIRE(bounds);
  if (!bounds) return;
  ++counts.bounded;
  counts.only += plain ? 0 : 1;
  const bool plain_on_visits =
      plain && std::ranges::any_of(plain->support, [](const auto& of) { return std::ranges::find(of, Support::visit) != of.end(); });
  WholeOracle::Ends F;
  for (const auto& row : bounds->F) {
    auto& ends = F.emplace_back();
    for (const Time f : row) ends.push_back(f.count());
  }
  const bool by_the_letter = is_for_whole_oracle(s.system);
  const WholeOracle exact(s.system, WholeMutant::none);
  const Derivations derivations(s.system, *bounds);
  for (std::size_t k = 0; k < F.size(); ++k) {
    for (std::size_t v = 0; v < F[k].size(); ++v) {
      // T10g's and T10c's terms are rounded one by one; T23 and T24 may say more where other ends are earlier.
      if (plain && !plain_on_visits) CHECK(bounds->F[k][v] <= plain->F[k][v] + Time(2));
      if (bounds->support[k][v] != Support::whole) continue;
      REQUIRE(has_whole_dags(s.system));
      ++counts.whole;
      const auto derivation = derivations.of(k, v);
      const std::int64_t total = analysis::ceil_to_time(derivation.total).count();
      check_inequality(derivation, bounds->F[k][v]);
      if (!by_the_letter) continue;
      const std::int64_t letter = exact.right_hand_side(k, v, F);
      REQUIRE(total >= letter);
      counts.exact += total == letter ? 1 : 0;
    }
  }

  // The mutant's ends below F: every iterate is above its least solution. That of a window that may be empty is found from below.
  std::array<std::optional<WholeOracle::Ends>, whole_mutants> broken;
  constexpr auto first_late = static_cast<std::size_t>(WholeMutant::on_time);
  for (std::size_t i = 0; by_the_letter && i < whole_mutants; ++i) {
    if (i > 0 && (i >= first_late) != late) continue;
    const WholeOracle oracle(s.system, static_cast<WholeMutant>(i));
    const auto mutant = static_cast<WholeMutant>(i);
    broken[i] = mutant == WholeMutant::short_window ? from_below(s.system, oracle, F) : lowered(oracle, F);
  }
  RandomPaths random(seed);
  bool reached = false;
  std::array<bool, whole_mutants> caught{};
  for (int run = 0; run < runs; ++run) {
    const auto latest = random.run(s);
    for (std::size_t k = 0; k < latest.size(); ++k) {
      for (std::size_t v = 0; v < latest[k].size(); ++v) {
        REQUIRE(latest[k][v] <= F[k][v]);
        reached = reached || (latest.size() > 1 && latest[k][v] > 0 && latest[k][v] == F[k][v]);
        for (std::size_t i = 0; i < caught.size(); ++i) caught[i] = caught[i] || (broken[i] && latest[k][v] > (*broken[i])[k][v]);
      }
    }
  }
  RandomPaths other(seed);
  bool exceeded = false;
  for (int run = 0; options.started && run < runs; ++run) {
    const auto latest = other.run(s, Between::takes_first);
    for (std::size_t k = 0; k < latest.size(); ++k) {
      for (std::size_t v = 0; v < latest[k].size(); ++v)
        exceeded = exceeded || (bounds->support[k][v] == Support::whole && latest[k][v] > F[k][v]);
    }
  }
  counts.takes_first += exceeded ? 1 : 0;
  counts.reached += reached ? 1 : 0;
  for (std::size_t i = 0; i < caught.size(); ++i) counts.caught[i] += caught[i] ? 1 : 0;
}

}  // namespace rta::test
