#include "rta/validation/workload.hpp"

#include <fmt/format.h>

#include <boost/program_options/value_semantic.hpp>
#include <iostream>

#include "analysis_options.hpp"
#include "command.hpp"
#include "evidence.hpp"
#include "on_device.hpp"
#include "output.hpp"
#include "played.hpp"
#include "rta/io/task_set_file.hpp"
#include "rta/static_order/schedule_file.hpp"
#include "rta/validation/machine.hpp"
#include "rta/validation/static_program.hpp"
#include "schedule_input.hpp"
#include "task_set_input.hpp"
#include "working_folder.hpp"
#include "write_report.hpp"

namespace rta::cli {
namespace {

namespace po = boost::program_options;

po::options_description options_of_workload() {
  po::options_description all;
  all.add_options()("output,o", po::value<std::string>()->value_name("DIR"),
                    "folder to write the program to: a new or empty one, or one that holds an earlier program");
  add_analysis_options(all);
  add_profile_option(all, Player::machine);
  all.add_options()("doctor", po::bool_switch(),
                    "write no program; look at this machine instead and say what stands in the way of a good measurement");
  all.add_options()("format", po::value<std::string>()->value_name("NAME"), "of --doctor: text (default) or json");
  add_evidence_option(all);
  all.add_options()("quiet,q", po::bool_switch(), "no warnings");
  return all;
}

ExitStatus examine_machine(const po::variables_map& given, const std::vector<std::string>& arguments) {
  if (!arguments.empty()) throw UsageError("--doctor looks at this machine; it takes no FILE");
  for (const char* option : {"output", "profile"}) {
    if (given.count(option) != 0) throw UsageError(fmt::format("--doctor writes no program; it takes no --{}", option));
  }
  if (const auto* option = first_given_option(given)) {
    throw UsageError(fmt::format("--doctor writes no program; it takes no --{}", option->name));
  }
  const auto target = targets<std::vector<validation::Finding>>(text_of(given, "format"), {}).front();
  const auto findings = validation::examine_machine();
  write_report<std::vector<validation::Finding>>(target, findings);
  return validation::is_fit(findings) ? ExitStatus::yes : ExitStatus::no;
}

ExitStatus run_workload(const po::variables_map& given, const std::vector<std::string>& arguments) {
  if (given["doctor"].as<bool>()) return examine_machine(given, arguments);
  if (arguments.empty()) throw UsageError("workload needs FILE");
  if (given.count("format") != 0) throw UsageError("--format goes with --doctor");
  const auto folder = text_of(given, "output");
  if (!folder) throw UsageError("workload needs --output DIR");
  const std::string& path = arguments.front();
  std::string text = io::read_task_set_text(path);
  if (static_order::is_schedule(text)) {
    refuse_analysis_options(given, "a schedule");
    if (given.count("profile") != 0) throw UsageError("--profile is for task sets: a schedule has the times that `rta compile` gave it");
    const ScheduleInput schedule = parse_schedule_input(std::move(text), path);
    const auto files = validation::static_program(schedule.schedule, schedule.text, schedule.name);
    const WorkingFolder own(folder);
    validation::write_files(files, own.path());
    return ExitStatus::yes;
  }
  const analysis::GivenOptions options = given_options(given);
  auto on_device = input_on_device(given, text, path, Player::machine);
  const TaskSetInput input = on_device ? std::move(*on_device) : parse_input(std::move(text), path);
  const Played as_played = played_by_program(input.task_set, options);
  const validation::Workload workload = validation::generate_workload(as_played.proof, input.text, as_played.options);
  if (!given["quiet"].as<bool>()) {
    for (const auto* warnings : {&input.warnings, &as_played.warnings, &workload.warnings}) {
      for (const std::string& warning : *warnings) std::cerr << "warning: " << warning << '\n';
    }
  }
  const WorkingFolder own(folder);
  validation::write_workload(workload, own.path());
  return ExitStatus::yes;
}

}  // namespace

const Command& workload_command() {
  static const Command command{
      "workload",
      "FILE",
      "Write a program that behaves exactly like a task set, to be measured",
      "Writes a self-contained program to the folder DIR: one source with the tables of the task set in FILE (- is standard input), its "
      "runtime, a Makefile and a README with the three commands to build, run and compare. On the target it needs the CUDA Toolkit, or "
      "only "
      "g++ where no node runs on a GPU. Of a FILE that `rta compile` wrote it writes the run time: a master, the library for clients of "
      "your "
      "own, and a player that stands for them.\n\n"
      "The exit status is 0 when the program was written, 2 for bad input or usage. With --doctor it is 0 when nothing on this machine "
      "stands in the way of a measurement, 1 when something does.",
      options_of_workload,
      0,
      run_workload,
      1,
      {{"rta workload tasksets/examples/pedestrian.yaml -o measured", "a CUDA program in the folder measured"},
       {"rta workload tasksets/examples/cameras.yaml -o cameras --scheduler FIFO", "under another scheduler"}}};
  return command;
}

}  // namespace rta::cli
