// Why a bound is as large as it is: parts that sum to it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "rta/analysis/proof.hpp"

namespace rta::analysis {

/// What a part of an end-to-end bound is due to.
enum class Cause : std::uint8_t {
  execution,  // of the nodes on the path: C, the last copy, item or block
  waiting,    // while the pool works for others
  blocking,   // non-preemptive pools, stream priorities: what had started before
  carry,      // left over on the pool from before it was busy
  slices,     // time slices of other processes on the GPU, and switches between them
  priority,   // T1 to T4: jobs with later releases that have earlier priority points
  rounding    // up, of all parts and of the iteration that found them
};
[[nodiscard]] std::string_view to_string(Cause cause);

struct BoundPart {
  Cause cause = Cause::rounding;
  std::optional<PoolId> pool;  // of waiting, blocking, carry, slices and priority; none where all pools of the path count together
  std::optional<DagId> by;     // waiting, where the theorem counts the work of each DAG; the DAG itself: its other jobs and branches
  Time length;
  bool operator==(const BoundPart&) const = default;
};

/// An end-to-end bound, taken apart.
struct Why {
  DagId dag = 0;
  std::vector<NodeId> path;          // whose ends the bound follows
  std::vector<BoundPart> parts;      // whole ns, rounded down; with the rounding they sum to the bound exactly
  std::vector<NodeId> longest_path;  // by execution alone
  Time alone;                        // the execution on it: no job is faster in the worst case, even alone
};

/// Takes the end-to-end bound of DAG d apart. Requires that it has one.
[[nodiscard]] Why why(const Proof& proof, DagId d);

/// The DAGs with bounds that miss their deadlines, the latest first; of copies that are equal, the first.
[[nodiscard]] std::vector<DagId> late_dags(const Proof& proof);

}  // namespace rta::analysis
