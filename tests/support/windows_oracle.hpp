// T35 by the letter: every job of every hyperperiod that may matter, for each instant anew. Slow; an oracle for the product's sums, and the
// place to break the formula.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include "rta/analysis/periodic/job_windows.hpp"

namespace rta::test {

enum class WindowMutant : std::uint8_t {
  none,
  starts_before_x,    // what may start at x is left out
  one_hyperperiod,    // jobs of other hyperperiods are
  started_elsewhere,  // what has started before is taken from one server less
  ready_before,       // by ready time: what may be ready at rho is left out
  prompt,             // the release is taken to be nominal
  equals_wait,        // equals in any order are taken for less urgent
  late_starts,        // the earliest starts are those of the worst case
  all_there,          // under preemption what comes after rho is left out
  exact_points,       // a point is compared without the job's own lateness
  one_more_aside,     // the longest m have a server each, and the rest keeps one busy
  count
};

class WindowsOracle {
 public:
  using Ends = std::vector<std::vector<std::vector<std::int64_t>>>;

  explicit WindowsOracle(const analysis::periodic::System& system, WindowMutant mutant = WindowMutant::none)
      : system_(system), mutant_(mutant) {
    for (const auto& dag : system.dags) H_ = std::lcm(H_, dag.T.count());
    for (const auto& dag : system.dags) {
      auto& from = from_.emplace_back(dag.nodes.size());
      auto& ends = ends_.emplace_back(dag.nodes.size());
      for (const std::size_t v : dag.order) {
        for (const std::size_t u : dag.nodes[v].before) {
          const auto& before = dag.nodes[u];
          from[v] = std::max(from[v], from[u] + (mutant == WindowMutant::late_starts ? before.C : before.least).count());
        }
        ends[v].assign(static_cast<std::size_t>(H_ / dag.T.count()), from[v]);
      }
    }
  }

  [[nodiscard]] std::int64_t hyperperiod() const { return H_; }
  [[nodiscard]] const Ends& ends() const { return ends_; }
  void set_ends(const analysis::periodic::Windows& windows) {
    for_all([&](std::size_t d, std::size_t v, std::size_t n) { ends_[d][v][n] = windows.ends[d][v][n].count(); });
  }

  /// From below. False: an end passes so many ns.
  bool grow(std::int64_t most) {
    for (bool changed = true; changed;) {
      changed = false;
      bool too_late = false;
      for_all([&](std::size_t d, std::size_t v, std::size_t n) {
        const std::int64_t end = end_of(d, v, n);
        if (end > ends_[d][v][n]) changed = true;
        ends_[d][v][n] = std::max(ends_[d][v][n], end);
        too_late = too_late || ends_[d][v][n] > most;
      });
      if (too_late) return false;
    }
    return true;
  }

  /// x + C, after the nominal release.
  [[nodiscard]] std::int64_t end_of(std::size_t d, std::size_t v, std::size_t n) const {
    const auto& dag = system_.dags[d];
    const auto& node = dag.nodes[v];
    const auto& pool = system_.pools[node.pool];
    const auto i = static_cast<std::int64_t>(n);
    const std::int64_t nominal = dag.phase.count() + i * dag.T.count();
    std::int64_t rho = nominal + (mutant_ == WindowMutant::prompt ? 0 : dag.J.count());
    if (!node.before.empty()) rho = l(d, node.before.front(), i);
    for (const std::size_t u : node.before) rho = std::max(rho, l(d, u, i));
    if (node.sequential) rho = std::max(rho, l(d, v, i - 1));
    const std::int64_t m = pool.servers;
    const std::int64_t C = pool.preemptive ? std::max<std::int64_t>(1, node.C.count()) : node.C.count();
    for (std::int64_t x = rho;; ++x) {
      if (x - nominal > 100 * H_) return x - nominal;
      const std::int64_t w = waiting(work(d, v, i, rho, x), m, pool.preemptive);
      if (x >= rho + w + (pool.preemptive ? C : 0)) return x - nominal + (pool.preemptive ? 0 : C);
    }
  }

