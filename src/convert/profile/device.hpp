// The pools of the GPUs of a profile.
#pragma once

#include <optional>
#include <string>

#include "../draft.hpp"
#include "../notes.hpp"
#include "profile.hpp"
#include "rta/convert/convert.hpp"

namespace rta::convert {

/// The GPU with the number `device`: `--device`, or the limits in the file; what neither says is missing or taken from the table of compute
/// capabilities, which `notes` tell. Nothing when something is missing.
[[nodiscard]] std::optional<GpuPool> gpu_pool(const Profile& profile, std::int64_t device, const Options& options, Notes& notes);

/// Why a GPU of the profile, on which something ran, cannot be made a pool: it is another vendor's, or nobody knows whose. Empty: it is
/// NVIDIA's.
[[nodiscard]] std::string foreign_gpu(const Profile& profile, const Options& options);

/// How many copy engines that GPU has for a task set: 1, or 2 with one per direction.
[[nodiscard]] std::uint32_t copy_engines(const Profile& profile, std::int64_t device, const GpuPool& gpu, const Options& options,
                                         Notes& notes);

}  // namespace rta::convert
