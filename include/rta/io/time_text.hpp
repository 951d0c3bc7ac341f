// Times as people write them in files and on command lines.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "rta/model/quantity.hpp"

namespace rta::io {

/// A time: a number and ns, us, ms, s, m or h. Nothing when the text is none, is negative, too large or no whole number of ns.
[[nodiscard]] std::optional<Time> parse_time(std::string_view text);

enum class TimeUnit : std::uint8_t { ns, us, ms, s };

/// The unit in which a file writes most of the times that bounds are compared with: its `time_unit`, or else the one that follows most
/// numbers of periods, deadlines and limits, or of all its times where it has no such ones; of several the largest. Comments do not count,
/// and nothing but the first MiB does. Nothing: no time has a unit, or most are in ns, as in files that programs write.
[[nodiscard]] std::optional<TimeUnit> usual_time_unit(std::string_view text);

}  // namespace rta::io
