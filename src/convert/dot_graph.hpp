// Digraphs of Graphviz as they are written: nodes and edges with their attributes.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace rta::convert {

using Attributes = std::map<std::string, std::string>;

struct DotGraph {
  struct Node {
    std::string name;
    Attributes attributes;
  };
  struct Edge {
    std::size_t from = 0, to = 0;
    Attributes attributes;
  };
  Attributes attributes;  // of the graph, and not of subgraphs
  struct Twice {
    std::string node, key;  // no node: of the digraph
    std::string first, last;
    std::size_t line = 0;
  };
  std::vector<Twice> twice;  // attributes with two values, of which Graphviz takes the last
  std::vector<std::string> attributes_of_subgraphs;
  std::vector<Node> nodes;  // by name
  std::vector<Edge> edges;
};

/// Reads a digraph; nodes in subgraphs count as the graph's. Throws `io::InputError` with the line where it is none.
[[nodiscard]] DotGraph read_dot_graph(std::string_view text, const std::string& file);

}  // namespace rta::convert
