// Comma-separated values (RFC 4180).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rta::io {

/// The text as one field: quoted only where needed, quotes doubled. A text that spreadsheets would run, because it begins with = + - @, a
/// tab or a line break and is no number, gets an apostrophe before it; so does one that has apostrophes before such a sign already.
[[nodiscard]] std::string csv_field(std::string_view text);
/// The same without the apostrophe: for programs that are no spreadsheets.
[[nodiscard]] std::string csv_quoted(std::string_view text);

using CsvRows = std::vector<std::vector<std::string>>;
/// The rows of a table whose lines end in LF, with the texts that `csv_field` was given. Nothing when the text is none: a quote that does
/// not end, a last line without end, rows of different lengths, or no row.
[[nodiscard]] std::optional<CsvRows> parse_csv(std::string_view text);

}  // namespace rta::io
