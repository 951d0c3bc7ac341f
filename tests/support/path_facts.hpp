// What the oracles of path bounds share: who precedes whom, when nodes are ready, how many jobs count, and how formulas are broken.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "rta/analysis/path/path.hpp"

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
  no_blocking,            // T11b, T11g: nothing blocks
  one_piece_less,         // T11b: m - 1 pieces; T11g: (g-1) K
  lowest_level_blocks,    // T11g: only kernels of the lowest priority block
  no_own_pieces,          // T11b, T11g: the DAG's own pieces are forgotten
  ready_for_less_urgent,  // T11: A_q in place of F_q where pi_q < pi_u
  ready_for_equals,       // T11: A_q in place of F_q where pi_q = pi_u and equals run in any order
  pays_for_last,          // T11: a path pays for the work that is as urgent as its last node on the pool
  urgent_no_carry,        // T11j: nothing is left from before
  urgent_x_0,             // T11j: the busy interval begins when v is ready
  one_gap_per_path,       // T14: only the first node on a pool waits for its first slice
  gaps_of_execution,      // T14: X is the execution alone
  empty_as_others,        // T14: kernels of length 0 count as others
  gaps_rounded_down,      // T14: floor(X/S)
  urgent_own_in_order,    // T11j: where equals run in any order, v's own jobs count as if they ran by ready time
};

struct PathFacts {
  using Ends = std::vector<std::vector<std::int64_t>>;  // F per DAG and node, ns

  PathFacts(const analysis::path::System& of, Mutant by, std::int64_t step) : system(of), mutant(by), grid(step) {
    for (const auto& dag : system.dags) {
      const std::size_t n = dag.nodes.size();
      std::vector<std::vector<std::size_t>> of_dag(n);
      for (const auto& edge : dag.edges) of_dag[edge.to].push_back(edge.from);
      // below[u][v]: v is a strict descendant of u
      std::vector<std::vector<bool>> below(n, std::vector<bool>(n, false));
      for (std::size_t round = 0; round < n; ++round) {
        for (std::size_t u = 0; u < n; ++u) {
          for (std::size_t v = 0; v < n; ++v) {
            for (const std::size_t w : of_dag[v]) below[u][v] = below[u][v] || w == u || below[u][w];
          }
        }
      }
      before.push_back(std::move(of_dag));
      reaches.push_back(std::move(below));
    }
  }

  static std::int64_t ceil(std::int64_t a, std::int64_t b) { return static_cast<std::int64_t>(ceil_div(a, b)); }
  static std::int64_t floor(std::int64_t a, std::int64_t b) { return static_cast<std::int64_t>(floor_div(a, b)); }

  bool is_sink(std::size_t k, std::size_t v) const {
    return std::none_of(system.dags[k].edges.begin(), system.dags[k].edges.end(), [&](const auto& e) { return e.from == v; });
  }

  std::int64_t execution(std::size_t k, std::size_t v) const {
    std::int64_t most = 0;
    for (const std::size_t w : before[k][v]) most = std::max(most, execution(k, w));
    return most + system.dags[k].nodes[v].e.count();
  }

  std::int64_t ready(std::size_t k, std::size_t q, const Ends& F) const {
    std::int64_t A = 0;
    for (const std::size_t w : before[k][q]) A = std::max(A, F[k][w]);
    return A;
  }

  // How many jobs of period T are released in (-F, x] on GEL pools, or (-F, x] on FIFO pools, as broken by the mutant.
  std::int64_t others(std::int64_t F, std::int64_t x, std::int64_t T, bool gel) const {
    if (mutant == Mutant::no_carry_in) return x < 0 ? 0 : floor(x, T) + 1;
    if (mutant == Mutant::open_right_end && gel) x -= grid;
    return std::max<std::int64_t>(0, ceil(F + x, T));
  }

  const analysis::path::System& system;
  Mutant mutant;
  std::int64_t grid;
  std::vector<std::vector<std::vector<std::size_t>>> before;
  std::vector<std::vector<std::vector<bool>>> reaches;
};

}  // namespace rta::test
