// docs/theory.md, "Coarse-grained and monolithic variants": groups of nodes as sequential CPU tasks.
#pragma once

#include <string_view>
#include <vector>

#include "task_set.hpp"

namespace checker {

/// A node that a group's job issues and awaits.
struct Awaited {
  std::size_t dag = 0, node = 0;  // of the file
  std::size_t group = 0;          // node of the grouped DAG
};

struct Grouped {
  TaskSet set;  // groups as nodes, with the C of their CPU nodes alone
  std::vector<Awaited> awaited;
};

/// `coarse`: nodes that share a `group` are one task, and a CPU node without one is a task of its own; `monolithic`: the whole DAG is.
/// Throws `std::invalid_argument` where groups cannot be.
[[nodiscard]] Grouped grouped(const TaskSet& set, std::string_view granularity);

}  // namespace checker
