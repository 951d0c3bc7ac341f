// Parts of a bound as they are added up, below one nanosecond.
#pragma once

#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "rta/analysis/fine.hpp"
#include "rta/analysis/why.hpp"

namespace rta::analysis {

class Parts {
 public:
  void add(Cause cause, std::optional<PoolId> pool, std::optional<DagId> by, FineTime length) { sums_[{cause, pool, by}] += length; }
  void add(Cause cause, std::optional<PoolId> pool, FineTime length) { add(cause, pool, std::nullopt, length); }

  /// In whole ns, by cause and pool, the largest first; with the rounding they sum to `bound`.
  [[nodiscard]] std::vector<BoundPart> rounded_to(Time bound) const;

 private:
  std::map<std::tuple<Cause, std::optional<PoolId>, std::optional<DagId>>, FineTime> sums_;
};

/// Adds the parts of one node's bound on its pool, R, which counts from its release.
void add_pool_parts(const Proof& proof, DagId d, NodeId v, Parts& parts);

/// Adds the parts of the end-to-end bound of DAG d that T10 or a refinement proves; the nodes whose ends it follows, source first.
[[nodiscard]] std::vector<NodeId> add_path_parts(const Proof& proof, const PathEvidence& evidence, DagId d, Parts& parts);

}  // namespace rta::analysis
