#include "rta/static_order/periodic_proof.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "analysis/policies/path_proof.hpp"
#include "rta/analysis/company.hpp"
#include "rta/analysis/explain.hpp"
#include "rta/model/error.hpp"
#include "rta/static_order/task_set_graph.hpp"

namespace rta::static_order {
namespace {

using analysis::Analysis;
using analysis::DagProof;
using analysis::Proof;
using analysis::Theorem;

Theorem theorem_of(const ScheduledHyperepoch& hyperepoch) {
  if (hyperepoch.sharing.empty()) return Theorem::T15;
  const bool streams = std::ranges::any_of(hyperepoch.sharing, [](const Sharing& s) { return s.by == Sharing::By::streams; });
  return streams ? Theorem::T15g : Theorem::T15w;
}

/// The loads of all pools, and as yet no bound.
Proof unproven(const std::shared_ptr<const TaskSet>& task_set, analysis::Reason why) {
  const analysis::Options none;
  Proof proof = path_proof(analysis::PathInput(task_set, none), Release::fixed_order, analysis::NoBound{std::move(why), std::nullopt},
                           analysis::path::Refinement::T10n);
  for (DagProof& dag : proof.dags) {
    for (analysis::NodeProof& node : dag.nodes) node.priority_point.reset();
  }
  return proof;
}

/// Jobs of each node, by how long after their frame's release they end.
class LatestEnds {
 public:
  LatestEnds(const TaskSet& task_set, const ScheduledHyperepoch& hyperepoch, const HyperepochProof& proof) {
    std::vector<std::map<std::string_view, NodeId>> named(task_set.dags().size());
    for (DagId d = 0; d < task_set.dags().size(); ++d) {
      const auto nodes = task_set.dags()[d].nodes();
      ends_.emplace_back(nodes.size());
      for (NodeId v = 0; v < nodes.size(); ++v) named[d].emplace(nodes[v].name, v);
    }
    for (std::size_t id = 0; id < hyperepoch.runnables.size(); ++id) {
      const ScheduledRunnable& runnable = hyperepoch.runnables[id];
      const DagId d = runnable.epoch;
      const Time released = to_time(Wide{task_set.dags()[d].period().count()} * static_cast<Wide>(runnable.frame));
      auto& ends = ends_[d][named[d].at(runnable.name)];
      ends.resize(hyperepoch.epochs[d].frames);
      ends[runnable.frame] = proof.runnables[id].end - released;
    }
  }

  /// R of every node, and of the DAG with the nodes along the way to its latest end.
  void put_into(DagProof& proof, const Dag& dag, DagId d, analysis::Basis basis) const {
    std::pair<Time, std::size_t> worst;  // and its frame
    NodeId last = 0;
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      const auto latest = std::ranges::max_element(ends_[d][v]);
      proof.nodes[v].bound = analysis::Bound{*latest, basis};
      if (v > 0 && *latest <= worst.first) continue;
      worst = {*latest, static_cast<std::size_t>(latest - ends_[d][v].begin())};
      last = v;
    }
    proof.bound = analysis::Bound{worst.first, basis};
    const auto earlier = [&](NodeId u, NodeId v) { return ends_[d][u][worst.second] < ends_[d][v][worst.second]; };
    proof.critical_path.assign(1, last);
    while (!dag.predecessors(proof.critical_path.back()).empty()) {
      proof.critical_path.push_back(*std::ranges::max_element(dag.predecessors(proof.critical_path.back()), earlier));
    }
    std::ranges::reverse(proof.critical_path);
  }

 private:
  std::vector<std::vector<std::vector<Time>>> ends_;  // per DAG, node and frame
};

Proof proof_of(const std::shared_ptr<const TaskSet>& task_set, const ScheduledHyperepoch& hyperepoch, const HyperepochProof& order) {
  Proof proof = unproven(task_set, analysis::reason::OrderTooLong{order.length, hyperepoch.period});
  if (order.length > hyperepoch.period) return proof;
  const Theorem theorem = theorem_of(hyperepoch);
  const LatestEnds ends(*task_set, hyperepoch, order);
  for (DagId d = 0; d < proof.dags.size(); ++d) ends.put_into(proof.dags[d], task_set->dags()[d], d, {.theorem = theorem});
  for (analysis::PoolProof& pool : proof.pools) {
    pool.none.reset();
    if (!pool.tasks.empty()) pool.theorems = {theorem};
  }
  return proof;
}

analysis::PolicyOutcome outcome_of(const Proof& proof) {
  analysis::PolicyOutcome outcome{proof.release, verdict_of(proof), std::nullopt, {}, {}};
  if (const auto* why = why_unbounded(proof)) {
    outcome.reason = in_words(proof, *why);
    return outcome;
  }
  outcome.largest_R = Time::zero();
  for (const DagProof& dag : proof.dags) outcome.largest_R = std::max(*outcome.largest_R, dag.bound->R);
  return outcome;
}

struct WithCompany {
  std::shared_ptr<const TaskSet> with;
  std::shared_ptr<const analysis::CompanyProof> proof;
};

/// C1 from above: durations that were measured alone beside all that edges leave. None where none was.
std::optional<WithCompany> all_company(const std::shared_ptr<const TaskSet>& given) {
  if (!measured_alone(*given)) return std::nullopt;
  auto proof = std::make_shared<analysis::CompanyProof>();
  proof->alone = given;
  proof->lasting = analysis::all_last(*given);
  auto with = analysis::with_company(*given, proof->lasting);
  return WithCompany{std::move(with), std::move(proof)};
}

}  // namespace

PeriodicProof prove_periodic(const std::shared_ptr<const TaskSet>& given, const CompileOptions& options) {
  const auto company = all_company(given);
  const auto& task_set = company ? company->with : given;
  Compilation compiled = compile(graph_of(*task_set), options);
  Analysis analysis;
  analysis.proof = proof_of(task_set, compiled.schedule.hyperepochs.front(), compiled.hyperepochs.front().proof);
  if (company) analysis.proof.company = company->proof;
  if (auto unused = unused_phase(*task_set)) analysis.warnings.push_back(std::move(*unused));
  analysis.policies.push_back(outcome_of(analysis.proof));
  analysis.chains = prove_chains(analysis.proof);
  analysis.verdict = verdict_with_chains(analysis);
  return {std::move(analysis), std::move(compiled.schedule.hyperepochs.front())};
}

analysis::PolicyOutcome first_order_outcome(const std::shared_ptr<const TaskSet>& given) {
  constexpr std::uint64_t most_jobs = 2'000;
  try {
    const auto company = all_company(given);
    const auto& task_set = company ? company->with : given;
    const Graph graph = graph_of(*task_set);
    if (jobs_of(graph) > most_jobs)
      return {Release::fixed_order, std::nullopt, std::nullopt, "a hyperperiod has too many jobs for a first try"};
    CompileOptions first;
    first.effort = 0;
    first.gpu = GpuSharing::weights;
    first.threads = 1;
    const Compilation compiled = compile(graph, first);
    return outcome_of(proof_of(task_set, compiled.schedule.hyperepochs.front(), compiled.hyperepochs.front().proof));
  } catch (const UserError& refused) {
    return {Release::fixed_order, std::nullopt, std::nullopt, refused.what()};
  } catch (const Overflow& overflow) {
    return {Release::fixed_order, std::nullopt, std::nullopt, overflow.what()};
  }
}

}  // namespace rta::static_order
