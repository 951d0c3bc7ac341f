// Bodies in the plan: which nodes follow which where each body is one sequential task.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "plan.hpp"

namespace rta::simulate {

/// Throws `Defect` where bodies do not fit the DAGs.
void check_bodies(std::span<const Dag> dags, const Bodies& bodies);

/// Of one DAG. What follows a node of a body follows the whole of it.
class BodiesOfDag {
 public:
  /// `dag` and `bodies` must outlive this.
  BodiesOfDag(const Dag& dag, std::span<const Body> bodies);

  /// The body of node v; `none`: it is on its own.
  [[nodiscard]] std::uint32_t of(NodeId v) const { return of_[v]; }
  [[nodiscard]] bool begins(NodeId v) const { return first(v) == v; }
  [[nodiscard]] std::span<const NodeId> followers(NodeId v) const { return bodies_.empty() ? dag_.successors(v) : followers_[v]; }
  [[nodiscard]] std::uint32_t predecessors(NodeId v) const {
    return bodies_.empty() ? static_cast<std::uint32_t>(dag_.predecessors(v).size()) : predecessors_[v];
  }
  /// That of a body is one of its last node.
  [[nodiscard]] std::optional<Time> deadline(NodeId v) const;

 private:
  [[nodiscard]] NodeId first(NodeId v) const { return of_[v] == none ? v : bodies_[of_[v]].nodes.front(); }
  [[nodiscard]] NodeId last(NodeId v) const { return of_[v] == none ? v : bodies_[of_[v]].nodes.back(); }
  void add(NodeId from, NodeId to);

  const Dag& dag_;
  std::span<const Body> bodies_;
  std::vector<std::uint32_t> of_;
  std::vector<std::vector<NodeId>> followers_;
  std::vector<std::uint32_t> predecessors_;
};

/// `first`: of each pool; `first_node`: of the DAG. Throws `UserError` where nobody knows how the body's pool would play it.
void add_body(const Dag& dag, const Body& body, std::span<const Pool> pools, std::span<const std::uint32_t> first, std::uint32_t first_node,
              Plan& plan);

/// DAG d's threads spin: its nodes, which the plan has, are of threads that keep their processors. Throws `UserError` where others may take
/// these from them.
void keep_processors(const TaskSet& task_set, DagId d, std::span<const std::uint32_t> first, Plan& plan);

}  // namespace rta::simulate
