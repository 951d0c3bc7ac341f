// Why a bound is as large as it is: parts that sum to it.
#pragma once

#include <optional>
#include <vector>

#include "rta/analysis/inequality.hpp"
#include "rta/analysis/proof.hpp"

namespace rta::analysis {

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
