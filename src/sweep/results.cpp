#include "rta/sweep/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <utility>

#include "io/diagnostics.hpp"
#include "io/file.hpp"
#include "io/shown_text.hpp"
#include "io/utf8.hpp"
#include "rta/io/csv.hpp"
#include "rta/model/error.hpp"

namespace rta::sweep {
namespace {

namespace fs = std::filesystem;
using Values = std::vector<std::string>;

constexpr double greatest_number = 1e15;  // of a ratio: they are millionths in 64 bits
constexpr std::uint64_t most_counted = 1'000'000'000'000;

std::string text_of_table(const fs::path& path) {
  std::error_code unknown;
  if (!fs::is_regular_file(path, unknown)) throw UserError(path.string() + ": cannot be read; is this the folder of a finished sweep?");
  return io::read_file(path, path.string());
}

/// A text that figures, pages and terminals can show: characters in UTF-8, none of which commands anything.
bool can_be_shown(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = io::character_length(text, at);
    if (length == 0 || io::commands_a_terminal(io::code_point(text.substr(at, length)))) return false;
    at += length;
  }
  return true;
}

/// One of the tables: a header that names its columns, and rows. No cell has a line break, so row r stands in line r + 1.
class Table {
 public:
  explicit Table(fs::path path) : path_(std::move(path)) {
    auto rows = io::parse_csv(text_of_table(path_));
    if (!rows) throw UserError(path_.string() + ": damaged table: a row has not the cells that the first has, or no end");
    rows_ = std::move(*rows);
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      for (const std::string& cell : rows_[r]) {
        if (!can_be_shown(cell)) fail(r, fmt::format("{} has a control character, or is no UTF-8", io::quote(cell)));
      }
    }
    if (std::set<std::string>(header().begin(), header().end()).size() != header().size()) fail(0, "two columns have one name");
  }

  [[nodiscard]] const Values& header() const { return rows_.front(); }
  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  /// The place of a column.
  [[nodiscard]] std::size_t column(std::string_view name) const {
    const auto at = std::ranges::find(header(), name);
    if (at == header().end()) throw UserError(fmt::format("{}: has no column '{}'", path_.string(), name));
    return static_cast<std::size_t>(at - header().begin());
  }
  [[nodiscard]] const std::string& text(std::size_t row, std::string_view name) const { return rows_[row][column(name)]; }
  /// The columns between `point` and `analysis`.
  [[nodiscard]] Values between(std::size_t row) const {
    const std::size_t analysis = column("analysis");
    if (header().front() != "point" || analysis == 0) throw UserError(path_.string() + ": not a sweep's summary");
    return {rows_[row].begin() + 1, rows_[row].begin() + static_cast<std::ptrdiff_t>(analysis)};
  }
  /// From `least`, at most `greatest`.
  [[nodiscard]] double number(std::size_t row, std::string_view name, double least, double greatest) const {
    const std::string& cell = text(row, name);
    double value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    const bool whole = error == std::errc{} && end == cell.data() + cell.size();
    if (!whole || !(value >= least && value <= greatest))  // nor is NaN
      fail(row, fmt::format("column '{}' holds {}, not a number from {} to {}", name, io::quote(cell), least, greatest));
    return value;
  }
  [[nodiscard]] std::uint64_t count(std::size_t row, std::string_view name) const {
    const std::string& cell = text(row, name);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error != std::errc{} || end != cell.data() + cell.size() || value > most_counted)
      fail(row, fmt::format("column '{}' holds {}, not a whole number up to {}", name, io::quote(cell), most_counted));
    return value;
  }
  [[nodiscard]] std::optional<Spread> spread(std::size_t row, const std::string& prefix) const {
    if (text(row, prefix + "_mean").empty()) return std::nullopt;
    const auto at = [&](const char* part) { return number(row, prefix + part, 0, greatest_number); };
    return Spread{at("_mean"), at("_p05"), at("_p25"), at("_p50"), at("_p75"), at("_p95"), at("_max")};
  }
  [[noreturn]] void fail(std::size_t row, const std::string& what) const {
    throw UserError(fmt::format("{}:{}: {}", path_.string(), row + 1, what));
  }
  [[nodiscard]] io::CsvRows take() && { return std::move(rows_); }

 private:
  fs::path path_;
  io::CsvRows rows_;
};

