#include "analysis/policies/executor_bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "analysis/policies/components.hpp"
#include "analysis/policies/path_proof.hpp"
#include "analysis/search/cost.hpp"
#include "rta/model/error.hpp"
#include "rta/model/fixed_priority.hpp"
#include "rta/model/time_slices.hpp"

namespace rta::analysis {
namespace {

using reason::BesideExecutor;

constexpr std::size_t most_nodes = 4000;  // of a DAG

/// What T19 is not for, if anything.
std::optional<Reason> unsuitable(const TaskSet& task_set, const path::System& system, const std::string& executor) {
  for (const Dag& dag : task_set.dags()) {
    if (dag.attributes().threads) return BesideExecutor{BesideExecutor::What::threads, dag.name(), executor};
    if (dag.nodes().size() > most_nodes) return BesideExecutor{BesideExecutor::What::too_many_nodes, dag.name(), executor};
  }
  std::vector<bool> used(system.pools.size());
  for (const path::Dag& dag : system.dags) {
    for (const path::Node& node : dag.nodes) used[node.pool] = true;
  }
  for (std::size_t p = 0; p < system.pools.size(); ++p) {
    const path::Pool& pool = system.pools[p];
    if (!used[p]) continue;
    if (pool.slices) return BesideExecutor{BesideExecutor::What::time_slices, pool.name, executor};
    if (pool.order == path::Order::fixed_kernels) return BesideExecutor{BesideExecutor::What::stream_priorities, pool.name, executor};
    if (pool.order == path::Order::gel_non_preemptive)
      return BesideExecutor{BesideExecutor::What::points_without_preemption, pool.name, executor};
  }
  return std::nullopt;
}

/// A sequential job may wait for the one before it (T3s).
std::optional<Reason> waiting_sequential(const TaskSet& task_set, const executors::Bounds& bounds) {
  for (DagId d = 0; d < task_set.dags().size(); ++d) {
    const Dag& dag = task_set.dags()[d];
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      const Time F = bounds.F[d][v];
      if (dag.nodes()[v].sequential && F > dag.period()) return reason::MayWaitOnPath{dag.nodes()[v].name, F, dag.period()};
    }
  }
  return std::nullopt;
}

/// A callback on one pool.
struct Callback {
  reason::Share share;
  const std::string* group = nullptr;
  FixedPriority priority = 0;
  bool reentrant = false;
};

class Starving {
 public:
  /// Requires an executor.
  Starving(const TaskSet& task_set, const std::string& pool) {
    const auto at = std::ranges::find(task_set.pools(), pool, &Pool::name);
    cpu_ = &std::get<CpuPool>(at->resource);
    const auto p = static_cast<PoolId>(at - task_set.pools().begin());
    const FixedPriorities priorities = fixed_priorities(task_set);
    for (DagId d = 0; d < task_set.dags().size(); ++d) {
      const Dag& dag = task_set.dags()[d];
      for (NodeId v = 0; v < dag.nodes().size(); ++v) {
        const Node& node = dag.nodes()[v];
        if (node.pool != p) continue;
        const auto C = static_cast<double>(longest_piece(node).count());
        callbacks_.push_back({.share = {dag.nodes().size() == 1 ? dag.name() : fmt::format("{}/{}", dag.name(), node.name),
                                        C / static_cast<double>(dag.period().count())},
                              .group = &node.group,
                              .priority = priorities.of[d][v],
                              .reentrant = node.group == reentrant_group});
      }
    }
    std::ranges::stable_sort(callbacks_, std::greater<>{}, [](const Callback& callback) { return callback.share.U; });
  }

  [[nodiscard]] std::uint32_t threads() const { return cpu_->processors; }
  /// Those that take most, of the group if there is one.
  [[nodiscard]] std::vector<reason::Share> most(const std::optional<std::string>& group = std::nullopt) const {
    std::vector<reason::Share> all;
    for (const Callback& callback : callbacks_) {
      if (all.size() < most_told && callback.share.U > 0 && (!group || *callback.group == *group)) all.push_back(callback.share);
    }
    return all;
  }
  /// By priority: the most urgent one for which what is as urgent or more leaves nothing.
  [[nodiscard]] std::optional<std::string> starved() const {
    if (cpu_->scheduler != Scheduler::fp) return std::nullopt;
    std::vector<const Callback*> by_urgency;
    for (const Callback& callback : callbacks_) by_urgency.push_back(&callback);
    std::ranges::stable_sort(by_urgency, std::greater<>{}, [](const Callback* callback) { return callback->priority; });
    const auto& reserved = cpu_->reservation;
    const double share = reserved ? static_cast<double>(reserved->runtime.count()) / static_cast<double>(reserved->period.count()) : 1;
    double U = 0;
    for (std::size_t i = 0; i < by_urgency.size(); ++i) {
      U += by_urgency[i]->share.U;
      const bool last_of_level = i + 1 == by_urgency.size() || by_urgency[i + 1]->priority < by_urgency[i]->priority;
      if (U > share && last_of_level) return by_urgency[i]->share.callback;
    }
    return std::nullopt;
  }
  /// Of several threads: the exclusive group that takes most.
  [[nodiscard]] std::optional<std::pair<std::string, double>> largest_group() const {
    std::map<std::string_view, double> loads;
    for (const Callback& callback : callbacks_) {
      if (!callback.reentrant) loads[*callback.group] += callback.share.U;
    }
    if (loads.empty() || !is_multi_threaded(*cpu_)) return std::nullopt;
    const auto& [name, U] = *std::ranges::max_element(loads, {}, [](const auto& load) { return load.second; });
    return std::pair(std::string(name), U);
  }

