#include "analysis/policies/admission_bounds.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "analysis/policies/path_proof.hpp"

namespace rta::analysis {
namespace {

std::vector<admission::Pool> admission_pools_of(const PathSystem& system, const TaskSet& task_set) {
  std::vector<admission::Pool> pools;
  pools.reserve(system.system.pools.size());
  for (std::size_t p = 0; p < system.system.pools.size(); ++p) {
    const path::Pool& pool = system.system.pools[p];
    const PoolKind kind = task_set.pools()[system.pool_of[p]].kind();
    const bool one_node_each = kind == PoolKind::cpu || kind == PoolKind::engines;
    pools.push_back({.rate = checked_mul(Wide{pool.capacity}, pool.unit), .places = one_node_each ? std::uint64_t{pool.capacity} : 0});
  }
  return pools;
}

std::vector<admission::Dag> admission_dags_of(const PathSystem& system, const TaskSet& task_set) {
  std::vector<admission::Dag> dags;
  dags.reserve(task_set.dags().size());
  for (DagId d = 0; d < task_set.dags().size(); ++d) {
    const Dag& dag = task_set.dags()[d];
    const auto order = dag.topological_order();
    admission::Dag& out = dags.emplace_back();
    out.limit = dag.attributes().in_flight;
    out.T = dag.nominal_period();
    out.jitter = dag.attributes().jitter;
    out.order.assign(order.begin(), order.end());
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      const auto& place = system.place[d][v];
      const path::Node& node = system.system.dags[place.dag].nodes[place.node];
      const auto before = dag.predecessors(v);
      out.nodes.push_back({.pool = node.pool, .e = node.e, .s = node.s, .vol = node.vol, .before = {before.begin(), before.end()}});
    }
  }
  return dags;
}

/// Whether nodes wait in FIFOs alone, and none for the same node of another job.
bool has_theorem(const AdmissionEvidence& e, const TaskSet& task_set) {
  for (std::size_t p = 0; p < e.pools.size(); ++p) {
    Wide nodes = 0;
    for (const admission::Hold& hold : e.holds.dags) nodes = checked_add(nodes, checked_mul(hold.jobs, hold.fronts[p].nodes));
    if (nodes == 0) continue;
    const path::Pool& pool = e.system.system.pools[p];
    const bool nobody_waits = nodes <= Wide{e.pools[p].places};
    if (pool.slices || pool.mixed || (pool.order != path::Order::fifo && !nobody_waits)) return false;
  }
  for (DagId d = 0; d < task_set.dags().size(); ++d) {
    const bool some_sequential = std::ranges::any_of(task_set.dags()[d].nodes(), &Node::sequential);
    if (some_sequential && e.holds.dags[d].jobs > 1) return false;
  }
  return true;
}

std::optional<AdmissionEvidence> admitted(const TaskSet& task_set, PathSystem system, const Options& options) {
  AdmissionEvidence e;
  e.pools = admission_pools_of(system, task_set);
  e.of = admission_dags_of(system, task_set);
  e.holds = admission::holds(e.of, e.pools, options.most_periods);
  e.system = std::move(system);
  return e.holds.grows || !has_theorem(e, task_set) ? std::nullopt : std::optional(std::move(e));
}

/// DAGs whose jobs may come too fast, and the longest time from an admission to an end.
std::pair<std::size_t, Time> cost_of(const AdmissionEvidence& e) {
  std::pair<std::size_t, Time> cost{0, Time::zero()};
  for (const admission::Hold& hold : e.holds.dags) {
    cost.first += hold.in_time ? 0 : 1;
    cost.second = std::max(cost.second, hold.H);
  }
  return cost;
}

/// With releases a thousand times as far apart: weights are valid at any load, but are sought for what a GPU can carry.
std::shared_ptr<const TaskSet> seldom(const TaskSet& task_set) {
  constexpr Wide longest = Wide{1} << 59;
  std::vector<Dag> dags;
  for (const Dag& dag : task_set.dags()) {
    DagAttributes attributes = dag.attributes();
    attributes.T_max.reset();
    const Time T = to_time(std::min(checked_mul(Wide{dag.period().count()}, Wide{1000}), longest));
    dags.emplace_back(dag.name(), T, dag.deadline(), std::vector<Node>(dag.nodes().begin(), dag.nodes().end()),
                      std::vector<Edge>(dag.edges().begin(), dag.edges().end()), attributes);
  }
  return std::make_shared<const TaskSet>(task_set.name(), std::vector<Pool>(task_set.pools().begin(), task_set.pools().end()),
                                         std::move(dags));
}

/// The least, over the weights.
std::optional<AdmissionEvidence> least_admitted(const PathInput& input) {
  const PathInput at_rest(seldom(*input.task_set), input.options);
  if (!at_rest.weights) return std::nullopt;
  std::vector<PlatformWeights> all = *at_rest.weights;
  if (auto turns = with_turns(all.back(), at_rest.in_turn)) all.push_back(*std::move(turns));
  std::optional<AdmissionEvidence> best;
  for (const PlatformWeights& weights : all) {
    auto found = admitted(*input.task_set, path_system(*input.task_set, whole_dags(*input.task_set), weights, input.Y), input.options);
    if (found && (!best || cost_of(*found) < cost_of(*best))) best = std::move(found);
  }
  return best;
}

DagProof dag_proof_by_admission(const PathInput& input, const AdmissionEvidence& e, DagId d) {
  const Dag& dag = input.task_set->dags()[d];
  const admission::Hold& hold = e.holds.dags[d];
  DagProof proof;
  for (NodeId v = 0; v < dag.nodes().size(); ++v) {
    const auto* cpu = std::get_if<CpuPool>(&input.task_set->pools()[dag.nodes()[v].pool].resource);
    NodeProof& of = proof.nodes.emplace_back();
    of.reference = Time::zero();
    if (cpu != nullptr && has_priority_points(*cpu)) of.priority_point = input.Y[d];
    if (hold.in_time) of.bound = Bound{hold.ends[v], {Theorem::T38, 0, static_cast<std::uint32_t>(v)}};
  }
  if (!hold.in_time) return proof;
  const auto last = static_cast<NodeId>(std::ranges::max_element(hold.ends) - hold.ends.begin());
  proof.critical_path = admission::path_to(e.of, e.pools, e.holds, d, last);
  proof.bound = proof.nodes[last].bound;
  return proof;
}

void tell_pool(PoolProof& pool, const TaskSet& task_set, const AdmissionEvidence& e) {
  pool.none.reset();
  for (const PoolTask& task : pool.tasks) {
    const Dag& dag = task_set.dags()[task.dag];
    const admission::Hold& hold = e.holds.dags[task.dag];
    if (hold.in_time) {
      pool.theorems = {Theorem::T38};
    } else if (!pool.none) {
      pool.none = NoBound{reason::ComesTooFast{.dag = dag.name(),
                                               .H = hold.H,
                                               .in_flight = *dag.attributes().in_flight,
                                               .T = dag.nominal_period(),
                                               .jitter = dag.attributes().jitter},
                          std::nullopt};
    }
  }
}

}  // namespace

std::optional<Proof> prove_by_admission(std::shared_ptr<const TaskSet> task_set, const Options& options) {
  if (options.path_bound != PathBound::best || first_on_threads(task_set->dags()) || first_executor(task_set->pools(), task_set->dags()))
    return std::nullopt;
  const PathInput input(std::move(task_set), options);
  auto found = least_admitted(input);
  if (!found) return std::nullopt;
  Proof proof = path_proof(input, Release::completion, NoBound{reason::NodeWithout{}, std::nullopt}, path::Refinement::T10n);
  proof.left_out.clear();  // of theorems that nobody asks here
  for (PoolProof& pool : proof.pools) tell_pool(pool, *input.task_set, *found);
  for (DagId d = 0; d < proof.dags.size(); ++d) proof.dags[d] = dag_proof_by_admission(input, *found, d);
  proof.evidence.emplace_back(*std::move(found));
  return proof;
}

}  // namespace rta::analysis
