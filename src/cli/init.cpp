#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/value_semantic.hpp>
#include <filesystem>
#include <iostream>
#include <vector>

#include "command.hpp"
#include "io/fields.hpp"
#include "output.hpp"
#include "rta/io/new_file.hpp"
#include "starters.hpp"

namespace rta::cli {
namespace {

namespace po = boost::program_options;

po::options_description options_of_init() {
  po::options_description all;
  all.add_options()("output,o", po::value<std::string>()->value_name("FILE"),
                    "write to FILE, which must not exist, instead of standard output");
  add_quiet_option(all);
  return all;
}

const Starter& starter_named(const std::string& name) {
  const auto* const found = std::ranges::find(starters(), std::string_view(name), &Starter::name);
  if (found != starters().end()) return *found;
  std::vector<std::string_view> names;
  for (const Starter& starter : starters()) names.push_back(starter.name);
  throw UsageError(
      fmt::format("there is no file '{}' to begin with{} (there are: {})", name, io::suggestion(name, names), io::joined(names)));
}

ExitStatus run_init(const po::variables_map& given, const std::vector<std::string>& arguments) {
  const Starter& starter = arguments.empty() ? starters().front() : starter_named(arguments.front());
  if (given.count("output") == 0) {
    std::cout << starter.content;
    return ExitStatus::yes;
  }
  const std::filesystem::path path = given["output"].as<std::string>();
  if (std::error_code unknown; std::filesystem::is_regular_file(path, unknown)) {
    throw UsageError(fmt::format("--output '{}': is there already, and is not replaced", path.string()));
  }
  io::write_file(path, starter.content);
  return ExitStatus::yes;
}

}  // namespace

const Command& init_command() {
  static const Command command{
      "init",
      "[KIND]",
      "Write a file to begin with, which explains itself",
      "Prints a small system with comments, to be changed into one of your own. KIND is pipeline (CPUs, kernels, copies, a chain; the "
      "default), "
      "ros2 (callbacks on single-threaded executors), tensorrt (engines known by how long they take) or static (a graph of runnables for "
      "rta "
      "compile). The first lines of the file name the commands to go on with.\n\n"
      "The exit status is 0, or 2 for bad input or usage.",
      options_of_init,
      0,
      run_init,
      1,
      {{"rta init -o pipeline.yaml", "a pipeline over CPUs and a GPU"}, {"rta init ros2", "callbacks, on standard output"}}};
  return command;
}

}  // namespace rta::cli
