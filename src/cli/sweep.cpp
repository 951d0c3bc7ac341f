#include <fmt/format.h>

#include <boost/program_options/value_semantic.hpp>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <optional>
#include <system_error>

#include "command.hpp"
#include "evidence.hpp"
#include "io/shown_text.hpp"
#include "number.hpp"
#include "output.hpp"
#include "process/signals.hpp"
#include "process/tool.hpp"
#include "progress_line.hpp"
#include "rta/sweep/results.hpp"
#include "rta/sweep/run.hpp"
#include "rta/sweep/slurm.hpp"
#include "rta/sweep/spec_file.hpp"
#include "write_report.hpp"

namespace rta::cli {
namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;

po::options_description options_of_sweep() {
  po::options_description all;
  all.add_options()("output,o", po::value<std::string>()->value_name("DIR"),
                    "folder of the results; a sweep that was interrupted goes on there, a larger --count or list of analyses extends it");
  all.add_options()("count,n", po::value<std::string>()->value_name("N"), "number of task sets of each point, in place of the file's");
  all.add_options()("seed", po::value<std::string>()->value_name("S"), "seed of the random numbers, in place of the file's");
  all.add_options()("jobs,j", po::value<std::string>()->value_name("N"), "number of threads (default: all cores)");
  all.add_options()("timing", po::bool_switch(), "add a column with the time that each analysis took; such results differ from run to run");
  all.add_options()("shard", po::value<std::string>()->value_name("I/N"), "compute only part I of N, in DIR/shard-I-of-N");
  all.add_options()("merge", po::bool_switch(), "join the finished shards in DIR into the results of the whole sweep");
  all.add_options()("slurm", po::value<std::string>()->value_name("N"),
                    "submit the sweep to Slurm as a job array of N shards and a job that merges them; DIR must be shared by all nodes");
  all.add_options()("slurm-option", po::value<std::vector<std::string>>()->composing()->value_name("OPTION"),
                    "an option for sbatch, e.g. --slurm-option=--partition=long; may be repeated");
  all.add_options()("no-submit", po::bool_switch(), "with --slurm: write the scripts, but do not submit them");
  all.add_options()("format", po::value<std::string>()->value_name("NAME")->default_value("text"),
                    "what is printed in the end: text (acceptance ratios), csv (the summary) or html (a page of all charts)");
  add_evidence_option(all);
  all.add_options()("quiet,q", po::bool_switch(), "no progress, nothing printed");
  return all;
}

sweep::Shard shard_of(const std::string& text) {
  if (const std::size_t slash = text.find('/'); slash != std::string::npos) {
    const auto index = whole_number(std::string_view(text).substr(0, slash));
    const auto count = whole_number(std::string_view(text).substr(slash + 1));
    if (index && count && *index >= 1 && *index <= *count && *count <= 1'000'000) return {*index, *count};
  }
  throw UsageError("--shard '" + text + "': expected I/N with 1 <= I <= N <= 1000000");
}

// Done of all, rate, time left.
std::string progress_text(const sweep::Progress& progress, double seconds) {
  const double rate = seconds > 0 ? static_cast<double>(progress.sets - progress.resumed) / seconds : 0;
  const double share = progress.all > 0 ? static_cast<double>(progress.sets) / static_cast<double>(progress.all) : 1;
  constexpr int width = 30;
  const int filled = static_cast<int>(share * width);
  std::string line = fmt::format("[{}{}] {:3.0f} %  {} of {} sets", std::string(static_cast<std::size_t>(filled), '#'),
                                 std::string(static_cast<std::size_t>(width - filled), '.'), 100 * share, progress.sets, progress.all);
  if (rate > 0) {
    const auto left = static_cast<std::int64_t>(static_cast<double>(progress.all - progress.sets) / rate);
    line += fmt::format("  {:.0f}/s  {}:{:02}:{:02} left", rate, left / 3600, left / 60 % 60, left % 60);
  }
  return line;
}

ExitStatus submit(const sweep::Plan& plan, const fs::path& folder, const po::variables_map& given) {
  sweep::SlurmJob job;
  job.program = fs::read_symlink("/proc/self/exe");
  job.folder = folder;
  job.shards = whole_number(given, "slurm", 1, 1'000'000);
  if (given.count("slurm-option") != 0) job.options = given["slurm-option"].as<std::vector<std::string>>();
  const fs::path script = write_slurm_scripts(plan, job);
  if (given["no-submit"].as<bool>()) {
    std::cout << "scripts: " << io::shown(script.string()) << '\n';
    return ExitStatus::yes;
  }
  const process::ToolOutput submitted = process::run_tool({"/bin/sh", script.string()});
  (submitted.status == 0 ? std::cout : std::cerr) << io::shown(submitted.text);
  if (submitted.status == 0) return ExitStatus::yes;
  throw UserError("Slurm did not take the jobs; " + script.string() + " submits them");
}

ExitStatus run_sweep(const po::variables_map& given, const std::vector<std::string>& arguments) {
  if (given.count("output") == 0) throw UsageError("a sweep needs a folder for its results: -o DIR");
  const fs::path folder = given["output"].as<std::string>();
  const bool merging = given["merge"].as<bool>();
  if (given.count("shard") + given.count("slurm") + (merging ? 1 : 0) > 1)
    throw UsageError("--shard, --merge and --slurm exclude each other");
  if (given.count("slurm") == 0 && (given["no-submit"].as<bool>() || given.count("slurm-option") != 0))
    throw UsageError("--no-submit and --slurm-option go with --slurm");
  const bool quiet = given["quiet"].as<bool>();
  const auto target = targets<sweep::Results>(given["format"].as<std::string>(), {}).front();
  sweep::Overrides overrides;
  overrides.timing = given["timing"].as<bool>();
  if (given.count("seed") != 0) overrides.seed = whole_number(given, "seed", 0, any_number);
  if (given.count("count") != 0) overrides.sets = whole_number(given, "count", 1, 1'000'000'000);
  sweep::RunOptions run_options;
  if (given.count("jobs") != 0) run_options.jobs = static_cast<unsigned>(whole_number(given, "jobs", 1, 4096));
  if (given.count("shard") != 0) run_options.shard = shard_of(given["shard"].as<std::string>());

  const sweep::Plan plan = sweep::read_plan(arguments.front(), overrides);
  if (plan.analyses.empty()) throw UserError(arguments.front() + ": a sweep needs `sweep: {analyses: [...]}`");
  bool computing = merging;
  try {
    if (given.count("slurm") != 0) return submit(plan, folder, given);
    if (merging) {
      sweep::merge(plan, folder);
    } else {
      const process::StopRequest stop({SIGINT, SIGTERM});
      std::optional<ProgressLine> line(std::in_place, shows_progress(given));
      run_options.limit = Limit(stop.token());
      run_options.progress = [&](const sweep::Progress& progress) {
        computing = true;
        line->update([&] { return progress_text(progress, line->elapsed()); });
      };
      const bool complete = sweep::run(plan, folder, run_options);
      line.reset();
      if (!complete) {
        std::cerr << "rta: stopped; the same command goes on where it stopped\n";
        return ExitStatus::no;
      }
    }
  } catch (const generate::RecipeError& error) {
    throw UserError(arguments.front() + ": " + error.what());
  } catch (const std::system_error& error) {
    std::cerr << "rta: " << error.what() << '\n';
    if (computing) std::cerr << "rta: what was computed is kept; the same command goes on where it stopped\n";
    return ExitStatus::bad_input;
  }
  if (!quiet && run_options.shard.whole()) {
    const sweep::Results results = sweep::read_results(folder);
    write_report<sweep::Results>(target, results);
  }
  return ExitStatus::yes;
}

}  // namespace

const Command& sweep_command() {
  static const Command command{
      "sweep",
      "SPEC",
      "Evaluate analyses over many random task sets",
      "Draws the random task sets of every point of SPEC's grid, runs its list of analyses on each, and writes the results to a folder: "
      "results.csv (a row for each set and analysis), summary.csv (acceptance ratios with 95 % intervals, distributions of bounds), "
      "ratios.csv (every analysis against the first), weighted.csv (weighted schedulability) and points.csv. It prints the acceptance "
      "ratios.\n\n"
      "A sweep may be killed at any moment: the same command goes on where it stopped, and the finished files are the same, byte for byte, "
      "whatever the number of threads, interruptions or shards. With --count raised or analyses added to SPEC, a folder is extended: only "
      "what "
      "is missing is computed.\n\n"
      "The exit status is 0 when the sweep (or its shard) is complete, 1 when it was stopped by a signal, 2 for bad input or usage or when "
      "the folder cannot be written, 3 for an internal error.",
      options_of_sweep,
      1,
      run_sweep,
      0,
      {{"rta sweep tasksets/sweeps/schedulers.yaml --count 5 -o evaluation", "five sets a point"},
       {"rta sweep tasksets/sweeps/schedulers.yaml --count 8 -o evaluation", "go on, up to eight"}}};
  return command;
}

}  // namespace rta::cli
