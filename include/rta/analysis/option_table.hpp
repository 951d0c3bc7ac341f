// Every option of an analysis once: the command line, sweep files, traces, help and checks all read this table.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rta/analysis/options.hpp"

namespace rta::analysis {

struct OptionEntry {
  std::string_view name;   // `cpu-bound`: --cpu-bound on the command line, cpu_bound in files
  std::string_view value;  // what stands for its value in help; empty: a flag, whose value is `true` or `false`
  std::string_view text;
  std::vector<std::string_view> values;                       // all that are allowed; empty: a number
  std::function<void(Options&, std::string_view value)> set;  // throws `UserError` with what is allowed
  std::vector<Release> without_effect;                        // policies for which it means nothing

  [[nodiscard]] bool is_flag() const { return value.empty(); }
  /// `cpu_bound`.
  [[nodiscard]] std::string key() const;
};

/// All of them, in the order of help.
[[nodiscard]] std::span<const OptionEntry> option_table();
/// Null when there is none of that name.
[[nodiscard]] const OptionEntry* find_option(std::string_view name);

/// Options as given: names and values. A trace carries them, so that it is compared with the bounds of the same analysis.
using GivenOptions = std::vector<std::pair<std::string, std::string>>;

/// What they choose; without `release`, and where some of them ask for an analysis that only offsets have, release at offsets. Throws
/// `UserError` for an unknown name or value and for options that do not go together.
[[nodiscard]] Options options_of(const GivenOptions& given);

}  // namespace rta::analysis
