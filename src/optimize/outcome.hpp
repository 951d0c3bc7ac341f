// What a search chose, and why: the bounds before and after, and those of what was not chosen.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "optimize/search.hpp"

namespace rta::optimize {

/// One alternative of a choice with all else as in the best.
struct Alternative {
  std::string value;
  bool chosen = false;
  std::optional<analysis::Verdict> verdict;  // none: it makes no task set with the others
  std::optional<Score> score;
};

struct Decision {
  std::string what;
  std::vector<Alternative> alternatives;
};

struct Outcome {
  std::optional<analysis::Analysis> before;  // of the first alternatives; none: they make no task set
  analysis::Analysis after;
  std::vector<Decision> decisions;  // by choice
};

/// Analyses anew what was judged, as `options` say.
[[nodiscard]] Outcome outcome_of(const io::ChoiceFile& file, const Result& result, const analysis::Options& options);

}  // namespace rta::optimize
