#include "analysis/policies/periodic_bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "analysis/policies/pool_nodes.hpp"
#include "analysis/policies/turns.hpp"
#include "rta/model/fixed_priority.hpp"
#include "rta/model/kernel_time.hpp"

namespace rta::analysis {
namespace {

// Of T36, some tenths of a second; the checker, which is slower, has to follow.
constexpr std::size_t most_states = 30'000;
constexpr std::uint64_t most_steps = 10'000'000;

bool is_periodic(const Dag& dag) { return dag.attributes().periodic; }

periodic::Pool pool_of(const CpuPool& cpu) {
  using enum periodic::Order;
  periodic::Pool pool{.order = points, .servers = cpu.processors, .preemptive = cpu.preemptive};
  if (cpu.scheduler == Scheduler::fp) {
    pool.order = fixed;
    pool.equals_by_ready = cpu.equals == Equals::fifo;
  } else if (cpu.scheduler == Scheduler::fifo) {
    pool.order = ready;
    pool.preemptive = false;  // nothing that has started is ever behind in the queue
  }
  pool.sees_first = may_see_first(cpu) && cpu.simultaneous == Simultaneous::before_starts;
  return pool;
}

class PeriodicBounds {
 public:
  PeriodicBounds(Proof& proof, const Options& options) : proof_(proof), options_(options), set_(*proof.task_set) {}

  void add(bool reach) {
    add_pools();
    for (DagId d = 0; d < set_.dags().size(); ++d) {
      if (!add_dag(d)) return;
    }
    periodic::Limits limits;
    limits.periods = options_.most_periods;
    limits.stop = options_.stop;
    const auto windows = periodic::job_windows(system_, limits, &proof_.left_out);
    if (windows) {
      const bool better = take(*windows, Theorem::T35);
      proof_.evidence.emplace_back(WindowEvidence{system_, pool_of_, *windows});
      if (better) tell_pools();
    }
    if (reach) follow(windows);
  }

 private:
  /// Two copy engines are a pool for each direction.
  void add_pools() {
    const PoolNodes nodes = nodes_of_pools(set_);
    for (PoolId p = 0; p < set_.pools().size(); ++p) {
      const auto& resource = set_.pools()[p].resource;
      first_.push_back(system_.pools.size());
      std::size_t copies = 1;
      periodic::Pool pool;
      switch (set_.pools()[p].kind()) {
        case PoolKind::cpu: pool = pool_of(std::get<CpuPool>(resource)); break;
        case PoolKind::gpu:
          pool.in_turn = is_in_turn(set_.pools()[p], nodes[p]);
          if (!pool.in_turn) pool.order = periodic::Order::unknown;
          break;
        case PoolKind::engines: copies = std::get<EnginePool>(resource).engines > 1 ? 2 : 1; break;
        case PoolKind::workers: pool.servers = std::get<WorkerPool>(resource).workers; break;
      }
      for (; copies > 0; --copies) {
        system_.pools.push_back(pool);
        pool_of_.push_back(p);
      }
    }
  }

  /// Kernels one after another (T27), as far as the GPU keeps up with them so, and company does not make them longer.
  [[nodiscard]] bool is_in_turn(const Pool& pool, std::span<const PoolNode> nodes) const {
    const auto& gpu = std::get<GpuPool>(pool.resource);
    if (!has_turns(pool, nodes) || gpu.interference) return false;
    const Durations by = durations(options_);
    const bool known = std::ranges::all_of(nodes, [&](const PoolNode& node) {
      return !node.node->variation || node.node->variation->least <= duration_alone(std::get<GpuDemand>(node.node->demand), gpu, by);
    });
    return known && busy_alone(gpu, with_nominal_periods(set_, nodes), by).compare(1) <= 0;
  }

