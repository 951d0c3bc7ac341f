#include "task_set_input.hpp"

#include "choice.hpp"
#include "rta/io/task_set_file.hpp"

namespace rta::cli {

namespace po = boost::program_options;

void add_analysis_options(po::options_description& options) {
  options.add_options()("scheduler", po::value<std::string>()->value_name("NAME"),
                        "scheduler of every CPU pool, in place of the file's: G-EDF, G-FL, FIFO or LP");
}

TaskSetInput read_input(const std::string& path) {
  TaskSetInput input;
  input.text = io::read_task_set_text(path);
  auto read = io::parse_task_set(input.text, path == "-" ? "<stdin>" : path);
  for (const io::Diagnostic& warning : read.warnings) input.warnings.push_back(warning.text());
  input.task_set = std::make_shared<const TaskSet>(std::move(read.task_set));
  return input;
}

analysis::Analysis analyzed(std::shared_ptr<const TaskSet> task_set, validation::Release release,
                            const std::optional<std::string>& scheduler) {
  constexpr Choice<Scheduler> schedulers[] = {
      {"G-EDF", Scheduler::g_edf}, {"G-FL", Scheduler::g_fl}, {"FIFO", Scheduler::fifo}, {"LP", Scheduler::lp}};
  analysis::Options options;
  validation::set_release(options, release);
  if (scheduler) options.scheduler = chosen("scheduler", *scheduler, schedulers);
  return analysis::analyze(std::move(task_set), options);
}

std::optional<std::string> text_of(const po::variables_map& given, const char* option) {
  if (given.count(option) == 0) return std::nullopt;
  return given[option].as<std::string>();
}

}  // namespace rta::cli
