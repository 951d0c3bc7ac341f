// Played schedules beside their proofs, on traces written by hand.
#include "rta/compare/static_comparison.hpp"

#include <doctest/doctest.h>

#include <sstream>

#include "rta/io/task_set_file.hpp"
#include "static_runtime/schedules.hpp"

using namespace rta;
using namespace rta::test;

namespace {

const std::string sha(64, 'a');

std::string header(const std::string& more = "") {
  return R"({"schema": 1, "kind": "trace", "source": "measurement", "task_set": "s.yaml", "task_set_sha256": ")" + sha +
         R"(", "release": "static")" + more + "}\n";
}
std::string job(const std::string& dag, const std::string& node, int number, std::int64_t release, std::int64_t start, std::int64_t end) {
  return R"({"t": "job", "dag": ")" + dag + R"(", "node": ")" + node + R"(", "job": )" + std::to_string(number) + R"(, "release_ns": )" +
         std::to_string(release) + R"(, "start_ns": )" + std::to_string(start) + R"(, "end_ns": )" + std::to_string(end) + "}\n";
}
std::string dag(const std::string& name, int number, std::int64_t release, std::int64_t end) {
  return R"({"t": "dag", "dag": ")" + name + R"(", "job": )" + std::to_string(number) + R"(, "release_ns": )" + std::to_string(release) +
         R"(, "end_ns": )" + std::to_string(end) + "}\n";
}
const std::string end = R"({"t": "end", "complete": true, "lost_records": 0, "valid": true})"
                        "\n";

compare::StaticComparison compared(const Schedule& schedule, const std::string& text) {
  std::istringstream in(text);
  trace::Reader reader(in, "t.jsonl");
  return compare::compare(schedule, sha, reader, "t.jsonl");
}

std::string refusal(const Schedule& schedule, const std::string& text) {
  try {
    (void)compared(schedule, text);
  } catch (const io::InputError& error) {
    return error.what();
  }
  return "";
}

/// submit, kernel and post_process of 10 ns each, proven to end at 10, 20 and 30; a period of 100.
const Schedule schedule = tutorial(10_ns, 100_ns, 101);
const std::string epoch = "hyperepoch0.epoch0";

/// A frame whose jobs begin so long after they could.
std::string frame(int number, std::int64_t start, std::int64_t wake_up) {
  std::string text;
  std::int64_t at = start;
  for (const char* node : {"GpuX.submit", "GpuX.kernel", "GpuX.post_process"}) {
    text += job(epoch, node, number, at, at + wake_up, at + wake_up + 10);
    at += wake_up + 10;
  }
  return text + dag(epoch, number, start, at);
}

}  // namespace

