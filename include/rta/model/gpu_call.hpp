// Calls of CUDA's runtime that wait for a GPU, or make others wait: Yang (2020), section 3.3 and Table 3.8; measured again on an H200.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace rta {

/// What the caller waits for, of all that was issued before its call.
enum class Awaited : std::uint8_t { nothing, stream, device };
/// What starts only when all that was issued before the call has ended, though it is issued later: nothing, or operations of ...
enum class HeldStreams : std::uint8_t { none, blocking, all };

struct GpuCall {
  std::string_view name;
  Awaited awaits = Awaited::nothing;
  HeldStreams holds = HeldStreams::none;
  bool blocks_callers = false;  // other threads that call the driver meanwhile wait until it returns
  bool copies = false;          // it is a copy on the NULL stream, and returns when that has ended

  /// It concerns the work of its own stream at most.
  [[nodiscard]] constexpr bool is_private() const {
    return awaits != Awaited::device && holds == HeldStreams::none && !blocks_callers && !copies;
  }
};

/// All that are known, by name.
[[nodiscard]] std::span<const GpuCall> gpu_calls();
/// Null where it is not known.
[[nodiscard]] const GpuCall* gpu_call(std::string_view name);

}  // namespace rta
