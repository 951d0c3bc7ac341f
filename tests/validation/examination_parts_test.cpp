// Parts of the examination's runtime that need no GPU: time slices, disturbances, samples, files.
#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

#include "built_workload.hpp"
#include "examine/disturbance.hpp"
#include "examine/intervals.hpp"
#include "examine/options.hpp"
#include "examine/run_memory.hpp"
#include "examine/samples.hpp"
#include "examine/settings.hpp"
#include "rta/validation/examination.hpp"

using namespace examine;

namespace {

using Ends = std::vector<std::pair<std::int64_t, std::int64_t>>;

std::vector<Span> spans(const Ends& ends) {
  std::vector<Span> out;
  for (const auto& [start, end] : ends) out.push_back({start, end});
  return out;
}
Ends ends(const std::vector<Span>& spans) {
  Ends out;
  for (const Span& span : spans) out.emplace_back(span.start, span.end);
  return out;
}

Observation seen(std::vector<unsigned> processes, unsigned long long slowed_by = 0) {
  Observation observation;
  observation.known = true;
  observation.processes_known = true;
  observation.slowed_by_known = true;
  observation.processes = std::move(processes);
  observation.slowed_by = slowed_by;
  return observation;
}

}  // namespace

TEST_CASE("what a block ran: its span without the gaps") {
  CHECK(ends(running({10, 100}, spans({{20, 40}, {60, 90}}))) == Ends{{10, 20}, {40, 60}, {90, 100}});
  CHECK(ends(running({10, 100}, {})) == Ends{{10, 100}});
  CHECK(ends(running({10, 100}, spans({{10, 30}, {80, 100}}))) == Ends{{30, 80}});
  CHECK(length(spans({{10, 20}, {40, 60}})) == 30);
  // Two time slices that take turns share nothing; shifted by 5 they share 5 at each border.
  CHECK(overlap(spans({{0, 10}, {20, 30}}), spans({{10, 20}, {30, 40}})) == 0);
  CHECK(overlap(spans({{0, 10}, {20, 30}}), spans({{5, 25}})) == 10);
  CHECK(overlap(spans({{0, 100}}), spans({{10, 20}, {30, 40}})) == 20);
  CHECK(inner_lengths(spans({{0, 3}, {10, 14}, {20, 25}, {30, 31}})) == std::vector<std::int64_t>{4, 5});
  CHECK(inner_lengths(spans({{0, 3}})).empty());
  // One runs in 0-3, 10-14 and 20-25, the other in 4-9, 16-18 and 26-30; then two of one in a row, and some at once.
  CHECK(passes(spans({{0, 3}, {10, 14}, {20, 25}}), spans({{4, 9}, {16, 18}, {26, 30}})) == std::vector<std::int64_t>{1, 1, 2, 2, 1});
  CHECK(passes(spans({{0, 3}, {5, 7}}), spans({{9, 11}})) == std::vector<std::int64_t>{2});
  CHECK(passes(spans({{0, 5}}), spans({{3, 8}})).empty());
  CHECK(passes(spans({}), spans({{3, 8}})).empty());
  CHECK(longest({3, 7, 5}) == 7);
  CHECK(longest({}) == 0);
  CHECK(median({5, 1, 9}) == 5);
  CHECK(median({4, 1, 9, 6}) == 4);
  CHECK(median({}) == 0);
}

TEST_CASE("the most at once: an end at an instant makes room for a start") {
  CHECK(most_at_once({}) == 0);
  CHECK(most_at_once(spans({{0, 10}, {10, 20}})) == 1);
  CHECK(most_at_once(spans({{0, 10}, {9, 20}, {9, 30}, {10, 11}})) == 3);
  CHECK(most_at_once(spans({{5, 6}, {0, 10}, {5, 8}, {7, 9}})) == 3);
}

TEST_CASE("other processes: newcomers are a disturbance, those from before a warning, the own ones nothing") {
  CHECK(check_others(seen({}), seen({7}), seen({7}), 1).outcome == Outcome::ok);
  CHECK(check_others(seen({}), seen({7, 8}), seen({7, 8}), 2).outcome == Outcome::ok);
  CHECK(check_others(seen({}), seen({7}), seen({7, 9}), 1).outcome == Outcome::failed);
  CHECK(check_others(seen({}), seen({7, 9}), seen({7}), 1).outcome == Outcome::failed);
  CHECK(check_others(seen({3}), seen({3, 7}), seen({3, 7}), 1).outcome == Outcome::warning);
  CHECK(check_others(seen({3}), seen({3, 7, 9}), seen({3, 7}), 1).outcome == Outcome::failed);
  CHECK(newcomers(seen({}), seen({7, 7}), 1) == 0);  // listed as compute and as graphics
  CHECK(newcomers(seen({}), seen({}), 1) == 0);      // not listed at all
  CHECK(check_others({}, {}, {}, 1).outcome == Outcome::warning);
}

