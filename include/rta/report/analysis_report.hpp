// An analysis as text for people, as JSON, as CSV and as a page (`Format::analysis`). No bound is computed here.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rta/analysis/analyze.hpp"

namespace rta::report {

struct TextStyle {
  bool verbose = false;  // every node
  bool all = false;      // every DAG, not the worst of many
  bool colour = false;   // ANSI colours for the verdict
};

/// A certificate that was written of the proof.
struct Certification {
  std::string file;
  std::vector<std::string> uncertified;  // bounds that it does not carry: `dag/node (theorem)`
};

struct AnalysisReport {
  const analysis::Analysis& analysis;
  TextStyle style;                           // of text
  std::optional<Certification> certificate;  // in text and JSON
  /// Of pages: a graph in DOT as SVG. None: they have no pictures of DAGs.
  std::function<std::string(const std::string& dot)> draw = {};
};

/// Whether all that is required of DAGs, nodes and chains is proven: also of nodes of groups, which have no bound of their own.
[[nodiscard]] bool requirements_hold(const analysis::Analysis& analysis);

}  // namespace rta::report
