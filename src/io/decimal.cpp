#include "decimal.hpp"

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
