// Text in Markdown (CommonMark, with tables as GitHub has them).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "text_table.hpp"

namespace rta::report {

/// The text as it stands: what Markdown or HTML would read as a mark is escaped, ends of lines are spaces, and what commands a terminal is
/// shown by its number.
[[nodiscard]] std::string markdown_text(std::string_view text);
/// The first row is the header; the first `left_columns` are aligned left, the others right.
[[nodiscard]] std::string markdown_table(const std::vector<Row>& rows, std::size_t left_columns);

}  // namespace rta::report
