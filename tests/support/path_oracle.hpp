// T10, T10n and T11 by the letter of theory section 5: every path on its own, every node's jobs on their own, sums as exact fractions.
// Slow; an oracle for the product's solver, and the place to break the formulas on purpose.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "rta/analysis/path/path.hpp"
#include "support/path_by_points_oracle.hpp"
#include "support/path_by_priority_oracle.hpp"
#include "support/path_facts.hpp"

namespace rta::test {

class PathOracle {
 public:
  using Ends = PathFacts::Ends;

  PathOracle(const analysis::path::System& system, Mutant mutant = Mutant::none, std::int64_t grid = 1) : facts_(system, mutant, grid) {
    for (const auto& pool : system.pools) denominator_ = std::lcm(denominator_, static_cast<std::int64_t>(pool.capacity * pool.unit));
  }

  /// T10's R per DAG, ns; nothing past `limit`.
  std::optional<std::vector<std::int64_t>> whole(std::int64_t limit) {
    std::vector<std::int64_t> R(facts_.system.dags.size(), 0);
    for (std::size_t k = 0; k < R.size(); ++k) {
      for (std::size_t v = 0; v < facts_.system.dags[k].nodes.size(); ++v) R[k] = std::max(R[k], facts_.execution(k, v));
    }
    return least(R, limit, [&](std::size_t k, const std::vector<std::int64_t>& now) {
      std::int64_t most = 0;
      for (std::size_t v = 0; v < facts_.system.dags[k].nodes.size(); ++v) {
        if (facts_.is_sink(k, v))
          most = std::max(most, over_paths(
                                    k, v, [&](std::size_t p) { return work_whole(k, p, now); },
                                    [&](std::size_t) {
                                      return std::pair{now[k], &now};
                                    }));
      }
      return most;
    });
  }

  /// T10n's, or T11's, F per DAG and node, ns, or with `late` the smaller of that and T10g's, or T11j's; nothing past `limit`.
  std::optional<Ends> nodes(std::int64_t limit, bool late = false) {
    Ends F;
    for (std::size_t k = 0; k < facts_.system.dags.size(); ++k) {
      F.emplace_back();
      for (std::size_t v = 0; v < facts_.system.dags[k].nodes.size(); ++v) F[k].push_back(facts_.execution(k, v));
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t k = 0; k < F.size(); ++k) {
        for (std::size_t v = 0; v < F[k].size(); ++v) {
          F_ = &F;
          std::int64_t next = over_paths(
              k, v, [&](std::size_t p) { return work_per_node(k, v, p, F); },
              [&](std::size_t q) {
                return std::pair{facts_.ready(k, q, F), nullptr};
              });
          if (late) next = std::min(next, late_end(k, v, F).value_or(next));
          if (next <= F[k][v]) continue;
          F[k][v] = next;
          changed = true;
          if (next > limit) return std::nullopt;
        }
      }
    }
    return F;
  }

 private:
  [[nodiscard]] PathByPriorityOracle by_priority() const { return {facts_, *F_}; }

  /// The right-hand side of T10g, or T11j; nothing where neither applies.
  std::optional<std::int64_t> late_end(std::size_t k, std::size_t v, const Ends& F) const {
    const std::size_t p = facts_.system.dags[k].nodes[v].pool;
    if (facts_.system.pools[p].order == analysis::path::Order::fixed) return PathByPriorityOracle(facts_, F).by_urgency(k, v);
    return path_by_points(facts_, k, v, F);
  }

