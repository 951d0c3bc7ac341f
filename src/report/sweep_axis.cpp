#include "sweep_axis.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

namespace rta::report {
namespace {

// The number that `text` begins with, and what follows it.
std::optional<std::pair<double, std::string>> number_and_unit(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || !std::isfinite(value)) return std::nullopt;
  std::string unit(end, text.data() + text.size());
  unit.erase(0, unit.find_first_not_of(' ') == std::string::npos ? unit.size() : unit.find_first_not_of(' '));
  if (unit.size() > 3) return std::nullopt;
  return std::pair(value, unit);
}

// `random.gpu.utilization` as `gpu utilization`, unless it has a label.
std::string axis_words(const sweep::Results& sweep, const std::string& parameter) {
  std::string words = sweep.shown(parameter);
  if (words != parameter) return words;
  for (const std::string_view root : {"random.", "platform."}) {
    if (words.starts_with(root)) words.erase(0, root.size());
  }
  std::ranges::replace_if(
      words, [](char c) { return c == '.' || c == '_'; }, ' ');
  return words;
}

}  // namespace

double SweepAxis::position(const std::string& text) const {
  if (numeric) return number_and_unit(text)->first;
  return static_cast<double>(std::find(texts.begin(), texts.end(), text) - texts.begin());
}

SweepAxis axis_of(const sweep::Results& sweep, std::size_t parameter) {
  SweepAxis axis;
  axis.parameter = parameter;
  axis.numeric = true;
  std::optional<std::string> unit;
  for (const sweep::SummaryEntry& e : sweep.entries) {
    const std::string& text = e.values[parameter];
    if (std::find(axis.texts.begin(), axis.texts.end(), text) != axis.texts.end()) continue;
    axis.texts.push_back(text);
    const auto number = number_and_unit(text);
    axis.numeric = axis.numeric && number && (!unit || *unit == number->second);
    if (number) unit = number->second;
  }
  axis.label = axis_words(sweep, sweep.parameters[parameter]);
  if (axis.numeric && unit && !unit->empty()) axis.label += " [" + *unit + "]";
  return axis;
}

std::optional<std::size_t> curve_parameter(const sweep::Results& sweep) {
  if (sweep.parameters.empty()) return std::nullopt;
  std::optional<std::size_t> numeric;
  for (std::size_t k = 0; k < sweep.parameters.size(); ++k) {
    const SweepAxis axis = axis_of(sweep, k);
    if (!axis.numeric || axis.texts.size() < 2) continue;
    if (sweep.parameters[k].ends_with(".utilization")) return k;
    if (!numeric) numeric = k;
  }
  return numeric.value_or(0);
}

}  // namespace rta::report
