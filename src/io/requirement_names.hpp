// Names of requirements by what they are of, for what writes task sets.
#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rta/model/task_set.hpp"

namespace rta::io {

/// Of a task set that outlives this.
class RequirementNames {
 public:
  explicit RequirementNames(const TaskSet& task_set);

  using Names = std::vector<std::string_view>;
  /// Of the chain, the DAG or the node of it, in their order; empty without one.
  [[nodiscard]] Names of_chain(ChainId chain) const;
  [[nodiscard]] Names of(DagId dag, std::optional<NodeId> node) const;
  /// Whether the same is required of two DAGs and their nodes.
  [[nodiscard]] bool same(DagId a, DagId b) const;

 private:
  std::unordered_map<DagId, std::vector<std::pair<std::optional<NodeId>, std::string_view>>> of_dags_;
  std::unordered_map<ChainId, Names> of_chains_;
};

}  // namespace rta::io
