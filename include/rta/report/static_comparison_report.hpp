// Played schedules beside what is proven of them, as text, JSON, CSV and an HTML page. Nothing is computed here.
#pragma once

#include <span>
#include <string>

#include "rta/compare/static_comparison.hpp"
#include "rta/static_order/proof.hpp"
#include "rta/static_order/schedule.hpp"

namespace rta::report {

/// One or more traces of one schedule.
struct StaticComparisonReport {
  const static_order::Schedule& schedule;
  std::string file;                                       // the schedule's
  std::span<const static_order::HyperepochProof> proofs;  // by hyperepoch, of the schedule's order
  std::span<const compare::StaticComparison> comparisons;
  bool verbose = false;  // text: every runnable, however many, and every self-check
  bool colour = false;   // text: the verdict in colour
};

/// One line: whether everything ended when proven, and what limits that statement.
[[nodiscard]] std::string verdict_line(const compare::StaticComparison& comparison);

}  // namespace rta::report
