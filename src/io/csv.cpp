#include "rta/io/csv.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <system_error>

namespace rta::io {

namespace {

/// Whether a spreadsheet would take the text for a formula, or would once apostrophes before it are gone.
bool starts_a_formula(std::string_view text) {
  const std::size_t start = text.find_first_not_of('\'');
  return start != std::string_view::npos && std::string_view("=+-@\t\r\n").find(text[start]) != std::string_view::npos;
}

bool is_number(std::string_view text) {
  if (text.find_first_not_of("0123456789.eE+-") != std::string_view::npos) return false;
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

std::string as_text(std::string text) {
  if (text.starts_with('\'') && starts_a_formula(text)) text.erase(0, 1);
  return text;
}

}  // namespace

std::string csv_field(std::string_view text) {
  return csv_quoted((starts_a_formula(text) && !is_number(text) ? "'" : "") + std::string(text));
}

std::string csv_quoted(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"') quoted.push_back('"');
    quoted.push_back(c);
  }
  quoted.push_back('"');
  return quoted;
}

std::optional<CsvRows> parse_csv(std::string_view text) {
  CsvRows rows;
  std::vector<std::string> row;
  std::string field;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c != '"') {
        field.push_back(c);
      } else if (i + 1 < text.size() && text[i + 1] == '"') {
        field.push_back('"');
        ++i;
      } else {
        quoted = false;
      }
    } else if (c == '"') {
      quoted = true;
    } else if (c == ',') {
      row.push_back(as_text(std::move(field)));
      field.clear();
    } else if (c == '\n') {
      row.push_back(as_text(std::move(field)));
      field.clear();
      rows.push_back(std::move(row));
      row.clear();
    } else {
      field.push_back(c);
    }
  }
  const bool ragged = std::ranges::any_of(rows, [&](const auto& r) { return r.size() != rows.front().size(); });
  if (rows.empty() || quoted || !row.empty() || !field.empty() || ragged) return std::nullopt;
  return rows;
}

}  // namespace rta::io
