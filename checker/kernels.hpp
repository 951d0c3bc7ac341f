// T5 to T7, T14j: kernels on the SMs of a GPU, and the weights by which whole DAGs count them.
#pragma once

#include <span>

#include "certificate.hpp"
#include "configurations.hpp"
#include "processors.hpp"

namespace checker {

/// Throws `Refused` unless no blocking configuration weighs less than 1.
void check_weights(const Weights& weights, std::span<const Task> tasks, const Pool& gpu);

/// (g-1) K + K': the most counted work of blocks that are resident at once while an SM is not blocking.
[[nodiscard]] Int most_resident(const Weights& weights, std::span<const Task> tasks, const Pool& gpu);

/// Throws `Refused` where the theorem's condition does not hold. `weights` have been checked.
[[nodiscard]] BoundOf kernels_base(std::span<const Task> tasks, const Pool& gpu, const Statement& base, const Certificate& certificate);

/// `overload P LEVEL x...`: a blocking configuration x, and more load than g SMs can do of what it has in use.
void check_overload(std::span<const Task> tasks, const Pool& gpu, const Statement& statement);

}  // namespace checker
