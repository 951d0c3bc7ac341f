// Schedule files (YAML): what `rta compile` writes and what plays it.
#pragma once

#include <string>
#include <string_view>

#include "rta/io/task_set_file.hpp"
#include "rta/static_order/schedule.hpp"

namespace rta::static_order {

/// Reads a schedule from text; `name` stands for the file in messages. Ids of the file may have any order; those of the result count its lines.
/// Throws `io::InputError` with everything that is wrong.
[[nodiscard]] Schedule parse_schedule(std::string_view text, const std::string& name);

/// The schedule as a file: `parse_schedule(format_schedule(s), n)` equals s. Throws `UserError` when no file could stand for it.
[[nodiscard]] std::string format_schedule(const Schedule& schedule);

}  // namespace rta::static_order
