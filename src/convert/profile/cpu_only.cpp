#include <algorithm>
#include <map>

#include "union.hpp"

namespace rta::convert {

void keep_cpu_only(UnionGraph& graph) {
  const std::size_t n = graph.nodes.size();
  std::vector<std::vector<std::uint32_t>> before(n);
  for (const auto& [from, to] : graph.edges) before[to].push_back(from);
  // The last CPU node of each thread that a node follows, by GPU nodes alone: those before it come before it in their thread.
  std::vector<std::map<std::uint32_t, std::uint32_t>> follows(n);
  std::vector<std::uint32_t> index(n);
  std::vector<UnionNode> nodes;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::uint32_t v = 0; v < n; ++v) {
    std::map<std::uint32_t, std::uint32_t>& last = follows[v];
    const auto add = [&](std::uint32_t thread, std::uint32_t node) {
      auto [at, fresh] = last.emplace(thread, node);
      at->second = std::max(at->second, node);
    };
    for (const std::uint32_t u : before[v]) {
      if (graph.nodes[u].on_cpu) {
        add(graph.nodes[u].thread, index[u]);
      } else {
        for (const auto& [thread, node] : follows[u]) add(thread, node);
      }
    }
    if (!graph.nodes[v].on_cpu) continue;
    index[v] = static_cast<std::uint32_t>(nodes.size());
    for (const auto& [thread, node] : last) edges.emplace_back(node, index[v]);
    if (!graph.seen.empty()) graph.seen[nodes.size()] = graph.seen[v];
    nodes.push_back(graph.nodes[v]);
  }
  std::ranges::sort(edges);
  graph.nodes = std::move(nodes);
  if (!graph.seen.empty()) graph.seen.resize(graph.nodes.size());
  graph.edges = std::move(edges);
}

}  // namespace rta::convert
