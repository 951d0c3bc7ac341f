// Whole numbers of 128 bits that never wrap, and exact sums of fractions.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>

namespace checker {

/// A number left the range of 128 bits. What needs it is not verified.
struct OutOfRange : std::runtime_error {
  OutOfRange() : std::runtime_error("a number is out of range") {}
};

class Int {
 public:
  __extension__ using Raw = __int128;

  constexpr Int() = default;
  constexpr Int(Raw value) : value_(value) {}  // NOLINT(google-explicit-constructor): a number is a number
  [[nodiscard]] constexpr Raw raw() const { return value_; }
  [[nodiscard]] explicit constexpr operator bool() const { return value_ != 0; }

  friend constexpr Int operator+(Int a, Int b) {
    Raw sum = 0;
    if (__builtin_add_overflow(a.value_, b.value_, &sum)) throw OutOfRange();
    return sum;
  }
  friend constexpr Int operator-(Int a, Int b) {
    Raw difference = 0;
    if (__builtin_sub_overflow(a.value_, b.value_, &difference)) throw OutOfRange();
    return difference;
  }
  friend constexpr Int operator*(Int a, Int b) {
    Raw product = 0;
    if (__builtin_mul_overflow(a.value_, b.value_, &product)) throw OutOfRange();
    return product;
  }
  constexpr Int operator-() const { return Int(0) - *this; }
  constexpr Int& operator+=(Int other) { return *this = *this + other; }
  constexpr Int& operator-=(Int other) { return *this = *this - other; }
  friend constexpr auto operator<=>(Int a, Int b) = default;
  friend constexpr bool operator==(Int a, Int b) = default;

 private:
  Raw value_ = 0;
};

/// Largest whole number <= a / b. Requires b > 0.
[[nodiscard]] constexpr Int floor_div(Int a, Int b) {
  const Int::Raw q = a.raw() / b.raw();
  return Int(q) - Int(q * b.raw() > a.raw() ? 1 : 0);
}
/// Smallest whole number >= a / b. Requires b > 0.
[[nodiscard]] constexpr Int ceil_div(Int a, Int b) {
  const Int::Raw q = a.raw() / b.raw();
  return Int(q) + Int(q * b.raw() < a.raw() ? 1 : 0);
}
/// Smallest whole number >= a b / c, also where a b leaves the range. Requires b >= 0 and c > 0.
[[nodiscard]] constexpr Int ceil_mul_div(Int a, Int b, Int c) {
  const Int whole = floor_div(a, c);
  const Int rest = a - whole * c;
  Int::Raw product = 0;
  if (!__builtin_mul_overflow(rest.raw(), b.raw(), &product)) return whole * b + ceil_div(Int(product), c);
  const int bits = c < Int(Int::Raw{1} << 94) ? 32 : 1;  // of b at a time
  const Int base = Int(1) * (std::int64_t{1} << bits);
  Int quotient = 0;
  Int left = 0;
  for (int shift = 128 - bits; shift >= 0; shift -= bits) {
    const Int part = left * base + rest * Int((b.raw() >> shift) & (base.raw() - 1));
    const Int digit = floor_div(part, c);
    quotient = quotient * base + digit;
    left = part - digit * c;
  }
  return whole * b + quotient + Int(left > 0 ? 1 : 0);
}
[[nodiscard]] constexpr Int gcd(Int a, Int b) {
  Int::Raw x = a.raw();
  Int::Raw y = b.raw();
  while (y != 0) {
    const Int::Raw rest = x % y;
    x = y;
    y = rest;
  }
  return x;
}
/// How many releases a half-open interval holds at most: max(0, ceil(length/T)).
[[nodiscard]] constexpr Int jobs_in(Int length, Int T) { return length <= 0 ? Int(0) : ceil_div(length, T); }

[[nodiscard]] std::string to_string(Int value);
/// A whole number in decimal digits, perhaps with a minus sign. Throws `std::invalid_argument` for anything else, `OutOfRange` for too many
/// digits.
[[nodiscard]] Int to_int(std::string_view text);

/// n/d with d > 0.
struct Fraction {
  Int n = 0;
  Int d = 1;
};
/// `n` or `n/d`. Throws as `to_int`.
[[nodiscard]] Fraction to_fraction(std::string_view text);

/// Whether a <= b, exactly.
[[nodiscard]] bool at_most(Fraction a, Fraction b);

/// A sum of work/T: exact where the periods' common multiple has at most 62 bits, else rounded up at 2^-60, or at less where that leaves
/// the range.
class Load {
 public:
  void add(Int work, Int T) { by_period_[T] += work; }
  /// Whether the sum is at most c.
  [[nodiscard]] bool at_most(Int c) const;
  [[nodiscard]] bool at_most(Fraction c) const;
  /// Whether the sum is above c; false where that cannot be told.
  [[nodiscard]] bool above(Int c) const;
  /// Smallest whole number >= the sum times x. Requires x >= 0.
  [[nodiscard]] Int ceil_times(Int x) const;
  /// A common denominator, and the sum (rounded up where it is not exact) as a number of these parts.
  [[nodiscard]] Fraction rounded_up() const { return sum(true); }

 private:
  [[nodiscard]] Fraction sum(bool up) const;
  [[nodiscard]] Fraction sum_in(Int parts, bool up) const;
  [[nodiscard]] Int common_multiple() const;

  std::map<Int, Int> by_period_;
};

}  // namespace checker
