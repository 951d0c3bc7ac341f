// What nodes of ROS 2 did, as ros2_tracing (LTTng) records it and babeltrace2 prints it.
#pragma once

#include "bytes.hpp"
#include "draft.hpp"
#include "notes.hpp"
#include "rta/convert/convert.hpp"

namespace rta::convert {

/// A DAG per callback that no other callback releases, with all to which its messages lead; a pool per executor. Throws `io::InputError`
/// with the place of what is wrong.
[[nodiscard]] Draft read_ros2(Bytes& bytes, const Options& options, Notes& notes);

}  // namespace rta::convert
