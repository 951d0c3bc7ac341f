#include "rta/analysis/path/path_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string_view>

#include "rta/analysis/cpu/priority_point.hpp"
#include "rta/analysis/gpu/fifo.hpp"
#include "rta/model/error.hpp"
#include "rta/model/fixed_priority.hpp"
#include "rta/model/footprint.hpp"
#include "rta/model/kernel_time.hpp"
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
    case Scheduler::wait_set: return Order::wait_set;
    case Scheduler::multi_threaded: return Order::multi_threaded;
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
    if (cpu.reservation) out.supply = path::Supply{cpu.reservation->runtime, cpu.reservation->period};
    return out;
  }
  path::Pool operator()(const GpuPool& gpu) const {
    path::Pool out;
    if (weights.in_turn) {
      out.in_turn = true;
      if (slices == nullptr) return out;
      out.slices = path::Slices{slices->slice, gap(*slices)};
      out.resident = 0;  // nothing is left of others
      return out;
    }
    out.capacity = gpu.sms;
    out.unit = weights.unit;
    out.unit_weights = false;
    out.switches = weights.switches;
    out.mixed = weights.tail.has_value();
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
    const auto& gpu = std::get<GpuPool>(pool.resource);
    if (weights.in_turn) return in_turn(kernel, gpu, weights.switches);
    if (!counts_by_blocks(kernel)) {
      require(weights.tail.has_value(), "a kernel whose blocks do not count is served in turn");
      const Time e = duration_alone(kernel, gpu) + *weights.tail;
      const Wide work = checked_mul(checked_mul(Wide{gpu.sms}, weights.unit), Wide{e.count()});
      return node(e, work, work);
    }
    fifo::Task task;
    task.H = kernel.H;
    task.C = kernel.C;
    task = fifo::rounded_to_warps(task, gpu);
    const Wide s = checked_mul(density, task.C.count());
    const Wide B = static_cast<Wide>(counted_blocks(kernel, gpu));
    path::Node out = node(kernel.L, s, checked_mul(s, B));
    // T28 in slices: a block that does not count may have length 0 and be left when a slice ends. That is the least unit of work more.
    if (slices_of(pool) != nullptr && B < static_cast<Wide>(kernel.B)) out.vol += 1;
    out.rate = checked_mul(checked_mul(density, Wide{task.H}), B);
    const Wide places = checked_mul(blocks_per_sm(footprint(kernel, gpu), gpu), Wide{gpu.sms});
    if (places > 0) out.alone = in_turns(kernel.L, B, places);
    return out;
  }
  path::Node operator()(const CopyDemand& copy) const { return node(copy.C, copy.C.count(), copy.C.count()); }
  path::Node operator()(const WorkerDemand& items) const {
    const Time e = items.L + std::get<WorkerPool>(pool.resource).dispatch_overhead;
    const Wide B = static_cast<Wide>(items.B);
    path::Node out = node(e, e.count(), checked_mul(Wide{e.count()}, B));
    out.alone = in_turns(e, B, std::get<WorkerPool>(pool.resource).workers);
    return out;
  }
  /// `pieces` of length e each, `places` at once.
  static std::optional<Time> in_turns(Time e, Wide pieces, Wide places) {
    const Wide length = checked_mul(Wide{e.count()}, ceil_div(pieces, places));
    return length > std::numeric_limits<std::int64_t>::max() ? std::nullopt : std::optional(Time(static_cast<std::int64_t>(length)));
  }
  static path::Node node(Time e, Wide s, Wide vol) {
    path::Node out;
    out.e = e;
    out.s = s;
    out.vol = vol;
    return out;
  }
  static path::Node in_turn(const GpuDemand& kernel, const GpuPool& gpu, bool switches) {
    const Time D = duration_alone(kernel, gpu, switches ? Durations::as_given : Durations::least);
    return node(D, D.count(), D.count());
  }
  const rta::Pool& pool;
  const KernelWeights& weights;
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
      result_.pool_of.push_back(p);
    }
    for (PoolId p = 0; p < task_set_.pools().size(); ++p) {
      const auto* engines = std::get_if<EnginePool>(&task_set_.pools()[p].resource);
      if (engines == nullptr || engines->engines < 2) continue;
      second_engine_[p] = pools.size();
      path::Pool other = pools[p];
      other.name += " (d2h)";
      pools.push_back(std::move(other));
      result_.pool_of.push_back(p);
    }
  }

  [[nodiscard]] path::Node node_of(DagId d, NodeId v) {
    const rta::Node& node = task_set_.dags()[d].nodes()[v];
    const rta::Pool& pool = task_set_.pools()[node.pool];
    const KernelWeights& weights = weights_[node.pool];
    const Wide density = pool.kind() == PoolKind::gpu && !weights.in_turn ? weights.density[d][v] : 0;
    path::Node out = std::visit(ByDemand{pool, weights, density}, node.demand);
    out.pool = node.pool;
    if (!priorities_.empty()) out.priority = priorities_[d][v];
    if (result_.system.pools[node.pool].order == path::Order::multi_threaded) out.group = number_of_group(node);
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

  /// From 1 on; reentrant: 0.
  std::uint32_t number_of_group(const rta::Node& node) {
    if (node.group == reentrant_group) return 0;
    auto& numbers = groups_[node.pool];
    return numbers.try_emplace(node.group, static_cast<std::uint32_t>(numbers.size() + 1)).first->second;
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
  std::map<PoolId, std::map<std::string_view, std::uint32_t>> groups_;
};

}  // namespace

