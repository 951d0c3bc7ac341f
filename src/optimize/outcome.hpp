// What a search chose, and why: the bounds before and after, and those of what was not chosen.
#pragma once

#include <cstdint>
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
  bool judged = true;                 // false: the limit was reached before
  std::optional<Score> score;         // none: it makes no task set with the others
  std::optional<std::uint64_t> cost;  // of all that is then chosen; where alternatives have costs
};

struct Decision {
  std::string what;
  std::vector<Alternative> alternatives;
};

/// A combination that was judged and meets everything.
struct Weighed {
  io::Selection selection;
  Score score;  // by the largest lateness
};

/// Where a combination is not as the chosen one.
struct Departure {
  std::string what, value;
};

/// One beside which no other that was judged is as little late for less cost, or less for as much.
struct OnFrontier {
  std::uint64_t cost = 0;
  Wide lateness = 0;                  // the largest: bound less deadline, or period of a DAG without one, in ns
  std::vector<Departure> departures;  // none: it is the chosen one
};

struct Outcome {
  std::shared_ptr<const analysis::Analysis> before;  // of the first alternatives; null: they make no task set, or were not judged
  std::shared_ptr<const analysis::Analysis> after;
  std::vector<Decision> decisions;    // by choice
  std::optional<std::uint64_t> cost;  // of what is chosen; where alternatives have costs
  std::vector<OnFrontier> frontier;   // from the cheapest on; empty where alternatives have no costs
};

/// Of what meets everything, from the cheapest on, each less late than all before it.
[[nodiscard]] std::vector<Weighed> frontier_of(std::vector<Weighed> weighed);

/// Analyzes what was not judged, as `options` say, until the limit is reached. Throws `UserError` where it is reached before the best is
/// analyzed.
[[nodiscard]] Outcome outcome_of(const io::ChoiceFile& file, const Result& result, const analysis::Options& options, const Limit& limit);

}  // namespace rta::optimize