  /// Whether all nodes without a known order have bounds.
  bool add_dag(DagId d) {
    const Dag& dag = set_.dags()[d];
    periodic::Dag& added = system_.dags.emplace_back();
    added.T = dag.nominal_period();
    added.phase = *dag.attributes().phase;
    added.J = dag.attributes().jitter;
    added.order.assign(dag.topological_order().begin(), dag.topological_order().end());
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      const Node& node = dag.nodes()[v];
      const NodeProof& proven = proof_.dags[d].nodes[v];
      periodic::Node& own = added.nodes.emplace_back();
      own.pool = first_[node.pool];
      own.C = longest_piece(node);
      own.least = node.variation ? node.variation->least : Time::zero();
      own.sequential = node.sequential;
      own.before.assign(dag.predecessors(v).begin(), dag.predecessors(v).end());
      if (proven.bound) own.known = proven.reference.value_or(Time::zero()) + proven.bound->R;
      const periodic::Pool& pool = system_.pools[own.pool];
      if (pool.order == periodic::Order::points) {
        if (!proven.priority_point) return false;
        own.key = proven.priority_point->count();
      }
      if (pool.order == periodic::Order::fixed) own.key = proven.priority.value_or(0);
      if (const auto* copy = std::get_if<CopyDemand>(&node.demand)) {
        const bool second = std::get<EnginePool>(set_.pools()[node.pool].resource).engines > 1 && copy->direction == Direction::d2h;
        own.pool += second ? 1 : 0;
      }
      if (const auto* kernel = std::get_if<GpuDemand>(&node.demand); kernel != nullptr && pool.in_turn)
        own.C = duration_alone(*kernel, std::get<GpuPool>(set_.pools()[node.pool].resource), durations(options_));
      if (const auto* items = std::get_if<WorkerDemand>(&node.demand)) {
        own.pieces = items->B;
        own.C += std::get<WorkerPool>(set_.pools()[node.pool].resource).dispatch_overhead;
      }
      if (pool.order == periodic::Order::unknown && !own.known) {
        proof_.warnings.push_back(fmt::format(
            "periodic releases are not made use of: '{}/{}' on '{}' has no bound without them, and T35 knows no order of kernels",
            dag.name(), node.name, set_.pools()[node.pool].name));
        return false;
      }
    }
    return true;
  }

  /// Whether some bound has become less.
  bool take(const periodic::Windows& windows, Theorem theorem) {
    const Basis basis{theorem, static_cast<std::uint32_t>(proof_.evidence.size()), 0};
    bool better = false;
    for (DagId d = 0; d < set_.dags().size(); ++d) {
      DagProof& dag = proof_.dags[d];
      NodeId last = 0;
      Time most = Time::zero();
      for (NodeId v = 0; v < dag.nodes.size(); ++v) {
        NodeProof& node = dag.nodes[v];
        const Time R = windows.ends[d][v][windows.latest(d, v)];
        if (!node.bound || R < node.bound->R) {
          node.reference = Time::zero();
          node.bound = Bound{R, basis};
          better = true;
        }
        if (v > 0 && node.bound->R <= most) continue;
        most = node.bound->R;
        last = v;
      }
      if (dag.bound && dag.bound->R <= most) continue;
      dag.bound = Bound{most, basis};
      dag.critical_path = path_to(windows, d, last);
      better = true;
    }
    return better;
  }

  /// T36, with the ends by T35 where there are some; where that is too much, without kernels in turn and items in rows.
  void follow(const std::optional<periodic::Windows>& proven) {
    if (options_.enough == Enough::deadlines && verdict_of(proof_) == Verdict::schedulable) return;
    const periodic::Windows* const ends = proven ? &*proven : nullptr;
    try {
      std::vector<LeftOut> left_out;
      auto reached = follow_all(ends, &left_out);
      if (!reached && leave_to_others() && !(options_.stop && options_.stop())) {
        std::vector<LeftOut> also;
        reached = follow_all(ends, &also);
        for (LeftOut& one : left_out) one.what = reached ? LeftOut::What::coarser : one.what;
      }
      add_left_out(proof_.left_out, std::move(left_out));
      if (!reached) return;
      std::vector<DagProof> before = proof_.dags;
      const bool better = take(reached->windows, Theorem::T36);
      proof_.evidence.emplace_back(ReachEvidence{std::move(system_), std::move(pool_of_), std::move(*reached)});
      if (!better) return;
      proof_.before_reach = std::move(before);
      tell_pools();
    } catch (const Overflow& error) {  // what T35 and others have proven stands
      proof_.warnings.push_back(fmt::format("T36 is left out: {}", error.what()));
    }
  }