TEST_CASE("wake-ups are no violation: each job may end later by those on the way to it") {
  const auto result = compared(schedule, header() + frame(0, 0, 2) + frame(1, 100, 5) + end);
  CHECK(result.as_proven());
  CHECK(result.valid());
  CHECK(result.conclusive());
  REQUIRE(result.runnables.size() == 3);
  const auto& post = result.runnables[2];
  CHECK(post.name == "GpuX.post_process");
  CHECK(post.epoch == epoch);
  CHECK(post.wcet == 10_ns);
  CHECK(post.execution.count() == 2);
  CHECK(post.execution.max() == 10_ns);
  CHECK(post.over == 0);
  CHECK(post.wake_up.max() == 5_ns);
  CHECK(post.wake_up.mean() == 4_ns);  // (2 + 5)/2 rounded up
  // Ends at 3 x 12 = 36 and 3 x 15 = 45 after the frame's start; proven 30.
  CHECK(post.latest == 45_ns);
  CHECK(post.proven == 30_ns);
  CHECK(post.slack == Time() - 15_ns);
  // Starts at 26 and 35.
  CHECK(post.start_jitter == 9_ns);
  CHECK(result.hyperepochs[0].frames == 2);
  CHECK(result.hyperepochs[0].skipped == 0);
  CHECK(result.hyperepochs[0].longer == 2);
  CHECK(result.hyperepochs[0].length.max() == 45_ns);
  CHECK(result.hyperepochs[0].observed == 200_ns);
  // CPU0 works 20 of 100, the GPU 10 of 100.
  REQUIRE(result.resources.size() == 2);
  CHECK(result.resources[0].name == "CPU0");
  CHECK(result.resources[0].planned == 200'000);
  CHECK(result.resources[0].busy == 200'000);
  CHECK(result.resources[1].name == "iGPU");
  CHECK(result.resources[1].busy == 100'000);
  CHECK(result.timeline.size() == 6);
}

TEST_CASE("a runnable beyond its WCET is counted, and explains who is late behind it; skipped periods are those without a frame") {
  // The kernel takes 100 in place of 10: it ends at 110, post_process at 120. The next frame begins at 200.
  std::string text = header() + job(epoch, "GpuX.submit", 0, 0, 0, 10) + job(epoch, "GpuX.kernel", 0, 10, 10, 110) +
                     job(epoch, "GpuX.post_process", 0, 110, 110, 120) + dag(epoch, 0, 0, 120) + frame(1, 200, 0) + end;
  auto result = compared(schedule, text);
  CHECK_FALSE(result.as_proven());
  CHECK(result.over == 1);
  CHECK(result.runnables[1].over == 1);
  CHECK(result.runnables[1].worst_job == 0);
  CHECK(result.runnables[1].execution.max() == 100_ns);
  CHECK(result.late == 2);
  CHECK(result.unexplained == 0);
  REQUIRE(result.late_jobs.size() == 2);
  CHECK(result.late_jobs[0].name == "GpuX.kernel");
  CHECK(result.late_jobs[0].end == 110_ns);
  CHECK(result.late_jobs[0].proven == 20_ns);
  CHECK(result.late_jobs[0].delays == 90_ns);
  CHECK(result.late_jobs[1].reasons == std::vector<std::string>{"'GpuX.kernel' took 100 ns, 90 ns more than its WCET"});
  CHECK(result.hyperepochs[0].skipped == 1);
  CHECK(result.hyperepochs[0].observed == 300_ns);
  // Where frames run on at once, none is left out.
  text.replace(0, header().size(), header(R"(, "overrun": "run-on")"));
  CHECK(compared(schedule, text).hyperepochs[0].skipped == 0);
}

TEST_CASE("a job that ends later than its wake-ups and WCETs allow is unexplained; one that starts before its time is early") {
  // Released at 30 though submit and kernel ended at 10 and 20: something else held it back.
  auto result = compared(schedule, header() + job(epoch, "GpuX.submit", 0, 0, 0, 10) + job(epoch, "GpuX.kernel", 0, 10, 10, 20) +
                                       job(epoch, "GpuX.post_process", 0, 30, 30, 40) + dag(epoch, 0, 0, 40) + end);
  CHECK(result.late == 1);
  CHECK(result.unexplained == 1);
  CHECK(result.early == 0);
  CHECK(result.late_jobs[0].reasons[0].find("nothing in the trace explains it") == 0);
  // 2 us before its submitter ended; 1 us is what clocks may differ by.
  const Schedule slow = tutorial(10_us, 100_us, 101);
  const auto early = [&](std::int64_t start) {
    return compared(slow, header() + job(epoch, "GpuX.submit", 0, 0, 0, 10'000) + job(epoch, "GpuX.kernel", 0, start, start, start + 10) +
                              job(epoch, "GpuX.post_process", 0, 20'000, 20'000, 30'000) + dag(epoch, 0, 0, 30'000) + end)
        .early;
  };
  CHECK(early(8'000) == 1);
  CHECK(early(9'500) == 0);
}

TEST_CASE("frames of which something is missing are left out and counted; a trace that was cut is compared as far as it goes") {
  const std::string half = job(epoch, "GpuX.submit", 1, 100, 100, 110) + job(epoch, "GpuX.kernel", 1, 110, 110, 120);
  auto result = compared(schedule, header() + frame(0, 0, 0) + half);
  CHECK_FALSE(result.complete);
  CHECK(result.hyperepochs[0].frames == 1);
  CHECK(result.hyperepochs[0].incomplete == 1);
  CHECK(result.warnings.size() == 2);
  result = compared(schedule, header() + half + dag(epoch, 1, 100, 120) + frame(2, 200, 0) + end);
  CHECK(result.hyperepochs[0].frames == 1);
  CHECK(result.hyperepochs[0].incomplete == 1);
  CHECK_FALSE(compared(schedule, header() + end).conclusive());
}

TEST_CASE("epochs of several frames, and slots that are taken in turn: jobs are numbered through all frames") {
  // Two frames, 50 apart, a slot of x.a, x.b in turn and nobody else: repetition n has a in frame 0, b in frame 1, whatever n is.
  ScheduledHyperepoch h = hyperepoch("h", 100_ns, {{"CPU0", "CPU", {}}}, {{"e", 50_ns, 2}});
  for (std::uint64_t k = 0; k < 2; ++k) {
    ScheduledRunnable slot = runnable("", "slot", 0, 10_ns);
    slot.steps = {"x.a", "x.b"};
    slot.frame = k;
    slot.release = 50_ns * static_cast<std::int64_t>(k);
    h.runnables.push_back(slot);
  }
  const Schedule turns = schedule_of({"x"}, {h}, 1);
  const std::string text = header() + job("h.e", "x.a", 4, 200, 200, 207) + job("h.e", "x.b", 5, 250, 251, 262) + dag("h.e", 4, 200, 207) +
                           dag("h.e", 5, 250, 262) + end;
  const auto result = compared(turns, text);
  CHECK(result.hyperepochs[0].frames == 1);
  REQUIRE(result.runnables.size() == 2);
  CHECK(result.runnables[0].name == "x.a");
  CHECK(result.runnables[0].slack == 3_ns);
  CHECK(result.runnables[1].over == 1);
  CHECK(refusal(turns, header() + job("h.e", "x.a", 5, 250, 250, 260)).find("epoch 'h.e' has no runnable 'x.a' in that frame") !=
        std::string::npos);
}

TEST_CASE("a trace of something else is refused") {
  CHECK(refusal(schedule, R"({"schema": 1, "kind": "trace", "source": "measurement", "task_set": "s.yaml", "release": "offsets"})"
                          "\n")
            .find("is no trace of a static schedule") != std::string::npos);
  CHECK(refusal(schedule, R"({"schema": 1, "kind": "trace", "source": "m", "task_set": "s", "task_set_sha256": "00", "release": "static"})"
                          "\n")
            .find("is a trace of another") != std::string::npos);
  CHECK(refusal(schedule, header() + dag("other", 0, 0, 1)).find("the schedule has no epoch 'other'") != std::string::npos);
  CHECK(refusal(schedule, header() + job(epoch, "GpuX.other", 0, 0, 0, 1)).find("has no runnable 'GpuX.other'") != std::string::npos);
  CHECK(refusal(schedule, header() + job(epoch, "GpuX.submit", 0, 0, 0, 1) + job(epoch, "GpuX.submit", 0, 0, 0, 1)).find("comes twice") !=
        std::string::npos);
}
