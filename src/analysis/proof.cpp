#include "rta/analysis/proof.hpp"

#include "rta/analysis/deadlines.hpp"

namespace rta::analysis {

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::schedulable: return "schedulable";
    case Verdict::deadline_missed: return "deadline-missed";
    case Verdict::unbounded: return "unbounded";
  }
  return "";
}

Verdict verdict_of(const Proof& proof) {
  Verdict verdict = Verdict::schedulable;
  for (DagId d = 0; d < proof.dags.size(); ++d) {
    if (!proof.dags[d].bound) return Verdict::unbounded;
    if (!meets_deadlines(proof, d)) verdict = Verdict::deadline_missed;
  }
  return verdict;
}

const NoBound* why_unbounded(const Proof& proof) {
  for (const PoolProof& pool : proof.pools) {
    if (pool.none) return &*pool.none;
  }
  return nullptr;
}

const NoBound* why_unbounded(const Proof& proof, DagId d) {
  for (const Node& node : proof.task_set->dags()[d].nodes()) {
    const PoolProof& pool = proof.pools[node.pool];
    if (pool.none) return &*pool.none;
  }
  return nullptr;
}

}  // namespace rta::analysis
