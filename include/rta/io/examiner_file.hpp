// Configurations of the cuda_scheduling_examiner (JSON; https://github.com/yalue/cuda_scheduling_examiner_mirror) as experiments.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rta/io/experiment_file.hpp"

namespace rta::io {

struct ExaminerOptions {
  std::string device = "tx2";                 // a built-in device
  std::uint64_t copy_rate = 12800ULL << 20U;  // bytes per second, for copies given by size
  std::optional<Time> slice, switching;       // of processes that share the GPU
};

/// The kernels that have a fixed duration: timer_spin, timer_spin_default_stream, sharedmem_timer_spin and multikernel, with release times,
/// delays, iterations, copies and stream priorities. Throws `InputError` with everything that cannot be converted, each with the kernel's
/// label: kernels without fixed duration, separate processes whose time slices are not given, or which copy, masks of SMs. Throws
/// `UserError` for an unknown device.
[[nodiscard]] ExperimentResult parse_examiner(std::string_view text, const std::string& name, const ExaminerOptions& options = {});

}  // namespace rta::io
