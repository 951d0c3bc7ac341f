// Lengths and work as the path bounds count them, in a type of their own: they do not mix with times in ns, nor with numbers of jobs.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

#include "rta/model/quantity.hpp"

namespace rta::analysis::path {

/// So many ticks of 1/Q ns: a length, or the time that a pool takes for some work. From and to ns through `Ticks` alone. Nothing is
/// checked: Q is chosen such that sums fit. Wider sums are of counts.
class Tick {
 public:
  constexpr Tick() = default;
  constexpr explicit Tick(std::int64_t count) : count_(count) {}
  /// Of a wider count that is known to fit.
  [[nodiscard]] static constexpr Tick narrow(Wide count) { return Tick(static_cast<std::int64_t>(count)); }

  [[nodiscard]] constexpr std::int64_t count() const { return count_; }
  [[nodiscard]] static constexpr Tick zero() { return Tick{}; }
  [[nodiscard]] static constexpr Tick min() { return Tick(std::numeric_limits<std::int64_t>::min()); }
  [[nodiscard]] static constexpr Tick max() { return Tick(std::numeric_limits<std::int64_t>::max()); }

  constexpr auto operator<=>(const Tick&) const = default;

  friend constexpr Tick operator+(Tick a, Tick b) { return Tick(a.count_ + b.count_); }
  friend constexpr Tick operator-(Tick a, Tick b) { return Tick(a.count_ - b.count_); }
  friend constexpr Tick operator-(Tick a) { return Tick(-a.count_); }
  friend constexpr Tick operator*(Tick a, std::int64_t n) { return Tick(a.count_ * n); }
  friend constexpr Tick operator*(std::int64_t n, Tick a) { return a * n; }
  friend constexpr Tick operator/(Tick a, std::int64_t n) { return Tick(a.count_ / n); }
  constexpr Tick& operator+=(Tick o) { return *this = *this + o; }
  constexpr Tick& operator-=(Tick o) { return *this = *this - o; }

 private:
  std::int64_t count_ = 0;
};

/// Of a wider count. Throws `Overflow` when it does not fit in 64 bits.
[[nodiscard]] constexpr Tick to_tick(Wide count) {
  if (count > Tick::max().count() || count < Tick::min().count()) throw_overflow("time");
  return Tick::narrow(count);
}

}  // namespace rta::analysis::path
