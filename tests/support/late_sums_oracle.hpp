// T12j by the letter of docs/theory/jitter.md: T10j, T10g and T11j where releases are late.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

#include "rta/analysis/path/path.hpp"
#include "support/path_facts.hpp"
#include "support/urgent_oracle.hpp"

namespace rta::test {

enum class LateMutant : std::uint8_t {
  none,
  no_jitter,       // A_u in place of A_u + J_u
  own_as_on_time,  // fixed priorities: v's own jobs as if its releases were T apart
  own_late_twice,  // A_v + J_v in place of A_v where GEL compares points
};
inline constexpr std::size_t late_mutants = 4;

class LateSumsOracle {
 public:
  using Ends = PathFacts::Ends;

  LateSumsOracle(const analysis::path::System& system, LateMutant mutant) : facts_(system, Mutant::none, 1), mutant_(mutant) {
    for (const auto& dag : system.dags) common_ = std::lcm(common_, dag.T.count());
  }

  /// The right-hand side for node v of DAG k; nothing where T12j says nothing.
  [[nodiscard]] std::optional<std::int64_t> right_hand_side(std::size_t k, std::size_t v, const Ends& F) const {
    using analysis::path::Order;
    const std::size_t p = facts_.system.dags[k].nodes[v].pool;
    const auto& pool = facts_.system.pools[p];
    if (pool.order == Order::fixed) return by_urgency(k, v, F);
    if (is_non_preemptive(pool.order)) return std::nullopt;
    return by_release(k, v, F, pool.order);
  }

 private:
  struct Use {
    std::size_t d, u;
    std::int64_t F, A, T;  // since nominal releases
  };

  [[nodiscard]] std::vector<Use> uses(std::size_t p, const Ends& F) const {
    std::vector<Use> all;
    for (std::size_t d = 0; d < F.size(); ++d) {
      const auto& dag = facts_.system.dags[d];
      for (std::size_t u = 0; u < F[d].size(); ++u) {
        if (dag.nodes[u].pool != p) continue;
        const std::int64_t J = dag.J.count();
        all.push_back({d, u, F[d][u] + J, facts_.ready(d, u, F) + (mutant_ == LateMutant::no_jitter ? 0 : J), dag.T.count()});
      }
    }
    return all;
  }

  [[nodiscard]] std::int64_t point(analysis::path::Order order, std::size_t d, std::size_t u) const {
    const auto& dag = facts_.system.dags[d];
    return (order == analysis::path::Order::gel ? dag.Y : dag.nodes[u].Y).count();
  }

  /// Of a node's jobs that may be unfinished.
  struct Block {
    std::int64_t e = 0;
    Wide s = 0;
    Wide count = 0;
  };

  [[nodiscard]] static Wide longest(std::vector<Block> pieces, Wide left) {
    std::ranges::sort(pieces, std::ranges::greater{}, &Block::s);
    Wide sum = 0;
    for (const Block& piece : pieces) {
      const Wide count = std::max<Wide>(0, std::min(left, piece.count));
      sum += count * piece.s;
      left -= count;
    }
    return sum;
  }

  /// The lesser of (a) and, by count, (b); weights s/e are whole.
  [[nodiscard]] static Wide of_kernels(const std::vector<Block>& blocks, Wide whole_U, std::optional<Wide> resident) {
    Wide gamma = 0;
    std::vector<std::int64_t> lambdas{0};
    for (const Block& block : blocks) {
      gamma = gcd(gamma, block.s / block.e);
      lambdas.push_back(block.e);
    }
    const Wide V = gamma > 0 ? gamma * (ceil_div(whole_U, gamma) - 1) : 0;
    std::optional<Wide> least = resident;
    for (const std::int64_t lambda : lambdas) {
      Wide sum = lambda * V;
      for (const Block& block : blocks) sum += block.count * (block.s / block.e) * std::max<std::int64_t>(0, block.e - lambda);
      least = std::min(least.value_or(sum), sum);
    }
    return *least;
  }

  [[nodiscard]] std::optional<std::int64_t> by_release(std::size_t k, std::size_t v, const Ends& F, analysis::path::Order order) const {
    const auto& node = facts_.system.dags[k].nodes[v];
    const auto& pool = facts_.system.pools[node.pool];
    const Wide capacity = checked_mul<Wide>(pool.capacity, pool.unit);
    const std::int64_t A = facts_.ready(k, v, F);
    const std::int64_t own_late = mutant_ == LateMutant::own_late_twice ? facts_.system.dags[k].J.count() : 0;
    Wide U = 0;  // times common_, as work
    Wide work = 0;
    std::vector<Block> pieces;
    for (const Use& use : uses(node.pool, F)) {
      const auto& other = facts_.system.dags[use.d].nodes[use.u];
      U += other.vol * (common_ / use.T);
      const std::int64_t before =
          order == analysis::path::Order::fifo ? -use.A : point(order, use.d, use.u) - point(order, k, v) + A + own_late - use.A;
      work += other.vol * std::max<Wide>(0, use.T - before) * (common_ / use.T);
      if (other.s > 0) pieces.push_back({other.e.count(), other.s, ceil_div(Wide{use.F}, Wide{use.T}) * (other.vol / other.s)});
    }
    if (U > capacity * common_) return std::nullopt;
    const Wide whole_U = ceil_div(U, Wide{common_});
    work += (pool.unit_weights ? longest(pieces, whole_U - 1) : of_kernels(pieces, whole_U, pool.resident)) * common_;
    work += (Wide{node.e.count()} * capacity - node.s) * common_;
    return A + static_cast<std::int64_t>(ceil_div(work, capacity * common_));
  }

  [[nodiscard]] std::optional<std::int64_t> by_urgency(std::size_t k, std::size_t v, const Ends& F) const {
    const std::size_t p = facts_.system.dags[k].nodes[v].pool;
    std::vector<UrgentTask> tasks;
    std::size_t own = 0;
    for (const Use& use : uses(p, F)) {
      const bool itself = use.d == k && use.u == v;
      if (itself) own = tasks.size();
      const auto& node = facts_.system.dags[use.d].nodes[use.u];
      const bool on_time = itself && mutant_ == LateMutant::own_as_on_time;
      const bool late = facts_.system.dags[use.d].J > Time::zero() && !on_time;
      tasks.push_back({node.e.count(), use.T, on_time ? facts_.ready(k, v, F) : use.A, use.F, node.priority, late});
    }
    const auto& pool = facts_.system.pools[p];
    const auto length = UrgentOracle(std::move(tasks), pool.capacity, pool.equals_any).length(own);
    return length ? std::optional(facts_.ready(k, v, F) + *length) : std::nullopt;
  }

  PathFacts facts_;
  LateMutant mutant_;
  std::int64_t common_ = 1;
};

}  // namespace rta::test
