#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "analysis_printers.hpp"
#include "rta/report/time_text.hpp"
#include "text_table.hpp"

namespace rta::report {
namespace {

std::string optional_time(const std::optional<Time>& time) { return time ? time_text(*time) : std::string("-"); }

std::string unit_of(PoolKind kind) {
  switch (kind) {
    case PoolKind::cpu: return "processors";
    case PoolKind::gpu: return "G-threads";
    case PoolKind::engines: return "engines";
    case PoolKind::workers: return "workers";
  }
  return "";
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

void print_pools(const analysis::Analysis& analysis, std::ostream& out) {
  out << "\nPools\n";
  for (PoolId p = 0; p < analysis.pools.size(); ++p) {
    const Pool& pool = analysis.task_set->pools()[p];
    const auto& bound = analysis.pools[p];
    out << fmt::format("  {} ({})\n", pool.name, description(pool));
    if (bound.capacity > 0 && bound.utilization > 0) {
      const double headroom = bound.capacity - bound.utilization;
      out << fmt::format("    utilization {} of {} {} ({} %), headroom {}\n", number_text(bound.utilization, 3),
                         number_text(bound.capacity, 0), unit_of(pool.kind()), number_text(100 * bound.utilization / bound.capacity, 2),
                         number_text(headroom, 3));
    } else if (bound.utilization > 0) {
      out << fmt::format("    utilization {} {}\n", number_text(bound.utilization, 3), unit_of(pool.kind()));
    }
    out << fmt::format("    {}: {}\n", bound.bounded ? "bounded" : "NO BOUND", bound.explanation);
    if (!bound.worst_configuration.empty()) out << fmt::format("    worst blocking configuration: {}\n", bound.worst_configuration);
    if (bound.largest_lateness) out << fmt::format("    largest node lateness {}\n", time_text(*bound.largest_lateness));
  }
}

void print_dags(const analysis::Analysis& analysis, std::ostream& out) {
  out << fmt::format("\nEnd to end ({})\n", analysis.needs);
  std::vector<Row> rows{{"DAG", "bound", "deadline", "lateness", "verdict"}};
  for (DagId d = 0; d < analysis.dags.size(); ++d) {
    const Dag& dag = analysis.task_set->dags()[d];
    const auto& bound = analysis.dags[d];
    std::string verdict = "no bound";
    if (bound.R) verdict = !dag.deadline() ? "bounded" : bound.meets(dag.deadline()) ? "met" : "MISSED";
    std::optional<Time> lateness;
    if (bound.R && dag.deadline()) lateness = *bound.R - *dag.deadline();
    rows.push_back({dag.name(), optional_time(bound.R), optional_time(dag.deadline()), optional_time(lateness), verdict});
  }
  print_table(out, rows, 1);
}

std::string outcome_text(const analysis::PolicyOutcome& outcome) {
  if (!outcome.tried) return "not tried: " + outcome.reason;
  if (!outcome.largest_R) return "no bound: " + outcome.reason;
  return fmt::format("largest bound {}, {}", time_text(*outcome.largest_R), to_string(outcome.verdict));
}

// What the policies that were not chosen would give.
void print_policies(const analysis::Analysis& analysis, std::ostream& out) {
  if (analysis.policies.size() < 2) return;
  out << "\nOther release policies\n";
  for (const auto& outcome : analysis.policies) {
    if (outcome.policy != analysis.release) out << fmt::format("  {}: {}\n", to_string(outcome.policy), outcome_text(outcome));
  }
}

std::string path_text(const Dag& dag, const std::vector<NodeId>& path) {
  std::string text;
  for (NodeId v : path) text += (text.empty() ? "" : " -> ") + dag.nodes()[v].name;
  return text;
}

// DAGs that are equal but for their name and have the same bounds share one paragraph.
bool same_result(const analysis::Analysis& analysis, DagId a, DagId b) {
  const auto dags = analysis.task_set->dags();
  if (!dags[a].same_shape(dags[b]) || analysis.dags[a].R != analysis.dags[b].R) return false;
  return std::ranges::equal(analysis.dags[a].nodes, analysis.dags[b].nodes, [](const auto& x, const auto& y) {
    return x.R == y.R && x.offset == y.offset && x.priority_point == y.priority_point && x.theorem == y.theorem && x.segment == y.segment;
  });
}

std::string shared_name(const analysis::Analysis& analysis, DagId first, DagId last) {
  const auto dags = analysis.task_set->dags();
  return first == last ? dags[first].name() : dags[first].name() + " ... " + dags[last].name();
}

template <class Print>
void for_each_kind_of_dag(const analysis::Analysis& analysis, Print print) {
  for (DagId first = 0; first < analysis.dags.size();) {
    DagId last = first;
    while (last + 1 < analysis.dags.size() && same_result(analysis, first, last + 1)) ++last;
    print(first, last);
    first = last + 1;
  }
}

void print_paths(const analysis::Analysis& analysis, std::ostream& out) {
  if (std::ranges::none_of(analysis.dags, [](const auto& dag) { return dag.critical_path.size() > 1; })) return;
  out << "\nCritical paths\n";
  for_each_kind_of_dag(analysis, [&](DagId first, DagId last) {
    const auto& bound = analysis.dags[first];
    if (bound.critical_path.size() > 1) {
      out << fmt::format("  {}: {}\n", shared_name(analysis, first, last),
                         path_text(analysis.task_set->dags()[first], bound.critical_path));
    }
  });
}

// Where DAGs are cut: each segment's offset and nodes.
void print_segments(const analysis::Analysis& analysis, std::ostream& out) {
  if (analysis.release != analysis::ReleasePolicy::segments || analysis.verdict == analysis::Verdict::unbounded) return;
  out << "\nSegments (released at an offset from the DAG's release, inside on completion)\n";
  for_each_kind_of_dag(analysis, [&](DagId first, DagId last) {
    const Dag& dag = analysis.task_set->dags()[first];
    std::vector<Row> rows;
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      const auto& node = analysis.dags[first].nodes[v];
      while (rows.size() <= node.segment.value_or(0)) rows.push_back({fmt::format("{}", rows.size()), "", ""});
      Row& row = rows[node.segment.value_or(0)];
      row[1] = optional_time(node.offset);
      row[2] += (row[2].empty() ? "" : " ") + dag.nodes()[v].name;
    }
    std::ranges::sort(rows, {}, [&](const Row& row) {
      const auto is_in = [&](const auto& node) { return fmt::format("{}", node.segment.value_or(0)) == row[0]; };
      return std::ranges::find_if(analysis.dags[first].nodes, is_in)->offset;
    });
    out << fmt::format("  {}\n", shared_name(analysis, first, last));
    rows.insert(rows.begin(), Row{"segment", "offset", "nodes"});
    print_table(out, rows, 3);
  });
}

void print_nodes(const analysis::Analysis& analysis, std::ostream& out) {
  for_each_kind_of_dag(analysis, [&](DagId first, DagId last) {
    const Dag& dag = analysis.task_set->dags()[first];
    out << fmt::format("\nNodes of {} (T = {})\n", shared_name(analysis, first, last), time_text(dag.period()));
    const bool on_completion = analysis.release == analysis::ReleasePolicy::completion;
    std::vector<Row> rows{{"node", "pool", "theorem", "offset", "priority point", "bound", "ends by"}};
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      const auto& bound = analysis.dags[first].nodes[v];
      std::optional<Time> end;
      if (bound.R && (bound.offset || on_completion)) end = bound.offset.value_or(Time()) + *bound.R;
      rows.push_back({dag.nodes()[v].name, analysis.task_set->pools()[dag.nodes()[v].pool].name, bound.R ? bound.theorem : "-",
                      optional_time(bound.offset), optional_time(bound.priority_point), optional_time(bound.R), optional_time(end)});
    }
    print_table(out, rows, 3);
  });
}

void print_suggestions(const analysis::Analysis& analysis, std::ostream& out) {
  if (analysis.suggestions.empty()) return;
  out << "\nBlock sizes that would raise a GPU's capacity (advice, no bound)\n";
  std::vector<Row> rows{{"node", "H", "B", "capacity", "gain"}};
  for (const auto& s : analysis.suggestions) {
    rows.push_back({s.node, fmt::format("{}", s.H), fmt::format("{}", s.B), number_text(s.capacity, 1), "+" + number_text(s.gain, 1)});
  }
  print_table(out, rows, 1);
}

const char* colour_of(analysis::Verdict verdict) {
  switch (verdict) {
    case analysis::Verdict::schedulable: return "\x1b[1;32m";
    case analysis::Verdict::deadline_missed: return "\x1b[1;33m";
    case analysis::Verdict::unbounded: return "\x1b[1;31m";
  }
  return "";
}

}  // namespace

void TextPrinter::print(const analysis::Analysis& analysis, std::ostream& out) const {
  const std::string_view verdict = to_string(analysis.verdict);
  if (style_.colour) {
    out << colour_of(analysis.verdict) << verdict << "\x1b[0m";
  } else {
    out << verdict;
  }
  out << ": " << verdict_sentence(analysis) << '\n';
  print_pools(analysis, out);
  print_dags(analysis, out);
  print_policies(analysis, out);
  print_paths(analysis, out);
  print_segments(analysis, out);
  if (style_.verbose) print_nodes(analysis, out);
  print_suggestions(analysis, out);
  for (const auto& explanation : analysis.explanations) {
    out << fmt::format("\nBound of {}\n", explanation.node);
    for (const std::string& line : explanation.lines) out << "  " << line << '\n';
  }
}

}  // namespace rta::report
