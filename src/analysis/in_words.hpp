// Numbers and configurations in sentences for people.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "rta/analysis/configuration.hpp"

namespace rta::analysis::fifo {

/// At most six decimals, without trailing zeros: `3072.5`. For people, never for a bound.
[[nodiscard]] std::string decimal(double value);

/// The first task of class c; `class_of[i]` is the class of task i.
[[nodiscard]] std::size_t first_of(std::span<const std::uint32_t> class_of, std::size_t c);
/// `2 blocks of task #0 and 1 block of task #3`.
[[nodiscard]] std::string blocks_in_words(const Configuration& x, std::span<const std::uint32_t> class_of);

}  // namespace rta::analysis::fifo
