// Task-set files (YAML): reading with every error at file:line:column, and writing.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rta/model/error.hpp"
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
class InputError : public UserError {
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

/// Reads a task-set file; `-` is standard input. Throws `InputError` with everything that is wrong (the first thousand errors; of a
/// file that is no YAML, the first). Files end at 64 MiB and task sets at a million nodes.
[[nodiscard]] ReadResult read_task_set(const std::filesystem::path& path);
/// The bytes of such a file; `-` is standard input. Throws `InputError`.
[[nodiscard]] std::string read_task_set_text(const std::filesystem::path& path);
/// Reads a task set from text; `name` stands for the file in messages. Throws `InputError`.
[[nodiscard]] ReadResult parse_task_set(std::string_view text, const std::string& name);

/// The task set as a file: `parse_task_set(format_task_set(s), n).task_set` equals s. Throws `UserError` when no file could
/// stand for it: names that are none, an unknown device, L other than ceil(C/H), H that is no whole number of warps.
[[nodiscard]] std::string format_task_set(const TaskSet& task_set);

/// Writes `content` to a temporary name beside `path` and renames it, so that no reader ever sees half a file (devices and pipes are
/// written to directly).
/// Throws std::system_error.
void write_file(const std::filesystem::path& path, std::string_view content);

/// A time: a number and ns, us, ms, s, m or h. Nothing when the text is none, is negative, too large or no whole number of ns.
[[nodiscard]] std::optional<Time> parse_time(std::string_view text);

}  // namespace rta::io
