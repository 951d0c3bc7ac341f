// Fixed priorities that were chosen, in every format that shows them.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "report/parts/text_table.hpp"
#include "rta/analysis/analyze.hpp"

namespace rta::report {

/// How they were found, or that the given ones stay. Requires an assignment.
[[nodiscard]] std::string assignment_in_words(const analysis::Analysis& analysis);
/// A heading, then a row for each kind of DAG, most urgent first: what the file is to say. Requires an assignment.
[[nodiscard]] std::vector<Row> assignment_rows(const analysis::Analysis& analysis);
/// A section of the text; nothing without an assignment.
void print_assignment(const analysis::Analysis& analysis, std::ostream& out);
/// Requires an assignment.
[[nodiscard]] nlohmann::ordered_json assignment_json(const analysis::Analysis& analysis);

}  // namespace rta::report
