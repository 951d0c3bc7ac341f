// What a search chose, and why: the bounds before and after, and those of what was not chosen.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "optimize/search.hpp"

namespace rta::optimize {

/// One alternative of a choice with all else as in the best.
struct Alternative {
  std::string value;
  bool chosen = false;
  bool judged = true;          // false: the limit was reached before
  std::optional<Score> score;  // none: it makes no task set with the others
};

struct Decision {
  std::string what;
  std::vector<Alternative> alternatives;
};

struct Outcome {
  std::shared_ptr<const analysis::Analysis> before;  // of the first alternatives; null: they make no task set, or were not judged
  std::shared_ptr<const analysis::Analysis> after;
  std::vector<Decision> decisions;  // by choice
};

/// Analyzes what was not judged, as `options` say, until the limit is reached. Throws `UserError` where it is reached before the best is
/// analyzed.
[[nodiscard]] Outcome outcome_of(const io::ChoiceFile& file, const Result& result, const analysis::Options& options, const Limit& limit);

}  // namespace rta::optimize
