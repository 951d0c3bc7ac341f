// A sweep's parameters as axes of charts.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "rta/sweep/results.hpp"

namespace rta::report {

/// A parameter's values as positions on an axis: numbers where all are (then with their common unit), else 0, 1, 2 ... with their texts.
struct SweepAxis {
  std::size_t parameter = 0;
  std::string label;
  bool numeric = false;
  std::vector<std::string> texts;  // distinct values in the order of the points
  [[nodiscard]] double position(const std::string& text) const;
};
[[nodiscard]] SweepAxis axis_of(const sweep::Results& sweep, std::size_t parameter);
/// The parameter along which curves run: the first utilization, else the first numeric one, else the first. None: a single point.
[[nodiscard]] std::optional<std::size_t> curve_parameter(const sweep::Results& sweep);

}  // namespace rta::report
