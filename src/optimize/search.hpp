// The search for the best of the task sets that a file with choices stands for.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/search/cost.hpp"
#include "rta/analysis/analyze.hpp"
#include "rta/io/choice_file.hpp"
#include "rta/model/limit.hpp"

namespace rta::optimize {

/// Smaller is better: more DAGs with bounds, then more deadlines and limits of chains that are met, then less cost, then what the objective
/// minimises.
struct Score {
  std::size_t unbounded = 0;
  std::size_t missed = 0;
  std::uint64_t cost = 0;  // where everything is met, and alternatives have costs
  Wide first = 0;
  Wide second = 0;
  auto operator<=>(const Score&) const = default;
};

/// Its cost is 0.
[[nodiscard]] Score score_of(const analysis::Analysis& analysis, analysis::Objective objective);
/// The score with the cost of the selection, where that counts.
[[nodiscard]] Score priced(Score score, const io::ChoiceFile& file, const io::Selection& selection);
/// What is minimised among equals: what the analysis minimises, or, where alternatives have costs, the largest lateness.
[[nodiscard]] analysis::Objective ranked_by(const io::ChoiceFile& file, const analysis::Options& options);
[[nodiscard]] analysis::Verdict verdict_of(const Score& score);

/// Thrown by what may judge no more.
struct Over {};

/// The analysis of what these alternatives make. Throws `InputError` or `Overflow` where they make no task set, and `Over` where the limit
/// is reached before it is done.
[[nodiscard]] std::shared_ptr<const analysis::Analysis> analyzed(const io::ChoiceFile& file, const io::Selection& selection,
                                                                 const analysis::Options& options, const Limit& limit);

/// By selection: nothing where the alternatives do not go together, which makes no task set.
using Scores = std::map<io::Selection, std::optional<Score>>;

struct Options {
  analysis::Options analysis;     // how each task set is judged
  std::uint64_t seed = 1;         // of the order in which alternatives are tried
  std::uint64_t try_all = 2'000;  // so many combinations, or fewer, are all tried
  std::uint64_t effort = 1'000;   // else so many are judged at most
  Limit limit;                    // asked before each, and while it is analyzed
  Scores known;                   // judged before: not judged again, and counted as if they were
  std::function<void(const io::Selection&, const std::optional<Score>&)> judged;  // each that was, but for the known ones
  std::function<void(std::uint64_t tried, const std::optional<Score>& best)> progress;
};

struct Result {
  io::Selection first;    // the first alternative of every choice
  io::Selection best;     // the least of the best
  Scores scores;          // all that were judged
  bool complete = false;  // no combination is left
  Limit::Cause ended = Limit::Cause::none;
  std::string conflict;  // why the first of those that make no task set makes none
  /// Null where they were not analyzed, but known or not reached.
  std::shared_ptr<const analysis::Analysis> of_first, of_best;
};

/// How many combinations there are; nothing for more than 64 bits hold.
[[nodiscard]] std::optional<std::uint64_t> combinations(const io::ChoiceFile& file);

/// Few combinations are all tried. Else it goes from the first alternatives, and then from random ones, by changes of one choice and of two
/// at once to better ones until none is, again and again as far as the effort goes. The same seed, effort and file give the same result,
/// interrupted or not. Throws `InputError` when no combination makes a task set.
[[nodiscard]] Result search(const io::ChoiceFile& file, const Options& options);

}  // namespace rta::optimize
