// Files that a command does not take, told by what they are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "command.hpp"

namespace rta::cli {

/// After a command failed: the first of its files that is of a kind that it never takes, as one sentence with the file's name.
[[nodiscard]] std::optional<std::string> file_of_another_kind(const Command& command, const std::vector<std::string>& arguments);

}  // namespace rta::cli
