// Words of run files.
#pragma once

#include <array>
#include <string_view>

#include "rta/simulate/options.hpp"

namespace rta::trace {

inline constexpr std::array placements{simulate::Placement::most_free, simulate::Placement::least_free, simulate::Placement::first_fit,
                                       simulate::Placement::round_robin, simulate::Placement::random};
inline constexpr std::array copy_rules{simulate::CopyRules::yang2020, simulate::CopyRules::amert2017};
inline constexpr std::array streams{simulate::Streams::per_job, simulate::Streams::per_task};
inline constexpr std::array slice_orders{simulate::SliceOrder::round_robin, simulate::SliceOrder::worst};
inline constexpr std::array block_times{simulate::BlockTimes::even, simulate::BlockTimes::long_first};
inline constexpr std::array ties{simulate::Ties::in_order, simulate::Ties::random};

template <class T, std::size_t n>
[[nodiscard]] std::array<std::string_view, n> words_of(const std::array<T, n>& values) {
  std::array<std::string_view, n> words;
  for (std::size_t i = 0; i < n; ++i) words[i] = to_string(values[i]);
  return words;
}

}  // namespace rta::trace
