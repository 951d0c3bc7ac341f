#include <variant>

#include "analysis/inequality/admission_inequality.hpp"
#include "analysis/inequality/executor_inequality.hpp"
#include "analysis/inequality/pool_inequality.hpp"
#include "analysis/inequality/reach_inequality.hpp"
#include "analysis/inequality/thread_inequality.hpp"
#include "analysis/inequality/window_inequality.hpp"
#include "analysis/path/critical_path.hpp"
#include "rta/analysis/inequality.hpp"
#include "rta/analysis/proof.hpp"

namespace rta::analysis {

Inequality inequality_of(const Proof& proof, const Bound& bound, std::size_t d, std::size_t v) {
  if (const auto* windows = std::get_if<WindowEvidence>(&proof.evidence[bound.basis.evidence]))
    return window_inequality(*windows, bound, d, v);
  if (const auto* reached = std::get_if<ReachEvidence>(&proof.evidence[bound.basis.evidence]))
    return reach_inequality(*reached, bound, d, v);
  if (const auto* held = std::get_if<ThreadEvidence>(&proof.evidence[bound.basis.evidence]))
    return thread_inequality(proof, *held, bound, d);
  if (const auto* admitted = std::get_if<AdmissionEvidence>(&proof.evidence[bound.basis.evidence]))
    return admission_inequality(*admitted, bound, d, v);
  if (const auto* executors = std::get_if<ExecutorEvidence>(&proof.evidence[bound.basis.evidence]))
    return executor_inequality(*executors, d, v);
  const auto* path = std::get_if<PathEvidence>(&proof.evidence[bound.basis.evidence]);
  if (path == nullptr) return pool_inequality(proof, bound, v);
  const PathSystem::Place& place = path->bounds.system.place[path->place_of(d)][v];
  const path::Derivations derivations = derivations_of(path->bounds);
  return path->bounds.bounds.support.empty() ? derivations.of(place.dag) : derivations.of(place.dag, place.node);
}

}  // namespace rta::analysis
