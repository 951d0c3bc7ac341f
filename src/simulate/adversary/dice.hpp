// Random numbers of a search: the same seed, the same numbers.
#pragma once

#include <array>
#include <cstdint>

#include "../random.hpp"
#include "rta/simulate/options.hpp"

namespace rta::simulate {

[[nodiscard]] constexpr SliceOrder other(SliceOrder order) {
  return order == SliceOrder::worst ? SliceOrder::round_robin : SliceOrder::worst;
}
[[nodiscard]] constexpr BlockTimes other(BlockTimes times) { return times == BlockTimes::even ? BlockTimes::long_first : BlockTimes::even; }
inline constexpr std::array all_placements{Placement::most_free, Placement::round_robin, Placement::least_free, Placement::first_fit,
                                           Placement::random};

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : seed_(seed) {}

  /// Requires low <= high and a range below 2^62.
  [[nodiscard]] std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + simulate::between(mix(seed_ ^ mix(draws_++)), 0, high - low);
  }
  /// Below `n`, which is not 0.
  [[nodiscard]] std::size_t below(std::size_t n) { return static_cast<std::size_t>(between(0, static_cast<std::int64_t>(n) - 1)); }
  [[nodiscard]] bool one_in(std::int64_t n) { return between(1, n) == 1; }
  template <class List>
  [[nodiscard]] const auto& pick(const List& list) {
    return list[below(list.size())];
  }

 private:
  std::uint64_t seed_;
  std::uint64_t draws_ = 0;
};

}  // namespace rta::simulate
