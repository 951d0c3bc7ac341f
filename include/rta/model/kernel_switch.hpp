// The time that a GPU takes from one kernel to the next.
#pragma once

#include <string_view>

namespace rta {

/// The latency of a device profile that analyses count once per kernel: from the instant at which a kernel becomes the head of the queue
/// (the last block of the one before it has started, or it finds the queue empty) to the start of its first block on resources that are
/// free.
inline constexpr std::string_view kernel_switch_latency = "kernel-switch";

}  // namespace rta
