// What the kinds of pools share when they report bounds.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rta/analysis/pool_bounds.hpp"

namespace rta::analysis {

/// The theorems know tasks by number (`task #3`); people know nodes by name.
[[nodiscard]] std::string with_names(std::string_view text, std::span<const PoolNode> nodes);

[[nodiscard]] PoolResult no_bound(PoolBound summary, std::span<const PoolNode> nodes, std::string_view reason);

/// T3s: the first sequential node whose job may have to wait for its predecessor, if any.
[[nodiscard]] std::optional<std::size_t> first_that_waits(std::span<const PoolNode> nodes, std::span<const std::optional<Time>> R);

/// Fills in the bounds and what follows from them: whether all are there, the largest lateness, the theorems' names.
void set_bounds(PoolResult& result, std::span<const PoolNode> nodes, std::vector<std::optional<Time>> R, std::vector<std::string> theorem);

}  // namespace rta::analysis
