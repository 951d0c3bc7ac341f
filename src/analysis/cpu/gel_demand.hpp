// T1e: how far the work of a GEL pool's tasks can run ahead of c processors.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "rta/analysis/cpu/gel.hpp"

namespace rta::analysis::gel {

/// sup over x >= 0 of A(x) - c x, where A(x) = sum over tasks with Y'_i <= x of (floor((x - Y'_i)/T_i) + 1) C_i.
class ExactDemand {
 public:
  /// `V` is the sum of the V_i, rounded up: A(x) <= U x + V. Walks share a budget of steps; past it the answers are upper bounds.
  ExactDemand(std::span<const Task> tasks, Time shift, const Utilization& U, FineTime V);

  /// The supremum, or an upper bound of it that is at most V. Nothing once the supremum is found to be at least `useless`. Requires c >= U.
  [[nodiscard]] std::optional<FineTime> operator()(Wide c, FineTime useless);

  /// How the last answer was found.
  struct Search {
    bool complete = false;
    Wide x = 0;  // where the supremum is reached, or where the budget was spent
  };
  [[nodiscard]] const Search& last_search() const { return search_; }

 private:
  // Tasks of equal T and Y'.
  struct Step {
    Wide next;  // the next x at which A jumps, by C
    Wide T;
    Wide C;
  };

  FineTime V_;
  Wide U_up_ = 0;  // U rounded up, in units of 2^-32
  Wide lcm_ = 1;   // of the T_i, or more than any x that is looked at: A(x + lcm) - c (x + lcm) <= A(x) - c x
  std::vector<Step> first_;
  std::vector<Step> heap_;
  std::size_t budget_;
  Search search_;
};

}  // namespace rta::analysis::gel
