#include "rta/io/setting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <system_error>

#include "rta/model/error.hpp"

namespace rta::io {
namespace {

constexpr std::size_t most_settings = 10'000;

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// At commas outside of brackets and quotes.
std::vector<std::string_view> pieces_of(std::string_view text) {
  std::vector<std::string_view> pieces;
  std::size_t from = 0;
  int depth = 0;
  char quoted = '\0';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted != '\0') {
      if (c == quoted) quoted = '\0';
    } else if (c == '"' || c == '\'') {
      quoted = c;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      --depth;
    } else if (c == ',' && depth <= 0) {
      pieces.push_back(text.substr(from, i - from));
      from = i + 1;
    }
  }
  pieces.push_back(text.substr(from));
  return pieces;
}

/// `10..40:5 ms`: read from the front; the unit may follow each number.
class Range {
 public:
  explicit Range(std::string_view text) : text_(text), rest_(text) {}

  /// False: the text is no range.
  bool read() {
    if (!number(from) || !unit() || !take("..") || !number(to) || !unit()) return false;
    if (take(":") && !(number(by) && unit())) return false;
    return rest_.empty();
  }

  std::uint64_t from = 0, to = 0, by = 1;
  std::string_view name_of_unit;

 private:
  static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size())); }
  bool take(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    skip_blanks();
    return true;
  }
  bool number(std::uint64_t& value) {
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (end == rest_.data()) return false;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    too_large_ = too_large_ || error != std::errc{};
    skip_blanks();
    return true;
  }
  bool unit() {
    const auto end = static_cast<std::size_t>(std::find_if_not(rest_.begin(), rest_.end(), is_letter) - rest_.begin());
    const std::string_view here = rest_.substr(0, end);
    several_units_ = several_units_ || (!here.empty() && !name_of_unit.empty() && here != name_of_unit);
    if (!here.empty()) name_of_unit = here;
    rest_.remove_prefix(end);
    skip_blanks();
    return true;
  }

 public:
  void check() const {
    if (too_large_) throw UserError(fmt::format("'{}': a number of a range is above 2^64 - 1", text_));
    if (several_units_) throw UserError(fmt::format("'{}': a range has one unit", text_));
    if (to < from || by == 0) throw UserError(fmt::format("'{}': a range rises, e.g. 2..16 or 10..40:5 ms", text_));
  }

 private:
  std::string_view text_, rest_;
  bool too_large_ = false;
  bool several_units_ = false;
};

void add(std::vector<Setting>& all, const std::string& place, std::string value) {
  if (all.size() == most_settings) throw UserError(fmt::format("'{}' takes more than {} values", place, most_settings));
  all.push_back({place, std::move(value)});
}

}  // namespace

std::vector<Setting> read_settings(std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::string place(without_blanks(text.substr(0, equals)));
  if (equals == std::string_view::npos || place.empty()) {
    throw UserError(fmt::format("'{}' is no setting: PLACE=VALUE, e.g. gpu.sms=8 or camera.T=10..40 ms", text));
  }
  std::vector<Setting> all;
  for (const std::string_view piece : pieces_of(text.substr(equals + 1))) {
    const std::string value(without_blanks(piece));
    if (value.empty()) throw UserError(fmt::format("'{}': a value is missing", text));
    Range range(value);
    if (!range.read()) {
      add(all, place, value);
      continue;
    }
    range.check();
    for (std::uint64_t at = range.from;; at += range.by) {
      add(all, place, range.name_of_unit.empty() ? fmt::format("{}", at) : fmt::format("{} {}", at, range.name_of_unit));
      if (range.to - at < range.by) break;
    }
  }
  return all;
}

}  // namespace rta::io
