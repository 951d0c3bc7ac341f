// Whether the deadlines of sporadic tasks on one processor can be met at all.
#pragma once

#include <optional>
#include <span>

#include "rta/analysis/hard/hard.hpp"

namespace rta::analysis::hard {

/// Whether in any interval the jobs fit whose releases and deadlines D are within it, which decides whether EDF, or anything, meets all
/// D on one processor (hard.md, "One processor"). Nothing where that takes too long to find out. Requires 0 <= C and 0 < D <= T.
[[nodiscard]] std::optional<bool> demand_fits(std::span<const Task> tasks);

}  // namespace rta::analysis::hard
