// What the thread that takes signals shares with temporary files and tools.
#pragma once

#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigset_t
#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <mutex>
#include <set>

#include "signals.hpp"

namespace rta::process {

/// All that decides what a signal does. One per program; it is never destroyed, for the thread may outlive everything else.
class Signals {
 public:
  static Signals& instance();

  void take();

  void add(StopRequest& request);
  void remove(StopRequest& request);
  /// `make` makes something temporary and returns its absolute path.
  void add(const std::function<std::filesystem::path()>& make);
  void remove(const std::filesystem::path& temporary);

  /// Starts a tool in a process group of its own, where signals are taken: they go to that group until it has ended. `start` is told so and
  /// gets the signals that were blocked before and those that had their standard effect; it returns the process, or -1.
  pid_t start_tool(const std::function<pid_t(bool own_group, const sigset_t& mask, const sigset_t& standard)>& start);
  /// Waits for its end and returns its status as waitpid does. Then a signal that came meanwhile takes effect here, too, unless it is
  /// SIGINT and `keeps_interrupts`.
  int wait_for_tool(pid_t tool, bool keeps_interrupts);

 private:
  void serve();
  void handle(int signal);
  bool asks_for_stop(int signal);
  [[noreturn]] void end(int signal);

  std::mutex mutex_;
  bool taken_ = false;
  sigset_t taken_signals_{}, before_{}, reset_{};
  StopRequest* request_ = nullptr;
  std::multiset<std::filesystem::path> temporaries_;
  pid_t tool_ = 0;
  int handed_on_ = 0;  // the last signal that went to the tool
};

}  // namespace rta::process
