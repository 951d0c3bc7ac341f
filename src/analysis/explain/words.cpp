// Sentences about the pools of a proof and what it needs at run time.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "analysis/explain/dag_kinds.hpp"
#include "analysis/explain/reason_words.hpp"
#include "rta/analysis/explain.hpp"

namespace rta::analysis {
namespace {

const Node& node_of(const Proof& proof, const PoolTask& task) {
  const TaskSet& set = task.awaited ? *proof.ungrouped : *proof.task_set;
  return set.dags()[task.dag].nodes()[task.node];
}

bool on_paths(const Proof& proof) { return proof.release == Release::completion || proof.release == Release::segments; }

/// Why a pool's nodes have bounds at offsets.
class Bounded {
 public:
  Bounded(const Proof& proof, PoolId p) : proof_(proof), pool_(proof.pools[p]) {}

  std::string operator()(const CpuPool& cpu) const {
    const Theorem first = pool_.theorems.front();
    const bool allowed_for = first == Theorem::T3 || first == Theorem::T3b || first == Theorem::T4;
    const bool sequential = (!allowed_for || cpu.scheduler == Scheduler::fifo) &&
                            std::ranges::any_of(pool_.tasks, [&](const PoolTask& task) { return node_of(proof_, task).sequential; });
    return fmt::format("U <= m = {}{}{}", cpu.processors, allowed_for ? " and no node's utilization is above 1" : "",
                       !sequential    ? ""
                       : some_waits() ? "; one processor runs each node's jobs one after another anyway, sequential or not"
                                      : "; no sequential node's job waits for its predecessor: R <= T for each");
  }
  std::string operator()(const GpuPool&) const {
    if (pool_.capacity <= 0) return "its kernels, one after another, take no more than all of the time";
    return fmt::format("U is within the {:.0f} G-threads that this mix of kernels is guaranteed", pool_.capacity);
  }
  std::string operator()(const EnginePool& pool) const {
    return pool.engines > 1 ? "U <= 1 on the engine of each direction" : "U <= 1 engine";
  }
  std::string operator()(const WorkerPool& pool) const { return fmt::format("U <= N = {} workers", pool.workers); }

 private:
  [[nodiscard]] bool some_waits() const {
    return std::ranges::any_of(pool_.tasks, [&](const PoolTask& task) {
      if (task.awaited || !node_of(proof_, task).sequential) return false;
      const auto& bound = proof_.dags[task.dag].nodes[task.node].bound;
      return bound && bound->R > proof_.task_set->dags()[task.dag].period();
    });
  }

