#include "rta/lint/rules.hpp"

#include <algorithm>
#include <array>

#include "rta/model/error.hpp"

namespace rta::lint {
namespace {

constexpr std::array<std::string_view, 3> levels{"note", "warning", "error"};

constexpr std::string_view yang_3_8 = "Yang (2020), Table 3.8";
constexpr std::string_view yang_null = "Yang (2020), 3.2.1: rules N1, N2; Pitfall 6";
constexpr std::string_view runtime_manual = "CUDA Runtime API, API synchronization behavior";

constexpr std::array<Rule, rule_count> all{{
    {.id = RuleId::device_sync,
     .name = "device-sync",
     .breaks = Assumption::own_predecessors,
     .says = "waits for everything on the device, for jobs of other tasks too",
     .remedy = "wait for the event of the job's own last operation, created with cudaEventBlockingSync",
     .source = yang_3_8},
    {.id = RuleId::free,
     .name = "free",
     .breaks = Assumption::independent_kernels,
     .says = "frees memory",
     .remedy = "free after the last job; keep what jobs need from start-up on, or take it from a pool of your own",
     .source = yang_3_8},
    {.id = RuleId::allocation,
     .name = "allocation",
     .breaks = Assumption::prepared,
     .says = "allocates memory",
     .remedy = "allocate before the first release, for the largest job",
     .source = yang_3_8},
    {.id = RuleId::sync_copy,
     .name = "sync-copy",
     .breaks = Assumption::independent_kernels,
     .says = "copies on the NULL stream and waits for the copy",
     .remedy = "use the ...Async function with pinned memory and the job's stream, and make the copy a node",
     .source = yang_null},
    {.id = RuleId::sync_memset,
     .name = "sync-memset",
     .breaks = Assumption::independent_kernels,
     .says = "fills memory on the NULL stream",
     .remedy = "use the ...Async function with the job's stream",
     .source = yang_3_8},
    {.id = RuleId::null_stream,
     .name = "null-stream",
     .breaks = Assumption::independent_kernels,
     .says = "uses the NULL stream: it and all blocking streams wait for each other",
     .remedy = "name the job's stream, created with cudaStreamNonBlocking",
     .source = yang_null},
    {.id = RuleId::async_without_stream,
     .name = "async-without-stream",
     .breaks = Assumption::independent_kernels,
     .says = "names no stream and so uses the NULL stream",
     .remedy = "give the job's stream as the last argument",
     .source = yang_null},
    {.id = RuleId::blocking_stream,
     .name = "blocking-stream",
     .scope = Scope::all,
     .breaks = Assumption::independent_kernels,
     .says = "makes a stream that waits for the NULL stream, and that the NULL stream waits for",
     .remedy = "create it with cudaStreamCreateWithFlags or cudaStreamCreateWithPriority and cudaStreamNonBlocking",
     .source = "Yang (2020), 3.2.1: rules N1, N2; rule N3"},
    {.id = RuleId::pageable_copy,
     .name = "pageable-copy",
     .level = Level::warning,
     .breaks = Assumption::single_copies,
     .says = "copies pageable memory: the driver does so in pieces through memory of its own, and may make the caller wait",
     .remedy = "copy from and to memory of cudaHostAlloc, or register it with cudaHostRegister before the first release",
     .source = runtime_manual},
    {.id = RuleId::managed_memory,
     .name = "managed-memory",
     .level = Level::warning,
     .scope = Scope::all,
     .breaks = Assumption::bounded_blocks,
     .says = "makes managed memory: pages move when they are touched, and kernels wait for them",
     .remedy = "use cudaMalloc and copies that are nodes of the task set",
     .source = "CUDA C++ Programming Guide, Unified Memory"},
    {.id = RuleId::library_stream,
     .name = "library-stream",
     .breaks = Assumption::independent_kernels,
     .says = "runs on the NULL stream",
     .remedy = "give the library the job's stream first",
     .source = yang_null},
    {.id = RuleId::creation,
     .name = "creation",
     .level = Level::warning,
     .breaks = Assumption::prepared,
     .says = "creates or destroys what the driver has to set up: it allocates, loads code, or waits for the device",
     .remedy = "create it before the first release, use it once there, and destroy it after the last job",
     .source = "CUDA C++ Programming Guide, Lazy Loading; manuals of the libraries"},
    {.id = RuleId::reconfiguration,
     .name = "reconfiguration",
     .breaks = Assumption::fixed_carveout,
     .says = "changes how the device is set up",
     .remedy = "set the device up before the first release",
     .source = "CUDA Runtime API, cudaFuncSetCacheConfig: a change may insert a device-side synchronization point"},
    {.id = RuleId::active_wait,
     .name = "active-wait",
     .level = Level::warning,
     .breaks = Assumption::sleeping_waits,
     .says = "spins on a processor until the GPU is done",
     .remedy = "wait with cudaEventSynchronize for an event that was created with cudaEventBlockingSync",
     .source = "Yang (2020), Table 3.8: the caller waits; CUDA Runtime API, cudaSetDeviceFlags"},
    {.id = RuleId::host_function,
     .name = "host-function",
     .level = Level::warning,
     .breaks = Assumption::known_nodes,
     .says = "lets a thread of the driver run a function, which holds its stream up and is no CPU node",
     .remedy = "make the function a CPU node that follows the event of its predecessor",
     .source = "CUDA Runtime API, cudaLaunchHostFunc"},
    {.id = RuleId::graph_launch,
     .name = "graph-launch",
     .level = Level::warning,
     .breaks = Assumption::stream_per_job,
     .says = "launches a graph, whose kernels the driver puts on streams of its own choice",
     .remedy = "launch its kernels one by one on the job's streams, or keep the graph a chain and make each kernel a node",
     .source = "CUDA C++ Programming Guide, CUDA Graphs"},
    {.id = RuleId::cooperative_launch,
     .name = "cooperative-launch",
     .breaks = Assumption::single_blocks,
     .says = "needs several blocks on the GPU at once",
     .remedy =
         "cut the kernel where its blocks meet, so that each part is a node; or say so in the task set (`cluster`, `cooperative`) and give "
         "the longest time that the kernel takes alone (`time`)",
     .source = "CUDA C++ Programming Guide, Grid Synchronization, Thread Block Clusters"},
    {.id = RuleId::device_launch,
     .name = "device-launch",
     .scope = Scope::all,
     .breaks = Assumption::known_nodes,
     .says = "launches a kernel from a kernel",
     .remedy = "launch it from the host, as a node of the task set",
     .source = "CUDA C++ Programming Guide, CUDA Dynamic Parallelism"},
    {.id = RuleId::dependent_launch,
     .name = "dependent-launch",
     .breaks = Assumption::bounded_blocks,
     .says = "lets a kernel start before the one ahead of it in its stream has ended: its blocks hold SMs while they wait for that",
     .remedy = "launch it without; or make both kernels one node, or nodes that are known by their durations (`time`)",
     .source = "CUDA C++ Programming Guide, Programmatic Dependent Launch and Synchronization"},
    {.id = RuleId::conditional_graph,
     .name = "conditional-graph",
     .scope = Scope::all,
     .breaks = Assumption::known_nodes,
     .says = "lets the GPU decide which nodes of a graph run, and how often",
     .remedy = "decide on the host, or repeat what the condition repeats as often as it may: each kernel is a node of the task set",
     .source = "CUDA C++ Programming Guide, Conditional Graph Nodes"},
    {.id = RuleId::client_limit,
     .name = "client-limit",
     .scope = Scope::all,
     .breaks = Assumption::independent_kernels,
     .says = "limits how many SMs a client of MPS has at once, which are not its own: at its limit it waits while SMs are free, and "
             "kernels of others pass its own",
     .remedy = "cut the GPU: static partitions of MPS, green contexts or MIG, and each part is a GPU of the platform",
     .source = "NVIDIA Multi-Process Service, Volta MPS Execution Resource Provisioning"},
    {.id = RuleId::launch,
     .name = "launch",
     .level = Level::note,
     .breaks = Assumption::known_nodes,
     .says = "launches a kernel",
     .remedy = "see that the task set has it as a GPU node, with its B, H and L",
     .source = "the task model"},
    {.id = RuleId::unknown_library,
     .name = "unknown-library",
     .level = Level::note,
     .scope = Scope::all,
     .breaks = Assumption::known_nodes,
     .says = "declares a library whose calls the table does not know: what it launches, copies and waits for is not looked at",
     .remedy = "record the program (rta record) and lint the trace, which has every call that the library makes",
     .source = "the table of calls"},
    {.id = RuleId::measured_blocking,
     .name = "measured-blocking",
     .breaks = Assumption::independent_threads,
     .says = "was measured to hold others up on this device",
     .remedy = "call it before the first release or after the last job",
     .source = "the device profile"},
    {.id = RuleId::bad_mark,
     .name = "bad-mark",
     .scope = Scope::all,
     .breaks = Assumption::readable_marks,
     .says = "is no mark",
     .remedy =
         "write `rta: job begin NAME`, `rta: job end`, `rta: job NAME`, `rta: start-up begin`, `rta: start-up end`, `rta: start-up` or "
         "`rta: allow RULE reason`",
     .source = "docs/guide-lint.md"},
    {.id = RuleId::unused_allow,
     .name = "unused-allow",
     .level = Level::warning,
     .scope = Scope::all,
     .breaks = Assumption::readable_marks,
     .says = "allows what does not occur",
     .remedy = "remove it",
     .source = "docs/guide-lint.md"},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < rule_count; ++i) {
    if (static_cast<std::size_t>(all[i].id) != i) return false;
  }
  return true;
}
static_assert(in_order(), "rules are found by their number");

}  // namespace

std::string_view to_string(Level level) { return levels[static_cast<std::size_t>(level)]; }

std::optional<Level> level_named(std::string_view name) {
  const auto* const at = std::ranges::find(levels, name);
  if (at == levels.end()) return std::nullopt;
  return static_cast<Level>(at - levels.begin());
}

std::string_view statement(Assumption assumption) {
  switch (assumption) {
    case Assumption::independent_kernels:
      return "a kernel waits only for its stream, for the kernels before it in the EE queue and for room on SMs (T5 to T7, T10)";
    case Assumption::independent_threads:
      return "no call of one task holds up threads of another, so that a CPU node takes no longer than C";
    case Assumption::own_predecessors: return "a job waits for its predecessors in the DAG alone";
    case Assumption::sleeping_waits: return "who waits for the GPU sleeps: a wait that spins is execution and belongs to C";
    case Assumption::known_nodes: return "every kernel, copy and CPU part of a job is a node of the task set";
    case Assumption::single_copies: return "a copy is one operation of one copy engine and takes at most C (T8)";
    case Assumption::single_blocks: return "blocks start one by one, each as soon as it fits on some SM (rules R1, G3)";
    case Assumption::bounded_blocks: return "L covers a block's execution under all that happens while jobs run";
    case Assumption::stream_per_job: return "every job has a stream of its own, and only the DAG's edges order its operations";
    case Assumption::prepared: return "what jobs need is allocated, created and loaded before the first release";
    case Assumption::fixed_carveout: return "the shared-memory carve-out is fixed, so that kernels may share an SM";
    case Assumption::readable_marks: return "marks mean what was meant";
  }
  return "";
}

std::span<const Rule> rules() { return all; }

const Rule& rule(RuleId id) {
  const auto index = static_cast<std::size_t>(id);
  require(index < rule_count, "a rule is in the table");
  return all[index];
}

const Rule* rule_named(std::string_view name) {
  const auto* const at = std::ranges::find(all, name, &Rule::name);
  return at == all.end() ? nullptr : at;
}

}  // namespace rta::lint
