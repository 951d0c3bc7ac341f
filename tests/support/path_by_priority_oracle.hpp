// T11, T11b, T11g and T11j by the letter: what a path waits for on pools under fixed priorities.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "support/path_facts.hpp"
#include "support/urgent_oracle.hpp"

namespace rta::test {

/// Under ends F of all nodes.
class PathByPriorityOracle {
 public:
  PathByPriorityOracle(const PathFacts& facts, const PathFacts::Ends& F) : facts_(facts), F_(F) {}

  // T11: what a path, last node first, pays for on a pool under fixed priorities.
  std::int64_t work(std::size_t k, const std::vector<std::size_t>& path, std::size_t p) const {
    const auto& own = facts_.system.dags[k].nodes;
    const std::size_t v = path.front();
    std::optional<std::uint32_t> least;
    for (const std::size_t q : path) {
      if (own[q].pool != p || (least && facts_.mutant == Mutant::pays_for_last)) continue;
      least = std::min(least.value_or(own[q].priority), own[q].priority);
    }
    const bool any = facts_.system.pools[p].equals_any;
    std::int64_t sum = 0;
    for (std::size_t d = 0; d < facts_.system.dags.size(); ++d) {
      const std::int64_t T = facts_.system.dags[d].T.count();
      for (std::size_t u = 0; u < facts_.system.dags[d].nodes.size(); ++u) {
        const auto& node = facts_.system.dags[d].nodes[u];
        if (node.pool != p || node.priority < *least || node.vol == 0) continue;
        std::optional<std::int64_t> lim;
        for (std::size_t q = 0; q < own.size(); ++q) {
          const bool asked = q == v || (facts_.reaches[k][q][v] && facts_.mutant != Mutant::last_node_alone);
          if (own[q].pool != p || !asked || own[q].priority > node.priority) continue;
          const bool equal = own[q].priority == node.priority;
          const bool by_end = equal ? any && facts_.mutant != Mutant::ready_for_equals : facts_.mutant != Mutant::ready_for_less_urgent;
          const std::int64_t here = by_end ? F_[k][q] : facts_.ready(k, q, F_);
          lim = std::max(lim.value_or(here), here);
        }
        if (!lim) continue;
        const std::int64_t F = F_[d][u];
        std::int64_t n = 0;
        if (d != k) {
          n = facts_.others(F, *lim, T, false);
        } else {
          n = (facts_.reaches[k][v][u] ? 0 : 1) + std::max<std::int64_t>(0, PathFacts::ceil(F, T) - 1);
          if (facts_.mutant != Mutant::no_later_own_jobs) n += PathFacts::floor(*lim, T);
        }
        sum += n * static_cast<std::int64_t>(node.vol);
      }
    }
    return sum;
  }

  // T11b, T11g: the capacity times the sum of Blk over the path's nodes on a pool.
  std::int64_t blocked(std::size_t k, const std::vector<std::size_t>& path, std::size_t p) const {
    const analysis::path::Order order = facts_.system.pools[p].order;
    if (order == analysis::path::Order::fixed || facts_.mutant == Mutant::no_blocking) return 0;
    std::int64_t sum = 0;
    std::int64_t most = 0;
    for (const std::size_t q : path) {
      if (facts_.system.dags[k].nodes[q].pool != p) continue;
      const bool kernels = order == analysis::path::Order::fixed_kernels;
      const std::int64_t here = kernels ? less_urgent_blocks(k, q, p) : less_urgent_pieces(k, q, p);
      sum += here;
      most = std::max(most, here);
    }
    return facts_.mutant == Mutant::blocked_once_per_path ? most : sum;
  }