SummaryEntry entry_of(const Table& table, std::size_t r) {
  SummaryEntry entry;
  entry.point = table.count(r, "point");
  entry.values = table.between(r);
  entry.analysis = table.text(r, "analysis");
  entry.sets = table.count(r, "sets");
  entry.acceptance = table.number(r, "acceptance", 0, 1);
  entry.low = table.number(r, "acceptance_low", 0, 1);
  entry.high = table.number(r, "acceptance_high", 0, 1);
  entry.over_period = table.spread(r, "over_period");
  entry.simulated = table.count(r, "simulated");
  if (entry.simulated > 0) {
    const auto at = [&](const char* name) { return table.number(r, name, 0, greatest_number); };
    entry.over_observed = Quantiles{at("over_observed_p05"), at("over_observed_p50"), at("over_observed_p95")};
  }
  return entry;
}

/// What the summary says there is, for the ratios to be held against.
class Known {
 public:
  /// False where the entry contradicts an earlier one.
  bool add(const SummaryEntry& entry) {
    const auto [at, fresh] = values_.emplace(entry.point, entry.values);
    return (fresh || at->second == entry.values) && rows_.emplace(entry.point, entry.analysis).second;
  }
  [[nodiscard]] bool has(const SummaryRatio& ratio) const {
    return rows_.contains({ratio.point, ratio.analysis}) && rows_.contains({ratio.point, ratio.reference}) &&
           values_.at(ratio.point) == ratio.values;
  }

 private:
  std::map<std::uint64_t, Values> values_;
  std::set<std::pair<std::uint64_t, std::string>> rows_;
};

void read_ratios(const fs::path& path, const Known& known, Results& sweep) {
  const Table table(path);
  if (table.between(0) != sweep.parameters) table.fail(0, "does not belong to the summary: its parameters are others");
  for (std::size_t r = 1; r < table.size(); ++r) {
    SummaryRatio ratio;
    ratio.point = table.count(r, "point");
    ratio.values = table.between(r);
    ratio.analysis = table.text(r, "analysis");
    ratio.reference = table.text(r, "reference");
    ratio.sets = table.count(r, "sets");
    ratio.ratio = table.spread(r, "ratio");
    if (!known.has(ratio)) table.fail(r, "does not belong to the summary, which has no such point with these analyses");
    sweep.ratios.push_back(std::move(ratio));
  }
}

io::CsvRows weighted_of(const fs::path& path) {
  Table table(path);
  (void)table.column("analysis");
  for (std::size_t r = 1; r < table.size(); ++r) {
    if (!table.text(r, "weighted_schedulability").empty()) (void)table.number(r, "weighted_schedulability", 0, 1);
  }
  return std::move(table).take();
}

}  // namespace

Results read_results(const fs::path& folder) {
  Results sweep;
  sweep.name = folder.filename().empty() ? folder.parent_path().filename().string() : folder.filename().string();
  sweep.summary = folder / "summary.csv";
  const Table table(sweep.summary);
  sweep.parameters = table.between(0);
  Known known;
  std::set<std::string> analyses;
  for (std::size_t r = 1; r < table.size(); ++r) {
    SummaryEntry entry = entry_of(table, r);
    if (!known.add(entry)) table.fail(r, fmt::format("contradicts an earlier row of point {}", entry.point));
    if (analyses.insert(entry.analysis).second) sweep.analyses.push_back(entry.analysis);
    sweep.points = std::max(sweep.points, entry.point + 1);
    if (entry.analysis == sweep.analyses.front()) sweep.sets += entry.sets;
    sweep.entries.push_back(std::move(entry));
  }
  if (sweep.entries.empty()) throw UserError(sweep.summary.string() + ": is empty");
  read_ratios(folder / "ratios.csv", known, sweep);
  sweep.weighted = weighted_of(folder / "weighted.csv");
  return sweep;
}

}  // namespace rta::sweep
