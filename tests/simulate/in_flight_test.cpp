// A limit of jobs under way, by hand.
#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "rta/analysis/analyze.hpp"
#include "rta/analysis/schedule_of.hpp"
#include "rta/io/task_set_file.hpp"
#include "rta/simulate/simulate.hpp"
#include "support/admitted.hpp"

using namespace rta;
using namespace rta::literals;

namespace {

/// A pipeline of 4, 4 and 4 ms on three processors.
TaskSet pipeline(const std::string& T, const std::string& limit) {
  return io::parse_task_set(
             "platform: {a: {processors: 1, scheduler: FIFO}, b: {processors: 1, scheduler: FIFO}, c: {processors: 1, scheduler: FIFO}}\n"
             "dags:\n  - {name: p, T: " +
                 T + limit + ", nodes: {x: {on: a, C: 4 ms}, y: {on: b, C: 4 ms}, z: {on: c, C: 4 ms}}, edges: [x -> y -> z]}\n",
             "set.yaml")
      .task_set;
}

struct Run {
  simulate::Observation seen;
  test::Admissions admissions{1};
};

Run run_of(const TaskSet& set, Time duration, std::uint64_t most_jobs = 1'000'000) {
  Run run;
  simulate::Options options;
  options.duration = duration;
  options.max_jobs_in_flight = static_cast<std::uint32_t>(most_jobs);
  Schedule schedule;
  schedule.nodes = {std::vector<NodeSchedule>(set.dags()[0].nodes().size())};
  run.seen = simulate::simulate(set, schedule, options, &run.admissions);
  return run;
}

}  // namespace

TEST_CASE("a job waits while as many are under way as there may be, and is admitted when one ends") {
  // Releases at 0, 4, 8, 12, 16 ms. Three fit: each takes 12 ms. With two: admitted at 0, 4, 12, 16, 24 ms, they end after 12, 12, 16, 16
  // and 20.
  const Run three = run_of(pipeline("4 ms", ", in_flight: 3"), 20_ms);
  CHECK(three.seen.dags[0].response.max() == 12_ms);
  CHECK(three.seen.dags[0].held_back == 0);
  CHECK(three.admissions.most_at_once(0) == 3);
  const Run two = run_of(pipeline("4 ms", ", in_flight: 2"), 20_ms);
  CHECK(two.seen.dags[0].response.max() == 20_ms);
  CHECK(two.seen.dags[0].response.count() == 5);
  CHECK(two.seen.dags[0].held_back == 3);
  CHECK(two.seen.dags[0].longest_wait == 8_ms);
  CHECK(two.admissions.most_at_once(0) == 2);
  CHECK(two.admissions.longest(0) == 12_ms);
  // One: 12 ms each.
  const Run one = run_of(pipeline("4 ms", ", in_flight: 1"), 20_ms);
  CHECK(one.seen.dags[0].response.max() == 44_ms);
  CHECK(one.seen.dags[0].longest_wait == 32_ms);
  CHECK(run_of(pipeline("4 ms", ""), 20_ms).seen.dags[0].response.max() == 12_ms);
}

TEST_CASE("jobs that wait to be admitted count as a backlog") {
  const Run run = run_of(pipeline("1 ms", ", in_flight: 2"), 10_s, 100);
  CHECK(run.seen.ending == simulate::Ending::backlog);
  CHECK(run.seen.simulated < 300_ms);
}

TEST_CASE("at offsets, too, a job begins when it is admitted") {
  // Offsets of 0, 5 and 10 ms: 14 ms a job, so with one at once the second is admitted at 14, 4 ms late, where its first offset has passed.
  const TaskSet set = pipeline("10 ms", ", in_flight: 1");
  Schedule schedule;
  schedule.nodes = {std::vector<NodeSchedule>(3)};
  for (std::size_t v = 0; v < 3; ++v) schedule.nodes[0][v].offset = Time(static_cast<std::int64_t>(v) * 5'000'000);
  simulate::Options options;
  options.duration = 20_ms;
  const auto seen = simulate::simulate(set, schedule, options);
  CHECK(seen.dags[0].held_back == 1);
  CHECK(seen.dags[0].longest_wait == 4_ms);
  // x from 14 to 18, y to 22, z to 26, after 16 ms.
  CHECK(seen.dags[0].response.max() == 16_ms);
}
