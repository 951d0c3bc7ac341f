// What calls of the CUDA API mean for the order of things.
#pragma once

#include <cstdint>
#include <string_view>

namespace rta::convert {

enum class CallKind : std::uint8_t {
  other,          // launches, when an operation refers to it
  waits_context,  // until all that was launched before has ended
  waits_stream,   // until a stream is empty
  waits_event,    // until an event has happened
  copies,         // launches a copy and waits for it
  record_event,   // marks a place in a stream
  stream_waits,   // makes a stream wait for an event
};

/// By name; names of the driver API and names with a version at the end (`cudaLaunchKernel_v7000`) are known, too.
[[nodiscard]] CallKind kind_of_call(std::string_view name);

}  // namespace rta::convert
