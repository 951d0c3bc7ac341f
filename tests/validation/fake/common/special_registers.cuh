// The fake device's, in place of the runtime's.
#pragma once

#include <cstdint>

#include "fake/device.hpp"

namespace common {

inline std::uint64_t global_time() { return fake::global_time(); }
inline unsigned sm_number() { return fake::current_sm; }

}  // namespace common
