// T35 on tiny periodic systems against all of their schedules.
#pragma once

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <string>

#include "support/periodic_oracle.hpp"
#include "support/windows_oracle.hpp"

namespace rta::test {

/// One to three DAGs of one to three nodes on one or two pools.
class TinyPeriodic {
 public:
  explicit TinyPeriodic(std::uint64_t seed) : random_(seed) {}

  analysis::periodic::System next() {
    namespace periodic = analysis::periodic;
    using periodic::Order;
    constexpr std::array orders{Order::ready, Order::points, Order::fixed};
    periodic::System system;
    const std::size_t pools = 1 + below(2);
    for (std::size_t p = 0; p < pools; ++p) {
      periodic::Pool pool{orders.at(below(3)), static_cast<std::uint32_t>(1 + below(2))};
      pool.preemptive = pool.order != Order::ready && below(3) == 0;
      pool.equals_by_ready = pool.order == Order::fixed && below(2) == 0;
      system.pools.push_back(pool);
    }
    constexpr std::array<std::int64_t, 4> periods{4, 6, 8, 12};
    const std::int64_t base = below(2) == 0 ? 8 : 12;
    const std::size_t dags = 1 + below(3);
    for (std::size_t d = 0; d < dags; ++d) {
      periodic::Dag& dag = system.dags.emplace_back();
      std::int64_t T = periods.at(below(4));
      while (base % T != 0) T = periods.at(below(4));
      dag.T = Time(T);
      dag.phase = Time(between(0, below(4) == 0 ? 2 * T : T - 1));
      dag.J = Time(below(2) == 0 ? between(0, 2) : 0);
      const std::size_t nodes = 1 + below(3);
      for (std::size_t v = 0; v < nodes; ++v) {
        periodic::Node& node = dag.nodes.emplace_back();
        node.pool = below(pools);
        node.C = Time(below(8) == 0 ? 0 : between(1, 3));
        node.least = Time(std::max<std::int64_t>(0, node.C.count() - between(0, 2)));
        node.key = between(0, system.pools[node.pool].order == Order::points ? 8 : 2);
        node.sequential = below(6) == 0;
        for (std::size_t u = 0; u < v; ++u) {
          if (below(2) == 0) node.before.push_back(u);
        }
        dag.order.push_back(v);
      }
    }
    return system;
  }

  /// The same without preemption; most pools by priority see first.
  analysis::periodic::System next_seen() {
    namespace periodic = analysis::periodic;
    periodic::System system = next_in_rows();
    for (periodic::Pool& pool : system.pools) {
      pool.preemptive = false;
      pool.sees_first = pool.order != periodic::Order::ready && below(6) != 0;
    }
    return system;
  }

  /// Whole instants of it are halves of those before.
  static analysis::periodic::System in_halves(analysis::periodic::System system) {
    for (auto& dag : system.dags) {
      for (Time* time : {&dag.T, &dag.phase, &dag.J}) *time = *time * 2;
      for (auto& node : dag.nodes) {
        for (Time* time : {&node.C, &node.least}) *time = *time * 2;
        if (system.pools[node.pool].order == analysis::periodic::Order::points) node.key *= 2;
      }
    }
    return system;
  }

  /// The same, some FIFOs with kernels in turn or jobs of several items, where nothing is preempted.
  analysis::periodic::System next_in_rows() {
    namespace periodic = analysis::periodic;
    periodic::System system = next();
    if (std::any_of(system.pools.begin(), system.pools.end(), [](const periodic::Pool& pool) { return pool.preemptive; })) return system;
    for (periodic::Pool& pool : system.pools) pool.in_turn = pool.order == periodic::Order::ready && pool.servers == 1 && below(2) == 0;
    for (periodic::Dag& dag : system.dags) {
      for (periodic::Node& node : dag.nodes) {
        const periodic::Pool& pool = system.pools[node.pool];
        if (pool.order == periodic::Order::ready && !pool.in_turn && below(3) == 0) node.pieces = 2 + below(2);
      }
    }
    return system;
  }

