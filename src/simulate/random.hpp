// Counter-based random numbers: every draw is a function of the seed and of what is drawn, so no draw depends on the order of events.
#pragma once

#include <cstdint>

#include "rta/model/quantity.hpp"

namespace rta::simulate {

/// The finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

/// What a draw is for; keeps draws for different purposes independent.
enum class Draw : std::uint64_t { execution = 1, phase, jitter, tie, placement, late, part, supply };

/// The draw (a, b) for `purpose`.
[[nodiscard]] constexpr std::uint64_t draw(std::uint64_t seed, Draw purpose, std::uint64_t a, std::uint64_t b = 0) {
  return mix(mix(mix(seed ^ (static_cast<std::uint64_t>(purpose) << 56)) ^ a) ^ b);
}
/// The `c`-th of a family of draws.
[[nodiscard]] constexpr std::uint64_t draw_from(std::uint64_t family, std::uint64_t c) { return mix(family ^ c); }

/// `random` mapped to [low, high]. Requires 0 <= low <= high < 2^62.
[[nodiscard]] constexpr std::int64_t between(std::uint64_t random, std::int64_t low, std::int64_t high) {
  return low + static_cast<std::int64_t>((static_cast<Wide>(random >> 1) * (high - low + 1)) >> 63);
}

/// `random` mapped to [low, high] with a density that rises to `mode` and falls after it: on either side the further from its end of two
/// uniform numbers. Requires 0 <= low <= mode <= high < 2^62.
[[nodiscard]] constexpr std::int64_t triangular(std::uint64_t random, std::int64_t low, std::int64_t mode, std::int64_t high) {
  const bool rising = between(random, 1, high - low) <= mode - low;
  const auto further = [&](std::int64_t width) {
    const std::int64_t a = between(draw_from(random, 1), 0, width);
    const std::int64_t b = between(draw_from(random, 2), 0, width);
    return a > b ? a : b;
  };
  return rising ? low + further(mode - low) : high - further(high - mode);
}

}  // namespace rta::simulate
