#include "task_set_input.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "choice.hpp"
#include "rta/io/task_set_file.hpp"

namespace rta::cli {

namespace po = boost::program_options;

namespace {
constexpr std::string_view names[] = {"scheduler", "preemptive", "priorities"};
}  // namespace

void add_analysis_options(po::options_description& options) {
  options.add_options()("scheduler", po::value<std::string>()->value_name("NAME"),
                        "scheduler of every CPU pool, in place of the file's: G-EDF, G-FL, FIFO or LP");
  options.add_options()("non-preemptive", po::bool_switch(), "CPU pools run what they have started to its end, whatever the file says");
  options.add_options()("priorities", po::value<std::string>()->value_name("NAME"), priorities_help());
}

const char* priorities_help() {
  return "release on completion: the nodes of a preemptive CPU pool share the priority point of their DAG (dag), have chosen points of "
         "their "
         "own (node), or whichever gives the smaller bounds (best); default: best under LP, dag under the other schedulers";
}

analysis::Priorities priorities_named(const std::string& name) {
  constexpr Choice<analysis::Priorities> all[] = {
      {"dag", analysis::Priorities::dag}, {"node", analysis::Priorities::node}, {"best", analysis::Priorities::best}};
  return chosen("priorities", name, all);
}

Choices choices_of(const po::variables_map& given) {
  Choices choices;
  if (given.count("scheduler") != 0) choices.emplace_back("scheduler", given["scheduler"].as<std::string>());
  if (given["non-preemptive"].as<bool>()) choices.emplace_back("preemptive", "false");
  if (given.count("priorities") != 0) choices.emplace_back("priorities", given["priorities"].as<std::string>());
  return choices;
}

Choices completed(Choices choices, const Choices& details) {
  for (const auto& detail : details) {
    if (std::ranges::find(names, detail.first) == std::end(names)) continue;
    if (std::ranges::find(choices, detail.first, &Choices::value_type::first) == choices.end()) choices.push_back(detail);
  }
  return choices;
}

TaskSetInput read_input(const std::string& path) { return parse_input(io::read_task_set_text(path), path); }

TaskSetInput parse_input(std::string text, const std::string& path) {
  TaskSetInput input;
  input.text = std::move(text);
  auto read = io::parse_task_set(input.text, path == "-" ? "<stdin>" : path);
  for (const io::Diagnostic& warning : read.warnings) input.warnings.push_back(warning.text());
  input.task_set = std::make_shared<const TaskSet>(std::move(read.task_set));
  return input;
}

analysis::Analysis analyzed(std::shared_ptr<const TaskSet> task_set, validation::Release release, const Choices& choices) {
  constexpr Choice<Scheduler> schedulers[] = {
      {"G-EDF", Scheduler::g_edf}, {"G-FL", Scheduler::g_fl}, {"FIFO", Scheduler::fifo}, {"LP", Scheduler::lp}};
  analysis::Options options;
  validation::set_release(options, release);
  constexpr Choice<bool> preemptive[] = {{"false", false}, {"true", true}};
  for (const auto& [name, value] : choices) {
    if (name == "scheduler") options.scheduler = chosen(name.c_str(), value, schedulers);
    if (name == "priorities") options.priorities = priorities_named(value);
    if (name == "preemptive") options.preemptive = chosen(name.c_str(), value, preemptive);
  }
  return analysis::analyze(std::move(task_set), options);
}

std::optional<std::string> text_of(const po::variables_map& given, const char* option) {
  if (given.count(option) == 0) return std::nullopt;
  return given[option].as<std::string>();
}

}  // namespace rta::cli
