#include "certificate/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "certificate/line.hpp"
#include "rta/model/error.hpp"
#include "rta/model/fixed_priority.hpp"
#include "rta/model/time_slices.hpp"

namespace rta::certificate {
namespace {

std::string limit(const std::optional<Time>& time) { return time ? fmt::format("{}", time->count()) : "-"; }
std::string limit(const std::optional<std::uint64_t>& amount) { return amount ? fmt::format("{}", *amount) : "-"; }

std::string given(const char* what, const std::optional<Time>& time) { return time ? fmt::format(" {} {}", what, time->count()) : ""; }

/// How much longer every block takes than the file says: the latency of a measured device.
Time latency(const TaskSet& file, const TaskSet& analysed, PoolId p) {
  for (DagId d = 0; d < file.dags().size(); ++d) {
    for (NodeId v = 0; v < file.dags()[d].nodes().size(); ++v) {
      const auto* const kernel = std::get_if<GpuDemand>(&file.dags()[d].nodes()[v].demand);
      if (file.dags()[d].nodes()[v].pool != p || kernel == nullptr || !kernel->has_blocks) continue;
      return longest_piece(analysed.dags()[d].nodes()[v]) - longest_piece(file.dags()[d].nodes()[v]);
    }
  }
  return {};
}

void add_differences(PoolId p, const CpuPool& file, const CpuPool& used, std::string& out) {
  if (file.scheduler != used.scheduler) line(out, "assume {} scheduler {}", p, to_string(used.scheduler));
  const bool other_equals = file.scheduler != Scheduler::fp || file.equals != used.equals;
  if (used.scheduler == Scheduler::fp && other_equals) line(out, "assume {} equals {}", p, to_string(used.equals));
  if (file.preemptive != used.preemptive) line(out, "assume {} preemptive {}", p, used.preemptive ? "yes" : "no");
}

void add_differences(PoolId p, const GpuPool& file, const GpuPool& used, std::string& out) {
  const auto add = [&](const char* what, const auto& before, const auto& now) {
    if (before != now) line(out, "assume {} {} {}", p, what, now);
  };
  add("sms", file.sms, used.sms);
  add("threads", file.sm.threads, used.sm.threads);
  add("blocks", file.sm.blocks, used.sm.blocks);
  add("shared_memory", limit(file.sm.shared_memory), limit(used.sm.shared_memory));
  add("registers", limit(file.sm.registers), limit(used.sm.registers));
  add("warp", file.allocation.warp, used.allocation.warp);
  add("shared_memory_unit", file.allocation.shared_memory, used.allocation.shared_memory);
  add("shared_memory_reserved", file.allocation.reserved_shared_memory, used.allocation.reserved_shared_memory);
  add("register_unit", file.allocation.registers_per_warp, used.allocation.registers_per_warp);
  add("register_parts", file.allocation.register_parts, used.allocation.register_parts);
}

std::string resource(const Pool& pool) {
  switch (pool.kind()) {
    case PoolKind::cpu: {
      const auto& cpu = std::get<CpuPool>(pool.resource);
      return fmt::format(
          "cpu {} {} {}{}{}{}{}", cpu.processors, to_string(cpu.scheduler), cpu.preemptive ? "preemptive" : "non-preemptive",
          cpu.scheduler != Scheduler::fp ? ""
          : cpu.equals == Equals::any    ? " equals-any"
                                         : " equals-fifo",
          cpu.simultaneous == Simultaneous::before_starts ? " simultaneous-before-starts" : "", cpu.callbacks ? " callbacks" : "",
          cpu.reservation ? fmt::format(" reservation {} {}", cpu.reservation->runtime.count(), cpu.reservation->period.count()) : "");
    }
    case PoolKind::gpu: {
      const auto& gpu = std::get<GpuPool>(pool.resource);
      const Allocation& unit = gpu.allocation;
      const Sharing* const slices = slices_of(pool);
      return fmt::format("gpu {} {} {} {} {} {} {} {} {} {}{}", gpu.sms, gpu.sm.threads, gpu.sm.blocks, limit(gpu.sm.shared_memory),
                         limit(gpu.sm.registers), unit.warp, unit.shared_memory, unit.reserved_shared_memory, unit.registers_per_warp,
                         unit.register_parts,
                         slices == nullptr ? "" : fmt::format(" slices {} {}", slices->slice.count(), gap(*slices).count()));
    }
    case PoolKind::engines: return fmt::format("engines {}", std::get<EnginePool>(pool.resource).engines);
    case PoolKind::workers: {
      const auto& workers = std::get<WorkerPool>(pool.resource);
      return fmt::format("workers {} {}", workers.workers, workers.dispatch_overhead.count());
    }
  }
  return {};
}

struct ByDemand {
  std::string operator()(const CpuDemand& demand) const { return fmt::format("{}", demand.C.count()); }
  std::string operator()(const CopyDemand& demand) const {
    const char* direction = !demand.direction ? "-" : *demand.direction == Direction::h2d ? "h2d" : "d2h";
    return fmt::format("{} {}", demand.C.count(), direction);
  }
  std::string operator()(const WorkerDemand& demand) const { return fmt::format("{} {}", demand.B, demand.L.count()); }
  std::string operator()(const GpuDemand& demand) const {
    if (!demand.has_blocks) return fmt::format("alone {} {}", demand.time->count(), stream_priority_text(demand.priority));
    return fmt::format("{} {} {} {} {} {} {}{}{}{}", demand.B, demand.H, to_string(demand.C.count()), demand.L.count(),
                       demand.shared_memory, demand.registers_per_thread, stream_priority_text(demand.priority), given("time", demand.time),
                       demand.cluster > 1 ? fmt::format(" cluster {}", demand.cluster) : "", demand.cooperative ? " cooperative" : "");
  }
};

void add_chain(std::size_t i, const Chain& chain, std::string& out) {
  const char* communication = chain.communication == Communication::let ? "LET" : "register";
  fmt::format_to(std::back_inserter(out), "chain {} {} {} {} {}", i, chain.name, communication, limit(chain.reaction), limit(chain.age));
  for (const ChainStage& stage : chain.stages) {
    fmt::format_to(std::back_inserter(out), " {}{}", stage.dag, stage.node ? fmt::format("/{}", *stage.node) : "");
  }
  out += '\n';
}

/// Blocks that stand for kernel switches of a measured device.
void add_switches(PoolId p, const TaskSet& file, const TaskSet& analysed, std::string& out) {
  for (DagId d = 0; d < file.dags().size(); ++d) {
    for (NodeId v = 0; v < file.dags()[d].nodes().size(); ++v) {
      if (file.dags()[d].nodes()[v].pool != p) continue;
      const auto& before = std::get<GpuDemand>(file.dags()[d].nodes()[v].demand);
      const auto& now = std::get<GpuDemand>(analysed.dags()[d].nodes()[v].demand);
      if (now.has_blocks && now.B != before.B) line(out, "assume {} switch {}/{}+{}", p, d, v, now.B - before.B);
    }
  }
}

/// How long kernels take alone where a measured device adds more to it than `latency`.
void add_durations(PoolId p, const TaskSet& file, const TaskSet& analysed, Time latency, std::string& out) {
  for (DagId d = 0; d < file.dags().size(); ++d) {
    for (NodeId v = 0; v < file.dags()[d].nodes().size(); ++v) {
      if (file.dags()[d].nodes()[v].pool != p) continue;
      const auto& before = std::get<GpuDemand>(file.dags()[d].nodes()[v].demand);
      const auto& now = std::get<GpuDemand>(analysed.dags()[d].nodes()[v].demand);
      const auto stated = before.time ? std::optional(*before.time + latency) : std::nullopt;
      if (now.time != stated) line(out, "assume {} time {}/{}={}", p, d, v, now.time->count());
    }
  }
}

/// Fixed priorities that the analysis gave.
void add_priorities(PoolId p, const TaskSet& file, const TaskSet& analysed, std::string& out) {
  if (std::get<CpuPool>(analysed.pools()[p].resource).scheduler != Scheduler::fp) return;
  for (DagId d = 0; d < file.dags().size(); ++d) {
    const Dag& dag = analysed.dags()[d];
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      if (dag.nodes()[v].pool != p) continue;
      const auto now = given_priority(dag, dag.nodes()[v]);
      if (now && now != given_priority(file.dags()[d], file.dags()[d].nodes()[v])) line(out, "assume {} priority {}/{}={}", p, d, v, *now);
    }
  }
}

}  // namespace

