// Graphs with fewer nodes that show the same shape: what is alike shares a node.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace rta::report {

struct FoldedGraph {
  std::vector<std::size_t> group;                          // of each node; numbered by their first nodes
  std::vector<std::vector<std::size_t>> members;           // of each group
  std::vector<std::pair<std::size_t, std::size_t>> edges;  // between groups, each once
  std::size_t ranks = 0;                                   // nodes of the longest path
  std::size_t broadest = 0;                                // groups of the rank that has most
};

/// Nodes share a group where their colours are equal, the longest paths to and from them are equally long, and their predecessors and
/// successors are in the same groups. So equal rows of a graph become one, and no group comes before itself. The graph has no cycle;
/// `order` is a topological one. `merge`: false keeps each node for itself.
[[nodiscard]] FoldedGraph folded(std::span<const std::size_t> order, std::span<const std::pair<std::size_t, std::size_t>> edges,
                                 std::span<const std::size_t> colours, bool merge = true);

}  // namespace rta::report
