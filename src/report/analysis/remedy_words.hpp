// What would help, in words.
#pragma once

#include <string>
#include <vector>

#include "rta/analysis/analyze.hpp"

namespace rta::report {

/// The exact change: `--scheduler FIFO`, `in the file: pool cpu: preemptive: true`.
[[nodiscard]] std::string change_in_words(const analysis::Proof& before, const analysis::Change& change);

/// `all deadlines met`, `1 deadline missed`, `2 DAGs without a bound`.
[[nodiscard]] std::string effect_in_words(const analysis::Proof& proof);

/// Header and a row per change that helps: number, change, effect. The first `most` of them.
[[nodiscard]] std::vector<std::vector<std::string>> remedy_rows(const analysis::Analysis& analysis, std::size_t most);
/// Header, a row per kind of DAG, its deadline, its bound as it is, and with each of these changes, and likewise a row per limit of a
/// chain.
[[nodiscard]] std::vector<std::vector<std::string>> remedy_bounds(const analysis::Analysis& analysis, std::size_t most);
/// That none helps, that more do than are shown, or that not all were tried; empty when there is nothing to say.
[[nodiscard]] std::string remedies_in_words(const analysis::Analysis& analysis, std::size_t most);

/// Of which text and page show the bounds.
inline constexpr std::size_t most_remedies = 5;

}  // namespace rta::report
