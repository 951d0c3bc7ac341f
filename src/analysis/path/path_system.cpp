#include "rta/analysis/path/path_system.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rta/analysis/cpu/priority_point.hpp"
#include "rta/analysis/gpu/fifo.hpp"
#include "rta/model/error.hpp"
#include "rta/model/fixed_priority.hpp"
#include "rta/model/time_slices.hpp"

namespace rta::analysis {
namespace {

template <class T>
PerNode<T> per_node(const TaskSet& task_set, const T& value) {
  PerNode<T> all;
  for (const Dag& dag : task_set.dags()) all.emplace_back(dag.nodes().size(), value);
  return all;
}

}  // namespace

Segmentation whole_dags(const TaskSet& task_set) { return per_node<std::size_t>(task_set, 0); }

std::vector<Time> dag_priority_points(const TaskSet& task_set) {
  std::vector<Time> points;
  for (const Dag& dag : task_set.dags()) {
    const Time D = dag.deadline().value_or(dag.period());
    Time Y = D;
    for (PoolId p = 0; p < task_set.pools().size(); ++p) {
      const auto* cpu = std::get_if<CpuPool>(&task_set.pools()[p].resource);
      if (cpu == nullptr || cpu->scheduler != Scheduler::g_fl) continue;
      std::vector<Time> length(dag.nodes().size());
      Time longest;
      for (const NodeId v : dag.topological_order()) {
        for (const NodeId w : dag.predecessors(v)) length[v] = std::max(length[v], length[w]);
        if (dag.nodes()[v].pool == p) length[v] += std::get<CpuDemand>(dag.nodes()[v].demand).C;
        longest = std::max(longest, length[v]);
      }
      Y = std::min(Y, priority_point(Scheduler::g_fl, D, longest, cpu->processors));
    }
    points.push_back(Y);
  }
  return points;
}

namespace {

path::Order order_of(const CpuPool& cpu) {
  using path::Order;
  switch (cpu.scheduler) {
    case Scheduler::fifo: return Order::fifo;
    case Scheduler::fp: return cpu.preemptive ? Order::fixed : Order::fixed_non_preemptive;
    case Scheduler::g_edf:
    case Scheduler::g_fl:
    case Scheduler::lp: break;
  }
  return cpu.preemptive ? Order::gel : Order::gel_non_preemptive;
}

/// What a pool is to the path bounds.
struct ByPool {
  path::Pool operator()(const CpuPool& cpu) const {
    path::Pool out;
    out.capacity = cpu.processors;
    out.order = order_of(cpu);
    out.equals_any = by_fixed_priority(out.order) && cpu.equals == Equals::any;
    return out;
  }
  path::Pool operator()(const GpuPool& gpu) const {
    path::Pool out;
    out.capacity = gpu.sms;
    out.unit = weights.unit;
    out.unit_weights = false;
    out.switches = weights.switches;
    out.sm = weights.sm;
    if (out.sm) out.order = path::Order::fixed_kernels;
    out.resident = weights.resident;
    if (slices) out.slices = path::Slices{slices->slice, gap(*slices)};
    return out;
  }
  path::Pool operator()(const EnginePool&) const { return {}; }
  path::Pool operator()(const WorkerPool& workers) const {
    path::Pool out;
    out.capacity = workers.workers;
    return out;
  }
  const KernelWeights& weights;
  const Sharing* slices;
};

/// What a node asks of its pool.
struct ByDemand {
  path::Node operator()(const CpuDemand& demand) const { return node(demand.C, demand.C.count(), demand.C.count()); }
  path::Node operator()(const GpuDemand& kernel) const {
    fifo::Task task;
    task.H = kernel.H;
    task.C = kernel.C;
    task = fifo::rounded_to_warps(task, std::get<GpuPool>(pool.resource));
    const Wide s = checked_mul(density, task.C.count());
    return node(kernel.L, s, checked_mul(s, static_cast<Wide>(kernel.B)));
  }
  path::Node operator()(const CopyDemand& copy) const { return node(copy.C, copy.C.count(), copy.C.count()); }
  path::Node operator()(const WorkerDemand& items) const {
    const Time e = items.L + std::get<WorkerPool>(pool.resource).dispatch_overhead;
    return node(e, e.count(), checked_mul(Wide{e.count()}, static_cast<Wide>(items.B)));
  }
  static path::Node node(Time e, Wide s, Wide vol) {
    path::Node out;
    out.e = e;
    out.s = s;
    out.vol = vol;
    return out;
  }
  const rta::Pool& pool;
  Wide density;  // of a kernel
};

class Builder {
 public:
  Builder(const TaskSet& task_set, const Segmentation& segments, const PlatformWeights& weights)
      : task_set_(task_set), segments_(segments), weights_(weights), second_engine_(task_set.pools().size(), 0) {
    if (first_pool_under_fp(task_set)) priorities_ = fixed_priorities(task_set).of;
  }

  PathSystem build(std::span<const Time> Y) {
    add_pools();
    for (DagId d = 0; d < task_set_.dags().size(); ++d) add_dag(d, Y[d]);
    return std::move(result_);
  }

