// What is going on, for those who wait: one line on standard error, on a terminal only.
#pragma once

#include <chrono>
#include <string_view>

namespace rta::cli {

/// Shows nothing in the first second, then at most five lines a second. The line goes when this object does.
class WaitingLine {
 public:
  explicit WaitingLine(bool shown) : shown_(shown) {}
  ~WaitingLine();
  WaitingLine(const WaitingLine&) = delete;
  WaitingLine& operator=(const WaitingLine&) = delete;

  void show(std::string_view what);

 private:
  using Clock = std::chrono::steady_clock;
  bool shown_;
  bool written_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_;
};

}  // namespace rta::cli
