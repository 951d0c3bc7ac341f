#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "rta/sweep/run.hpp"
#include "rta/sweep/spec_file.hpp"
#include "support/folder.hpp"
#include "sweep/settings.hpp"

using namespace rta;
using namespace rta::sweep;
using namespace rta::test;
namespace fs = std::filesystem;

namespace {

// Every file of a finished folder but the lock.
std::map<std::string, std::string> files(const fs::path& folder) {
  std::map<std::string, std::string> all;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_regular_file() && entry.path().filename() != ".lock") all[entry.path().filename()] = content(entry.path());
  }
  return all;
}

const std::string T5 = "    - {name: T5, cpu_bound: T1, gpu_bound: T5, refine: none}\n";
const std::string T6a = "    - {name: T6a, cpu_bound: T1, gpu_bound: T6a, refine: none}\n";
const std::string played = "    - {name: played, release: completion, simulate: 50 ms}\n";

// Two points.
std::string text_of(const std::string& analyses, const std::string& dags = "2") {
  return "platform:\n  cpu: {processors: 4}\n  gpu: {device: titan-v}\nrandom:\n  dags: " + dags +
         "\n  nodes: 2 .. 3\n  periods: [10 Hz, 40 Hz]\n  deadline: 2\n  shape: chain\n"
         "  cpu: {utilization: 20 %}\n"
         "  gpu: {share: 50 %, utilization: 20 %, split: proportional, L: 50 us .. 1 ms, B: 16 .. 64, H: 256}\n"
         "sweep:\n  seed: 3\n  grid: {random.cpu.utilization: [10 %, 30 %]}\n  analyses:\n" +
         analyses;
}

Plan plan_of(const std::string& analyses, std::uint64_t sets) { return parse_plan(text_of(analyses), "spec", {{}, sets, false}); }

// Stops after so many chunks of its own.
bool run_some(const Plan& plan, const fs::path& folder, int chunks) {
  std::stop_source stop;
  RunOptions options;
  options.jobs = 1;
  options.limit = Limit(stop.get_token());
  int seen = 0;
  options.progress = [&](const Progress&) {
    if (seen++ == chunks) stop.request_stop();
  };
  return run(plan, folder, options);
}

