// What a file is that was given where another kind is expected: one sentence for every mixup.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "yaml_tree.hpp"

namespace rta::io {

enum class FileIs : std::uint8_t {
  task_set,
  experiment,
  sweep,
  recipe,
  device_profile,
  graph,
  schedule,
  trace,
  recording,
  result,        // of rta analyze or rta simulate
  other_result,  // of another command
  certificate,
  thread_config,  // of callback_isolated_executor
  source,
  foreign,     // rta convert reads it
  job_set,     // so does this, or its constraints
  table,       // in CSV, of what is not known
  unreadable,  // by any command
};

struct FileKind {
  FileIs is = FileIs::unreadable;
  std::string what;    // `a trace`
  std::string advice;  // what reads it, or makes it readable
};

/// By the beginning of its content, and by its name where that tells more. Nothing for what may be anything.
[[nodiscard]] std::optional<FileKind> file_kind(std::string_view head, std::string_view name = {});
/// `this is a trace, no task set: rta compare TRACE TASKSET reads it`.
[[nodiscard]] std::string mixup(const FileKind& kind, std::string_view wanted);

/// The sentence for a file in another format, of whatever its text begins with. Nothing for text that may be YAML or JSON with the keys of
/// a task set.
[[nodiscard]] std::optional<std::string> foreign_format(std::string_view text);
/// The same for a YAML file of another kind, by its keys.
[[nodiscard]] std::optional<std::string> other_kind(const Value& root);

}  // namespace rta::io
