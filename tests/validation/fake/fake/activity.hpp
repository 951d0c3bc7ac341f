// What the fake device tells whoever records it: tests/validation/cupti/libcupti_fake_device.cpp makes CUPTI's records of it.
#pragma once

#include <cstdint>

namespace fake {

struct Activity {
  enum class Kind { call, stream, kernel, copy, memset, event, wait_event, wait, range, range_end };
  Kind kind;
  const char* name;           // of the call, the kernel or the range
  std::uint32_t correlation;  // with the call that asked for it; of a range its number
  std::uint32_t stream;
  std::uint32_t event;
  std::uint64_t recording;   // which one of the event
  std::uint64_t start, end;  // ns of CLOCK_MONOTONIC
  std::uint32_t grid[3], block[3];
  std::uint64_t bytes;  // of a copy or memset, or dynamic shared memory
  bool to_device;       // a copy
  int priority;         // of the stream
};

}  // namespace fake
