// T10, T10n and T11 by the letter of theory section 5: every path on its own, every node's jobs on their own, sums as exact fractions.
// Slow; an oracle for the product's solver, and the place to break the formulas on purpose.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <vector>

#include "rta/analysis/path/path.hpp"
#include "support/urgent_oracle.hpp"

namespace rta::test {

enum class Mutant : std::uint8_t {
  none,
  no_carry_in,            // jobs of other DAGs released before r are forgotten
  open_right_end,         // GEL: a job with the same priority point does not precede (releases are multiples of `grid`)
  last_piece_twice,       // s is subtracted twice
  two_ceil_minus_one,     // T10, FIFO, own jobs: 2 ceil(R/T) - 1
  no_later_own_jobs,      // T10n, FIFO: own jobs released after r are forgotten
  blocked_once_per_path,  // non-preemptive GEL: one C_max per path
  last_node_alone,        // GEL by node: only v itself is asked what may run while the path waits
  no_jitter,              // T10g: nodes are taken to be ready when their DAG is released
  no_lead,                // T10g: nodes with an earlier point than v's count as if theirs were v's
  no_blocking,            // T11b: nothing blocks
  one_piece_less,         // T11b: m - 1 pieces
  no_own_pieces,          // T11b: the DAG's own pieces are forgotten
  ready_for_less_urgent,  // T11: A_q in place of F_q where pi_q < pi_u
  ready_for_equals,       // T11: A_q in place of F_q where pi_q = pi_u and equals run in any order
  pays_for_last,          // T11: a path pays for the work that is as urgent as its last node on the pool
  urgent_no_carry,        // T11j: nothing is left from before
  urgent_x_0,             // T11j: the busy interval begins when v is ready
  urgent_own_in_order,    // T11j: where equals run in any order, v's own jobs count as if they ran by ready time
};

class PathOracle {
 public:
  PathOracle(const analysis::path::System& system, Mutant mutant = Mutant::none, std::int64_t grid = 1)
      : system_(system), mutant_(mutant), grid_(grid) {
    denominator_ = 1;
    for (const auto& pool : system.pools) denominator_ = std::lcm(denominator_, static_cast<std::int64_t>(pool.capacity * pool.unit));
    for (const auto& dag : system.dags) {
      const std::size_t n = dag.nodes.size();
      std::vector<std::vector<std::size_t>> before(n);
      for (const auto& edge : dag.edges) before[edge.to].push_back(edge.from);
      // reaches[u][v]: v is a strict descendant of u
      std::vector<std::vector<bool>> reaches(n, std::vector<bool>(n, false));
      for (std::size_t round = 0; round < n; ++round) {
        for (std::size_t u = 0; u < n; ++u) {
          for (std::size_t v = 0; v < n; ++v) {
            for (const std::size_t w : before[v]) reaches[u][v] = reaches[u][v] || w == u || reaches[u][w];
          }
        }
      }
      before_.push_back(std::move(before));
      reaches_.push_back(std::move(reaches));
    }
  }

