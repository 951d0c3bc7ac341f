#include "rta/static_order/task_set_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "rta/analysis/company.hpp"
#include "rta/model/error.hpp"
#include "rta/model/kernel_time.hpp"
#include "rta/model/launch.hpp"
#include "rta/model/partitions.hpp"
#include "rta/model/time_slices.hpp"

namespace rta::static_order {
namespace {

constexpr Wide most_jobs = 100'000;  // of nodes in a hyperperiod

void refuse_executor(const Pool& pool) {
  const auto* const cpu = std::get_if<CpuPool>(&pool.resource);
  if (cpu != nullptr && (is_wait_set(*cpu) || is_multi_threaded(*cpu) || cpu->callbacks || cpu->reservation))
    throw UserError(fmt::format("pool '{}' is an executor; a static schedule orders all jobs itself", pool.name));
}

Time hyperperiod(const TaskSet& task_set) {
  Wide length = 1;
  Wide jobs = 0;
  for (const Dag& dag : task_set.dags()) {
    for (const Node& node : dag.nodes()) refuse_executor(task_set.pools()[node.pool]);
    if (dag.attributes().threads)
      throw UserError(
          fmt::format("DAG '{}' is played by threads that wait (`threads`); a static schedule starts every node by itself", dag.name()));
    if (dag.attributes().in_flight)
      throw UserError(fmt::format(
          "DAG '{}' has a limit of jobs under way (`in_flight`); the jobs of a static schedule start in its order, and it says which wait",
          dag.name()));
    if (!dag.history().empty())
      throw UserError(fmt::format(
          "DAG '{}' has nodes that wait for earlier jobs (`after`, `stream`); a static schedule says itself which of its jobs wait",
          dag.name()));
    if (dag.attributes().jitter > Time::zero())
      throw UserError(fmt::format("DAG '{}' has release jitter; a static schedule releases every DAG exactly every T", dag.name()));
    if (dag.longest_period() > dag.period())
      throw UserError(fmt::format("DAG '{}' has T_max > T; a static schedule releases every DAG exactly every T", dag.name()));
    const auto T = static_cast<Wide>(dag.period().count());
    length = length / std::gcd(static_cast<std::int64_t>(length), dag.period().count()) * T;
    if (length > std::numeric_limits<std::int64_t>::max() / 16)
      throw UserError(
          "the hyperperiod, the least common multiple of all periods, is too long for a static schedule; choose periods that divide one "
          "another");
  }
  for (const Dag& dag : task_set.dags()) jobs += length / dag.period().count() * static_cast<Wide>(dag.nodes().size());
  if (jobs > most_jobs) {
    const bool odd = std::ranges::any_of(task_set.dags(), [](const Dag& dag) { return dag.period().count() % 1'000 != 0; });
    throw UserError(
        fmt::format("a hyperperiod of {} ns has {} jobs of nodes; a static schedule may have {}{}", rta::to_string(length),
                    rta::to_string(jobs), rta::to_string(most_jobs),
                    odd ? " (rates whose periods were rounded, as of 30 Hz, stay in proportion where all DAGs are `periodic`)" : ""));
  }
  return to_time(length);
}

bool comes_later(const Dag& dag) { return dag.attributes().phase.value_or(Time::zero()) > Time::zero(); }

class GraphBuilder {
 public:
  explicit GraphBuilder(const TaskSet& task_set) : set_(task_set) {}

  Graph run() {
    graph_.name = set_.name();
    Hyperepoch& hyperepoch = graph_.hyperepochs.emplace_back();
    hyperepoch.name = "hyperperiod";
    hyperepoch.period = hyperperiod(set_);
    if (const auto shared = first_gpu_with_slices(set_)) {
      throw UserError(fmt::format("processes share GPU '{}' by time slices; a static schedule starts kernels whenever there is room",
                                  std::get<GpuPool>(set_.pools()[*shared].resource).sharing->gpu));
    }
    if (const auto part = first_partition(set_)) {
      throw UserError(
          fmt::format("GPU '{}' is cut into partitions, which a static schedule does not know", partition_of(set_.pools()[*part])->gpu));
    }
    for (const Pool& pool : set_.pools()) add_pool(pool);
    for (DagId d = 0; d < set_.dags().size(); ++d) add_dag(d, hyperepoch);
    return std::move(graph_);
  }

 private:
  void add_resource(std::string name, std::string type, ResourceKind kind, std::optional<GpuPool> gpu = std::nullopt) {
    Resource resource;
    resource.name = std::move(name);
    resource.type = std::move(type);
    resource.kind = kind;
    resource.gpu = std::move(gpu);
    graph_.resources.push_back(std::move(resource));
  }

  void add_pool(const Pool& pool) {
    first_.push_back(graph_.resources.size());
    switch (pool.kind()) {
      case PoolKind::cpu:
        for (std::uint32_t i = 0; i < std::get<CpuPool>(pool.resource).processors; ++i)
          add_resource(fmt::format("{}{}", pool.name, i), "CPU", ResourceKind::cpu);
        break;
      case PoolKind::gpu: add_resource(pool.name, "GPU", ResourceKind::engine, std::get<GpuPool>(pool.resource)); break;
      case PoolKind::engines:
        if (std::get<EnginePool>(pool.resource).engines == 1) {
          add_resource(pool.name, "COPY_ENGINE", ResourceKind::engine);
        } else {
          for (const char* direction : {"h2d", "d2h"})
            add_resource(fmt::format("{}_{}", pool.name, direction), "COPY_ENGINE", ResourceKind::engine);
        }
        break;
      case PoolKind::workers: {
        GpuPool threads;
        threads.sms = std::get<WorkerPool>(pool.resource).workers;
        threads.sm = {1, 1, 1, std::nullopt, std::nullopt};
        add_resource(pool.name, "WORKERS", ResourceKind::engine, threads);
        break;
      }
    }
    count_.push_back(graph_.resources.size() - first_.back());
  }

  void add_dag(DagId d, Hyperepoch& hyperepoch) {
    const Dag& dag = set_.dags()[d];
    graph_.clients.push_back({dag.name(), {}});
    Epoch epoch;
    epoch.name = dag.name();
    epoch.period = dag.period();
    epoch.frames = static_cast<std::uint64_t>(hyperepoch.period.count() / dag.period().count());
    epoch.deadline = dag.deadline();
    epoch.overlap = true;
    hyperepoch.epochs.push_back(std::move(epoch));
    const RunnableId first = graph_.runnables.size();
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      const Node& node = dag.nodes()[v];
      Runnable runnable;
      runnable.name = node.name;
      runnable.client = d;
      runnable.epoch = d;
      for (const NodeId u : dag.predecessors(v)) runnable.dependencies.push_back(first + u);
      if (node.sequential) runnable.previous.push_back(first + v);
      set_demand(runnable, node);
      graph_.runnables.push_back(std::move(runnable));
    }
  }

  void set_demand(Runnable& runnable, const Node& node) {
    ResourceNeed need;
    for (std::size_t i = 0; i < count_[node.pool]; ++i) need.any_of.push_back(first_[node.pool] + i);
    switch (static_cast<PoolKind>(node.demand.index())) {
      case PoolKind::cpu: runnable.wcet = std::get<CpuDemand>(node.demand).C; break;
      case PoolKind::gpu: {
        const auto& kernel = std::get<GpuDemand>(node.demand);
        refuse_blocks_together(kernel, node.name, "put into a static schedule");
        if (kernel.time) runnable.wcet = duration_alone(kernel, std::get<GpuPool>(set_.pools()[node.pool].resource));
        if (!kernel.has_blocks) break;
        runnable.blocks = kernel;
        runnable.blocks->time.reset();
        break;
      }
      case PoolKind::engines: {
        const auto& copy = std::get<CopyDemand>(node.demand);
        runnable.wcet = copy.C;
        if (need.any_of.size() > 1) need.any_of = {first_[node.pool] + static_cast<std::size_t>(copy.direction == Direction::d2h)};
        break;
      }
      case PoolKind::workers: {
        const auto& items = std::get<WorkerDemand>(node.demand);
        GpuDemand blocks;
        blocks.B = items.B;
        blocks.L = items.L + std::get<WorkerPool>(set_.pools()[node.pool].resource).dispatch_overhead;
        blocks.C = Workload(blocks.L.count());
        runnable.blocks = blocks;
        break;
      }
    }
    runnable.needs.push_back(std::move(need));
  }

  const TaskSet& set_;
  Graph graph_;
  std::vector<ResourceId> first_;  // of each pool
  std::vector<std::size_t> count_;
};

}  // namespace

Graph graph_of(const TaskSet& task_set) {
  if (measured_alone(task_set)) return GraphBuilder(*analysis::with_company(task_set, analysis::all_last(task_set))).run();
  return GraphBuilder(task_set).run();
}

std::optional<std::string> unused_phase(const TaskSet& task_set) {
  const auto later = std::ranges::find_if(task_set.dags(), comes_later);
  if (later == task_set.dags().end()) return std::nullopt;
  return fmt::format("the phase of '{}' is not used: a static schedule has a clock of its own, which releases all DAGs at its start",
                     later->name());
}

}  // namespace rta::static_order
