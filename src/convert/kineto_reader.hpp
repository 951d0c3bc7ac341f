// Profiles of PyTorch (Kineto): Chrome trace JSON.
#pragma once

#include "bytes.hpp"
#include "notes.hpp"
#include "profile/profile.hpp"

namespace rta::convert {

/// Throws `io::InputError` with the place of what is wrong.
[[nodiscard]] Profile read_kineto(Bytes& bytes, Notes& notes);

}  // namespace rta::convert
