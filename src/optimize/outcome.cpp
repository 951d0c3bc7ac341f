#include "optimize/outcome.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "rta/io/diagnostic.hpp"
#include "rta/model/error.hpp"

namespace rta::optimize {
namespace {

class Maker {
 public:
  Maker(const io::ChoiceFile& file, const Result& result, const analysis::Options& options, const Limit& limit)
      : file_(file), result_(result), options_(options), limit_(limit) {}

  Outcome run() {
    Outcome outcome;
    try {
      outcome.after = result_.of_best ? result_.of_best : analysis_of(result_.best);
    } catch (const Over&) {
      throw UserError(std::string(limit_.cause() == Limit::Cause::request ? "interrupted" : "the time limit was reached") +
                      " before the best combination was analyzed");
    }
    require(outcome.after != nullptr, "the best selection was judged");
    try {
      outcome.before = result_.of_first ? result_.of_first : analysis_of(result_.first);
    } catch (const Over&) {
      outcome.before = nullptr;
    }
    for (std::size_t i = 0; i < result_.best.size(); ++i) outcome.decisions.push_back(decision(i));
    if (file_.has_costs()) {
      outcome.cost = file_.cost(result_.best);
      outcome.frontier = frontier();
    }
    return outcome;
  }

 private:
  [[nodiscard]] std::shared_ptr<const analysis::Analysis> analysis_of(const io::Selection& selection) const {
    try {
      return analyzed(file_, selection, options_, limit_);
    } catch (const io::InputError&) {
      return nullptr;
    } catch (const Overflow&) {
      return nullptr;
    }
  }

  [[nodiscard]] Decision decision(std::size_t i) const {
    const io::Choice& choice = file_.choices()[i];
    Decision decision{choice.what, {}};
    for (std::size_t a = 0; a < choice.alternatives.size(); ++a) {
      Alternative one{choice.alternatives[a], a == result_.best[i], true, std::nullopt, std::nullopt};
      io::Selection selection = result_.best;
      selection[i] = a;
      if (file_.has_costs()) one.cost = file_.cost(selection);
      try {
        one.score = score(selection);
      } catch (const Over&) {
        one.judged = false;
      }
      decision.alternatives.push_back(std::move(one));
    }
    return decision;
  }

  [[nodiscard]] std::optional<Score> score(const io::Selection& selection) const {
    if (const auto at = result_.scores.find(file_.plain(selection)); at != result_.scores.end()) return at->second;
    const auto analysis = analysis_of(selection);
    if (!analysis) return std::nullopt;
    return priced(score_of(*analysis, ranked_by(file_, options_)), file_, selection);
  }

  [[nodiscard]] std::vector<OnFrontier> frontier() const {
    std::vector<Weighed> met;
    for (const auto& [selection, score] : result_.scores) {
      if (score && score->unbounded == 0 && score->missed == 0) met.push_back({selection, *score});
    }
    std::vector<OnFrontier> all;
    for (const Weighed& one : frontier_of(std::move(met))) all.push_back({one.score.cost, one.score.first, departures(one.selection)});
    return all;
  }

  [[nodiscard]] std::vector<Departure> departures(const io::Selection& selection) const {
    std::vector<Departure> all;
    for (std::size_t i = 0; i < selection.size(); ++i) {
      const io::Choice& choice = file_.choices()[i];
      if (selection[i] != result_.best[i]) all.push_back({choice.what, choice.alternatives[selection[i]]});
    }
    return all;
  }

  const io::ChoiceFile& file_;
  const Result& result_;
  const analysis::Options& options_;
  const Limit& limit_;
};

}  // namespace

std::vector<Weighed> frontier_of(std::vector<Weighed> weighed) {
  std::ranges::stable_sort(weighed, {}, &Weighed::score);
  std::vector<Weighed> frontier;
  for (Weighed& one : weighed) {
    if (frontier.empty() || one.score.first < frontier.back().score.first) frontier.push_back(std::move(one));
  }
  return frontier;
}

Outcome outcome_of(const io::ChoiceFile& file, const Result& result, const analysis::Options& options, const Limit& limit) {
  return Maker(file, result, options, limit).run();
}

}  // namespace rta::optimize
