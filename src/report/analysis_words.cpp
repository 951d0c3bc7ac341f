#include "analysis_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis_chains.hpp"
#include "rta/report/time_text.hpp"

namespace rta::report {
namespace {

/// Whether two bounds are equal and rest on the same theorem.
bool same_bound(const std::optional<analysis::Bound>& a, const std::optional<analysis::Bound>& b) {
  return a.has_value() == b.has_value() && (!a || (a->R == b->R && a->basis.theorem == b->basis.theorem));
}

bool same_result(const analysis::Proof& proof, DagId a, DagId b) {
  const auto dags = proof.task_set->dags();
  if (!dags[a].same_shape(dags[b]) || !same_bound(proof.dags[a].bound, proof.dags[b].bound)) return false;
  return std::ranges::equal(proof.dags[a].nodes, proof.dags[b].nodes, [](const auto& x, const auto& y) {
    return same_bound(x.bound, y.bound) && x.reference == y.reference && x.priority_point == y.priority_point && x.priority == y.priority &&
           x.segment == y.segment;
  });
}

}  // namespace

std::string unit_of(PoolKind kind) {
  switch (kind) {
    case PoolKind::cpu: return "processors";
    case PoolKind::gpu: return "G-threads";
    case PoolKind::engines: return "engines";
    case PoolKind::workers: return "workers";
  }
  return "";
}

std::string capacity_text(PoolKind kind, double capacity) {
  std::string unit = unit_of(kind);
  if (capacity == 1) unit.pop_back();
  return fmt::format("{} {}", number_text(capacity, 0), unit);
}

std::string verdict_sentence(const analysis::Analysis& analysis) {
  if (only_chains_miss(analysis)) return chains_sentence(analysis);
  const auto dags = analysis.proof.task_set->dags();
  std::size_t bounded = 0;
  std::size_t met = 0;
  std::size_t with_deadline = 0;
  for (DagId d = 0; d < dags.size(); ++d) {
    if (!analysis.proof.dags[d].bound) continue;
    ++bounded;
    if (!dags[d].deadline()) continue;
    ++with_deadline;
    if (analysis.proof.dags[d].meets(dags[d].deadline())) ++met;
  }
  const auto plural = [](std::size_t n) { return n == 1 ? "" : "s"; };
  switch (analysis.verdict) {
    case analysis::Verdict::schedulable:
      if (with_deadline == 0) return fmt::format("every response time is bounded ({} DAG{})", bounded, plural(bounded));
      return fmt::format("every response time is bounded, and {} of {} end-to-end deadline{} {} met", met, with_deadline,
                         plural(with_deadline), with_deadline == 1 ? "is" : "are");
    case analysis::Verdict::deadline_missed:
      return fmt::format("every response time is bounded, but only {} of {} end-to-end deadline{} {} met", met, with_deadline,
                         plural(with_deadline), with_deadline == 1 ? "is" : "are");
    case analysis::Verdict::unbounded:
      return fmt::format("{} of {} DAG{} {} no bound", dags.size() - bounded, dags.size(), plural(dags.size()),
                         dags.size() - bounded == 1 ? "has" : "have");
  }
  return "";
}

std::string description(const Pool& pool, const analysis::PoolProof& proof) {
  struct ByKind {
    std::string operator()(const CpuPool& cpu) const {
      std::string text = fmt::format("{} processor{}, {}{}", cpu.processors, cpu.processors == 1 ? "" : "s",
                                     cpu.preemptive ? "" : "non-preemptive ", to_string(cpu.scheduler));
      if (proof.deadline_monotonic) text += " (deadline monotonic, as no priorities are given)";
      if (cpu.scheduler == Scheduler::fp) text += cpu.equals == Equals::fifo ? ", equals by ready time" : ", equals in any order";
      return text;
    }
    std::string operator()(const GpuPool& gpu) const {
      return fmt::format("{}{} SM{} x {} G-threads", gpu.device.empty() ? "" : gpu.device + ", ", gpu.sms, gpu.sms == 1 ? "" : "s",
                         gpu.sm.threads);
    }
    std::string operator()(const EnginePool& engines) const {
      return fmt::format("{} copy engine{}", engines.engines, engines.engines == 1 ? "" : "s");
    }
    std::string operator()(const WorkerPool& workers) const { return fmt::format("{} workers", workers.workers); }
    const analysis::PoolProof& proof;
  };
  return std::visit(ByKind{proof}, pool.resource);
}

std::string outcome_text(const analysis::PolicyOutcome& outcome) {
  if (!outcome.verdict) return "not tried: " + outcome.reason;
  if (!outcome.largest_R) return "no bound: " + outcome.reason;
  return fmt::format("largest bound {}, {}", time_text(*outcome.largest_R), to_string(*outcome.verdict));
}

std::string path_text(const Dag& dag, const std::vector<NodeId>& path) {
  std::string text;
  for (NodeId v : path) text += (text.empty() ? "" : " -> ") + dag.nodes()[v].name;
  return text;
}

std::string outcome_of(const Dag& dag, const analysis::DagProof& proof) {
  if (!proof.bound) return "no bound";
  if (!dag.deadline()) return "bounded";
  return proof.meets(dag.deadline()) ? "met" : "MISSED";
}

std::optional<Time> offset_of(const analysis::Proof& proof, const analysis::NodeProof& node) {
  return proof.release == Release::completion ? std::nullopt : node.reference;
}

std::optional<Time> ends_by(const analysis::NodeProof& node) {
  if (!node.bound || !node.reference) return std::nullopt;
  return *node.reference + node.bound->R;
}

std::vector<KindOfDag> kinds_of_dags(const analysis::Proof& proof) {
  std::vector<KindOfDag> kinds;
  for (DagId d = 0; d < proof.dags.size(); ++d) {
    if (kinds.empty() || !same_result(proof, kinds.back().first, d)) kinds.push_back({d, d});
    kinds.back().last = d;
  }
  return kinds;
}

std::string shared_name(const analysis::Proof& proof, KindOfDag kind) {
  const auto dags = proof.task_set->dags();
  const std::string& first = dags[kind.first].name();
  return kind.first == kind.last ? first : first + " ... " + dags[kind.last].name();
}

}  // namespace rta::report
