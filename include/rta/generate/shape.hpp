// Random DAG shapes: which nodes precede which. Every edge goes from a lower to a higher index, so index order is topological.
#pragma once

#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "rta/generate/random.hpp"

namespace rta::generate {

/// Uniform in {low .. high}.
struct Range {
  std::uint32_t low = 1;
  std::uint32_t high = 1;
  bool operator==(const Range&) const = default;
};

struct Edge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  bool operator==(const Edge&) const = default;
};

/// One node after the other.
struct Chain {
  bool operator==(const Chain&) const = default;
};
/// Layer by layer (Tobita, Kasahara 2002): each node of a layer follows each node of the layer before with probability p, and at least one.
/// More layers than nodes: one node a layer.
struct LayerByLayer {
  Range layers{3, 3};
  Fraction p{1, 2};
  bool operator==(const LayerByLayer&) const = default;
};
/// G(n, p) of Erdos and Renyi, edges directed upwards (Cordeiro et al., SIMUTools 2010). May have several components.
struct ErdosRenyi {
  Fraction p{1, 5};
  bool operator==(const ErdosRenyi&) const = default;
};
/// A fork node, branches, a join node; a branch is such a block again with probability `nesting` (while depth and nodes last), or a chain.
struct ForkJoin {
  Range branches{2, 4};
  std::uint32_t depth = 2;  // 1: no nesting
  Fraction nesting{1, 2};
  bool operator==(const ForkJoin&) const = default;
};
/// Two series-parallel parts of random size, one after the other with probability `series` (every sink of the first precedes every source
/// of the second), else side by side.
struct SeriesParallel {
  Fraction series{1, 2};
  bool operator==(const SeriesParallel&) const = default;
};

using Shape = std::variant<Chain, LayerByLayer, ErdosRenyi, ForkJoin, SeriesParallel>;

/// Draws shapes; keeps its working memory.
class ShapeDrawer {
 public:
  /// Appends the edges of a DAG of n >= 1 nodes to `edges`, each once, sorted by (to, from).
  void draw(Stream& stream, const Shape& shape, std::uint32_t n, std::vector<Edge>& edges);

 private:
  void layer_by_layer(Stream& stream, const LayerByLayer& shape, std::uint32_t n, std::vector<Edge>& edges);
  void fork_join(Stream& stream, const ForkJoin& shape, std::uint32_t first, std::uint32_t n, std::uint32_t depth,
                 std::vector<Edge>& edges);
  void series_parallel(Stream& stream, const SeriesParallel& shape, std::uint32_t first, std::uint32_t n, std::vector<Edge>& edges);

  std::vector<std::uint32_t> sizes_;
  std::vector<char> has_predecessor_, has_successor_;
};

}  // namespace rta::generate
