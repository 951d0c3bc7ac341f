#include "slack_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis_words.hpp"
#include "rta/report/time_text.hpp"

namespace rta::report {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string safe_side(bool covered) { return covered ? "all" : "sampled"; }

/// `1.25`, rounded down to thousandths.
std::string ratio_text(Wide part, Wide whole) {
  if (whole <= 0) return "-";
  const Wide thousandths = floor_div(checked_mul(part, Wide{1000}), whole);
  return fmt::format("{}.{:03}", to_string(thousandths / 1000), static_cast<int>(thousandths % 1000));
}

std::string kind_name(const analysis::Analysis& analysis, DagId d) {
  const auto kinds = kinds_of_dags(analysis.proof);
  const auto kind = std::ranges::find(kinds, d, &KindOfDag::first);
  return kind != kinds.end() ? shared_name(analysis.proof, *kind) : analysis.proof.task_set->dags()[d].name();
}

std::string piece_symbol(const TaskSet& task_set, const Node& node) {
  const PoolKind kind = task_set.pools()[node.pool].kind();
  return kind == PoolKind::gpu || kind == PoolKind::workers ? "L" : "C";
}

void add_node(const analysis::Analysis& analysis, const analysis::NodeSlack& slack, Rows& rows) {
  const TaskSet& task_set = *as_given(analysis.proof);
  const Dag& dag = task_set.dags()[slack.dag];
  const Node& node = dag.nodes()[slack.node];
  const std::string name = dag.nodes().size() == 1 ? kind_name(analysis, slack.dag) : kind_name(analysis, slack.dag) + "/" + node.name;
  const Time now = longest_piece(node);
  rows.push_back({name, piece_symbol(task_set, node), time_text(now), time_text(slack.piece.value),
                  ratio_text(slack.piece.value.count(), now.count()), safe_side(slack.piece.covered)});
  if (!slack.pieces) return;
  const auto* kernel = std::get_if<GpuDemand>(&node.demand);
  const std::uint64_t B = kernel != nullptr ? kernel->B : std::get<WorkerDemand>(node.demand).B;
  rows.push_back({name, "B", fmt::format("{}", B), fmt::format("{}", slack.pieces->value),
                  ratio_text(static_cast<Wide>(slack.pieces->value), static_cast<Wide>(B)), safe_side(slack.pieces->covered)});
}

void add_time(const std::string& name, const char* symbol, Time now, const analysis::Proven<Time>& least, Rows& rows) {
  rows.push_back(
      {name, symbol, time_text(now), time_text(least.value), ratio_text(least.value.count(), now.count()), safe_side(least.covered)});
}

}  // namespace

std::string slack_in_words(const analysis::Slack& slack) {
  std::string text =
      fmt::format("One number at a time; at each value all that is met stays met, proven with --release {}.", to_string(slack.release));
  if (slack.scale) {
    text += fmt::format(" Every C and L at once may be {} times as long (safe side: {}).", ratio_text(slack.scale->value, 1000),
                        safe_side(slack.scale->covered));
  }
  if (!slack.complete) text += " Stopped by the time limit: the rest was not looked at.";
  return text;
}

Rows node_slack_rows(const analysis::Analysis& analysis) {
  Rows rows{{"node", "", "now", "at most", "ratio", "safe side"}};
  for (const auto& slack : analysis.slack->nodes) add_node(analysis, slack, rows);
  return rows;
}

Rows dag_slack_rows(const analysis::Analysis& analysis) {
  Rows rows{{"DAG", "", "now", "at least", "ratio", "safe side"}};
  for (const auto& slack : analysis.slack->dags) {
    const Dag& dag = analysis.proof.task_set->dags()[slack.dag];
    const std::string name = kind_name(analysis, slack.dag);
    analysis::Proven<Time> period = slack.period;
    period.value += dag.attributes().jitter;
    add_time(name, "T", dag.nominal_period(), period, rows);
    if (slack.deadline && dag.deadline()) add_time(name, "D", *dag.deadline(), *slack.deadline, rows);
  }
  return rows;
}

Rows pool_slack_rows(const analysis::Analysis& analysis) {
  Rows rows{{"pool", "", "now", "at least"}};
  for (const auto& slack : analysis.slack->pools) {
    const Pool& pool = analysis.proof.task_set->pools()[slack.pool];
    rows.push_back({pool.name, pool.kind() == PoolKind::gpu ? "SMs" : unit_of(pool.kind()), fmt::format("{}", slack.now),
                    fmt::format("{}", slack.least)});
  }
  return rows;
}

}  // namespace rta::report
