// Words and rows about a search that its text and its page share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "optimization.hpp"
#include "report/parts/text_table.hpp"

namespace rta::report {

/// How many choices and combinations there are, and how many of these were judged.
[[nodiscard]] std::string summary(const Optimization& report);
/// What the search minimised, in ns; nothing where some DAG has no bound, or no time is so long.
[[nodiscard]] std::optional<std::int64_t> objective_ns(const optimize::Score& score);
/// What would be if this alternative alone were another: the reason for the choice.
[[nodiscard]] std::string meaning_of(const optimize::Alternative& one);
/// `sum of bounds` or `largest lateness`, and how much that is with the alternative; empty where it is nothing.
[[nodiscard]] const char* minimised_in_words(const Optimization& report);
[[nodiscard]] std::string minimised_text(const optimize::Alternative& one);
/// A row per alternative: `*` for the chosen one, the alternative, what it would mean on its own, what was minimised, the cost.
[[nodiscard]] std::vector<Row> alternative_rows(const optimize::Decision& decision, const Optimization& report);
/// Header and a row per combination: cost, largest lateness, and what differs from the chosen one.
[[nodiscard]] std::vector<Row> frontier_rows(const optimize::Outcome& outcome);
/// Header and a row per DAG: the bounds before and after.
[[nodiscard]] std::vector<Row> before_and_after_rows(const optimize::Outcome& outcome);

inline constexpr const char* frontier_title = "Cost against lateness, of what was judged and meets everything";
inline constexpr const char* alternatives_title = "Chosen, and what any other alternative would mean on its own";

}  // namespace rta::report
