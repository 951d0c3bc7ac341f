// What work runs on: CPU pools, GPUs, copy engines, persistent-thread workers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "rta/model/quantity.hpp"

namespace rta {

/// How a CPU pool orders its jobs: by priority point, the earliest r + Y first (GEL: all but `fp`), or by fixed priority, the largest
/// first.
enum class Scheduler : std::uint8_t { g_edf, g_fl, fifo, lp, fp };
[[nodiscard]] std::string_view to_string(Scheduler scheduler);

/// Jobs of equal fixed priority: by ready time, as SCHED_FIFO has them on one processor, or in any order, as it has them across several.
enum class Equals : std::uint8_t { fifo, any };
[[nodiscard]] std::string_view to_string(Equals equals);
/// What holds where a pool under FP does not say.
[[nodiscard]] constexpr Equals usual_equals(std::uint32_t processors) { return processors == 1 ? Equals::fifo : Equals::any; }

/// m identical processors behind one queue.
struct CpuPool {
  std::uint32_t processors = 1;
  Scheduler scheduler = Scheduler::g_edf;
  bool preemptive = true;       // false: a job that has started runs to its end (a thread pool with a priority queue)
  Equals equals = Equals::any;  // FP only; `any` elsewhere
  bool operator==(const CpuPool&) const = default;
};
/// Whether a relative priority point Y of each job decides; else the instant at which it is ready, or its fixed priority.
[[nodiscard]] constexpr bool has_priority_points(const CpuPool& pool) {
  return pool.scheduler != Scheduler::fifo && pool.scheduler != Scheduler::fp;
}

/// What one streaming multiprocessor (SM) holds. `nullopt`: never the limit.
struct SmResources {
  std::uint32_t threads = 2048;
  std::uint32_t threads_per_block = 1024;
  std::uint32_t blocks = 32;
  std::optional<std::uint64_t> shared_memory;  // bytes
  std::optional<std::uint64_t> registers;      // 32-bit registers
  bool operator==(const SmResources&) const = default;
};

/// Units in which an SM hands its resources to a block; demands are rounded up to them.
struct Allocation {
  std::uint32_t warp = 1;                    // G-threads
  std::uint64_t shared_memory = 1;           // bytes
  std::uint64_t reserved_shared_memory = 0;  // bytes added to every block by the system
  std::uint64_t registers_per_warp = 1;      // registers; 1: no rounding
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

/// g identical SMs behind one FIFO of kernels (one per stream priority); of a GPU that processes share, one of its contexts.
struct GpuPool {
  std::uint32_t sms = 1;
  SmResources sm;
  Allocation allocation;
  std::string device;  // built-in device it was taken from; empty: described in full
  std::optional<Sharing> sharing = std::nullopt;
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
