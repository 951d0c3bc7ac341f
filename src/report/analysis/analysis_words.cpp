#include "analysis_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "analysis_chains.hpp"
#include "report/parts/times.hpp"
#include "rta/analysis/deadlines.hpp"
#include "rta/analysis/history.hpp"
#include "rta/analysis/in_flight.hpp"
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

namespace {

/// `2 of 3 end-to-end deadlines and 1 of 1 deadline of single nodes are`; empty where none is given.
std::string deadlines_met(const analysis::Proof& proof) {
  const auto end_to_end = end_to_end_deadlines(proof);
  const auto own = own_deadlines(proof);
  std::string text;
  if (end_to_end.given > 0) {
    text = fmt::format("{} of {} end-to-end deadline{}", end_to_end.met, end_to_end.given, end_to_end.given == 1 ? "" : "s");
  }
  if (own.given > 0) {
    text +=
        fmt::format("{}{} of {} deadline{} of single nodes", text.empty() ? "" : " and ", own.met, own.given, own.given == 1 ? "" : "s");
  }
  if (!text.empty()) text += end_to_end.given + own.given == 1 ? " is" : " are";
  return text;
}

}  // namespace

std::string verdict_sentence(const analysis::Analysis& analysis) {
  if (only_chains_miss(analysis)) return chains_sentence(analysis);
  const auto dags = analysis.proof.task_set->dags();
  const std::string met = deadlines_met(analysis.proof);
  std::size_t bounded = 0;
  for (DagId d = 0; d < dags.size(); ++d) {
    if (analysis.proof.dags[d].bound) ++bounded;
  }
  const auto plural = [](std::size_t n) { return n == 1 ? "" : "s"; };
  switch (analysis.verdict) {
    case analysis::Verdict::schedulable:
      if (met.empty()) return fmt::format("every response time is bounded ({} DAG{}); no deadline given", bounded, plural(bounded));
      return "every response time is bounded, and " + met + " met";
    case analysis::Verdict::deadline_missed: return "every response time is bounded, but only " + met + " met";
    case analysis::Verdict::unbounded:
      return fmt::format("{} of {} DAG{} {} no bound", dags.size() - bounded, dags.size(), plural(dags.size()),
                         dags.size() - bounded == 1 ? "has" : "have");
  }
  return "";
}

std::string machine_checked_in_words(const analysis::MachineChecked& checked, bool names) {
  if (checked.bounds == 0) return {};
  if (checked.all()) return "every bound rests on machine-checked theorems";
  if (!checked.outside.empty())
    return fmt::format("no bound is machine-checked, as the model of the proofs leaves this out: {}", fmt::join(checked.outside, "; "));
  std::size_t others = 0;
  std::vector<std::string> by;
  for (const analysis::Unchecked& one : checked.others) {
    others += one.bounds;
    by.push_back(fmt::format("{}{}{} ({})", to_string(one.theorem), one.form.empty() ? "" : " ", one.form, one.bounds));
  }
  return fmt::format("{} of {} nodes' bounds rest on theorems with written proofs that no machine has checked{}", others, checked.bounds,
                     names ? fmt::format(": {}", fmt::join(by, ", ")) : std::string());
}

