// What work runs on: CPU pools, GPUs, copy engines, persistent-thread workers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "rta/model/interference.hpp"
#include "rta/model/quantity.hpp"

namespace rta {

/// How a CPU pool orders its jobs: by priority point, the earliest r + Y first (GEL: all but `fp` and what follows it), or by fixed
/// priority, the largest first. `wait_set`: as ROS 2's executor of one thread. It looks which nodes have a job (a poll), runs one of each
/// in any order, and looks again. `multi_threaded`: as its executor of several threads. A thread that has nothing to do runs any job that
/// is ready and of no group that is running (`Node::group`).
enum class Scheduler : std::uint8_t { g_edf, g_fl, fifo, lp, fp, wait_set, multi_threaded };
[[nodiscard]] std::string_view to_string(Scheduler scheduler);

/// Jobs of equal fixed priority: by ready time, as SCHED_FIFO has them on one processor, or in any order, as it has them across several.
enum class Equals : std::uint8_t { fifo, any };
[[nodiscard]] std::string_view to_string(Equals equals);
/// What holds where a pool under FP does not say.
[[nodiscard]] constexpr Equals usual_equals(std::uint32_t processors) { return processors == 1 ? Equals::fifo : Equals::any; }

/// Ends and releases of one instant: in any order with starts, or all of them before the pool starts anything at that instant.
enum class Simultaneous : std::uint8_t { any_order, before_starts };
[[nodiscard]] std::string_view to_string(Simultaneous simultaneous);

/// SCHED_DEADLINE: `runtime` in every `period` of one processor's time, as a hard constant bandwidth server gives it.
struct Reservation {
  Time runtime;  // Q, above 0
  Time period;   // P, at least Q
  bool operator==(const Reservation&) const = default;
};

/// m identical processors behind one queue.
struct CpuPool {
  std::uint32_t processors = 1;
  Scheduler scheduler = Scheduler::g_edf;
  bool preemptive = true;       // false: a job that has started runs to its end (a thread pool with a priority queue)
  Equals equals = Equals::any;  // FP only; `any` elsewhere
  bool callbacks = false;       // FIFO or non-preemptive FP on one processor: what follows a node may be ready before the node ends
  std::optional<Reservation> reservation = std::nullopt;  // of an executor of one thread: all that it has of its processor
  Simultaneous simultaneous = Simultaneous::any_order;    // `before_starts`: where `may_see_first`
  bool operator==(const CpuPool&) const = default;
};
/// Whether a relative priority point Y of each job decides; else the instant at which it is ready, or its fixed priority.
[[nodiscard]] constexpr bool has_priority_points(const CpuPool& pool) {
  return pool.scheduler != Scheduler::fifo && pool.scheduler != Scheduler::fp && pool.scheduler != Scheduler::wait_set &&
         pool.scheduler != Scheduler::multi_threaded;
}
/// Not preemptive, one processor.
[[nodiscard]] constexpr bool is_wait_set(const CpuPool& pool) { return pool.scheduler == Scheduler::wait_set; }
/// Not preemptive; a thread on each processor.
[[nodiscard]] constexpr bool is_multi_threaded(const CpuPool& pool) { return pool.scheduler == Scheduler::multi_threaded; }
/// The group whose callbacks on such a pool run beside all others, and beside themselves. All other groups, that without a name among them,
/// are mutually exclusive.
inline constexpr std::string_view reentrant_group = "reentrant";
/// What has started runs to its end, so that what it published meanwhile waits for no more than that.
[[nodiscard]] constexpr bool may_have_callbacks(const CpuPool& pool) {
  return pool.processors == 1 && (pool.scheduler == Scheduler::fifo || (pool.scheduler == Scheduler::fp && !pool.preemptive));
}

/// What has started runs to its end, and what is more urgent goes first.
[[nodiscard]] constexpr bool may_see_first(const CpuPool& pool) {
  return !pool.preemptive && (pool.scheduler == Scheduler::fp || has_priority_points(pool));
}

/// An executor of one thread, which may have a part of its processor.
[[nodiscard]] constexpr bool may_be_reserved(const CpuPool& pool) { return is_wait_set(pool) || pool.callbacks; }

/// What one streaming multiprocessor (SM) holds. `nullopt`: never the limit.
struct SmResources {
  std::uint32_t threads = 2048;
  std::uint32_t threads_per_block = 1024;
  std::uint32_t blocks = 32;
  std::optional<std::uint64_t> shared_memory;  // bytes
  std::optional<std::uint64_t> registers;      // 32-bit registers
  bool operator==(const SmResources&) const = default;
};

/// What one launch may ask for, however much an SM holds: CUDA refuses a larger kernel. `nullopt`: not known, the SM alone is the limit.
struct LaunchLimits {
  std::optional<std::uint64_t> shared_memory = std::nullopt;  // bytes per block, of a kernel that opts in to more than 48 KiB
  std::optional<std::uint64_t> registers_per_block = std::nullopt;
  std::optional<std::uint64_t> registers_per_thread = std::nullopt;
  bool operator==(const LaunchLimits&) const = default;
};

/// The parts that a register file may have: an SM of NVIDIA has four, of compute capability 6.0 two.
inline constexpr std::uint32_t most_register_parts = 4;

/// Units in which an SM hands its resources to a block; demands are rounded up to them.
struct Allocation {
  std::uint32_t warp = 1;                    // G-threads
  std::uint64_t shared_memory = 1;           // bytes
  std::uint64_t reserved_shared_memory = 0;  // bytes added to every block by the system
  std::uint64_t registers_per_warp = 1;      // registers; 1: no rounding
  std::uint32_t register_parts = 1;          // of an SM's register file, equally large; a warp has its registers in one of them
  bool operator==(const Allocation&) const = default;
};

/// One of the processes that share a GPU without MPS. Each has a context with kernels of its own, and the GPU serves the contexts that have
/// work round robin: a slice of at most S each, and a switch before each slice.
struct Sharing {
  std::string gpu;             // the GPU's name; the pools of its contexts have it and the process in theirs
  std::string process;         // empty: the one without a name
  Time slice;                  // S, above 0
  Time switch_time;            // theta
  std::uint32_t contexts = 1;  // of the GPU, this one included
  bool operator==(const Sharing&) const = default;
};

/// Ways to cut a GPU: green contexts, static SM partitions of MPS, MIG instances, masks of TPCs (pairs of SMs).
enum class PartitionKind : std::uint8_t { green, mps, mig, tpc };
[[nodiscard]] std::string_view to_string(PartitionKind kind);

/// One of the disjoint parts of a GPU, with SMs and a queue of its own.
struct Partition {
  std::string gpu;   // the GPU's name; the pools of its partitions have it and their own in theirs
  std::string name;  // its own
  PartitionKind kind = PartitionKind::green;
  std::uint32_t of = 1;  // SMs of the whole GPU
  bool rest = false;     // has what the others leave
  bool operator==(const Partition&) const = default;
};

/// g identical SMs behind one FIFO of kernels (one per stream priority); of a GPU that processes share, one of its contexts, of one that is
/// cut, a partition.
struct GpuPool {
  std::uint32_t sms = 1;
  SmResources sm;
  Allocation allocation;
  std::string device;  // built-in device it was taken from; empty: described in full
  std::optional<Sharing> sharing = std::nullopt;
  LaunchLimits launch = {};
  std::optional<Partition> partition = std::nullopt;
  std::optional<Interference> interference = std::nullopt;  // of the whole GPU, whatever the partition
  bool operator==(const GpuPool&) const = default;
};

/// Copy engines: 1 serves both directions from one FIFO; 2 are one FIFO per direction.
struct EnginePool {
  std::uint32_t engines = 1;
  bool operator==(const EnginePool&) const = default;
};

/// Persistent threads: N resident workers that take items from one FIFO.
struct WorkerPool {
  std::uint32_t workers = 1;
  Time dispatch_overhead;  // added to every item
  bool operator==(const WorkerPool&) const = default;
};

enum class PoolKind : std::uint8_t { cpu, gpu, engines, workers };
[[nodiscard]] std::string_view to_string(PoolKind kind);

struct Pool {
  std::string name;
  std::variant<CpuPool, GpuPool, EnginePool, WorkerPool> resource;

  [[nodiscard]] PoolKind kind() const { return static_cast<PoolKind>(resource.index()); }
  bool operator==(const Pool&) const = default;
};

}  // namespace rta
