// Completion of the command line in shells, made of the options that the commands declare.
#pragma once

#include <iosfwd>
#include <string_view>

namespace rta::cli {

/// Writes the script for `shell`, bash or zsh. Throws `UsageError` for others.
void print_completion(std::string_view shell, std::ostream& out);

}  // namespace rta::cli
