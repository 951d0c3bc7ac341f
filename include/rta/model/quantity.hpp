// Checked integer quantities: `Time` (ns) and `Workload` (G-thread x ns). Arithmetic that does not fit throws `Overflow`; nothing wraps.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

namespace rta {

/// 128-bit integer for intermediate products.
__extension__ using Wide = __int128;

/// A number left the range of its type. Never swallowed: a bound that wraps would be too low.
class Overflow : public std::overflow_error {
 public:
  explicit Overflow(const std::string& what) : std::overflow_error(what) {}
};

[[noreturn]] void throw_overflow(const char* operation);

template <class Rep>
[[nodiscard]] constexpr Rep checked_add(Rep a, Rep b) {
  Rep r{};
  if (__builtin_add_overflow(a, b, &r)) throw_overflow("sum");
  return r;
}
template <class Rep>
[[nodiscard]] constexpr Rep checked_sub(Rep a, Rep b) {
  Rep r{};
  if (__builtin_sub_overflow(a, b, &r)) throw_overflow("difference");
  return r;
}
template <class Rep>
[[nodiscard]] constexpr Rep checked_mul(Rep a, Rep b) {
  Rep r{};
  if (__builtin_mul_overflow(a, b, &r)) throw_overflow("product");
  return r;
}

/// Smallest integer >= a / b. Requires b > 0; a may be negative.
[[nodiscard]] constexpr Wide ceil_div(Wide a, Wide b) {
  const Wide q = a / b;
  return q + static_cast<Wide>(a - q * b > 0);  // one 128-bit division; a % b would be a second
}
/// Largest integer <= a / b. Requires b > 0; a may be negative.
[[nodiscard]] constexpr Wide floor_div(Wide a, Wide b) {
  const Wide q = a / b;
  return q - static_cast<Wide>(a - q * b < 0);
}

/// The greatest common divisor of two numbers >= 0; of 0 and b it is b. (`std::gcd` takes no 128-bit integers in strict C++20.)
[[nodiscard]] constexpr Wide gcd(Wide a, Wide b) {
  while (b != 0) {
    const Wide rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/// `value` in decimal (the standard library prints no 128-bit integers).
[[nodiscard]] std::string to_string(Wide value);

/// An integer with a unit in its type. `Rep` is the range in which it must stay.
template <class Unit, class Rep>
class Quantity {
 public:
  using rep = Rep;
  constexpr Quantity() = default;
  constexpr explicit Quantity(Rep count) : count_(count) {}

  [[nodiscard]] constexpr Rep count() const { return count_; }
  [[nodiscard]] static constexpr Quantity zero() { return Quantity{}; }

  constexpr auto operator<=>(const Quantity&) const = default;

  friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity(checked_add(a.count_, b.count_)); }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity(checked_sub(a.count_, b.count_)); }
  friend constexpr Quantity operator*(Quantity a, Rep k) { return Quantity(checked_mul(a.count_, k)); }
  constexpr Quantity& operator+=(Quantity o) { return *this = *this + o; }
  constexpr Quantity& operator-=(Quantity o) { return *this = *this - o; }

 private:
  Rep count_ = 0;
};

/// Whole nanoseconds; a duration or an instant.
using Time = Quantity<struct TimeUnit, std::int64_t>;
/// G-thread x nanoseconds: what one G-thread does in one ns is 1.
using Workload = Quantity<struct WorkloadUnit, Wide>;

/// The time of `ns` nanoseconds. Throws `Overflow` when it does not fit in 64 bits.
[[nodiscard]] constexpr Time to_time(Wide ns) {
  if (ns > std::numeric_limits<std::int64_t>::max() || ns < std::numeric_limits<std::int64_t>::min()) throw_overflow("time");
  return Time(static_cast<std::int64_t>(ns));
}

namespace literals {
constexpr Time operator""_ns(unsigned long long n) { return to_time(static_cast<Wide>(n)); }
constexpr Time operator""_us(unsigned long long n) { return to_time(static_cast<Wide>(n) * 1'000); }
constexpr Time operator""_ms(unsigned long long n) { return to_time(static_cast<Wide>(n) * 1'000'000); }
constexpr Time operator""_s(unsigned long long n) { return to_time(static_cast<Wide>(n) * 1'000'000'000); }
}  // namespace literals

}  // namespace rta
