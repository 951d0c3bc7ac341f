#include <boost/program_options/value_semantic.hpp>
#include <iostream>

#include "command.hpp"
#include "number.hpp"
#include "output.hpp"
#include "rta/io/examiner_file.hpp"
#include "task_set_input.hpp"

namespace rta::cli {
namespace {

namespace po = boost::program_options;

po::options_description options() {
  po::options_description all;
  all.add_options()("device", po::value<std::string>()->value_name("NAME")->default_value("tx2"), "the GPU, one of the built-in devices");
  all.add_options()("copy-rate", po::value<std::string>()->value_name("MIB")->default_value("1280"),
                    "MiB that a copy moves per second: the configurations give sizes, experiments need times");
  all.add_options()("output,o", po::value<std::string>()->value_name("FILE"), "write to FILE instead of standard output");
  all.add_options()("quiet,q", po::bool_switch(), "no warnings");
  return all;
}

ExitStatus run(const po::variables_map& given, const std::vector<std::string>& arguments) {
  io::ExaminerOptions examiner;
  examiner.device = given["device"].as<std::string>();
  examiner.copy_rate = whole_number(given, "copy-rate", 1, 1'000'000'000) << 20U;
  const std::string& path = arguments.front();
  const auto result = io::parse_examiner(io::read_task_set_text(path), path == "-" ? "<stdin>" : path, examiner);
  if (!given["quiet"].as<bool>()) {
    for (const io::Diagnostic& warning : result.warnings) std::cerr << "warning: " << warning.text() << '\n';
  }
  Target target;
  if (const auto output = text_of(given, "output"); output && *output != "-") target.path = *output;
  write(target, [&](std::ostream& out) {
    out << "# From " << result.experiment.name() << ", a configuration of the cuda_scheduling_examiner.\n"
        << io::format_experiment(result.experiment);
  });
  return ExitStatus::yes;
}

}  // namespace

const Command& convert_command() {
  static const Command command{
      "convert",
      "FILE",
      "Turn an experiment of the cuda_scheduling_examiner into an experiment file",
      "Reads a JSON configuration of the cuda_scheduling_examiner (- is standard input) and prints it as an experiment for `rta simulate`: "
      "kernels of "
      "fixed duration (timer_spin, timer_spin_default_stream, sharedmem_timer_spin, multikernel) with their streams, priorities, release "
      "times, "
      "delays, iterations and copies. For every kernel that cannot be converted there is an error that names it.\n\n"
      "The exit status is 0 when the file was converted, 2 when not.",
      options,
      1,
      run};
  return command;
}

}  // namespace rta::cli
