// What an SM can hold, and when it blocks.
#pragma once

#include <span>
#include <vector>

#include "certificate.hpp"

namespace checker {

/// The different demands of blocks on a GPU, in increasing order.
struct Classes {
  std::vector<Amounts> demand;
  [[nodiscard]] std::size_t of(const Amounts& block) const;
};
[[nodiscard]] Classes classes_of(std::span<const Task> tasks, const Pool& gpu);

/// One SM for blocks of these classes; those that `may_wait` can be at the head of the queue.
struct Sm {
  std::vector<Amounts> demand;
  std::vector<bool> may_wait;
  std::vector<std::size_t> limited;  // resources with a limit
  Amounts capacity{};
  Amounts largest{};            // demand of a class that may wait
  std::vector<Amounts> needed;  // of each class: what must be free for a block to start surely
  Amounts enough{};             // the most of those that may wait
};

/// How many such warps the parts of a register file hold. Requires registers with a limit, and some in the block.
[[nodiscard]] Int warps_with_registers(const Amounts& block, const Pool& gpu);

/// How many such blocks an empty SM holds.
[[nodiscard]] Int blocks_per_sm(const Amounts& block, const Pool& gpu);

/// Whether a kernel is one of those that weights of this level are about.
[[nodiscard]] bool counts(const Task& task, const Level& level);
[[nodiscard]] Sm sm_of(std::span<const Task> tasks, const Pool& gpu, const Classes& classes, const Level& level);

/// The resources that may block first.
[[nodiscard]] std::vector<std::size_t> binding(const Sm& sm);
/// The least sum x_c value_c over configurations x that block by resource r, or less.
[[nodiscard]] Int least_cover(const Sm& sm, std::span<const Int> value, std::size_t r);
/// The largest sum x_c value_c over configurations, or over those that are not blocking, or more.
[[nodiscard]] Int most(const Sm& sm, std::span<const Int> value, bool not_blocking);

}  // namespace checker