 private:
  void add_pools() {
    auto& pools = result_.system.pools;
    for (PoolId p = 0; p < task_set_.pools().size(); ++p) {
      pools.push_back(std::visit(ByPool{weights_[p], slices_of(task_set_.pools()[p])}, task_set_.pools()[p].resource));
      pools.back().name = task_set_.pools()[p].name;
    }
    for (PoolId p = 0; p < task_set_.pools().size(); ++p) {
      const auto* engines = std::get_if<EnginePool>(&task_set_.pools()[p].resource);
      if (engines == nullptr || engines->engines < 2) continue;
      second_engine_[p] = pools.size();
      path::Pool other = pools[p];
      other.name += " (d2h)";
      pools.push_back(std::move(other));
    }
  }

  [[nodiscard]] path::Node node_of(DagId d, NodeId v) const {
    const rta::Node& node = task_set_.dags()[d].nodes()[v];
    const rta::Pool& pool = task_set_.pools()[node.pool];
    const Wide density = pool.kind() == PoolKind::gpu ? weights_[node.pool].density[d][v] : 0;
    path::Node out = std::visit(ByDemand{pool, density}, node.demand);
    out.pool = node.pool;
    if (!priorities_.empty()) out.priority = priorities_[d][v];
    if (weights_[node.pool].sm) {
      out.priority = std::get<GpuDemand>(node.demand).priority;
      out.demand = weights_[node.pool].demand[d][v];
    }
    if (second_engine_[node.pool] != 0) {
      const auto direction = std::get<CopyDemand>(node.demand).direction;
      require(direction.has_value(), "a copy has a direction where each has an engine");
      if (*direction == Direction::d2h) out.pool = second_engine_[node.pool];
    }
    return out;
  }

  void add_dag(DagId d, Time Y) {
    const rta::Dag& dag = task_set_.dags()[d];
    auto& dags = result_.system.dags;
    const std::size_t first = dags.size();
    const std::size_t count = segments_[d].empty() ? 0 : *std::max_element(segments_[d].begin(), segments_[d].end()) + 1;
    for (std::size_t s = 0; s < count; ++s) {
      path::Dag& segment = dags.emplace_back();
      segment.name = count == 1 ? dag.name() : fmt::format("{}, segment {}", dag.name(), s);
      segment.T = dag.period();
      segment.Y = Y;
      result_.dag_of.push_back(d);
      result_.segment_of.push_back(s);
    }
    if (count == 1) {
      dags[first].nodes.reserve(dag.nodes().size());
      dags[first].edges.reserve(dag.edges().size());
    }
    auto& places = result_.place.emplace_back(dag.nodes().size());
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      path::Dag& segment = dags[first + segments_[d][v]];
      places[v] = {first + segments_[d][v], segment.nodes.size()};
      segment.nodes.push_back(node_of(d, v));
    }
    for (const Edge& edge : dag.edges()) {
      if (places[edge.from].dag != places[edge.to].dag) continue;
      dags[places[edge.from].dag].edges.push_back({places[edge.from].node, places[edge.to].node});
    }
  }

  const TaskSet& task_set_;
  const Segmentation& segments_;
  const PlatformWeights& weights_;
  PathSystem result_;
  std::vector<std::size_t> second_engine_;  // per pool: that of the other direction; 0: none
  PerNode<FixedPriority> priorities_;       // empty: no pool is under FP
};

}  // namespace

PathSystem path_system(const TaskSet& task_set, const Segmentation& segments, const PlatformWeights& weights, std::span<const Time> Y) {
  return Builder(task_set, segments, weights).build(Y);
}

std::optional<PathSystem> with_release_jitter(const PathSystem& system, const TaskSet& task_set) {
  const auto late = [](const rta::Dag& dag) { return dag.attributes().jitter > Time::zero(); };
  const auto sliced = [](const path::Pool& pool) { return pool.slices.has_value(); };
  if (std::ranges::none_of(task_set.dags(), late) || std::ranges::any_of(system.system.pools, sliced)) return std::nullopt;
  // Every node looks at all others, round by round, and where something blocks at what does: seconds.
  const auto blocks = [](const path::Pool& pool) { return is_non_preemptive(pool.order) && pool.order != path::Order::fixed_kernels; };
  const std::size_t most_nodes = std::ranges::any_of(system.system.pools, blocks) ? 600 : 6'000;
  if (task_set.node_count() > most_nodes) return std::nullopt;
  PathSystem result = system;
  for (std::size_t i = 0; i < result.dag_of.size(); ++i) {
    const rta::Dag& dag = task_set.dags()[result.dag_of[i]];
    result.system.dags[i].T = dag.nominal_period();
    result.system.dags[i].J = dag.attributes().jitter;
  }
  return result;
}

void order_by_node(PathSystem& system, std::span<const PoolId> pools, const PerNode<Time>& Y) {
  for (const PoolId p : pools) system.system.pools[p].order = path::Order::gel_by_node;
  for (DagId d = 0; d < system.place.size(); ++d) {
    for (NodeId v = 0; v < system.place[d].size(); ++v) {
      const auto& place = system.place[d][v];
      path::Node& node = system.system.dags[place.dag].nodes[place.node];
      if (system.system.pools[node.pool].order == path::Order::gel_by_node) node.Y = Y[d][v];
    }
  }
}

}  // namespace rta::analysis
