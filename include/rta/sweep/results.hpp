// What a finished sweep found: its summaries, read back.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace rta::sweep {

/// Mean, quantiles and maximum of a distribution.
struct Spread {
  double mean = 0, p05 = 0, p25 = 0, p50 = 0, p75 = 0, p95 = 0, max = 0;
};

/// Quantiles of a distribution.
struct Quantiles {
  double p05 = 0, p50 = 0, p95 = 0;
};

/// One analysis at one point.
struct SummaryEntry {
  std::uint64_t point = 0;
  std::vector<std::string> values;  // of the parameters
  std::string analysis;
  std::uint64_t sets = 0;
  double acceptance = 0, low = 0, high = 0;  // with its 95 % interval
  std::optional<Spread> over_period;         // mean over the DAGs of bound / period; none: no set is bounded
  std::uint64_t simulated = 0;               // sets
  std::optional<Quantiles> over_observed;    // of these: mean over the DAGs of bound / largest simulated response
};

/// The bounds of one analysis relative to those of the first, at one point.
struct SummaryRatio {
  std::uint64_t point = 0;
  std::vector<std::string> values;
  std::string analysis, reference;
  std::uint64_t sets = 0;  // bounded by both
  std::optional<Spread> ratio;
};

struct Results {
  std::string name;
  std::filesystem::path summary;  // the file of the entries
  std::vector<std::string> parameters;
  std::vector<std::string> analyses;
  std::uint64_t points = 0;
  std::uint64_t sets = 0;  // of all points
  std::vector<SummaryEntry> entries;
  std::vector<SummaryRatio> ratios;
  std::vector<std::vector<std::string>> weighted;  // the table, header first
  std::map<std::string, std::string> labels;       // what analyses and parameters are called in charts, if otherwise

  [[nodiscard]] const std::string& shown(const std::string& given) const {
    const auto at = labels.find(given);
    return at == labels.end() ? given : at->second;
  }
};

/// Reads the summaries in a sweep's folder. Throws `UserError` when they are missing or damaged.
[[nodiscard]] Results read_results(const std::filesystem::path& folder);

}  // namespace rta::sweep
