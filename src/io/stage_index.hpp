// What the stages of chains are called in a task-set file.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "rta/model/task_set.hpp"

namespace rta::io {

/// `dags` must outlive this.
class StageIndex {
 public:
  explicit StageIndex(std::span<const Dag> dags);

  /// The stage called `dag` or `dag/node`. Names may hold slashes themselves: a DAG of the whole name comes first, then the shortest name
  /// of a DAG.
  [[nodiscard]] std::optional<ChainStage> find(std::string_view name);
  /// `; did you mean 'camera/resize'?`, or nothing.
  [[nodiscard]] std::string close_to(std::string_view name) const;

 private:
  using Nodes = std::unordered_map<std::string_view, NodeId>;
  [[nodiscard]] const Nodes& nodes_of(DagId d);

  std::span<const Dag> dags_;
  std::unordered_map<std::string_view, DagId> dag_named_;
  std::map<DagId, Nodes> nodes_;  // of those that were asked for
};

}  // namespace rta::io