void add_assumptions(const TaskSet& file, const TaskSet& analysed, std::string& out) {
  for (PoolId p = 0; p < file.pools().size(); ++p) {
    const Pool& before = file.pools()[p];
    const Pool& now = analysed.pools()[p];
    require(before.kind() == now.kind(), "an analysis keeps the kinds of pools");
    if (before.kind() == PoolKind::cpu) {
      add_differences(p, std::get<CpuPool>(before.resource), std::get<CpuPool>(now.resource), out);
      add_priorities(p, file, analysed, out);
    }
    if (before.kind() != PoolKind::gpu) continue;
    add_differences(p, std::get<GpuPool>(before.resource), std::get<GpuPool>(now.resource), out);
    const Time more = latency(file, analysed, p);
    if (more > Time::zero()) line(out, "assume {} latency {}", p, more.count());
    add_switches(p, file, analysed, out);
    add_durations(p, file, analysed, more, out);
  }
}

void add_parameters(const TaskSet& task_set, std::string& out) {
  for (PoolId p = 0; p < task_set.pools().size(); ++p)
    line(out, "pool {} {} {}", p, task_set.pools()[p].name, resource(task_set.pools()[p]));
  const FixedPriorities priorities = fixed_priorities(task_set);
  for (DagId d = 0; d < task_set.dags().size(); ++d) {
    const Dag& dag = task_set.dags()[d];
    const DagAttributes& of = dag.attributes();
    line(out, "dag {} {} {} {}{}{}{}{}{}{}{}", d, dag.name(), dag.period().count(), limit(dag.deadline()), given("longest", of.T_max),
         of.jitter > Time::zero() ? given("jitter", of.jitter) : "", given("phase", of.phase), of.periodic ? " periodic" : "",
         of.threads ? fmt::format(" threads {}", *of.threads) : "", of.wait == Wait::spin ? " spin" : "",
         of.in_flight ? fmt::format(" in_flight {}", *of.in_flight) : "");
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      const Node& node = dag.nodes()[v];
      const bool counts = of.periodic && node.variation && node.variation->least > Time::zero();
      fmt::format_to(std::back_inserter(out), "node {} {} {} {} {}{}{}", d, v, node.name, node.pool, std::visit(ByDemand{}, node.demand),
                     counts ? fmt::format(" least {}", node.variation->least.count()) : "", node.sequential ? " sequential" : "");
      std::vector<NodeId> before(dag.predecessors(v).begin(), dag.predecessors(v).end());
      std::ranges::sort(before);
      const auto* cpu = std::get_if<CpuPool>(&task_set.pools()[node.pool].resource);
      if (cpu != nullptr && cpu->scheduler == Scheduler::fp) fmt::format_to(std::back_inserter(out), " priority {}", priorities.of[d][v]);
      if (cpu != nullptr && is_multi_threaded(*cpu) && !node.group.empty())
        fmt::format_to(std::back_inserter(out), " group {}", node.group);
      if (node.deadline) fmt::format_to(std::back_inserter(out), " deadline {}", node.deadline->count());
      if (!before.empty()) out += " after";
      for (const NodeId u : before) fmt::format_to(std::back_inserter(out), " {}", u);
      out += '\n';
    }
    for (const HistoryEdge& edge : dag.history()) line(out, "after {} {} {} {}", d, edge.from, edge.to, edge.jobs);
  }
  for (std::size_t i = 0; i < task_set.chains().size(); ++i) add_chain(i, task_set.chains()[i], out);
}

}  // namespace rta::certificate
