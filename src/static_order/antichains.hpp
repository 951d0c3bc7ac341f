// How much kernels that may overlap take of a GPU at most: T15w's condition.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rta/model/quantity.hpp"
#include "waiting.hpp"

namespace rta::static_order {

/// A kernel for which there may be no room, and how much the others may hold then.
struct Crowd {
  std::size_t kernel = 0;
  Wide others = 0;
};

/// Over all sets of kernels of which none waits for another, directly or not: for no kernel x may weight_x (B_x - 1) and the largest sum of
/// weight x B of kernels parallel to x reach the capacity. Returns a kernel for which they do. `kernels`: ids of those on the GPU. A kernel
/// with weight 0 runs alone: no other may be parallel to it.
[[nodiscard]] std::optional<Crowd> overcrowded(const ScheduledHyperepoch& hyperepoch, const Waiting& waiting,
                                               const std::vector<std::size_t>& kernels, Wide capacity);

}  // namespace rta::static_order
