// Audsley's assignment of priority levels.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace rta::analysis {

/// An order of `candidates`, most urgent first, in which each passes `fits(which, more urgent ones)`; none when no order does, for a test
/// that asks only which are more urgent and never turns from no to yes when these become more (Audsley 1991). For another test, an order
/// that it found. The lowest level is filled first, with the first of `candidates` that fits there.
[[nodiscard]] std::optional<std::vector<std::size_t>> audsley_order(
    std::vector<std::size_t> candidates, const std::function<bool(std::size_t, std::span<const std::size_t>)>& fits);

}  // namespace rta::analysis
