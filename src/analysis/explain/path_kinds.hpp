// What nodes of a path bound are called, as explanations list them.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <tuple>

#include "analysis/explain/dag_kinds.hpp"
#include "rta/analysis/path/segments.hpp"
#include "rta/analysis/task_names.hpp"

namespace rta::analysis {

/// The kinds of DAGs that nodes are listed by: equal ones together, but the DAG in question apart, and what waits for the node, too.
class PathKinds {
 public:
  /// `own`: the DAG in question, of the system. Keeps references to its arguments.
  PathKinds(const TaskSet& task_set, std::span<const DagId> dags, const SegmentBounds& bounds, std::size_t own);

  /// Adds node u of the system's DAG d.
  void add(TaskNames& names, std::size_t d, std::size_t u, bool waits);

 private:
  [[nodiscard]] DagId own_dag() const;
  [[nodiscard]] std::string name(std::size_t d, const DagKinds::Kind& kind, std::size_t which) const;

  const TaskSet& task_set_;
  std::span<const DagId> dags_;
  const SegmentBounds& bounds_;
  DagKinds kinds_;
  std::size_t own_;
  std::map<std::tuple<std::size_t, std::size_t, std::size_t>, std::size_t> numbers_;
};

}  // namespace rta::analysis
