#include "analysis/inequality/admission_inequality.hpp"

#include <vector>

namespace rta::analysis {

Inequality admission_inequality(const AdmissionEvidence& evidence, const Bound& bound, DagId d, NodeId v) {
  const std::size_t k = evidence.place_of(d);
  Inequality result{.theorem = bound.basis.theorem, .path = admission::path_to(evidence.of, evidence.pools, evidence.holds, k, v)};
  const std::size_t dags = evidence.of.size();
  std::vector<Wide> work(evidence.pools.size() * dags);  // pool, DAG
  Time alone;
  for (const std::size_t q : result.path) {
    const admission::Node& node = evidence.of[k].nodes[q];
    const bool waits = evidence.holds.waits(evidence.of, evidence.pools, k, q);
    Wide of_node = 0;
    for (std::size_t e = 0; e < dags; ++e) {
      const admission::Hold& hold = evidence.holds.dags[e];
      Wide of = waits ? checked_mul(hold.jobs - (e == k ? 1 : 0), hold.fronts[node.pool].work) : Wide{0};
      if (e == k) of = checked_add(of, checked_add(waits ? hold.beside[q].work : Wide{0}, checked_sub(node.vol, node.s)));
      work[node.pool * dags + e] = checked_add(work[node.pool * dags + e], of);
      of_node = checked_add(of_node, of);
    }
    alone += node.e;
    result.total += fine(node.e) + fine_ceil(of_node, evidence.pools[node.pool].rate);
  }
  result.terms.push_back({.cause = Cause::execution, .length = fine(alone)});
  for (std::size_t p = 0; p < evidence.pools.size(); ++p) {
    for (std::size_t e = 0; e < dags; ++e) {
      const Wide of = work[p * dags + e];
      if (of == 0) continue;
      result.terms.push_back({.cause = Cause::waiting,
                              .pool = evidence.system.pool_of[p],
                              .by = evidence.dag_at(e),
                              .length = fine_ceil(of, evidence.pools[p].rate)});
    }
  }
  return result;
}

}  // namespace rta::analysis