  template <class RightHandSide>
  static std::optional<std::vector<std::int64_t>> least(std::vector<std::int64_t> R, std::int64_t limit, RightHandSide rhs) {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t k = 0; k < R.size(); ++k) {
        const std::int64_t next = rhs(k, R);
        if (next <= R[k]) continue;
        R[k] = next;
        changed = true;
        if (next > limit) return std::nullopt;
      }
    }
    return R;
  }

  std::int64_t scale(std::size_t p) const {
    return denominator_ / static_cast<std::int64_t>(facts_.system.pools[p].capacity * facts_.system.pools[p].unit);
  }

  // max over paths that end in v, in ns rounded up; `work` gives the counted work of a pool, `when` A_q and (T10) R.
  template <class Work, class When>
  std::int64_t over_paths(std::size_t k, std::size_t v, const Work& work, const When& when) const {
    std::int64_t most = 0;
    std::vector<std::size_t> path{v};
    const std::function<void()> extend = [&] {
      const auto& before = facts_.before[k][path.back()];
      for (const std::size_t w : before) {
        path.push_back(w);
        extend();
        path.pop_back();
      }
      if (before.empty()) most = std::max(most, length(k, path, work, when));
    };
    extend();
    return PathFacts::ceil(most, denominator_);
  }

  template <class Work, class When>
  std::int64_t length(std::size_t k, const std::vector<std::size_t>& path, const Work& work, const When& when) const {
    std::int64_t sum = 0;  // in 1/denominator_ ns
    std::vector<bool> visited(facts_.system.pools.size(), false);
    for (const std::size_t q : path) {
      const auto& node = facts_.system.dags[k].nodes[q];
      const std::int64_t times = facts_.mutant == Mutant::last_piece_twice ? 2 : 1;
      sum += node.e.count() * denominator_ - times * static_cast<std::int64_t>(node.s) * scale(node.pool);
      if (facts_.system.pools[node.pool].order == analysis::path::Order::gel_non_preemptive) {
        const auto [A, R] = when(q);
        if (facts_.mutant != Mutant::blocked_once_per_path) {
          sum += blocked(k, node.pool, A, R) * scale(node.pool);
        } else if (!visited[node.pool]) {
          sum += longest_piece(node.pool) * denominator_;
        }
      }
      visited[node.pool] = true;
    }
    for (std::size_t p = 0; p < visited.size(); ++p) {
      if (!visited[p]) continue;
      sum +=
          (by_fixed_priority(facts_.system.pools[p].order) ? by_priority().work(k, path, p) + by_priority().blocked(k, path, p) : work(p)) *
          scale(p);
      if (facts_.system.pools[p].slices) sum += gaps(k, path, p, work(p)) * denominator_;
    }
    return sum;
  }

  // T14: what the path loses between slices of pool p, ns.
  std::int64_t gaps(std::size_t k, const std::vector<std::size_t>& path, std::size_t p, std::int64_t work) const {
    const auto& slices = *facts_.system.pools[p].slices;
    const std::int64_t S = slices.slice.count() * denominator_;
    std::int64_t n = 0;
    std::int64_t execution = 0;
    std::int64_t X = work * scale(p);
    bool empty = false;
    for (const std::size_t q : path) {
      const auto& node = facts_.system.dags[k].nodes[q];
      if (node.pool != p) continue;
      ++n;
      execution += node.e.count() * denominator_;
      X -= static_cast<std::int64_t>(node.s) * scale(p);
      empty = empty || node.e == Time::zero();
    }
    X = facts_.mutant == Mutant::gaps_of_execution ? execution : X + execution;
    if (facts_.mutant == Mutant::one_gap_per_path) n = 1;
    if (empty && facts_.mutant != Mutant::empty_as_others) return (n + PathFacts::floor(X, S)) * slices.gap.count();
    return (n - 1 + (facts_.mutant == Mutant::gaps_rounded_down ? PathFacts::floor(X, S) : PathFacts::ceil(X, S))) * slices.gap.count();
  }

  std::int64_t longest_piece(std::size_t p) const {
    std::int64_t longest = 0;
    for (const auto& dag : facts_.system.dags) {
      for (const auto& node : dag.nodes) longest = std::max(longest, node.pool == p ? node.e.count() : 0);
    }
    return longest;
  }

  // m Blk_q: the m largest pieces of lower priority that may have started before.
  std::int64_t blocked(std::size_t k, std::size_t p, std::int64_t A, const std::vector<std::int64_t>* R) const {
    std::vector<std::int64_t> pieces;
    const auto m = static_cast<std::int64_t>(facts_.system.pools[p].capacity);
    for (std::size_t d = 0; d < facts_.system.dags.size(); ++d) {
      const auto& dag = facts_.system.dags[d];
      const std::int64_t T = dag.T.count();
      for (std::size_t u = 0; u < dag.nodes.size(); ++u) {
        if (dag.nodes[u].pool != p) continue;
        const std::int64_t F = R != nullptr ? (*R)[d] : (*F_)[d][u];
        const std::int64_t lead = facts_.system.dags[k].Y.count() - dag.Y.count();
        const std::int64_t n = d == k ? PathFacts::floor(A, T) : std::max<std::int64_t>(0, PathFacts::ceil(A - std::max(lead, -F), T));
        pieces.insert(pieces.end(), static_cast<std::size_t>(std::min(n, m)), dag.nodes[u].e.count());
      }
    }
    std::sort(pieces.rbegin(), pieces.rend());
    pieces.resize(std::min(pieces.size(), static_cast<std::size_t>(m)));
    return std::accumulate(pieces.begin(), pieces.end(), std::int64_t{0});
  }

  std::int64_t work_whole(std::size_t k, std::size_t p, const std::vector<std::int64_t>& R) const {
    const bool gel = facts_.system.pools[p].order != analysis::path::Order::fifo;
    std::int64_t sum = 0;
    for (std::size_t d = 0; d < facts_.system.dags.size(); ++d) {
      const auto& dag = facts_.system.dags[d];
      const std::int64_t T = dag.T.count();
      std::int64_t vol = 0;
      for (const auto& node : dag.nodes) vol += node.pool == p ? static_cast<std::int64_t>(node.vol) : 0;
      std::int64_t n = 0;
      if (gel) {
        n = d == k ? PathFacts::ceil(R[k], T)
                   : facts_.others(R[d], std::min(R[k], facts_.system.dags[k].Y.count() - dag.Y.count()), T, true);
      } else if (d == k) {
        n = facts_.mutant == Mutant::two_ceil_minus_one ? 2 * PathFacts::ceil(R[k], T) - 1
                                                        : PathFacts::ceil(R[k], T) + PathFacts::floor(R[k], T);
      } else {
        n = facts_.others(R[d], R[k], T, false);
      }
      sum += n * vol;
    }
    return sum;
  }

  // GEL by node, with lim_u over v and its ancestors on p.
  std::int64_t jobs_by_node(std::size_t k, std::size_t v, std::size_t p, std::size_t d, std::size_t u, const Ends& F) const {
    const std::int64_t T = facts_.system.dags[d].T.count();
    std::optional<std::int64_t> lim;
    for (std::size_t q = 0; q < F[k].size(); ++q) {
      const auto& node = facts_.system.dags[k].nodes[q];
      if (node.pool != p || (q != v && (!facts_.reaches[k][q][v] || facts_.mutant == Mutant::last_node_alone))) continue;
      const std::int64_t here = std::min(F[k][q], (node.Y - facts_.system.dags[d].nodes[u].Y).count());
      lim = std::max(lim.value_or(here), here);
    }
    if (!lim) return 0;
    if (d != k) return facts_.others(F[d][u], *lim, T, true);
    const std::int64_t earlier = std::max<std::int64_t>(0, PathFacts::ceil(F[k][u] + std::min(*lim, -T), T));
    return (!facts_.reaches[k][v][u] && *lim >= 0 ? 1 : 0) + earlier + (*lim >= 0 ? PathFacts::floor(*lim, T) : 0);
  }

  std::int64_t work_per_node(std::size_t k, std::size_t v, std::size_t p, const Ends& F) const {
    const bool gel = facts_.system.pools[p].order != analysis::path::Order::fifo;
    std::int64_t reach = 0;  // a or b
    for (std::size_t q = 0; q < F[k].size(); ++q) {
      if (facts_.system.dags[k].nodes[q].pool == p && (q == v || facts_.reaches[k][q][v]))
        reach = std::max(reach, gel ? F[k][q] : facts_.ready(k, q, F));
    }
    std::int64_t sum = 0;
    for (std::size_t d = 0; d < facts_.system.dags.size(); ++d) {
      const auto& dag = facts_.system.dags[d];
      const std::int64_t T = dag.T.count();
      for (std::size_t u = 0; u < dag.nodes.size(); ++u) {
        if (dag.nodes[u].pool != p || dag.nodes[u].vol == 0) continue;
        std::int64_t n = 0;
        if (facts_.system.pools[p].order == analysis::path::Order::gel_by_node) {
          n = jobs_by_node(k, v, p, d, u, F);
        } else if (d != k) {
          n = facts_.others(F[d][u], gel ? std::min(reach, facts_.system.dags[k].Y.count() - dag.Y.count()) : reach, T, gel);
        } else {
          const std::int64_t below = facts_.reaches[k][v][u] ? 1 : 0;
          const std::int64_t later = gel || facts_.mutant == Mutant::no_later_own_jobs ? 0 : PathFacts::floor(reach, T);
          n = PathFacts::ceil(F[k][u], T) - below + later;
        }
        sum += n * static_cast<std::int64_t>(dag.nodes[u].vol);
      }
    }
    return sum;
  }

  PathFacts facts_;
  std::int64_t denominator_ = 1;
  const Ends* F_ = nullptr;
};

}  // namespace rta::test
