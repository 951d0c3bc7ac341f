#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace rta::static_order {

/// Units that elements pass on to elements after them, each at most its own, and each getting at most its own.
struct PassedOn {
  std::int64_t total = 0;
  std::vector<std::vector<std::pair<std::size_t, std::int64_t>>> from;  // element -> those that it gets some of, and how many
};

/// As many as possible. `before`: of each element those that are before it. By Dilworth's theorem with values the largest sum of units over
/// elements of which none is before another is all units less these, where `before` is transitive.
[[nodiscard]] PassedOn most_passed_on(std::span<const std::int64_t> units, const std::vector<std::vector<std::size_t>>& before);

}  // namespace rta::static_order
