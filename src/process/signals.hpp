// Signals that ask the program to end. Nothing else in the program handles signals.
#pragma once

#include <initializer_list>
#include <stop_token>
#include <vector>

namespace rta::process {

/// From now on a thread of its own takes SIGINT, SIGTERM, SIGHUP and SIGQUIT: it removes what is temporary (`Temporary`) and ends the
/// program by that signal, unless a `StopRequest` lives or a tool runs. Signals that are ignored stay so. A file that would grow too large
/// (SIGXFSZ) is an error of its write. To be called before any other thread starts.
void take_signals();

/// While it lives, the first of these signals asks for an end and the next one ends the program. One at a time.
class StopRequest {
 public:
  explicit StopRequest(std::initializer_list<int> signals);
  ~StopRequest();
  StopRequest(const StopRequest&) = delete;
  StopRequest& operator=(const StopRequest&) = delete;

  [[nodiscard]] std::stop_token token() const { return source_.get_token(); }
  [[nodiscard]] bool made() const { return source_.stop_requested(); }

 private:
  friend class Signals;
  std::vector<int> signals_;
  std::stop_source source_;
};

}  // namespace rta::process
