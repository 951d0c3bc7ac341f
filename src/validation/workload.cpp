#include "rta/validation/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "bodies.hpp"
#include "fifo_levels.hpp"
#include "nvcc_settings_text.hpp"
#include "rta/analysis/schedule_of.hpp"
#include "rta/io/digest.hpp"
#include "rta/model/error.hpp"
#include "rta/model/footprint.hpp"
#include "rta/model/kernel_time.hpp"
#include "rta/model/launch.hpp"
#include "rta/model/overloaded.hpp"
#include "rta/model/partitions.hpp"
#include "rta/model/time_slices.hpp"
#include "rta/trace/content.hpp"
#include "workload_texts.hpp"

namespace rta::validation {
namespace {

std::int64_t or_none(const std::optional<Time>& time) { return time ? time->count() : -1; }

constexpr unsigned slots_without_bound = 16;
constexpr Wide most_slots = 1024;
constexpr std::uint32_t most_registers = 255;  // of a thread
constexpr std::uint32_t most_live = 240;       // with more the compiler moves some to memory

// Jobs of a node that may be under way at once, one to spare: they live for at most `longest`.
unsigned slots(const std::optional<Time>& longest, Time T) {
  if (!longest) return slots_without_bound;
  return static_cast<unsigned>(std::min(most_slots, ceil_div(longest->count(), T.count()) + 1));
}

std::string_view order_of(const CpuPool& cpu) {
  if (cpu.scheduler == Scheduler::fifo) return "fifo";
  if (cpu.scheduler == Scheduler::fp) return cpu.preemptive ? "fixed" : "fixed_non_preemptive";
  return cpu.preemptive ? "priority_point" : "non_preemptive";
}

std::string pool_row(const Pool& pool) {
  struct Row {
    std::string_view kind;
    std::uint32_t count = 0;
    std::string_view order = "fifo";
    std::uint32_t threads = 0;  // of an SM
    std::uint32_t whole = 0;    // of a partition: SMs of the GPU
    bool rest = false;
  };
  struct ByKind {
    Row operator()(const CpuPool& cpu) const { return {.kind = "cpu", .count = cpu.processors, .order = order_of(cpu)}; }
    Row operator()(const GpuPool& gpu) const {
      Row row{.kind = "gpu", .count = gpu.sms, .threads = gpu.sm.threads};
      if (gpu.partition) row.whole = gpu.partition->of;
      row.rest = gpu.partition && gpu.partition->rest;
      return row;
    }
    Row operator()(const EnginePool& engines) const { return {.kind = "engines", .count = engines.engines}; }
    Row operator()(const WorkerPool& workers) const { return {.kind = "workers", .count = workers.workers}; }
  };
  const Row row = std::visit(ByKind{}, pool.resource);
  const std::string partition = row.whole > 0 ? fmt::format(", {}, {}", row.whole, row.rest) : std::string();
  return fmt::format("    {{{}, PoolKind::{}, {}, Order::{}, {}, {}{}}},\n", cpp_literal(pool.name), row.kind, row.count, row.order,
                     row.threads, cpp_literal(name_in_file(pool)), partition);
}

// What the table says of a demand.
struct Demand {
  Time length;
  std::uint64_t blocks = 1;
  std::uint32_t threads = 1;
  std::uint64_t shared_memory = 0;
  std::uint32_t registers = 0;
  std::uint64_t blocks_per_sm = 0;
  StreamPriority stream_priority = low_priority;
  bool d2h = false;
};

constexpr std::uint32_t most_threads = 1024;  // of a block

// Of a kernel of unknown blocks: as few on each SM as fill its threads, so that nothing finds room beside them.
Demand demand_of_whole_gpu(const GpuDemand& kernel, const GpuPool& gpu) {
  const std::uint32_t warp = gpu.allocation.warp, warps = std::max(gpu.sm.threads / warp, 1U);
  const std::uint32_t most = std::max(std::min(gpu.sm.threads_per_block, most_threads) / warp, 1U);
  const std::uint32_t per_sm = (warps + most - 1) / most;
  return {.length = *kernel.time,
          .blocks = std::uint64_t{gpu.sms} * per_sm,
          .threads = warps / per_sm * warp,
          .blocks_per_sm = per_sm,
          .stream_priority = kernel.priority};
}

// Of a block, so that the waves of a kernel whose duration is known take that together where it has the GPU for itself.
Time length_of_blocks(const GpuDemand& kernel, const GpuPool& gpu) {
  if (!kernel.time) return kernel.L;
  const Wide alone = duration_alone(kernel, gpu).count();
  return std::max(Time(1), to_time(alone / ceil_div(static_cast<Wide>(kernel.B), places(kernel, gpu))));
}

Demand demand_of(const Node& node, const Pool& pool, const std::string& name) {
  struct ByKind {
    Demand operator()(const CpuDemand& cpu) const { return {.length = cpu.C}; }
    Demand operator()(const CopyDemand& copy) const { return {.length = copy.C, .d2h = copy.direction == Direction::d2h}; }
    Demand operator()(const WorkerDemand& items) const { return {.length = items.L, .blocks = items.B}; }
    Demand operator()(const GpuDemand& gpu) const {
      const auto& resource = std::get<GpuPool>(pool.resource);
      if (!gpu.has_blocks) return demand_of_whole_gpu(gpu, resource);
      refuse_blocks_together(gpu, name, "made part of a generated program");
      return {.length = length_of_blocks(gpu, resource),
              .blocks = gpu.B,
              .threads = gpu.H,
              .shared_memory = gpu.shared_memory,
              .registers = gpu.registers_per_thread,
              .blocks_per_sm = static_cast<std::uint64_t>(blocks_per_sm(footprint(gpu, resource), resource)),
              .stream_priority = gpu.priority};
    }
    const Pool& pool;
    const std::string& name;
  };
  const Demand demand = std::visit(ByKind{pool, name}, node.demand);
  // A record of each block of each job under way must fit in pinned memory.
  constexpr std::uint64_t most_blocks = 1U << 26U;
  if (demand.blocks > most_blocks) throw UserError(fmt::format("node '{}': {} blocks are too many to record", name, demand.blocks));
  if (demand.threads > most_threads)
    throw UserError(fmt::format("node '{}': CUDA has no blocks of {} threads (at most {})", name, demand.threads, most_threads));
  if (demand.shared_memory > std::numeric_limits<std::int32_t>::max())
    throw UserError(fmt::format("node '{}': CUDA has no blocks with {} bytes of shared memory", name, demand.shared_memory));
  return demand;
}

std::optional<Time> bound_of(const std::optional<analysis::Bound>& bound) { return bound ? std::optional(bound->R) : std::nullopt; }

/// How long a job of the node may be under way.
std::optional<Time> lifetime(const analysis::Proof& proof, DagId d, NodeId v) {
  const auto& node = proof.dags[d].nodes[v];
  if (!node.bound) return bound_of(proof.dags[d].bound);
  // Early, a job may begin up to its offset sooner.
  return proof.release == Release::early ? *node.reference + node.bound->R : node.bound->R;
}

/// `schedules` are of the nodes, `levels` of the proof's tasks.
std::string node_row(const analysis::Proof& proof, const DagBodies& bodies, const Schedule& schedules, const PerNode<int>& levels, DagId d,
                     NodeId v) {
  const TaskSet& task_set = nodes_played(proof);
  const Dag& dag = task_set.dags()[d];
  const Node& node = dag.nodes()[v];
  const NodeId task = bodies.task[v];
  const bool released = bodies.released[v];
  const NodeSchedule schedule = released ? schedules.nodes[d][v] : NodeSchedule{};
  const int body = bodies.of[v];
  const Demand demand = demand_of(node, task_set.pools()[node.pool], dag.name() + "/" + node.name);
  // Comments name the fields: C++17 has no designated initialisers.
  std::string row = "    {" + cpp_literal(node.name);
  const auto add = [&row](std::string_view field, const auto& value) {
    fmt::format_to(std::back_inserter(row), ", /*{}*/ {}", field, value);
  };
  add("pool", node.pool);
  add("length", demand.length.count());
  add("longest", demand.length.count());
  add("blocks", demand.blocks);
  add("threads", demand.threads);
  add("shared_memory", demand.shared_memory);
  add("registers", demand.registers);
  add("blocks_per_sm", demand.blocks_per_sm);
  add("stream_priority", demand.stream_priority);
  add("d2h", demand.d2h);
  add("sequential", released && (node.sequential || proof.task_set->dags()[d].nodes()[task].sequential));
  add("timed", schedule.offset.has_value());
  add("offset", schedule.offset.value_or(Time::zero()).count());
  add("reference", schedule.reference.count());
  add("guarded", schedule.guarded);
  add("priority_point", schedule.priority_point.value_or(Time::zero()).count());
  add("level", levels[d][task]);
  add("bound", proof.ungrouped ? -1 : or_none(bound_of(proof.dags[d].nodes[v].bound)));
  add("slots", body >= 0 ? bodies.all[static_cast<std::size_t>(body)].threads : slots(lifetime(proof, d, task), dag.period()));
  if (body >= 0) add("body", body);
  return row + "},\n";
}

// The spin kernels that the registers of nodes need. By its own needs the compiler adds 1 to 32 registers to the live ones; 14 are for
// amounts that it leaps over between two multiples of 8 (as nvcc 13 does for compute capabilities 10 and 12).
std::string spin_kernels(const TaskSet& task_set) {
  std::set<std::uint32_t> live{0};
  for (const Dag& dag : task_set.dags()) {
    for (const Node& node : dag.nodes()) {
      const auto* gpu = std::get_if<GpuDemand>(&node.demand);
      if (gpu == nullptr || gpu->registers_per_thread == 0) continue;
      const std::uint32_t allocated = (std::min(gpu->registers_per_thread, most_registers) + 7) / 8 * 8;
      for (const std::uint32_t below : {8U, 14U, 16U, 24U, 32U}) {
        if (below <= allocated) live.insert(std::min(allocated - below, most_live));
      }
    }
  }
  std::string out = "\nstd::vector<common::SpinFunction> workload::spin_kernels() {\n  return {";
  for (const std::uint32_t values : live) out += fmt::format("{}common::spin<{}>", values == 0 ? "" : ", ", values);
  return out + "};\n}\n";
}

std::string body_rows(const DagBodies& bodies, DagId d) {
  std::string lists, rows;
  for (std::size_t b = 0; b < bodies.all.size(); ++b) {
    const Body& body = bodies.all[b];
    lists += fmt::format("const unsigned body_{}_{}[] = {{", d, b);
    for (std::size_t i = 0; i < body.nodes.size(); ++i)
      lists += fmt::format("{}{}", i == 0 ? "" : i % 24 == 0 ? ",\n    " : ", ", body.nodes[i]);
    lists += "};\n";
    rows += fmt::format("    {{body_{}_{}, {}, {}, {}, {}}},\n", d, b, body.nodes.size(), body.threads, body.by_point, body.spins);
  }
  return bodies.all.empty() ? std::string() : fmt::format("{}const Body bodies_{}[] = {{\n{}}};\n", lists, d, rows);
}

std::string edge_rows(const DagBodies& bodies, DagId d) {
  if (bodies.edges.empty()) return {};
  std::string out = fmt::format("const Edge edges_{}[] = {{", d);
  for (std::size_t e = 0; e < bodies.edges.size(); ++e) {
    out += fmt::format("{}{{{}, {}}}", e == 0 ? "" : e % 12 == 0 ? ",\n    " : ", ", bodies.edges[e].from, bodies.edges[e].to);
  }
  return out + "};\n";
}

std::string history_rows(const Dag& dag, DagId d) {
  if (dag.history().empty()) return {};
  std::string out = fmt::format("const HistoryEdge history_{}[] = {{", d);
  for (std::size_t e = 0; e < dag.history().size(); ++e) {
    const HistoryEdge& edge = dag.history()[e];
    out += fmt::format("{}{{{}, {}, {}}}", e == 0 ? "" : e % 8 == 0 ? ",\n    " : ", ", edge.from, edge.to, edge.jobs);
  }
  return out + "};\n";
}

/// DAG -> what process runs it where processes do: on a GPU that they share the one that its kernels name, else one of its own; -1: its
/// kernels name several.
std::vector<int> processes(const TaskSet& task_set) {
  std::map<std::string, int> numbers;
  std::vector<int> of;
  for (DagId d = 0; d < task_set.dags().size(); ++d) {
    std::set<std::string> named;
    for (const Node& node : task_set.dags()[d].nodes()) {
      const auto* gpu = std::get_if<GpuPool>(&task_set.pools()[node.pool].resource);
      if (gpu != nullptr && gpu->sharing) named.insert(gpu->sharing->process);
    }
    const auto next = static_cast<int>(task_set.dags().size() + numbers.size());
    of.push_back(named.empty() ? static_cast<int>(d) : named.size() > 1 ? -1 : numbers.try_emplace(*named.begin(), next).first->second);
  }
  return of;
}

std::string dag_row(const analysis::Proof& proof, const DagBodies& bodies, DagId d, int process) {
  const Dag& dag = nodes_played(proof).dags()[d];
  const bool waits = !dag.history().empty();
  return fmt::format("    {{{}, {}, {}, {}, nodes_{}, {}, {}, {}, {}{}{}}},\n", cpp_literal(dag.name()), dag.nominal_period().count(),
                     dag.attributes().phase.value_or(Time::zero()).count(), or_none(bound_of(proof.dags[d].bound)), d, dag.nodes().size(),
                     bodies.edges.empty() ? "nullptr" : fmt::format("edges_{}", d), bodies.edges.size(), process,
                     !bodies.all.empty()                   ? fmt::format(", bodies_{}, {}", d, bodies.all.size())
                     : waits || dag.attributes().in_flight ? fmt::format(", nullptr, 0, {}", dag.attributes().in_flight.value_or(0))
                                                           : "",
                     waits ? fmt::format(", history_{}, {}", d, dag.history().size()) : "");
}

std::string source(const analysis::Proof& proof, std::string_view text, const analysis::GivenOptions& options, const PerNode<int>& levels,
                   bool needs_cuda) {
  const TaskSet& task_set = nodes_played(proof);
  const Schedule schedule = schedule_of(proof);
  const std::vector<DagBodies> bodies = bodies_of(proof);
  std::string out = fmt::format(texts::source_head, fmt::arg("name", cpp_literal(task_set.name())));
  out += "const Pool pools[] = {\n";
  for (const Pool& pool : task_set.pools()) out += pool_row(pool);
  out += "};\n\n";
  std::string dags;
  const std::vector<int> process = processes(task_set);
  for (DagId d = 0; d < task_set.dags().size(); ++d) {
    const Dag& dag = task_set.dags()[d];
    out += fmt::format("const Node nodes_{}[] = {{  // {}\n", d, cpp_literal(dag.name()));
    for (NodeId v = 0; v < dag.nodes().size(); ++v) out += node_row(proof, bodies[d], schedule, levels, d, v);
    out += "};\n" + edge_rows(bodies[d], d) + history_rows(dag, d) + body_rows(bodies[d], d);
    dags += dag_row(proof, bodies[d], d, process[d]);
  }
  out += "\nconst Dag dags[] = {\n" + dags + "};\n\n";
  if (!options.empty()) {
    out += "const Choice choices[] = {\n";
    for (const auto& [name, value] : options) out += fmt::format("    {{{}, {}}},\n", cpp_literal(name), cpp_literal(value));
    out += "};\n\n";
  }
  out +=
      fmt::format("const TaskSet task_set = {{{}, \"{}\", \"{}\", \"{}\", {}, {}, pools, {}, dags, {}}};\n", cpp_literal(task_set.name()),
                  io::sha256(text), trace::content_sha256(proof.ungrouped ? *proof.ungrouped : *as_given(proof)), to_string(proof.release),
                  options.empty() ? "nullptr" : "choices", options.size(), task_set.pools().size(), task_set.dags().size());
  if (needs_cuda) out += spin_kernels(task_set);
  out += texts::source_tail;
  return out;
}

/// Green contexts are made by the program itself; other partitions it cannot make, and never runs as if they were whole GPUs.
void refuse_partitions(const TaskSet& task_set) {
  const auto part = first_partition(task_set);
  if (!part || partition_of(task_set.pools()[*part])->kind == PartitionKind::green) return;
  const Partition& partition = *partition_of(task_set.pools()[*part]);
  throw UserError(fmt::format("pool '{}' is a partition of GPU '{}' of kind {}; generated programs make green contexts alone (kind: green)",
                              task_set.pools()[*part].name, partition.gpu, to_string(partition.kind)));
}

}  // namespace

Workload generate_workload(const analysis::Proof& proof, std::string_view text, const analysis::GivenOptions& options) {
  const TaskSet& task_set = nodes_played(proof);
  refuse_partitions(task_set);
  refuse_other_orders(proof);
  if (const auto executor = first_wait_set(task_set.pools(), task_set.dags())) {
    throw UserError(
        fmt::format("pool '{}' is an executor under the wait-set rule, which workloads do not have yet: their threads take what is "
                    "ready one by one",
                    task_set.pools()[*executor].name));
  }
  if (const auto executor = first_reserved(task_set.pools(), task_set.dags())) {
    throw UserError(
        fmt::format("pool '{}' is an executor in a reservation, which workloads do not have yet", task_set.pools()[*executor].name));
  }
  if (const auto executor = first_multi_threaded(task_set.pools(), task_set.dags())) {
    throw UserError(
        fmt::format("pool '{}' is an executor of several threads, which workloads do not have yet: their threads know no callback groups",
                    task_set.pools()[*executor].name));
  }
  Workload workload;
  for (const Dag& dag : task_set.dags()) {
    for (const Node& node : dag.nodes()) {
      if (task_set.pools()[node.pool].kind() != PoolKind::cpu) workload.needs_cuda = true;
    }
  }
  for (DagId d = 0; d < task_set.dags().size(); ++d) {
    if (proof.dags[d].bound || proof.ungrouped) continue;  // a group's thread plays one job
    workload.warnings.push_back(fmt::format("DAG '{}' has no bound for this release; {} jobs of each of its nodes may be under way at once",
                                            task_set.dags()[d].name(), slots_without_bound));
  }
  const FifoLevels levels = fifo_levels(*proof.task_set);
  for (const std::string& note : levels.notes) workload.warnings.push_back(note);
  std::string code = source(proof, text, options, levels.of, workload.needs_cuda);
  workload.files.push_back({workload.needs_cuda ? "workload.cu" : "workload.cpp", std::move(code)});
  workload.files.push_back({"task_set.yaml", std::string(text)});
  workload.files.push_back({"Makefile", workload.needs_cuda ? fmt::format("{}{}", texts::nvcc_settings, texts::cuda_makefile)
                                                            : std::string(texts::cpu_makefile)});
  workload.files.push_back(
      {"README.md", fmt::format(texts::readme, fmt::arg("name", task_set.name()), fmt::arg("release", to_string(proof.release)),
                                fmt::arg("build", workload.needs_cuda ? texts::cuda_build : texts::cpu_build))});
  add_runtime("common", workload.needs_cuda, workload.files);
  add_runtime("workload", workload.needs_cuda, workload.files);
  return workload;
}

void write_workload(const Workload& workload, const std::filesystem::path& folder, Built built) {
  write_files(workload.files, folder, built);
}

}  // namespace rta::validation