TEST_CASE("clocks: held down, changed, badly read") {
  const Surroundings steady{0, 0, 1'000'000, 1'000'000};
  const Surroundings slower{0, 0, 1'000'000, 950'000};
  CHECK(check_throttling(seen({}), seen({}, 0x1 | 0x2), steady).outcome == Outcome::ok);  // idle, application clocks
  CHECK(check_throttling(seen({}), seen({}, 0x4), slower).outcome == Outcome::warning);
  CHECK(check_throttling(seen({}, 0x8), seen({}), steady).outcome == Outcome::warning);
  CHECK(check_throttling(seen({}, 0x8), seen({}), slower).outcome == Outcome::failed);
  CHECK(check_throttling(seen({}, 0x8), seen({}, 0x80), steady).outcome == Outcome::failed);
  CHECK(check_throttling(seen({}), seen({}, 0x20), steady).outcome == Outcome::failed);
  const auto slowed = check_throttling(seen({}, 0x40), seen({}, 0x4), steady);
  CHECK(slowed.outcome == Outcome::failed);
  CHECK(slowed.text.find("power cap, temperature (hardware)") != std::string::npos);
  CHECK(check_throttling({}, {}, steady).outcome == Outcome::warning);
  CHECK(check_clock({0, 0, 1'000'000, 975'000}).outcome == Outcome::ok);
  CHECK(check_clock({0, 0, 1'000'000, 950'000}).outcome == Outcome::warning);
  CHECK(check_clock({0, 0, 1'000'000, 890'000}).outcome == Outcome::failed);
  CHECK(check_clock({0, 0, 890'000, 1'000'000}).outcome == Outcome::failed);
  CHECK(check_clock({0, 0, 0, 1'000'000}).outcome == Outcome::warning);
  CHECK(check_conversion({1'000, 500, 0, 0}).outcome == Outcome::ok);
  CHECK(check_conversion({1'000, 30'000, 0, 0}).outcome == Outcome::warning);
  CHECK(check_conversion({1'000, 100'000, 0, 0}).outcome == Outcome::failed);
  CHECK(check_issues(0, "").text == "none late");
  CHECK(check_issues(150'000, "K1").outcome == Outcome::warning);
  CHECK(check_issues(600'000, "K1").text == "K1 was 600.0 us late");
}

TEST_CASE("samples are JSON, one object per line") {
  Samples samples;
  samples.add(Sample("connections", 3).add("call", std::string("a \"b\"")).add("ns", std::int64_t{-4}).add("yes", true));
  samples.add_line("{}\n");
  CHECK(samples.lines() == "{\"measure\": \"connections\", \"sample\": 3, \"call\": \"a \\\"b\\\"\", \"ns\": -4, \"yes\": true}\n{}\n");
  const rta::test::TemporaryFolder folder;
  const auto path = folder.path / "samples.jsonl";
  samples.write(path.string());
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  CHECK(text.str() == samples.lines());
}

TEST_CASE("a file has its name only when it is whole") {
  const rta::test::TemporaryFolder folder;
  const auto path = folder.path / "file";
  {
    const OutputFile file(path.string());
    std::fputs("half", file.stream());
    CHECK_FALSE(std::filesystem::exists(path));
  }
  CHECK(std::filesystem::is_empty(folder.path));
  OutputFile file(path.string());
  std::fputs("whole", file.stream());
  file.finish();
  CHECK(std::filesystem::file_size(path) == 5);
}

TEST_CASE("a header's fields survive the way through shared memory") {
  const common::HeaderFields fields{{"device", "\"a\\tb\""}, {"n", "17"}};
  CHECK(fields_from_text(fields_as_text(fields)) == fields);
  CHECK(fields_from_text("") == common::HeaderFields{});
  CHECK(fields_from_text("cut off\tin the mid") == common::HeaderFields{});
}

TEST_CASE("generator and program know the same measures") {
  const auto known = rta::validation::measures();
  REQUIRE(known.size() == std::size(measure_names));
  for (std::size_t m = 0; m < known.size(); ++m) CHECK(known[m] == measure_names[m]);
}

TEST_CASE("programs that settings need are run with their input, and a missing one is noticed") {
  CHECK(run_program("cat", nullptr, "text") == 0);
  CHECK(run_program("false", nullptr, "") == 1);
  CHECK(run_program("no-such-program-anywhere", nullptr, "") == -1);
}

TEST_CASE("work under settings: its status is the status") {
  CHECK(under_settings("", false, [](const std::string& folder) { return folder.empty() ? 0 : 1; }) == 0);
  CHECK(under_settings("", false, [](const std::string&) { return 2; }) == 2);
}
