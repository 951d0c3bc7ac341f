#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <boost/program_options/value_semantic.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "command.hpp"
#include "environment.hpp"
#include "number.hpp"
#include "process/tool.hpp"
#include "rta/io/new_file.hpp"
#include "rta/trace/recording.hpp"
#include "rta/validation/machine.hpp"
#include "rta/validation/recording.hpp"
#include "working_folder.hpp"

namespace rta::cli {
namespace {

namespace po = boost::program_options;
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using Words = std::vector<std::string>;

po::options_description options_of_record() {
  po::options_description all;
  all.add_options()("output,o", po::value<std::string>()->value_name("FILE"), "the trace to write");
  all.add_options()("pairs", po::value<std::string>()->value_name("N")->default_value("1"),
                    "how often PROGRAM is run, each time without and with recording, to say what recording costs (the trace is of the last "
                    "run); 0: once, with recording");
  all.add_options()("keep", po::value<std::string>()->value_name("DIR"),
                    "keep the library that records in that folder, a new or empty one or that of an earlier recording; else it is removed");
  all.add_options()("quiet,q", po::bool_switch(), "say nothing of what was recorded");
  return all;
}

/// The library that records, built; nothing where it could not be (standard error then says why).
std::optional<fs::path> built_library(const process::OwnFolder& folder, const validation::Cupti& cupti) {
  validation::write_files(validation::recording_source(), folder.path());
  const auto built =
      process::run_tool({"make", "-f", "Makefile", "CUPTI_INCLUDE=" + fs::absolute(cupti.include).string(),
                         "CUPTI_LIBRARY=" + fs::absolute(cupti.library).string(), "CUDA_INCLUDE=" + fs::absolute(cupti.cuda).string()},
                        folder.descriptor());
  if (built.status == 0) return fs::absolute(folder.path() / "record.so");
  std::cerr << built.text;
  std::cerr << (!built.started ? "rta: make is missing (Debian: make and g++)\n" : "rta: the library that records could not be built\n");
  return std::nullopt;
}

struct Finished {
  int status = -1;  // see run_as_is
  Clock::duration wall{};
};

Finished run_program(const Words& words) {
  const auto start = Clock::now();
  const int status = process::run_as_is(words);
  return {status, Clock::now() - start};
}

Finished run_recorded(const Words& words, const fs::path& library, const validation::Cupti& cupti, const fs::path& parts) {
  // Of an earlier pair's run.
  fs::remove_all(parts);
  fs::create_directory(parts);
  const auto origin = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch()).count();
  std::vector<std::pair<std::string, std::string>> values{{"CUDA_INJECTION64_PATH", library.string()},
                                                          {"RTA_RECORD_FOLDER", fs::absolute(parts).string()},
                                                          {"RTA_RECORD_ORIGIN", std::to_string(origin)}};
  if (std::getenv("NVTX_INJECTION64_PATH") == nullptr) values.emplace_back("NVTX_INJECTION64_PATH", cupti.library.string());
  const Environment environment(values);
  return run_program(words);
}

std::vector<fs::path> traces_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

std::string seconds(Clock::duration time) { return fmt::format("{:.3f} s", std::chrono::duration<double>(time).count()); }

Clock::duration median(std::vector<Clock::duration> times) {
  std::ranges::sort(times);
  return times[(times.size() - 1) / 2];
}

/// What recording costs: the runs of each pair are one after the other.
struct Pairs {
  std::vector<Clock::duration> plain, recorded;

