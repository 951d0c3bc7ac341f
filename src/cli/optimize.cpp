#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/value_semantic.hpp>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <iostream>

#include "analysis_options.hpp"
#include "command.hpp"
#include "evidence.hpp"
#include "number.hpp"
#include "optimize/journal.hpp"
#include "optimize/outcome.hpp"
#include "output.hpp"
#include "process/signals.hpp"
#include "progress_line.hpp"
#include "report/optimization.hpp"
#include "rta/io/digest.hpp"
#include "rta/io/new_file.hpp"
#include "rta/io/task_set_file.hpp"
#include "task_set_input.hpp"
#include "time_style.hpp"
#include "write_report.hpp"

namespace rta::cli {
namespace {

namespace po = boost::program_options;

po::options_description options_of_optimize() {
  po::options_description all;
  all.add_options()("output,o", po::value<std::vector<std::string>>()->composing()->value_name("FILE"),
                    "write the chosen task set to FILE (.yaml, .yml), or what is else printed (.txt, .json, .html, .pdf); may be repeated");
  all.add_options()("seed", po::value<std::string>()->value_name("N")->default_value("1"),
                    "seed of the order in which alternatives are tried");
  all.add_options()("effort", po::value<std::string>()->value_name("N")->default_value("1000"),
                    "judge so many combinations where there are more than 2000; fewer are all tried");
  all.add_options()("time-limit", po::value<std::string>()->value_name("SECONDS"), "end the search after that time with the best so far");
  all.add_options()("journal", po::value<std::string>()->value_name("FILE"),
                    "keep what was judged in FILE; the same search goes on from there, whatever ended it");
  add_analysis_options(all);
  all.add_options()("format", po::value<std::string>()->value_name("NAME"), "text (default), json, html or pdf (the page, printed)");
  add_digits_option(all);
  add_evidence_option(all);
  all.add_options()("quiet,q", po::bool_switch(), "no warnings, no progress");
  return all;
}

std::vector<optimize::Setting> settings_of(const std::string& text, const analysis::GivenOptions& given) {
  std::string of_analysis;
  for (const auto& [name, value] : given) of_analysis += fmt::format("{}--{} {}", of_analysis.empty() ? "" : " ", name, value);
  return {{"version", RTA_VERSION}, {"input_sha256", io::sha256(text)}, {"analysis", of_analysis}};
}

std::string progress_text(std::uint64_t tried, const std::optional<optimize::Score>& best) {
  if (!best) return fmt::format("{} judged, none makes a task set yet", tried);
  return fmt::format("{} judged, the best has {} DAGs without bound and {} deadlines missed", tried, best->unbounded, best->missed);
}

optimize::Result searched(const po::variables_map& given, const io::ChoiceFile& file, const std::string& text,
                          const analysis::Options& analysis, const Limit& limit) {
  optimize::Options wanted;
  wanted.analysis = analysis;
  wanted.seed = whole_number(given, "seed", 0, any_number);
  wanted.effort = whole_number(given, "effort", 1, 1'000'000'000);
  wanted.limit = limit;
  std::optional<optimize::Journal> journal;
  if (const auto path = text_of(given, "journal")) {
    journal.emplace(*path, settings_of(text, given_options(given)));
    wanted.known = journal->scores();
    wanted.judged = [&](const io::Selection& selection, const std::optional<optimize::Score>& score) { journal->add(selection, score); };
  }
  ProgressLine line(shows_progress(given));
  wanted.progress = [&](std::uint64_t tried, const std::optional<optimize::Score>& best) {
    line.update([&] { return progress_text(tried, best); });
  };
  return optimize::search(file, wanted);
}

struct Outputs {
  std::optional<std::string> task_set;  // file
  std::vector<Target> reports;
};

/// The name of a file says what is written to it.
Outputs outputs_of(const po::variables_map& given) {
  Outputs all;
  const auto format = text_of(given, "format");
  const auto formats = formats_of<report::Optimization>();
  std::vector<std::string> reports;
  if (given.count("output") != 0) {
    for (const std::string& file : given["output"].as<std::vector<std::string>>()) {
      const std::string extension = std::filesystem::path(file).extension().string();
      if (extension == ".yaml" || extension == ".yml") {
        if (all.task_set) throw UsageError("'" + *all.task_set + "' and '" + file + "': the chosen task set goes to one file");
        all.task_set = file;
        continue;
      }
      const bool told = std::ranges::any_of(formats, [&](const auto* one) { return extension == "." + std::string(one->extension); });
      if (file != "-" && !told && !format)
        throw UsageError("the name '" + file + "' tells neither the chosen task set (.yaml, .yml) nor a format (.txt, .json, .html, .pdf)");
      reports.push_back(file);
    }
  }
  if (all.task_set) require_writable(*all.task_set);
  all.reports = targets<report::Optimization>(format, reports);
  require_converters(all.reports, drawn_as<report::Optimization>());
  return all;
}

ExitStatus run_optimize(const po::variables_map& given, const std::vector<std::string>& arguments) {
  const Outputs outputs = outputs_of(given);
  const std::string& path = arguments.front();
  const std::string text = io::read_task_set_text(path);
  const report::ShownTimes shown_times(time_style(given, text));
  const io::ChoiceFile file(text, path == "-" ? "<stdin>" : path);
  const analysis::Options analysis = checked_options(given_options(given));
  const process::StopRequest interrupted({SIGINT, SIGTERM});  // ends the search with the best so far
  Limit limit(interrupted.token());
  if (given.count("time-limit") != 0) limit = limit.within(seconds_option(given, "time-limit"));
  const optimize::Result result = searched(given, file, text, analysis, limit);
  const optimize::Outcome outcome = optimize::outcome_of(file, result, analysis, limit);

  std::vector<std::string> warnings;
  if (file.choices().empty()) warnings.push_back(path + ": has no choice, so there is nothing to optimize");
  std::size_t none = 0;
  for (const auto& [selection, score] : result.scores) none += score ? 0 : 1;
  if (none > 0) warnings.push_back(fmt::format("{} combinations make no task set; the first: {}", none, result.conflict));
  for (const io::Diagnostic& warning : file.task_set(result.best).warnings) warnings.push_back(warning.text());
  if (!given["quiet"].as<bool>()) {
    for (const std::string& warning : warnings) std::cerr << "warning: " << warning << '\n';
  }
  if (outputs.task_set) {
    io::write_file(*outputs.task_set, fmt::format("# Chosen by rta optimize from a file with SHA-256 {}.\n{}", io::sha256(text),
                                                  io::format_task_set(file.task_set(result.best).task_set)));
  }
  const report::Optimization report{result,           outcome,  optimize::combinations(file),
                                    outputs.task_set, warnings, optimize::ranked_by(file, analysis)};
  for (const Target& target : outputs.reports) write_report<report::Optimization>(target, report);
  return outcome.after->verdict == analysis::Verdict::schedulable ? ExitStatus::yes : ExitStatus::no;
}

}  // namespace

const Command& optimize_command() {
  static const Command command{
      "optimize",
      "FILE",
      "Choose among alternatives in a task set, with the bounds as judge",
      "Reads a task set in FILE (- is standard input) that leaves something open: a list where a single value may stand, such as `on: "
      "[gpu0, "
      "gpu1]` or `scheduler: [G-EDF, FIFO, FP]`; `variants:` of a node, each with its own B, H and L; `clusters: [1, 2]` of a CPU pool. "
      "It searches the combination with the fewest DAGs without bounds, then the fewest missed deadlines, then the smallest bounds "
      "(--objective), or where alternatives have a `cost:`, the cheapest that meets everything, and of those the one that is least late; "
      "prints what it chose, what every other alternative would mean, and the bounds before and after; and writes a plain "
      "task set.\n\n"
      "Where the combinations are few all are tried; else the same seed and effort give the same result.\n\n"
      "The exit status is 0 when everything is met with what was chosen, 1 when not, 2 for bad input or usage.",
      options_of_optimize,
      1,
      run_optimize,
      0,
      {{"rta optimize tasksets/optimize/tiny-yolo-two-gpus.yaml", "the best of the alternatives that the file lists"},
       {"rta optimize tasksets/optimize/tiny-yolo-two-gpus.yaml -o chosen.yaml", "the task set with what was chosen"}}};
  return command;
}

}  // namespace rta::cli
