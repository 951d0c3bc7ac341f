// One priority level of a GPU: the tasks that one bound of T6 or T7 is about, and what it counts.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "rta/analysis/gpu/fifo_bounds.hpp"

namespace rta::analysis::fifo {

/// The tasks of a GPU, rounded to warps and classified.
struct Kernels {
  Kernels(std::span<const Task> given, const GpuPool& on);

  std::vector<Task> tasks;
  GpuPool gpu;
  std::uint32_t g;
  DemandClasses classes;
  std::vector<std::uint32_t> by_length;  // tasks, longest L first
};

/// The stream priorities of tasks, from the most urgent on.
[[nodiscard]] std::vector<StreamPriority> priorities_of(std::span<const Task> tasks);

/// The tasks of one stream priority: T6 where all have it, else T7.
class Level {
 public:
  Level(const Kernels& kernels, StreamPriority priority);

  [[nodiscard]] StreamPriority priority() const { return priority_; }
  /// No task is less urgent.
  [[nodiscard]] bool lowest() const { return !beneath_; }
  /// The least priority above this one; none: no task is more urgent.
  [[nodiscard]] std::optional<StreamPriority> next_above() const { return next_above_; }
  /// All tasks have this priority.
  [[nodiscard]] bool only() const { return !beneath_ && !next_above_; }
  [[nodiscard]] const Sm& sm() const { return sm_; }
  /// The level's bound is for this task.
  [[nodiscard]] bool bounds(std::size_t i) const { return task(i).priority == priority_; }
  /// The task's jobs can delay those that the bound is for.
  [[nodiscard]] bool counts(std::size_t i) const { return task(i).priority >= priority_; }
  /// The task's jobs go before those that the bound is for, whenever they come.
  [[nodiscard]] bool above(std::size_t i) const { return task(i).priority > priority_; }

  /// Everything about these weights that does not depend on the task under analysis; none if they don't carry the load.
  [[nodiscard]] std::optional<WeightSet> weight_set(const Weights& weights) const;
  /// (g-1) K + K': the most counted work that is resident at once while an SM is not blocking.
  [[nodiscard]] Wide resident(const WeightSet& set) const;
  /// The least uncounted carry.
  [[nodiscard]] Basis carry(const WeightSet& set) const;
  /// T6c, given jobs_i = the most jobs of task i that are unfinished at any one time.
  [[nodiscard]] Basis counted_carry(const WeightSet& set, std::span<const Wide> jobs) const;
  /// The bound of task k.
  [[nodiscard]] Time bound(const WeightSet& set, const Basis& basis, std::size_t k) const;

  /// T6b's weights: for the level as a whole or, if `per_task`, for each of its tasks. `least` receives the least load of an SM, as a
  /// fraction of what it can carry (1: full; NaN: not known), `left_out` what limits kept from being looked at.
  [[nodiscard]] std::vector<Weights> best_weights(bool per_task, double& least, std::vector<LeftOut>& left_out) const;

  [[nodiscard]] BlockingConfiguration in_tasks(const LeastBlocking<Wide>& worst) const;

 private:
  [[nodiscard]] const Task& task(std::size_t i) const { return kernels_.tasks[i]; }
  /// Per class, of one block.
  [[nodiscard]] std::vector<Wide> largest_credits(const WeightSet& set) const;

  const Kernels& kernels_;
  StreamPriority priority_;
  bool beneath_ = false;
  std::optional<StreamPriority> next_above_;
  Sm sm_;
};

}  // namespace rta::analysis::fifo
