// ln and exp with the same last bit everywhere: only additions, multiplications and divisions of IEEE 754 doubles. They steer random
// draws; nothing that is printed as a bound depends on them. Written without branches and without conversions between integers and
// doubles, so that a loop over them is compiled for several numbers at once.
#pragma once

#include <bit>
#include <cstdint>

namespace rta::generate {

/// (((first x + next) x + ...) x + last): without a loop, so that a loop around it is one for several numbers.
template <class... Next>
[[nodiscard]] inline double horner(double x, double first, Next... next) {
  ((first = first * x + next), ...);
  return first;
}

/// Natural logarithm of a positive normal number, relative error below 1e-15.
[[nodiscard]] inline double natural_log(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t mantissa = bits & 0xF'FFFF'FFFF'FFFFULL;
  const std::uint64_t large = (0x6'A09E'667F'3BCDULL - mantissa) >> 63;         // whether it is above that of sqrt 2
  const double m = std::bit_cast<double>(mantissa | ((1023 - large) << 52));    // in [sqrt 1/2, sqrt 2]
  const std::uint64_t whole = 0x4330'0000'0000'0000ULL + (bits >> 52) + large;  // 2^52 + biased exponent, as a double
  const double e = std::bit_cast<double>(whole) - (0x1p52 + 1023);
  // ln m = 2 atanh(t) = 2 (t + t^3/3 + t^5/5 + ...), |t| < 0.1716
  const double t = (m - 1) / (m + 1);
  const double q = t * t;
  const double series = horner(q, 1.0 / 23, 1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13, 1.0 / 11, 1.0 / 9, 1.0 / 7, 1.0 / 5, 1.0 / 3);
  const double tail = t * q * series;
  constexpr double ln2_high = 0x1.62e42fee00000p-1;
  constexpr double ln2_low = 0x1.a39ef35793c76p-33;
  return e * ln2_high + (2 * t + (2 * tail + e * ln2_low));
}

/// e^x for -700 < x < 700, relative error below 1e-15.
[[nodiscard]] inline double exponential(double x) {
  constexpr double ln2_high = 0x1.62e42fee00000p-1;
  constexpr double ln2_low = 0x1.a39ef35793c76p-33;
  const double y = x * 1.4426950408889634 + 0.5;
  const double nearest = (y + 0x1.8p52) - 0x1.8p52;
  const std::uint64_t above = std::bit_cast<std::uint64_t>(y - nearest) >> 63;
  const double k = nearest - std::bit_cast<double>(-above & 0x3FF0'0000'0000'0000ULL);  // floor of y
  const double r = (x - k * ln2_high) - k * ln2_low;                                    // |r| <= 0.347
  const double series = horner(r, 1.0 / 87178291200, 1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880,
                               1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1.0, 1.0);
  return series * std::bit_cast<double>(std::bit_cast<std::uint64_t>(k + (0x1.8p52 + 1023)) << 52);
}

}  // namespace rta::generate
