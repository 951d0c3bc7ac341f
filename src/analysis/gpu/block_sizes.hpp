// Which block sizes would let a GPU carry more: the same kernels, the same G-threads in all, cut into other blocks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rta/analysis/gpu/fifo.hpp"

namespace rta::analysis::fifo {

/// Another block size for a task: H G-threads in B blocks, as many in all as now; block length and registers per G-thread unchanged,
/// shared memory per G-thread too.
struct BlockSize {
  std::uint32_t H = 1;
  std::uint64_t B = 1;
  std::uint64_t shared_memory = 0;  // bytes of a block
  double capacity_alone = 0;        // G-threads that the pool could carry if this task's node changed, and no other
  double capacity_together = 0;     // ... if every task of `group` did
  std::size_t group = 0;            // of `BlockSizes::groups`
};

struct BlockSizes {
  double capacity = 0;                         // as it is: the largest U of this mix of kernels that T6b's weights carry, G-threads
  std::vector<std::vector<BlockSize>> better;  // per task: at most `most` sizes that raise the capacity, the best first
  /// Tasks that change together: those of equal block demand whose G-threads the new size divides.
  std::vector<std::vector<std::size_t>> groups;
};

/// Advice, in floating point, no bound. Where blocks have many different demands only those that load the pool most are tried. Priorities
/// are ignored. `node_of`: tasks of equal number are copies of one node and only change together; empty: every task is a node. Requires
/// that every block fits on an SM. Throws `Overflow`.
[[nodiscard]] BlockSizes better_block_sizes(std::span<const Task> tasks, const GpuPool& gpu, std::size_t most = 3,
                                            std::span<const std::size_t> node_of = {});

}  // namespace rta::analysis::fifo
