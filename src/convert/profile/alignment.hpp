// The longest common subsequence of two sequences that differ little.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace rta::convert {

/// Pairs of indices of equal elements, both increasing, as many as there can be. Nothing when more than `most` elements have no partner.
/// Myers 1986; O((n + m) d) for d without a partner.
[[nodiscard]] std::optional<std::vector<std::pair<std::uint32_t, std::uint32_t>>> aligned(std::span<const std::uint64_t> a,
                                                                                          std::span<const std::uint64_t> b,
                                                                                          std::size_t most);

}  // namespace rta::convert