  const Proof& proof_;
  const PoolProof& pool_;
};

std::string order_of(const CpuPool& cpu, bool by_node) {
  if (cpu.reservation) return "executors in reservations";
  if (by_node) return "GEL with a priority point per node";
  if (cpu.callbacks) {
    return cpu.scheduler == Scheduler::fifo ? "an executor by events, alone on its processor"
                                            : "an executor by priority, alone on its processor";
  }
  if (cpu.scheduler == Scheduler::fifo) return "FIFO by ready time";
  if (is_wait_set(cpu)) return "executors under the wait-set rule, each alone on its processor";
  if (is_multi_threaded(cpu)) return "executors of several threads, each thread alone on a processor";
  if (cpu.scheduler == Scheduler::fp) return cpu.preemptive ? "fixed priorities" : "non-preemptive fixed priorities";
  return fmt::format("{}{} by DAG", cpu.preemptive ? "" : "non-preemptive ", cpu.scheduler == Scheduler::g_fl ? "G-FL" : "G-EDF");
}

}  // namespace

TaskNames task_names(const Proof& proof, PoolId p) {
  const TaskSet& task_set = *proof.task_set;
  const DagKinds kinds = dag_kinds(task_set);
  TaskNames names;
  names.kinds.reserve(kinds.kinds.size());
  for (const auto& [first, last] : kinds.kinds) {
    const std::string& name = task_set.dags()[first].name();
    names.kinds.push_back(first == last ? name : fmt::format("{} ... {}", name, task_set.dags()[last].name()));
  }
  std::map<std::string_view, std::set<std::size_t>> kinds_with;
  for (const PoolTask& task : proof.pools[p].tasks) kinds_with[node_of(proof, task).name].insert(kinds.of[task.dag]);
  names.tasks.reserve(proof.pools[p].tasks.size());
  for (const PoolTask& task : proof.pools[p].tasks) {
    const std::string& node = node_of(proof, task).name;
    names.tasks.push_back({kinds.of[task.dag], node, kinds_with[node].size() > 1});
  }
  return names;
}

std::string in_words(const Proof& proof, const NoBound& none) {
  if (!none.pool) return in_words(none.reason);
  const std::string sentence = in_words(none.reason, task_names(proof, *none.pool));
  return on_paths(proof) ? fmt::format("pool '{}': {}", proof.task_set->pools()[*none.pool].name, sentence) : sentence;
}

std::string names_of(const std::vector<Theorem>& theorems) {
  std::string names;
  for (const Theorem theorem : theorems) names += (names.empty() ? "" : ", ") + std::string(to_string(theorem));
  return names;
}

std::string pool_in_words(const Proof& proof, PoolId p) {
  const PoolProof& pool = proof.pools[p];
  if (pool.tasks.empty()) return "no node runs here";
  if (pool.none) return in_words(proof, *pool.none);
  if (proof.release == Release::fixed_order) return "its jobs run in a static order";
  const auto by = [&](Theorem first, Theorem last) {
    return std::ranges::any_of(pool.theorems, [&](Theorem theorem) { return theorem >= first && theorem <= last; });
  };
  if (by(Theorem::T36, Theorem::T36)) return "all orders in which the jobs of a hyperperiod may start are followed";
  if (by(Theorem::T35, Theorem::T35)) return "each job of a hyperperiod waits only for those whose windows meet its own";
  if (by(Theorem::T16, Theorem::T18)) return "every job ends before the next one of its node may be released";
  if (by(Theorem::T38, Theorem::T38)) return "a node waits for what can be ready at once of the jobs that may be under way";
  if (by(Theorem::T21h, Theorem::T21h)) return "a node waits for one piece of every other thread at most";
  if (by(Theorem::T41, Theorem::T41))
    return "a node waits for one piece of every other thread at most, and on processors as long as who spins keeps them";
  const auto* const cpu = std::get_if<CpuPool>(&proof.task_set->pools()[p].resource);
  if (cpu != nullptr && is_wait_set(*cpu))
    return "other work delays a job once along its path, not anew at each node, and by no more than fits between the executor's polls";
  if (cpu != nullptr && is_multi_threaded(*cpu))
    return "other work delays a job once along its path, not anew at each node: callbacks of its own groups in full, the rest shared "
           "among the threads";
  if (on_paths(proof)) return "other work delays a job once along its path, not anew at each node";
  return std::visit(Bounded(proof, p), proof.task_set->pools()[p].resource);
}

std::string worst_configuration_in_words(const Proof& proof, PoolId p) {
  const auto& worst = proof.pools[p].worst;
  return worst ? in_words(*worst, task_names(proof, p)) : std::string();
}

std::string needs_in_words(const Proof& proof) {
  switch (proof.release) {
    case Release::offsets:
    case Release::grouped: return "release at offsets";
    case Release::early: return "release when the last predecessor has ended, priority points of the offsets";
    case Release::fixed_order: return "a static order of all jobs, DAGs released exactly every T";
    case Release::completion:
    case Release::segments: break;
  }
  std::vector<std::string> orders;
  for (PoolId p = 0; p < proof.pools.size(); ++p) {
    const auto* cpu = std::get_if<CpuPool>(&proof.task_set->pools()[p].resource);
    if (cpu == nullptr) continue;
    std::string order = order_of(*cpu, std::ranges::find(proof.ordered_by_node, p) != proof.ordered_by_node.end());
    if (std::ranges::find(orders, order) == orders.end()) orders.push_back(std::move(order));
  }
  std::string text = fmt::format("release on {}", to_string(proof.release));
  for (const std::string& order : orders) text += ", " + order;
  const auto dags = proof.task_set->dags();
  if (first_on_threads(dags)) {
    const bool spins = std::ranges::any_of(dags, [](const Dag& dag) { return dag.attributes().wait == Wait::spin; });
    text += spins ? ", threads that play one job at a time, and some of which keep their processor while they wait"
                  : ", threads that play one job at a time and block while they wait";
  }
  const auto by_windows = [](const std::optional<Bound>& bound) {
    return bound && (bound->basis.theorem == Theorem::T35 || bound->basis.theorem == Theorem::T36);
  };
  if (std::ranges::any_of(proof.dags, [&](const DagProof& dag) {
        return by_windows(dag.bound) || std::ranges::any_of(dag.nodes, by_windows, &NodeProof::bound);
      })) {
    text += ", DAGs released exactly every T from their phases on, by one clock";
  }
  return text;
}

}  // namespace rta::analysis
