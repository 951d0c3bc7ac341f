#include "task_set_input.hpp"

#include "choice.hpp"
#include "rta/io/task_set_file.hpp"

namespace rta::cli {

namespace po = boost::program_options;

void add_analysis_options(po::options_description& options) {
  options.add_options()("scheduler", po::value<std::string>()->value_name("NAME"),
                        "scheduler of every CPU pool, in place of the file's: G-EDF, G-FL, FIFO or LP");
}

analysis::Analysis analyzed(TaskSet task_set, const po::variables_map& given) {
  constexpr Choice<Scheduler> schedulers[] = {
      {"G-EDF", Scheduler::g_edf}, {"G-FL", Scheduler::g_fl}, {"FIFO", Scheduler::fifo}, {"LP", Scheduler::lp}};
  analysis::Options options;
  if (text_of(given, "release") == "early") options.refinement = analysis::gel::Refinement::early;
  if (const auto name = text_of(given, "scheduler")) options.scheduler = chosen("scheduler", *name, schedulers);
  return analysis::analyze(std::make_shared<const TaskSet>(std::move(task_set)), options);
}

TaskSetInput read_and_analyze(const std::string& path, const po::variables_map& given) {
  TaskSetInput input;
  input.text = io::read_task_set_text(path);
  auto read = io::parse_task_set(input.text, path == "-" ? "<stdin>" : path);
  for (const io::Diagnostic& warning : read.warnings) input.warnings.push_back(warning.text());
  input.analysis = analyzed(std::move(read.task_set), given);
  input.warnings.insert(input.warnings.end(), input.analysis.warnings.begin(), input.analysis.warnings.end());
  return input;
}

std::optional<std::string> text_of(const po::variables_map& given, const char* option) {
  if (given.count(option) == 0) return std::nullopt;
  return given[option].as<std::string>();
}

}  // namespace rta::cli
