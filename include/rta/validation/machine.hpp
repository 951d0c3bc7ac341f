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

struct ToolOutput {
  int status = -1;  // exit status; -1: could not be run or was killed
  std::string text;
};
/// Runs a program (no shell) with standard error folded into standard output; its output ends at 1 MiB. A signal that would end this
/// program (SIGINT, SIGTERM, SIGHUP, SIGQUIT) goes to the tool and all that it started, and takes effect here once the tool has ended.
[[nodiscard]] ToolOutput run_tool(const std::vector<std::string>& words);
/// The same with all output on this program's standard error. SIGINT is for the tool alone. Returns its exit status, or -1.
[[nodiscard]] int run_attached(const std::vector<std::string>& words);
/// The same with this program's own standard streams; where its input is a terminal the program gets none. 128 and the number of a signal
/// that ended it; -1: could not be run.
[[nodiscard]] int run_as_is(const std::vector<std::string>& words);

}  // namespace rta::validation
