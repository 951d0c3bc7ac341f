// The graph of a DAG's segments: an edge where an edge of the DAG leads from one segment into another.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "rta/model/task_set.hpp"

namespace rta::analysis {

class Quotient {
 public:
  /// `segment[v]`: segment of node v; segments are numbered from 0 without gaps.
  Quotient(const Dag& dag, std::span<const std::size_t> segment);

  [[nodiscard]] std::size_t size() const { return out_.size(); }
  [[nodiscard]] bool acyclic() const { return order_.size() == out_.size(); }
  /// Every segment after those that it waits for; incomplete when there is a cycle.
  [[nodiscard]] std::span<const std::size_t> order() const { return order_; }
  /// The DAG's edges that leave segment s.
  [[nodiscard]] std::span<const Edge> edges_out_of(std::size_t s) const { return out_[s]; }

 private:
  std::vector<std::vector<Edge>> out_;
  std::vector<std::size_t> order_;
};

/// Numbers segments 0, 1 ... by their first node.
[[nodiscard]] std::vector<std::size_t> renumbered(std::span<const std::size_t> segment);

/// Joins segments that wait for each other, and renumbers. `segment[v]` is below the number of nodes.
[[nodiscard]] std::vector<std::size_t> merge_cycles(const Dag& dag, std::span<const std::size_t> segment);

}  // namespace rta::analysis
