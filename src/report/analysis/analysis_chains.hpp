// The chains of an analysis, in every format.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "report/parts/text_table.hpp"
#include "rta/analysis/analyze.hpp"

namespace rta::report {

/// Whether chains alone miss something: every deadline of a DAG is met.
[[nodiscard]] bool only_chains_miss(const analysis::Analysis& analysis);
/// What follows the verdict's word then.
[[nodiscard]] std::string chains_sentence(const analysis::Analysis& analysis);

/// A heading, then a row for each chain; none without chains.
[[nodiscard]] std::vector<Row> chain_rows(const analysis::Analysis& analysis);
/// A section of the text; nothing without chains.
void print_chains(const analysis::Analysis& analysis, std::ostream& out);
[[nodiscard]] nlohmann::ordered_json chains_json(const analysis::Analysis& analysis);

/// Further columns of the CSV, each with a comma before it; empty without chains.
[[nodiscard]] std::string chain_columns(const analysis::Analysis& analysis);
/// The same columns on a node's row.
[[nodiscard]] std::string no_chain_columns(const analysis::Analysis& analysis);
/// A row for each chain, its first `before` fields empty.
void print_chain_lines(const analysis::Analysis& analysis, std::size_t before, std::ostream& out);

}  // namespace rta::report