std::string refusal(const Plan& plan, const fs::path& folder) {
  try {
    run(plan, folder);
  } catch (const FolderError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a finished sweep is extended by sets and analyses, and equals the larger one byte for byte") {
  const TemporaryFolder scratch;
  const Plan larger = plan_of(played + T5 + T6a, 150);
  run(larger, scratch / "whole");
  const auto whole = files(scratch / "whole");
  // More sets, then an analysis in front, then one in between and more sets.
  run(plan_of(T6a, 10), scratch / "grown");
  run(plan_of(T6a, 70), scratch / "grown");
  run(plan_of(played + T6a, 70), scratch / "grown");
  CHECK(files(scratch / "grown") != whole);
  run(larger, scratch / "grown");
  CHECK(files(scratch / "grown") == whole);
}

// A row that nobody would compute shows that what is there is not computed again.
TEST_CASE("an extended sweep computes only what is missing") {
  const TemporaryFolder scratch;
  run(plan_of(T5, 3), scratch / "out");
  const std::string table = content(scratch / "out" / "results.csv");
  const std::size_t row = table.find("0,1,T5,");
  REQUIRE(row != std::string::npos);
  const std::string other = "0,1,T5,schedulable,1,2,-3,4,,,\n";
  std::ofstream(scratch / "out" / "results.csv", std::ios::binary | std::ios::trunc)
      << table.substr(0, row) << other << table.substr(table.find('\n', row) + 1);
  run(plan_of(T5 + T6a, 5), scratch / "out");
  run(plan_of(T5 + T6a, 5), scratch / "whole");
  std::string expected = content(scratch / "whole" / "results.csv");
  const std::size_t at = expected.find("0,1,T5,");
  expected.replace(at, expected.find('\n', at) + 1 - at, other);
  CHECK(content(scratch / "out" / "results.csv") == expected);
}

TEST_CASE("stopped sweeps are extended, too, and so are stopped extensions") {
  const TemporaryFolder scratch;
  const Plan larger = plan_of(T6a + T5, 200);
  run(larger, scratch / "whole");
  const auto whole = files(scratch / "whole");
  for (int chunks = 0; chunks < 4; ++chunks) {
    CAPTURE(chunks);
    const fs::path folder = scratch / ("stopped" + std::to_string(chunks));
    CHECK_FALSE(run_some(plan_of(T5, 130), folder, chunks));  // 6 chunks
    CHECK_FALSE(run_some(plan_of(T5 + T6a, 130), folder, 3 - chunks));
    CHECK_FALSE(fs::exists(folder / "summary.csv"));
    CHECK_FALSE(run_some(larger, folder, 2));
    CHECK(run(larger, folder));
    CHECK(files(folder) == whole);
  }
}

TEST_CASE("a process that was killed while it set the rows aside loses nothing") {
  const TemporaryFolder scratch;
  const Plan smaller = plan_of(T5, 70);
  const Plan larger = plan_of(T5 + T6a, 70);
  run(smaller, scratch / "small");
  run(larger, scratch / "whole");
  const auto copy = [&](const char* name) {
    fs::copy(scratch / "small", scratch / name);
    fs::rename(scratch / name / "results.csv", scratch / name / "results.csv.earlier");
    return scratch / name;
  };
  run(smaller, copy("same"));
  CHECK(files(scratch / "same") == files(scratch / "small"));
  run(larger, copy("larger"));
  CHECK(files(scratch / "larger") == files(scratch / "whole"));
  std::ofstream(copy("text") / "spec.yaml") << larger.text;  // and its identity is not yet the new one
  run(larger, scratch / "text");
  CHECK(files(scratch / "text") == files(scratch / "whole"));
}

TEST_CASE("what is no extension is refused with the setting and both values") {
  const TemporaryFolder scratch;
  run(plan_of(T5 + T6a, 5), scratch / "out");
  const auto before = files(scratch / "out");
  const auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  CHECK(has(refusal(plan_of(T5 + T6a, 4), scratch / "out"), "sets is 5 there and 4 here"));
  CHECK(has(refusal(plan_of(T5, 6), scratch / "out"), "analysis T6a is there and missing here"));
  CHECK(has(refusal(plan_of(T5 + "    - {name: T6a, cpu_bound: T1, gpu_bound: T6b, refine: none}\n", 6), scratch / "out"),
            "analysis T6a.gpu_bound is T6a there and T6b here"));
  CHECK(has(refusal(parse_plan(text_of(T5 + T6a, "3"), "spec", {{}, 6, false}), scratch / "out"), "random.dags is 2 there and 3 here"));
  CHECK(has(refusal(parse_plan(text_of(T5 + T6a), "spec", {9, 6, false}), scratch / "out"), "seed is 3 there and 9 here"));
  CHECK(files(scratch / "out") == before);
  run(parse_plan(text_of(T5), "spec", {{}, 2, true}), scratch / "timed");
  CHECK(has(refusal(parse_plan(text_of(T6a + T5), "spec", {{}, 2, true}), scratch / "timed"), "with --timing"));
}

TEST_CASE("settings of two files are compared, their comments are not") {
  const std::string spec = "random: {dags: 2, H: [128, 256]}\nsweep: {seed: 1, sets: 5, analyses: [{name: a}]}\n";
  CHECK(extension_of(spec, "# words\n" + spec).refusal.empty());
  CHECK(extension_of(spec, "random: {dags: 2, H: [128, 256]}\nsweep: {analyses: [{name: b}, {name: a}]}\n").refusal.empty());
  CHECK(extension_of(spec, "random: {dags: 2, H: [128, 512]}\nsweep: {analyses: [{name: a}]}\n").refusal ==
        "random.H[1] is 256 there and 512 here");
  CHECK(extension_of(spec, "random: {dags: 2, H: [128, 256], nodes: 3}\nsweep: {analyses: [{name: a}]}\n").refusal ==
        "random.nodes is missing there and 3 here");
  CHECK(extension_of(spec, "random: {dags: 2}\nsweep: {analyses: [{name: a}]}\n").refusal == "random.H[0] is 128 there and missing here");
  CHECK(extension_of(spec, "random: {H: [128, 256], dags: 2}\nsweep: {analyses: [{name: a}]}\n").refusal ==
        "random.dags stands at another place of the file here");
  CHECK(extension_of("a: {b.c: 1}", "a: {b: {c: 1}}").refusal == "a.'b.c' is 1 there and missing here");
  CHECK(extension_of("[", spec).refusal == "its spec.yaml is damaged");
}
