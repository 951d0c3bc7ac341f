// The inequality behind a bound with its numbers put in: what explanations, critical paths, the parts of bounds and certificates are made
// of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "rta/analysis/fine.hpp"
#include "rta/analysis/path/sums.hpp"
#include "rta/analysis/pool_sum.hpp"
#include "rta/analysis/theorem.hpp"

namespace rta::analysis {

/// What a term of a bound is due to.
enum class Cause : std::uint8_t {
  execution,  // of the nodes on the path: C, the last copy, item or block
  waiting,    // while the pool works for others
  blocking,   // non-preemptive pools, stream priorities: what had started before
  carry,      // left over on the pool from before it was busy
  slices,     // time slices of other processes on the GPU, and switches between them
  priority,   // T1 to T4: jobs with later releases that have earlier priority points
  release,    // of periodic DAGs: late after the nominal release, from which the bound counts
  rounding    // up, of all parts and of the iteration that found them
};
[[nodiscard]] std::string_view to_string(Cause cause);

/// Pools, DAGs and nodes are those of the proof, but of a path bound those of the system in its evidence.
struct Term {
  Cause cause = Cause::execution;
  std::optional<std::size_t> pool =
      std::nullopt;  // of waiting, blocking, carry, slices and priority; none where all pools of the path count together
  std::optional<std::size_t> by =
      std::nullopt;  // waiting, where the theorem counts the work of each DAG; the DAG itself: its other jobs and branches
  FineTime length = FineTime::zero();  // rounded up; below 0 where more is taken off a sum than this term adds
  bool ready = false;                  // until the path's first node is ready, which is when a node before it ends
};

/// What the theorem says of its terms beyond their lengths.
using Detail = std::variant<std::monostate, PoolSum, path::CountedSum, path::SporadicSum, path::AlignedSum, path::FittingSum,
                            path::FamilySum, path::VisitSum>;

struct Inequality {
  Theorem theorem = Theorem::none;
  std::vector<std::size_t> path = {};  // whose ends it follows, source first
  std::vector<Term> terms = {};
  FineTime total = FineTime::zero();  // the right-hand side, which is at most the bound; the terms sum to it, but for their rounding
  Detail detail = {};
};

struct Proof;
struct Bound;
/// Of `bound`, which is one of node v of DAG d. That of a path bound is of the node that carries it, from its segment's release on.
[[nodiscard]] Inequality inequality_of(const Proof& proof, const Bound& bound, std::size_t d, std::size_t v);

}  // namespace rta::analysis
