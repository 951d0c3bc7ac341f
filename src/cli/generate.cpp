#include <fmt/format.h>

#include <boost/program_options/value_semantic.hpp>
#include <filesystem>
#include <iostream>
#include <optional>

#include "choice.hpp"
#include "command.hpp"
#include "number.hpp"
#include "output.hpp"
#include "rta/generate/generator.hpp"
#include "rta/io/new_file.hpp"
#include "rta/io/task_set_file.hpp"
#include "rta/sweep/on_threads.hpp"
#include "rta/sweep/spec_file.hpp"

namespace rta::cli {
namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;

po::options_description options_of_generate() {
  po::options_description all;
  all.add_options()("seed", po::value<std::string>()->value_name("S"), "seed of the random numbers (default: the file's, or 0)");
  all.add_options()("count,n", po::value<std::string>()->value_name("N")->default_value("1"), "number of task sets");
  all.add_options()("first", po::value<std::string>()->value_name("I")->default_value("0"),
                    "number of the first one; set number I is the same whatever was generated before");
  all.add_options()("point", po::value<std::string>()->value_name("P"), "point of the file's grid, from 0 (as in a sweep's results)");
  all.add_options()("granularity", po::value<std::string>()->value_name("G")->default_value("fine"),
                    "whose tasks they are, where the file has a split_overhead: nodes (fine), groups (coarse) or DAGs (monolithic)");
  all.add_options()("threads", po::value<std::string>()->value_name("K"),
                    "play each DAG on K threads, node after node (monolithic), as an analysis of a sweep with `threads` does");
  all.add_options()("output,o", po::value<std::string>()->value_name("DIR"),
                    "write DIR/set-I.yaml (created if need be); without it, one task set goes to standard output");
  add_quiet_option(all);
  return all;
}

ExitStatus run_generate(const po::variables_map& given, const std::vector<std::string>& arguments) {
  sweep::Overrides overrides;
  if (given.count("seed") != 0) overrides.seed = whole_number(given, "seed", 0, any_number);
  const std::uint64_t first = whole_number(given, "first", 0, any_number - 1);
  const std::uint64_t count = whole_number(given, "count", 1, any_number - first);
  std::optional<fs::path> folder;
  if (given.count("output") != 0) folder = given["output"].as<std::string>();
  if (!folder && count > 1) throw UsageError("more than one task set needs a folder: -o DIR");

  static constexpr Choice<generate::Grain> grains[] = {
      {"fine", generate::Grain::fine}, {"coarse", generate::Grain::coarse}, {"monolithic", generate::Grain::monolithic}};
  generate::Grain grain = chosen("granularity", given["granularity"].as<std::string>(), grains);
  std::optional<std::uint32_t> threads;
  if (given.count("threads") != 0) {
    threads = static_cast<std::uint32_t>(whole_number(given, "threads", 1, sweep::most_threads_of_dags));
    if (!given["granularity"].defaulted() && grain != generate::Grain::monolithic)
      throw UsageError("--threads: each thread plays a whole DAG; leave --granularity out");
    grain = generate::Grain::monolithic;
  }

  const sweep::Plan plan = sweep::read_plan(arguments.front(), overrides);
  std::uint64_t point = 0;
  if (given.count("point") != 0) {
    point = whole_number(given, "point", 0, plan.points.size() - 1);
  } else if (plan.points.size() > 1) {
    throw UsageError(fmt::format("the file has a grid of {} points; choose one with --point", plan.points.size()));
  }
  const generate::Recipe& recipe = plan.points[point].recipe;
  if (threads && recipe.sequential) throw UserError(arguments.front() + ": --threads: nodes of threads are not `sequential`, as its are");
  try {
    generate::Generator generator(recipe);
    generate::RandomSet set;
    if (folder) fs::create_directories(*folder);
    for (std::uint64_t i = first; i < first + count; ++i) {
      generator.draw({plan.seed, point, i}, set);
      add_split_overhead(recipe, grain, set);
      const TaskSet drawn = to_task_set(recipe, set, "random");
      const std::string text = fmt::format("# random task set: seed {}, point {}, set {}\n{}", plan.seed, point, i,
                                           io::format_task_set(threads ? sweep::on_threads(drawn, *threads) : drawn));
      if (folder) {
        io::write_file_unsynced(*folder / fmt::format("set-{:06}.yaml", i), text);
      } else {
        std::cout << text;
      }
    }
    if (folder) io::sync_folder(*folder);
  } catch (const generate::RecipeError& error) {
    throw UserError(arguments.front() + ": " + error.what());
  }
  return ExitStatus::yes;
}

}  // namespace

const Command& generate_command() {
  static const Command command{
      "generate",
      "SPEC",
      "Generate random task sets",
      "Draws task sets as SPEC (YAML) says: numbers of DAGs and nodes, periods, shapes, kernels, and the total utilization of the CPUs and "
      "of "
      "the GPU, which the sets meet exactly: never above, and closer than one more nanosecond of any node would be. The random numbers of "
      "a "
      "set depend on the seed, the point of the grid and the number of the set alone. SPEC may be a sweep's file.\n\n"
      "The exit status is 0, or 2 for bad input or usage.",
      options_of_generate,
      1,
      run_generate,
      0,
      {{"rta generate tasksets/sweeps/schedulers.yaml --point 4 --count 3 -o sets", "three random task sets of a grid's fourth point"},
       {"rta generate tasksets/sweeps/schedulers.yaml --point 0", "one, on standard output"}}};
  return command;
}

}  // namespace rta::cli
