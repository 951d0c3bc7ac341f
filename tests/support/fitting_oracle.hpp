// T10w and T12w by the letter: every path on its own, every phase on a fine grid, the waiting on a pool sought from below. Slow; an oracle
// for the product's sums, and the place to break the theorems on purpose.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "rta/analysis/path/path.hpp"

namespace rta::test {

enum class FittingMutant : std::uint8_t {
  none,
  one_chain,       // all nodes of a DAG on a pool run one at a time
  one_processor,   // a DAG runs on one processor
  shorter_window,  // a node runs in the last of its time alone: F_u less the least F
  no_own,          // nodes of the job in question that are parallel to the path are forgotten
  no_own_jobs,     // its DAG's other jobs are forgotten
  on_time,         // T12w: releases of other DAGs are nominal ones: f(x) in place of the best on [x, x + J]
  ends_alone,      // the better of f(x) and f(x + J) in place of that
  own_on_time,     // its DAG's other jobs are T or more from the job in question
  own_at_nominal,  // the job in question itself is never late
};
inline constexpr std::size_t fitting_mutants = 10;

/// On pools of processors that are not non-preemptive. Times are in halves of a ns inside.
class FittingOracle {
 public:
  using Ends = std::vector<std::vector<std::int64_t>>;                // DAG, node: ns
  using Chains = std::vector<std::vector<std::vector<std::size_t>>>;  // DAG -> chains of nodes, each on one pool

  /// `step`: of phases.
  FittingOracle(const analysis::path::System& system, Chains chains, FittingMutant mutant, std::int64_t step)
      : system_(system), chains_(std::move(chains)), mutant_(mutant), step_(step) {
    for (const auto& dag : system.dags) {
      const std::size_t n = dag.nodes.size();
      auto& before = before_.emplace_back(n);
      for (const auto& edge : dag.edges) before[edge.to].push_back(edge.from);
      auto& reaches = reaches_.emplace_back(n, std::vector<bool>(n, false));
      for (std::size_t round = 0; round < n; ++round) {
        for (std::size_t u = 0; u < n; ++u) {
          for (std::size_t v = 0; v < n; ++v) {
            for (const std::size_t w : before[v]) reaches[u][v] = reaches[u][v] || w == u || reaches[u][w];
          }
        }
      }
    }
    if (mutant_ != FittingMutant::one_chain) return;
    for (std::size_t k = 0; k < chains_.size(); ++k) {
      auto& of = chains_[k];
      std::vector<std::vector<std::size_t>> joined(system.pools.size());
      for (const auto& chain : of) {
        auto& all = joined[system.dags[k].nodes[chain.front()].pool];
        all.insert(all.end(), chain.begin(), chain.end());
      }
      of.clear();
      std::ranges::copy_if(joined, std::back_inserter(of), [](const auto& chain) { return !chain.empty(); });
    }
  }

  /// The right-hand side for node v of DAG k at these ends, ns rounded up.
  std::int64_t right_hand_side(std::size_t k, std::size_t v, const Ends& F) const {
    std::int64_t most = 0;
    std::vector<std::size_t> path{v};
    const std::function<void()> extend = [&] {
      for (const std::size_t w : before_[k][path.back()]) {
        path.push_back(w);
        extend();
        path.pop_back();
      }
      if (before_[k][path.back()].empty()) most = std::max(most, length(k, v, path, F));
    };
    extend();
    return most;
  }

 private:
  using Order = analysis::path::Order;

  std::int64_t ready(std::size_t k, std::size_t q, const Ends& F) const {
    std::int64_t A = 0;
    for (const std::size_t w : before_[k][q]) A = std::max(A, F[k][w]);
    return A;
  }

  std::int64_t length(std::size_t k, std::size_t v, const std::vector<std::size_t>& path, const Ends& F) const {
    std::int64_t execution = 0;
    std::vector<bool> visited(system_.pools.size(), false);
    for (const std::size_t q : path) {
      execution += system_.dags[k].nodes[q].e.count();
      visited[system_.dags[k].nodes[q].pool] = true;
    }
    std::int64_t total = 2 * execution;
    if (system_.dags[k].nodes[v].e.count() == 0) total += 1;  // less than the product's unit of time, or as much
    for (std::size_t p = 0; p < visited.size(); ++p) total += visited[p] ? waiting(k, v, path, p, F) : 0;
    return (total + 1) / 2;
  }

  /// The largest w with m w <= G(w), rounded up.
  std::int64_t waiting(std::size_t k, std::size_t v, const std::vector<std::size_t>& path, std::size_t p, const Ends& F) const {
    const auto m = static_cast<std::int64_t>(system_.pools[p].capacity);
    std::int64_t waits = 0;
    std::int64_t too_much = work(k, v, path, p, F, std::int64_t{1} << 40U) / m + 1;
    if (work(k, v, path, p, F, 1) < m) return 0;
    while (too_much - waits > 1) {
      const std::int64_t half = (waits + too_much) / 2;
      (work(k, v, path, p, F, half) < m * half ? too_much : waits) = half;
    }
    return waits;
  }

