// The files of the other commands; what is read must read back equal from each form in which it is written.
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "checker/checker.hpp"
#include "checker/task_set.hpp"
#include "optimize/journal.hpp"
#include "read.hpp"
#include "rta/diff/difference.hpp"
#include "rta/diff/result.hpp"
#include "rta/examine/limits_file.hpp"
#include "rta/examine/measurement.hpp"
#include "rta/io/canonical_json.hpp"
#include "rta/io/choice_file.hpp"
#include "rta/io/experiment_file.hpp"
#include "rta/io/profile_file.hpp"
#include "rta/io/task_set_file.hpp"
#include "rta/lint/lint.hpp"
#include "rta/sweep/results.hpp"
#include "rta/sweep/spec_file.hpp"
#include "rta/trace/reader.hpp"
#include "rta/trace/run_file.hpp"
#include "sweep/journal.hpp"
#include "sweep/table.hpp"
#include "targets.hpp"

namespace rta::fuzz {
namespace {

namespace fs = std::filesystem;

// Task sets and experiments.
void task_set(std::string_view content) {
  read([&] {
    const auto result = io::parse_task_set_or_experiment(content, "input");
    if (const auto* set = std::get_if<io::ReadResult>(&result)) {
      expect(io::parse_task_set(io::format_task_set(set->task_set), "again").task_set == set->task_set, "YAML reads back equal");
      expect(io::parse_task_set(io::canonical_json(set->task_set), "again").task_set == set->task_set, "JSON reads back equal");
    } else {
      const Experiment& experiment = std::get<io::ExperimentResult>(result).experiment;
      expect(io::parse_experiment(io::format_experiment(experiment), "again").experiment == experiment, "YAML reads back equal");
    }
  });
}

// The first and the last alternatives of every choice; clusters of DAGs have names that say the same.
void choices(std::string_view content) {
  read([&] {
    const io::ChoiceFile file(content, "input");
    io::Selection last;
    for (const auto& choice : file.choices()) last.push_back(choice.alternatives.size() - 1);
    for (const io::Selection& selection : {io::Selection(last.size(), 0), last}) {
      const TaskSet set = file.task_set(selection).task_set;
      expect(io::parse_task_set(io::format_task_set(set), "again").task_set == set, "a choice reads back equal");
      expect(file.plain(file.plain(selection)) == file.plain(selection), "the plain selection is plain");
    }
  });
}

// A result says nothing new beside itself; what follows the first NUL is another one, to be compared with.
void result(std::string_view content) {
  const auto parts = split(content);
  const std::string_view before = parts.first, after = parts.second;
  read([&] {
    const diff::Result first = diff::parse_result(before, "before");
    const auto same = diff::compare(first, first);
    expect(same.entries.empty(), "a result equals itself");
    if (!after.empty()) (void)diff::compare(first, diff::parse_result(after, "after"));
  });
}

void device_profile(std::string_view content) {
  read([&] {
    const DeviceProfile profile = io::parse_profile(content, "input");
    const std::string text = io::format_profile(profile);
    expect(io::format_profile(io::parse_profile(text, "again")) == text, "a profile reads back equal");
  });
}

// What `examine --limits` prints.
void limits(std::string_view content) {
  read([&] {
    const auto limits = examine::parse_limits(content, "input");
    (void)examine::built_in_name(limits);
    const std::string text = examine::format_limits(limits);
    expect(examine::format_limits(examine::parse_limits(text, "again")) == text, "limits read back equal");
  });
}

void measurements(std::string_view content) {
  read([&] {
    std::istringstream in{std::string(content)};
    for (const auto& measurement : examine::read_measurements(in, "input")) (void)examine::summary(measurement);
  });
}

void trace(std::string_view content) {
  read([&] {
    std::istringstream in{std::string(content)};
    trace::Reader reader(in, "input");
    while (reader.next()) {
    }
  });
}

void sweep(std::string_view content) {
  read([&] { (void)sweep::parse_plan(content, "input"); });
}

void write(const fs::path& path, std::string_view content) { std::ofstream(path, std::ios::binary) << content; }

// Opens the folder twice: what was cut off when it was first opened is gone, so that the second time finds as many chunks.
void recover(const fs::path& folder) {
  std::uint64_t chunks = 0;
  {
    const sweep::Journal journal(folder, "header\n");
    chunks = journal.chunks();
  }
  const sweep::Journal again(folder, "header\n");
  expect(again.chunks() == chunks, "a recovered journal is whole");
}

// A sweep's table and its journal, as a crash may leave them: what comes before the first NUL is the table, the rest the journal.
void journal(std::string_view content) {
  static const fs::path folder = fs::temp_directory_path() / ("rta-fuzz-journal-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  const auto [table, lines] = split(content);
  write(folder / "results.csv.part", table);
  write(folder / "journal", lines);
  read([&] { recover(folder); });
  // Damage that a crash cannot cause is told by these two.
  for (const bool timing : {false, true}) {
    try {
      (void)sweep::parse_row(table, timing);
    } catch (const std::runtime_error&) {
      // Refused.
    }
  }
  write(folder / "results.csv", table);
  write(folder / "journal", lines);
  try {
    (void)sweep::read_journal(folder, 7);
  } catch (const std::runtime_error&) {
    // Refused.
  }
  fs::remove_all(folder);
}

// A sweep's tables, behind one another: summary, ratios, weights.
void summaries(std::string_view content) {
  static const fs::path folder = fs::temp_directory_path() / ("rta-fuzz-summaries-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  const auto [summary, others] = split(content);
  const auto [ratios, weighted] = split(others);
  write(folder / "summary.csv", summary);
  write(folder / "ratios.csv", ratios);
  write(folder / "weighted.csv", weighted);
  read([&] {
    const sweep::Results results = sweep::read_results(folder);
    for (const auto& entry : results.entries)
      expect(entry.values.size() == results.parameters.size(), "an entry has a value for each parameter");
    for (const auto& ratio : results.ratios)
      expect(ratio.values.size() == results.parameters.size(), "a ratio has a value for each parameter");
  });
  fs::remove_all(folder);
}

// The journal of a search; what was cut off when it was first opened is gone.
void search_journal(std::string_view content) {
  static const fs::path file = fs::temp_directory_path() / ("rta-fuzz-search-journal-" + std::to_string(::getpid()));
  write(file, content);
  read([&] {
    const std::vector<optimize::Setting> settings{{"version", "1"}};
    const optimize::Scores scores = optimize::Journal(file, settings).scores();
    optimize::Journal again(file, settings);
    expect(again.scores() == scores, "a recovered journal is whole");
    again.add({0}, std::nullopt);
    expect(optimize::Journal(file, settings).scores().contains({0}), "a journal that was read can be gone on with");
  });
  fs::remove(file);
}

// What `rta-check` reads: a task set and, behind the first NUL, a certificate of it.
void certificate(std::string_view content) {
  const auto [task_set, statements] = split(content);
  try {
    (void)checker::check(task_set, statements);
  } catch (const checker::BadInput&) {
    // Refused.
  }
}

// A run of a task set: the set, and behind the first NUL the run.
void run(std::string_view content) {
  const auto parts = split(content);
  const std::string_view set = parts.first, file = parts.second;
  read([&] {
    const TaskSet task_set = io::parse_task_set(set, "task set").task_set;
    const std::string text = trace::format_run(trace::parse_run(file, "input", task_set), task_set);
    expect(trace::format_run(trace::parse_run(text, "again", task_set), task_set) == text, "a run reads back equal");
  });
}

// CUDA sources, by their text alone.
void source(std::string_view content) {
  read([&] {
    lint::Options options;
    options.read_includes = false;
    options.job_ranges = {"frame"};
    const std::array files{lint::SourceText{"input.cu", std::string(content)}};
    (void)lint::lint_sources(files, options);
  });
}

}  // namespace

std::span<const Target> files() {
  static constexpr std::array<Target, 14> all{{
      {"task-set", task_set},
      {"choices", choices},
      {"result", result},
      {"device-profile", device_profile},
      {"limits", limits},
      {"measurements", measurements},
      {"trace", trace},
      {"sweep", sweep},
      {"journal", journal},
      {"summaries", summaries},
      {"search-journal", search_journal},
      {"certificate", certificate},
      {"run", run},
      {"source", source},
  }};
  return all;
}

}  // namespace rta::fuzz
