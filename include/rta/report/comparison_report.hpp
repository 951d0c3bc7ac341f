// Comparisons of traces with bounds, as text, JSON, CSV and an HTML page. Nothing is computed here.
#pragma once

#include <iosfwd>
#include <span>
#include <string_view>

#include "rta/compare/comparison.hpp"
#include "rta/model/task_set.hpp"

namespace rta::report {

/// One or more traces of one task set. `format`: text, json, csv or html.
struct ComparisonReport {
  const TaskSet& task_set;
  std::span<const compare::Comparison> comparisons;
  bool verbose = false;  // text: every node
  bool colour = false;   // text: the verdict in colour
};
void print_comparison(const ComparisonReport& report, std::string_view format, std::ostream& out);

/// One line: whether every job stayed within its bound, and what limits that statement.
[[nodiscard]] std::string verdict_line(const compare::Comparison& comparison);

}  // namespace rta::report