  /// G(w).
  std::int64_t work(std::size_t k, std::size_t v, const std::vector<std::size_t>& path, std::size_t p, const Ends& F,
                    std::int64_t w) const {
    const auto& own = system_.dags[k].nodes;
    const bool fixed = system_.pools[p].order == Order::fixed;
    const bool by_node = system_.pools[p].order == Order::gel_by_node;
    std::int64_t sum = 0;
    for (const auto& chain : chains_[k]) {
      std::int64_t here = 0;
      for (const std::size_t u : chain) {
        const bool parallel = std::ranges::any_of(path, [&](std::size_t q) {
          return own[q].pool == p && u != q && !reaches_[k][u][q] && !reaches_[k][q][u] && (!fixed || own[q].priority <= own[u].priority) &&
                 (!by_node || own[u].Y <= own[q].Y);
        });
        if (own[u].pool == p && parallel && mutant_ != FittingMutant::no_own) here += 2 * own[u].e.count();
      }
      sum += std::min(here, w);
    }
    std::uint32_t least = UINT32_MAX;
    for (const std::size_t q : path) {
      if (own[q].pool == p) least = std::min(least, own[q].priority);
    }
    for (std::size_t d = 0; d < system_.dags.size(); ++d) sum += of_dag(k, v, p, F, w, d, fixed ? least : 0);
    return sum;
  }

  std::optional<std::int64_t> lim(std::size_t k, std::size_t v, std::size_t p, const Ends& F, std::size_t d, std::size_t u) const {
    const auto& own = system_.dags[k].nodes;
    const auto& node = system_.dags[d].nodes[u];
    const auto& pool = system_.pools[p];
    std::optional<std::int64_t> most;
    for (std::size_t q = 0; q < own.size(); ++q) {
      if (own[q].pool != p || (q != v && !reaches_[k][q][v])) continue;
      std::int64_t here = F[k][q];
      if (pool.order == Order::fifo) here = ready(k, q, F);
      if (pool.order == Order::gel) here = d == k ? 0 : std::min(here, (system_.dags[k].Y - system_.dags[d].Y).count());
      if (pool.order == Order::gel_by_node) here = std::min(here, (own[q].Y - node.Y).count());
      if (pool.order == Order::fixed) {
        if (own[q].priority > node.priority) continue;
        if (own[q].priority == node.priority && !pool.equals_any) here = ready(k, q, F);
      }
      most = std::max(most.value_or(here), here);
    }
    return most;
  }

  struct Counted {
    std::int64_t C, F, lim;
    std::size_t chain;
  };

  std::int64_t of_dag(std::size_t k, std::size_t v, std::size_t p, const Ends& F, std::int64_t w, std::size_t d,
                      std::uint32_t least) const {
    std::vector<Counted> nodes;
    bool all_from_0 = true;
    std::int64_t by_jobs = 0;
    const std::int64_t T = system_.dags[d].T.count();
    const bool on_time = mutant_ == (d == k ? FittingMutant::own_on_time : FittingMutant::on_time);
    const std::int64_t J = on_time ? 0 : system_.dags[d].J.count();
    for (std::size_t c = 0; c < chains_[d].size(); ++c) {
      for (const std::size_t u : chains_[d][c]) {
        const auto& node = system_.dags[d].nodes[u];
        if (node.pool != p || node.e.count() == 0 || node.priority < least) continue;
        const auto last = lim(k, v, p, F, d, u);
        if (!last) continue;
        all_from_0 = all_from_0 && *last >= 0;
        nodes.push_back({2 * node.e.count(), 2 * F[d][u], 2 * *last, c});
        by_jobs += jobs_of(F[d][u], *last, T, J, d == k) * std::min(2 * node.e.count(), w);
      }
    }
    if (d == k && mutant_ == FittingMutant::no_own_jobs) return 0;
    if (!all_from_0) return by_jobs;
    const std::int64_t L = 2 * F[k][v];
    if (J > 0) return of_late_releases(nodes, 2 * T, 2 * J, L, w, p, d == k);
    std::int64_t most = 0;
    if (d == k) return at_phase(nodes, 2 * T, L, w, p, 0, true);
    const std::int64_t phases = 2 * T;
    for (std::int64_t phase = 0; phase < phases; phase += step_) most = std::max(most, at_phase(nodes, 2 * T, L, w, p, phase, false));
    return most;
  }

