// T10p: of a job itself only what is parallel to a node of the path can run while the path waits.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "system.hpp"

namespace checker {

/// One for each item of a job.
using Bits = std::vector<std::uint64_t>;

/// The paths of one job, with what they count of it.
class Parallel {
 public:
  /// `only`: what is counted on this local queue alone, and neither length nor the path's own nodes.
  Parallel(const System& system, const Job& job, std::optional<std::size_t> only);
  /// Of paths that end in v: sum of e - s/cap and of the counted work, in the grid; with `only`, of the counted work as it is.
  [[nodiscard]] const std::vector<Way>& ways(std::size_t v) const { return ways_[v]; }
  /// Which queue the pieces of the ways are of.
  [[nodiscard]] std::optional<std::size_t> pieces_queue() const { return pieces_queue_; }
  /// Whether u can run while q, on the same queue, waits for what its queue lets go first.
  [[nodiscard]] bool meanwhile(std::size_t u, std::size_t q) const { return (parallel_[q][u / 64] >> (u % 64) & 1U) != 0; }

 private:
  void set_parallel(const System& system);
  void set_ways(const System& system);

  const Job& job_;
  std::optional<std::size_t> only_;
  std::optional<std::size_t> pieces_queue_;  // local
  std::vector<Bits> parallel_;
  std::vector<std::vector<Way>> ways_;
};

}  // namespace checker
