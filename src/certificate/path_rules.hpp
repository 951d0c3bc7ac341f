// Bounds on completion and on segments as statements.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "rta/analysis/evidence.hpp"
#include "rta/analysis/path/busy_intervals.hpp"
#include "rta/analysis/path/fitting_cuts.hpp"

namespace rta::certificate {

class PathRules {
 public:
  explicit PathRules(const TaskSet& set) : set_(set) {}

  /// What stands before the bounds: `weights`, `counted`, `strands`, `lanes`, `family`.
  void add_statements(const analysis::PathEvidence& path, std::string& out);
  /// How many `weights` there are.
  [[nodiscard]] std::size_t weights() const { return weights_; }
  /// The end of node v of DAG d after its segment's release, in the evidence's parts of a ns.
  [[nodiscard]] static Time end_of(const analysis::PathEvidence& e, DagId d, NodeId v);
  /// The rule of node v of DAG d; empty: no statement carries it.
  [[nodiscard]] std::string rule(const analysis::PathEvidence& e, DagId d, NodeId v);

 private:
  void add_weights(const analysis::PathEvidence& path, PoolId p, const GpuPool& gpu, std::string& out);
  void add_strands(const analysis::PathEvidence& path, std::string& out);
  void add_lanes(const analysis::PathEvidence& path, std::string& out);
  void add_families(const analysis::PathEvidence& path, const analysis::path::FittingCuts& cuts, std::string& out);
  [[nodiscard]] std::string family_rule(const analysis::SegmentBounds& bounds, DagId at, NodeId v);
  [[nodiscard]] std::string fitting_rule(const analysis::SegmentBounds& bounds, DagId at, NodeId v, DagId d);
  [[nodiscard]] std::string late_rule(const analysis::SegmentBounds& bounds, const analysis::PathSystem::Place& place, bool release_jitter);

  const TaskSet& set_;
  std::size_t weights_ = 0;
  std::map<const analysis::SegmentBounds*, bool> has_jitter_;
  std::map<const analysis::SegmentBounds*, analysis::path::BusyIntervals> busy_;
  std::map<const analysis::SegmentBounds*, analysis::path::FittingCuts> cuts_;
  std::map<const analysis::SegmentBounds*, analysis::path::Derivations> derivations_;
};

}  // namespace rta::certificate
