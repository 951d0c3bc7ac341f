// Bounds of systems with release jitter (T12).
#pragma once

#include "rta/analysis/path/path.hpp"

namespace rta::analysis::path {

/// T12: T10n, T11 and T11g with these counts; where `refinement` has T10j, T10g and T11j, T12j, where it has T10d, T12d, and where it has
/// T10w and T10m, T12w and T12m. Requires J < T where something may be blocked, and no slices.
[[nodiscard]] Result<NodeBounds> bounds_with_release_jitter(const System& system, Refinement refinement, const Limits& limits);

}  // namespace rta::analysis::path