  /// Releases of a DAG in (r - F, r + lim] at most, of its own without the job that is released at r.
  std::int64_t jobs_of(std::int64_t F, std::int64_t lim, std::int64_t T, std::int64_t J, bool own) const {
    if (!own) return F + lim > 0 ? ceil_up(F + lim + J, T) : 0;
    std::int64_t most = 0;
    for (std::int64_t z = 0; z <= (mutant_ == FittingMutant::own_at_nominal ? 0 : J); ++z) {
      const std::int64_t later = z + lim >= 0 ? (z + lim) / T : 0;
      most = std::max(most, ceil_up(std::min(z + lim, -T) - z + F + J, T) + later);
    }
    return most;
  }

  /// The most of nominal releases T apart, each up to J late; of its own DAG those beside the job in question, which is z late itself.
  std::int64_t of_late_releases(const std::vector<Counted>& nodes, std::int64_t T, std::int64_t J, std::int64_t L, std::int64_t w,
                                std::size_t p, bool own) const {
    std::int64_t last = 0;
    for (const Counted& node : nodes) last = std::max(last, node.F);
    const std::vector<std::int64_t> best = best_of_each(nodes, -last - J, L, J, w, p);
    const std::int64_t late = mutant_ == FittingMutant::own_at_nominal ? 0 : J;
    std::int64_t most = 0;
    for (std::int64_t phase = own ? -late : 0; phase < (own ? 1 : T); phase += step_) {
      std::int64_t sum = 0;
      for (std::int64_t y = phase - (phase + last + J) / T * T; y < L; y += T) {
        if (!own || y != phase) sum += best[static_cast<std::size_t>((y + last + J) / step_)];
      }
      most = std::max(most, sum);
    }
    return most;
  }

  /// Of nominal releases from `from` on, until `until`, `step_` apart: the best f of what follows by up to J.
  std::vector<std::int64_t> best_of_each(const std::vector<Counted>& nodes, std::int64_t from, std::int64_t until, std::int64_t J,
                                         std::int64_t w, std::size_t p) const {
    std::vector<std::int64_t> f_at;
    for (std::int64_t x = from; x < until + J + step_; x += step_) f_at.push_back(f(nodes, until, w, p, x));
    const auto later = static_cast<std::size_t>(J / step_);
    std::vector<std::int64_t> best;
    std::deque<std::size_t> falling;  // of the last `later` + 1, those that none after them exceeds
    for (std::size_t i = 0; i < f_at.size(); ++i) {
      while (!falling.empty() && f_at[falling.back()] <= f_at[i]) falling.pop_back();
      falling.push_back(i);
      if (i < later) continue;
      if (falling.front() + later < i) falling.pop_front();
      best.push_back(mutant_ == FittingMutant::ends_alone ? std::max(f_at[i - later], f_at[i]) : f_at[falling.front()]);
    }
    return best;
  }

  static std::int64_t ceil_up(std::int64_t a, std::int64_t b) { return a <= 0 ? 0 : (a + b - 1) / b; }

  std::int64_t at_phase(const std::vector<Counted>& nodes, std::int64_t T, std::int64_t L, std::int64_t w, std::size_t p,
                        std::int64_t phase, bool without_0) const {
    std::int64_t last = 0;
    for (const Counted& node : nodes) last = std::max(last, node.F);
    std::int64_t sum = 0;
    for (std::int64_t x = phase - (last / T + 1) * T; x < L; x += T) {
      if (!without_0 || x != 0) sum += f(nodes, L, w, p, x);
    }
    return sum;
  }

  std::int64_t f(const std::vector<Counted>& nodes, std::int64_t L, std::int64_t w, std::size_t p, std::int64_t x) const {
    std::int64_t latest = 0;
    std::int64_t least = nodes.empty() ? 0 : nodes.front().F;
    for (const Counted& node : nodes) {
      latest = std::max(latest, node.F);
      least = std::min(least, node.F);
    }
    const auto overlap = [&](std::int64_t F) { return std::max<std::int64_t>(0, std::min(x + F, L) - std::max<std::int64_t>(x, 0)); };
    const auto of_node = [&](std::int64_t F) {
      return mutant_ == FittingMutant::shorter_window ? overlap(F) - std::min(overlap(F), overlap(least) / 2) : overlap(F);
    };
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < nodes.size();) {
      std::int64_t here = 0;
      std::int64_t end = 0;
      const std::size_t chain = nodes[i].chain;
      for (; i < nodes.size() && nodes[i].chain == chain; ++i) {
        end = std::max(end, nodes[i].F);
        if (x <= nodes[i].lim) here += std::min({nodes[i].C, w, of_node(nodes[i].F)});
      }
      sum += std::min({here, w, overlap(end)});
    }
    const auto m = static_cast<std::int64_t>(mutant_ == FittingMutant::one_processor ? 1 : system_.pools[p].capacity);
    return std::min(sum, m * std::min(w, overlap(latest)));
  }

  const analysis::path::System& system_;
  Chains chains_;
  FittingMutant mutant_;
  std::int64_t step_;
  std::vector<std::vector<std::vector<std::size_t>>> before_;
  std::vector<std::vector<std::vector<bool>>> reaches_;
};

}  // namespace rta::test
