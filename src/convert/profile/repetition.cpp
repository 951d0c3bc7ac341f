#include <algorithm>

#include "jobs.hpp"

namespace rta::convert {

std::optional<Repetition> find_repetition(std::span<const std::uint32_t> sequence) {
  const std::size_t n = sequence.size();
  const auto from_end = [&](std::size_t i) { return sequence[n - 1 - i]; };
  // The Z function of the reversed sequence: equal[p] elements before the end equal those p further back.
  std::vector<std::size_t> equal(n);
  for (std::size_t p = 1, low = 0, high = 0; p < n; ++p) {
    std::size_t length = p < high ? std::min(high - p, equal[p - low]) : 0;
    while (p + length < n && from_end(length) == from_end(p + length)) ++length;
    equal[p] = length;
    if (p + length > high) {
      low = p;
      high = p + length;
    }
  }
  std::size_t most = 0;
  for (std::size_t p = 1; p < n; ++p) {
    if (equal[p] >= p) most = std::max(most, equal[p] + p);
  }
  if (most * 2 < n || most == 0) return std::nullopt;
  for (std::size_t p = 1; p < n; ++p) {
    const std::size_t covered = equal[p] + p;
    if (equal[p] >= p && covered * 10 >= most * 9) return Repetition{n - covered, p};
  }
  return std::nullopt;
}

}  // namespace rta::convert
