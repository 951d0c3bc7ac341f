// T5: response-time bounds of kernels on the SMs of a GPU behind one FIFO (Theorem 4.3 of Yang 2020).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rta/analysis/gpu/configuration.hpp"
#include "rta/analysis/result.hpp"
#include "rta/model/pool.hpp"
#include "rta/model/quantity.hpp"
#include "rta/model/task_set.hpp"
#include "rta/model/utilization.hpp"

namespace rta::analysis::fifo {

/// A sporadic GPU task: B blocks per job, each of H G-threads, workload C <= H L. Consecutive enqueues are at least T apart, or happen in
/// [jT, jT + J].
struct Task {
  Time T;
  std::uint64_t B = 1;
  std::uint32_t H = 1;
  Workload C;                       // per block
  Time L;                           // ceil(C/H)
  std::uint64_t shared_memory = 0;  // bytes per block, before rounding
  std::uint32_t registers_per_thread = 0;
  Time J;  // enqueue jitter; 0 with offsets
  StreamPriority priority = low_priority;
};

/// The same task with H rounded up to the warps of `gpu` and C in proportion; everything here works on such tasks. Throws `Overflow`.
[[nodiscard]] Task rounded_to_warps(Task task, const GpuPool& gpu);
/// What one block of the task takes.
[[nodiscard]] Amounts block_demand(const Task& task, const GpuPool& gpu);
/// A block that can never start, if any: not each fits on an empty SM.
[[nodiscard]] std::optional<reason::DoesNotFit> does_not_fit(std::span<const Task> tasks, const GpuPool& gpu);

/// sum C_i B_i / T_i, in G-threads.
[[nodiscard]] Utilization utilization(std::span<const Task> tasks);
/// B (1 + J/T) times `amount`, rounded up: what one task releases at once, at most.
[[nodiscard]] Wide released(const Task& task, Wide amount);

/// What all bounds of T5 share.
struct Theorem43Terms {
  std::uint32_t H_max = 0;
  std::uint32_t h = 0;  // gcd of all H and m
  Time L_max;
  Wide capacity = 0;  // g (m - H_max + h), G-threads
  Workload carry;     // L_max (g m - H_max)
  Workload released;  // sum B_i C_i (1 + J_i / T_i), each rounded up
};

struct Theorem43Bounds {
  Theorem43Terms terms;
  std::vector<Time> R;  // one per task, whole ns, rounded up
};

/// T5. Unbounded when U > g (m - H_max + h) (decided exactly), and refused, with the resource named, when some blocking configuration
/// occupies fewer than m - H_max + h G-threads (block slots, shared memory or registers can bind first). Throws `Overflow`.
[[nodiscard]] Result<Theorem43Bounds> theorem_4_3(std::span<const Task> tasks, const GpuPool& gpu);

}  // namespace rta::analysis::fifo
