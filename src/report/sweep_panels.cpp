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
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", sweep.parameters[k], values[k]);
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

}  // namespace

Panels panels_of(const sweep::Results& sweep, SweepChart chart, std::size_t along) {
  Panels result;
  result.x = axis_of(sweep, along);
  const auto add = [&](const std::vector<std::string>& values, const std::string& name, double y, double low, double high,
                       std::string tooltip) {
    Panel& panel = named(result.panels, fixed_text(sweep, values, {along}), &Panel::title);
    Curve& curve = named(panel.curves, name, &Curve::name);
    const std::string& text = values[along];
    curve.points.push_back(
        {result.x.position(text), text, y, low, high, fmt::format("{}: {} = {}, {}", name, sweep.parameters[along], text, tooltip)});
  };
  if (chart == SweepChart::ratios) {
    result.y_label = "bound / bound of " + (sweep.ratios.empty() ? std::string("the first analysis") : sweep.ratios.front().reference);
    for (const sweep::SummaryRatio& r : sweep.ratios) {
      if (!r.ratio) continue;
      add(r.values, r.analysis, r.ratio->p50, r.ratio->p05, r.ratio->p95,
          fmt::format("median {:.3f}, 90 % of {} sets in {:.3f} to {:.3f}, mean {:.3f}", r.ratio->p50, r.sets, r.ratio->p05, r.ratio->p95,
                      r.ratio->mean));
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
  return result;
}

std::vector<HeatMap> heat_maps(const sweep::Results& sweep, std::size_t along, std::size_t across) {
  std::vector<HeatMap> maps;
  for (const sweep::SummaryEntry& e : sweep.entries) {
    const std::string fixed = fixed_text(sweep, e.values, {along, across});
    HeatMap& map = named(maps, fixed.empty() ? e.analysis : e.analysis + ", " + fixed, &HeatMap::title);
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
