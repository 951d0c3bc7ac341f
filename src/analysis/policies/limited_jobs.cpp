#include "analysis/policies/limited_jobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/policies/admission_bounds.hpp"
#include "analysis/policies/components.hpp"
#include "rta/analysis/history.hpp"
#include "rta/analysis/in_flight.hpp"
#include "rta/model/error.hpp"
#include "rta/model/fixed_priority.hpp"

namespace rta::analysis {
namespace {

/// Whether jobs of d may wait to be admitted.
bool waits_for_admission(const Proof& proof, DagId d) {
  const auto& limit = proof.task_set->dags()[d].attributes().in_flight;
  if (!limit) return false;
  const auto jobs = jobs_in_flight(proof, d);
  return !jobs || *jobs > std::int64_t{*limit};
}

bool may_wait(const Proof& proof, DagId d) { return waits_for_admission(proof, d) || first_that_may_delay(proof, d); }

/// Whether `d` is less urgent than `e` on all pools of both, and these are processors under fixed priorities that preempt.
bool spares(const TaskSet& task_set, const FixedPriorities& priorities, DagId d, DagId e) {
  const auto nodes_of = [&](DagId dag) { return task_set.dags()[dag].nodes(); };
  for (NodeId v = 0; v < nodes_of(d).size(); ++v) {
    const PoolId p = nodes_of(d)[v].pool;
    const auto* const cpu = std::get_if<CpuPool>(&task_set.pools()[p].resource);
    const bool by_urgency = cpu != nullptr && cpu->scheduler == Scheduler::fp && cpu->preemptive;
    for (NodeId u = 0; u < nodes_of(e).size(); ++u) {
      if (nodes_of(e)[u].pool != p) continue;
      if (!by_urgency || priorities.of[d][v] >= priorities.of[e][u]) return false;
    }
  }
  return true;
}

/// Whether the DAGs of `all` that are not among `waiting` run as if these were not there.
bool spare_others(const TaskSet& task_set, const std::vector<DagId>& waiting, const std::vector<DagId>& all) {
  const auto part = part_of(task_set, all);
  if (first_executor(part->pools(), part->dags()) || first_on_threads(part->dags())) return false;
  const FixedPriorities priorities = fixed_priorities(task_set);
  return std::ranges::all_of(all, [&](DagId e) {
    const auto spares_e = [&](DagId d) { return spares(task_set, priorities, d, e); };
    return std::ranges::find(waiting, e) != waiting.end() || std::ranges::all_of(waiting, spares_e);
  });
}

void drop_bounds(Proof& proof, DagId d) {
  const Dag& dag = proof.task_set->dags()[d];
  DagProof& of = proof.dags[d];
  of.bound.reset();
  of.critical_path.clear();
  for (NodeId v = 0; v < of.nodes.size(); ++v) {
    NodeProof& node = of.nodes[v];
    node.bound.reset();
    node.segment = 0;
    const bool at_offset = proof.release == Release::offsets || proof.release == Release::early;
    node.reference = at_offset && !dag.predecessors(v).empty() ? std::nullopt : std::optional(Time::zero());
  }
}

/// What is said of pools with nodes that have no bounds any more.
void tell_pools(Proof& proof, const std::vector<DagId>& dropped, const Reason& reason) {
  for (PoolProof& pool : proof.pools) {
    const auto is_dropped = [&](const PoolTask& task) { return std::ranges::find(dropped, task.dag) != dropped.end(); };
    if (std::ranges::none_of(pool.tasks, is_dropped)) continue;
    if (!pool.none) pool.none = NoBound{reason, std::nullopt};
    pool.largest_lateness.reset();
    std::erase_if(pool.theorems, [&](Theorem theorem) {
      return std::ranges::none_of(pool.tasks, [&](const PoolTask& task) {
        const auto& bound = proof.dags[task.dag].nodes[task.node].bound;
        return bound && bound->basis.theorem == theorem;
      });
    });
  }
}

Reason why_it_may_wait(const Proof& proof, DagId d) {
  const Dag& dag = proof.task_set->dags()[d];
  const Time T = dag.nominal_period(), jitter = dag.attributes().jitter;
  if (waits_for_admission(proof, d)) {
    const auto& bound = proof.dags[d].bound;
    return reason::MayWaitForOthers{.dag = dag.name(),
                                    .F = bound ? std::optional(bound->R) : std::nullopt,
                                    .in_flight = *dag.attributes().in_flight,
                                    .T = T,
                                    .jitter = jitter};
  }
  const HistoryEdge edge = *first_that_may_delay(proof, d);
  const HistoryMargin margin = history_margin(proof, d, edge);
  return reason::MayWaitForEarlier{.dag = dag.name(),
                                   .from = dag.nodes()[edge.from].name,
                                   .to = dag.nodes()[edge.to].name,
                                   .stream = std::string(stream_of(dag, edge)),
                                   .F = margin.F,
                                   .jobs = edge.jobs,
                                   .T = T,
                                   .jitter = jitter,
                                   .offset = margin.ready};
}

/// T40 on bounds of T38 (b), which are from the release where these DAGs have them.
bool no_edge_delays(const Proof& proof) {
  for (DagId d = 0; d < proof.dags.size(); ++d) {
    if (first_that_may_delay(proof, d)) return false;
  }
  return true;
}

/// DAGs that may delay one another; company is counted for all together.
std::vector<std::vector<DagId>> groups_of(const Proof& proof) {
  if (!proof.company) return components(*proof.task_set);
  std::vector<DagId> all(proof.dags.size());
  std::iota(all.begin(), all.end(), DagId{0});
  return {all};
}

}  // namespace

bool jobs_may_wait(const TaskSet& task_set) { return first_limited(task_set.dags()) || first_with_history(task_set.dags()); }

void refuse_options_for_limits(const TaskSet& task_set, const Options& options) {
  if (options.granularity == Granularity::fine) return;
  if (const auto d = first_with_history(task_set.dags()))
    throw UserError(fmt::format(
        "DAG '{}' has nodes that wait for earlier jobs (`after`, `stream`): its nodes are not grouped; --granularity is for DAGs "
        "without them",
        task_set.dags()[*d].name()));
  throw UserError(fmt::format(
      "DAG '{}' has a limit of jobs under way (`in_flight`): its nodes are not grouped; --granularity is for DAGs without `in_flight`",
      task_set.dags()[*first_limited(task_set.dags())].name()));
}

bool none_waits(const Proof& proof) {
  for (DagId d = 0; d < proof.dags.size(); ++d) {
    if (may_wait(proof, d)) return false;
  }
  return true;
}

void keep_beside_limits(Proof& proof, const Options& options) {
  for (const std::vector<DagId>& group : groups_of(proof)) {
    std::vector<DagId> waiting;
    std::ranges::copy_if(group, std::back_inserter(waiting), [&](DagId d) { return may_wait(proof, d); });
    if (waiting.empty()) continue;
    const Reason reason = why_it_may_wait(proof, waiting.front());
    const bool spared = proof.release == Release::completion && !proof.company && spare_others(*proof.task_set, waiting, group);
    const std::vector<DagId>& dropped = spared ? waiting : group;
    for (const DagId d : dropped) drop_bounds(proof, d);
    tell_pools(proof, dropped, reason);
    if (spared || proof.company || proof.release != Release::completion) continue;
    const bool limited = std::ranges::any_of(group, [&](DagId d) { return proof.task_set->dags()[d].attributes().in_flight.has_value(); });
    if (!limited) continue;
    auto admitted = prove_by_admission(part_of(*proof.task_set, group), options);
    if (admitted && no_edge_delays(*admitted)) take_over(*std::move(admitted), group, proof);
  }
}

}  // namespace rta::analysis
