// Bounds on completion and on segments as statements.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>

#include "rta/analysis/inequality.hpp"
#include "rta/analysis/path/derivations.hpp"
#include "rta/analysis/path/lanes.hpp"
#include "rta/analysis/proof.hpp"

namespace rta::certificate {

class PathRules {
 public:
  explicit PathRules(const analysis::Proof& proof) : proof_(proof), set_(*proof.task_set) {}

  /// What stands before the bounds: `turn`, `weights`, `counted`, `strands`, `lanes`, `family`.
  /// `other`: the same ends, the kernels of some GPUs read otherwise; null where there is none.
  void add_statements(const analysis::PathEvidence& path, const analysis::PathEvidence* other, std::string& out);
  /// How many `weights` there are.
  [[nodiscard]] std::size_t weights() const { return weights_; }
  /// The end of node v of DAG d after its segment's release, in the evidence's parts of a ns.
  [[nodiscard]] static Time end_of(const analysis::PathEvidence& e, DagId d, NodeId v);
  /// The rule of `bound`, of node v of DAG d; empty: no statement carries it.
  [[nodiscard]] std::string rule(const analysis::PathEvidence& e, const analysis::Bound& bound, DagId d, NodeId v);

 private:
  void add_weights(const analysis::PathEvidence& path, PoolId p, const GpuPool& gpu, std::string& out);
  [[nodiscard]] bool uses(const analysis::PathEvidence& path, PoolId p) const;
  void add_strands(const analysis::PathEvidence& path, std::string& out);
  void add_lanes(const analysis::PathEvidence& path, std::string& out);
  void add_families(const analysis::PathEvidence& path, const analysis::path::Lanes& lanes, std::string& out) const;
  /// Of others nothing is stated that their bounds would need.
  [[nodiscard]] bool is_bounded(DagId d) const { return proof_.dags[d].bound.has_value(); }
  /// What the rule of node v of DAG `at` of the bounds needs beside its name, which `of` says.
  [[nodiscard]] static std::string hints(const analysis::SegmentBounds& bounds, DagId at, NodeId v, const analysis::Inequality& of);

  const analysis::Proof& proof_;
  const TaskSet& set_;
  std::set<PoolId> counted_, in_turn_;  // GPUs of which it is said
  std::set<DagId> laned_;               // DAGs, likewise
  std::size_t weights_ = 0;
  std::map<const analysis::SegmentBounds*, analysis::path::Derivations> derivations_;
};

}  // namespace rta::certificate
