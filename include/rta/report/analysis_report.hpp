// An analysis as text for people, as JSON, as CSV and as a page (`Format::analysis`). Nothing is computed here.
#pragma once

#include "rta/analysis/analyze.hpp"

namespace rta::report {

struct TextStyle {
  bool verbose = false;  // every node
  bool colour = false;   // ANSI colours for the verdict
};

struct AnalysisReport {
  const analysis::Analysis& analysis;
  TextStyle style;  // of text
};

}  // namespace rta::report
