// `time` of a kernel holds for the SMs that it was measured on: whoever changes these may not keep it.
#pragma once

#include <span>

#include "diagnostics.hpp"
#include "rta/io/setting.hpp"
#include "rta/model/task_set.hpp"
#include "yaml_tree.hpp"

namespace rta::io {

/// Reports each `time` in a file with choices that would count for other SMs, or for another device, as the choices fall.
void check_durations(const Value& root, Diagnostics& out);

/// Throws `UserError` where a kernel has the `time` that it has in `file`, but after the settings other SMs or another device; unless one
/// of them gives that very time.
void check_durations(const TaskSet& file, const TaskSet& changed, std::span<const Setting> settings);

}  // namespace rta::io
