#include "intervals.hpp"

#include <algorithm>
#include <limits>

namespace rta::lint {
namespace {

constexpr std::uint32_t no_range = std::numeric_limits<std::uint32_t>::max();

}  // namespace

Intervals::Intervals(std::span<const Range> ranges) {
  std::vector<std::uint32_t> open;
  const auto change = [&](std::uint32_t token) {
    const std::uint32_t now = open.empty() ? no_range : open.back();
    if (!changes_.empty() && changes_.back().token == token) {
      changes_.back().range = now;
    } else {
      changes_.push_back({token, now});
    }
  };
  const auto close_until = [&](std::uint32_t token) {
    while (!open.empty() && ranges[open.back()].end <= token) {
      const std::uint32_t end = ranges[open.back()].end;
      while (!open.empty() && ranges[open.back()].end <= end) open.pop_back();
      change(end);
    }
  };
  for (std::uint32_t r = 0; r < ranges.size(); ++r) {
    if (ranges[r].empty()) continue;
    close_until(ranges[r].begin);
    open.push_back(r);
    change(ranges[r].begin);
  }
  close_until(no_range);
}

std::uint32_t Intervals::at(std::uint32_t token) const {
  const auto after = std::ranges::upper_bound(changes_, token, {}, &Change::token);
  return after == changes_.begin() ? no_range : std::prev(after)->range;
}

}  // namespace rta::lint
