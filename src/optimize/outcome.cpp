#include "optimize/outcome.hpp"

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
      Alternative one{choice.alternatives[a], a == result_.best[i], true, std::nullopt};
      io::Selection selection = result_.best;
      selection[i] = a;
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
    return analysis ? std::optional(score_of(*analysis, options_.objective)) : std::nullopt;
  }

  const io::ChoiceFile& file_;
  const Result& result_;
  const analysis::Options& options_;
  const Limit& limit_;
};

}  // namespace

Outcome outcome_of(const io::ChoiceFile& file, const Result& result, const analysis::Options& options, const Limit& limit) {
  return Maker(file, result, options, limit).run();
}

}  // namespace rta::optimize
