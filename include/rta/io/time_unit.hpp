// The unit in which a file writes its times, for results that are shown in it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace rta::io {

enum class TimeUnit : std::uint8_t { ns, us, ms, s };

/// The unit in which a file writes most of the times that bounds are compared with: its `time_unit`, or else the one that follows most
/// numbers of periods, deadlines and limits, or of all its times where it has no such ones; of several the largest, but ms where most
/// are in s and some in ms. Comments do not count, and nothing but the first MiB does. Nothing: no time has a unit, or most are in ns, as
/// in files that programs write.
[[nodiscard]] std::optional<TimeUnit> usual_time_unit(std::string_view text);

}  // namespace rta::io
