#include "rta/sweep/run.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "generate/recipes.hpp"
#include "rta/model/error.hpp"
#include "support/folder.hpp"
#include "sweep/folder.hpp"
#include "sweep/journal.hpp"
#include "sweep/summary.hpp"
#include "sweep/table.hpp"

using namespace rta;
using namespace rta::generate;
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

// 3 points x 150 sets (chunks of 64, 64 and 22) x 2 analyses.
Plan small_plan() {
  Plan plan;
  plan.text = "a plan for tests\n";
  plan.seed = 7;
  plan.sets = 150;
  plan.parameters = {"random.gpu.utilization"};
  for (const char* share : {"20", "50", "80"}) {
    Recipe recipe = hundred_nodes();
    recipe.dags = {3, 3};
    recipe.nodes = {4, 4};
    recipe.cpu_work.utilization = Fraction{2, 1};
    recipe.gpu_work.utilization = Fraction{std::stoi(share) * 80 * 2048, 100};
    recipe.deadline = Fraction{2, 1};
    plan.points.push_back({{share}, recipe});
  }
  for (Scheduler scheduler : {Scheduler::g_edf, Scheduler::fifo}) {
    AnalysisChoice choice;
    choice.name = to_string(scheduler);
    choice.options.release = Release::offsets;
    choice.options.scheduler = scheduler;
    choice.options.cpu_bound = analysis::CpuBound::T1;
    choice.options.gpu_bound = analysis::fifo::Bound::T5;
    choice.options.refinement = analysis::gel::Refinement::none;
    plan.analyses.push_back(choice);
  }
  return plan;
}

}  // namespace

TEST_CASE("chunks: every set of every point once, whatever the shards") {
  Plan plan = small_plan();
  for (std::uint64_t sets : {1ULL, 63ULL, 64ULL, 65ULL, 150ULL, 640ULL}) {
    plan.sets = sets;
    for (std::uint64_t count : {1ULL, 2ULL, 3ULL, 8ULL}) {
      std::map<std::pair<std::uint64_t, std::uint64_t>, int> seen;
      for (std::uint64_t index = 1; index <= count; ++index) {
        const Chunks chunks(plan, {index, count});
        std::uint64_t before = 0;
        for (std::uint64_t c = 0; c < chunks.size(); ++c) {
          CHECK(chunks.sets_before(c) == before);
          before += chunks[c].count;
          for (std::uint64_t i = 0; i < chunks[c].count; ++i) ++seen[{chunks[c].point, chunks[c].first + i}];
        }
        CHECK(chunks.sets_before(chunks.size()) == before);
      }
      CHECK(seen.size() == 3 * sets);
      for (const auto& [id, times] : seen) CHECK(times == 1);
    }
  }
}

