// Other programs that this one runs.
#pragma once

#include <string>
#include <vector>

namespace rta::process {

struct ToolOutput {
  int status = -1;  // exit status; -1: could not be run or was killed
  std::string text;
};
/// Runs a program (no shell) with standard error folded into standard output; its output ends at 1 MiB. A signal that would end this
/// program (`take_signals`) goes to the tool and all that it started, and takes effect here once the tool has ended. One tool at a time.
[[nodiscard]] ToolOutput run_tool(const std::vector<std::string>& words);
/// The same with all output on this program's standard error. SIGINT is for the tool alone. Returns its exit status, or -1.
[[nodiscard]] int run_attached(const std::vector<std::string>& words);

}  // namespace rta::process
