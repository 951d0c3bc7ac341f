// A sweep's curves, grouped for drawing: one panel for each combination of the parameters that are not on an axis.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "rta/report/sweep_report.hpp"
#include "sweep_axis.hpp"

namespace rta::report {

struct CurvePoint {
  double x = 0;
  std::string text;       // x as written
  std::size_t place = 0;  // of x among all that the chart has: where places are missing there is a gap
  double y = 0, low = 0, high = 0;
  std::string tooltip;
};

struct Curve {
  std::string name;                // as it is shown
  std::size_t colour = 0;          // the analysis' place in the sweep: the same in all charts
  std::vector<CurvePoint> points;  // by x
};

struct Panel {
  std::string title;  // the fixed parameters; empty: none
  std::vector<Curve> curves;
};

struct Panels {
  SweepAxis x;
  std::string y_label;
  bool logarithmic = false;  // the vertical axis
  /// Of all panels, with some room.
  double least_x = 0, most_x = 0, least_y = 0, most_y = 0;
  std::vector<Panel> panels;
};

/// The runs of a curve between gaps: first and behind the last point.
[[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> runs_of(const Curve& curve);

/// The curves of `chart` (not a heat map) along a parameter. Points without a number are left out.
[[nodiscard]] Panels panels_of(const sweep::Results& sweep, SweepChart chart, std::size_t along);

/// One cell of a heat map of acceptance ratios.
struct HeatCell {
  std::string x, y;
  double acceptance = 0;
};
/// One map for each analysis and combination of the other parameters.
struct HeatMap {
  std::string title;
  std::vector<HeatCell> cells;
};
[[nodiscard]] std::vector<HeatMap> heat_maps(const sweep::Results& sweep, std::size_t along, std::size_t across);

/// The vertical axis of a heat map: the first parameter with several values other than `along`.
[[nodiscard]] std::optional<std::size_t> heat_parameter(const sweep::Results& sweep, std::size_t along);

}  // namespace rta::report
