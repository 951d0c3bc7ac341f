#include "rta/sweep/spec_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "grid.hpp"
#include "io/yaml_document.hpp"
#include "recipe_reader.hpp"
#include "rta/analysis/option_table.hpp"
#include "rta/model/error.hpp"
#include "rta/sweep/on_threads.hpp"
#include "spec_values.hpp"

namespace rta::sweep {
namespace {

using io::Diagnostics;
using io::Fields;

constexpr std::uint64_t most_points = 100'000;
constexpr std::uint64_t most_sets = 1'000'000'000;
constexpr std::uint64_t most_search_runs = 1'000'000;

constexpr std::array<std::string_view, 3> top_keys{"platform", "random", "sweep"};
constexpr std::array<std::string_view, 4> sweep_keys{"seed", "sets", "grid", "analyses"};
// Names stand in tables without quotes, also before a spreadsheet.
bool fit_for_a_table(std::string_view name) {
  return std::string_view("=+-@'").find(name.front()) == std::string_view::npos &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) { return c > 0x20 && c < 0x7f && c != ',' && c != '"'; });
}

/// `name`, `simulate`, `search`, `periodic`, `threads` and every option of an analysis.
std::vector<std::string> analysis_keys() {
  std::vector<std::string> keys{"name", "simulate", "search", "periodic", "threads"};
  for (const analysis::OptionEntry& entry : analysis::option_table()) keys.push_back(entry.key());
  return keys;
}

/// The value as a command line would give it.
std::optional<std::string> option_text(const Fields& fields, const analysis::OptionEntry& entry) {
  const std::string name = entry.key();
  const io::Key key = std::string_view(name);
  if (!fields.has(key)) return std::nullopt;
  if (entry.is_flag()) {
    const auto is_on = fields.flag(key);
    return is_on ? std::optional<std::string>(*is_on ? "true" : "false") : std::nullopt;
  }
  if (!entry.values.empty()) {
    const auto index = fields.choice(key, entry.values);
    return index ? std::optional<std::string>(entry.values[*index]) : std::nullopt;
  }
  const auto number = fields.integer(key, 1, std::numeric_limits<std::int64_t>::max());
  return number ? std::optional(std::to_string(*number)) : std::nullopt;
}

/// What the options choose; where no release is given, at offsets, or on completion.
analysis::Options read_options(const Fields& fields, bool on_completion, Diagnostics& out) {
  analysis::GivenOptions given;
  for (const analysis::OptionEntry& entry : analysis::option_table()) {
    if (auto text = option_text(fields, entry)) given.emplace_back(entry.name, *std::move(text));
  }
  try {
    analysis::Options options = analysis::options_of(given);
    if (!fields.has("release") && !options.release && options.granularity == analysis::Granularity::fine) {
      given.emplace_back("release", on_completion ? "completion" : "offsets");
      options = analysis::options_of(given);
    }
    if (options.fitting == analysis::Fitting::small) options.fitting = analysis::Fitting::open;
    return options;
  } catch (const UserError& error) {
    out.error(fields.mapping().mark, error.what());
    return {};
  }
}

/// Only on completion, and with all theorems, is the clock made use of; threads have bounds of their own, likewise.
void check_only(std::string_view with, const Fields& fields, const analysis::Options& options, Diagnostics& out) {
  const auto refuse = [&](std::string_view key, std::string_view allowed) {
    const Value* const at = fields.find(io::Key(key));
    out.error((at != nullptr ? *at : fields.mapping()).mark, fmt::format("{}: with `{}` {}", key, with, allowed));
  };
  if (options.release && *options.release != Release::completion) refuse("release", "it is completion");
  if (options.path_bound != analysis::PathBound::best) refuse("path_bound", "it is best");
  if (options.granularity != analysis::Granularity::fine) refuse("granularity", "it is fine");
}

AnalysisChoice read_analysis(const Fields& fields, std::set<std::string>& names, Diagnostics& out) {
  AnalysisChoice choice;
  if (fields.usable()) static_cast<void>(fields.require("name", "what the analysis is called in the results"));
  if (const auto name = fields.name("name")) {
    choice.name = *name;
    if (!fit_for_a_table(*name))
      out.error(fields.find("name")->mark,
                fmt::format("name: {} holds a comma, a quote or a letter beyond ASCII, or begins with one of = + - @ '", io::quote(*name)));
    if (!names.insert(choice.name).second)
      out.error(fields.find("name")->mark, fmt::format("name: two analyses are called {}", io::quote(*name)));
  }
  choice.periodic = fields.flag("periodic").value_or(false);
  if (const auto threads = fields.integer("threads", 1, most_threads_of_dags)) choice.threads = static_cast<std::uint32_t>(*threads);
  choice.options = read_options(fields, choice.periodic || choice.threads, out);
  if (choice.periodic) check_only("periodic: true", fields, choice.options, out);
  if (choice.threads) check_only("threads", fields, choice.options, out);
  if (choice.threads && choice.periodic)
    out.error(fields.find("periodic")->mark, "periodic: bounds of threads make no use of phases; leave `periodic` out beside `threads`");
  if (const Value* duration = fields.find("simulate")) choice.simulated = SpecValues(out).time(*duration, "simulate");
  if (const auto runs = fields.integer("search", 1, most_search_runs)) {
    choice.search_runs = *runs;
    if (!choice.simulated) out.error(fields.find("search")->mark, "search: how long each run is stands in 'simulate', which is missing");
  }
  return choice;
}

std::vector<AnalysisChoice> read_analyses(const Value& value, Diagnostics& out) {
  std::vector<AnalysisChoice> analyses;
  if (value.kind != Value::Kind::sequence || value.first() == value.next()) {
    out.error(value.mark, "sweep.analyses: a list of analyses is expected, each like {name: T5, gpu_bound: T5}");
    return analyses;
  }
  const std::vector<std::string> keys = analysis_keys();
  const std::vector<std::string_view> allowed(keys.begin(), keys.end());
  std::set<std::string> names;
  for (const Value* one = value.first(); one != value.next(); one = one->next()) {
    Fields fields(*one, {}, out, "sweep.analyses");
    fields.allow_only(allowed);
    analyses.push_back(read_analysis(fields, names, out));
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
  if (std::ranges::any_of(plan.analyses, &AnalysisChoice::periodic) && value_at(root, "random.phases") == nullptr)
    out.error(value_at(root, "sweep.analyses")->mark, "periodic: the sets have no phases; give `phases: random` or `together` in `random`");
  if (grid) {
    out.throw_if_failed();
    read_points(plan, *grid, root, out);
  } else if (auto recipe = read_recipe(root, out)) {
    plan.points.push_back({{}, std::move(*recipe)});
  }
  out.throw_if_failed();
  if (std::ranges::any_of(plan.analyses, [](const AnalysisChoice& one) { return one.threads.has_value(); }) &&
      std::ranges::any_of(plan.points, [](const Point& point) { return point.recipe.sequential; }))
    out.error(value_at(root, "sweep.analyses")->mark, "threads: nodes of threads are not `sequential`, as those of `random` are");
  out.throw_if_failed();
  return plan;
}

Plan read_plan(const std::filesystem::path& path, const Overrides& overrides) {
  const std::string name = path == "-" ? "<stdin>" : path.string();
  return parse_plan(io::read_file(path, name), name, overrides);
}

}  // namespace rta::sweep
