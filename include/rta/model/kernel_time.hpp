// How long a kernel takes that has the GPU for itself.
#pragma once

#include <cstdint>

#include "rta/model/quantity.hpp"
#include "rta/model/stream_priority.hpp"
#include "rta/model/task_set.hpp"

namespace rta {

/// A kernel of which only the longest duration alone on the GPU is known: played as a block on each SM that fills it for so long.
[[nodiscard]] GpuDemand kernel_by_time(Time time, const GpuPool& gpu, StreamPriority priority = low_priority);

/// P: how many blocks of the kernel the empty GPU holds. Requires that it has blocks.
[[nodiscard]] Wide places(const GpuDemand& kernel, const GpuPool& gpu);

/// Whether `time` says all of how long a kernel takes, or what its blocks make of their longest times may be less. On a measured device it
/// has the switch to the kernel in it, which its blocks know nothing of.
enum class Durations : std::uint8_t { least, as_given };

/// Whether D is known: clusters end block by block, so that only `time` says how long they take together.
[[nodiscard]] bool has_duration(const GpuDemand& kernel, const GpuPool& gpu);

/// D: the longest duration of the kernel alone on the GPU, `time` or what its blocks make, ceil(B/P) L, whichever is less; as given, `time`
/// where there is one; of clusters `time`. Requires that it is known.
[[nodiscard]] Time duration_alone(const GpuDemand& kernel, const GpuPool& gpu, Durations by = Durations::least);

/// T28: how many blocks of C count for a kernel with `time`. P places are busy for no longer than that, so of B blocks no more than min(B,
/// P) times H `time` is executed. Requires that the kernel has blocks.
[[nodiscard]] std::uint64_t counted_blocks(const GpuDemand& kernel, const GpuPool& gpu);

}  // namespace rta
