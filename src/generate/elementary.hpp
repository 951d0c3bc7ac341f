// ln and exp with the same last bit everywhere: only additions, multiplications and divisions of IEEE 754 doubles. They steer random
// draws; nothing that is printed as a bound depends on them.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace rta::generate {

/// Natural logarithm of a positive normal number, relative error below 1e-15.
[[nodiscard]] inline double natural_log(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  auto exponent = static_cast<std::int64_t>(bits >> 52) - 1023;
  double m = std::bit_cast<double>((bits & 0xF'FFFF'FFFF'FFFFULL) | 0x3FF0'0000'0000'0000ULL);  // in [1, 2)
  if (m > 1.4142135623730951) {
    m *= 0.5;
    ++exponent;
  }
  // ln m = 2 atanh(t) = 2 (t + t^3/3 + t^5/5 + ...), |t| < 0.1716
  const double t = (m - 1) / (m + 1);
  const double q = t * t;
  constexpr double odd[] = {1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13, 1.0 / 11, 1.0 / 9, 1.0 / 7, 1.0 / 5, 1.0 / 3};
  double series = 1.0 / 23;
  for (const double c : odd) series = series * q + c;
  const double tail = t * q * series;
  constexpr double ln2_high = 0x1.62e42fee00000p-1;
  constexpr double ln2_low = 0x1.a39ef35793c76p-33;
  const auto e = static_cast<double>(exponent);
  return e * ln2_high + (2 * t + (2 * tail + e * ln2_low));
}

/// e^x for -700 < x < 700, relative error below 1e-15.
[[nodiscard]] inline double exponential(double x) {
  constexpr double ln2_high = 0x1.62e42fee00000p-1;
  constexpr double ln2_low = 0x1.a39ef35793c76p-33;
  const double k = std::floor(x * 1.4426950408889634 + 0.5);
  const double r = (x - k * ln2_high) - k * ln2_low;  // |r| <= 0.347
  constexpr double taylor[] = {1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
                               1.0 / 720,        1.0 / 120,       1.0 / 24,       1.0 / 6,       0.5,          1.0,         1.0};
  double series = 1.0 / 87178291200;
  for (const double c : taylor) series = series * r + c;
  const auto exponent = static_cast<std::int64_t>(k);
  return series * std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

}  // namespace rta::generate