 private:
  static constexpr std::size_t most_told = 3;
  const CpuPool* cpu_;
  std::vector<Callback> callbacks_;
};

bool is_executor(const TaskSet& task_set, const std::string& pool) {
  const auto at = std::ranges::find(task_set.pools(), pool, &Pool::name);
  if (at == task_set.pools().end()) return false;  // one of two copy engines
  const auto* const cpu = std::get_if<CpuPool>(&at->resource);
  return cpu != nullptr && (is_wait_set(*cpu) || is_multi_threaded(*cpu) || cpu->callbacks);
}

/// With the callbacks that have too much to do, where that is on an executor.
Reason with_callbacks(Reason why, const TaskSet& task_set) {
  if (const auto* over = std::get_if<reason::PathOverload>(&why); over != nullptr && is_executor(task_set, over->pool))
    why = reason::ExecutorOverload{.pool = over->pool, .U = over->U};
  if (auto* over = std::get_if<reason::ExecutorOverload>(&why)) {
    const Starving callbacks(task_set, over->pool);
    if (over->group != 0) {
      const auto group = callbacks.largest_group();
      over->group_name = group->first;
      over->most = callbacks.most(group->first);
    } else {
      over->most = callbacks.most();
      over->starved = callbacks.starved();
    }
  }
  if (const auto* past = std::get_if<reason::PastLimit>(&why)) {
    if (!is_executor(task_set, past->pool)) return why;
    const Starving callbacks(task_set, past->pool);
    reason::ExecutorGrows grows{.past = *past, .threads = callbacks.threads(), .most = callbacks.most()};
    if (auto group = callbacks.largest_group()) {
      grows.most = callbacks.most(group->first);
      grows.of_group = group->second;
      grows.group = std::move(group->first);
    }
    return grows;
  }
  return why;
}

Time latest_end(const std::vector<Time>& F) { return *std::ranges::max_element(F); }

Result<ExecutorEvidence, NoBound> least_by_executors(const PathInput& input, const std::string& executor) {
  const TaskSet& task_set = *input.task_set;
  if (!input.weights) return input.weights.reason();
  std::vector<PlatformWeights> all = *input.weights;
  if (auto turns = with_turns(all.back(), input.in_turn)) all.push_back(*std::move(turns));
  std::optional<ExecutorEvidence> best;
  std::optional<Cost> least;
  std::optional<Reason> why;
  for (const PlatformWeights& weights : all) {
    ExecutorEvidence e;
    e.system = path_system(task_set, whole_dags(task_set), weights, input.Y);
    std::optional<Reason> none = unsuitable(task_set, e.system.system, executor);
    if (!none) {
      auto found = executors::bounds(e.system.system, limits(input.options, "executors"));
      if (found) {
        e.bounds = *std::move(found);
        none = waiting_sequential(task_set, e.bounds);
      } else {
        none = with_callbacks(found.reason(), task_set);
      }
    }
    if (none) {
      if (!why) why = std::move(none);
      continue;
    }
    std::vector<Time> R;
    R.reserve(e.bounds.F.size());
    for (const auto& F : e.bounds.F) R.push_back(latest_end(F));
    const Cost cost = cost_of(task_set, R, input.options.objective);
    if (least && *least <= cost) continue;
    least = cost;
    best = std::move(e);
  }
  if (best) return *std::move(best);
  return NoBound{*why, std::nullopt};
}

/// From a source to the node that ends last, back by what ends last.
std::vector<NodeId> path_to_last(const Dag& dag, const std::vector<Time>& F) {
  std::vector<NodeId> path{static_cast<NodeId>(std::ranges::max_element(F) - F.begin())};
  while (!dag.successors(path.back()).empty()) path.back() = dag.successors(path.back()).front();  // which ends no later
  while (!dag.predecessors(path.back()).empty())
    path.push_back(std::ranges::max(dag.predecessors(path.back()), {}, [&](NodeId u) { return F[u]; }));
  std::ranges::reverse(path);
  return path;
}

/// Of the node or one before it: whether some is in a reservation, or else on an executor of several threads.
Theorem by_path(const TaskSet& task_set, DagId d, NodeId v) {
  Theorem theorem = Theorem::T19;
  const Dag& dag = task_set.dags()[d];
  std::vector<NodeId> left{v};
  std::vector<bool> seen(dag.nodes().size());
  while (!left.empty()) {
    const NodeId u = left.back();
    left.pop_back();
    const auto* const cpu = std::get_if<CpuPool>(&task_set.pools()[dag.nodes()[u].pool].resource);
    if (cpu != nullptr && cpu->reservation) return Theorem::T22;
    if (cpu != nullptr && is_multi_threaded(*cpu)) theorem = Theorem::T20;
    for (const NodeId w : dag.predecessors(u)) {
      if (!seen[w]) left.push_back(w);
      seen[w] = true;
    }
  }
  return theorem;
}

DagProof dag_proof(const PathInput& input, const ExecutorEvidence& e, DagId d) {
  const Dag& dag = input.task_set->dags()[d];
  DagProof proof;
  proof.nodes.resize(dag.nodes().size());
  for (NodeId v = 0; v < dag.nodes().size(); ++v) {
    NodeProof& of = proof.nodes[v];
    of.reference = Time::zero();
    const auto* cpu = std::get_if<CpuPool>(&input.task_set->pools()[dag.nodes()[v].pool].resource);
    if (cpu != nullptr && has_priority_points(*cpu)) of.priority_point = input.Y[d];
    const bool local = e.bounds.carrier[d][e.bounds.by[d][v]] == executors::Carrier::local;
    of.bound = Bound{e.bounds.F[d][v], {local ? Theorem::T19j : by_path(*input.task_set, d, v), 0, static_cast<std::uint32_t>(v)}};
  }
  proof.critical_path = path_to_last(dag, e.bounds.F[d]);
  proof.bound = proof.nodes[proof.critical_path.back()].bound;
  return proof;
}

void add_their_theorems(Proof& proof) {
  for (PoolProof& pool : proof.pools) {
    pool.none.reset();
    for (const PoolTask& task : pool.tasks) {
      const Theorem theorem = proof.dags[task.dag].nodes[task.node].bound->basis.theorem;
      if (std::ranges::find(pool.theorems, theorem) == pool.theorems.end()) pool.theorems.push_back(theorem);
    }
    std::ranges::sort(pool.theorems, {}, [](Theorem theorem) { return to_string(theorem); });
  }
}

[[noreturn]] void refuse_for(const std::string& executor, std::string_view what) {
  throw UserError(fmt::format("pool '{}' is an executor: {}", executor, what));
}

void refuse_for_callbacks(const std::string& executor, const Options& options) {
  if (options.granularity != Granularity::fine)
    refuse_for(executor, "its nodes are callbacks, which are not grouped; leave --granularity out");
  if (options.scheduler)
    refuse_for(executor, "it has the order of an executor, which --scheduler does not change; change `kind` in the file");
  if (options.preemptive) refuse_for(executor, "a callback runs to its end; leave --non-preemptive out");
}

}  // namespace

