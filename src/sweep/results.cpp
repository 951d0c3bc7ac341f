#include "rta/sweep/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>

#include "rta/io/csv.hpp"
#include "rta/model/error.hpp"

namespace rta::sweep {
namespace {

namespace fs = std::filesystem;

io::CsvRows read_csv(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw UserError(path.string() + ": cannot be read; is this the folder of a finished sweep?");
  std::ostringstream bytes;
  bytes << in.rdbuf();
  auto rows = io::parse_csv(bytes.view());
  if (!rows) throw UserError(path.string() + ": damaged table");
  return std::move(*rows);
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

}  // namespace

Results read_results(const fs::path& folder) {
  Results sweep;
  sweep.name = folder.filename().empty() ? folder.parent_path().filename().string() : folder.filename().string();
  sweep.summary = folder / "summary.csv";
  const fs::path& summary_path = sweep.summary;
  const io::CsvRows summary = read_csv(summary_path);
  const auto first_fixed = std::find(summary.front().begin(), summary.front().end(), "analysis");
  if (first_fixed == summary.front().end() || summary.front().front() != "point") {
    throw UserError(summary_path.string() + ": not a sweep's summary");
  }
  sweep.parameters.assign(summary.front().begin() + 1, first_fixed);
  const auto parameters = static_cast<std::ptrdiff_t>(sweep.parameters.size());
  for (std::size_t r = 1; r < summary.size(); ++r) {
    const Record record(summary_path, summary.front(), summary[r]);
    SummaryEntry entry;
    entry.point = record.count("point");
    entry.values.assign(summary[r].begin() + 1, summary[r].begin() + 1 + parameters);
    entry.analysis = record.text("analysis");
    entry.sets = record.count("sets");
    entry.acceptance = record.number("acceptance");
    entry.low = record.number("acceptance_low");
    entry.high = record.number("acceptance_high");
    entry.over_period = record.spread("over_period");
    entry.simulated = record.count("simulated");
    if (entry.simulated > 0) {
      entry.over_observed =
          Quantiles{record.number("over_observed_p05"), record.number("over_observed_p50"), record.number("over_observed_p95")};
    }
    if (std::find(sweep.analyses.begin(), sweep.analyses.end(), entry.analysis) == sweep.analyses.end()) {
      sweep.analyses.push_back(entry.analysis);
    }
    sweep.points = std::max(sweep.points, entry.point + 1);
    if (entry.analysis == sweep.analyses.front()) sweep.sets += entry.sets;
    sweep.entries.push_back(std::move(entry));
  }
  if (sweep.entries.empty()) throw UserError(summary_path.string() + ": is empty");
  const fs::path ratios_path = folder / "ratios.csv";
  const io::CsvRows ratios = read_csv(ratios_path);
  for (std::size_t r = 1; r < ratios.size(); ++r) {
    const Record record(ratios_path, ratios.front(), ratios[r]);
    SummaryRatio ratio;
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

}  // namespace rta::sweep
