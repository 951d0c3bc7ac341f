#include "simulate_witness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "response_rows.hpp"
#include "rta/analysis/evidence.hpp"
#include "rta/analysis/schedule_of.hpp"
#include "rta/model/error.hpp"
#include "rta/report/time_text.hpp"
#include "rta/simulate/witness.hpp"
#include "simulate_replay.hpp"
#include "simulate_search.hpp"
#include "worst_run.hpp"

namespace rta::cli {
namespace {

namespace po = boost::program_options;
using analysis::ReachEvidence;
namespace periodic = analysis::periodic;

const ReachEvidence& reach_evidence(const Played& system) {
  for (const analysis::Evidence& evidence : system.proof.evidence) {
    if (const auto* reach = std::get_if<ReachEvidence>(&evidence)) return *reach;
  }
  if (system.proof.release != Release::completion) {
    throw UserError(
        fmt::format("--witness plays orders of starts that T36 has followed, which it does for nodes released on completion, and '{}' is "
                    "released on {} "
                    "here: give --release completion",
                    system.proof.task_set->name(), to_string(system.proof.release)));
  }
  throw UserError(
      fmt::format("--witness plays orders of starts that T36 has followed, and it has followed none of '{}' (rta analyze says why)",
                  system.proof.task_set->name()));
}

struct Latest {
  NodeId node = 0;
  std::size_t number = 0;  // of the job, among those of a hyperperiod
  Time end;                // at the latest, from its nominal release
};
Latest latest_of(const periodic::Windows& windows, DagId d) {
  Latest latest;
  for (NodeId v = 0; v < windows.ends[d].size(); ++v) {
    const std::size_t n = windows.latest(d, v);
    if (v == 0 || windows.ends[d][v][n] > latest.end) latest = {v, n, windows.ends[d][v][n]};
  }
  return latest;
}

simulate::WantedStarts wanted_of(const ReachEvidence& reach, DagId d, const Latest& latest) {
  simulate::WantedStarts wanted;
  for (const periodic::Dag& dag : reach.system.dags) {
    auto& queues = wanted.queues.emplace_back();
    for (const periodic::Node& node : dag.nodes)
      queues.push_back(periodic::is_followed(reach.system, node.pool) ? node.pool : simulate::no_queue);
  }
  for (const periodic::Pool& pool : reach.system.pools) wanted.by_ready.push_back(pool.order == periodic::Order::ready);
  const auto way = periodic::way_to_latest(reach.reached, d, latest.node);
  for (const periodic::Dispatch& one : way) wanted.jobs.push_back({one.dag, one.node, static_cast<std::uint64_t>(one.number)});
  for (const periodic::Dispatch& one : way) {
    const periodic::Dag& dag = reach.system.dags[one.dag];
    wanted.until = std::max(wanted.until, dag.phase + dag.T * one.number);
  }
  const periodic::Dag& of = reach.system.dags[d];
  wanted.until = std::max(wanted.until, of.phase + of.T * way.back().number + latest.end);
  return wanted;
}

}  // namespace

void play_witnesses(const po::variables_map& given, const Played& system, const simulate::Options& base, const std::string& sha256,
                    Traces& traces, report::SimulationReport& report, std::optional<trace::Timeline>& timeline, std::ostream* run_file) {
  const TaskSet& set = nodes_played(system.proof);
  const ReachEvidence& reach = reach_evidence(system);
  simulate::SearchResult found;
  found.nodes.resize(set.dags().size());
  std::vector<report::SimulationFact> facts;
  std::vector<bool> attained;
  std::size_t runs = 0;
  for (DagId d = 0; d < set.dags().size(); ++d) {
    const Latest latest = latest_of(reach.reached.windows, d);
    const simulate::WantedStarts wanted = wanted_of(reach, d, latest);
    const simulate::Witness witness = simulate::play_starts(set, system.schedule, base, wanted);
    runs += witness.runs;
    const std::uint64_t job = wanted.jobs.back().job;
    const WorstRun run{d, {Time::zero(), job, found.runs.size()}};
    const auto seen = seen_job(set, system.schedule, witness.run, run);
    attained.push_back(witness.end == latest.end);
    found.dags.push_back(std::nullopt);
    if (seen) {
      found.dags.back() = run.found;
      found.dags.back()->response = seen->end - seen->release;
    }
    found.runs.push_back(witness.run);
    const auto& dag = set.dags()[d];
    facts.push_back(
        {dag.name(), fmt::format("{}, job {}: {} from its nominal release, by T36 {} at most: {}", dag.nodes()[latest.node].name, job,
                                 report::time_text(witness.end), report::time_text(latest.end),
                                 attained.back()    ? "attained"
                                 : witness.in_order ? "not attained, in the order that T36 followed"
                                                    : "not attained, in another order")});
  }
  const auto count = static_cast<std::uint64_t>(std::ranges::count(attained, true));
  report.facts = {{"release", std::string(to_string(system.proof.release))},
                  {"witness",
                   fmt::format("{} of {} bounds of T36 attained, in {} simulations", count, attained.size(), runs),
                   {{"witnesses", attained.size()}, {"attained", count}, {"simulations", runs}}}};
  report.facts.insert(report.facts.end(), facts.begin(), facts.end());
  add_rows(system, report, [&](report::ResponseRow& r, DagId d, std::optional<NodeId> v) {
    if (v || !found.dags[d]) return;
    r.count = 1;
    r.max = found.dags[d]->response;
    r.worst_job = found.dags[d]->job;
    r.attained = attained[d];
  });
  show_worst(given, system, found, sha256, traces, report, timeline, run_file);
}

}  // namespace rta::cli
