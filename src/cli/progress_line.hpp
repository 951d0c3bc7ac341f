// What is going on, for those who wait: one line on standard error, on a terminal only.
#pragma once

#include <boost/program_options/variables_map.hpp>
#include <chrono>
#include <string_view>

namespace rta::cli {

/// Without --quiet, and on a terminal.
[[nodiscard]] bool shows_progress(const boost::program_options::variables_map& given);

/// The line goes when this object does.
class ProgressLine {
 public:
  /// `update` shows nothing before `after` has passed.
  explicit ProgressLine(bool shown, std::chrono::milliseconds after = {}) : shown_(shown), after_(after) {}
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Shows a text at once: for what changes rarely.
  void say(std::string_view what);
  /// Shows what `text` makes, at most five times a second.
  template <class Text>
  void update(const Text& text) {
    if (is_due()) say(text());
  }
  /// Seconds since the beginning.
  [[nodiscard]] double elapsed() const;

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] bool is_due() const;

  bool shown_;
  bool written_ = false;
  Clock::duration after_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_;
};

}  // namespace rta::cli
