#include "rta/io/time_unit.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace rta::io {
namespace {

constexpr std::array<std::string_view, 4> unit_texts{"ns", "us", "ms", "s"};

bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }
bool belongs_to_word(char c) {
  return is_ascii_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-' || c == '.';
}
bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// Up to its comment.
std::string_view without_comment(std::string_view line) {
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '#' && (i == 0 || is_blank(line[i - 1]))) return line.substr(0, i);
  }
  return line;
}

/// The letters at the beginning; both micro signs count as u.
std::optional<TimeUnit> unit_at(std::string_view text) {
  constexpr std::array<std::string_view, 2> micro_signs{"\xc2\xb5s", "\xce\xbcs"};
  for (const std::string_view sign : micro_signs) {
    if (text.starts_with(sign))
      return text.size() > sign.size() && belongs_to_word(text[sign.size()]) ? std::nullopt : std::optional(TimeUnit::us);
  }
  const auto end = std::ranges::find_if_not(text, belongs_to_word);
  const std::string_view word = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  const auto* const unit = std::ranges::find(unit_texts, word);
  return unit == unit_texts.end() ? std::nullopt : std::optional(static_cast<TimeUnit>(unit - unit_texts.begin()));
}

/// Whether what stands there is the value of a key whose times bounds are compared with.
bool is_compared(std::string_view before) {
  constexpr std::array<std::string_view, 8> keys{"T", "D", "reaction", "age", "period", "deadline", "Period", "Deadline"};
  while (!before.empty() && (is_blank(before.back()) || before.back() == '[' || before.back() == '"')) before.remove_suffix(1);
  if (before.empty() || before.back() != ':') return false;
  before.remove_suffix(1);
  return std::ranges::any_of(keys, [&](std::string_view key) {
    return before.ends_with(key) && (before.size() == key.size() || !belongs_to_word(before[before.size() - key.size() - 1]));
  });
}

/// Numbers that a unit follows, by unit.
using UnitCounts = std::array<std::size_t, unit_texts.size()>;

void count_units(std::string_view line, UnitCounts& compared, UnitCounts& all) {
  for (std::size_t i = 0; i < line.size();) {
    const std::size_t first = i;
    const bool number = is_ascii_digit(line[i]) && (i == 0 || !belongs_to_word(line[i - 1]));
    ++i;
    if (!number) continue;
    while (i < line.size() && (is_ascii_digit(line[i]) || line[i] == '.')) ++i;
    std::size_t after = i;
    while (after < line.size() && is_blank(line[after])) ++after;
    const auto unit = unit_at(line.substr(after));
    if (!unit) continue;
    ++all[static_cast<std::size_t>(*unit)];
    if (is_compared(line.substr(0, first))) ++compared[static_cast<std::size_t>(*unit)];
  }
}

/// Of several the largest.
std::optional<TimeUnit> most_frequent(const UnitCounts& counts) {
  std::optional<TimeUnit> frequent;
  for (std::size_t u = 0; u < counts.size(); ++u) {
    if (counts[u] > 0 && (!frequent || counts[u] >= counts[static_cast<std::size_t>(*frequent)])) frequent = static_cast<TimeUnit>(u);
  }
  return frequent;
}

}  // namespace

std::optional<TimeUnit> usual_time_unit(std::string_view text) {
  constexpr std::size_t looked_at = 1 << 20;
  constexpr std::string_view key = "time_unit:";
  text = text.substr(0, looked_at);
  UnitCounts compared{}, all{};
  std::optional<TimeUnit> unit;
  while (!text.empty() && !unit) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = without_comment(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with(key)) {
      const std::size_t value = line.find_first_not_of(" \t\"'", key.size());
      if (value != std::string_view::npos) unit = unit_at(line.substr(value));
    }
    count_units(line, compared, all);
  }
  if (!unit) {
    unit = most_frequent(compared);
    // Where some are in ms, bounds are that small.
    if (unit == TimeUnit::s && compared[static_cast<std::size_t>(TimeUnit::ms)] > 0) unit = TimeUnit::ms;
  }
  if (!unit) unit = most_frequent(all);
  return unit == TimeUnit::ns ? std::nullopt : unit;
}

}  // namespace rta::io
