// Which block sizes would let a GPU carry more: the same kernels, the same G-threads in all, cut into other blocks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rta/analysis/fifo.hpp"

namespace rta::analysis::fifo {

/// Another block size for a task: H G-threads in B blocks, as many in all as now; block length and registers per G-thread unchanged,
/// shared memory per G-thread too.
struct BlockSize {
  std::uint32_t H = 1;
  std::uint64_t B = 1;
  double capacity_alone = 0;     // G-threads that the pool could carry if only this task changed
  double capacity_together = 0;  // ... if every task with blocks of the same demand did
};

struct BlockSizes {
  double capacity = 0;                         // as it is: the largest U of this mix of kernels that T6b's weights carry, G-threads
  std::vector<std::vector<BlockSize>> better;  // per task: at most `most` sizes that raise the capacity, the best first
};

/// Advice, in floating point, no bound. Where blocks have many different demands only those that load the pool most are tried. Priorities
/// are ignored. Requires that every block fits on an SM. Throws `Overflow`.
[[nodiscard]] BlockSizes better_block_sizes(std::span<const Task> tasks, const GpuPool& gpu, std::size_t most = 3);

}  // namespace rta::analysis::fifo
