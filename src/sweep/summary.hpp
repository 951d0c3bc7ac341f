// What a sweep's results say: acceptance ratios, distributions, ratios between analyses, weighted schedulability.
#pragma once

#include <cstdint>
#include <filesystem>
#include <utility>
#include <vector>

#include "rta/sweep/plan.hpp"

namespace rta::sweep {

/// Wilson's 95 % interval for `successes` of `trials`. Requires trials > 0.
[[nodiscard]] std::pair<double, double> wilson_interval(std::uint64_t successes, std::uint64_t trials);

/// Counts of numbers >= 0 in cells of at most 1/512 relative width: the memory does not depend on how many there are.
class Distribution {
 public:
  void add(std::uint64_t value);
  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// The exact mean, rounded to the nearest double. Requires count() > 0.
  [[nodiscard]] double mean() const;
  /// The largest number of the cell that holds the q-quantile (the smallest x such that at least q of all numbers are <= x): at least the
  /// quantile, and at most 1/512 above it. Never above the maximum. Requires count() > 0, 0 < q <= 1.
  [[nodiscard]] std::uint64_t quantile(double q) const;
  [[nodiscard]] std::uint64_t max() const { return max_; }
  void clear();

 private:
  std::vector<std::uint64_t> cells_;
  std::uint64_t count_ = 0;
  std::uint64_t max_ = 0;
  Wide sum_ = 0;
};

/// Writes `points.csv`, `summary.csv`, `ratios.csv` and `weighted.csv` beside the folder's finished results.csv. Reads the results once, in
/// order; memory does not depend on the number of sets. Throws `UserError` when results.csv is damaged, std::system_error when a
/// file cannot be written.
void write_summaries(const Plan& plan, const std::filesystem::path& folder);

}  // namespace rta::sweep
