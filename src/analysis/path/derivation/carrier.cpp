#include "analysis/path/derivation/carrier.hpp"

#include <algorithm>
#include <vector>

#include "rta/model/error.hpp"

namespace rta::analysis {
namespace path {
namespace {

/// Whether the node or one before it is a kernel on a GPU with stream priorities.
bool waits_by_stream_priority(const System& system, std::size_t k, std::size_t of) {
  const auto is_such = [](const Pool& pool) { return pool.order == Order::fixed_kernels; };
  if (std::ranges::none_of(system.pools, is_such)) return false;
  const Dag& dag = system.dags[k];
  std::vector<bool> above(dag.nodes.size(), false);
  std::vector<std::size_t> open{of};
  above[of] = true;
  while (!open.empty()) {
    const std::size_t v = open.back();
    open.pop_back();
    if (is_such(system.pools[dag.nodes[v].pool])) return true;
    for (const Precedence& edge : dag.edges) {
      if (edge.to != v || above[edge.from]) continue;
      above[edge.from] = true;
      open.push_back(edge.from);
    }
  }
  return false;
}

Theorem sporadic_on(const Pool& pool) {
  if (pool.slices) return Theorem::T14j;
  if (pool.order == Order::fifo) return Theorem::T10j;
  return pool.order == Order::fixed ? Theorem::T11j : Theorem::T10g;
}

}  // namespace

std::size_t carrier(const System& system, const NodeBounds& bounds, std::size_t k, std::size_t v) {
  const auto& F = bounds.F[k];
  const auto& edges = system.dags[k].edges;
  while (bounds.support[k][v] == Support::successor) {
    const auto edge = std::ranges::find_if(edges, [&](const Precedence& e) { return e.from == v && F[e.to] == F[v]; });
    require(edge != edges.end(), "an end that a successor lends is that successor's");
    v = edge->to;
  }
  return v;
}

Theorem theorem_of(const System& system, Support by, std::size_t k, std::size_t v, bool release_jitter) {
  switch (by) {
    case Support::path:
    case Support::given:
    case Support::successor: return release_jitter ? Theorem::T12 : Theorem::T10n;
    case Support::fixed:
      if (release_jitter) return Theorem::T12;
      return waits_by_stream_priority(system, k, v) ? Theorem::T11g : Theorem::T11;
    case Support::late: return release_jitter ? Theorem::T12j : sporadic_on(system.pools[system.dags[k].nodes[v].pool]);
    case Support::aligned: return Theorem::T10a;
    case Support::overlapped: return Theorem::T10v;
    case Support::carried: return Theorem::T10c;
    case Support::sliced: return Theorem::T14;
    case Support::parallel: return Theorem::T10p;
    case Support::fitting: return release_jitter ? Theorem::T12w : Theorem::T10w;
    case Support::families: return release_jitter ? Theorem::T12m : Theorem::T10m;
    case Support::visit: return system.pools[system.dags[k].nodes[v].pool].order == Order::fifo ? Theorem::T23 : Theorem::T24;
    case Support::under_way: return Theorem::T10f;
    case Support::upstream: return Theorem::T39;
    case Support::whole: return release_jitter ? Theorem::T12d : Theorem::T10d;
  }
  throw_defect("every support has a theorem");
}

}  // namespace path

PathSystem::Place carrier(const SegmentBounds& bounds, PathSystem::Place place) {
  if (bounds.bounds.support.empty()) return place;
  return {place.dag, path::carrier(bounds.system.system, bounds.bounds, place.dag, place.node)};
}

Theorem theorem_of(const SegmentBounds& bounds, const PathSystem::Place& place, bool release_jitter) {
  const auto& support = bounds.bounds.support;
  if (support.empty()) return Theorem::T10;
  const PathSystem::Place by = carrier(bounds, place);
  return path::theorem_of(bounds.system.system, support[by.dag][by.node], by.dag, by.node, release_jitter);
}

}  // namespace rta::analysis