 private:
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(high - low + 1));
  }

  std::mt19937_64 random_;
};

inline std::string in_words(const analysis::periodic::System& system) {
  std::string text;
  for (const auto& pool : system.pools) {
    text += fmt::format("pool: order {}, {} servers{}{}{}{}\n", static_cast<int>(pool.order), pool.servers,
                        pool.preemptive ? ", preemptive" : "", pool.equals_by_ready ? ", equals by ready time" : "",
                        pool.sees_first ? ", sees first" : "", pool.in_turn ? ", kernels in turn" : "");
  }
  for (const auto& dag : system.dags) {
    text += fmt::format("DAG: T {}, phase {}, J {}\n", dag.T.count(), dag.phase.count(), dag.J.count());
    for (const auto& node : dag.nodes) {
      text += fmt::format("  on {}, {} of C {} to {}, key {}{}, after", node.pool, node.pieces, node.least.count(), node.C.count(),
                          node.key, node.sequential ? ", sequential" : "");
      for (const std::size_t u : node.before) text += fmt::format(" {}", u);
      text += '\n';
    }
  }
  return text;
}

struct PeriodicLaws {
  std::size_t systems = 0, without = 0, left_out = 0;
  std::size_t nodes = 0, attained = 0;
  std::array<std::size_t, static_cast<std::size_t>(WindowMutant::count)> caught{};

  void check(const analysis::periodic::System& system, std::size_t states) {
    const auto windows = analysis::periodic::job_windows(system);
    if (!windows) {
      ++without;
      return;
    }
    INFO(in_words(system));
    WindowsOracle letter(system);
    letter.set_ends(*windows);
    std::int64_t last = 0;
    for (std::size_t d = 0; d < system.dags.size(); ++d) {
      last = std::max(last, system.dags[d].phase.count());
      for (std::size_t v = 0; v < system.dags[d].nodes.size(); ++v) {
        for (std::size_t n = 0; n < windows->ends[d][v].size(); ++n) CHECK(letter.end_of(d, v, n) <= windows->ends[d][v][n].count());
      }
    }
    const auto seen = PeriodicRuns(system, last + 2 * letter.hyperperiod()).latest(states);
    if (!seen) {
      ++left_out;
      return;
    }
    ++systems;
    for (std::size_t d = 0; d < system.dags.size(); ++d) {
      for (std::size_t v = 0; v < system.dags[d].nodes.size(); ++v) {
        const auto& ends = windows->ends[d][v];
        bool reached = false;
        for (std::size_t n = 0; n < (*seen)[d][v].size(); ++n) {
          CAPTURE(d);
          CAPTURE(v);
          CAPTURE(n);
          CHECK((*seen)[d][v][n] <= ends[n % ends.size()].count());
          reached = reached || (*seen)[d][v][n] == ends[windows->latest(d, v)].count();
        }
        ++nodes;
        attained += reached ? 1 : 0;
      }
    }
    for (std::size_t i = 1; i < caught.size(); ++i) caught.at(i) += is_broken(system, static_cast<WindowMutant>(i), *seen) ? 1 : 0;
  }

 private:
  static bool is_broken(const analysis::periodic::System& system, WindowMutant mutant, const PeriodicRuns::Ends& seen) {
    WindowsOracle oracle(system, mutant);
    if (!oracle.grow(200)) return false;
    for (std::size_t d = 0; d < seen.size(); ++d) {
      for (std::size_t v = 0; v < seen[d].size(); ++v) {
        const auto& ends = oracle.ends()[d][v];
        for (std::size_t n = 0; n < seen[d][v].size(); ++n) {
          if (seen[d][v][n] > ends[n % ends.size()]) return true;
        }
      }
    }
    return false;
  }
};

}  // namespace rta::test
