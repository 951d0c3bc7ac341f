// What changed between two results as rows of tables, which text, Markdown and pages share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/parts/text_table.hpp"
#include "rta/report/difference_report.hpp"

namespace rta::report {

/// `response bound` of `response_bound_ns`.
[[nodiscard]] std::string words_of_key(std::string key);
/// How it became worse or not, with counts, in one line.
[[nodiscard]] std::string difference_summary(const diff::Difference& difference);

/// One thing that changed: of which part, what of it, before, after, by how much, and how. Of a warning, and of a part of which nothing
/// else is known, only the part.
struct DifferenceRow {
  std::string part, key, before, after, growth, mark;
};
struct DifferenceSection {
  std::string_view title;
  std::vector<DifferenceRow> rows;
};
/// Sections without rows are left out; in each what became worse comes first.
[[nodiscard]] std::vector<DifferenceSection> difference_sections(const DifferenceReport& report);
/// The section as a table, with its header; a part is named once.
[[nodiscard]] std::vector<Row> difference_table(const DifferenceSection& section);

}  // namespace rta::report
