#include "rta/analysis/in_flight.hpp"

#include <algorithm>

namespace rta::analysis {
namespace {

/// Releases in an interval of this length that is open at one end: of k of them the first and the last are (k - 1) T - J apart or more.
std::int64_t at_once(Time length, const Dag& dag) {
  const Wide within = Wide{length.count()} + dag.attributes().jitter.count();
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(ceil_div(within, Wide{dag.nominal_period().count()})));
}

}  // namespace

std::optional<std::int64_t> jobs_in_flight(const Proof& proof, DagId d) {
  const auto& bound = proof.dags[d].bound;
  return bound ? std::optional(at_once(bound->R, proof.task_set->dags()[d])) : std::nullopt;
}

std::optional<Time> from_admission(const Proof& proof, DagId d) {
  if (const auto& bound = proof.dags[d].bound) return bound->R;
  for (const Evidence& evidence : proof.evidence) {
    const auto* const admitted = std::get_if<AdmissionEvidence>(&evidence);
    if (admitted == nullptr) continue;
    const DagId place = admitted->place_of(d);
    if (place < admitted->holds.dags.size()) return admitted->holds.dags[place].H;
  }
  return std::nullopt;
}

std::optional<std::int64_t> buffers(const Proof& proof, DagId d, const Edge& edge) {
  const NodeProof& from = proof.dags[d].nodes[edge.from];
  const NodeProof& to = proof.dags[d].nodes[edge.to];
  if (!to.bound || !to.reference) return std::nullopt;
  const bool at_offset = proof.release == Release::offsets || proof.release == Release::segments || proof.release == Release::grouped;
  const Time S = at_offset && from.reference ? *from.reference : Time::zero();
  return at_once(*to.reference + to.bound->R - S, proof.task_set->dags()[d]);
}

}  // namespace rta::analysis