 private:
  template <class Use>
  void for_all(const Use& use) const {
    for (std::size_t d = 0; d < ends_.size(); ++d) {
      for (std::size_t v = 0; v < ends_[d].size(); ++v) {
        for (std::size_t n = 0; n < ends_[d][v].size(); ++n) use(d, v, n);
      }
    }
  }
  [[nodiscard]] std::int64_t l(std::size_t d, std::size_t v, std::int64_t i) const {
    const auto jobs = static_cast<std::int64_t>(ends_[d][v].size());
    return system_.dags[d].phase.count() + i * system_.dags[d].T.count() + ends_[d][v][static_cast<std::size_t>((i % jobs + jobs) % jobs)];
  }
  [[nodiscard]] bool before(std::size_t d, std::size_t u, std::size_t v) const {
    const auto& direct = system_.dags[d].nodes[v].before;
    return std::any_of(direct.begin(), direct.end(), [&](std::size_t w) { return w == u || before(d, u, w); });
  }

  /// The i longest have a server each.
  [[nodiscard]] std::int64_t waiting(std::vector<std::int64_t> lengths, std::int64_t m, bool up) const {
    std::sort(lengths.begin(), lengths.end(), std::greater<>());
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (std::int64_t i = 0; i < m + (mutant_ == WindowMutant::one_more_aside && m > 1 ? 1 : 0); ++i) {
      std::int64_t rest = 0;
      for (auto k = static_cast<std::size_t>(i); k < lengths.size(); ++k) rest += lengths[k];
      const std::int64_t servers = std::max<std::int64_t>(1, m - i);
      least = std::min(least, up ? (rest + servers - 1) / servers : rest / servers);
    }
    return least;
  }

  [[nodiscard]] std::vector<std::int64_t> work(std::size_t d, std::size_t v, std::int64_t n, std::int64_t rho, std::int64_t x) const {
    using analysis::periodic::Order;
    const auto& own = system_.dags[d].nodes[v];
    const auto& pool = system_.pools[own.pool];
    std::vector<std::int64_t> lengths(own.pieces - 1, own.C.count());
    std::vector<std::int64_t> started;
    for (std::size_t e = 0; e < system_.dags.size(); ++e) {
      const auto& dag = system_.dags[e];
      const auto jobs = H_ / dag.T.count();
      for (std::size_t u = 0; u < dag.nodes.size(); ++u) {
        const auto& other = dag.nodes[u];
        if (other.pool != own.pool) continue;
        const bool one = mutant_ == WindowMutant::one_hyperperiod;
        for (std::int64_t i = one ? 0 : -120 * jobs; i < (one ? jobs : 121 * jobs); ++i) {
          const std::int64_t nominal = dag.phase.count() + i * dag.T.count();
          const std::int64_t a = nominal + from_[e][u];
          if (a > x) break;
          if (l(e, u, i) <= rho) continue;
          if (e == d && u == v && (i == n || own.sequential)) continue;
          if (e == d && i == n && (before(d, u, v) || before(d, v, u))) continue;
          if (mutant_ == WindowMutant::starts_before_x && !pool.preemptive && a == x && x > rho) continue;
          if (pool.preemptive && a == x) continue;
          if (mutant_ == WindowMutant::all_there && pool.preemptive && a > rho) continue;
          const std::int64_t counted = std::min(other.C.count(), l(e, u, i) - rho);
          bool later = false, by_ready = pool.order == Order::ready;
          if (pool.order == Order::fixed) {
            later = other.key < own.key || (mutant_ == WindowMutant::equals_wait && other.key == own.key);
            by_ready = other.key == own.key && pool.equals_by_ready;
          } else if (pool.order == Order::points) {
            const std::int64_t J = mutant_ == WindowMutant::exact_points ? 0 : system_.dags[d].J.count();
            later = nominal + other.key > system_.dags[d].phase.count() + n * system_.dags[d].T.count() + J + own.key;
          }
          if (by_ready && (mutant_ == WindowMutant::ready_before ? a >= rho : a > rho)) continue;
          if (!later) {
            lengths.insert(lengths.end(), other.pieces, counted);
          } else if (!pool.preemptive && a <= rho) {
            started.push_back(counted);
          }
        }
      }
    }
    std::sort(started.begin(), started.end(), std::greater<>());
    const std::size_t servers = pool.servers - (mutant_ == WindowMutant::started_elsewhere ? 1 : 0);
    for (std::size_t i = 0; i < std::min(servers, started.size()); ++i) lengths.push_back(started[i]);
    return lengths;
  }

  const analysis::periodic::System& system_;
  WindowMutant mutant_;
  std::int64_t H_ = 1;
  std::vector<std::vector<std::int64_t>> from_;
  Ends ends_;
};

}  // namespace rta::test
