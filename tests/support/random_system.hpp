// Small random platforms and task sets near their capacity, on which bounds and simulation are compared.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "rta/model/footprint.hpp"
#include "rta/model/task_set.hpp"

namespace rta::test {

/// Draws from one seed, the same on every machine (the standard's distributions are not).
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  /// Uniform in [low, high].
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool one_in(std::int64_t n) { return between(1, n) == 1; }
  template <class T>
  const T& pick(const std::vector<T>& values) {
    return values[static_cast<std::size_t>(between(0, static_cast<std::int64_t>(values.size()) - 1))];
  }

 private:
  std::mt19937_64 engine_;
};

/// What a random system may contain.
struct Ingredients {
  bool sequential = true;       // nodes without intra-task parallelism; in some systems all on CPU pools are so
  bool priorities = true;       // kernels on high-priority streams
  bool non_preemptive = false;  // CPU pools that finish what they have started
  bool fixed = false;           // CPU pools under fixed priorities: deadline monotonic ones, or some per DAG
};

inline Pool random_pool(Dice& dice, PoolKind kind, const std::string& name, const Ingredients& with) {
  switch (kind) {
    case PoolKind::cpu: {
      const std::vector<Scheduler> schedulers{Scheduler::g_edf, Scheduler::g_fl, Scheduler::fifo, Scheduler::lp};
      CpuPool cpu{static_cast<std::uint32_t>(dice.between(1, 4)), dice.pick(schedulers)};
      cpu.preemptive = !with.non_preemptive || !dice.one_in(3);
      if (with.fixed && !dice.one_in(4)) {
        cpu.scheduler = Scheduler::fp;
        cpu.equals = dice.one_in(2) ? Equals::fifo : Equals::any;
      }
      return {name, cpu};
    }
    case PoolKind::gpu: {
      GpuPool gpu;
      gpu.sms = static_cast<std::uint32_t>(dice.between(1, 4));
      gpu.sm.threads = static_cast<std::uint32_t>(dice.pick(std::vector<std::int64_t>{8, 12, 16, 64}));
      gpu.sm.threads_per_block = gpu.sm.threads;
      gpu.sm.blocks = static_cast<std::uint32_t>(dice.one_in(3) ? dice.between(2, 6) : 32);
      if (dice.one_in(3)) gpu.sm.shared_memory = static_cast<std::uint64_t>(dice.between(10, 40));
      if (dice.one_in(4)) gpu.sm.registers = static_cast<std::uint64_t>(dice.between(64, 256));
      if (dice.one_in(4)) gpu.allocation = {4, 4, 1, 8};
      if (gpu.sm.registers && *gpu.sm.registers % 2 == 0) gpu.allocation.register_parts = *gpu.sm.registers % 4 == 0 ? 4 : 2;
      return {name, gpu};
    }
    case PoolKind::engines: return {name, EnginePool{static_cast<std::uint32_t>(dice.between(1, 2))}};
    case PoolKind::workers: return {name, WorkerPool{static_cast<std::uint32_t>(dice.between(1, 6)), Time(dice.between(0, 2))}};
  }
  return {};
}

inline GpuDemand random_kernel(Dice& dice, const GpuPool& gpu, bool priorities) {
  GpuDemand d;
  const std::uint32_t warp = gpu.allocation.warp;
  d.H = static_cast<std::uint32_t>(dice.between(1, gpu.sm.threads / warp)) * warp;
  if (dice.one_in(2)) d.H = std::max(warp, d.H / 4 / warp * warp);
  d.B = static_cast<std::uint64_t>(dice.between(1, dice.one_in(2) ? 3 : 4 * gpu.sms));
  const std::int64_t L = dice.between(1, 20);
  // Often C is no multiple of H: L is rounded up then.
  d.C = Workload(Wide{L} * d.H - (dice.one_in(2) ? 0 : dice.between(0, d.H - 1)));
  d.L = to_time(ceil_div(d.C.count(), d.H));
  if (gpu.sm.shared_memory && dice.one_in(2)) d.shared_memory = static_cast<std::uint64_t>(dice.between(0, 8));
  if (gpu.sm.registers && dice.one_in(2)) {
    d.registers_per_thread = static_cast<std::uint32_t>(dice.between(0, static_cast<std::int64_t>(*gpu.sm.registers / (2 * d.H))));
  }
  if (!fits(footprint(d, gpu), gpu)) d.registers_per_thread = 0;  // its warps fit into no part
  if (priorities && dice.one_in(4)) d.priority = 1 + static_cast<StreamPriority>(d.B % 4);
  return d;
}

/// What all CPU nodes of a system have in common.
struct CpuNodes {
  bool sequential = false;  // all of them: T3 bounds their pools
  bool deadlines = true;    // some have deadlines of their own; T4 needs D = T
};

