// What a finished sweep shows: a text table, an HTML page of charts, figures for papers through gnuplot.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rta/report/page.hpp"

namespace rta::report {

/// Mean, quantiles and maximum of a distribution.
struct Spread {
  double mean = 0, p05 = 0, p25 = 0, p50 = 0, p75 = 0, p95 = 0, max = 0;
};

/// One analysis at one point.
struct SweepEntry {
  std::uint64_t point = 0;
  std::vector<std::string> values;  // of the parameters
  std::string analysis;
  std::uint64_t sets = 0;
  double acceptance = 0, low = 0, high = 0;  // with its 95 % interval
  std::optional<Spread> over_period;         // mean over the DAGs of bound / period; none: no set is bounded
};

/// The bounds of one analysis relative to those of the first, at one point.
struct SweepRatio {
  std::uint64_t point = 0;
  std::vector<std::string> values;
  std::string analysis, reference;
  std::uint64_t sets = 0;  // bounded by both
  std::optional<Spread> ratio;
};

struct SweepSummary {
  std::string name;
  std::vector<std::string> parameters;
  std::vector<std::string> analyses;
  std::vector<SweepEntry> entries;
  std::vector<SweepRatio> ratios;
  std::vector<std::vector<std::string>> weighted;  // the table, header first
};

/// Reads the summaries in a sweep's folder. Throws `UserError` when they are missing or damaged.
[[nodiscard]] SweepSummary read_sweep(const std::filesystem::path& folder);

/// Acceptance ratio and spread of the bounds, a line for each point and analysis.
[[nodiscard]] std::string sweep_table(const SweepSummary& sweep);

/// A parameter's values as positions on an axis: numbers where all are (then with their common unit), else 0, 1, 2 ... with their texts.
struct SweepAxis {
  std::size_t parameter = 0;
  std::string label;
  bool numeric = false;
  std::vector<std::string> texts;  // distinct values in the order of the points
  [[nodiscard]] double position(const std::string& text) const;
};
[[nodiscard]] SweepAxis axis_of(const SweepSummary& sweep, std::size_t parameter);
/// The parameter along which curves run: the first utilization, else the first numeric one, else the first. None: a single point.
[[nodiscard]] std::optional<std::size_t> curve_parameter(const SweepSummary& sweep);

enum class SweepChart : std::uint8_t { acceptance, bounds, ratios, heat };

/// The page with all charts that the sweep's parameters allow.
[[nodiscard]] Page sweep_page(const SweepSummary& sweep);

/// A gnuplot script that draws `chart` into `output` (its extension, pdf, svg or png, chooses the terminal). `along`: the parameter of the
/// horizontal axis; `across`: of the vertical axis of a heat map. Throws `UserError` when the sweep has no such data.
[[nodiscard]] std::string gnuplot_script(const SweepSummary& sweep, SweepChart chart, const std::filesystem::path& output,
                                         std::optional<std::size_t> along = {}, std::optional<std::size_t> across = {});

}  // namespace rta::report
