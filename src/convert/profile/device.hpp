// The pools of the GPUs of a profile.
#pragma once

#include <optional>

#include "../draft.hpp"
#include "../notes.hpp"
#include "profile.hpp"
#include "rta/convert/convert.hpp"

namespace rta::convert {

/// The GPU with the number `device`: `--device`, or the limits in the file; what neither says is missing or taken from the table of compute
/// capabilities, which `notes` tell. Nothing when something is missing.
[[nodiscard]] std::optional<GpuPool> gpu_pool(const Profile& profile, std::int64_t device, const Options& options, Notes& notes);

/// How many copy engines that GPU has for a task set: 1, or 2 with one per direction.
[[nodiscard]] std::uint32_t copy_engines(const Profile& profile, std::int64_t device, const GpuPool& gpu, const Options& options,
                                         Notes& notes);

/// How many blocks of a kernel an SM holds at once; at least 1.
[[nodiscard]] std::uint64_t resident_blocks(const GpuPool& gpu, const GpuOperation& kernel);

}  // namespace rta::convert
