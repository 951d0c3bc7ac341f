// An interior point method (Mehrotra's predictor and corrector): some thirty Newton steps, whatever the size.
#pragma once

#include <optional>
#include <vector>

#include "analysis/lp/newton_system.hpp"

namespace rta::analysis {

/// A point near an optimum. Slacks and duals belong to columns' lower ends, their upper ends, and rows.
struct InteriorPoint {
  std::vector<double> x, dual;          // by column, by row
  std::vector<double> to_low, to_high;  // by column: how far the reduced cost presses it to this end
  double gap = 0;                       // relative: infeasibility and distance from the optimum
  int steps = 0;
};

/// None where the program has columns without room between their ends, couples too much, or `gap` is not small after a
/// hundred steps.
[[nodiscard]] std::optional<InteriorPoint> interior_point(const RowProgram& program);

}  // namespace rta::analysis
