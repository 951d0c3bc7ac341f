#include "rta/analysis/analyze.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>

#include "dag_kinds.hpp"
#include "release_policies.hpp"
#include "rta/analysis/block_sizes.hpp"
#include "rta/analysis/end_to_end.hpp"
#include "rta/analysis/pool_bounds.hpp"

namespace rta::analysis {
namespace {

using PoolNodes = std::vector<std::vector<PoolNode>>;  // one list per pool

// ---- the task set as analysed ----

/// The task set with all CPU pools as `options` ask for.
std::shared_ptr<const TaskSet> with_cpu_pools(std::shared_ptr<const TaskSet> task_set, const Options& options) {
  std::vector<Pool> pools(task_set->pools().begin(), task_set->pools().end());
  for (Pool& pool : pools) {
    auto* cpu = std::get_if<CpuPool>(&pool.resource);
    if (cpu == nullptr) continue;
    cpu->scheduler = options.scheduler.value_or(cpu->scheduler);
    cpu->preemptive = options.preemptive.value_or(cpu->preemptive);
  }
  if (std::ranges::equal(pools, task_set->pools())) return task_set;
  const auto dags = task_set->dags();
  return std::make_shared<const TaskSet>(task_set->name(), std::move(pools), std::vector<Dag>(dags.begin(), dags.end()));
}

/// Whether T2 chooses the pool's points: it minimises T1's bounds, which need preemption.
bool is_lp(const Pool& pool) {
  const auto* cpu = std::get_if<CpuPool>(&pool.resource);
  return cpu != nullptr && cpu->scheduler == Scheduler::lp && cpu->preemptive;
}

bool uses_lp(const TaskSet& task_set) { return std::ranges::any_of(task_set.pools(), is_lp); }

// ---- nodes of each pool ----

PoolNodes collect(const TaskSet& task_set) {
  PoolNodes nodes(task_set.pools().size());
  for (DagId d = 0; d < task_set.dags().size(); ++d) {
    const Dag& dag = task_set.dags()[d];
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      const Node& node = dag.nodes()[v];
      nodes[node.pool].push_back({d, v, false, &node, dag.period(), {}, {}});
    }
  }
  return nodes;
}

void set_priority_points(const Pool& pool, Scheduler scheduler, std::vector<PoolNode>& nodes) {
  const auto m = std::get<CpuPool>(pool.resource).processors;
  for (PoolNode& node : nodes) {
    node.Y = priority_point(scheduler, node.node->deadline.value_or(node.T), std::get<CpuDemand>(node.node->demand).C, m);
  }
}

void set_priority_points(const TaskSet& task_set, PoolNodes& nodes) {
  for (PoolId p = 0; p < task_set.pools().size(); ++p) {
    if (const auto* cpu = std::get_if<CpuPool>(&task_set.pools()[p].resource)) {
      set_priority_points(task_set.pools()[p], cpu->scheduler, nodes[p]);
    }
  }
}

// ---- from pools to DAGs ----

std::vector<DagBound> dag_bounds(const TaskSet& task_set, const PoolNodes& nodes, const std::vector<PoolResult>& results) {
  std::vector<DagBound> dags(task_set.dags().size());
  for (DagId d = 0; d < dags.size(); ++d) dags[d].nodes.resize(task_set.dags()[d].nodes().size());
  for (PoolId p = 0; p < nodes.size(); ++p) {
    for (std::size_t k = 0; k < nodes[p].size(); ++k) {
      const PoolNode& node = nodes[p][k];
      if (node.awaited) continue;
      NodeBound& bound = dags[node.dag].nodes[node.id];
      if (task_set.pools()[p].kind() == PoolKind::cpu) bound.priority_point = node.Y;
      bound.R = results[p].bound(k);
      if (bound.R) bound.theorem = results[p].theorem[k];
    }
  }

  std::vector<Time> R;
  for (DagId d = 0; d < dags.size(); ++d) {
    DagBound& dag = dags[d];
    if (!std::ranges::all_of(dag.nodes, [](const NodeBound& n) { return n.R.has_value(); })) continue;
    R.clear();
    for (const NodeBound& n : dag.nodes) R.push_back(*n.R);
    EndToEnd whole = end_to_end(task_set.dags()[d], R);
    dag.R = whole.R;
    dag.theorem = "offsets";
    dag.critical_path = std::move(whole.critical_path);
    for (NodeId v = 0; v < dag.nodes.size(); ++v) dag.nodes[v].offset = whole.offset[v];
  }
  return dags;
}

// ---- the choice of priority points under LP ----

/// What T2 minimises, in order; smaller is better.
struct Cost {
  bool unbounded = true;
  Wide first = 0;
  Wide second = 0;
  auto operator<=>(const Cost&) const = default;
};

Cost cost_of(const TaskSet& task_set, const std::vector<DagBound>& dags, Objective objective) {
  Wide sum = 0;
  std::optional<Wide> lateness;
  for (DagId d = 0; d < dags.size(); ++d) {
    if (!dags[d].R) return {};
    const Dag& dag = task_set.dags()[d];
    sum += dags[d].R->count();
    const Wide late = static_cast<Wide>(dags[d].R->count()) - dag.deadline().value_or(dag.period()).count();
    lateness = lateness ? std::max(*lateness, late) : late;
  }
  if (objective == Objective::sum) return {false, sum, 0};
  return {false, lateness.value_or(0), sum};
}

/// By how much each node's bound on a CPU pool is below T1's with the same points; 0 elsewhere.
PerNode<Time> gain_over_T1(const TaskSet& task_set, const PoolNodes& nodes, const std::vector<PoolResult>& results,
                           const Options& options) {
  PerNode<Time> gain(task_set.dags().size());
  for (DagId d = 0; d < gain.size(); ++d) gain[d].resize(task_set.dags()[d].nodes().size());
  Options plain = options;
  plain.refinement = gel::Refinement::none;
  for (PoolId p = 0; p < nodes.size(); ++p) {
    if (!is_lp(task_set.pools()[p])) continue;
    const PoolResult T1 = pool_bounds(task_set.pools()[p], nodes[p], plain);
    for (std::size_t k = 0; k < nodes[p].size(); ++k) {
      const auto refined = results[p].bound(k);
      if (refined && T1.bound(k) && *refined < *T1.bound(k)) gain[nodes[p][k].dag][nodes[p][k].id] = *T1.bound(k) - *refined;
    }
  }
  return gain;
}

/// T2's points where the program could be solved: the LP may only choose, so its answer competes with the plain schedulers'.
void choose_lp_points(const TaskSet& task_set, PoolNodes& nodes, std::vector<PoolResult>& results, const Options& options,
                      std::vector<std::string>& warnings) {
  PerNode<std::optional<Time>> fixed(task_set.dags().size());
  for (DagId d = 0; d < fixed.size(); ++d) fixed[d].resize(task_set.dags()[d].nodes().size());
  bool all_fixed = true;
  for (PoolId p = 0; p < nodes.size(); ++p) {
    if (is_lp(task_set.pools()[p]) || nodes[p].empty()) continue;
    all_fixed = all_fixed && results[p].summary.bounded;
    for (std::size_t k = 0; k < nodes[p].size() && results[p].summary.bounded; ++k)
      fixed[nodes[p][k].dag][nodes[p][k].id] = results[p].R[k];
  }

  struct Candidate {
    PoolNodes nodes;
    std::vector<PoolResult> results;
    Cost cost;
  };
  std::optional<Candidate> best;
  // True if it is the best so far.
  const auto consider = [&](auto&& set_points) {
    Candidate candidate{nodes, results, {}};
    for (PoolId p = 0; p < nodes.size(); ++p) {
      if (!is_lp(task_set.pools()[p])) continue;
      set_points(p, candidate.nodes[p]);
      candidate.results[p] = pool_bounds(task_set.pools()[p], candidate.nodes[p], options);
    }
    candidate.cost = cost_of(task_set, dag_bounds(task_set, candidate.nodes, candidate.results), options.objective);
    if (best && !(candidate.cost < best->cost)) return false;
    best = std::move(candidate);
    return true;
  };

  if (all_fixed) {
    // The program minimises T1's bounds; further rounds start from what the refinements made of them.
    constexpr int most_rounds = 4;
    PerNode<Time> gain;
    for (int round = 0; round < most_rounds; ++round) {
      const auto chosen = choose_priority_points(task_set, fixed, options.objective, std::chrono::seconds(20), gain);
      if (!chosen) {
        if (round == 0) warnings.push_back("LP: " + chosen.reason() + "; the best of G-EDF, G-FL and FIFO is used");
        break;
      }
      const bool better = consider([&](PoolId, std::vector<PoolNode>& pool_nodes) {
        for (PoolNode& node : pool_nodes) node.Y = (*chosen)[node.dag][node.id];
      });
      if (!better || options.refinement == gel::Refinement::none) break;
      gain = gain_over_T1(task_set, best->nodes, best->results, options);
    }
  } else {
    warnings.emplace_back("LP: some node on another pool has no bound, so there is nothing to minimise; G-EDF's priority points are used");
  }
  for (Scheduler scheduler : {Scheduler::g_edf, Scheduler::g_fl, Scheduler::fifo}) {
    consider([&](PoolId p, std::vector<PoolNode>& pool_nodes) { set_priority_points(task_set.pools()[p], scheduler, pool_nodes); });
  }
  nodes = std::move(best->nodes);
  results = std::move(best->results);
}

// ---- explanations ----

/// The part of `wanted` after the DAG's name when it names a node of that DAG; DAG names may hold a slash themselves.
std::optional<std::string_view> node_name_in(std::string_view wanted, const Dag& dag) {
  const std::string_view name = dag.name();
  if (wanted.size() > name.size() && wanted.starts_with(name) && wanted[name.size()] == '/') return wanted.substr(name.size() + 1);
  return std::nullopt;
}

std::string qualified_name(const TaskSet& task_set, const PoolNode& node) {
  return task_set.dags()[node.dag].name() + "/" + node.node->name;
}

TaskNames names_of(const TaskSet& task_set, std::span<const PoolNode> nodes) {
  const DagKinds kinds = dag_kinds(task_set);
  TaskNames names;
  names.kinds.reserve(kinds.kinds.size());
  for (const auto& [first, last] : kinds.kinds) {
    const std::string& name = task_set.dags()[first].name();
    names.kinds.push_back(first == last ? name : fmt::format("{} ... {}", name, task_set.dags()[last].name()));
  }
  names.tasks.reserve(nodes.size());
  for (const PoolNode& node : nodes) names.tasks.push_back({kinds.of[node.dag], node.node->name});
  return names;
}

/// The offsets along the critical path.
Explanation explain_dag(const Dag& dag, const DagBound& bound) {
  Explanation explanation{dag.name(), {}};
  if (!bound.R) {
    explanation.lines = {"no bound: some node has none"};
    return explanation;
  }
  explanation.lines.emplace_back(
      "offsets: Phi of a node = max over its predecessors of Phi + R; end to end: max over the nodes of Phi + R");
  for (const NodeId v : bound.critical_path) {
    const NodeBound& node = bound.nodes[v];
    explanation.lines.push_back(fmt::format("{}: Phi = {} ns, R = {} ns ({}), ends by {} ns", dag.nodes()[v].name, node.offset->count(),
                                            node.R->count(), node.theorem, (*node.offset + *node.R).count()));
  }
  return explanation;
}

/// Explains the first node that `wanted` fits, else the DAG of that name; a name without a DAG fits in every DAG.
Explanation explain_node(const TaskSet& task_set, const PoolNodes& nodes, const std::vector<PoolResult>& results,
                         const std::vector<DagBound>& dags, const std::string& wanted) {
  const PoolNode* found = nullptr;
  PoolId pool = 0;
  std::size_t index = 0;
  for (PoolId p = 0; p < nodes.size(); ++p) {
    for (std::size_t k = 0; k < nodes[p].size(); ++k) {
      const PoolNode& node = nodes[p][k];
      const auto in_dag = node_name_in(wanted, task_set.dags()[node.dag]);
      if (node.node->name != wanted && !(in_dag && *in_dag == node.node->name)) continue;
      if (found != nullptr && found->dag <= node.dag) continue;
      found = &node;
      pool = p;
      index = k;
    }
  }
  if (found == nullptr) {
    for (DagId d = 0; d < dags.size(); ++d) {
      if (task_set.dags()[d].name() == wanted) return explain_dag(task_set.dags()[d], dags[d]);
    }
    throw std::invalid_argument("no DAG or node '" + wanted + "' to explain; name it as dag, node or dag/node");
  }
  Explanation explanation{qualified_name(task_set, *found), {}};
  if (results[pool].bound(index)) {
    explanation.lines = results[pool].explain(index, names_of(task_set, nodes[pool]));
  } else {
    explanation.lines = {"no bound: " + results[pool].summary.explanation};
  }
  return explanation;
}

// ---- advice ----

/// Advice on one GPU; copies of a node are advised once.
class BlockSizeAdvice {
 public:
  BlockSizeAdvice(const TaskSet& task_set, std::span<const PoolNode> nodes)
      : task_set_(task_set), kinds_(dag_kinds(task_set)), nodes_(nodes) {
    std::map<std::pair<std::size_t, NodeId>, std::size_t> first;
    first_.reserve(nodes.size());
    for (std::size_t k = 0; k < nodes.size(); ++k)
      first_.push_back(first.try_emplace({kinds_.of[nodes[k].dag], nodes[k].id}, k).first->second);
  }

