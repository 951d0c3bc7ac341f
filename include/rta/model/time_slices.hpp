// GPUs that several processes share without MPS, by time slices.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "rta/model/task_set.hpp"

namespace rta {

/// Latencies of a device profile: the longest slice of a process while another one waits, and from its end to the start of the other's.
inline constexpr std::string_view time_slice_latency = "time-slice";
inline constexpr std::string_view context_switch_latency = "context-switch";

/// What the pool of a context is called: `gpu/perception`, or as the GPU where the process has no name.
[[nodiscard]] std::string context_name(std::string_view gpu, std::string_view process);

/// What the file calls the pool in `platform`: the contexts of one GPU have its name, and so have its partitions.
[[nodiscard]] std::string_view name_in_file(const Pool& pool);

/// G: how long a context with work waits between two of its slices at most, nu S + (nu + 1) theta for nu other contexts. Throws `Overflow`.
[[nodiscard]] Time gap(const Sharing& sharing);

/// How the pool is shared; null where its kernels never pause: one context alone, and no time for switches.
[[nodiscard]] const Sharing* slices_of(const Pool& pool);

/// The first GPU with slices that some node runs on, if there is one.
[[nodiscard]] std::optional<PoolId> first_gpu_with_slices(const TaskSet& task_set);

}  // namespace rta
