#include "analysis/inequality/thread_inequality.hpp"

#include <vector>

namespace rta::analysis {

std::vector<Wide> visits(const ThreadEvidence& evidence, std::size_t body, std::size_t pieces) {
  std::vector<Wide> count(evidence.pools.size());
  for (std::size_t i = 0; i < pieces; ++i) {
    if (threads::queues(evidence.bodies[body], evidence.pools, i)) ++count[evidence.bodies[body].pieces[i].pool];
  }
  return count;
}

Inequality thread_inequality(const Proof& proof, const ThreadEvidence& evidence, const Bound& bound, DagId d) {
  const std::size_t b = evidence.place_of(d);
  const threads::Body& body = evidence.bodies[b];
  const std::size_t pieces = std::size_t{bound.basis.place} + 1;
  const auto order = proof.task_set->dags()[d].topological_order();
  Inequality result{.theorem = bound.basis.theorem, .path = {order.begin(), order.begin() + static_cast<std::ptrdiff_t>(pieces)}};
  Time alone;
  std::vector<Wide> rest(evidence.pools.size());  // of its own work, but for the last piece of each node
  for (std::size_t i = 0; i < pieces; ++i) {
    const threads::Piece& piece = body.pieces[i];
    alone += piece.e;
    rest[piece.pool] = checked_add(rest[piece.pool], checked_sub(piece.vol, piece.s));
  }
  result.terms.push_back({.cause = Cause::execution, .length = fine(alone)});
  result.total = fine(alone);
  const std::vector<Wide> count = visits(evidence, b, pieces);
  for (std::size_t p = 0; p < evidence.pools.size(); ++p) {
    const std::vector<Wide> others = evidence.holds.others(evidence.bodies, evidence.pools, b, p);
    Wide work = 0;
    for (std::size_t y = 0; y < evidence.bodies.size(); ++y) {
      const Wide ahead = checked_mul(count[p], checked_mul(others[y], evidence.holds.longest[y][p]));
      const Wide of = checked_add(ahead, y == b ? rest[p] : Wide{0});
      work = checked_add(work, of);
      if (of == 0) continue;
      result.terms.push_back({.cause = Cause::waiting,
                              .pool = evidence.system.pool_of[p],
                              .by = evidence.dag_at(y),
                              .length = fine_ceil(of, evidence.pools[p].rate)});
    }
    result.total += fine_ceil(work, evidence.pools[p].rate);
  }
  return result;
}

}  // namespace rta::analysis
