// A task set and its schedule in flat arrays: what the event loop reads.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "heap.hpp"
#include "rta/model/gpu_call.hpp"
#include "rta/model/interference.hpp"
#include "rta/model/schedule.hpp"
#include "rta/model/task_set.hpp"
#include "rta/simulate/options.hpp"

namespace rta::simulate {

/// The largest time that may be put in: sums of two stay in range.
inline constexpr std::int64_t longest = longest_time.count();

/// Later than anything ends.
inline constexpr std::int64_t no_deadline = std::numeric_limits<std::int64_t>::max();

/// Stream of a node's kernels and copies; other values name a stream that several nodes may share.
inline constexpr std::uint32_t stream_per_job = none;

/// Where a CPU job stands in its pool's queue.
enum class Position : std::uint8_t {
  after_release,   // at its priority point, relative to its DAG's release
  ready,           // at the instant at which it became ready
  in_run,          // where the node before it was, which a thread has just played on the same processor
  fixed_by_ready,  // by fixed priority, equals by ready time
  fixed,           // by fixed priority, equals in any order
  in_set           // in the next wait set with room for its node, in any order there; of several threads behind the others of its node
};

/// What a node is to a thread that keeps its processor, from the first of its DAG's nodes to the end of the last, while it waits.
enum class Spinning : std::uint8_t { no, first, between, last };

/// The footprint of a block that fits on its SM.
struct BlockDemand {
  std::uint32_t threads = 1;
  std::uint64_t shared_memory = 0;
  std::uint32_t warps = 0;               // that have registers
  std::uint64_t registers_per_warp = 0;  // above 0, if there are such warps
};

struct PlanEdge {
  std::uint32_t to = 0;    // plan node
  std::int64_t delay = 0;  // from the end of the predecessor
};

struct PlanNode {
  std::uint32_t dag = 0;
  std::uint32_t index = 0;  // within its DAG
  PoolKind kind = PoolKind::cpu;
  std::uint32_t server = 0;  // index of its CPU pool, GPU, or FIFO of servers
  std::uint32_t pieces = 1;  // blocks or items of a job
  std::int64_t least = 0;    // execution time of a piece is drawn from [least, most]
  std::int64_t most = 0;
  std::optional<std::int64_t> mode;  // of a triangular density; none: uniform
  std::int64_t overhead = 0;         // added to every item
  // Of a kernel by its duration, which is then what `least`, `most` and `mode` say: so many of its blocks make a wave where it is alone,
  // and none lasts longer. 0: each block has an execution time of its own.
  std::uint32_t wave = 0;
  std::int64_t longest_block = 0;
  BlockDemand demand;
  // Of a kernel on a GPU whose kernels slow one another down.
  std::uint32_t number = 0;                         // of the node, in the plan
  std::optional<std::uint32_t> interference_class;  // none: it may be of any
  bool alone = false;                               // its times are those without company
  bool rounds_up = true;                            // blocks end at the first whole instant after their work
  StreamPriority stream_priority = low_priority;
  std::uint32_t queue = 0;                // GPU: rank of its stream priority, the most urgent first
  std::uint32_t stream = stream_per_job;  // GPU and copies
  Position position = Position::after_release;
  std::int64_t priority_point = 0;      // relative to the DAG's release; fixed: minus the priority
  std::int64_t reference = 0;           // responses are counted from here
  std::int64_t deadline = no_deadline;  // of the node itself, from its reference
  std::int64_t offset = -1;             // -1: none
  std::uint32_t order = none;           // index of its ordering constraint
  std::uint32_t body = none;            // that it is part of
  std::uint32_t call = none;            // that it is, or by which it is a copy
  Spinning spinning = Spinning::no;
  std::uint32_t processors = 0;    // where it spins
  std::uint32_t group = 0;         // of an executor of several threads: none of it runs beside another; 0: reentrant
  std::uint32_t predecessors = 0;  // and one more for an offset
  std::uint32_t first_edge = 0, end_edge = 0;
};

/// A call that waits for the GPU, or makes others wait.
struct PlanCall {
  Awaited awaits = Awaited::nothing;
  std::uint32_t stream = none;  // that it waits for, alone
  HeldStreams holds = HeldStreams::none;
  bool blocks_callers = false;
};

/// How long the blocks of wave `number` last of a kernel that takes `time` alone: all waves together as long as the kernel.
[[nodiscard]] std::int64_t block_time(const PlanNode& node, BlockTimes how, std::int64_t time, std::uint32_t number);

/// Jobs of a node in order: T apart (`guarded`), or each after the end of the one before (`sequential`).
struct PlanOrder {
  std::uint32_t node = 0;
  bool sequential = false;
  std::int64_t separation = 0;
};

/// Nodes that a thread plays one after another. On a pool under FIFO it keeps its processor from the first of them to the end of the last.
struct PlanBody {
  std::uint32_t first = 0;  // plan nodes
  std::uint32_t last = 0;
  std::uint32_t cpu = 0;  // its pool of processors
  bool keeps = false;     // its processor while it waits
};

struct Gate {
  std::int64_t offset = 0;
  std::uint32_t node = 0;
};

/// A node waits for one of the job that was released `jobs` releases before.
struct PlanHistory {
  std::uint32_t from = 0;  // plan nodes
  std::uint32_t to = 0;
  std::uint32_t jobs = 1;
};

struct PlanDag {
  std::uint32_t first_node = 0;
  std::uint32_t nodes = 0;
  std::int64_t period = 0;
  std::int64_t deadline = no_deadline;
  std::int64_t phase = 0;              // `never`: not released
  std::int64_t max_delay = 0;          // of a nominal release beyond the period
  std::int64_t jitter = 0;             // of a release beyond its nominal instant
  bool once = false;                   // released at its phase only
  std::uint32_t in_flight = 0;         // jobs at once, by its threads or its limit; 0: any number
  std::vector<std::uint32_t> sources;  // without predecessor and offset
  std::vector<Gate> gates;             // by offset, then node
  std::vector<PlanHistory> history;
};

struct PlanCpu {
  std::uint32_t processors = 1;
  bool preemptive = true;
  bool wait_set = false;
  bool multi_threaded = false;
  std::uint32_t groups = 0;  // numbered from 1
  std::int64_t runtime = 0;  // Q of a reservation of P; 0: none
  std::int64_t period = 0;
  std::uint64_t number = 0;  // of the CPU pool, for draws
};
struct PlanGpu {
  std::uint32_t sms = 1;
  SmResources sm;
  std::uint32_t queues = 0;  // of kernels, one per stream priority
  std::uint32_t register_parts = 1;
  std::uint32_t company = none;              // of the plan's; none: blocks take no longer beside others
  std::optional<Interference> interference;  // where there is company
};
/// GPUs that are contexts of one, which serves them in slices.
struct PlanSlices {
  std::uint32_t first = 0;  // GPU of the plan
  std::uint32_t contexts = 1;
  std::int64_t slice = 0;
  std::int64_t switch_time = 0;
  std::int64_t gap = 0;  // between two slices of a context, at most
};
/// A FIFO in front of identical servers: the workers of a pool, or one copy engine.
struct PlanServers {
  std::uint32_t servers = 1;
  bool copies = false;
  std::uint32_t engine = 0;  // number of the copy engine in its pool
};

struct Plan {
  std::vector<PlanCpu> cpus;
  std::vector<PlanGpu> gpus;
  std::vector<PlanSlices> slices;
  std::uint32_t companies = 0;  // GPUs, of all their partitions, on which kernels slow one another down
  std::vector<PlanServers> servers;
  std::vector<PlanDag> dags;
  std::vector<PlanNode> nodes;
  std::vector<PlanEdge> edges;
  std::vector<PlanOrder> orders;
  std::vector<PlanBody> bodies;
  std::uint32_t streams = 0;                 // named streams, numbered from 0
  std::optional<std::uint32_t> null_stream;  // the one of them that rules N1 and N2 are about
  std::vector<bool> non_blocking;            // per named stream, where some are: N1 and N2 do not count them
  std::vector<PlanCall> calls;
};

/// Throws `Defect` when the parts do not fit together, `UserError` for more than 2^32 - 2 blocks or items of a job, `Overflow` when a time
/// exceeds `longest`.
[[nodiscard]] Plan make_plan(const TaskSet& task_set, const Schedule& schedule, const Options& options);

/// The pools of a plan, and the first CPU, GPU or server index of each.
void add_pools(std::span<const Pool> pools, Plan& plan, std::vector<std::uint32_t>& first);
/// The block's footprint on an SM of `gpu`. Throws `Defect` when it fits on none.
[[nodiscard]] BlockDemand block_demand(const GpuDemand& demand, const GpuPool& gpu);

/// What depends on the pool: kind, server (`first`: the pool's first), pieces, resources, longest execution time of a piece.
using AnyDemand = std::variant<CpuDemand, GpuDemand, CopyDemand, WorkerDemand>;
void set_demand(const AnyDemand& demand, const Pool& pool, std::uint32_t first, const std::string& name, PlanNode& out);
/// Gives every GPU a queue per stream priority of its kernels.
void set_kernel_queues(Plan& plan);
/// The range of execution times, from the longest; nothing is shorter than `floor`.
void set_execution(const Execution& execution, PlanNode& out, std::int64_t floor = 0);
void set_execution(const Variation& variation, PlanNode& out);

/// So much of `t`, rounded down.
[[nodiscard]] constexpr std::int64_t scaled(std::int64_t t, PartsPerMillion share) {
  return static_cast<std::int64_t>(static_cast<Wide>(t) * share / whole);
}

/// `longest` at most, and not negative.
[[nodiscard]] std::int64_t checked_duration(Time t, const char* what);

}  // namespace rta::simulate