  /// None, too, where there is nothing to follow, or a node beside it has no end.
  [[nodiscard]] std::optional<periodic::Reached> follow_all(const periodic::Windows* proven, std::vector<LeftOut>* left_out) const {
    bool some = false;
    for (const periodic::Dag& dag : system_.dags) {
      for (const periodic::Node& node : dag.nodes) {
        const bool followed = periodic::is_followed(system_, node.pool);
        if (!followed && proven == nullptr && !node.known) return std::nullopt;
        some = some || followed;
      }
    }
    if (!some) return std::nullopt;
    periodic::ReachLimits limits;
    limits.states = most_states;
    limits.steps = most_steps;
    limits.stop = options_.stop;
    return periodic::reachable_ends(system_, proven, limits, left_out);
  }

  /// Whether some pools were followed that need not be: their nodes have bounds of other theorems.
  [[nodiscard]] bool leave_to_others() {
    bool some = false;
    for (const periodic::Dag& dag : system_.dags) {
      for (const periodic::Node& node : dag.nodes) {
        periodic::Pool& pool = system_.pools[node.pool];
        if (!pool.in_turn && node.pieces == 1) continue;
        some = some || pool.follow;
        pool.follow = false;
      }
    }
    return some;
  }

  /// Back from the node's latest job to what may make it ready last.
  [[nodiscard]] std::vector<NodeId> path_to(const periodic::Windows& windows, DagId d, NodeId v) const {
    const std::size_t n = windows.latest(d, v);
    std::vector<NodeId> path{v};
    while (true) {
      const auto& before = system_.dags[d].nodes[path.back()].before;
      if (before.empty()) break;
      path.push_back(*std::ranges::max_element(before, {}, [&](NodeId u) { return windows.ends[d][u][n]; }));
    }
    std::ranges::reverse(path);
    return path;
  }

  void tell_pools() {
    for (PoolProof& pool : proof_.pools) {
      pool.none.reset();
      pool.theorems.clear();
      for (const PoolTask& task : pool.tasks) {
        const Theorem theorem = proof_.dags[task.dag].nodes[task.node].bound->basis.theorem;
        if (std::ranges::find(pool.theorems, theorem) == pool.theorems.end()) pool.theorems.push_back(theorem);
      }
      std::ranges::sort(pool.theorems, {}, [](Theorem theorem) { return to_string(theorem); });
    }
  }

  Proof& proof_;
  const Options& options_;
  const TaskSet& set_;
  periodic::System system_;
  std::vector<std::size_t> first_;  // of a pool
  std::vector<PoolId> pool_of_;
};

}  // namespace

bool all_periodic(const TaskSet& task_set) { return std::ranges::all_of(task_set.dags(), is_periodic); }

std::optional<std::string> unused_clock(const TaskSet& task_set) {
  const auto dags = task_set.dags();
  const auto other = std::ranges::find_if_not(dags, is_periodic);
  if (other == dags.end() || std::ranges::none_of(dags, is_periodic)) return std::nullopt;
  return fmt::format("periodic releases are not made use of: DAG '{}' is not periodic, and T35 needs all to be", other->name());
}

void add_periodic_bounds(Proof& proof, const Options& options, bool reach) {
  if (proof.release != Release::completion || options.path_bound != PathBound::best || !all_periodic(*proof.task_set)) return;
  try {
    PeriodicBounds(proof, options).add(reach);
  } catch (const Overflow& error) {  // what the policy has proven stands
    proof.warnings.push_back(fmt::format("periodic releases are not made use of: {}", error.what()));
  }
}

}  // namespace rta::analysis
