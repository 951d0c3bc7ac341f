#include "certificate/overloads.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "analysis/gpu/fifo_level.hpp"
#include "certificate/densities.hpp"
#include "rta/analysis/gpu/configuration.hpp"

namespace rta::certificate {
namespace {

class Overloads {
 public:
  Overloads(const analysis::Proof& proof, std::string& out) : proof_(proof), set_(*proof.task_set), out_(out) {}

  void add() {
    for (PoolId p = 0; p < set_.pools().size(); ++p) {
      if (!proof_.pools[p].none) continue;
      if (const auto* gpu = std::get_if<GpuPool>(&set_.pools()[p].resource)) {
        add_kernel_overload(p, *gpu);
        continue;
      }
      for (const int queue : {0, 1}) add_overload(p, queue);
    }
  }

 private:
  template <class... Values>
  void line(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Values>(values)...);
    out_ += '\n';
  }

  void add_overload(PoolId p, int queue) {
    const Pool& pool = set_.pools()[p];
    const auto* engines = std::get_if<EnginePool>(&pool.resource);
    Utilization U;
    for (const Dag& dag : set_.dags()) {
      for (const Node& node : dag.nodes()) {
        if (node.pool != p) continue;
        Wide work = longest_piece(node).count();
        int of = 0;
        if (const auto* copy = std::get_if<CopyDemand>(&node.demand))
          of = engines->engines > 1 && copy->direction == Direction::d2h ? 1 : 0;
        if (const auto* items = std::get_if<WorkerDemand>(&node.demand)) {
          work += std::get<WorkerPool>(pool.resource).dispatch_overhead.count();
          work = checked_mul(work, static_cast<Wide>(items->B));
        }
        if (of == queue) U.add(work, dag.nominal_period().count());
      }
    }
    Wide capacity = 1;
    if (const auto* cpu = std::get_if<CpuPool>(&pool.resource)) capacity = cpu->processors;
    if (const auto* workers = std::get_if<WorkerPool>(&pool.resource)) capacity = workers->workers;
    if (U.compare(capacity) > 0) line("overload {} {} {}", p, queue, to_string(capacity));
  }

  void add_kernel_overload(PoolId p, const GpuPool& gpu) {
    const auto* overload = std::get_if<analysis::reason::KernelOverload>(&proof_.pools[p].none->reason);
    if (overload == nullptr || proof_.pools[p].none->pool != p) return;
    std::vector<analysis::fifo::Task> tasks;
    for (const analysis::PoolTask& task : proof_.pools[p].tasks) {
      const auto& kernel = std::get<GpuDemand>(set_.dags()[task.dag].nodes()[task.node].demand);
      tasks.push_back(task_of(kernel, gpu));
    }
    Utilization U;
    const StreamPriority from = overload->from.value_or(analysis::fifo::priorities_of(tasks).back());
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      const analysis::PoolTask& task = proof_.pools[p].tasks[i];
      const Dag& dag = set_.dags()[task.dag];
      const Wide blocks = static_cast<Wide>(std::get<GpuDemand>(dag.nodes()[task.node].demand).B);
      if (tasks[i].priority >= from) U.add(checked_mul(tasks[i].C.count(), blocks), dag.nominal_period().count());
    }
    std::vector<analysis::fifo::Amounts> demand;
    demand.reserve(tasks.size());
    for (const auto& task : tasks) demand.push_back(block_demand(task, gpu));
    const auto classes = analysis::fifo::classify(demand);
    analysis::fifo::Configuration x(classes.demand.size());
    for (const auto& resident : overload->worst.residents) x[classes.of[resident.task]] += resident.blocks;
    const auto priorities = analysis::fifo::priorities_of(tasks);
    std::vector<bool> may_wait(classes.demand.size());
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      if (tasks[i].priority >= from) may_wait[classes.of[i]] = true;
    }
    // A relaxation found the configuration: where less urgent kernels are resident beside waiting ones it may block nothing.
    const analysis::fifo::Sm sm(gpu, classes.demand, may_wait);
    const Wide used = sm.used(x, analysis::fifo::Resource::threads);
    if (!sm.blocking(x) || U.compare(checked_mul(used, Wide{gpu.sms})) <= 0) return;
    line("overload {} {} {}", p, priorities.size() == 1 ? "only" : stream_priority_text(from), fmt::join(x, " "));
  }

  const analysis::Proof& proof_;
  const TaskSet& set_;
  std::string& out_;
};

}  // namespace

void add_overloads(const analysis::Proof& proof, std::string& out) { Overloads(proof, out).add(); }

}  // namespace rta::certificate
