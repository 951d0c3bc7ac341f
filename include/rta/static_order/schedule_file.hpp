// Schedule files (YAML): what `rta compile` writes and what plays it.
#pragma once

#include <string>
#include <string_view>

#include "rta/io/task_set_file.hpp"
#include "rta/static_order/schedule.hpp"

namespace rta::static_order {

/// Reads a schedule from text; `name` stands for the file in messages. Ids of the file may have any order; those of the result count its
/// lines. Throws `io::InputError` with everything that is wrong.
[[nodiscard]] Schedule parse_schedule(std::string_view text, const std::string& name);

/// Whether the text is a mapping with the key `schedule`, as no task set and no graph is; nothing else of it is checked.
[[nodiscard]] bool is_schedule(std::string_view text);

/// The schedule as a file: `parse_schedule(format_schedule(s), n)` equals s. Throws `UserError` when no file could stand for it.
[[nodiscard]] std::string format_schedule(const Schedule& schedule);

}  // namespace rta::static_order
