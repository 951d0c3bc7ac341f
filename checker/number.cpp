#include "number.hpp"

#include <algorithm>
#include <string_view>

namespace checker {
namespace {

constexpr Int most_common_multiple = Int(1) * (std::int64_t{1} << 62);
constexpr Int fine = Int(1) * (std::int64_t{1} << 60);

}  // namespace

std::string to_string(Int value) {
  if (value == Int(0)) return "0";
  std::string digits;
  for (Int::Raw rest = value.raw(); rest != 0; rest /= 10) {
    const auto digit = static_cast<int>(rest % 10);
    digits += static_cast<char>('0' + (digit < 0 ? -digit : digit));
  }
  if (value < 0) digits += '-';
  std::reverse(digits.begin(), digits.end());
  return digits;
}

Int to_int(std::string_view text) {
  const bool negative = !text.empty() && text.front() == '-';
  if (negative) text.remove_prefix(1);
  if (text.empty() || text.find_first_not_of("0123456789") != std::string_view::npos) throw std::invalid_argument("not a whole number");
  Int value = 0;
  for (const char c : text) value = value * 10 + Int(c - '0');
  return negative ? -value : value;
}

Fraction to_fraction(std::string_view text) {
  const auto slash = text.find('/');
  Fraction parsed{to_int(text.substr(0, slash)), 1};
  if (slash != std::string_view::npos) parsed.d = to_int(text.substr(slash + 1));
  if (parsed.d <= 0) throw std::invalid_argument("a fraction's denominator is above 0");
  return parsed;
}

Fraction Load::sum(bool up) const {
  Fraction sum;
  for (const auto& [T, work] : by_period_) {
    const Int factor = floor_div(T, gcd(T, sum.d));
    if (factor > floor_div(most_common_multiple, sum.d)) {
      sum.d = 0;
      break;
    }
    sum.d = sum.d * factor;
  }
  const bool exact = sum.d > 0;
  if (!exact) sum.d = fine;
  for (const auto& [T, work] : by_period_) {
    if (exact) {
      sum.n += work * floor_div(sum.d, T);
    } else {
      const Int rounded = ceil_mul_div(work, fine, T);
      sum.n += up ? rounded : rounded - Int(1);
    }
  }
  return sum;
}

bool Load::at_most(Int c) const {
  const Fraction most = sum(true);
  return most.n <= c * most.d;
}

bool Load::at_most(Fraction c) const {
  const Fraction most = sum(true);
  return most.n <= floor_div(c.n, c.d) * most.d || most.n * c.d <= c.n * most.d;
}

bool Load::above(Int c) const {
  const Fraction least = sum(false);
  return least.n > c * least.d;
}

Int Load::ceil_times(Int x) const {
  const Fraction most = sum(true);
  return ceil_mul_div(most.n, x, most.d);
}

}  // namespace checker
