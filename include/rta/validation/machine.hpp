// What stands in the way of a good measurement on this machine (the pitfalls of Yang 2020, 3.3-3.5, as far as a program can see them).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rta::validation {

enum class Severity : std::uint8_t {
  good,      // as it should be
  note,      // worth knowing
  doubtful,  // figures will be worse than they need be
  missing    // something cannot run at all
};
[[nodiscard]] std::string_view to_string(Severity severity);

struct Finding {
  std::string subject;  // e.g. "SCHED_DEADLINE"
  Severity severity = Severity::good;
  std::string text;
  std::string remedy;  // a command or a setting; empty where nothing is to be done
};

/// Looks at scheduling, limits, clocks and GPUs. Changes nothing; asks nvidia-smi and nvcc where they are found.
[[nodiscard]] std::vector<Finding> examine_machine();
/// Nothing is doubtful or missing.
[[nodiscard]] bool is_fit(const std::vector<Finding>& findings);

/// The CUDA compiler: $NVCC, in the PATH, or in /usr/local/cuda/bin; empty when there is none.
[[nodiscard]] std::string find_nvcc();
/// Whether this machine has an NVIDIA GPU and its driver.
[[nodiscard]] bool has_gpu();

}  // namespace rta::validation
