// Sums over the tasks of a pool for explanations: tasks of equal DAGs share a line.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rta/analysis/pool_sum.hpp"
#include "rta/analysis/task_names.hpp"
#include "rta/model/quantity.hpp"

namespace rta::analysis {

/// Tasks of one kind and of equal key.
struct TaskGroup {
  std::string name;  // `camera[0] ... camera[5] (resize, detect), 12 tasks`
  std::vector<std::size_t> tasks;
};

using GroupKey = std::pair<Wide, Wide>;

/// The groups of `tasks`, in the order of their kinds; `key` belongs to `tasks`, one for each.
[[nodiscard]] std::vector<TaskGroup> grouped(std::span<const std::size_t> tasks, std::span<const GroupKey> key, const TaskNames& names);

/// One line per kind of tasks and number of jobs: `  camera (resize, detect), 2 tasks: 5/10 to 7/10, n_i = 1, 1 x 8 = 8`.
[[nodiscard]] std::vector<std::string> counted_lines(std::span<const CountedTask> tasks, const TaskNames& names);

/// A line and what it adds to a sum.
struct TermLine {
  std::string text;
  Wide work = 0;
};

/// The lines, in their order; of many those that add most, and how many are left out and their sum.
[[nodiscard]] std::vector<std::string> shortened(const std::vector<TermLine>& lines);

}  // namespace rta::analysis