  /// T11j's right-hand side.
  std::optional<std::int64_t> by_urgency(std::size_t k, std::size_t v) const {
    const std::size_t p = facts_.system.dags[k].nodes[v].pool;
    std::vector<UrgentTask> tasks;
    std::size_t own = 0;
    for (std::size_t d = 0; d < facts_.system.dags.size(); ++d) {
      for (std::size_t u = 0; u < F_[d].size(); ++u) {
        const auto& node = facts_.system.dags[d].nodes[u];
        if (node.pool != p) continue;
        if (d == k && u == v) own = tasks.size();
        tasks.push_back({node.e.count(), facts_.system.dags[d].T.count(), facts_.ready(d, u, F_), F_[d][u], node.priority});
      }
    }
    const UrgentMutants mutants{.no_jitter = facts_.mutant == Mutant::no_jitter,
                                .no_carry = facts_.mutant == Mutant::urgent_no_carry,
                                .x_0_only = facts_.mutant == Mutant::urgent_x_0,
                                .own_in_order = facts_.mutant == Mutant::urgent_own_in_order};
    const UrgentOracle oracle(std::move(tasks), facts_.system.pools[p].capacity, facts_.system.pools[p].equals_any, mutants);
    const auto length = oracle.length(own);
    return length ? std::optional(facts_.ready(k, v, F_) + *length) : std::nullopt;
  }

 private:
  std::int64_t less_urgent_jobs(std::size_t k, std::size_t q, std::size_t d, std::size_t u) const {
    const std::int64_t T = facts_.system.dags[d].T.count();
    const std::int64_t A = facts_.ready(k, q, F_);
    const std::int64_t F = F_[d][u];
    if (d != k) return std::max<std::int64_t>(0, PathFacts::ceil(F + A, T));
    if (facts_.mutant == Mutant::no_own_pieces) return 0;
    const bool parallel = u != q && !facts_.reaches[k][u][q] && !facts_.reaches[k][q][u];
    return (parallel ? 1 : 0) + std::max<std::int64_t>(0, PathFacts::ceil(F, T) - 1) + PathFacts::floor(A, T);
  }

  [[nodiscard]] std::uint32_t lowest(std::size_t p) const {
    std::uint32_t least = UINT32_MAX;
    for (const auto& dag : facts_.system.dags) {
      for (const auto& node : dag.nodes) {
        if (node.pool == p) least = std::min(least, node.priority);
      }
    }
    return least;
  }

  // g K or all blocks.
  std::int64_t less_urgent_blocks(std::size_t k, std::size_t q, std::size_t p) const {
    const auto& pool = facts_.system.pools[p];
    std::vector<Wide> block(pool.sm->demand().size());
    Wide all = 0;
    for (std::size_t d = 0; d < facts_.system.dags.size(); ++d) {
      for (std::size_t u = 0; u < facts_.system.dags[d].nodes.size(); ++u) {
        const auto& node = facts_.system.dags[d].nodes[u];
        if (node.pool != p || node.priority >= facts_.system.dags[k].nodes[q].priority) continue;
        if (facts_.mutant == Mutant::lowest_level_blocks && node.priority > lowest(p)) continue;
        const std::int64_t n = less_urgent_jobs(k, q, d, u);
        all += n * node.vol;
        if (n > 0) block[node.demand] = std::max(block[node.demand], node.s);
      }
    }
    const std::int64_t g = pool.capacity - (facts_.mutant == Mutant::one_piece_less ? 1 : 0);
    return static_cast<std::int64_t>(std::min(all, g * pool.sm->most(std::span<const Wide>(block))));
  }

  std::int64_t less_urgent_pieces(std::size_t k, std::size_t q, std::size_t p) const {
    std::vector<std::int64_t> pieces;
    std::size_t m = facts_.system.pools[p].capacity;
    if (facts_.mutant == Mutant::one_piece_less) --m;
    for (std::size_t d = 0; d < facts_.system.dags.size(); ++d) {
      for (std::size_t u = 0; u < facts_.system.dags[d].nodes.size(); ++u) {
        const auto& node = facts_.system.dags[d].nodes[u];
        if (node.pool != p || node.priority >= facts_.system.dags[k].nodes[q].priority) continue;
        if (facts_.mutant == Mutant::lowest_level_blocks && node.priority > lowest(p)) continue;
        const std::int64_t n = less_urgent_jobs(k, q, d, u);
        for (std::int64_t i = 0; i < std::min<std::int64_t>(n, 4); ++i) pieces.push_back(node.e.count());
      }
    }
    std::sort(pieces.rbegin(), pieces.rend());
    pieces.resize(std::min(pieces.size(), m));
    return std::accumulate(pieces.begin(), pieces.end(), std::int64_t{0});
  }

  const PathFacts& facts_;
  const PathFacts::Ends& F_;
};

}  // namespace rta::test
