#include "plan.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "plan_bodies.hpp"
#include "random.hpp"
#include "rta/model/deadline.hpp"
#include "rta/model/error.hpp"
#include "rta/model/fixed_priority.hpp"
#include "rta/model/footprint.hpp"
#include "rta/model/kernel_time.hpp"
#include "rta/model/launch.hpp"
#include "rta/model/partitions.hpp"
#include "rta/model/time_slices.hpp"

namespace rta::simulate {
namespace {

std::uint32_t to_count(std::uint64_t n, const std::string& node) {
  if (n >= none) throw UserError("node '" + node + "': " + std::to_string(n) + " blocks or items are too many to simulate");
  return static_cast<std::uint32_t>(n);
}

PlanDag make_dag(const Dag& dag, DagId d, const Options& options) {
  PlanDag out;
  out.nodes = static_cast<std::uint32_t>(dag.nodes().size());
  out.period = checked_duration(dag.nominal_period(), "T");
  if (!options.jobs.empty()) {
    out.phase = options.jobs[d].empty() ? never : checked_duration(options.jobs[d].front().release, "release");
    return out;
  }
  out.jitter = dag.attributes().jitter.count();
  const Time known = dag.attributes().phase.value_or(Time::zero());
  if (dag.attributes().periodic) {
    out.phase = checked_duration(known, "phase");
    return out;
  }
  out.phase = checked_duration(options.releases.phases.empty() ? known : options.releases.phases[d], "phase");
  if (options.releases.random_phases) out.phase += between(draw(options.seed, Draw::phase, d), 0, out.period - 1);
  Wide delay = static_cast<Wide>(out.period) * options.releases.jitter / whole;
  if (dag.attributes().T_max) delay = std::min<Wide>(delay, (*dag.attributes().T_max - dag.nominal_period()).count());
  if (delay > longest) throw_overflow("release jitter");
  out.max_delay = static_cast<std::int64_t>(delay);
  return out;
}

void set_position(const Pool& pool, const NodeSchedule& schedule, FixedPriority priority, PlanNode& out) {
  const auto* cpu = std::get_if<CpuPool>(&pool.resource);
  if (cpu != nullptr && (is_wait_set(*cpu) || is_multi_threaded(*cpu))) {
    out.position = Position::in_set;
  } else if (cpu != nullptr && cpu->scheduler == Scheduler::fp) {
    out.position = cpu->equals == Equals::fifo ? Position::fixed_by_ready : Position::fixed;
    out.priority_point = -static_cast<std::int64_t>(priority);
  } else if (schedule.priority_point && (cpu == nullptr || cpu->scheduler != Scheduler::fifo)) {
    if (schedule.priority_point->count() > longest || schedule.priority_point->count() < -longest) throw_overflow("priority point");
    out.priority_point = schedule.priority_point->count();
  } else {
    out.position = Position::ready;
  }
}

void check_shape(const TaskSet& task_set, const Schedule& schedule, const Options& options) {
  const auto dags = task_set.dags();
  const auto fits = [&](const auto& per_node) {
    if (per_node.size() != dags.size()) return false;
    for (DagId d = 0; d < dags.size(); ++d) {
      if (per_node[d].size() != dags[d].nodes().size()) return false;
    }
    return true;
  };
  require(fits(schedule.nodes), "a schedule has the task set's shape");
  require(options.node_execution.empty() || fits(options.node_execution), "node_execution has the task set's shape");
  require(options.releases.phases.empty() || options.releases.phases.size() == dags.size(), "phases have one value per DAG");
}

void check_jobs(std::span<const Dag> dags, const std::vector<std::vector<ScenarioJob>>& jobs) {
  require(jobs.empty() || jobs.size() == dags.size(), "a scenario has jobs for every DAG");
  for (DagId d = 0; d < jobs.size(); ++d) {
    Time before = Time::zero();
    for (const ScenarioJob& job : jobs[d]) {
      (void)checked_duration(job.release, "release");
      require(job.release >= before, "a scenario's jobs are in the order of their releases");
      before = job.release;
      require(job.nodes.size() == dags[d].nodes().size(), "a scenario's jobs have the DAG's nodes");
      const auto fits = [](const ScenarioNode& node) {
        return node.execution <= whole && node.rank <= most_rank && node.takes.value_or(Time::zero()) >= Time::zero();
      };
      require(std::all_of(job.nodes.begin(), job.nodes.end(), fits), "a scenario's shares and ranks are in range");
    }
  }
}

// Nodes that a thread plays on the processor on which it has played the one before.
std::vector<bool> going_on(const Dag& dag, std::span<const Pool> pools) {
  std::vector<bool> all(dag.nodes().size());
  if (!dag.attributes().threads) return all;
  const auto order = dag.topological_order();
  for (std::size_t i = 1; i < order.size(); ++i) {
    const PoolId p = dag.nodes()[order[i]].pool;
    all[order[i]] = p == dag.nodes()[order[i - 1]].pool && pools[p].kind() == PoolKind::cpu;
  }
  return all;
}

std::uint32_t waves(const PlanNode& node) { return (node.pieces - 1) / node.wave + 1; }

// Its blocks share what the kernel takes alone; where none of them could take so long, they do not.
void set_kernel_time(const GpuDemand& kernel, const GpuPool& gpu, PlanNode& out) {
  const std::int64_t time = checked_duration(*kernel.time, "time");
  const Wide places_of = kernel.has_blocks ? places(kernel, gpu) : Wide{out.pieces};
  const auto wave = static_cast<std::uint32_t>(std::min<Wide>(places_of, out.pieces));
  if (out.most == 0 || Wide{time} > ceil_div(Wide{out.pieces}, Wide{wave}) * out.most) return;
  out.wave = wave;
  out.longest_block = out.most;
  out.most = time;
}

}  // namespace

std::int64_t block_time(const PlanNode& node, BlockTimes how, std::int64_t time, std::uint32_t number) {
  if (how == BlockTimes::long_first) {
    const Wide left = Wide{time} - Wide{number} * node.longest_block;
    return static_cast<std::int64_t>(std::clamp<Wide>(left, 0, node.longest_block));
  }
  const std::int64_t of = waves(node);
  return time / of + static_cast<std::int64_t>(number < time % of);
}

void set_demand(const AnyDemand& demand, const Pool& pool, std::uint32_t first, const std::string& name, PlanNode& out) {
  out.kind = pool.kind();
  out.server = first;
  switch (out.kind) {
    case PoolKind::cpu: out.most = checked_duration(std::get<CpuDemand>(demand).C, "C"); break;
    case PoolKind::gpu: {
      const auto& d = std::get<GpuDemand>(demand);
      refuse_blocks_together(d, name, "simulated");
      // L is rounded up; a block must not do more work than C.
      out.most = std::min(checked_duration(d.L, "L"), static_cast<std::int64_t>(std::min<Wide>(d.C.count() / d.H, longest)));
      out.pieces = to_count(d.B, name);
      out.stream_priority = d.priority;
      out.demand = block_demand(d, std::get<GpuPool>(pool.resource));
      if (d.time) set_kernel_time(d, std::get<GpuPool>(pool.resource), out);
      out.interference_class = d.interference_class;
      out.alone = d.alone;
      // Neither the waves of a kernel nor its blocks may sum to more than what is counted of `time` and C.
      out.rounds_up = out.wave == 0 && d.C.count() == Wide{d.L.count()} * d.H;
      break;
    }
    case PoolKind::engines: {
      const auto& d = std::get<CopyDemand>(demand);
      out.most = checked_duration(d.C, "C");
      if (d.direction == Direction::d2h && std::get<EnginePool>(pool.resource).engines > 1) ++out.server;
      break;
    }
    case PoolKind::workers: {
      const auto& d = std::get<WorkerDemand>(demand);
      out.most = checked_duration(d.L, "L");
      out.pieces = to_count(d.B, name);
      out.overhead = checked_duration(std::get<WorkerPool>(pool.resource).dispatch_overhead, "dispatch_overhead");
      break;
    }
  }
}

void set_kernel_queues(Plan& plan) {
  std::vector<std::map<StreamPriority, std::uint32_t, std::greater<>>> ranks(plan.gpus.size());
  for (const PlanNode& node : plan.nodes) {
    if (node.kind == PoolKind::gpu) ranks[node.server].emplace(node.stream_priority, 0);
  }
  for (std::size_t gpu = 0; gpu < ranks.size(); ++gpu) {
    for (auto& of_priority : ranks[gpu]) of_priority.second = plan.gpus[gpu].queues++;
  }
  for (PlanNode& node : plan.nodes) {
    if (node.kind == PoolKind::gpu) node.queue = ranks[node.server].at(node.stream_priority);
  }
}

void set_execution(const Execution& e, PlanNode& out, std::int64_t floor) {
  require(e.least <= e.most && e.most <= whole, "execution times are 0 <= least <= most <= 1");
  const std::int64_t worst = out.most;
  out.least = std::clamp(scaled(worst, e.least), std::min(floor, worst), worst);
  out.most = std::max(out.least, scaled(worst, e.most));
}

void set_execution(const Variation& v, PlanNode& out) {
  // An L less than the kernel's time varies beside it: each of the waves is as short.
  const Wide times = out.wave > 0 && out.longest_block < out.most ? waves(out) : 1;
  const auto in_all = [&](Time piece, const char* what) {
    // C/H of a kernel may be less than L, which is rounded up.
    return static_cast<std::int64_t>(std::min<Wide>(out.most, times * checked_duration(piece, what)));
  };
  out.least = in_all(v.least, "min");
  if (v.mode) out.mode = std::max(in_all(*v.mode, "mode"), out.least);
}

std::int64_t checked_duration(Time t, const char* what) {
  if (t < Time::zero()) throw_defect(std::string(what) + " is not negative");
  if (t.count() > longest) throw_overflow(what);
  return t.count();
}

BlockDemand block_demand(const GpuDemand& demand, const GpuPool& gpu) {
  const Footprint block = footprint(demand, gpu);
  require(fits(block, gpu), "a block fits on an SM");
  return {.threads = static_cast<std::uint32_t>(block.threads),
          .shared_memory = static_cast<std::uint64_t>(block.shared_memory),
          .warps = block.registers > 0 ? static_cast<std::uint32_t>(block.warps) : 0,
          .registers_per_warp = static_cast<std::uint64_t>(block.registers / block.warps)};
}

namespace {

PlanCpu cpu_of(const CpuPool& cpu) {
  PlanCpu out{
      .processors = cpu.processors, .preemptive = cpu.preemptive, .wait_set = is_wait_set(cpu), .multi_threaded = is_multi_threaded(cpu)};
  if (cpu.reservation) {
    out.runtime = checked_duration(cpu.reservation->runtime, "runtime");
    out.period = checked_duration(cpu.reservation->period, "period");
  }
  return out;
}

}  // namespace

void add_pools(std::span<const Pool> pools, Plan& plan, std::vector<std::uint32_t>& first) {
  for (PoolId p = 0; p < pools.size(); ++p) {
    const auto& resource = pools[p].resource;
    switch (pools[p].kind()) {
      case PoolKind::cpu:
        first.push_back(static_cast<std::uint32_t>(plan.cpus.size()));
        plan.cpus.push_back(cpu_of(std::get<CpuPool>(resource)));
        plan.cpus.back().number = first.back();
        break;
      case PoolKind::gpu: {
        const auto& gpu = std::get<GpuPool>(resource);
        first.push_back(static_cast<std::uint32_t>(plan.gpus.size()));
        plan.gpus.push_back({gpu.sms, gpu.sm, 0, gpu.allocation.register_parts, none, {}});
        // The pools of a GPU's contexts stand side by side.
        const Sharing* const sharing = slices_of(pools[p]);
        const bool another = p > 0 && slices_of(pools[p - 1]) != nullptr && slices_of(pools[p - 1])->gpu == (sharing ? sharing->gpu : "");
        if (sharing != nullptr && !another) {
          plan.slices.push_back({.first = first.back(),
                                 .contexts = sharing->contexts,
                                 .slice = checked_duration(sharing->slice, "slice"),
                                 .switch_time = checked_duration(sharing->switch_time, "switch"),
                                 .gap = checked_duration(gap(*sharing), "gap between slices")});
        }
        break;
      }
      case PoolKind::engines: {
        // One FIFO for both directions, or one for each.
        const std::uint32_t engines = std::min(std::get<EnginePool>(resource).engines, 2U);
        first.push_back(static_cast<std::uint32_t>(plan.servers.size()));
        for (std::uint32_t e = 0; e < engines; ++e) plan.servers.push_back({1, true, e});
        break;
      }
      case PoolKind::workers:
        first.push_back(static_cast<std::uint32_t>(plan.servers.size()));
        plan.servers.push_back({std::get<WorkerPool>(resource).workers, false, 0});
        break;
    }
  }
}

namespace {

/// One for each GPU on which some kernel was measured alone.
void add_companies(const TaskSet& task_set, const std::vector<std::uint32_t>& first, Plan& plan) {
  const auto gpu_of = [&](PoolId p) {
    const Partition* const partition = partition_of(task_set.pools()[p]);
    return std::string_view(partition != nullptr ? partition->gpu : task_set.pools()[p].name);
  };
  std::map<std::string_view, std::uint32_t> of_gpu;
  for (const Dag& dag : task_set.dags()) {
    for (const Node& node : dag.nodes()) {
      const auto* const kernel = std::get_if<GpuDemand>(&node.demand);
      if (kernel != nullptr && kernel->alone && of_gpu.emplace(gpu_of(node.pool), plan.companies).second) ++plan.companies;
    }
  }
  for (PoolId p = 0; p < task_set.pools().size(); ++p) {
    const auto* const gpu = std::get_if<GpuPool>(&task_set.pools()[p].resource);
    const auto company = of_gpu.find(gpu_of(p));
    if (gpu == nullptr || company == of_gpu.end()) continue;
    plan.gpus[first[p]].company = company->second;
    plan.gpus[first[p]].interference = gpu->interference;
  }
}

}  // namespace

Plan make_plan(const TaskSet& task_set, const Schedule& schedule, const Options& options) {
  check_shape(task_set, schedule, options);
  check_jobs(task_set.dags(), options.jobs);
  check_bodies(task_set.dags(), options.bodies);
  Plan plan;
  std::vector<std::uint32_t> first;
  add_pools(task_set.pools(), plan, first);
  add_companies(task_set, first, plan);
  const FixedPriorities priorities = fixed_priorities(task_set);
  std::size_t nodes = 0, edges = 0;
  for (const Dag& dag : task_set.dags()) {
    nodes += dag.nodes().size();
    edges += dag.edges().size();
  }
  std::map<std::pair<PoolId, std::string_view>, std::uint32_t> groups;  // of executors of several threads
  plan.dags.reserve(task_set.dags().size());
  plan.nodes.reserve(nodes);
  plan.edges.reserve(edges);
  for (DagId d = 0; d < task_set.dags().size(); ++d) {
    const Dag& dag = task_set.dags()[d];
    PlanDag out = make_dag(dag, d, options);
    out.first_node = static_cast<std::uint32_t>(plan.nodes.size());
    if (dag.deadline()) out.deadline = dag.deadline()->count();
    out.in_flight = dag.attributes().threads.value_or(dag.attributes().in_flight.value_or(0));
    const std::vector<bool> goes_on = going_on(dag, task_set.pools());
    const std::span<const Body> bodies = options.bodies.empty() ? std::span<const Body>() : options.bodies[d];
    const BodiesOfDag in_bodies(dag, bodies);
    const auto first_body = static_cast<std::uint32_t>(plan.bodies.size());
    for (const Body& body : bodies) add_body(dag, body, task_set.pools(), first, out.first_node, plan);
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      const Node& node = dag.nodes()[v];
      const NodeSchedule& s = schedule.nodes[d][v];
      const auto id = static_cast<std::uint32_t>(plan.nodes.size());
      PlanNode n;
      n.dag = static_cast<std::uint32_t>(d);
      n.index = static_cast<std::uint32_t>(v);
      n.number = id;
      set_demand(node.demand, task_set.pools()[node.pool], first[node.pool], node.name, n);
      if (!options.jobs.empty()) {
        set_execution(worst_case, n);
      } else if (options.vary && node.variation) {
        set_execution(*node.variation, n);
      } else {
        const bool never_shorter = dag.attributes().periodic && node.variation;  // bounds of periodic DAGs count on it
        set_execution(options.node_execution.empty() ? options.execution : options.node_execution[d][v], n,
                      never_shorter ? checked_duration(node.variation->least, "min") : 0);
      }
      set_position(task_set.pools()[node.pool], s, priorities.of[d][v], n);
      if (n.kind == PoolKind::cpu && plan.cpus[n.server].multi_threaded && node.group != reentrant_group) {
        std::uint32_t& group = groups[{node.pool, node.group}];
        if (group == 0) group = ++plan.cpus[n.server].groups;
        n.group = group;
      }
      if (goes_on[v] && n.position == Position::ready) n.position = Position::in_run;
      n.reference = checked_duration(s.reference, "reference");
      if (const auto D = in_bodies.deadline(v)) n.deadline = D->count();
      n.predecessors = in_bodies.predecessors(v);
      const bool in_body = in_bodies.of(v) != none;
      if (in_body) n.body = first_body + in_bodies.of(v);
      const bool at_release = n.predecessors == 0 && (!s.offset || *s.offset == Time::zero());
      if (at_release) {
        out.sources.push_back(id);
      } else if (s.offset) {
        n.offset = checked_duration(*s.offset, "offset");
        ++n.predecessors;
        out.gates.push_back({n.offset, id});
      }
      if (in_body ? in_bodies.begins(v) : node.sequential || s.guarded) {
        n.order = static_cast<std::uint32_t>(plan.orders.size());
        plan.orders.push_back({id, in_body || node.sequential, s.guarded ? dag.period().count() : 0});
      }
      const bool on_device = n.kind == PoolKind::gpu || n.kind == PoolKind::engines;
      if (options.streams == Streams::per_task && on_device) n.stream = plan.streams++;
      n.first_edge = static_cast<std::uint32_t>(plan.edges.size());
      for (const NodeId w : in_bodies.followers(v)) plan.edges.push_back({static_cast<std::uint32_t>(out.first_node + w), 0});
      n.end_edge = static_cast<std::uint32_t>(plan.edges.size());
      plan.nodes.push_back(n);
    }
    if (dag.attributes().wait == Wait::spin) keep_processors(task_set, d, first, plan);
    if (dag.attributes().threads && !out.gates.empty())
      throw UserError("DAG '" + dag.name() + "' is played by threads (`threads`), which is simulated on completion: no node has an offset");
    require(dag.history().empty() || bodies.empty(), "threads know of no history edges");
    for (const HistoryEdge& edge : dag.history())
      out.history.push_back(
          {static_cast<std::uint32_t>(out.first_node + edge.from), static_cast<std::uint32_t>(out.first_node + edge.to), edge.jobs});
    std::stable_sort(out.gates.begin(), out.gates.end(), [](const Gate& a, const Gate& b) { return a.offset < b.offset; });
    plan.dags.push_back(std::move(out));
  }
  set_kernel_queues(plan);
  return plan;
}

}  // namespace rta::simulate
