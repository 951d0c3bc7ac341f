// T5-T8: response-time bounds under FIFO, for kernels on the SMs of a GPU, items on workers and copies on engines.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rta/analysis/result.hpp"
#include "rta/model/pool.hpp"
#include "rta/model/quantity.hpp"
#include "rta/model/utilization.hpp"

namespace rta::analysis::fifo {

/// A sporadic GPU task: B blocks per job, each of H G-threads, at most L long, workload C <= H L.
struct Task {
  Time T;
  std::uint64_t B = 1;
  std::uint32_t H = 1;              // G-threads, rounded up to warps where the device does so
  Workload C;                       // per block
  Time L;                           // ceil(C/H)
  std::uint64_t shared_memory = 0;  // bytes per block, before rounding
  std::uint32_t registers_per_thread = 0;
  Time J;  // enqueue jitter; 0 with offsets
};

/// What all bounds of T5 share.
struct Theorem43Terms {
  std::uint32_t H_max = 0;
  std::uint32_t h = 0;  // gcd of all H and m
  Time L_max;
  Wide capacity = 0;  // g (m - H_max + h), G-threads
  Workload carry;     // L_max (g m - H_max)
  Workload released;  // sum B_i C_i (1 + J_i / T_i), rounded up
};

struct Theorem43Bounds {
  Theorem43Terms terms;
  std::vector<Time> R;  // one per task, whole ns, rounded up
};

[[nodiscard]] Utilization utilization(std::span<const Task> tasks);

/// T5 (Theorem 4.3 of Yang 2020). Unbounded when U > g (m - H_max + h), and refused, with the resource named, when some blocking
/// configuration occupies fewer than m - H_max + h G-threads (block slots, shared memory or registers can bind first). Throws `Overflow`.
[[nodiscard]] Result<Theorem43Bounds> theorem_4_3(std::span<const Task> tasks, const GpuPool& gpu);

/// The bound of task k with its numbers put in, line by line.
[[nodiscard]] std::vector<std::string> explain(std::span<const Task> tasks, const GpuPool& gpu, const Theorem43Bounds& bounds,
                                               std::size_t k);

}  // namespace rta::analysis::fifo
