#include <algorithm>
#include <numeric>

#include "union.hpp"

namespace rta::convert {
namespace {

// Neighbours of nodes, as they are before anything is fused.
struct Neighbours {
  explicit Neighbours(const UnionGraph& graph) : before(graph.nodes.size()), after(graph.nodes.size()) {
    for (const auto& [from, to] : graph.edges) {
      after[from].push_back(to);
      before[to].push_back(from);
    }
  }
  std::vector<std::vector<std::uint32_t>> before, after;
};

bool equal_kernels(const UnionGraph& graph, const UnionNode& a, const UnionNode& b) {
  if (a.on_cpu || b.on_cpu) return false;
  const GpuOperation &x = graph.operation(a), &y = graph.operation(b);
  return x.kind == GpuOperation::Kind::kernel && y.kind == x.kind && x.name == y.name && x.device == y.device && x.context == y.context &&
         x.stream == y.stream && x.B == y.B && x.H == y.H && x.registers == y.registers && x.shared_memory == y.shared_memory &&
         x.priority == y.priority && x.green == y.green && a.jobs == b.jobs;
}

// The CPU step that launches a kernel: its only predecessor on the CPU.
std::uint32_t launcher(const UnionGraph& graph, const Neighbours& near, std::uint32_t kernel) {
  std::uint32_t found = no_index;
  for (const std::uint32_t u : near.before[kernel]) {
    if (!graph.nodes[u].on_cpu) continue;
    if (found != no_index) return no_index;
    found = u;
  }
  return found;
}

// Whether kernel `b` comes straight after kernel `a`: in the same stream, launched by the next CPU step of the same thread, with nothing
// else that waits for `a` or that `b` or its launcher wait for.
bool follows_alone(const UnionGraph& graph, const Neighbours& near, std::uint32_t a, std::uint32_t b) {
  if (near.after[a] != std::vector{b}) return false;
  const std::uint32_t launch_a = launcher(graph, near, a), launch_b = launcher(graph, near, b);
  if ((launch_a == no_index) != (launch_b == no_index)) return false;
  if (launch_a == no_index) return near.before[b] == std::vector{a};
  std::vector<std::uint32_t> expected{a, launch_b}, after{a, launch_b};
  std::ranges::sort(expected);
  std::ranges::sort(after);
  return near.before[b] == expected && near.after[launch_a] == after && near.before[launch_b] == std::vector{launch_a};
}

void join(UnionNode& all, const UnionNode& one) {
  all.span.least = checked_add(all.span.least, one.span.least);
  all.span.most = checked_add(all.span.most, one.span.most);
  all.span.likeliest = checked_add(all.span.likeliest, one.span.likeliest);
  all.alone = all.alone < 0 || one.alone < 0 ? -1 : checked_add(all.alone, one.alone);
  all.fused += one.fused;
}

void join(UnionGraph& graph, std::uint32_t all, std::uint32_t one) {
  join(graph.nodes[all], graph.nodes[one]);
  if (!graph.seen.empty()) graph.seen[all].insert(graph.seen[all].end(), graph.seen[one].begin(), graph.seen[one].end());
}

}  // namespace

std::size_t fuse(UnionGraph& graph, std::int64_t longest) {
  const Neighbours near(graph);
  std::vector<std::uint32_t> into(graph.nodes.size());  // the first of the run that a node is fused into
  std::iota(into.begin(), into.end(), 0U);
  std::size_t gone = 0;
  for (std::uint32_t a = 0; a < graph.nodes.size(); ++a) {
    if (near.after[a].size() != 1) continue;
    const std::uint32_t b = near.after[a].front();
    if (!equal_kernels(graph, graph.nodes[a], graph.nodes[b]) || graph.nodes[b].span.most > longest) continue;
    // The kernel at hand has been joined into the first of its run, whose span says nothing of it any more.
    if (into[a] == a && graph.nodes[a].span.most > longest) continue;
    if (!follows_alone(graph, near, a, b)) continue;
    into[b] = into[a];
    join(graph, into[a], b);
    if (const std::uint32_t launch = launcher(graph, near, b); launch != no_index) {
      const std::uint32_t first = into[launcher(graph, near, a)];
      into[launch] = first;
      join(graph, first, launch);
    }
    ++gone;
  }
  if (gone == 0) return 0;
  std::vector<std::uint32_t> index(graph.nodes.size());
  std::uint32_t kept = 0;
  for (std::uint32_t v = 0; v < graph.nodes.size(); ++v) {
    if (into[v] != v) continue;
    index[v] = kept;
    graph.nodes[kept] = graph.nodes[v];
    if (!graph.seen.empty() && kept != v) graph.seen[kept] = std::move(graph.seen[v]);
    ++kept;
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (const auto& [from, to] : graph.edges) {
    if (into[from] != into[to]) edges.emplace_back(index[into[from]], index[into[to]]);
  }
  std::ranges::sort(edges);
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  graph.nodes.resize(kept);
  if (!graph.seen.empty()) graph.seen.resize(kept);
  graph.edges = std::move(edges);
  return gone;
}

}  // namespace rta::convert
