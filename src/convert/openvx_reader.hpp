// Lists of OpenVX nodes (JSON): graphs whose nodes name their kernel, target, longest time and the data that they read and write.
#pragma once

#include <string_view>

#include "draft.hpp"
#include "notes.hpp"
#include "rta/convert/convert.hpp"

namespace rta::convert {

/// Throws `io::InputError` with the place of what is wrong.
[[nodiscard]] Draft read_openvx(std::string_view text, const Options& options, Notes& notes);

}  // namespace rta::convert
