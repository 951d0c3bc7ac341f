// Schedules that are played by several processes. What is checked holds on any machine, however loaded.
#include <doctest/doctest.h>

#include <map>
#include <set>

#include "played.hpp"

using namespace rta;
using namespace rta::test;

namespace {

using Key = std::pair<std::string, std::uint64_t>;  // node, job

std::map<Key, trace::JobRecord> by_job(const ReadTrace& trace) {
  std::map<Key, trace::JobRecord> jobs;
  for (const auto& job : trace.jobs) CHECK(jobs.emplace(Key(job.job.node, job.job.job), job).second);
  return jobs;
}

}  // namespace

TEST_CASE("the tutorial's graph is played frame by frame, each job once, in its order") {
  Stage stage(tutorial(2_ms, 10_ms, 101));
  const auto master = stage.play({"--frames", "20"});
  const int status = master->wait();
  INFO(master->said());
  CHECK((status == 0 || status == 1));
  const auto trace = stage.records();
  CHECK(trace.complete);
  CHECK(trace.lost == 0);
  CHECK(trace.header.release == "static");
  CHECK(trace.header.task_set == "schedule.yaml");
  CHECK(trace.header.task_set_sha256 == std::string(64, 'a'));
  REQUIRE(trace.dags.size() == 20);
  const auto jobs = by_job(trace);
  CHECK(jobs.size() == 60);
  Time before = Time() - 1_ns;
  for (const auto& frame : trace.dags) {
    CAPTURE(frame.job.job);
    CHECK(frame.job.dag == "hyperepoch0.epoch0");
    CHECK(frame.release.count() % 10'000'000 == 0);  // a multiple of the period, however late frames are
    CHECK(frame.release > before);
    before = frame.end;
    const auto& submit = jobs.at({"GpuX.submit", frame.job.job});
    const auto& kernel = jobs.at({"GpuX.kernel", frame.job.job});
    const auto& post = jobs.at({"GpuX.post_process", frame.job.job});
    CHECK(submit.start >= frame.release);
    CHECK(kernel.start >= submit.end);
    CHECK(post.start >= kernel.end);
    CHECK(post.end == frame.end);
    for (const auto* job : {&submit, &kernel, &post}) CHECK(job->end - job->start >= 1990_us);
  }
  CHECK(trace.runs.size() == 40);  // the kernel is on no processor
  CHECK(stage.is_clean());
}

TEST_CASE("whatever a schedule holds is played in order: random schedules, random times, late wake-ups") {
  int played_with_groups = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    CAPTURE(seed);
    const static_order::Schedule schedule = RandomSchedule(seed, 200_us, 1 + seed % 2)(4 + seed, 3);
    if (played(schedule) == 0) continue;
    const ScheduledHyperepoch& h = schedule.hyperepochs.front();
    Stage stage(schedule);
    const auto master = stage.play({"--frames", "12"}, {"--execution", "uniform", "--late", "100", "--seed", std::to_string(seed)});
    const int status = master->wait();
    INFO(master->said());
    REQUIRE((status == 0 || status == 1));
    const auto trace = stage.records();
    CHECK(trace.complete);
    const auto jobs = by_job(trace);
    std::vector<Time> frames(12);
    for (const auto& dag : trace.dags) {
      if (dag.job.dag == "h.slow") frames[dag.job.job] = dag.release;
    }
    const auto predecessors = before(h);
    std::size_t expected = 0;
    for (std::uint64_t n = 0; n < 12; ++n) {
      std::vector<Time> passed(h.runnables.size());
      for (std::size_t i = 0; i < h.runnables.size(); ++i) {
        const ScheduledRunnable& is = h.runnables[i];
        for (const std::size_t p : predecessors[i]) passed[i] = std::max(passed[i], passed[p]);
        const std::uint64_t number = n * h.epochs[is.epoch].frames + is.frame;
        for (const auto& step : static_order::steps_of(h, is)) {
          if (!step.turn.includes(n)) continue;
          ++expected;
          const auto at = jobs.find({step.label(), number});
          REQUIRE(at != jobs.end());
          CHECK(at->second.start >= passed[i]);
          CHECK(at->second.start >= frames[n] + is.release);
          CHECK(at->second.release <= at->second.start);
          passed[i] = at->second.end;
        }
      }
    }
    CHECK(jobs.size() == expected);
    played_with_groups += has_empty_turns(schedule) ? 1 : 0;
    CHECK(stage.is_clean());
  }
  CHECK(played_with_groups > 0);
}
