#include "analysis/path/derivation/carrier.hpp"

#include <algorithm>
#include <vector>

#include "rta/model/error.hpp"

namespace rta::analysis {
namespace {

/// Whether the node or one before it is a kernel on a GPU with stream priorities.
bool waits_by_stream_priority(const path::System& system, const PathSystem::Place& place) {
  const auto is_such = [](const path::Pool& pool) { return pool.order == path::Order::fixed_kernels; };
  if (std::ranges::none_of(system.pools, is_such)) return false;
  const path::Dag& dag = system.dags[place.dag];
  std::vector<bool> above(dag.nodes.size(), false);
  std::vector<std::size_t> open{place.node};
  above[place.node] = true;
  while (!open.empty()) {
    const std::size_t v = open.back();
    open.pop_back();
    if (is_such(system.pools[dag.nodes[v].pool])) return true;
    for (const path::Precedence& edge : dag.edges) {
      if (edge.to != v || above[edge.from]) continue;
      above[edge.from] = true;
      open.push_back(edge.from);
    }
  }
  return false;
}

}  // namespace

PathSystem::Place carrier(const SegmentBounds& bounds, PathSystem::Place place) {
  const auto& support = bounds.bounds.support;
  if (support.empty()) return place;
  const auto& F = bounds.bounds.F[place.dag];
  const auto& edges = bounds.system.system.dags[place.dag].edges;
  while (support[place.dag][place.node] == path::Support::successor) {
    const auto edge =
        std::ranges::find_if(edges, [&](const path::Precedence& e) { return e.from == place.node && F[e.to] == F[place.node]; });
    require(edge != edges.end(), "an end that a successor lends is that successor's");
    place.node = edge->to;
  }
  return place;
}

Theorem theorem_of(const SegmentBounds& bounds, const PathSystem::Place& place) {
  return theorem_of(bounds, place, path::has_release_jitter(bounds.system.system));
}

Theorem theorem_of(const SegmentBounds& bounds, const PathSystem::Place& place, bool release_jitter) {
  if (bounds.bounds.support.empty()) return Theorem::T10;
  const PathSystem::Place by = carrier(bounds, place);
  const path::Support support = bounds.bounds.support[by.dag][by.node];
  if (support == path::Support::aligned) return Theorem::T10a;
  if (support == path::Support::overlapped) return Theorem::T10v;
  if (support == path::Support::carried) return Theorem::T10c;
  if (support == path::Support::sliced) return Theorem::T14;
  if (support == path::Support::parallel) return Theorem::T10p;
  if (support == path::Support::whole) return release_jitter ? Theorem::T12d : Theorem::T10d;
  if (support == path::Support::fitting) return release_jitter ? Theorem::T12w : Theorem::T10w;
  if (support == path::Support::families) return release_jitter ? Theorem::T12m : Theorem::T10m;
  if (release_jitter) return support == path::Support::late ? Theorem::T12j : Theorem::T12;
  if (support == path::Support::fixed) {
    return waits_by_stream_priority(bounds.system.system, by) ? Theorem::T11g : Theorem::T11;
  }
  if (support != path::Support::late) return Theorem::T10n;
  const path::System& system = bounds.system.system;
  const path::Pool& pool = system.pools[system.dags[by.dag].nodes[by.node].pool];
  if (pool.slices) return Theorem::T14j;
  if (pool.order == path::Order::fifo) return Theorem::T10j;
  return pool.order == path::Order::fixed ? Theorem::T11j : Theorem::T10g;
}

}  // namespace rta::analysis