  void add_to(Analysis& analysis, const GpuPool& gpu) const {
    const auto tasks = gpu_tasks(nodes_);
    if (!fifo::does_not_fit(tasks, gpu).empty()) return;
    const auto sizes = fifo::better_block_sizes(tasks, gpu, most_sizes, first_);
    std::map<std::size_t, std::size_t> number;  // of the groups that some suggestion is about
    for (std::size_t k = 0; k < nodes_.size(); ++k) {
      if (first_[k] != k) continue;
      const auto& kind = kinds_.kinds[kinds_.of[nodes_[k].dag]];
      for (const fifo::BlockSize& size : sizes.better[k]) {
        const auto [group, is_new] = number.try_emplace(size.group, analysis.suggestion_groups.size());
        if (is_new) analysis.suggestion_groups.push_back(names_of(sizes.groups[size.group]));
        analysis.suggestions.push_back({qualified_name(task_set_, nodes_[k]), kind.last - kind.first + 1, size.H, size.B,
                                        size.shared_memory, size.capacity_alone, size.capacity_alone - sizes.capacity,
                                        size.capacity_together, size.capacity_together - sizes.capacity, group->second});
      }
    }
  }

 private:
  static constexpr std::size_t most_sizes = 3;  // per node

  [[nodiscard]] std::vector<std::string> names_of(const std::vector<std::size_t>& group) const {
    std::vector<std::string> names;
    for (const std::size_t k : group) {
      if (first_[k] == k) names.push_back(qualified_name(task_set_, nodes_[k]));
    }
    return names;
  }

