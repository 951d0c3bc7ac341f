#include "rta/sweep/spec_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "grid.hpp"
#include "io/yaml_document.hpp"
#include "recipe_reader.hpp"
#include "spec_values.hpp"

namespace rta::sweep {
namespace {

using analysis::CpuBound;
using analysis::Granularity;
using analysis::Objective;
using analysis::ReleasePolicy;
using analysis::fifo::Bound;
using analysis::gel::Refinement;
using io::Diagnostics;
using io::Fields;

constexpr std::uint64_t most_points = 100'000;
constexpr std::uint64_t most_sets = 1'000'000'000;

constexpr std::array<std::string_view, 3> top_keys{"platform", "random", "sweep"};
constexpr std::array<std::string_view, 4> sweep_keys{"seed", "sets", "grid", "analyses"};
constexpr std::array<std::string_view, 11> analysis_keys{"simulate",  "release",   "optimize_priorities", "name",
                                                         "scheduler", "objective", "granularity",         "cpu_bound",
                                                         "gpu_bound", "refine",    "shared_weights"};

template <class T>
struct Word {
  std::string_view name;
  T value;
};
constexpr std::array<Word<Scheduler>, 4> schedulers{
    {{"G-EDF", Scheduler::g_edf}, {"G-FL", Scheduler::g_fl}, {"FIFO", Scheduler::fifo}, {"LP", Scheduler::lp}}};
constexpr std::array<Word<Objective>, 2> objectives{{{"sum", Objective::sum}, {"max-lateness", Objective::max_lateness}}};
constexpr std::array<Word<Granularity>, 3> granularities{
    {{"fine", Granularity::fine}, {"coarse", Granularity::coarse}, {"monolithic", Granularity::monolithic}}};
constexpr std::array<Word<CpuBound>, 4> cpu_bounds{
    {{"best", CpuBound::best}, {"T1", CpuBound::T1}, {"T3", CpuBound::T3}, {"T4", CpuBound::T4}}};
constexpr std::array<Word<Bound>, 4> gpu_bounds{{{"best", Bound::best}, {"T5", Bound::T5}, {"T6a", Bound::T6a}, {"T6b", Bound::T6b}}};
constexpr std::array<Word<Refinement>, 6> refinements{{{"none", Refinement::none},
                                                       {"demand", Refinement::demand},
                                                       {"carry", Refinement::carry},
                                                       {"response", Refinement::response},
                                                       {"early", Refinement::early},
                                                       {"all", Refinement::all}}};

constexpr std::array<Word<ReleasePolicy>, 4> releases{{{"offsets", ReleasePolicy::offsets},
                                                       {"completion", ReleasePolicy::completion},
                                                       {"segments", ReleasePolicy::segments},
                                                       {"best", ReleasePolicy::best}}};

template <class T, std::size_t N>
std::optional<T> word(const Fields& fields, std::string_view key, const std::array<Word<T>, N>& words) {
  std::array<std::string_view, N> names;
  for (std::size_t i = 0; i < N; ++i) names[i] = words[i].name;
  const auto index = fields.choice(key, names);
  return index ? std::optional(words[*index].value) : std::nullopt;
}

// Names stand in tables without quotes.
bool fit_for_a_table(std::string_view name) {
  return std::all_of(name.begin(), name.end(), [](unsigned char c) { return c > 0x20 && c < 0x7f && c != ',' && c != '"'; });
}

std::vector<AnalysisChoice> read_analyses(const Value& value, Diagnostics& out) {
  std::vector<AnalysisChoice> analyses;
  if (value.kind != Value::Kind::sequence || value.first() == value.next()) {
    out.error(value.mark, "sweep.analyses: a list of analyses is expected, each like {name: T5, gpu_bound: T5}");
    return analyses;
  }
  std::set<std::string> names;
  for (const Value* one = value.first(); one != value.next(); one = one->next()) {
    Fields fields(*one, {}, out, "sweep.analyses");
    fields.allow_only(analysis_keys);
    AnalysisChoice choice;
    if (fields.usable()) static_cast<void>(fields.require("name", "what the analysis is called in the results"));
    if (const auto name = fields.name("name")) {
      choice.name = *name;
      if (!fit_for_a_table(*name))
        out.error(fields.find("name")->mark, fmt::format("name: {} holds a comma, a quote or a letter beyond ASCII", io::quote(*name)));
      if (!names.insert(choice.name).second)
        out.error(fields.find("name")->mark, fmt::format("name: two analyses are called {}", io::quote(*name)));
    }
    choice.options.scheduler = word(fields, "scheduler", schedulers);
    choice.options.objective = word(fields, "objective", objectives).value_or(Objective::sum);
    choice.options.granularity = word(fields, "granularity", granularities).value_or(Granularity::fine);
    choice.options.cpu_bound = word(fields, "cpu_bound", cpu_bounds).value_or(CpuBound::best);
    choice.options.gpu_bound = word(fields, "gpu_bound", gpu_bounds).value_or(Bound::best);
    choice.options.refinement = word(fields, "refine", refinements).value_or(Refinement::all);
    choice.options.release = word(fields, "release", releases).value_or(ReleasePolicy::offsets);
    choice.options.optimize_priorities = fields.flag("optimize_priorities").value_or(false);
    choice.options.shared_weights = fields.flag("shared_weights").value_or(false);
    if (const Value* duration = fields.find("simulate")) {
      choice.simulated = SpecValues(out).time(*duration, "simulate");
      const bool fits = choice.options.granularity == Granularity::fine &&
                        (choice.options.release == ReleasePolicy::offsets || choice.options.release == ReleasePolicy::completion);
      if (!fits) out.error(duration->mark, "simulate: needs `granularity: fine` and `release: offsets` or `completion`");
    }
    analyses.push_back(std::move(choice));
  }
  return analyses;
}

// One point after the other, so that an error of a point that the grid makes is reported once, where the value stands.
void read_points(Plan& plan, const Grid& grid, const Value& top, Diagnostics& out) {
  plan.parameters = grid.parameters();
  const std::uint64_t points = grid.points();
  if (points > most_points) {
    out.error(value_at(top, "sweep.grid")->mark, fmt::format("sweep.grid: more than {} points", most_points));
    return;
  }
  for (std::uint64_t p = 0; p < points && !out.failed(); ++p) {
    const auto values = grid.at(p);
    const std::vector<Value> document = with_values(top, plan.parameters, values);
    Point point;
    for (const Value* value : values) point.values.push_back(flow_text(*value));
    if (auto recipe = read_recipe(document.front(), out)) {
      point.recipe = std::move(*recipe);
      plan.points.push_back(std::move(point));
    }
  }
}

}  // namespace

Plan parse_plan(std::string_view text, const std::string& name, const Overrides& overrides) {
  Diagnostics out(name);
  const io::YamlDocument document(text, out, "it needs `platform` and `random`, and `sweep` for a sweep");
  const Value& root = document.root();
  const Fields top(root, {}, out);
  top.allow_only(top_keys);
  if (!top.usable()) out.throw_if_failed();

  Plan plan;
  plan.text = text;
  plan.timing = overrides.timing;
  std::optional<Grid> grid;
  if (const Value* value = top.find("sweep")) {
    const Fields sweep(*value, {}, out, "sweep");
    sweep.allow_only(sweep_keys);
    const SpecValues values(out);
    if (const Value* seed = sweep.find("seed")) plan.seed = values.integer(*seed, "sweep.seed", ~std::uint64_t{0}).value_or(0);
    plan.sets = sweep.integer("sets", 1, most_sets).value_or(1);
    if (const Value* axes = sweep.find("grid")) grid.emplace(*axes, root, out);
    if (const Value* list = sweep.find("analyses")) plan.analyses = read_analyses(*list, out);
  }
  if (overrides.seed) plan.seed = *overrides.seed;
  if (overrides.sets) plan.sets = *overrides.sets;
  if (grid) {
    out.throw_if_failed();
    read_points(plan, *grid, root, out);
  } else if (auto recipe = read_recipe(root, out)) {
    plan.points.push_back({{}, std::move(*recipe)});
  }
  out.throw_if_failed();
  return plan;
}

Plan read_plan(const std::filesystem::path& path, const Overrides& overrides) {
  const std::string name = path == "-" ? "<stdin>" : path.string();
  return parse_plan(io::read_file(path, name), name, overrides);
}

}  // namespace rta::sweep
