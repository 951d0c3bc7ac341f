#include "analysis/path/carrier.hpp"

#include <algorithm>

#include "rta/model/error.hpp"

namespace rta::analysis {

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
  if (bounds.bounds.support.empty()) return Theorem::T10;
  const PathSystem::Place by = carrier(bounds, place);
  const path::Support support = bounds.bounds.support[by.dag][by.node];
  if (support == path::Support::aligned) return Theorem::T10a;
  if (support == path::Support::overlapped) return Theorem::T10v;
  if (support == path::Support::carried) return Theorem::T10c;
  if (support == path::Support::sliced) return Theorem::T14;
  if (support == path::Support::parallel) return Theorem::T10p;
  if (support == path::Support::fitting) return Theorem::T10w;
  if (support == path::Support::families) return Theorem::T10m;
  if (path::has_release_jitter(bounds.system.system)) return Theorem::T12;
  if (support == path::Support::fixed) return Theorem::T11;
  if (support != path::Support::late) return Theorem::T10n;
  const path::System& system = bounds.system.system;
  const path::Pool& pool = system.pools[system.dags[by.dag].nodes[by.node].pool];
  if (pool.slices) return Theorem::T14j;
  if (pool.order == path::Order::fifo) return Theorem::T10j;
  return pool.order == path::Order::fixed ? Theorem::T11j : Theorem::T10g;
}

}  // namespace rta::analysis
