// Other programs that this one runs.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace rta::process {

struct ToolOutput {
  bool started = false;
  int status = -1;  // exit status; -1: did not start or was killed
  std::string text;
};
/// The folder in which a tool is run: this program's, or one that is open.
constexpr int here = -1;

/// Runs a program (no shell) with standard error folded into standard output; its output ends at 1 MiB. A signal that would end this
/// program (`take_signals`) goes to the tool and all that it started, and takes effect here once the tool has ended. One tool at a time.
/// Throws UserError where there is no room for another process.
[[nodiscard]] ToolOutput run_tool(const std::vector<std::string>& words, int folder = here);
/// The same with all output on this program's standard error. SIGINT is for the tool alone. Returns its exit status, or -1.
[[nodiscard]] int run_attached(const std::vector<std::string>& words, int folder = here);
/// The same with this program's own standard streams; where its input is a terminal the program gets none. 128 and the number of a signal
/// that ended it; -1: could not be run.
[[nodiscard]] int run_as_is(const std::vector<std::string>& words);

/// A tool whose output is read while it runs. One tool at a time.
class RunningTool {
 public:
  /// Throws UserError where there is no room for another process.
  explicit RunningTool(const std::vector<std::string>& words);
  /// Kills it where `end` was not called.
  ~RunningTool();
  RunningTool(const RunningTool&) = delete;
  RunningTool& operator=(const RunningTool&) = delete;

  [[nodiscard]] bool started() const { return tool_ > 0; }
  /// The descriptor of its standard output.
  [[nodiscard]] int output() const { return output_; }
  /// Waits for its end, once its output has ended: its exit status, and as text the first MiB of its standard error.
  [[nodiscard]] ToolOutput end();

 private:
  pid_t tool_ = -1;
  int output_ = -1, errors_ = -1;
};

}  // namespace rta::process
