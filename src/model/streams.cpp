#include "rta/model/streams.hpp"

#include <algorithm>
#include <unordered_map>

#include "rta/model/topological_order.hpp"

namespace rta {
namespace {

/// Edges to which more are added, with an order in which all of them lead forward.
class GrowingGraph {
 public:
  GrowingGraph(std::size_t nodes, const std::vector<Edge>& edges) : after_(nodes), seen_(nodes) {
    for (const Edge& edge : edges) after_[edge.from].push_back(edge.to);
    set_places();
  }

  [[nodiscard]] bool leads(NodeId from, NodeId to) {
    if (std::ranges::find(after_[from], to) != after_[from].end()) return true;
    if (place_[from] > place_[to]) return false;
    ++search_;
    std::vector<NodeId> left{from};
    while (!left.empty()) {
      const NodeId v = left.back();
      left.pop_back();
      for (const NodeId w : after_[v]) {
        if (w == to) return true;
        if (place_[w] > place_[to] || seen_[w] == search_) continue;
        seen_[w] = search_;
        left.push_back(w);
      }
    }
    return false;
  }

  void add(NodeId from, NodeId to) {
    after_[from].push_back(to);
    if (place_[from] > place_[to]) set_places();
  }

 private:
  void set_places() {
    const auto order = topological_order(after_.size(), [this](NodeId v) -> const std::vector<NodeId>& { return after_[v]; });
    place_.resize(after_.size());
    for (std::size_t i = 0; i < order.size(); ++i) place_[order[i]] = i;
  }

  std::vector<std::vector<NodeId>> after_;
  std::vector<std::size_t> place_, seen_;
  std::size_t search_ = 0;
};

}  // namespace

std::vector<Stream> streams_of(std::span<const Node> nodes) {
  std::vector<Stream> streams;
  std::unordered_map<std::string_view, std::size_t> places;
  for (NodeId v = 0; v < nodes.size(); ++v) {
    if (nodes[v].stream.empty()) continue;
    const auto [place, fresh] = places.emplace(nodes[v].stream, streams.size());
    if (fresh) streams.push_back({nodes[v].stream, {}});
    streams[place->second].operations.push_back(v);
  }
  return streams;
}

std::optional<StreamFault> order_streams(std::span<const Node> nodes, std::vector<Edge>& edges) {
  const std::vector<Stream> streams = streams_of(nodes);
  if (streams.empty()) return std::nullopt;
  GrowingGraph graph(nodes.size(), edges);
  for (const Stream& stream : streams) {
    for (std::size_t i = 1; i < stream.operations.size(); ++i) {
      const NodeId first = stream.operations[i - 1], second = stream.operations[i];
      if (graph.leads(first, second)) continue;
      if (graph.leads(second, first)) return StreamFault{first, second};
      graph.add(first, second);
      edges.push_back({first, second, false});
    }
  }
  return std::nullopt;
}

}  // namespace rta
