#include "analysis_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rta/report/time_text.hpp"

namespace rta::report {
namespace {

bool same_result(const analysis::Analysis& analysis, DagId a, DagId b) {
  const auto dags = analysis.task_set->dags();
  if (!dags[a].same_shape(dags[b]) || analysis.dags[a].R != analysis.dags[b].R) return false;
  return std::ranges::equal(analysis.dags[a].nodes, analysis.dags[b].nodes, [](const auto& x, const auto& y) {
    return x.R == y.R && x.offset == y.offset && x.priority_point == y.priority_point && x.theorem == y.theorem && x.segment == y.segment;
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
  const auto dags = analysis.task_set->dags();
  std::size_t bounded = 0;
  std::size_t met = 0;
  std::size_t with_deadline = 0;
  for (DagId d = 0; d < dags.size(); ++d) {
    if (!analysis.dags[d].R) continue;
    ++bounded;
    if (!dags[d].deadline()) continue;
    ++with_deadline;
    if (analysis.dags[d].meets(dags[d].deadline())) ++met;
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

std::string description(const Pool& pool) {
  if (const auto* cpu = std::get_if<CpuPool>(&pool.resource)) {
    return fmt::format("{} processor{}, {}{}", cpu->processors, cpu->processors == 1 ? "" : "s", cpu->preemptive ? "" : "non-preemptive ",
                       to_string(cpu->scheduler));
  }
  if (const auto* gpu = std::get_if<GpuPool>(&pool.resource)) {
    return fmt::format("{}{} SM{} x {} G-threads", gpu->device.empty() ? "" : gpu->device + ", ", gpu->sms, gpu->sms == 1 ? "" : "s",
                       gpu->sm.threads);
  }
  if (const auto* engines = std::get_if<EnginePool>(&pool.resource)) {
    return fmt::format("{} copy engine{}", engines->engines, engines->engines == 1 ? "" : "s");
  }
  return fmt::format("{} workers", std::get<WorkerPool>(pool.resource).workers);
}

std::string outcome_text(const analysis::PolicyOutcome& outcome) {
  if (!outcome.tried) return "not tried: " + outcome.reason;
  if (!outcome.largest_R) return "no bound: " + outcome.reason;
  return fmt::format("largest bound {}, {}", time_text(*outcome.largest_R), to_string(outcome.verdict));
}

std::string path_text(const Dag& dag, const std::vector<NodeId>& path) {
  std::string text;
  for (NodeId v : path) text += (text.empty() ? "" : " -> ") + dag.nodes()[v].name;
  return text;
}

std::string outcome_of(const Dag& dag, const analysis::DagBound& bound) {
  if (!bound.R) return "no bound";
  if (!dag.deadline()) return "bounded";
  return bound.meets(dag.deadline()) ? "met" : "MISSED";
}

std::optional<Time> ends_by(const analysis::Analysis& analysis, const analysis::NodeBound& node) {
  if (!node.R || (!node.offset && analysis.release != analysis::ReleasePolicy::completion)) return std::nullopt;
  return node.offset.value_or(Time::zero()) + *node.R;
}

std::vector<KindOfDag> kinds_of_dags(const analysis::Analysis& analysis) {
  std::vector<KindOfDag> kinds;
  for (DagId d = 0; d < analysis.dags.size(); ++d) {
    if (kinds.empty() || !same_result(analysis, kinds.back().first, d)) kinds.push_back({d, d});
    kinds.back().last = d;
  }
  return kinds;
}

std::string shared_name(const analysis::Analysis& analysis, KindOfDag kind) {
  const auto dags = analysis.task_set->dags();
  const std::string& first = dags[kind.first].name();
  return kind.first == kind.last ? first : first + " ... " + dags[kind.last].name();
}

}  // namespace rta::report
