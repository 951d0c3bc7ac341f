// Comparisons of traces with bounds, as text, JSON, CSV and an HTML page (`Format::comparison`). Nothing is computed here.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "rta/compare/comparison.hpp"
#include "rta/model/task_set.hpp"

namespace rta::report {

/// One or more traces of one task set, or of several that are variants of one: by granularity, say.
struct ComparisonReport {
  const TaskSet& task_set;
  std::span<const compare::Comparison> comparisons;
  bool verbose = false;                           // text: every node
  bool colour = false;                            // text: the verdict in colour
  std::span<const TaskSet* const> variants = {};  // the one of each trace; empty: all are of `task_set`
  std::string_view file = {};                     // the task set's, as the user named it
  bool kept = true;                               // the traces stay where they are

  /// The one of a trace among `comparisons`.
  [[nodiscard]] const TaskSet& of(const compare::Comparison& c) const {
    return variants.empty() ? task_set : *variants[static_cast<std::size_t>(&c - comparisons.data())];
  }
};

/// One line: whether every job stayed within its bound, and what limits that statement.
[[nodiscard]] std::string verdict_line(const compare::Comparison& comparison);

}  // namespace rta::report
