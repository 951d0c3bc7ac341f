#include "decimal.hpp"

#include <algorithm>
#include <cstddef>

namespace rta::io {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Takes the digits that a text begins with.
std::string_view take_digits(std::string_view& text) {
  std::size_t count = 0;
  while (count < text.size() && is_digit(text[count])) ++count;
  const std::string_view digits = text.substr(0, count);
  text.remove_prefix(count);
  return digits;
}

}  // namespace

std::optional<Decimal> parse_decimal(std::string_view text) {
  Decimal number;
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    number.negative = text.front() == '-';
    text.remove_prefix(1);
  }
  number.whole = take_digits(text);
  if (number.whole.empty()) return std::nullopt;
  if (!text.empty() && text.front() == '.') {
    text.remove_prefix(1);
    number.fraction = take_digits(text);
    if (number.fraction.empty()) return std::nullopt;
  }
  while (!number.whole.empty() && number.whole.front() == '0') number.whole.remove_prefix(1);
  while (!number.fraction.empty() && number.fraction.back() == '0') number.fraction.remove_suffix(1);
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  number.rest = text;
  return number;
}

std::optional<Decimal> parse_scientific(std::string_view text, std::string& written) {
  const std::size_t exponent = text.find_first_of("eE");
  const std::optional<Decimal> number = parse_decimal(text.substr(0, exponent));
  if (exponent == std::string_view::npos || !number || !number->rest.empty()) return parse_decimal(text);
  std::string_view shift = text.substr(exponent + 1);
  const bool left = shift.starts_with('-');
  if (left || shift.starts_with('+')) shift.remove_prefix(1);
  const std::string_view digits = take_digits(shift);
  if (digits.empty() || digits.size() > 2) return parse_decimal(text);
  std::size_t places = 0;
  for (const char digit : digits) places = places * 10 + static_cast<std::size_t>(digit - '0');
  std::string whole(number->whole), fraction(number->fraction);
  std::string& from = left ? whole : fraction;
  if (from.size() < places) from.insert(left ? 0 : from.size(), places - from.size(), '0');
  const std::size_t cut = left ? whole.size() - places : places;
  const std::string all = whole + fraction;
  const std::size_t point = left ? cut : whole.size() + cut;
  written = (number->negative ? "-0" : "0") + all.substr(0, point);
  if (point < all.size()) written += "." + all.substr(point);
  written += shift;
  return parse_decimal(written);
}

std::optional<Decimal::Scaled> Decimal::scaled(std::int64_t factor) const {
  constexpr Wide most = static_cast<Wide>(1'000'000'000'000'000'000) * 1'000'000'000'000'000'000;
  if (whole.size() <= 18 && fraction.empty()) {  // most numbers; 64 bits hold them
    std::int64_t value = 0;
    for (const char c : whole) value = value * 10 + (c - '0');
    const Wide product = static_cast<Wide>(value) * factor;
    return product > most ? std::nullopt : std::optional(Scaled{product, true});
  }
  Wide value = 0;
  for (const char c : whole) {
    value = value * 10 + (c - '0');
    if (value > most / factor) return std::nullopt;
  }
  // Long multiplication of the fraction, last digit first: what is carried out of the first place is whole.
  Wide carry = 0;
  bool exact = true;
  for (auto c = fraction.rbegin(); c != fraction.rend(); ++c) {
    const Wide product = static_cast<Wide>(*c - '0') * factor + carry;
    exact = exact && product % 10 == 0;
    carry = product / 10;
  }
  return Scaled{value * factor + carry, exact};
}

}  // namespace rta::io
