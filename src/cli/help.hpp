// --help and the manual page, from the same texts.
#pragma once

#include <iosfwd>

#include "command.hpp"

namespace rta::cli {

void print_overview(std::ostream& out);
void print_help(const Command& command, std::ostream& out);
/// The manual page rta(1) in roff.
void print_manual(std::ostream& out);

}  // namespace rta::cli
