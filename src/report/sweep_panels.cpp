#include "sweep_panels.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace rta::report {
namespace {

// `parameter = value, ...` of the parameters that are not on an axis and that vary at all.
std::string fixed_text(const sweep::Results& sweep, const std::vector<std::string>& values, const std::vector<std::size_t>& on_axes) {
  std::string text;
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (std::find(on_axes.begin(), on_axes.end(), k) != on_axes.end() || axis_of(sweep, k).texts.size() < 2) continue;
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", sweep.shown(sweep.parameters[k]), values[k]);
  }
  return text;
}

template <class T>
T& named(std::vector<T>& all, const std::string& name, std::string T::*member) {
  const auto at = std::find_if(all.begin(), all.end(), [&](const T& t) { return t.*member == name; });
  if (at != all.end()) return *at;
  all.emplace_back();
  all.back().*member = name;
  return all.back();
}

// Over more than two decades the small ones would be one line at the bottom.
bool spans_decades(const Panels& panels) {
  double least = 0, most = 0;
  for (const Panel& panel : panels.panels) {
    for (const Curve& curve : panel.curves) {
      for (const CurvePoint& point : curve.points) {
        if (point.low <= 0) return false;
        least = most == 0 ? point.low : std::min(least, point.low);
        most = std::max(most, point.high);
      }
    }
  }
  return most > 100 * least;
}

// Places of points on the axis, and the range of all panels.
void set_scales(Panels& panels) {
  std::vector<double> places;
  for (const Panel& panel : panels.panels) {
    for (const Curve& curve : panel.curves) {
      for (const CurvePoint& point : curve.points) {
        const bool first = places.empty();
        panels.least_x = first ? point.x : std::min(panels.least_x, point.x);
        panels.most_x = first ? point.x : std::max(panels.most_x, point.x);
        panels.least_y = first ? point.low : std::min(panels.least_y, point.low);
        panels.most_y = first ? point.high : std::max(panels.most_y, point.high);
        places.push_back(point.x);
      }
    }
  }
  for (const std::string& text : panels.x.texts) places.push_back(panels.x.position(text));
  std::ranges::sort(places);
  places.erase(std::unique(places.begin(), places.end()), places.end());
  for (Panel& panel : panels.panels) {
    for (Curve& curve : panel.curves) {
      for (CurvePoint& point : curve.points)
        point.place = static_cast<std::size_t>(std::ranges::lower_bound(places, point.x) - places.begin());
    }
  }
  const double room = panels.logarithmic ? 0 : 0.05 * (panels.most_y - panels.least_y);
  const bool negative = panels.least_y < 0;
  panels.least_y = panels.logarithmic ? panels.least_y / 1.1 : panels.least_y - room;
  if (!negative) panels.least_y = std::max(panels.least_y, 0.0);
  panels.most_y = panels.logarithmic ? panels.most_y * 1.1 : panels.most_y + room;
  if (panels.least_y == panels.most_y) panels.most_y += 1;
  if (panels.least_x == panels.most_x) panels.most_x += 1;
}

}  // namespace

std::vector<std::pair<std::size_t, std::size_t>> runs_of(const Curve& curve) {
  std::vector<std::pair<std::size_t, std::size_t>> runs;
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    if (i == 0 || curve.points[i].place != curve.points[i - 1].place + 1) runs.emplace_back(i, i);
    runs.back().second = i + 1;
  }
  return runs;
}

Panels panels_of(const sweep::Results& sweep, SweepChart chart, std::size_t along) {
  Panels result;
  result.x = axis_of(sweep, along);
  const auto add = [&](const std::vector<std::string>& values, const std::string& name, double y, double low, double high,
                       std::string tooltip) {
    Panel& panel = named(result.panels, fixed_text(sweep, values, {along}), &Panel::title);
    Curve& curve = named(panel.curves, sweep.shown(name), &Curve::name);
    curve.colour = static_cast<std::size_t>(std::ranges::find(sweep.analyses, name) - sweep.analyses.begin());
    const std::string& text = values[along];
    curve.points.push_back({result.x.position(text), text, 0, y, low, high,
                            fmt::format("{}: {} = {}, {}", sweep.shown(name), sweep.shown(sweep.parameters[along]), text, tooltip)});
  };
  if (chart == SweepChart::ratios) {
    result.y_label =
        "bound / bound of " + (sweep.ratios.empty() ? std::string("the first analysis") : sweep.shown(sweep.ratios.front().reference));
    for (const sweep::SummaryRatio& r : sweep.ratios) {
      if (!r.ratio) continue;
      add(r.values, r.analysis, r.ratio->p50, r.ratio->p05, r.ratio->p95,
          fmt::format("median {:.3f}, 90 % of {} sets in {:.3f} to {:.3f}, mean {:.3f}", r.ratio->p50, r.sets, r.ratio->p05, r.ratio->p95,
                      r.ratio->mean));
    }
  } else if (chart == SweepChart::tightness) {
    result.y_label = "bound / largest simulated response";
    result.logarithmic = true;
    for (const sweep::SummaryEntry& e : sweep.entries) {
      if (!e.over_observed) continue;
      const auto& [p05, p50, p95] = *e.over_observed;
      add(e.values, e.analysis, p50, p05, p95,
          fmt::format("median {:.3f}, 90 % of {} sets in {:.3f} to {:.3f}", p50, e.simulated, p05, p95));
    }
  } else if (chart == SweepChart::bounds) {
    result.y_label = "end-to-end bound / period";
    for (const sweep::SummaryEntry& e : sweep.entries) {
      if (!e.over_period) continue;
      add(e.values, e.analysis, e.over_period->p50, e.over_period->p05, e.over_period->p95,
          fmt::format("median {:.3f}, 90 % in {:.3f} to {:.3f}, mean {:.3f}", e.over_period->p50, e.over_period->p05, e.over_period->p95,
                      e.over_period->mean));
    }
  } else {
    result.y_label = "acceptance ratio";
    for (const sweep::SummaryEntry& e : sweep.entries) {
      add(e.values, e.analysis, e.acceptance, e.low, e.high,
          fmt::format("{:.2f} % of {} sets (95 %: {:.2f} to {:.2f} %)", 100 * e.acceptance, e.sets, 100 * e.low, 100 * e.high));
    }
  }
  for (Panel& panel : result.panels) {
    for (Curve& curve : panel.curves) {
      std::stable_sort(curve.points.begin(), curve.points.end(), [](const CurvePoint& a, const CurvePoint& b) { return a.x < b.x; });
    }
  }
  if ((chart == SweepChart::bounds || chart == SweepChart::ratios) && spans_decades(result)) {
    result.logarithmic = true;
    result.y_label += " (logarithmic)";
  }
  set_scales(result);
  return result;
}

std::vector<HeatMap> heat_maps(const sweep::Results& sweep, std::size_t along, std::size_t across) {
  std::vector<HeatMap> maps;
  for (const sweep::SummaryEntry& e : sweep.entries) {
    const std::string fixed = fixed_text(sweep, e.values, {along, across});
    HeatMap& map = named(maps, fixed.empty() ? sweep.shown(e.analysis) : sweep.shown(e.analysis) + ", " + fixed, &HeatMap::title);
    map.cells.push_back({e.values[along], e.values[across], e.acceptance});
  }
  return maps;
}

std::optional<std::size_t> heat_parameter(const sweep::Results& sweep, std::size_t along) {
  for (std::size_t k = 0; k < sweep.parameters.size(); ++k) {
    if (k != along && axis_of(sweep, k).texts.size() > 1) return k;
  }
  return std::nullopt;
}

}  // namespace rta::report
