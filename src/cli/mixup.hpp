// Files that a command does not take, told by what they are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "command.hpp"

namespace rta::cli {

/// After a command failed: the first of its files that is of a kind that it never takes, as one sentence with the file's name.
[[nodiscard]] std::optional<std::string> file_of_another_kind(const Command& command, const std::vector<std::string>& arguments);

/// Likewise the first of them that leaves choices open and would be a task set without: it is for rta optimize.
[[nodiscard]] std::optional<std::string> file_with_choices(const Command& command, const std::vector<std::string>& arguments);

}  // namespace rta::cli
