// --help, the manual page and words that are asked for, from the same texts.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "command.hpp"

namespace rta::cli {

void print_overview(std::ostream& out);
void print_help(const Command& command, std::ostream& out);
/// What the word means, and the options of that name; false where it is neither in the glossary nor an option.
bool print_word(const std::string& word, std::ostream& out);
/// All words that `rta help` explains.
[[nodiscard]] std::vector<std::string> explained_words();
/// The manual page rta(1) in roff.
void print_manual(std::ostream& out);

}  // namespace rta::cli
