// Task-set files (YAML): reading with every error at file:line:column, and writing.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rta/io/diagnostic.hpp"
#include "rta/io/setting.hpp"
#include "rta/model/task_set.hpp"

namespace rta::io {

struct ReadResult {
  TaskSet task_set;
  std::vector<Diagnostic> warnings;
  bool bare_C = false;  // some kernel has C without `per: block`, which is warned of
};

/// How the C of a kernel without `per: block` is read.
enum class BareC : std::uint8_t {
  block,  // the work of one block, in G-threads x time
  kernel  // the time of the kernel, as `time`
};

/// Reads a task-set file; `-` is standard input. Throws `InputError` with everything that is wrong (the first twenty errors; of a
/// file that is no YAML, the first). Files end at 64 MiB and task sets at a million nodes.
[[nodiscard]] ReadResult read_task_set(const std::filesystem::path& path);
/// The bytes of such a file; `-` is standard input. Throws `InputError`.
[[nodiscard]] std::string read_task_set_text(const std::filesystem::path& path);
/// The same, so that evidence of what was read can be made later.
[[nodiscard]] std::shared_ptr<const std::string> read_shared_task_set_text(const std::filesystem::path& path);
/// Reads a task set from text; `name` stands for the file in messages. Throws `InputError`.
[[nodiscard]] ReadResult parse_task_set(std::string_view text, const std::string& name, BareC bare_C = BareC::block);
/// The same with other values in place of the file's, one setting after the other. Throws `UserError` where there is no such place.
[[nodiscard]] ReadResult parse_task_set(std::string_view text, const std::string& name, BareC bare_C, std::span<const Setting> settings);

/// The task set as a file: `parse_task_set(format_task_set(s), n).task_set` equals s. Throws `UserError` when no file could
/// stand for it: names that are none, an unknown device, L other than ceil(C/H), H that is no whole number of warps.
[[nodiscard]] std::string format_task_set(const TaskSet& task_set);

}  // namespace rta::io
