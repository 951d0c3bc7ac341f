// T1e, T1re: how far the work of a GEL pool's tasks can run ahead of c processors.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "rta/analysis/cpu/gel.hpp"

namespace rta::analysis::gel {

/// sup over x >= 0 of A(x) - c x, where A(x) = sum over tasks with Y'_i <= x of (floor((x - Y'_i + J_i)/T_i) + 1) C_i.
class ExactDemand {
 public:
  /// `V` is the sum of the V_i, rounded up: A(x) <= U x + V. Walks share a budget of steps; past it the answers are upper bounds.
  ExactDemand(std::span<const Task> tasks, Time shift, const Utilization& U, FineTime V);

  /// The supremum, or an upper bound of it that is at most V. Nothing once the supremum is found to be at least `useless`. Requires c >= U.
  [[nodiscard]] std::optional<FineTime> operator()(Wide c, FineTime useless);

  /// The supremum over x >= point, for each of `points`, ascending and >= 0. Walks of this kind have a budget of their own; nothing once it
  /// is spent. Requires c >= U and some work.
  [[nodiscard]] std::optional<std::vector<Wide>> beyond(Wide c, std::span<const Wide> points);

  /// How the last answer was found; for several points, that of the last one.
  struct Search {
    bool complete = false;
    Wide x = 0;  // where the supremum is reached, or where the budget was spent
  };
  [[nodiscard]] const Search& last_search() const { return search_; }

  static constexpr std::size_t most_steps = 100'000;  // of all walks of one pool: a few milliseconds
  [[nodiscard]] std::size_t most_steps_beyond() const { return most_beyond_; }
  /// Whether a budget ended some walk.
  [[nodiscard]] bool spent() const { return spent_; }
  [[nodiscard]] bool spent_beyond() const { return spent_beyond_; }

 private:
  // Tasks of equal T, Y' and J.
  struct Step {
    Wide next;  // the next x at which A jumps, by C
    Wide T;
    Wide sooner;  // than T after it the one after that may come: J, after the first
    Wide C;
  };

  /// The last x at which A(x) - c x may be more than `found`, by the utilization alone.
  [[nodiscard]] std::optional<Wide> horizon(Wide c, Wide found) const;
  /// At most c - U, in units of 2^-32: A(x) - c x <= V - slack x.
  [[nodiscard]] Wide slack(Wide c) const;
  void start();
  /// All jumps at the next x.
  void jump(Wide& A, std::size_t& budget);

  FineTime V_;
  Wide U_up_ = 0;     // U rounded up, in units of 2^-32
  Wide lcm_ = 1;      // of the T_i, or more than any x that is looked at: A(x + lcm) - c (x + lcm) <= A(x) - c x for x from repeats_ on
  Wide repeats_ = 0;  // the largest Y' of a task with J > 0: before it, its second job may be less than T away
  std::vector<Step> first_;
  std::vector<Step> heap_;
  std::size_t most_beyond_;
  std::size_t budget_;
  std::size_t budget_beyond_;
  bool spent_ = false;
  bool spent_beyond_ = false;
  Search search_;
};

}  // namespace rta::analysis::gel
