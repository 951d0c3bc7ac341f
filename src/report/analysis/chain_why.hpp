// Why a chain passes a limit, in words.
#pragma once

#include <string>
#include <vector>

#include "report/parts/text_table.hpp"
#include "rta/analysis/analyze.hpp"
#include "rta/analysis/chain_parts.hpp"

namespace rta::report {

/// A latency that is above its limit, taken apart.
struct ChainWhy {
  std::string heading;    // `c: reaction 37 ms, limit 22 ms`
  std::vector<Row> rows;  // a part and how long; where a stage is a whole DAG, the parts of its bound below it; the last one is the whole
};
/// Of all chains.
[[nodiscard]] std::vector<ChainWhy> chain_whys(const analysis::Analysis& analysis);

/// `missed`, `writes`, `reads`, `stays` or `hands-over`.
[[nodiscard]] std::string_view part_name(analysis::ChainPart::What what);

}  // namespace rta::report
