// Critical paths of whole DAGs, through their segments.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "analysis/path/path_deciding.hpp"
#include "rta/analysis/path/derivations.hpp"
#include "rta/analysis/path/segments.hpp"

namespace rta::analysis {

/// The nodes of one of the DAG's segments, in the order of their numbers there.
[[nodiscard]] std::vector<NodeId> nodes_of_segment(const SegmentBounds& bounds, DagId d, std::size_t segment);
/// The node outside a segment of a DAG that decides the segment's offset.
[[nodiscard]] std::optional<NodeId> last_before(const SegmentBounds& bounds, const Dag& dag, DagId d, std::size_t segment);
/// The sink of a DAG that ends last.
[[nodiscard]] NodeId last_sink(const TaskSet& task_set, const SegmentBounds& bounds, DagId d);

class CriticalPaths {
 public:
  /// Keeps references to its arguments.
  CriticalPaths(const TaskSet& task_set, const SegmentBounds& bounds);
  /// From a source to the sink that ends last, in nodes of the DAG.
  [[nodiscard]] std::vector<NodeId> of(DagId d) const;

 private:
  [[nodiscard]] const path::Derivations& derivations() const;
  /// To a node of the system, within its segment; all of it where the DAG is bounded as a whole.
  [[nodiscard]] std::vector<std::size_t> path_to(const PathSystem::Place& place) const;

  const TaskSet& task_set_;
  const SegmentBounds& bounds_;
  std::unique_ptr<CriticalPaths> in_turn_;                // by the system with GPUs in turn, where that carries something
  std::optional<path::DecidingPaths> deciding_;           // of all nodes, where it applies
  mutable std::optional<path::Derivations> derivations_;  // made when a path needs them
};

/// The inequalities behind `bounds`, which must live as long: T10's where nodes have none of their own.
[[nodiscard]] path::Derivations derivations_of(const SegmentBounds& bounds);

}  // namespace rta::analysis