PathSystem path_system(const TaskSet& task_set, const Segmentation& segments, const PlatformWeights& weights, std::span<const Time> Y) {
  return Builder(task_set, segments, weights).build(Y);
}

namespace {

/// What these weights make of the kernels of these pools.
void read_again(PathSystem& system, const TaskSet& task_set, std::span<const PoolId> pools, const PlatformWeights& weights) {
  for (const PoolId p : pools) {
    path::Pool& pool = system.system.pools[p];
    path::Pool read = ByPool{weights[p], slices_of(task_set.pools()[p])}(std::get<GpuPool>(task_set.pools()[p].resource));
    read.name = std::move(pool.name);
    pool = std::move(read);
  }
  for (DagId d = 0; d < system.place.size(); ++d) {
    for (NodeId v = 0; v < system.place[d].size(); ++v) {
      const rta::Node& node = task_set.dags()[d].nodes()[v];
      if (std::ranges::find(pools, node.pool) == pools.end()) continue;
      const auto& place = system.place[d][v];
      path::Node& served = system.system.dags[place.dag].nodes[place.node];
      const KernelWeights& of = weights[node.pool];
      const Wide density = of.in_turn ? 0 : of.density[d][v];
      const path::Node read = ByDemand{task_set.pools()[node.pool], of, density}(std::get<GpuDemand>(node.demand));
      served.e = read.e;
      served.s = read.s;
      served.vol = read.vol;
      served.rate = read.rate;
      served.alone = read.alone;
    }
  }
}

}  // namespace

void serve_in_turn(PathSystem& system, const TaskSet& task_set, std::span<const PoolId> pools, bool switches) {
  PlatformWeights weights(task_set.pools().size());
  for (KernelWeights& of : weights) {
    of.in_turn = true;
    of.switches = switches;
  }
  read_again(system, task_set, pools, weights);
}

void serve_beside_blocks(PathSystem& system, const TaskSet& task_set, std::span<const PoolId> pools, const PlatformWeights& weights) {
  PlatformWeights beside = weights;
  for (KernelWeights& of : beside) of.in_turn = false;
  read_again(system, task_set, pools, beside);
}

PathSystem by_nominal_releases(PathSystem system, const TaskSet& task_set) {
  for (std::size_t i = 0; i < system.dag_of.size(); ++i) {
    const rta::Dag& dag = task_set.dags()[system.dag_of[i]];
    system.system.dags[i].T = dag.nominal_period();
    system.system.dags[i].J = dag.attributes().jitter;
  }
  return system;
}

std::optional<PathSystem> with_release_jitter(const PathSystem& system, const TaskSet& task_set) {
  const auto late = [](const rta::Dag& dag) { return dag.attributes().jitter > Time::zero(); };
  const auto sliced = [](const path::Pool& pool) { return pool.slices.has_value(); };
  if (std::ranges::none_of(task_set.dags(), late) || std::ranges::any_of(system.system.pools, sliced)) return std::nullopt;
  if (std::ranges::any_of(system.system.pools, &path::Pool::mixed)) return std::nullopt;
  return by_nominal_releases(system, task_set);
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
