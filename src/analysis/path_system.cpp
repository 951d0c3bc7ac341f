#include "rta/analysis/path_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "pool_bounds.hpp"
#include "rta/analysis/fifo_bounds.hpp"

namespace rta::analysis {
namespace {

struct Kernels {
  std::vector<PoolNode> nodes;
  std::vector<fifo::Task> tasks;
};

Kernels kernels_of(const TaskSet& task_set, PoolId p) {
  Kernels kernels;
  for (DagId d = 0; d < task_set.dags().size(); ++d) {
    const Dag& dag = task_set.dags()[d];
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      if (dag.nodes()[v].pool == p) kernels.nodes.push_back({d, v, false, &dag.nodes()[v], dag.period(), {}, {}});
    }
  }
  kernels.tasks = gpu_tasks(kernels.nodes);
  return kernels;
}

template <class T>
PerNode<T> per_node(const TaskSet& task_set, const T& value) {
  PerNode<T> all;
  for (const Dag& dag : task_set.dags()) all.emplace_back(dag.nodes().size(), value);
  return all;
}

KernelWeights in_nodes(const TaskSet& task_set, const Kernels& kernels, const fifo::WeightSet& set) {
  KernelWeights weights{set.guaranteed, per_node<Wide>(task_set, 0)};
  for (std::size_t i = 0; i < kernels.nodes.size(); ++i) weights.density[kernels.nodes[i].dag][kernels.nodes[i].id] = set.density[i];
  return weights;
}

}  // namespace

Result<std::vector<PlatformWeights>> kernel_weights(const TaskSet& task_set) {
  PlatformWeights occupancy(task_set.pools().size());
  PlatformWeights lightest(task_set.pools().size());
  bool differ = false;
  for (PoolId p = 0; p < task_set.pools().size(); ++p) {
    const auto* gpu = std::get_if<GpuPool>(&task_set.pools()[p].resource);
    if (gpu == nullptr) continue;
    const Kernels kernels = kernels_of(task_set, p);
    if (kernels.tasks.empty()) continue;
    if (std::any_of(kernels.tasks.begin(), kernels.tasks.end(),
                    [&](const fifo::Task& t) { return t.priority != kernels.tasks.front().priority; })) {
      return Unbounded{fmt::format("pool '{}' has kernels of two stream priorities; T10 needs one FIFO", task_set.pools()[p].name)};
    }
    fifo::Options options;
    options.shared_weights = true;
    options.count_carry = false;
    const auto bounds = fifo::gpu_bounds(kernels.tasks, *gpu, options);
    if (!bounds) return Unbounded{fmt::format("pool '{}': {}", task_set.pools()[p].name, with_names(bounds.reason(), kernels.nodes))};
    const auto load = [](const fifo::WeightSet& set) { return set.U.approximate() / static_cast<double>(set.capacity); };
    const auto least =
        std::min_element(bounds->sets.begin(), bounds->sets.end(), [&](const auto& a, const auto& b) { return load(a) < load(b); });
    const auto plain = std::find_if(bounds->sets.begin(), bounds->sets.end(), [](const auto& set) { return set.occupancy; });
    lightest[p] = in_nodes(task_set, kernels, *least);
    occupancy[p] = plain == bounds->sets.end() ? lightest[p] : in_nodes(task_set, kernels, *plain);
    differ = differ || occupancy[p].unit != lightest[p].unit || occupancy[p].density != lightest[p].density;
  }
  std::vector<PlatformWeights> all{std::move(occupancy)};
  if (differ) all.push_back(std::move(lightest));
  return all;
}

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

