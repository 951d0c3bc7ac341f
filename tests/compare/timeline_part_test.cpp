// The part of a trace that is drawn: whatever the order of its records, and whether it tells pieces or jobs alone.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "rta/trace/waits.hpp"
#include "traces.hpp"

using namespace rta;
using namespace rta::test;

namespace {

std::string piece(const char* kind, const char* node, int job, const std::string& where, long long start, long long end) {
  return fmt::format(R"({{"t": "{}", "dag": "cam", "node": "{}", "job": {}, {}, "start_ns": {}, "end_ns": {}}})", kind, node, job, where,
                     start, end) +
         "\n";
}

/// A job of `cam` that is released then: grab for 1 ms, blur for 2 ms.
std::string frame(int job, long long release) {
  return node_job("grab", job, release, release, release + 1'000'000) +
         node_job("blur", job, release + 1'000'000, release + 1'000'000, release + 3'000'000) + dag_job(job, release, release + 3'000'000);
}

compare::Comparison compared_in(const std::string& text, const compare::Window& window) {
  std::istringstream in(text);
  trace::Reader reader(in, "t.jsonl");
  const auto set = camera();
  return compare::compare(*set, camera_bounds(), digest, reader, "t.jsonl", {.window = window});
}

std::vector<std::uint64_t> jobs_of(const trace::Timeline& timeline) {
  std::vector<std::uint64_t> jobs;
  for (const trace::TimelineJob& job : timeline.jobs()) {
    if (job.id.node == 0) jobs.push_back(job.id.job);
  }
  return jobs;
}

}  // namespace

TEST_CASE("jobs alone are bars of pools whose units are not known, and what they waited for is found") {
  // blur of job 1 is queued at 2 ms, while blur of job 0 runs until 3 ms.
  const auto result = compared(header() + node_job("blur", 0, 1'000'000, 1'000'000, 3'000'000) +
                               node_job("blur", 1, 2'000'000, 3'000'000, 5'000'000) + end_line());
  REQUIRE(result.timeline);
  CHECK(result.timeline->units(1) == trace::Units::unknown);
  CHECK(result.timeline->bars().size() == 2);
  const auto waiting = trace::waiting(*result.timeline);
  CHECK(waiting[0].waits.empty());
  REQUIRE(waiting[1].waits.size() == 1);
  CHECK(waiting[1].waits[0].cause == trace::WaitCause::room);
  CHECK(waiting[1].waits[0].from == 2_ms);
  CHECK(waiting[1].waits[0].to == 3_ms);
  CHECK(waiting[1].waits[0].of[0].job == 0);
}

TEST_CASE("blocks and runs of a trace are bars of their SMs and processors") {
  const auto result = compared(header() + piece("block", "blur", 0, R"("block": 0, "sm": 1)", 1'000'000, 3'000'000) +
                               piece("block", "blur", 0, R"("block": 1, "sm": 0)", 1'000'000, 2'000'000) +
                               node_job("blur", 0, 1'000'000, 1'000'000, 3'000'000) + piece("run", "grab", 0, R"("cpu": 1)", 0, 1'000'000) +
                               node_job("grab", 0, 0, 0, 1'000'000) + end_line());
  REQUIRE(result.timeline);
  REQUIRE(result.timeline->bars().size() == 3);
  for (const PoolId pool : {PoolId{0}, PoolId{1}}) CHECK(result.timeline->units(pool) == trace::Units::numbered);
  CHECK(result.timeline->bars()[0].pool == 0);
  CHECK(result.timeline->bars()[0].unit == 1);
  CHECK(result.timeline->bars()[1].blocks == 1);
}

TEST_CASE("the first three periods are shown, or the window, in whatever order the trace tells them") {
  // T = 10 ms from the first release at 5 ms: until 35 ms.
  std::vector<std::string> frames;
  frames.reserve(8);
  for (int job = 0; job < 8; ++job) frames.push_back(frame(job, 5'000'000 + 10'000'000LL * job));
  for (const bool backwards : {false, true}) {
    if (backwards) std::ranges::reverse(frames);
    std::string text = header();
    for (const std::string& one : frames) text += one;
    text += end_line();
    CHECK(jobs_of(*compared(text).timeline) == std::vector<std::uint64_t>{0, 1, 2});
    CHECK(jobs_of(*compared_in(text, {27_ms, 46_ms}).timeline) == std::vector<std::uint64_t>{3, 4});
    CHECK(jobs_of(*compared_in(text, {25_ms, 46_ms}).timeline) == std::vector<std::uint64_t>{2, 3, 4});
    CHECK_FALSE(compared_in(text, {90_ms, 95_ms}).timeline);
  }
}

TEST_CASE("of many jobs that are told backwards the earliest are kept, and instants that no picture holds are left out") {
  std::string text = header() + node_job("grab", 0, -9'000'000'000'000'000'000, -9'000'000'000'000'000'000, -8'999'999'999'999'999'999);
  for (int job = 45'000; job > 0; --job) text += node_job("grab", job, job * 1000LL, job * 1000LL, job * 1000LL + 500);
  const auto result = compared(text + end_line());
  REQUIRE(result.timeline);
  // Of the first 40000 that are told, 5001 to 45000, the earlier half stays; with those that follow, 1 to 25000. A page shows 6000 bars.
  CHECK(result.timeline->bars().size() == 6'000);
  CHECK(result.timeline->bars().back().id.job == 6'000);
  CHECK(result.timeline->left_out() == 19'000);
  CHECK(result.timeline->complete_until() == Time(6'001'000));
}

TEST_CASE("kernels of one node wait in its stream where a trace says that nodes have streams of their own") {
  const std::string jobs =
      node_job("blur", 0, 1'000'000, 1'000'000, 3'000'000) + node_job("blur", 1, 2'000'000, 3'000'000, 5'000'000) + end_line();
  const auto result = compared(header(R"(, "streams": "per-task")") + jobs);
  const auto waiting = trace::waiting(*result.timeline);
  REQUIRE(waiting[1].waits.size() == 1);
  CHECK(waiting[1].waits[0].cause == trace::WaitCause::stream);
  CHECK(waiting[1].queued == 3_ms);
}
