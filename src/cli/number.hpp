// Options whose value is a number; they are declared as text, because Boost reads `-1` as the largest unsigned number.
#pragma once

#include <cstdint>
#include <limits>

#include "command.hpp"

namespace rta::cli {

constexpr std::uint64_t any_number = std::numeric_limits<std::uint64_t>::max();

/// The whole number that an option gives. Throws `UsageError` with the numbers that are allowed.
[[nodiscard]] std::uint64_t whole_number(const boost::program_options::variables_map& given, const char* option, std::uint64_t least,
                                         std::uint64_t most);
/// A finite number of at least 0, such as `0.5`. Throws `UsageError`.
[[nodiscard]] double decimal_number(const boost::program_options::variables_map& given, const char* option);

}  // namespace rta::cli
