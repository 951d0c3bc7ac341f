// Stream priorities of kernels.
#pragma once

#include <cstdint>
#include <string>

namespace rta {

/// The larger, the more urgent; 0 is what a stream has when none is given.
using StreamPriority = std::uint32_t;
inline constexpr StreamPriority low_priority = 0;   // `low` in files
inline constexpr StreamPriority high_priority = 1;  // `high`
inline constexpr StreamPriority highest_stream_priority = 255;

/// `low`, `high`, or the number.
[[nodiscard]] std::string stream_priority_text(StreamPriority priority);

}  // namespace rta
