// What `nsys stats --report cuda_gpu_trace --format csv` prints: a row per kernel, copy and memset.
#pragma once

#include "bytes.hpp"
#include "notes.hpp"
#include "profile/profile.hpp"

namespace rta::convert {

/// A profile without calls of the CPU. Throws `io::InputError` with the line of what is wrong.
[[nodiscard]] Profile read_nsys_stats(Bytes& bytes, Notes& notes);

}  // namespace rta::convert
