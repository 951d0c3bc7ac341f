#include "studies.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <sstream>
#include <stop_token>

#include "cli/analysis_options.hpp"
#include "interruptible.hpp"
#include "optimize/outcome.hpp"
#include "optimize/search.hpp"
#include "report/optimization.hpp"
#include "rta/generate/generator.hpp"
#include "rta/io/choice_file.hpp"
#include "rta/io/diagnostic.hpp"
#include "rta/model/error.hpp"
#include "rta/sweep/run.hpp"
#include "rta/sweep/spec_file.hpp"

namespace rta::python {
namespace {

sweep::Plan plan_of(const std::string& spec, bool is_text, const sweep::Overrides& overrides) {
  return is_text ? sweep::parse_plan(spec, "<dict>", overrides) : sweep::read_plan(spec, overrides);
}

}  // namespace

std::vector<Shared> generated(const std::string& spec, bool is_text, std::uint64_t count, std::uint64_t first,
                              std::optional<std::uint64_t> seed, std::optional<std::uint64_t> point) {
  const py::gil_scoped_release unlocked;
  const sweep::Plan plan = plan_of(spec, is_text, {.seed = seed, .sets = std::nullopt, .timing = false});
  if (!point && plan.points.size() > 1)
    throw UserError(fmt::format("the file has a grid of {} points; choose one with point=", plan.points.size()));
  const std::uint64_t chosen = point.value_or(0);
  if (chosen >= plan.points.size()) throw UserError(fmt::format("point {}: the grid has {} points", chosen, plan.points.size()));
  const generate::Recipe& recipe = plan.points[chosen].recipe;
  generate::Generator generator(recipe);
  generate::RandomSet set;
  std::vector<Shared> all;
  for (std::uint64_t i = 0; i < count; ++i) {
    generator.draw({plan.seed, chosen, first + i}, set);
    add_split_overhead(recipe, generate::Grain::fine, set);
    Shared& made = all.emplace_back();
    made.task_set = std::make_shared<const TaskSet>(to_task_set(recipe, set, "random"));
  }
  return all;
}

bool swept(const std::string& spec, bool is_text, const std::string& folder, std::optional<std::uint64_t> count,
           std::optional<std::uint64_t> seed, unsigned jobs, bool timing) {
  return interruptible([&](std::stop_token stop) {
    const sweep::Plan plan = plan_of(spec, is_text, {.seed = seed, .sets = count, .timing = timing});
    if (plan.analyses.empty()) throw UserError((is_text ? std::string("<dict>") : spec) + ": a sweep needs `sweep: {analyses: [...]}`");
    sweep::RunOptions options;
    options.jobs = jobs;
    options.limit = Limit(std::move(stop));
    try {
      return sweep::run(plan, folder, options);
    } catch (const generate::RecipeError& error) {
      throw UserError(error.what());
    }
  });
}

std::pair<std::string, Shared> optimized(const std::string& text, const std::string& name, std::uint64_t seed, std::uint64_t effort,
                                         const std::optional<double>& time_limit, const py::dict& analysis) {
  optimize::Options wanted;
  wanted.analysis = cli::checked_options(given_options(analysis));
  wanted.seed = seed;
  wanted.effort = effort;
  (void)limit_of(time_limit, {});  // is refused before anything runs
  return interruptible([&](std::stop_token stop) {
    const io::ChoiceFile file(text, name);
    const Limit limit = limit_of(time_limit, std::move(stop));
    wanted.limit = limit;
    const optimize::Result result = optimize::search(file, wanted);
    const optimize::Outcome outcome = optimize::outcome_of(file, result, wanted.analysis, limit);
    auto chosen = file.task_set(result.best);
    Shared made;
    std::vector<std::string> warnings;
    if (file.choices().empty()) warnings.push_back(name + ": has no choice, so there is nothing to optimize");
    for (const io::Diagnostic& warning : chosen.warnings) made.warnings.push_back(warning.text());
    warnings.insert(warnings.end(), made.warnings.begin(), made.warnings.end());
    made.task_set = std::make_shared<const TaskSet>(std::move(chosen.task_set));
    std::ostringstream json;
    report::print_optimization_json({result, outcome, optimize::combinations(file), std::nullopt, warnings, wanted.analysis.objective},
                                    json);
    return std::pair(std::move(json).str(), std::move(made));
  });
}

}  // namespace rta::python
