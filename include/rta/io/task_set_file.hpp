// Task-set files (YAML): reading with every error at file:line:column, and writing.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "rta/model/task_set.hpp"

namespace rta::io {

/// One thing wrong (or doubtful) in a file. Lines and columns count from 1; 0: the file as a whole.
struct Diagnostic {
  std::string file;
  std::size_t line = 0;
  std::size_t column = 0;
  std::string message;

  /// `file:line:column: message`.
  [[nodiscard]] std::string text() const;
};

/// A file could not be read as a task set. Holds everything that is wrong with it, in file order.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::vector<Diagnostic> diagnostics);
  [[nodiscard]] const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

struct ReadResult {
  TaskSet task_set;
  std::vector<Diagnostic> warnings;
};

/// Reads a task-set file; `-` is standard input. Throws `InputError`.
[[nodiscard]] ReadResult read_task_set(const std::filesystem::path& path);
/// Reads a task set from text; `name` stands for the file in messages. Throws `InputError`.
[[nodiscard]] ReadResult parse_task_set(std::string_view text, const std::string& name);

/// The task set as a file: `parse_task_set(format_task_set(s), n)` equals s.
[[nodiscard]] std::string format_task_set(const TaskSet& task_set);

/// Writes `content` to a temporary name beside `path` and renames it, so that no reader ever sees half a file.
/// Throws std::system_error.
void write_file(const std::filesystem::path& path, std::string_view content);

}  // namespace rta::io