std::string description(const Pool& pool, const analysis::PoolProof& proof) {
  struct ByKind {
    std::string operator()(const CpuPool& cpu) const {
      std::string text =
          fmt::format("{} processor{}, {}{}", cpu.processors, cpu.processors == 1 ? "" : "s",
                      cpu.preemptive || is_wait_set(cpu) || is_multi_threaded(cpu) ? "" : "non-preemptive ", to_string(cpu.scheduler));
      if (proof.deadline_monotonic) text += " (deadline monotonic, as no priorities are given)";
      if (cpu.scheduler == Scheduler::fp) text += cpu.equals == Equals::fifo ? ", equals by ready time" : ", equals in any order";
      if (cpu.simultaneous == Simultaneous::before_starts) text += ", ends and releases of an instant before its starts";
      if (cpu.callbacks) text += ", callbacks";
      if (cpu.reservation) text += fmt::format(", {} of every {}", time_text(cpu.reservation->runtime), time_text(cpu.reservation->period));
      return text;
    }
    std::string operator()(const GpuPool& gpu) const {
      const std::string of = gpu.partition ? fmt::format(" of {} ({})", gpu.partition->of, to_string(gpu.partition->kind)) : std::string();
      return fmt::format("{}{} SM{}{} x {} G-threads", gpu.device.empty() ? "" : gpu.device + ", ", gpu.sms, gpu.sms == 1 ? "" : "s", of,
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
  return fmt::format("largest bound {}, {}", rounded_text(*outcome.largest_R), to_string(*outcome.verdict));
}

std::string forgone_in_words(const analysis::Analysis& analysis) {
  if (!analysis.forgone) return {};
  const analysis::Forgone& forgone = *analysis.forgone;
  const bool sum = forgone.objective == analysis::Objective::sum;
  const char* what = "a largest lateness";
  if (sum) what = analysis.proof.dags.size() == 1 ? "a bound" : "a sum of bounds";
  const std::string percent = forgone.percent > 0 ? fmt::format("{} %", forgone.percent) : std::string("under 1 %");
  const int digits = digits_that_tell({Beside{forgone.here, forgone.there}});
  return fmt::format("{} needs less at run time; {} would give {} of {} for {}, {}", to_string(analysis.proof.release),
                     to_string(forgone.release), what, rounded_text(forgone.there, digits), rounded_text(forgone.here, digits),
                     sum ? percent + " less" : "less by " + percent + " of the latest DAG's bound");
}

std::string dear_theorems_in_words(const analysis::Proof& proof) {
  std::vector<std::string_view> names;
  for (const analysis::LeftOut& one : proof.left_out) {
    for (const analysis::Theorem theorem : one.theorems) {
      if (std::ranges::find(names, to_string(theorem)) == names.end()) names.push_back(to_string(theorem));
    }
  }
  if (names.empty()) return {};
  return fmt::format("bounds hold, and may be larger than need be: {} would take long, and {} left out, whole or in part",
                     fmt::join(names, ", "), names.size() == 1 ? "was" : "were");
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

std::string optional_bound(const std::optional<analysis::Bound>& bound, const std::optional<Time>& limit) {
  return bound ? bound_text(bound->R, limit) : "-";
}

std::string lateness_text(const Dag& dag, const std::optional<analysis::Bound>& bound) {
  return bound && dag.deadline() ? rounded_text(bound->R - *dag.deadline()) : "-";
}

std::optional<Time> offset_of(const analysis::Proof& proof, const analysis::NodeProof& node) {
  const bool by_predecessors = proof.release == Release::completion || proof.release == Release::fixed_order;
  return by_predecessors ? std::nullopt : node.reference;
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

std::vector<KindOfDag> worst_first(const analysis::Proof& proof) {
  std::vector<KindOfDag> kinds = kinds_of_dags(proof);
  const auto lateness = [&](const KindOfDag& kind) {
    const auto& bound = proof.dags[kind.first].bound;
    const auto D = proof.task_set->dags()[kind.first].deadline();
    if (!bound) return std::numeric_limits<std::int64_t>::max();
    return D ? bound->R.count() - D->count() : std::numeric_limits<std::int64_t>::min();
  };
  std::ranges::stable_sort(kinds, std::greater<>(), lateness);
  return kinds;
}

ShownDags shown_dags(const analysis::Proof& proof, bool all) {
  constexpr std::size_t many = 20, worst = 10;
  ShownDags shown{all ? kinds_of_dags(proof) : worst_first(proof)};
  if (!all && shown.kinds.size() > many) {
    for (auto kind = shown.kinds.begin() + worst; kind != shown.kinds.end(); ++kind) shown.left_out += kind->last - kind->first + 1;
    shown.kinds.resize(worst);
  }
  std::ranges::sort(shown.kinds, {}, &KindOfDag::first);
  return shown;
}

std::string left_out_in_words(const ShownDags& shown) {
  if (shown.left_out == 0) return {};
  return fmt::format("{} more DAG{}, none of them worse: --all shows {}", shown.left_out, shown.left_out == 1 ? "" : "s",
                     shown.left_out == 1 ? "it" : "them");
}

std::string shared_name(const analysis::Proof& proof, KindOfDag kind) {
  const auto dags = proof.task_set->dags();
  const std::string& first = dags[kind.first].name();
  return kind.first == kind.last ? first : first + " ... " + dags[kind.last].name();
}

std::vector<std::vector<std::string>> dag_rows(const analysis::Proof& proof, const std::vector<KindOfDag>& kinds) {
  std::vector<std::vector<std::string>> rows{{"DAG", "bound", "deadline", "lateness", "verdict"}};
  for (const KindOfDag& kind : kinds) {
    const Dag& dag = proof.task_set->dags()[kind.first];
    const auto& bound = proof.dags[kind.first].bound;
    rows.push_back({shared_name(proof, kind), optional_bound(bound, dag.deadline()), optional_time(dag.deadline()),
                    lateness_text(dag, bound), outcome_of(dag, proof.dags[kind.first])});
  }
  return rows;
}

std::vector<std::vector<std::string>> in_flight_rows(const analysis::Proof& proof) {
  const bool limited = first_limited(proof.task_set->dags()).has_value();
  std::vector<std::vector<std::string>> rows{{"DAG", "jobs at once", "buffers per edge"}};
  if (limited) rows.front().emplace_back("limit");
  for (const KindOfDag& kind : kinds_of_dags(proof)) {
    const auto jobs = jobs_in_flight(proof, kind.first);
    const auto& limit = proof.task_set->dags()[kind.first].attributes().in_flight;
    if (!jobs && limit) {
      const auto H = from_admission(proof, kind.first);
      rows.push_back({shared_name(proof, kind), "-", "-",
                      fmt::format("{}, jobs may wait to be admitted{}", *limit,
                                  H ? fmt::format(", and end within {} of that", rounded_text(*H)) : "")});
    }
    if (!jobs || (*jobs < 2 && !limit)) continue;
    const auto edges = proof.task_set->dags()[kind.first].edges();
    std::int64_t least = *jobs;
    std::int64_t most = 0;
    for (const Edge& edge : edges) {
      const std::int64_t needed = buffers(proof, kind.first, edge).value_or(*jobs);
      least = std::min(least, needed);
      most = std::max(most, needed);
    }
    rows.push_back({shared_name(proof, kind), fmt::format("{}", *jobs),
                    edges.empty()   ? "-"
                    : least == most ? fmt::format("{}", most)
                                    : fmt::format("{} to {}", least, most)});
    if (limited) rows.back().push_back(limit ? fmt::format("{}, no job ever waits to be admitted", *limit) : "-");
  }
  return rows;
}

std::vector<std::vector<std::string>> history_rows(const analysis::Proof& proof) {
  constexpr std::size_t most = 20;
  std::vector<std::vector<std::string>> rows{{"DAG", "node", "waits for", "ended by", "no later than", "buffers", "delays"}};
  std::size_t left_out = 0;
  for (const KindOfDag& kind : kinds_of_dags(proof)) {
    const Dag& dag = proof.task_set->dags()[kind.first];
    for (const HistoryEdge& edge : dag.history()) {
      if (rows.size() > most) {
        ++left_out;
        continue;
      }
      const analysis::HistoryMargin margin = history_margin(proof, kind.first, edge);
      const bool bounded = proof.dags[kind.first].bound.has_value();
      const auto stream = analysis::stream_of(dag, edge);
      const auto needed = buffers(proof, kind.first, edge);
      const bool fits = margin.within <= std::numeric_limits<std::int64_t>::max();
      rows.push_back(
          {shared_name(proof, kind), dag.nodes()[edge.to].name,
           fmt::format("{} of {} before{}", dag.nodes()[edge.from].name, edge.jobs == 1 ? "the job" : fmt::format("{} jobs", edge.jobs),
                       stream.empty() ? "" : fmt::format(" (stream {})", stream)),
           optional_time(margin.F), fits ? time_text(to_time(margin.within)) : "-", needed ? fmt::format("{}", *needed) : "-",
           bounded && margin.never_delays() ? "never" : "may"});
    }
  }
  if (left_out > 0) rows.push_back({fmt::format("... {} more", left_out), "", "", "", "", "", ""});
  return rows;
}

std::vector<std::vector<std::string>> own_deadline_rows(const analysis::Proof& proof) {
  std::vector<std::vector<std::string>> rows{{"node", "bound", "deadline", "verdict"}};
  for (const KindOfDag& kind : kinds_of_dags(proof)) {
    const Dag& dag = proof.task_set->dags()[kind.first];
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      const auto D = own_deadline(dag, v);
      if (!D) continue;
      const auto& bound = proof.dags[kind.first].nodes[v].bound;
      const char* const missed = bound ? "MISSED" : "no bound";
      rows.push_back({shared_name(proof, kind) + "/" + dag.nodes()[v].name, optional_bound(bound, D), time_text(*D),
                      meets_own_deadline(proof, kind.first, v) ? "met" : missed});
    }
  }
  return rows;
}

}  // namespace rta::report
