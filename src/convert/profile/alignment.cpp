#include "alignment.hpp"

#include <algorithm>

namespace rta::convert {

std::optional<std::vector<std::pair<std::uint32_t, std::uint32_t>>> aligned(std::span<const std::uint64_t> a,
                                                                            std::span<const std::uint64_t> b, std::size_t most) {
  const auto n = static_cast<std::int64_t>(a.size()), m = static_cast<std::int64_t>(b.size());
  const auto equal = [&](std::int64_t x, std::int64_t y) { return a[static_cast<std::size_t>(x)] == b[static_cast<std::size_t>(y)]; };
  const std::int64_t limit = std::min(static_cast<std::int64_t>(most), n + m);
  // furthest[k + limit + 1]: the largest x on diagonal k = x - y that d edits reach; kept for every d, to walk back.
  std::vector<std::int64_t> furthest(static_cast<std::size_t>(2 * limit + 3), 0);
  std::vector<std::vector<std::int64_t>> rounds;
  const auto at = [&](std::int64_t k) { return static_cast<std::size_t>(k + limit + 1); };
  std::int64_t d = 0;
  for (bool reached = false;; ++d) {
    if (d > limit) return std::nullopt;
    // Of the round before only the diagonals from -d to d can matter.
    rounds.emplace_back(furthest.begin() + static_cast<std::ptrdiff_t>(at(-d)), furthest.begin() + static_cast<std::ptrdiff_t>(at(d) + 1));
    for (std::int64_t k = -d; k <= d && !reached; k += 2) {
      std::int64_t x = k == -d || (k != d && furthest[at(k - 1)] < furthest[at(k + 1)]) ? furthest[at(k + 1)] : furthest[at(k - 1)] + 1;
      if (d == 0) x = 0;
      while (x < n && x - k < m && equal(x, x - k)) ++x;
      furthest[at(k)] = x;
      reached = k == n - m && x >= n;
    }
    if (reached) break;
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  std::int64_t x = n, y = m;
  for (; d >= 0; --d) {
    const auto before = [&](std::int64_t k) { return rounds[static_cast<std::size_t>(d)][static_cast<std::size_t>(k + d)]; };
    const std::int64_t k = x - y;
    std::int64_t from_x = 0, from_y = 0, edited_x = 0;
    if (d > 0) {
      const bool down = k == -d || (k != d && before(k - 1) < before(k + 1));
      const std::int64_t from = down ? k + 1 : k - 1;
      from_x = before(from);
      from_y = from_x - from;
      edited_x = down ? from_x : from_x + 1;
    }
    // Back along the diagonal to where the edit led.
    while (x > edited_x) {
      --x;
      --y;
      pairs.emplace_back(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y));
    }
    x = from_x;
    y = from_y;
  }
  std::ranges::reverse(pairs);
  return pairs;
}

}  // namespace rta::convert
