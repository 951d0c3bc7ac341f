// Each DAG of an analysis as a picture, beside where the time of its bound goes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analysis_words.hpp"
#include "report/parts/page.hpp"

namespace rta::report {

/// Kinds of DAGs whose portraits and timelines a page has.
inline constexpr std::size_t most_portraits = 8;

/// The DAG as `draw` draws it (a graph in DOT to SVG; none: no picture, nor one where the layout would take long or be too large to read),
/// and the parts of its bound behind one another, with the deadline as a line.
[[nodiscard]] Portrait dag_portrait(const analysis::Analysis& analysis, const KindOfDag& kind,
                                    const std::function<std::string(const std::string&)>& draw);

}  // namespace rta::report
