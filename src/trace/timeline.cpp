#include "rta/trace/timeline.hpp"

#include <algorithm>
#include <utility>

#include "rta/model/overloaded.hpp"

namespace rta::trace {
namespace {

std::vector<std::uint32_t> threads_of(std::span<const Pool> pools) {
  std::vector<std::uint32_t> out;
  for (const Pool& pool : pools) {
    constexpr overloaded threads{[](const CpuPool&) { return 1U; }, [](const GpuPool& gpu) { return gpu.sm.threads; },
                                 [](const EnginePool&) { return 1U; }, [](const WorkerPool&) { return 1U; }};
    out.push_back(std::visit(threads, pool.resource));
  }
  return out;
}

// How many of a unit's threads a piece takes.
constexpr overloaded height{[](const CpuDemand&) { return 1U; }, [](const GpuDemand& kernel) { return kernel.H; },
                            [](const CopyDemand&) { return 1U; }, [](const WorkerDemand&) { return 1U; }};

}  // namespace

Timeline::Timeline(std::vector<std::uint32_t> threads, std::vector<std::vector<std::uint32_t>> demand, const Labels& labels, Time from,
                   Time to, std::size_t most)
    : Observer(simulate::Detail::block),
      threads_(std::move(threads)),
      demand_(std::move(demand)),
      labels_(labels),
      from_(from),
      to_(to),
      most_(most),
      resident_(labels.pools.size()) {}

bool Timeline::keep(const Bar& bar) {
  if (bar.end < from_ || bar.start >= to_) return false;
  if (bars_.size() >= most_) {
    ++left_out_;
    return false;
  }
  bars_.push_back(bar);
  return true;
}

void Timeline::dag(DagId, std::uint64_t, Time, Time) {}

void Timeline::job(simulate::JobId id, Time release, Time, Time) {
  if (release >= from_ && release < to_ && releases_.size() < most_) releases_.push_back({id, release});
}

void Timeline::block(simulate::JobId id, std::uint64_t block, std::uint32_t sm, Time start, Time end) {
  const PoolId pool = labels_.dags[id.dag].nodes[id.node].pool;
  Bar bar{pool, sm, id, block, true, 0, 1, start, end};
  if (start >= to_) return;
  if (labels_.pools[pool].kind == PoolKind::gpu) {
    const std::uint32_t demand = std::min(demand_[id.dag][id.node], threads_[pool]);
    auto& units = resident_[pool];
    if (sm >= units.size()) units.resize(sm + 1);
    auto& residents = units[sm];
    residents.erase(std::remove_if(residents.begin(), residents.end(), [&](const Resident& r) { return r.end <= start.count(); }),
                    residents.end());
    std::uint32_t low = 0;
    auto at = residents.begin();
    for (; at != residents.end(); ++at) {
      if (at->low >= low && at->low - low >= demand) break;
      low = std::max(low, at->high);
    }
    low = std::min(low, threads_[pool] - demand);
    bar.low = low;
    bar.high = low + demand;
    residents.insert(at, {low, low + demand, end.count()});
    std::sort(residents.begin(), residents.end(), [](const Resident& a, const Resident& b) { return a.low < b.low; });
  }
  keep(bar);
}

void Timeline::copy(simulate::JobId id, std::uint32_t engine, Time start, Time end) {
  keep({labels_.dags[id.dag].nodes[id.node].pool, engine, id, 0, false, 0, 1, start, end});
}

void Timeline::run(simulate::JobId id, std::uint32_t cpu, Time start, Time end) {
  keep({labels_.dags[id.dag].nodes[id.node].pool, cpu, id, 0, false, 0, 1, start, end});
}

Timeline timeline(const TaskSet& task_set, Time from, Time to, std::size_t most) {
  std::vector<std::vector<std::uint32_t>> demand;
  for (const Dag& dag : task_set.dags()) {
    auto& row = demand.emplace_back();
    for (const Node& node : dag.nodes()) row.push_back(std::visit(height, node.demand));
  }
  return {threads_of(task_set.pools()), std::move(demand), labels(task_set), from, to, most};
}

Timeline timeline(const Experiment& experiment, Time from, Time to, std::size_t most) {
  std::vector<std::uint32_t> demand;
  for (const Operation& o : experiment.operations()) demand.push_back(std::visit(height, o.demand));
  return {threads_of(experiment.pools()), {std::move(demand)}, labels(experiment), from, to, most};
}

}  // namespace rta::trace
