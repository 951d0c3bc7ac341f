// Columns of text for people.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

namespace rta::report {

using TextRow = std::vector<std::string>;

/// Rows indented by two blanks, columns as wide as their widest cell: the first `left_columns` aligned left, the others right.
void print_table(std::ostream& out, std::span<const TextRow> rows, std::size_t left_columns);

}  // namespace rta::report