  /// T10's R per DAG, ns; nothing past `limit`.
  std::optional<std::vector<std::int64_t>> whole(std::int64_t limit) {
    std::vector<std::int64_t> R(system_.dags.size(), 0);
    for (std::size_t k = 0; k < R.size(); ++k) {
      for (std::size_t v = 0; v < system_.dags[k].nodes.size(); ++v) R[k] = std::max(R[k], execution(k, v));
    }
    return least(R, limit, [&](std::size_t k, const std::vector<std::int64_t>& now) {
      std::int64_t most = 0;
      for (std::size_t v = 0; v < system_.dags[k].nodes.size(); ++v) {
        if (is_sink(k, v))
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
  std::optional<std::vector<std::vector<std::int64_t>>> nodes(std::int64_t limit, bool late = false) {
    std::vector<std::vector<std::int64_t>> F;
    for (std::size_t k = 0; k < system_.dags.size(); ++k) {
      F.emplace_back();
      for (std::size_t v = 0; v < system_.dags[k].nodes.size(); ++v) F[k].push_back(execution(k, v));
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t k = 0; k < F.size(); ++k) {
        for (std::size_t v = 0; v < F[k].size(); ++v) {
          F_ = &F;
          std::int64_t next = over_paths(
              k, v, [&](std::size_t p) { return work_per_node(k, v, p, F); },
              [&](std::size_t q) {
                return std::pair{ready(k, q, F), nullptr};
              });
          if (late) next = std::min(next, by_points(k, v, F).value_or(next));
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
  static std::int64_t ceil(std::int64_t a, std::int64_t b) { return static_cast<std::int64_t>(ceil_div(a, b)); }
  static std::int64_t floor(std::int64_t a, std::int64_t b) { return static_cast<std::int64_t>(floor_div(a, b)); }

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

  bool is_sink(std::size_t k, std::size_t v) const {
    return std::none_of(system_.dags[k].edges.begin(), system_.dags[k].edges.end(), [&](const auto& e) { return e.from == v; });
  }

  std::int64_t execution(std::size_t k, std::size_t v) const {
    std::int64_t most = 0;
    for (const std::size_t w : before_[k][v]) most = std::max(most, execution(k, w));
    return most + system_.dags[k].nodes[v].e.count();
  }

  std::int64_t ready(std::size_t k, std::size_t q, const std::vector<std::vector<std::int64_t>>& F) const {
    std::int64_t A = 0;
    for (const std::size_t w : before_[k][q]) A = std::max(A, F[k][w]);
    return A;
  }

  std::int64_t scale(std::size_t p) const {
    return denominator_ / static_cast<std::int64_t>(system_.pools[p].capacity * system_.pools[p].unit);
  }

  // max over paths that end in v, in ns rounded up; `work` gives the counted work of a pool, `when` A_q and (T10) R.
  template <class Work, class When>
  std::int64_t over_paths(std::size_t k, std::size_t v, const Work& work, const When& when) const {
    std::int64_t most = 0;
    std::vector<std::size_t> path{v};
    const std::function<void()> extend = [&] {
      const auto& before = before_[k][path.back()];
      for (const std::size_t w : before) {
        path.push_back(w);
        extend();
        path.pop_back();
      }
      if (before.empty()) most = std::max(most, length(k, path, work, when));
    };
    extend();
    return ceil(most, denominator_);
  }

  template <class Work, class When>
  std::int64_t length(std::size_t k, const std::vector<std::size_t>& path, const Work& work, const When& when) const {
    std::int64_t sum = 0;  // in 1/denominator_ ns
    std::vector<bool> visited(system_.pools.size(), false);
    for (const std::size_t q : path) {
      const auto& node = system_.dags[k].nodes[q];
      const std::int64_t times = mutant_ == Mutant::last_piece_twice ? 2 : 1;
      sum += node.e.count() * denominator_ - times * static_cast<std::int64_t>(node.s) * scale(node.pool);
      if (system_.pools[node.pool].order == analysis::path::Order::gel_non_preemptive) {
        const auto [A, R] = when(q);
        if (mutant_ != Mutant::blocked_once_per_path) {
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
          (by_fixed_priority(system_.pools[p].order) ? work_by_priority(k, path, p) + blocked_by_priority(k, path, p) : work(p)) * scale(p);
    }
    return sum;
  }

  // T11: what a path, last node first, pays for on a pool under fixed priorities.
  std::int64_t work_by_priority(std::size_t k, const std::vector<std::size_t>& path, std::size_t p) const {
    const auto& own = system_.dags[k].nodes;
    const std::size_t v = path.front();
    std::optional<std::uint32_t> least;
    for (const std::size_t q : path) {
      if (own[q].pool != p || (least && mutant_ == Mutant::pays_for_last)) continue;
      least = std::min(least.value_or(own[q].priority), own[q].priority);
    }
    const bool any = system_.pools[p].equals_any;
    std::int64_t sum = 0;
    for (std::size_t d = 0; d < system_.dags.size(); ++d) {
      const std::int64_t T = system_.dags[d].T.count();
      for (std::size_t u = 0; u < system_.dags[d].nodes.size(); ++u) {
        const auto& node = system_.dags[d].nodes[u];
        if (node.pool != p || node.priority < *least || node.vol == 0) continue;
        std::optional<std::int64_t> lim;
        for (std::size_t q = 0; q < own.size(); ++q) {
          const bool asked = q == v || (reaches_[k][q][v] && mutant_ != Mutant::last_node_alone);
          if (own[q].pool != p || !asked || own[q].priority > node.priority) continue;
          const bool equal = own[q].priority == node.priority;
          const bool by_end = equal ? any && mutant_ != Mutant::ready_for_equals : mutant_ != Mutant::ready_for_less_urgent;
          const std::int64_t here = by_end ? (*F_)[k][q] : ready(k, q, *F_);
          lim = std::max(lim.value_or(here), here);
        }
        if (!lim) continue;
        const std::int64_t F = (*F_)[d][u];
        std::int64_t n = 0;
        if (d != k) {
          n = others(F, *lim, T, false);
        } else {
          n = (reaches_[k][v][u] ? 0 : 1) + std::max<std::int64_t>(0, ceil(F, T) - 1);
          if (mutant_ != Mutant::no_later_own_jobs) n += floor(*lim, T);
        }
        sum += n * static_cast<std::int64_t>(node.vol);
      }
    }
    return sum;
  }

  // T11b: m times the sum of Blk over the path's nodes on a pool.
  std::int64_t blocked_by_priority(std::size_t k, const std::vector<std::size_t>& path, std::size_t p) const {
    if (system_.pools[p].order != analysis::path::Order::fixed_non_preemptive || mutant_ == Mutant::no_blocking) return 0;
    std::int64_t sum = 0;
    std::int64_t most = 0;
    for (const std::size_t q : path) {
      if (system_.dags[k].nodes[q].pool != p) continue;
      const std::int64_t here = less_urgent_pieces(k, q, p);
      sum += here;
      most = std::max(most, here);
    }
    return mutant_ == Mutant::blocked_once_per_path ? most : sum;
  }

  std::int64_t less_urgent_pieces(std::size_t k, std::size_t q, std::size_t p) const {
    std::vector<std::int64_t> pieces;
    std::size_t m = system_.pools[p].capacity;
    if (mutant_ == Mutant::one_piece_less) --m;
    const std::int64_t A = ready(k, q, *F_);
    for (std::size_t d = 0; d < system_.dags.size(); ++d) {
      const std::int64_t T = system_.dags[d].T.count();
      for (std::size_t u = 0; u < system_.dags[d].nodes.size(); ++u) {
        const auto& node = system_.dags[d].nodes[u];
        if (node.pool != p || node.priority >= system_.dags[k].nodes[q].priority) continue;
        const std::int64_t F = (*F_)[d][u];
        std::int64_t n = std::max<std::int64_t>(0, ceil(F + A, T));
        if (d == k) {
          const bool parallel = u != q && !reaches_[k][u][q] && !reaches_[k][q][u];
          n = (parallel ? 1 : 0) + std::max<std::int64_t>(0, ceil(F, T) - 1) + floor(A, T);
          if (mutant_ == Mutant::no_own_pieces) n = 0;
        }
        for (std::int64_t i = 0; i < std::min<std::int64_t>(n, 4); ++i) pieces.push_back(node.e.count());
      }
    }
    std::sort(pieces.rbegin(), pieces.rend());
    pieces.resize(std::min(pieces.size(), m));
    return std::accumulate(pieces.begin(), pieces.end(), std::int64_t{0});
  }

  /// T10g's right-hand side; nothing where it does not apply.
  std::optional<std::int64_t> by_points(std::size_t k, std::size_t v, const std::vector<std::vector<std::int64_t>>& F) const {
    const std::size_t p = system_.dags[k].nodes[v].pool;
    const auto order = system_.pools[p].order;
    if (order == analysis::path::Order::fixed) return by_urgency(k, v, F);
    if (order != analysis::path::Order::gel && order != analysis::path::Order::gel_by_node) return std::nullopt;
    const auto point = [&](const auto& dag, const auto& node) { return order == analysis::path::Order::gel ? dag.Y : node.Y; };
    const auto m = static_cast<std::int64_t>(system_.pools[p].capacity);
    std::int64_t common = 1;
    for (const auto& dag : system_.dags) common = std::lcm(common, dag.T.count());
    Wide U = 0;  // times common
    std::vector<std::int64_t> pieces;
    const auto each = [&](auto action) {
      for (std::size_t d = 0; d < system_.dags.size(); ++d) {
        for (std::size_t u = 0; u < F[d].size(); ++u) {
          if (system_.dags[d].nodes[u].pool == p) action(system_.dags[d], system_.dags[d].nodes[u], F[d][u], ready(d, u, F));
        }
      }
    };
    each([&](const auto& dag, const auto& node, std::int64_t end, std::int64_t) {
      U += Wide{node.e.count()} * (common / dag.T.count());
      pieces.insert(pieces.end(), static_cast<std::size_t>(std::min<std::int64_t>(ceil(end, dag.T.count()), m)), node.e.count());
    });
    if (U > Wide{m} * common) return std::nullopt;
    const std::int64_t A_v = ready(k, v, F);
    std::sort(pieces.rbegin(), pieces.rend());
    const auto running = static_cast<std::int64_t>(ceil_div(U, Wide{common})) - 1;  // ceil(U) - 1
    Wide work = 0;                                                                  // times common
    for (std::int64_t i = 0; i < std::min(running, static_cast<std::int64_t>(pieces.size())) && mutant_ != Mutant::no_carry_in; ++i) {
      work += Wide{pieces[static_cast<std::size_t>(i)]} * common;
    }
    each([&](const auto& dag, const auto& node, std::int64_t, std::int64_t A) {
      const std::int64_t T = dag.T.count();
      std::int64_t later = (point(dag, node) - point(system_.dags[k], system_.dags[k].nodes[v])).count();
      if (mutant_ == Mutant::no_lead) later = std::max<std::int64_t>(later, 0);
      const std::int64_t left = T - (later + A_v - (mutant_ == Mutant::no_jitter ? 0 : A));
      work += Wide{node.e.count()} * std::max<std::int64_t>(0, left) * (common / T);
    });
    work += Wide{m - 1} * system_.dags[k].nodes[v].e.count() * common;
    return A_v + static_cast<std::int64_t>(ceil_div(work, Wide{m} * common));
  }

  /// T11j's right-hand side.
  std::optional<std::int64_t> by_urgency(std::size_t k, std::size_t v, const std::vector<std::vector<std::int64_t>>& F) const {
    const std::size_t p = system_.dags[k].nodes[v].pool;
    std::vector<UrgentTask> tasks;
    std::size_t own = 0;
    for (std::size_t d = 0; d < system_.dags.size(); ++d) {
      for (std::size_t u = 0; u < F[d].size(); ++u) {
        const auto& node = system_.dags[d].nodes[u];
        if (node.pool != p) continue;
        if (d == k && u == v) own = tasks.size();
        tasks.push_back({node.e.count(), system_.dags[d].T.count(), ready(d, u, F), F[d][u], node.priority});
      }
    }
    const UrgentMutants mutants{.no_jitter = mutant_ == Mutant::no_jitter,
                                .no_carry = mutant_ == Mutant::urgent_no_carry,
                                .x_0_only = mutant_ == Mutant::urgent_x_0,
                                .own_in_order = mutant_ == Mutant::urgent_own_in_order};
    const UrgentOracle oracle(std::move(tasks), system_.pools[p].capacity, system_.pools[p].equals_any, mutants);
    const auto length = oracle.length(own);
    return length ? std::optional(ready(k, v, F) + *length) : std::nullopt;
  }

  std::int64_t longest_piece(std::size_t p) const {
    std::int64_t longest = 0;
    for (const auto& dag : system_.dags) {
      for (const auto& node : dag.nodes) longest = std::max(longest, node.pool == p ? node.e.count() : 0);
    }
    return longest;
  }

  // m Blk_q: the m largest pieces of lower priority that may have started before.
  std::int64_t blocked(std::size_t k, std::size_t p, std::int64_t A, const std::vector<std::int64_t>* R) const {
    std::vector<std::int64_t> pieces;
    const auto m = static_cast<std::int64_t>(system_.pools[p].capacity);
    for (std::size_t d = 0; d < system_.dags.size(); ++d) {
      const auto& dag = system_.dags[d];
      const std::int64_t T = dag.T.count();
      for (std::size_t u = 0; u < dag.nodes.size(); ++u) {
        if (dag.nodes[u].pool != p) continue;
        const std::int64_t F = R != nullptr ? (*R)[d] : (*F_)[d][u];
        const std::int64_t lead = system_.dags[k].Y.count() - dag.Y.count();
        const std::int64_t n = d == k ? floor(A, T) : std::max<std::int64_t>(0, ceil(A - std::max(lead, -F), T));
        pieces.insert(pieces.end(), static_cast<std::size_t>(std::min(n, m)), dag.nodes[u].e.count());
      }
    }
    std::sort(pieces.rbegin(), pieces.rend());
    pieces.resize(std::min(pieces.size(), static_cast<std::size_t>(m)));
    return std::accumulate(pieces.begin(), pieces.end(), std::int64_t{0});
  }

  // How many jobs of period T are released in (-F, x] on GEL pools, or (-F, x] on FIFO pools, as broken by the mutant.
  std::int64_t others(std::int64_t F, std::int64_t x, std::int64_t T, bool gel) const {
    if (mutant_ == Mutant::no_carry_in) return x < 0 ? 0 : floor(x, T) + 1;
    if (mutant_ == Mutant::open_right_end && gel) x -= grid_;
    return std::max<std::int64_t>(0, ceil(F + x, T));
  }

  std::int64_t work_whole(std::size_t k, std::size_t p, const std::vector<std::int64_t>& R) const {
    const bool gel = system_.pools[p].order != analysis::path::Order::fifo;
    std::int64_t sum = 0;
    for (std::size_t d = 0; d < system_.dags.size(); ++d) {
      const auto& dag = system_.dags[d];
      const std::int64_t T = dag.T.count();
      std::int64_t vol = 0;
      for (const auto& node : dag.nodes) vol += node.pool == p ? static_cast<std::int64_t>(node.vol) : 0;
      std::int64_t n = 0;
      if (gel) {
        n = d == k ? ceil(R[k], T) : others(R[d], std::min(R[k], system_.dags[k].Y.count() - dag.Y.count()), T, true);
      } else if (d == k) {
        n = mutant_ == Mutant::two_ceil_minus_one ? 2 * ceil(R[k], T) - 1 : ceil(R[k], T) + floor(R[k], T);
      } else {
        n = others(R[d], R[k], T, false);
      }
      sum += n * vol;
    }
    return sum;
  }

  // GEL by node, with lim_u over v and its ancestors on p.
  std::int64_t jobs_by_node(std::size_t k, std::size_t v, std::size_t p, std::size_t d, std::size_t u,
                            const std::vector<std::vector<std::int64_t>>& F) const {
    const std::int64_t T = system_.dags[d].T.count();
    std::optional<std::int64_t> lim;
    for (std::size_t q = 0; q < F[k].size(); ++q) {
      const auto& node = system_.dags[k].nodes[q];
      if (node.pool != p || (q != v && (!reaches_[k][q][v] || mutant_ == Mutant::last_node_alone))) continue;
      const std::int64_t here = std::min(F[k][q], (node.Y - system_.dags[d].nodes[u].Y).count());
      lim = std::max(lim.value_or(here), here);
    }
    if (!lim) return 0;
    if (d != k) return others(F[d][u], *lim, T, true);
    const std::int64_t earlier = std::max<std::int64_t>(0, ceil(F[k][u] + std::min(*lim, -T), T));
    return (!reaches_[k][v][u] && *lim >= 0 ? 1 : 0) + earlier + (*lim >= 0 ? floor(*lim, T) : 0);
  }

  std::int64_t work_per_node(std::size_t k, std::size_t v, std::size_t p, const std::vector<std::vector<std::int64_t>>& F) const {
    const bool gel = system_.pools[p].order != analysis::path::Order::fifo;
    std::int64_t reach = 0;  // a or b
    for (std::size_t q = 0; q < F[k].size(); ++q) {
      if (system_.dags[k].nodes[q].pool == p && (q == v || reaches_[k][q][v])) reach = std::max(reach, gel ? F[k][q] : ready(k, q, F));
    }
    std::int64_t sum = 0;
    for (std::size_t d = 0; d < system_.dags.size(); ++d) {
      const auto& dag = system_.dags[d];
      const std::int64_t T = dag.T.count();
      for (std::size_t u = 0; u < dag.nodes.size(); ++u) {
        if (dag.nodes[u].pool != p || dag.nodes[u].vol == 0) continue;
        std::int64_t n = 0;
        if (system_.pools[p].order == analysis::path::Order::gel_by_node) {
          n = jobs_by_node(k, v, p, d, u, F);
        } else if (d != k) {
          n = others(F[d][u], gel ? std::min(reach, system_.dags[k].Y.count() - dag.Y.count()) : reach, T, gel);
        } else {
          const std::int64_t below = reaches_[k][v][u] ? 1 : 0;
          const std::int64_t later = gel || mutant_ == Mutant::no_later_own_jobs ? 0 : floor(reach, T);
          n = ceil(F[k][u], T) - below + later;
        }
        sum += n * static_cast<std::int64_t>(dag.nodes[u].vol);
      }
    }
    return sum;
  }

  const analysis::path::System& system_;
  Mutant mutant_;
  std::int64_t grid_;
  std::int64_t denominator_ = 1;
  std::vector<std::vector<std::vector<std::size_t>>> before_;
  std::vector<std::vector<std::vector<bool>>> reaches_;
  const std::vector<std::vector<std::int64_t>>* F_ = nullptr;
};

}  // namespace rta::test
