// T10's and T10n's inequalities in words, and the critical paths of whole DAGs, through segments.
#pragma once

#include <string>
#include <vector>

#include "rta/analysis/analyze.hpp"
#include "rta/analysis/segments.hpp"

namespace rta::analysis {

class CriticalPaths {
 public:
  /// `whole`: the bounds are T10's.
  CriticalPaths(const TaskSet& task_set, const SegmentBounds& bounds, bool whole);
  /// From a source to the sink that ends last, in nodes of the DAG.
  [[nodiscard]] std::vector<NodeId> of(DagId d) const;

 private:
  const TaskSet& task_set_;
  const SegmentBounds& bounds_;
  path::Bounds R_;
  path::Derivations derivations_;
  bool whole_;
};

class PathExplanations {
 public:
  PathExplanations(const TaskSet& task_set, const SegmentBounds& bounds, std::string theorem);
  /// `wanted` is a DAG, a node or DAG/node. Throws std::invalid_argument for other names.
  [[nodiscard]] Explanation of(const std::string& wanted) const;

 private:
  [[nodiscard]] std::vector<std::string> lines(DagId d, NodeId v) const;
  [[nodiscard]] std::vector<std::string> lines(const path::Derivation& derivation, DagId d, std::size_t segment, const std::string& left,
                                               Time bound) const;
  [[nodiscard]] static std::vector<std::string> lines(const path::LateDerivation& late, const path::Pool& pool, Time bound);
  [[nodiscard]] std::size_t task_pool(DagId d, NodeId v) const;

  const TaskSet& task_set_;
  const SegmentBounds& bounds_;
  std::string theorem_;
  path::Bounds R_;
  path::Derivations derivations_;
};

}  // namespace rta::analysis
