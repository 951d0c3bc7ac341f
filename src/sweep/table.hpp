// The rows of `results.csv`: one per set and analysis.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "rta/sweep/plan.hpp"

namespace rta::sweep {

struct Row {
  std::uint64_t point = 0;
  std::uint64_t set = 0;
  std::string_view analysis;
  Outcome outcome;
};

/// The first line, with its end.
[[nodiscard]] std::string table_header(bool timing);
/// Appends one line.
void append_row(std::string& text, const Row& row, bool timing);
/// Reads one line without its end. Throws `UserError` for what is none.
[[nodiscard]] Row parse_row(std::string_view line, bool timing);

}  // namespace rta::sweep
