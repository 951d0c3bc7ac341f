// T36 on tiny periodic systems against all of their schedules.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

#include "analysis/periodic/exploration.hpp"
#include "analysis/periodic/job_table.hpp"
#include "support/instant_oracle.hpp"
#include "support/periodic_laws.hpp"

namespace rta::test {

/// Rules of which one is broken.
namespace broken {
using analysis::periodic::Rules;
struct NoWaiting : Rules {
  static constexpr bool wait_for_ready = false;
};
struct OneHyperperiod : Rules {
  static constexpr bool later_hyperperiods = false;
};
struct NoRepetition : Rules {
  static constexpr bool until_repetition = false;
};
struct Unknown : Rules {
  static constexpr bool known_urgent_alone = false;
};
struct EndsBeforeDispatches : Rules {
  static constexpr bool ties_either_way = false;
};
struct PromptPoints : Rules {
  static constexpr bool late_points = false;
};
struct NoTies : Rules {
  static constexpr bool fifo_ties = false;
};
struct OnePool : Rules {
  static constexpr bool all_pools_asked = false;
};
struct KernelsInRow : Rules {
  static constexpr bool kernels_overlap = false;
};
struct OneItem : Rules {
  static constexpr bool items_in_rows = false;
};
struct OneServerEach : Rules {
  static constexpr bool items_counted = false;
};
struct ZeroSeen : Rules {
  static constexpr bool zero_unseen = false;
};
struct WholeInstants : Rules {
  static constexpr bool between_instants = false;
};
}  // namespace broken

struct ReachLaws {
  std::size_t systems = 0, without = 0, left_out = 0, by_windows = 0;
  std::size_t jobs = 0, attained = 0;
  std::array<std::size_t, 13> caught{};

  /// All schedules at whole instants, or at halves of them.
  void check(const analysis::periodic::System& system, std::size_t states, bool in_halves = false) {
    namespace periodic = analysis::periodic;
    if (is_loaded(system)) return;
    bool alone = false;  // some node is bounded by T35 alone
    for (const auto& dag : system.dags) {
      for (const auto& node : dag.nodes) alone = alone || !periodic::is_followed(system, node.pool);
    }
    const auto windows = periodic::job_windows(system);
    periodic::ReachLimits limits;
    limits.states = 5'000;
    const bool with_windows = windows && (alone || systems % 2 == 0);
    const auto reached = alone && !windows ? std::nullopt : periodic::reachable_ends(system, with_windows ? &*windows : nullptr, limits);
    if (!reached) {
      ++without;
      return;
    }
    INFO(in_words(system));
    std::int64_t last = 0, H = 1;
    const auto played = in_halves ? TinyPeriodic::in_halves(system) : system;
    unit_ = in_halves ? 2 : 1;
    for (const auto& dag : played.dags) {
      last = std::max(last, dag.phase.count());
      H = std::lcm(H, dag.T.count());
    }
    const bool preemptive = std::any_of(system.pools.begin(), system.pools.end(), [](const auto& pool) { return pool.preemptive; });
    const std::int64_t horizon = last + 2 * H;
    const auto seen = preemptive ? PeriodicRuns(played, horizon, horizon - 1).latest(states) : InstantRuns(played, horizon).latest(states);
    if (!seen) {
      ++left_out;
      return;
    }
    ++systems;
    by_windows += with_windows ? 1 : 0;
    for (std::size_t d = 0; d < system.dags.size(); ++d) {
      for (std::size_t v = 0; v < system.dags[d].nodes.size(); ++v) {
        const auto& ends = reached->windows.ends[d][v];
        std::vector<std::int64_t> most(ends.size(), -1);
        for (std::size_t n = 0; n < (*seen)[d][v].size(); ++n) most[n % most.size()] = std::max(most[n % most.size()], (*seen)[d][v][n]);
        for (std::size_t n = 0; n < ends.size(); ++n) {
          CAPTURE(d);
          CAPTURE(v);
          CAPTURE(n);
          CHECK(most[n] <= unit_ * ends[n].count());
          if (windows) CHECK(most[n] <= unit_ * windows->ends[d][v][n].count());
          if (with_windows) CHECK(ends[n] <= windows->ends[d][v][n]);
          if (in_halves) continue;
          ++jobs;
          attained += most[n] == ends[n].count() ? 1 : 0;
        }
      }
    }
    if (alone) return;
    caught[0] += is_broken<broken::NoWaiting>(system, *seen) ? 1 : 0;
    caught[1] += is_broken<broken::OneHyperperiod>(system, *seen) ? 1 : 0;
    caught[2] += is_broken<broken::NoRepetition>(system, *seen) ? 1 : 0;
    caught[3] += is_broken<broken::Unknown>(system, *seen) ? 1 : 0;
    caught[4] += is_broken<broken::EndsBeforeDispatches>(system, *seen) ? 1 : 0;
    caught[5] += is_broken<broken::PromptPoints>(system, *seen) ? 1 : 0;
    caught[6] += is_broken<broken::NoTies>(system, *seen) ? 1 : 0;
    caught[7] += is_broken<broken::OnePool>(system, *seen) ? 1 : 0;
    caught[8] += is_broken<broken::KernelsInRow>(system, *seen) ? 1 : 0;
    caught[9] += is_broken<broken::OneItem>(system, *seen) ? 1 : 0;
    caught[10] += is_broken<broken::OneServerEach>(system, *seen) ? 1 : 0;
    caught[11] += is_broken<broken::ZeroSeen>(system, *seen) ? 1 : 0;
    caught[12] += is_broken<broken::WholeInstants>(system, *seen) ? 1 : 0;
  }

 private:
  /// States of such systems seldom come again.
  static bool is_loaded(const analysis::periodic::System& system) {
    constexpr std::int64_t most = 95;  // percent
    for (std::size_t p = 0; p < system.pools.size(); ++p) {
      std::int64_t work = 0, H = 1;
      for (const auto& dag : system.dags) H = std::lcm(H, dag.T.count());
      for (const auto& dag : system.dags) {
        for (const auto& node : dag.nodes)
          work += node.pool == p ? node.C.count() * static_cast<std::int64_t>(node.pieces) * (H / dag.T.count()) : 0;
      }
      if (100 * work > most * H * system.pools[p].servers) return true;
    }
    return false;
  }

  template <class Broken>
  [[nodiscard]] bool is_broken(const analysis::periodic::System& system, const InstantRuns::Ends& seen) const {
    namespace periodic = analysis::periodic;
    const periodic::JobSequence sequence(system, periodic::size_of(system)->hyperperiod, nullptr);
    periodic::ReachLimits limits;
    limits.states = 2'000;
    limits.steps = 200'000;
    periodic::Exploration<Broken> exploration(sequence, limits);
    try {
      if (exploration.run() != periodic::Exploration<Broken>::Outcome::repeated) return false;
    } catch (const Defect&) {  // wrong rules may leave no schedule
      return false;
    }
    for (std::int64_t x = 0; x < sequence.size(); ++x) {
      const auto& job = sequence.at(x);
      const auto& ends = seen[job.dag][job.node];
      for (std::size_t n = 0; n < ends.size(); ++n) {
        if ((static_cast<std::int64_t>(n) - job.number) % job.numbers != 0) continue;
        if (Time(ends[n]) > periodic::supremum(exploration.latest()[static_cast<std::size_t>(x)] - job.nominal) * unit_) return true;
      }
    }
    return false;
  }

  std::int64_t unit_ = 1;
};

}  // namespace rta::test
