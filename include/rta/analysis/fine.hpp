// A length below one nanosecond matters when many rounded terms are added: terms are rounded up to 2^-16 ns, their sum once to 1 ns.
#pragma once

#include <string>

#include "rta/model/quantity.hpp"

namespace rta::analysis {

/// Time in units of 2^-16 ns, 128 bits.
using FineTime = Quantity<struct FineTimeUnit, Wide>;
inline constexpr int fine_bits = 16;

[[nodiscard]] constexpr FineTime fine(Time t) { return FineTime(static_cast<Wide>(t.count()) * (Wide{1} << fine_bits)); }
/// Smallest FineTime >= n / d ns. Requires d > 0.
[[nodiscard]] constexpr FineTime fine_ceil(Wide n, Wide d) {
  constexpr Wide direct = Wide{1} << (126 - fine_bits);
  if (n < direct && n > -direct) return FineTime(ceil_div(n * (Wide{1} << fine_bits), d));
  const Wide whole = floor_div(n, d);
  const Wide rest = n - whole * d;
  return FineTime(checked_add(checked_mul(whole, Wide{1} << fine_bits), ceil_div(checked_mul(rest, Wide{1} << fine_bits), d)));
}
/// Smallest whole number of ns >= t.
[[nodiscard]] constexpr Time ceil_to_time(FineTime t) { return to_time(ceil_div(t.count(), Wide{1} << fine_bits)); }
/// In ns, as a decimal rounded up to its third place, without trailing zeros.
[[nodiscard]] std::string text(FineTime t);

}  // namespace rta::analysis
