// What `examine --measure` prints: one JSON object per sample and line.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "common/trace_file.hpp"
#include "output_file.hpp"

namespace examine {

class Sample {
 public:
  Sample(const std::string& measure, unsigned number)
      : text_("{\"measure\": " + common::json_string(measure) + ", \"sample\": " + std::to_string(number)) {}

  Sample& add(const char* key, const std::string& value) { return put(key, common::json_string(value)); }
  Sample& add(const char* key, std::int64_t value) { return put(key, std::to_string(value)); }
  Sample& add(const char* key, bool value) { return put(key, value ? "true" : "false"); }
  Sample& add(const char* key, const char* value) = delete;  // would be a bool

  [[nodiscard]] std::string line() const { return text_ + "}\n"; }

 private:
  Sample& put(const char* key, const std::string& value) {
    text_ += ", \"" + std::string(key) + "\": " + value;
    return *this;
  }
  std::string text_;
};

/// All samples are written together, so that no file holds a part of them.
class Samples {
 public:
  void add(const Sample& sample) { lines_ += sample.line(); }
  void add_line(const std::string& line) { lines_ += line; }
  [[nodiscard]] const std::string& lines() const { return lines_; }

  /// `path` empty: to standard output.
  void write(const std::string& path) const {
    if (path.empty()) {
      std::fputs(lines_.c_str(), stdout);
      if (std::fflush(stdout) != 0) fail("standard output cannot be written");
      return;
    }
    OutputFile file(path);
    const bool written = std::fwrite(lines_.data(), 1, lines_.size(), file.stream()) == lines_.size();
    file.finish(written ? "" : "no room");
  }

 private:
  std::string lines_;
};

}  // namespace examine