  const TaskSet& task_set_;
  DagKinds kinds_;
  std::span<const PoolNode> nodes_;
  std::vector<std::size_t> first_;  // the first copy of each node
};

void suggest(const TaskSet& task_set, const PoolNodes& nodes, Analysis& analysis) {
  for (PoolId p = 0; p < nodes.size(); ++p) {
    const auto* gpu = std::get_if<GpuPool>(&task_set.pools()[p].resource);
    if (gpu != nullptr && !nodes[p].empty()) BlockSizeAdvice(task_set, nodes[p]).add_to(analysis, *gpu);
  }
  std::ranges::stable_sort(analysis.suggestions, [](const Suggestion& a, const Suggestion& b) { return a.gain > b.gain; });
}

// ---- putting it together ----

Analysis finish(std::shared_ptr<const TaskSet> task_set, const PoolNodes& nodes, std::vector<PoolResult> results, const Options& options,
                std::vector<std::string> warnings) {
  Analysis analysis;
  analysis.dags = dag_bounds(*task_set, nodes, results);
  analysis.verdict = verdict_of(*task_set, analysis.dags);
  analysis.needs = "release at offsets";
  for (const std::string& wanted : options.explain)
    analysis.explanations.push_back(explain_node(*task_set, nodes, results, analysis.dags, wanted));
  if (options.suggest) suggest(*task_set, nodes, analysis);
  for (PoolResult& result : results) analysis.pools.push_back(std::move(result.summary));
  analysis.warnings = std::move(warnings);
  analysis.task_set = std::move(task_set);
  return analysis;
}

/// A pool whose bounds assumed something that turned out not to hold.
void withdraw(PoolResult& result, std::string reason) {
  result.summary.bounded = false;
  result.summary.theorem.clear();
  result.summary.largest_lateness.reset();
  result.summary.explanation = std::move(reason);
  result.R.clear();
  result.theorem.clear();
}

PoolResult empty_pool() {
  PoolResult result;
  result.summary.bounded = true;
  result.summary.explanation = "no node runs here";
  return result;
}

Analysis analyze_fine(std::shared_ptr<const TaskSet> task_set, const Options& options) {
  PoolNodes nodes = collect(*task_set);
  set_priority_points(*task_set, nodes);
  std::vector<PoolResult> results(nodes.size());
  for (PoolId p = 0; p < nodes.size(); ++p) {
    if (is_lp(task_set->pools()[p]) && !nodes[p].empty()) continue;
    results[p] = nodes[p].empty() ? empty_pool() : pool_bounds(task_set->pools()[p], nodes[p], options);
  }
  std::vector<std::string> warnings;
  if (uses_lp(*task_set)) choose_lp_points(*task_set, nodes, results, options, warnings);
  return finish(std::move(task_set), nodes, std::move(results), options, std::move(warnings));
}

/// The task set with the C of every group set to its CPU part plus its suspension.
std::shared_ptr<const TaskSet> with_suspension(const Grouped& grouped, const std::vector<std::vector<Time>>& suspended) {
  const TaskSet& base = grouped.task_set;
  std::vector<Dag> dags;
  for (DagId d = 0; d < base.dags().size(); ++d) {
    const Dag& dag = base.dags()[d];
    std::vector<Node> nodes(dag.nodes().begin(), dag.nodes().end());
    for (NodeId v = 0; v < nodes.size(); ++v) {
      if (auto* cpu = std::get_if<CpuDemand>(&nodes[v].demand)) cpu->C += suspended[d][v];
    }
    dags.emplace_back(dag.name(), dag.period(), dag.deadline(), std::move(nodes),
                      std::vector<Edge>(dag.edges().begin(), dag.edges().end()));
  }
  return std::make_shared<const TaskSet>(base.name(), std::vector<Pool>(base.pools().begin(), base.pools().end()), std::move(dags));
}

/// Coarse-grained and monolithic variants. A group's kernels are issued from inside its job, so they are enqueued with a jitter of up to
/// the group's own bound, which depends on their bounds: the least fixed point from below. It is valid: at the first instant at which some
/// kernel or group exceeds its bound, everything enqueued before was within it.
Analysis analyze_grouped(const std::shared_ptr<const TaskSet>& fine, const Options& options) {
  constexpr int round_limit = 1000;
  const Grouped grouped = regroup(*fine, options.granularity);
  std::vector<Time> jitter(grouped.awaited.size());
  std::vector<Time> response(grouped.awaited.size());
  std::vector<bool> tied(fine->pools().size(), false);  // pools of awaited nodes and of the groups that await them
  for (const AwaitedNode& awaited : grouped.awaited) {
    tied[fine->dags()[awaited.dag].nodes()[awaited.origin].pool] = true;
    tied[grouped.task_set.dags()[awaited.dag].nodes()[awaited.group].pool] = true;
  }
  std::vector<std::string> warnings;
  if (uses_lp(grouped.task_set))
    warnings.emplace_back("LP chooses points for tasks with intra-task parallelism; G-EDF's points are used for the groups");

  for (int round = 0;; ++round) {
    auto task_set = with_suspension(grouped, suspension(grouped, response));
    PoolNodes nodes = collect(*task_set);
    set_priority_points(*task_set, nodes);
    std::vector<std::pair<PoolId, std::size_t>> place(grouped.awaited.size());
    for (std::size_t a = 0; a < grouped.awaited.size(); ++a) {
      const AwaitedNode& awaited = grouped.awaited[a];
      const Node& node = fine->dags()[awaited.dag].nodes()[awaited.origin];
      place[a] = {node.pool, nodes[node.pool].size()};
      nodes[node.pool].push_back({awaited.dag, awaited.origin, true, &node, fine->dags()[awaited.dag].period(), {}, jitter[a]});
    }

    std::vector<PoolResult> results(nodes.size());
    for (PoolId p = 0; p < nodes.size(); ++p) {
      results[p] = nodes[p].empty() ? empty_pool() : pool_bounds(task_set->pools()[p], nodes[p], options);
    }
    // Before the fixed point is reached, nothing is proven on pools that wait for each other.
    const auto withdraw_tied = [&](const std::string& reason) {
      for (PoolId p = 0; p < nodes.size(); ++p) {
        if (tied[p] && results[p].summary.bounded) withdraw(results[p], reason);
      }
      return finish(task_set, nodes, std::move(results), options, std::move(warnings));
    };
    for (PoolId p = 0; p < nodes.size(); ++p) {
      if (!tied[p] || results[p].summary.bounded) continue;
      return withdraw_tied(fmt::format("groups of nodes tie it to pool '{}', which has no bound", task_set->pools()[p].name));
    }

    std::vector<Time> next_response(response.size());
    std::vector<Time> next_jitter(jitter.size());
    const auto dags = dag_bounds(*task_set, nodes, results);
    for (std::size_t a = 0; a < grouped.awaited.size(); ++a) {
      next_response[a] = *results[place[a].first].bound(place[a].second);
      next_jitter[a] = *dags[grouped.awaited[a].dag].nodes[grouped.awaited[a].group].R;
    }
    if (next_response == response && next_jitter == jitter) {
      return finish(task_set, nodes, std::move(results), options, std::move(warnings));
    }
    if (round == round_limit) {
      return withdraw_tied(fmt::format("jitter of the kernels and bounds of the tasks that issue them still grow after {} rounds", round));
    }
    response = std::move(next_response);
    jitter = std::move(next_jitter);
  }
}

}  // namespace

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::schedulable: return "schedulable";
    case Verdict::deadline_missed: return "deadline-missed";
    case Verdict::unbounded: return "unbounded";
  }
  return "";
}

Analysis analyze(std::shared_ptr<const TaskSet> task_set, const Options& given) {
  Options options = given;
  // Whatever competes with what the search found is judged as the search judges.
  if (options.optimize_priorities) options.objective = Objective::max_lateness;
  if (options.granularity == Granularity::fine) {
    Analysis at_offsets = analyze_fine(with_cpu_pools(std::move(task_set), options), options);
    return with_release_policy(std::move(at_offsets), options);
  }
  if (options.release == ReleasePolicy::completion || options.release == ReleasePolicy::segments) {
    throw std::invalid_argument(
        "coarse-grained and monolithic DAGs are released at offsets; release on completion and segments need fine nodes");
  }
  Options of_groups = options;
  of_groups.scheduler = options.scheduler.value_or(Scheduler::g_edf);
  return analyze_grouped(with_cpu_pools(std::move(task_set), of_groups), of_groups);
}

}  // namespace rta::analysis