void refuse_options_for_executors(const std::string& executor, const Options& options) {
  const auto refuse = [&executor](std::string_view what) { refuse_for(executor, what); };
  refuse_for_callbacks(executor, options);
  if (options.release && *options.release != Release::completion) {
    refuse(fmt::format("a callback is ready when its message is there, on completion (T19), and --release {} has no theorem for it",
                       to_string(*options.release)));
  }
  if (options.priorities == Priorities::node) refuse("DAGs beside it have one priority point each; leave --priorities node out");
  if (options.optimize_priorities) refuse("there is no search for priorities beside it yet; leave --optimize priorities out");
  if (options.path_bound != PathBound::best) refuse("T19, T19j, T20 and T22 bound it, whatever --path-bound says");
}

void refuse_other_orders(const TaskSet& task_set, const Options& options) {
  for (const Dag& dag : task_set.dags()) {
    for (const Node& node : dag.nodes()) {
      const Pool& pool = task_set.pools()[node.pool];
      const auto* const cpu = std::get_if<CpuPool>(&pool.resource);
      if (cpu != nullptr && cpu->callbacks) refuse_for_callbacks(pool.name, options);
    }
  }
}

Proof prove_with_executors(std::shared_ptr<const TaskSet> task_set, const Options& options) {
  const std::string executor = task_set->pools()[*first_executor(task_set->pools(), task_set->dags())].name;
  if (components(*task_set).size() > 1) return without_bounds(std::move(task_set), Release::completion, reason::NodeWithout{});
  const PathInput input(std::move(task_set), options);
  auto found = least_by_executors(input, executor);
  const NoBound none = found ? NoBound{reason::NodeWithout{}, std::nullopt} : found.reason();
  Proof proof = path_proof(input, Release::completion, none, path::Refinement::T10n);
  proof.left_out.clear();  // of theorems that nobody asks here
  if (!found) return proof;
  for (DagId d = 0; d < proof.dags.size(); ++d) proof.dags[d] = dag_proof(input, *found, d);
  add_their_theorems(proof);
  proof.evidence.emplace_back(*std::move(found));
  return proof;
}

}  // namespace rta::analysis
