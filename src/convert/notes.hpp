// What a conversion found, assumed and missed.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "rta/io/task_set_file.hpp"

namespace rta::convert {

class Notes {
 public:
  explicit Notes(std::string file) : file_(std::move(file)) {}

  [[nodiscard]] const std::string& file() const { return file_; }

  void found(std::string sentence) { add(found_, std::move(sentence)); }
  void assume(std::string sentence) { add(assumed_, std::move(sentence)); }
  void warn(io::Diagnostic diagnostic) { warnings_.push_back(std::move(diagnostic)); }
  /// Something that the file does not say and that must be known; the sentence names the option.
  void miss(std::string sentence) { add(missing_, std::move(sentence)); }

  /// Throws `io::InputError` with all that is missing.
  void throw_if_missing() const {
    if (missing_.empty()) return;
    std::vector<io::Diagnostic> all;
    for (const std::string& sentence : missing_) all.push_back({file_, 0, 0, sentence});
    throw io::InputError(std::move(all));
  }

  [[nodiscard]] std::vector<std::string> take_found() { return std::move(found_); }
  [[nodiscard]] std::vector<std::string> take_assumed() { return std::move(assumed_); }
  [[nodiscard]] std::vector<io::Diagnostic> take_warnings() { return std::move(warnings_); }

 private:
  static void add(std::vector<std::string>& list, std::string sentence) {
    if (std::find(list.begin(), list.end(), sentence) == list.end()) list.push_back(std::move(sentence));
  }

  std::string file_;
  std::vector<std::string> found_, assumed_, missing_;
  std::vector<io::Diagnostic> warnings_;
};

/// Throws `io::InputError` with one message.
[[noreturn]] inline void refuse(const std::string& file, std::string message, std::size_t line = 0, std::size_t column = 0) {
  throw io::InputError({{file, line, column, std::move(message)}});
}

}  // namespace rta::convert