TEST_CASE("rows are read as they were written") {
  Row row{12, 345, "G-EDF", {}};
  row.outcome.answer = sweep::Answer::deadline_missed;
  row.outcome.R_mean = Time(123'456);
  row.outcome.R_max = Time(234'567);
  row.outcome.lateness_max = Time(-5);
  row.outcome.over_period = 987'654;
  std::string text;
  append_row(text, row, false);
  CHECK(text == "12,345,G-EDF,deadline-missed,123456,234567,-5,987654,,,\n");
  const Row again = parse_row(std::string_view(text).substr(0, text.size() - 1), false);
  CHECK(again.point == 12);
  CHECK(again.set == 345);
  CHECK(again.analysis == "G-EDF");
  CHECK(again.outcome.lateness_max == Time(-5));
  CHECK(again.outcome.over_period == 987'654);
  text.clear();
  row.outcome.observed = true;
  row.outcome.observed_mean = Time(77);
  row.outcome.over_observed = 1'500'000;
  append_row(text, row, false);
  CHECK(text == "12,345,G-EDF,deadline-missed,123456,234567,-5,987654,77,1500000,\n");
  CHECK(parse_row(std::string_view(text).substr(0, text.size() - 1), false).outcome.over_observed == 1'500'000);
  text.clear();
  row.outcome.left_out = true;
  append_row(text, row, false);
  CHECK(text == "12,345,G-EDF,deadline-missed,123456,234567,-5,987654,77,1500000,1\n");
  CHECK(parse_row(std::string_view(text).substr(0, text.size() - 1), false).outcome.left_out == true);
  text.clear();
  row.outcome = {};
  row.outcome.answer = sweep::Answer::unbounded;
  row.outcome.time_ns = 42;
  append_row(text, row, true);
  CHECK(text == "12,345,G-EDF,unbounded,,,,,,,,42\n");
  for (const char* broken : {"", "1,2,x", "1,2,x,late,,,,,,,", "1,2,x,unbounded,,,,,,", "1,2,x,unbounded,,,,,,,,",
                             "1,2,x,schedulable,1,2,3,,,,", "1,2,x,schedulable,1,2,3,4x,,,", "1,2,x,schedulable,1,2,3,4,5,,",
                             "-1,2,x,unbounded,,,,,,,", "1,2,x,schedulable,99999999999999999999,2,3,4,,,", "1,2,x,unbounded,5,,,,,,",
                             "1,2,x,unbounded,,,,,,,2", "1,2,x,unbounded,,,,,,,x"}) {
    CAPTURE(broken);
    CHECK_THROWS_AS(static_cast<void>(parse_row(broken, false)), UserError);
  }
}

TEST_CASE("the result does not depend on the number of threads") {
  const TemporaryFolder scratch;
  const Plan plan = small_plan();
  CHECK(run(plan, scratch / "one", {1, {}, {}, {}}));
  CHECK(run(plan, scratch / "many", {7, {}, {}, {}}));
  const auto one = files(scratch / "one");
  CHECK(one == files(scratch / "many"));
  CHECK(one.contains("results.csv"));
  CHECK(one.contains("summary.csv"));
  CHECK_FALSE(one.contains("journal"));
  const std::string& results = one.at("results.csv");
  CHECK(std::count(results.begin(), results.end(), '\n') == 1 + 3 * 150 * 2);
}

TEST_CASE("a stopped sweep goes on where it stopped") {
  const TemporaryFolder scratch;
  const Plan plan = small_plan();
  run(plan, scratch / "whole");
  std::stop_source stop;
  int runs = 0;
  std::uint64_t last = 0;
  RunOptions options;
  options.jobs = 1;
  bool first = true;
  options.progress = [&](const Progress& p) {
    CHECK(p.all == 450);
    if (first) CHECK(p.sets == p.resumed);
    if (first) CHECK(p.resumed >= last);
    first = false;
    last = p.sets;
    if (p.sets > p.resumed) stop.request_stop();
  };
  do {
    stop = {};
    options.limit = Limit(stop.get_token());
    first = true;
    REQUIRE(++runs < 20);
  } while (!run(plan, scratch / "pieces", options));
  CHECK(runs > 1);
  CHECK(last == 450);
  CHECK(files(scratch / "whole") == files(scratch / "pieces"));
  CHECK(run(plan, scratch / "pieces", options));  // nothing to do
  CHECK(files(scratch / "whole") == files(scratch / "pieces"));
}

// A process that is killed leaves a prefix of what it had written, of both files; a machine that fails may leave any prefix of each.
TEST_CASE("after any cut of the table and the journal the result is the same") {
  const TemporaryFolder scratch;
  const Plan plan = small_plan();
  run(plan, scratch / "whole");
  const auto expected = files(scratch / "whole");
  run(plan, scratch / "shards", {2, {1, 1000}, {}, {}});  // only to have a journal: chunk 0

  // Table and journal as they are just before the end.
  const std::string header = table_header(false);
  const std::string results = expected.at("results.csv");
  std::string table;
  std::string lines;
  {
    fs::create_directories(scratch / "full");
    Journal journal(scratch / "full", header);
    const Chunks chunks(plan);
    std::size_t at = header.size();
    for (std::uint64_t c = 0; c < chunks.size(); ++c) {
      std::size_t end = at;
      for (std::uint64_t row = 0; row < chunks[c].count * plan.analyses.size(); ++row) end = results.find('\n', end) + 1;
      journal.append(std::string_view(results).substr(at, end - at));
      at = end;
    }
    CHECK(at == results.size());
  }
  table = content(scratch / "full" / "results.csv.part");
  lines = content(scratch / "full" / "journal");
  CHECK(table == results);

  Stream random({99, 0, 0}, Stage::sizes);
  for (int round = 0; round < 60; ++round) {
    CAPTURE(round);
    const fs::path folder = scratch / ("cut" + std::to_string(round));
    fs::create_directories(folder);
    for (const char* name : {"sweep.json", "spec.yaml"}) fs::copy(scratch / "whole" / name, folder / name);
    std::string cut_table = table.substr(0, random.below(table.size() + 1));
    std::string cut_lines = lines.substr(0, random.below(lines.size() + 1));
    if (round % 3 == 1) cut_table = table;
    if (round % 3 == 2) cut_lines = lines;
    if (round % 4 == 3 && !cut_table.empty()) cut_table[random.below(cut_table.size())] ^= 1;  // a damaged block
    std::ofstream(folder / "results.csv.part", std::ios::binary) << cut_table;
    std::ofstream(folder / "journal", std::ios::binary) << cut_lines;
    CHECK(run(plan, folder, {2, {}, {}, {}}));
    CHECK(files(folder) == expected);
  }
}

TEST_CASE("shards merge into the files of one run") {
  const TemporaryFolder scratch;
  const Plan plan = small_plan();
  run(plan, scratch / "whole");
  for (std::uint64_t i : {3ULL, 1ULL, 4ULL}) CHECK(run(plan, scratch / "parts", {2, {i, 4}, {}, {}}));
  CHECK_THROWS_AS(merge(plan, scratch / "parts"), FolderError);  // shard 2 is missing
  CHECK(run(plan, scratch / "parts", {2, {2, 4}, {}, {}}));
  merge(plan, scratch / "parts");
  CHECK(files(scratch / "parts") == files(scratch / "whole"));
  merge(plan, scratch / "parts");  // again: nothing to do
  CHECK(files(scratch / "parts") == files(scratch / "whole"));
  CHECK(run(plan, scratch / "parts", {2, {2, 5}, {}, {}}));
  CHECK_THROWS_AS(merge(plan, scratch / "parts"), FolderError);  // shards of 4 and of 5
  CHECK_THROWS_AS(merge(plan, scratch / "whole"), FolderError);  // none
}

TEST_CASE("more shards than chunks: some are empty") {
  const TemporaryFolder scratch;
  Plan plan = small_plan();
  plan.sets = 10;
  run(plan, scratch / "whole");
  for (std::uint64_t i = 1; i <= 5; ++i) CHECK(run(plan, scratch / "parts", {1, {i, 5}, {}, {}}));
  merge(plan, scratch / "parts");
  CHECK(files(scratch / "parts") == files(scratch / "whole"));
}

TEST_CASE("a folder belongs to one sweep and one process") {
  const TemporaryFolder scratch;
  Plan plan = small_plan();
  plan.sets = 5;
  run(plan, scratch / "out");
  Plan other = plan;
  other.seed = 8;
  CHECK_THROWS_AS(run(other, scratch / "out"), FolderError);
  other = plan;
  other.sets = 4;
  CHECK_THROWS_AS(run(other, scratch / "out"), FolderError);
  other = plan;
  other.text = "another plan\n";
  CHECK_THROWS_AS(run(other, scratch / "out"), FolderError);
  const Folder claim(plan, scratch / "busy", {});
  CHECK_THROWS_AS(run(plan, scratch / "busy"), FolderError);
  std::ofstream(scratch / "file") << "not a folder";
  CHECK_THROWS_AS(run(plan, scratch / "file"), std::system_error);
}

TEST_CASE("a point out of reach stops the sweep before any work, by name") {
  const TemporaryFolder scratch;
  Plan plan = small_plan();
  plan.points[2].recipe.cpu_work.utilization = Fraction{13, 1};  // 6 CPU nodes
  try {
    run(plan, scratch / "out");
    FAIL("no error");
  } catch (const RecipeError& e) {
    CHECK(e.parameter() == "random.cpu.utilization");
    CHECK(std::string(e.what()).find("random.gpu.utilization = 80") != std::string::npos);
  }
  CHECK_FALSE(fs::exists(scratch / "out" / "results.csv.part"));
}

TEST_CASE("a damaged table is no summary") {
  const TemporaryFolder scratch;
  Plan plan = small_plan();
  plan.sets = 5;
  run(plan, scratch / "out");
  const std::string good = content(scratch / "out" / "results.csv");
  for (const std::string& bad : {good.substr(0, good.size() - 1), good.substr(0, good.size() / 2), good + "0,0,G-EDF,unbounded,,,,,,\n",
                                 "x" + good, std::string()}) {
    std::ofstream(scratch / "out" / "results.csv", std::ios::binary | std::ios::trunc) << bad;
    CHECK_THROWS_AS(run(plan, scratch / "out"), UserError);
  }
}
