#include "number.hpp"

#include <algorithm>
#include <string_view>

namespace checker {
namespace {

constexpr Int most_common_multiple = Int(1) * (std::int64_t{1} << 62);
constexpr Int fine = Int(1) * (std::int64_t{1} << 60);
constexpr Int coarser = Int(1) * (std::int64_t{1} << 20);

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

/// Whether a <= b, exactly: by whole parts, then by what is left, turned over, until nothing is.
bool at_most(Fraction a, Fraction b) {
  while (a.d.raw() > 0 && b.d.raw() > 0) {
    const Int whole_a = floor_div(a.n, a.d);
    const Int whole_b = floor_div(b.n, b.d);
    if (whole_a != whole_b) return whole_a < whole_b;
    const Fraction turned = {a.d, a.n - whole_a * a.d};
    a = {b.d, b.n - whole_b * b.d};
    b = turned;
  }
  return b.d == Int(0);
}

/// A common multiple of the periods; 0: too large.
Int Load::common_multiple() const {
  Int common = 1;
  for (const auto& [T, work] : by_period_) {
    common = common * floor_div(T, gcd(T, common));
    if (common > most_common_multiple) return 0;
  }
  return common;
}

Fraction Load::sum_in(Int parts, bool up) const {
  Fraction sum{0, parts};
  for (const auto& [T, work] : by_period_) {
    const Int each = floor_div(parts, T);
    if (each * T == parts) {
      sum.n += work * each;
    } else {
      sum.n += up ? ceil_mul_div(work, parts, T) : -ceil_mul_div(-work, parts, T);
    }
  }
  return sum;
}

Fraction Load::sum(bool up) const {
  if (const Int common = common_multiple(); common > 0) {
    try {
      return sum_in(common, up);
    } catch (const OutOfRange&) {  // rounded, then
    }
  }
  for (Int parts = fine; parts > 1; parts = floor_div(parts, coarser)) {
    try {
      return sum_in(parts, up);
    } catch (const OutOfRange&) {
    }
  }
  return sum_in(1, up);
}

bool Load::at_most(Int c) const {
  const Fraction most = sum(true);
  return most.n <= c * most.d;
}

bool Load::at_most(Fraction c) const { return checker::at_most(sum(true), c); }

bool Load::above(Int c) const {
  const Fraction least = sum(false);
  return least.n > c * least.d;
}

Int Load::ceil_times(Int x) const {
  const Fraction most = sum(true);
  return ceil_mul_div(most.n, x, most.d);
}

}  // namespace checker