  [[nodiscard]] std::string text() const {
    if (plain.empty()) return "not measured (--pairs 0)";
    const auto without = median(plain);
    const auto with = median(recorded);
    const double share = without.count() == 0 ? 0 : static_cast<double>((with - without).count()) / static_cast<double>(without.count());
    return fmt::format("{:+.1f} % of the time that PROGRAM takes: {} with recording, {} without ({})", 100 * share, seconds(with),
                       seconds(without), plain.size() == 1 ? "one pair of runs" : fmt::format("medians of {} pairs of runs", plain.size()));
  }
};

void print_summary(const trace::RecordingSummary& summary, const Pairs& pairs) {
  std::string devices;
  for (const std::string& device : summary.devices) devices += (devices.empty() ? "" : ", ") + device;
  std::cerr << fmt::format("recorded: {} kernels, {} copies, {} memsets, {} calls and {} NVTX ranges of {} process{}{}\n", summary.kernels,
                           summary.transfers, summary.memsets, summary.calls, summary.ranges, summary.processes,
                           summary.processes == 1 ? "" : "es", devices.empty() ? "" : " on " + devices);
  std::cerr << "overhead: " << pairs.text() << '\n';
  for (const std::string& fault : summary.faults) std::cerr << "warning: " << fault << '\n';
  if (summary.lost_records > 0) std::cerr << fmt::format("warning: {} records were lost\n", summary.lost_records);
  if (!summary.complete)
    std::cerr << "warning: some process did not end its recording (a signal ended it, or _exit): its last records are missing\n";
}

Time in_ns(Clock::duration time) { return Time(std::chrono::duration_cast<std::chrono::nanoseconds>(time).count()); }

bool could_run(const Finished& finished, const std::string& program) {
  if (finished.status >= 0) return true;
  std::cerr << fmt::format("rta: '{}' cannot be run: there is no such program, or it may not be executed\n", program);
  return false;
}

ExitStatus run_record(const po::variables_map& given, const std::vector<std::string>& words) {
  if (words.empty()) throw UsageError("record needs PROGRAM");
  if (given.count("output") == 0) throw UsageError("record needs --output FILE");
  const fs::path output = given["output"].as<std::string>();
  constexpr std::uint64_t most_pairs = 1000;
  const std::uint64_t count = whole_number(given, "pairs", 0, most_pairs);
  const bool quiet = given["quiet"].as<bool>();
  const auto cupti = validation::find_cupti();
  if (!cupti) {
    std::cerr << "rta: CUPTI is missing: it comes with the CUDA Toolkit, 12.0 or later (Debian: libcupti-dev); where it is elsewhere, set "
                 "CUPTI to the folder that holds its include and lib64\n";
    return ExitStatus::bad_input;
  }
  std::optional<std::string> kept;
  if (given.count("keep") != 0) kept = given["keep"].as<std::string>();
  io::NewFile file(output);  // where it cannot be written, nothing is run
  const WorkingFolder folder(kept);
  const auto library = built_library(folder.own(), *cupti);
  if (!library) return ExitStatus::bad_input;

  const WorkingFolder recordings(std::nullopt);
  const fs::path parts = recordings.path() / "parts";
  Pairs pairs;
  Finished last;
  for (std::uint64_t i = 0; i < std::max<std::uint64_t>(count, 1); ++i) {
    if (count > 0) {
      const Finished plain = run_program(words);
      if (!could_run(plain, words.front())) return ExitStatus::bad_input;
      pairs.plain.push_back(plain.wall);
    }
    last = run_recorded(words, *library, *cupti, parts);
    if (!could_run(last, words.front())) return ExitStatus::bad_input;
    pairs.recorded.push_back(last.wall);
  }
  const auto traces = traces_in(parts);
  if (traces.empty()) {
    std::cerr << fmt::format("rta: '{}' did not start CUDA, so there is nothing to record{}\n", words.front(),
                             validation::has_gpu() ? "" : " (no NVIDIA GPU is visible here: load its driver, or record where it is)");
    return ExitStatus::bad_input;
  }
  const trace::RecordingSummary summary = trace::summary_of(traces);
  trace::RecordingHeader header{.program = words, .plain_run = {}, .recorded_run = in_ns(median(pairs.recorded))};
  if (!pairs.plain.empty()) header.plain_run = in_ns(median(pairs.plain));
  trace::write_recording(traces, summary, header, file.stream());
  file.publish();
  if (!quiet) print_summary(summary, pairs);
  if (last.status != 0) std::cerr << fmt::format("rta: '{}' ended with status {}; the trace is written\n", words.front(), last.status);
  return last.status == 0 && summary.complete ? ExitStatus::yes : ExitStatus::no;
}

}  // namespace

const Command& record_command() {
  static const Command command{
      "record",
      "-- PROGRAM [ARGUMENT]...",
      "Record what a CUDA program does: kernels, copies, calls, waits, NVTX ranges",
      "Builds a library with CUPTI (it comes with the CUDA Toolkit; g++ and make are needed), lets the CUDA driver load it into PROGRAM "
      "and "
      "all that PROGRAM starts, and writes what they did to the trace FILE: kernels with their grids, copies and memsets, "
      "synchronisations, "
      "events, streams, calls of the runtime and the driver with thread and time, NVTX ranges, on one clock. PROGRAM is not changed. It "
      "must not be recorded by another tool at the same time (Nsight, cuda-gdb, PyTorch's profiler). `rta lint FILE` judges the trace.\n\n"
      "PROGRAM is run without recording first, to say what recording costs; --pairs 0 leaves that out. A program that a signal ends, or "
      "_exit, leaves out its last records.\n\n"
      "The exit status is 0 when all was recorded, 1 when PROGRAM failed or did not end its recording (the trace is written), 2 when "
      "nothing could be recorded, or for bad usage.",
      options_of_record,
      0,
      run_record,
      1'000'000,
      {{"rta record -o recording.jsonl -- ./program", "what a CUDA program does"},
       {"rta convert recording.jsonl -o recorded.yaml", "then: a task set of it"}}};
  return command;
}

}  // namespace rta::cli
