// T5 to T7: kernels on the SMs of a GPU, and the weights by which whole DAGs count them.
#pragma once

#include <span>

#include "certificate.hpp"
#include "processors.hpp"

namespace checker {

/// The different demands of blocks on a GPU, in increasing order.
struct Classes {
  std::vector<Amounts> demand;
  [[nodiscard]] std::size_t of(const Amounts& block) const;
};
[[nodiscard]] Classes classes_of(std::span<const Task> tasks, const Pool& gpu);

/// Throws `Refused` unless no blocking configuration weighs less than 1.
void check_weights(const Weights& weights, std::span<const Task> tasks, const Pool& gpu);

/// Throws `Refused` where the theorem's condition does not hold. `weights` have been checked.
[[nodiscard]] BoundOf kernels_base(std::span<const Task> tasks, const Pool& gpu, const Statement& base, const Certificate& certificate);

/// `overload P LEVEL x...`: a blocking configuration x, and more load than g SMs can do of what it has in use.
void check_overload(std::span<const Task> tasks, const Pool& gpu, const Statement& statement);

}  // namespace checker
