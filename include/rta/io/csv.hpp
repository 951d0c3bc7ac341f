// Comma-separated values (RFC 4180).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rta::io {

/// The text as one field: quoted only where needed, quotes doubled.
[[nodiscard]] std::string csv_field(std::string_view text);

using CsvRows = std::vector<std::vector<std::string>>;
/// The rows of a table whose lines end in LF. Nothing when the text is none: a quote that does not end, a last line without end, rows of
/// different lengths, or no row.
[[nodiscard]] std::optional<CsvRows> parse_csv(std::string_view text);

}  // namespace rta::io
