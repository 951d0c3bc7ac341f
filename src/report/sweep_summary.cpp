#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>

#include "rta/model/error.hpp"
#include "rta/report/sweep_report.hpp"

namespace rta::report {
namespace {

namespace fs = std::filesystem;
using Rows = std::vector<std::vector<std::string>>;

// CSV as `rta sweep` writes it (RFC 4180).
Rows read_csv(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw UserError(path.string() + ": cannot be read; is this the folder of a finished sweep?");
  std::ostringstream bytes;
  bytes << in.rdbuf();
  const std::string text = bytes.str();
  Rows rows;
  std::vector<std::string> row;
  std::string field;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c != '"') {
        field.push_back(c);
      } else if (i + 1 < text.size() && text[i + 1] == '"') {
        field.push_back('"');
        ++i;
      } else {
        quoted = false;
      }
    } else if (c == '"') {
      quoted = true;
    } else if (c == ',') {
      row.push_back(std::move(field));
      field.clear();
    } else if (c == '\n') {
      row.push_back(std::move(field));
      field.clear();
      rows.push_back(std::move(row));
      row.clear();
    } else {
      field.push_back(c);
    }
  }
  const bool ragged = std::any_of(rows.begin(), rows.end(), [&](const auto& r) { return r.size() != rows.front().size(); });
  if (rows.empty() || quoted || !row.empty() || !field.empty() || ragged) throw UserError(path.string() + ": damaged table");
  return rows;
}

// A row by its columns' names.
class Record {
 public:
  Record(const fs::path& path, const std::vector<std::string>& header, const std::vector<std::string>& row)
      : path_(path), header_(header), row_(row) {}

  [[nodiscard]] const std::string& text(std::string_view column) const {
    const auto at = std::find(header_.begin(), header_.end(), column);
    if (at == header_.end()) throw UserError(fmt::format("{}: has no column '{}'", path_.string(), column));
    return row_[static_cast<std::size_t>(at - header_.begin())];
  }
  [[nodiscard]] double number(std::string_view column) const {
    const std::string& field = text(column);
    double value = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (error != std::errc{} || end != field.data() + field.size() || !std::isfinite(value)) {
      throw UserError(fmt::format("{}: column '{}' holds '{}', not a number", path_.string(), column, field));
    }
    return value;
  }
  [[nodiscard]] std::uint64_t count(std::string_view column) const { return static_cast<std::uint64_t>(std::max(0.0, number(column))); }
  [[nodiscard]] std::optional<Spread> spread(const std::string& prefix) const {
    if (text(prefix + "_mean").empty()) return std::nullopt;
    return Spread{number(prefix + "_mean"), number(prefix + "_p05"), number(prefix + "_p25"), number(prefix + "_p50"),
                  number(prefix + "_p75"),  number(prefix + "_p95"), number(prefix + "_max")};
  }

 private:
  const fs::path& path_;
  const std::vector<std::string>& header_;
  const std::vector<std::string>& row_;
};

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

}  // namespace

SweepSummary read_sweep(const fs::path& folder) {
  SweepSummary sweep;
  sweep.name = folder.filename().empty() ? folder.parent_path().filename().string() : folder.filename().string();
  const fs::path summary_path = folder / "summary.csv";
  const Rows summary = read_csv(summary_path);
  const auto first_fixed = std::find(summary.front().begin(), summary.front().end(), "analysis");
  if (first_fixed == summary.front().end() || summary.front().front() != "point") {
    throw UserError(summary_path.string() + ": not a sweep's summary");
  }
  sweep.parameters.assign(summary.front().begin() + 1, first_fixed);
  const auto parameters = static_cast<std::ptrdiff_t>(sweep.parameters.size());
  for (std::size_t r = 1; r < summary.size(); ++r) {
    const Record record(summary_path, summary.front(), summary[r]);
    SweepEntry entry;
    entry.point = record.count("point");
    entry.values.assign(summary[r].begin() + 1, summary[r].begin() + 1 + parameters);
    entry.analysis = record.text("analysis");
    entry.sets = record.count("sets");
    entry.acceptance = record.number("acceptance");
    entry.low = record.number("acceptance_low");
    entry.high = record.number("acceptance_high");
    entry.over_period = record.spread("over_period");
    if (std::find(sweep.analyses.begin(), sweep.analyses.end(), entry.analysis) == sweep.analyses.end()) {
      sweep.analyses.push_back(entry.analysis);
    }
    sweep.entries.push_back(std::move(entry));
  }
  if (sweep.entries.empty()) throw UserError(summary_path.string() + ": is empty");
  const fs::path ratios_path = folder / "ratios.csv";
  const Rows ratios = read_csv(ratios_path);
  for (std::size_t r = 1; r < ratios.size(); ++r) {
    const Record record(ratios_path, ratios.front(), ratios[r]);
    SweepRatio ratio;
    ratio.point = record.count("point");
    ratio.values.assign(ratios[r].begin() + 1, ratios[r].begin() + 1 + parameters);
    ratio.analysis = record.text("analysis");
    ratio.reference = record.text("reference");
    ratio.sets = record.count("sets");
    ratio.ratio = record.spread("ratio");
    sweep.ratios.push_back(std::move(ratio));
  }
  sweep.weighted = read_csv(folder / "weighted.csv");
  return sweep;
}

std::string sweep_table(const SweepSummary& sweep) {
  Rows rows;
  rows.push_back(sweep.parameters);
  for (const char* title : {"analysis", "sets", "accepted", "95 % interval", "bound/T median", "p95"}) rows.front().emplace_back(title);
  for (const SweepEntry& e : sweep.entries) {
    rows.push_back(e.values);
    rows.back().push_back(e.analysis);
    rows.back().push_back(std::to_string(e.sets));
    rows.back().push_back(fmt::format("{:.2f} %", 100 * e.acceptance));
    rows.back().push_back(fmt::format("{:.2f} - {:.2f} %", 100 * e.low, 100 * e.high));
    rows.back().push_back(e.over_period ? fmt::format("{:.3f}", e.over_period->p50) : "-");
    rows.back().push_back(e.over_period ? fmt::format("{:.3f}", e.over_period->p95) : "-");
  }
  std::vector<std::size_t> width(rows.front().size());
  for (const auto& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], row[c].size());
  }
  std::string text;
  for (const auto& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      const bool name = c <= sweep.parameters.size();
      const std::string gap = c + 1 < row.size() ? "  " : "\n";
      text += name ? fmt::format("{:<{}}{}", row[c], width[c], gap) : fmt::format("{:>{}}{}", row[c], width[c], gap);
    }
  }
  return text;
}

double SweepAxis::position(const std::string& text) const {
  if (numeric) return number_and_unit(text)->first;
  return static_cast<double>(std::find(texts.begin(), texts.end(), text) - texts.begin());
}

SweepAxis axis_of(const SweepSummary& sweep, std::size_t parameter) {
  SweepAxis axis;
  axis.parameter = parameter;
  axis.numeric = true;
  std::optional<std::string> unit;
  for (const SweepEntry& e : sweep.entries) {
    const std::string& text = e.values[parameter];
    if (std::find(axis.texts.begin(), axis.texts.end(), text) != axis.texts.end()) continue;
    axis.texts.push_back(text);
    const auto number = number_and_unit(text);
    axis.numeric = axis.numeric && number && (!unit || *unit == number->second);
    if (number) unit = number->second;
  }
  axis.label = sweep.parameters[parameter];
  if (axis.numeric && unit && !unit->empty()) axis.label += " [" + *unit + "]";
  return axis;
}

std::optional<std::size_t> curve_parameter(const SweepSummary& sweep) {
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
