#include "rta/analysis/history.hpp"

#include <algorithm>

#include "rta/analysis/in_flight.hpp"

namespace rta::analysis {

HistoryMargin history_margin(const Proof& proof, DagId d, const HistoryEdge& edge) {
  const Dag& dag = proof.task_set->dags()[d];
  const NodeProof& from = proof.dags[d].nodes[edge.from];
  const NodeProof& to = proof.dags[d].nodes[edge.to];
  HistoryMargin margin;
  if (from.bound && from.reference) margin.F = *from.reference + from.bound->R;
  const bool after_reference = proof.release == Release::offsets || proof.release == Release::segments;
  if (after_reference && to.bound && to.reference) margin.ready = *to.reference;
  const Wide distance = checked_mul(Wide{edge.jobs}, Wide{dag.nominal_period().count()}) - dag.attributes().jitter.count();
  margin.within = checked_add(distance, Wide{margin.ready.count()});
  margin.alone = dag.attributes().in_flight == 1U;
  return margin;
}

std::optional<HistoryEdge> first_that_may_delay(const Proof& proof, DagId d) {
  const auto history = proof.task_set->dags()[d].history();
  const auto delays = [&](const HistoryEdge& edge) { return !history_margin(proof, d, edge).never_delays(); };
  const auto first = std::ranges::find_if(history, delays);
  return first == history.end() ? std::nullopt : std::optional(*first);
}

std::optional<std::int64_t> buffers(const Proof& proof, DagId d, const HistoryEdge& edge) {
  const auto at_once = buffers(proof, d, Edge{edge.from, edge.to, false});
  return at_once ? std::optional(*at_once + edge.jobs) : std::nullopt;
}

std::string_view stream_of(const Dag& dag, const HistoryEdge& edge) {
  const auto& after = dag.attributes().after;
  if (std::ranges::find(after, edge) != after.end()) return {};
  return dag.nodes()[edge.to].stream;
}

}  // namespace rta::analysis
