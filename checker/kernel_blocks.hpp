// What blocks of kernels take of a GPU, and how many of them count.
#pragma once

#include <cstddef>
#include <optional>

#include "task_set.hpp"

namespace checker {

/// How many blocks of the kernel the empty GPU holds.
[[nodiscard]] Int places(const Node& kernel, const Pool& gpu);
/// docs/theory/serial.md: D, the longest duration of the kernel alone on the GPU. None where a block fits on no SM, or all have to and do
/// not, where clusters have no `time`, or the switch to the kernel is not known.
[[nodiscard]] std::optional<Int> duration_alone(const Node& kernel, const Pool& gpu);
/// T27: whether the kernels of a GPU take D each, one after another, whatever company they have: one FIFO without time slices, all D known,
/// and none shorter than what the file says is the least.
[[nodiscard]] bool runs_in_turn(const TaskSet& set, std::size_t gpu);
/// T28: sets the B of kernels with `time`, once the pools are known.
void count_blocks(TaskSet& set);
/// What one block takes of its SM, rounded up to what the GPU allocates.
[[nodiscard]] Amounts block_demand(const Node& kernel, const Pool& gpu);

}  // namespace checker
