#include "optimize/outcome.hpp"

#include <memory>
#include <utility>

#include "rta/io/diagnostic.hpp"
#include "rta/model/error.hpp"

namespace rta::optimize {
namespace {

std::optional<analysis::Analysis> analysis_of(const io::ChoiceFile& file, const io::Selection& selection,
                                              const analysis::Options& options) {
  try {
    return analysis::analyze(std::make_shared<const TaskSet>(file.task_set(selection).task_set), options);
  } catch (const io::InputError&) {
    return std::nullopt;
  } catch (const Overflow&) {
    return std::nullopt;
  }
}

}  // namespace

Outcome outcome_of(const io::ChoiceFile& file, const Result& result, const analysis::Options& options) {
  std::optional<analysis::Analysis> after = analysis_of(file, result.best, options);
  require(after.has_value(), "the best selection was judged");
  Outcome outcome{analysis_of(file, result.first, options), std::move(*after), {}};
  for (std::size_t i = 0; i < result.best.size(); ++i) {
    const io::Choice& choice = file.choices()[i];
    Decision decision{choice.what, {}};
    for (std::size_t a = 0; a < choice.alternatives.size(); ++a) {
      Alternative one{choice.alternatives[a], a == result.best[i], std::nullopt, std::nullopt};
      io::Selection selection = result.best;
      selection[i] = a;
      if (const auto of = analysis_of(file, selection, options)) {
        one.verdict = of->verdict;
        one.score = score_of(*of, options.objective);
      }
      decision.alternatives.push_back(std::move(one));
    }
    outcome.decisions.push_back(std::move(decision));
  }
  return outcome;
}

}  // namespace rta::optimize
