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

// How many of an SM's threads a block takes, and the priority of its stream.
TimelineNode node_of(const auto& demand) {
  TimelineNode node;
  if (const auto* kernel = std::get_if<GpuDemand>(&demand)) {
    node.threads = kernel->H;
    node.priority = kernel->priority;
  }
  return node;
}

bool same_job(simulate::JobId a, simulate::JobId b) { return a.dag == b.dag && a.node == b.node && a.job == b.job; }

}  // namespace

Timeline::Timeline(TimelineSystem system, Time from, Time to, std::size_t most)
    : Observer(simulate::Detail::block), system_(std::move(system)), from_(from), to_(to), most_(most), complete_until_(to) {}

void Timeline::keep(const Bar& bar) {
  if (bar.end < from_ || bar.start >= to_) return;
  const std::pair unit(bar.pool, bar.unit);
  if (bar.blocks > 0 && !system_.experiment) {
    if (const auto at = last_.find(unit); at != last_.end()) {
      Bar& last = bars_[at->second];
      if (same_job(last.id, bar.id) && last.start == bar.start && last.end == bar.end) {
        ++last.blocks;
        return;
      }
    }
  }
  if (bars_.size() >= most_) {
    ++left_out_;
    complete_until_ = std::min(complete_until_, bar.start);
    return;
  }
  last_[unit] = bars_.size();
  bars_.push_back(bar);
}

void Timeline::dag(DagId dag, std::uint64_t job, Time release, Time end) {
  const auto& deadline = system_.deadlines[dag];
  if (release >= to_ || dag_jobs_.size() >= most_) return;
  const auto until = deadline ? std::optional(release + *deadline) : std::nullopt;
  if (std::max(end, until.value_or(end)) >= from_) dag_jobs_.push_back({dag, job, release, end, until});
}

void Timeline::job(simulate::JobId id, Time release, Time start, Time end) {
  if (release < to_ && end >= from_ && jobs_.size() < most_) jobs_.push_back({id, release, start, end});
}

void Timeline::block(simulate::JobId id, std::uint64_t block, std::uint32_t sm, Time start, Time end) {
  keep({pool(id), sm, id, block, 1, start, end});
}

void Timeline::copy(simulate::JobId id, std::uint32_t engine, Time start, Time end) { keep({pool(id), engine, id, 0, 0, start, end}); }

void Timeline::run(simulate::JobId id, std::uint32_t cpu, Time start, Time end) { keep({pool(id), cpu, id, 0, 0, start, end}); }

TimelineSystem timeline_system(const TaskSet& task_set, bool stream_per_task) {
  TimelineSystem system{labels(task_set), threads_of(task_set.pools()), {}, {}};
  for (const Dag& dag : task_set.dags()) {
    system.deadlines.push_back(dag.deadline());
    auto& nodes = system.nodes.emplace_back();
    for (const Node& node : dag.nodes()) {
      nodes.push_back(node_of(node.demand));
      nodes.back().sequential = node.sequential;
      const PoolKind kind = task_set.pools()[node.pool].kind();
      if (stream_per_task && (kind == PoolKind::gpu || kind == PoolKind::engines)) nodes.back().stream = dag.name() + "/" + node.name;
    }
  }
  return system;
}

Timeline timeline(const TaskSet& task_set, Time from, Time to, std::size_t most, bool stream_per_task) {
  return {timeline_system(task_set, stream_per_task), from, to, most};
}

Timeline timeline(const Experiment& experiment, Time from, Time to, std::size_t most) {
  TimelineSystem system{labels(experiment), threads_of(experiment.pools()), {{}}, {std::nullopt}, true};
  for (const Operation& o : experiment.operations()) {
    system.nodes.front().push_back(node_of(o.demand));
    TimelineNode& node = system.nodes.front().back();
    const auto* const made = std::get_if<CallDemand>(&o.demand);
    node.call = made == nullptr ? nullptr : made->call;
    node.stream = made == nullptr ? o.stream : "";
    node.by_memcpy = o.by_memcpy;
  }
  return {std::move(system), from, to, most};
}

}  // namespace rta::trace