inline Node random_node(Dice& dice, const std::vector<Pool>& pools, std::size_t index, const Ingredients& with, const CpuNodes& cpu) {
  Node node;
  node.name = "n" + std::to_string(index);
  node.pool = static_cast<PoolId>(dice.between(0, static_cast<std::int64_t>(pools.size()) - 1));
  const Pool& pool = pools[node.pool];
  switch (pool.kind()) {
    case PoolKind::cpu:
      node.demand = CpuDemand{Time(dice.between(1, 20))};
      if (cpu.deadlines && dice.one_in(4)) node.deadline = Time(dice.between(1, 60));
      node.sequential = cpu.sequential;
      break;
    case PoolKind::gpu: node.demand = random_kernel(dice, std::get<GpuPool>(pool.resource), with.priorities); break;
    case PoolKind::engines: node.demand = CopyDemand{Time(dice.between(1, 10)), dice.one_in(2) ? Direction::h2d : Direction::d2h}; break;
    case PoolKind::workers: node.demand = WorkerDemand{static_cast<std::uint64_t>(dice.between(1, 8)), Time(dice.between(1, 8))}; break;
  }
  node.sequential = node.sequential || (with.sequential && dice.one_in(10));
  return node;
}

/// Rarely above what its pools can carry, often close to it: periods follow from a drawn utilization.
inline TaskSet random_system(std::uint64_t seed, const Ingredients& with = {}) {
  Dice dice(seed);
  std::vector<Pool> pools;
  const auto add = [&](PoolKind kind, const char* name) { pools.push_back(random_pool(dice, kind, name, with)); };
  if (dice.one_in(3)) add(PoolKind::gpu, "gpu");
  if (dice.one_in(3)) add(PoolKind::cpu, "cpu");
  if (pools.empty() || dice.one_in(3)) add(dice.one_in(2) ? PoolKind::gpu : PoolKind::cpu, "more");
  if (dice.one_in(4)) add(PoolKind::engines, "copy");
  if (dice.one_in(4)) add(PoolKind::workers, "worker");

  CpuNodes cpu_nodes;
  cpu_nodes.sequential = with.sequential && dice.one_in(5);
  cpu_nodes.deadlines = !cpu_nodes.sequential || dice.one_in(2);
  const auto dags = static_cast<std::size_t>(dice.between(1, 4));
  std::vector<std::vector<Node>> nodes(dags);
  std::vector<std::vector<Edge>> edges(dags);
  for (std::size_t d = 0; d < dags; ++d) {
    const auto n = static_cast<std::size_t>(dice.one_in(2) ? 1 : dice.between(2, 5));
    for (std::size_t v = 0; v < n; ++v) {
      nodes[d].push_back(random_node(dice, pools, v, with, cpu_nodes));
      for (std::size_t u = 0; u < v; ++u) {
        if (dice.one_in(2)) edges[d].push_back({u, v});
      }
    }
  }

  // Work of a DAG on a pool, in millionths of the pool.
  const auto share = [&](const Node& node) -> Wide {
    constexpr Wide million = 1'000'000;
    const Pool& pool = pools[node.pool];
    switch (pool.kind()) {
      case PoolKind::cpu: return std::get<CpuDemand>(node.demand).C.count() * million / std::get<CpuPool>(pool.resource).processors;
      case PoolKind::gpu: {
        const auto& gpu = std::get<GpuPool>(pool.resource);
        const auto& d = std::get<GpuDemand>(node.demand);
        return d.L.count() * d.H * static_cast<Wide>(d.B) * million / (Wide{gpu.sms} * gpu.sm.threads);
      }
      case PoolKind::engines: return std::get<CopyDemand>(node.demand).C.count() * million;
      case PoolKind::workers: {
        const auto& w = std::get<WorkerPool>(pool.resource);
        const auto& d = std::get<WorkerDemand>(node.demand);
        return (d.L + w.dispatch_overhead).count() * static_cast<Wide>(d.B) * million / w.workers;
      }
    }
    return 0;
  };
  // Each DAG may load its most loaded pool by 1/dags of a drawn total (in percent).
  const std::int64_t total = dice.pick(std::vector<std::int64_t>{50, 80, 95, 100});
  std::vector<Dag> made;
  const bool given = with.fixed && dice.one_in(2);
  for (std::size_t d = 0; d < dags; ++d) {
    std::vector<Wide> load(pools.size());
    for (const Node& node : nodes[d]) load[node.pool] += share(node);
    const Wide most = *std::max_element(load.begin(), load.end());
    // load / T <= total / 100 / dags
    Wide T = std::max<Wide>(1, ceil_div(most * 100 * static_cast<Wide>(dags), total * Wide{1'000'000}));
    if (dice.one_in(4)) T += dice.between(0, 30);
    const auto priority = given ? std::optional(static_cast<FixedPriority>(dice.between(1, 3))) : std::nullopt;
    made.push_back(
        Dag("d" + std::to_string(d), to_time(T), std::nullopt, std::move(nodes[d]), std::move(edges[d]), {.priority = priority}));
  }
  return {"random-" + std::to_string(seed), std::move(pools), std::move(made)};
}

}  // namespace rta::test
