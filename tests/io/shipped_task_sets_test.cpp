// The files in tasksets/ and the broken ones in tests/cli/broken, through the library.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <vector>

#include "../../src/io/file.hpp"
#include "messages.hpp"
#include "rta/io/experiment_file.hpp"

using namespace rta;

namespace {

std::vector<std::filesystem::path> files(const std::string& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(RTA_SOURCE_DIR "/" + folder)) {
    // Experiments, sweeps, graphs of static schedules and files with choices are files of their own kinds.
    const auto kind = entry.path().parent_path().filename();
    if (kind == "experiments" || kind == "sweeps" || kind == "static" || kind == "optimize" || entry.path().stem() == "static") continue;
    if (entry.path().extension() == ".yaml") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  REQUIRE(paths.size() > 10);
  return paths;
}

std::string text_of(const std::filesystem::path& path) { return io::read_file(path, path.string()); }

// One to four changes of single bytes or stretches of the text.
std::string damaged(std::string text, std::mt19937& random) {
  static constexpr std::string_view bytes = "{}[]:,-#&*!|>'\"%@`~\\ \n\t\r0123456789.TDCBHL\x01\x80\xC3\xFF";
  const auto below = [&](std::size_t limit) { return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random); };
  for (std::size_t changes = below(4) + 1; changes > 0 && !text.empty(); --changes) {
    const std::size_t at = below(text.size());
    const std::size_t length = std::min(below(below(10) == 0 ? 500 : 8) + 1, text.size() - at);
    switch (below(6)) {
      case 0: text[at] = bytes[below(bytes.size())]; break;
      case 1: text.insert(at, 1, bytes[below(bytes.size())]); break;
      case 2: text.erase(at, length); break;
      case 3: text.insert(below(text.size()), text.substr(at, length)); break;
      case 4: text[at] = static_cast<char>(static_cast<unsigned char>(text[at]) ^ (1U << below(8))); break;
      default: std::swap(text[at], text[below(text.size())]);
    }
  }
  return text;
}

}  // namespace

TEST_CASE("Every shipped task set and experiment is read without a warning, and written and read again") {
  for (const auto& path : files("tasksets")) {
    CAPTURE(path.string());
    const auto either = io::parse_task_set_or_experiment(text_of(path), path.string());
    if (const auto* experiment = std::get_if<io::ExperimentResult>(&either)) {
      CHECK(experiment->warnings.empty());
      CHECK(io::parse_experiment(io::format_experiment(experiment->experiment), "written").experiment == experiment->experiment);
      continue;
    }
    const auto& result = std::get<io::ReadResult>(either);
    CHECK(result.warnings.empty());
    CHECK(result.task_set.name() == path.filename().string());
    CHECK(io::parse_task_set(io::format_task_set(result.task_set), "written").task_set == result.task_set);
  }
}

TEST_CASE("Damaged files are read or refused, and nothing else happens") {
  std::vector<std::string> originals;
  for (const char* folder : {"tasksets", "tests/cli/broken"}) {
    for (const auto& path : files(folder)) {
      std::string text = text_of(path);
      if (text.size() < 20'000) originals.push_back(std::move(text));
    }
  }
  std::mt19937 random(20170905);
  int read = 0;
  int refused = 0;
  for (int i = 0; i < 4000; ++i) {
    const std::string text = damaged(originals[static_cast<std::size_t>(i) % originals.size()], random);
    CAPTURE(text);
    try {
      const auto either = io::parse_task_set_or_experiment(text, "damaged");
      if (const auto* result = std::get_if<io::ReadResult>(&either)) {
        CHECK(io::parse_task_set(io::format_task_set(result->task_set), "written").task_set == result->task_set);
      } else {
        const Experiment& experiment = std::get<io::ExperimentResult>(either).experiment;
        CHECK(io::parse_experiment(io::format_experiment(experiment), "written").experiment == experiment);
      }
      ++read;
    } catch (const io::InputError& error) {
      CHECK_FALSE(error.diagnostics().empty());
      ++refused;
    }
  }
  // Neither all nor none, or the test shows nothing.
  CHECK(read > 100);
  CHECK(refused > 1000);
}