PathSystem path_system(const TaskSet& task_set, const Segmentation& segments, const PlatformWeights& weights, std::span<const Time> Y) {
  using path::Order;
  PathSystem result;
  path::System& system = result.system;
  std::vector<std::size_t> second_engine(task_set.pools().size(), 0);
  for (PoolId p = 0; p < task_set.pools().size(); ++p) {
    const rta::Pool& pool = task_set.pools()[p];
    path::Pool& out = system.pools.emplace_back();
    out.name = pool.name;
    if (const auto* cpu = std::get_if<CpuPool>(&pool.resource)) {
      out.capacity = cpu->processors;
      out.order = cpu->scheduler == Scheduler::fifo ? Order::fifo : cpu->preemptive ? Order::gel : Order::gel_non_preemptive;
    } else if (const auto* gpu = std::get_if<GpuPool>(&pool.resource)) {
      out.capacity = gpu->sms;
      out.unit = weights[p].unit;
      out.unit_weights = false;
    } else if (const auto* workers = std::get_if<WorkerPool>(&pool.resource)) {
      out.capacity = workers->workers;
    }
  }
  for (PoolId p = 0; p < task_set.pools().size(); ++p) {
    const auto* engines = std::get_if<EnginePool>(&task_set.pools()[p].resource);
    if (engines == nullptr || engines->engines < 2) continue;
    second_engine[p] = system.pools.size();
    path::Pool other = system.pools[p];
    other.name += " (d2h)";
    system.pools.push_back(other);
  }

  const auto demand_of = [&](DagId d, NodeId v) {
    const rta::Node& node = task_set.dags()[d].nodes()[v];
    path::Node out;
    out.pool = node.pool;
    if (const auto* cpu = std::get_if<CpuDemand>(&node.demand)) {
      out.e = cpu->C;
      out.s = out.vol = cpu->C.count();
    } else if (const auto* kernel = std::get_if<GpuDemand>(&node.demand)) {
      fifo::Task task{task_set.dags()[d].period(), kernel->B, kernel->H, kernel->C, kernel->L, 0, 0, {}, kernel->priority};
      task = fifo::rounded_to_warps(task, std::get<GpuPool>(task_set.pools()[node.pool].resource));
      out.e = kernel->L;
      out.s = checked_mul(weights[node.pool].density[d][v], task.C.count());
      out.vol = checked_mul(out.s, static_cast<Wide>(kernel->B));
    } else if (const auto* copy = std::get_if<CopyDemand>(&node.demand)) {
      if (second_engine[node.pool] != 0) {
        if (!copy->direction) throw std::invalid_argument("node '" + node.name + "' has no direction, so its engine is not known");
        if (*copy->direction == Direction::d2h) out.pool = second_engine[node.pool];
      }
      out.e = copy->C;
      out.s = out.vol = copy->C.count();
    } else {
      const auto& items = std::get<WorkerDemand>(node.demand);
      out.e = items.L + std::get<WorkerPool>(task_set.pools()[node.pool].resource).dispatch_overhead;
      out.s = out.e.count();
      out.vol = checked_mul(out.s, static_cast<Wide>(items.B));
    }
    return out;
  };

  for (DagId d = 0; d < task_set.dags().size(); ++d) {
    const rta::Dag& dag = task_set.dags()[d];
    const std::size_t first = system.dags.size();
    const std::size_t count = segments[d].empty() ? 0 : *std::max_element(segments[d].begin(), segments[d].end()) + 1;
    for (std::size_t s = 0; s < count; ++s) {
      std::string name = count == 1 ? dag.name() : fmt::format("{}, segment {}", dag.name(), s);
      system.dags.push_back({std::move(name), dag.period(), Y[d], {}, {}});
      result.dag_of.push_back(d);
      result.segment_of.push_back(s);
    }
    auto& places = result.place.emplace_back(dag.nodes().size());
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      path::Dag& segment = system.dags[first + segments[d][v]];
      places[v] = {first + segments[d][v], segment.nodes.size()};
      segment.nodes.push_back(demand_of(d, v));
    }
    for (const Edge& edge : dag.edges()) {
      if (places[edge.from].dag != places[edge.to].dag) continue;
      system.dags[places[edge.from].dag].edges.push_back({places[edge.from].node, places[edge.to].node});
    }
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
