// Numbers on the command line. Options are declared as text, because Boost reads `-1` as the largest unsigned number.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "command.hpp"

namespace rta::cli {

constexpr std::uint64_t any_number = std::numeric_limits<std::uint64_t>::max();

/// All of the text as a whole number, without sign.
[[nodiscard]] std::optional<std::uint64_t> whole_number(std::string_view text);
/// The whole number that an option gives. Throws `UsageError` with the numbers that are allowed.
[[nodiscard]] std::uint64_t whole_number(const boost::program_options::variables_map& given, const char* option, std::uint64_t least,
                                         std::uint64_t most);
/// A finite number of at least 0, such as `0.5`. Throws `UsageError`.
[[nodiscard]] double decimal_number(const boost::program_options::variables_map& given, const char* option);
/// That number of seconds; more than a lifetime is one.
[[nodiscard]] std::chrono::nanoseconds seconds_option(const boost::program_options::variables_map& given, const char* option);
/// A size with a unit, such as `512 MiB`, `2GiB` or `1000` (bytes), of at least one byte. Throws `UsageError`.
[[nodiscard]] std::uint64_t size_in_bytes(const boost::program_options::variables_map& given, const char* option);
/// A percentage without sign, with at most four digits before the point and four after it, such as `99.9`, in millionths of the whole.
[[nodiscard]] std::optional<std::uint32_t> percentage(std::string_view text);

}  // namespace rta::cli
