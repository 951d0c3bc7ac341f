#include "streams.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include "yaml.hpp"

namespace checker {
namespace {

bool leads(const std::vector<std::vector<std::size_t>>& after, std::size_t from, std::size_t to) {
  std::vector<bool> seen(after.size());
  std::vector<std::size_t> left{from};
  while (!left.empty()) {
    const std::size_t v = left.back();
    left.pop_back();
    for (const std::size_t w : after[v]) {
      if (w == to) return true;
      if (!seen[w]) left.push_back(w);
      seen[w] = true;
    }
  }
  return false;
}

}  // namespace

bool has_edge(const Dag& dag, const HistoryEdge& edge) {
  return std::any_of(dag.history.begin(), dag.history.end(),
                     [&](const HistoryEdge& other) { return other.from == edge.from && other.to == edge.to && other.jobs == edge.jobs; });
}

void follow_streams(Dag& dag, const std::vector<Pool>& pools, const yaml_node_t& at) {
  std::vector<std::vector<std::size_t>> streams;
  std::map<std::string_view, std::size_t> place;
  for (std::size_t v = 0; v < dag.nodes.size(); ++v) {
    const Node& node = dag.nodes[v];
    if (node.stream.empty()) continue;
    const auto [stream, fresh] = place.emplace(node.stream, streams.size());
    if (fresh) streams.emplace_back();
    streams[stream->second].push_back(v);
  }
  if (streams.empty()) return;
  std::vector<std::vector<std::size_t>> after(dag.nodes.size());
  for (std::size_t v = 0; v < dag.nodes.size(); ++v) {
    for (const std::size_t u : dag.nodes[v].before) after[u].push_back(v);
  }
  for (const auto& stream : streams) {
    std::optional<std::size_t> kernel;
    for (std::size_t i = 0; i < stream.size(); ++i) {
      const Node& node = dag.nodes[stream[i]];
      if (pools[node.pool].kind == Kind::gpu) {
        if (kernel && dag.nodes[*kernel].pool != node.pool) fail(at, "a stream has kernels on two GPUs");
        kernel = stream[i];
      }
      if (i == 0 || leads(after, stream[i - 1], stream[i])) continue;
      if (leads(after, stream[i], stream[i - 1])) fail(at, "a stream's order is against the edges");
      after[stream[i - 1]].push_back(stream[i]);
      dag.nodes[stream[i]].before.push_back(stream[i - 1]);
    }
    const HistoryEdge again{stream.back(), stream.front(), 1};
    if (!has_edge(dag, again)) dag.history.push_back(again);
  }
}

}  // namespace checker
