// Tables in text.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

namespace rta::report {

using Row = std::vector<std::string>;

/// Columns as wide as their widest cell, lines indented by two spaces or by `indent`; the first `left_columns` are aligned left, the others
/// right; no line ends in spaces.
void print_table(std::ostream& out, const std::vector<Row>& rows, std::size_t left_columns, std::size_t indent = 2);

}  // namespace rta::report
