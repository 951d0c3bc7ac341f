// CPU pools, workers, copy engines, and DAGs over them, on schedules that can be drawn by hand.
#include <doctest/doctest.h>

#include "simulate/scene.hpp"

using namespace rta;
using namespace scene;

namespace {

CpuDemand C(std::int64_t ns) { return {Time(ns)}; }

Recorder observe(const TaskSet& set, const Schedule& schedule, const simulate::Options& options) {
  Recorder seen;
  (void)simulate::simulate(set, schedule, options, &seen);
  return seen;
}
std::vector<std::tuple<std::uint32_t, std::int64_t, std::int64_t>> runs_of(const Recorder& seen, std::size_t d, std::uint64_t j = 0) {
  std::vector<std::tuple<std::uint32_t, std::int64_t, std::int64_t>> out;
  for (const auto& r : seen.runs) {
    if (r.dag == d && r.job == j) out.emplace_back(r.cpu, r.start, r.end);
  }
  return out;
}
using Runs = std::vector<std::tuple<std::uint32_t, std::int64_t, std::int64_t>>;

}  // namespace

TEST_CASE("G-EDF preempts the job with the latest priority point, which may migrate") {
  // m = 2. tau1 (C 10, T 100) and tau2 (C 10, T 50) at 0; tau3 (C 4, T 20) at 2 preempts tau1 (point 100) on CPU 0.
  // tau2 ends at 10 on CPU 1; tau3 ends at 6 on CPU 0 and tau1 goes on there until 14.
  const TaskSet set{"edf", {cpu(2)}, {task("tau1", 0, C(10), 100), task("tau2", 0, C(10), 50), task("tau3", 0, C(4), 20)}};
  auto options = for_time(3);
  options.releases.phases = {Time(0), Time(0), Time(2)};
  const auto seen = observe(set, edf(set), options);
  // Equal instants: tau1 is released first, so it starts first, on CPU 1's neighbour: tau2 has the earlier point and takes CPU 0.
  CHECK(runs_of(seen, 1) == Runs{{0, 0, 10}});
  CHECK(runs_of(seen, 0) == Runs{{1, 0, 2}, {1, 6, 14}});
  CHECK(runs_of(seen, 2) == Runs{{1, 2, 6}});
}

TEST_CASE("A preempted job migrates to the processor that becomes idle first") {
  // m = 2. tau1 (C 10, T 100), tau2 (C 3, T 50) at 0; tau3 (C 8, T 20) at 1 preempts tau1 on CPU 1; tau2 ends at 3 on CPU 0 and tau1
  // goes on there: 1 ns done before, 9 left, so until 12.
  const TaskSet set{"migration", {cpu(2)}, {task("tau1", 0, C(10), 100), task("tau2", 0, C(3), 50), task("tau3", 0, C(8), 20)}};
  auto options = for_time(2);
  options.releases.phases = {Time(0), Time(0), Time(1)};
  const auto seen = observe(set, edf(set), options);
  CHECK(runs_of(seen, 0) == Runs{{1, 0, 1}, {0, 3, 12}});
  CHECK(simulate::simulate(set, edf(set), options).preemptions == 1);
}

TEST_CASE("A non-preemptive pool finishes what it has started, and then takes the earliest priority point") {
  const TaskSet set{"np",
                    {{"cpu", CpuPool{1, Scheduler::g_edf, false}}},
                    {task("tau1", 0, C(10), 100), task("tau2", 0, C(5), 50), task("tau3", 0, C(4), 20)}};
  auto options = for_time(3);
  options.releases.phases = {Time(0), Time(1), Time(2)};
  const auto seen = observe(set, edf(set), options);
  CHECK(runs_of(seen, 0) == Runs{{0, 0, 10}});
  CHECK(runs_of(seen, 2) == Runs{{0, 10, 14}});
  CHECK(runs_of(seen, 1) == Runs{{0, 14, 19}});
}

TEST_CASE("Intra-task parallelism: consecutive jobs overlap unless the node is sequential") {
  // u = 1.5 on two processors.
  const auto max_of = [](bool sequential) {
    const TaskSet set{"parallel", {cpu(2)}, {task("tau1", 0, C(150), 100, sequential)}};
    return simulate::simulate(set, edf(set), for_time(400)).dags[0].response.max().count();
  };
  CHECK(max_of(false) == 150);
  CHECK(max_of(true) == 300);  // jobs end at 150, 300, 450, 600; the last was released at 300
}

TEST_CASE("Workers: items of a FIFO of jobs on N workers, dispatch overhead on each") {
  // N = 2, overhead 1. tau1: 3 items of 9; tau2: 1 item of 4. Items start 0, 0, 10; tau2's at 10; ends 20 and 15.
  const Pool workers{"workers", WorkerPool{2, Time(1)}};
  const TaskSet set{"workers", {workers}, {task("tau1", 0, WorkerDemand{3, Time(9)}, 100), task("tau2", 0, WorkerDemand{1, Time(4)}, 100)}};
  const auto seen = observe(set, at_once(set), for_time(1));
  CHECK(seen.blocks_of(0) == Runs{{0, 0, 10}, {1, 0, 10}, {0, 10, 20}});
  CHECK(seen.blocks_of(1) == Runs{{1, 10, 15}});
}

TEST_CASE("One copy engine serves both directions from one FIFO, two serve one each") {
  const auto ends = [](std::uint32_t engines) {
    const TaskSet set{
        "copies",
        {Pool{"copy", EnginePool{engines}}},
        {task("in", 0, CopyDemand{Time(10), Direction::h2d}, 100), task("out", 0, CopyDemand{Time(10), Direction::d2h}, 100)}};
    const auto seen = observe(set, at_once(set), for_time(1));
    return std::pair{seen.copies[0].end, seen.copies[1].end};
  };
  CHECK(ends(1) == std::pair<std::int64_t, std::int64_t>{10, 20});
  CHECK(ends(2) == std::pair<std::int64_t, std::int64_t>{10, 10});
}

namespace {

// first -> second on a pool of two processors, T = 100.
TaskSet chain() {
  return {"chain", {cpu(2)}, {Dag("d", Time(100), std::nullopt, {node("first", 0, C(30)), node("second", 0, C(20))}, {{0, 1}})}};
}

}  // namespace

TEST_CASE("Fixed offsets: a node waits for its offset, and its response is counted from there") {
  const TaskSet set = chain();
  const auto seen = simulate::simulate(set, test::with_offsets(set, {{Time(0), Time(50)}}, times(set, 100)), for_time(300));
  CHECK(seen.dags[0].nodes[0].max() == Time(30));
  CHECK(seen.dags[0].nodes[1].max() == Time(20));
  CHECK(seen.dags[0].response.max() == Time(70));
  CHECK(seen.late_releases == 0);
  CHECK(seen.dags[0].response.count() == 3);
}

TEST_CASE("An offset that passes before the predecessors end is counted") {
  const TaskSet set = chain();
  const auto seen = simulate::simulate(set, test::with_offsets(set, {{Time(0), Time(25)}}, times(set, 100)), for_time(300));
  CHECK(seen.late_releases == 3);
  CHECK(seen.dags[0].nodes[1].max() == Time(25));  // ends at 50, five after its predecessor's delay
  CHECK(seen.dags[0].response.max() == Time(50));
}

TEST_CASE("Release on completion") {
  const TaskSet set = chain();
  const std::vector<Time> Y{Time(100)};
  const auto seen = simulate::simulate(set, test::on_completion(set, Y), for_time(300));
  CHECK(seen.dags[0].nodes[1].max() == Time(50));  // counted from the DAG's release
  CHECK(seen.dags[0].response.max() == Time(50));
}

TEST_CASE("Early releasing: a CPU node runs as soon as it can, with the priority point of its offset") {
  const TaskSet set = chain();
  const auto schedule = test::with_offsets(set, {{Time(0), Time(50)}}, times(set, 100), true);
  const auto seen = simulate::simulate(set, schedule, for_time(300));
  CHECK(seen.dags[0].response.max() == Time(50));
  CHECK(seen.dags[0].nodes[1].max() == Time(0));  // ended by its offset
}

TEST_CASE("Early releasing of a kernel is guarded: enqueues of a node stay T apart") {
  // The first CPU node takes 50 in job 0 and may take 0 later: its kernel would be ready at 50, 100, 200; guarded at 50, 150, 250.
  const TaskSet set{"guard",
                    {cpu(1), gpu(1)},
                    {Dag("d", Time(100), std::nullopt, {node("cpu", 0, C(50)), node("gpu", 1, kernel(1, 32, 10))}, {{0, 1}}),
                     task("late", 0, C(40), 1000)}};
  // `late` (earlier point) delays the first job only.
  auto schedule = test::with_offsets(set, {{Time(0), Time(95)}, {Time(0)}}, {{Time(100), Time(0)}, {Time(1)}}, true);
  const auto seen = observe(set, schedule, for_time(300));
  std::vector<std::int64_t> enqueued;
  for (const auto& j : seen.jobs) {
    if (j.dag == 0 && j.node == 1) enqueued.push_back(j.release);
  }
  CHECK(enqueued == std::vector<std::int64_t>{90, 190, 290});  // unguarded: 90, 150, 250
}

TEST_CASE("FIFO by ready time: a pool of threads does not look at DAGs") {
  // One thread. a: 10 then 10; b at 5: 10. b is ready before a's second node.
  const TaskSet set{"threads",
                    {cpu(1, Scheduler::fifo)},
                    {Dag("a", Time(100), std::nullopt, {node("a1", 0, C(10)), node("a2", 0, C(10))}, {{0, 1}}), task("b", 0, C(10), 100)}};
  auto options = for_time(6);
  options.releases.phases = {Time(0), Time(5)};
  const std::vector<Time> Y{Time(10), Time(100)};
  const auto seen = observe(set, test::on_completion(set, Y), options);
  CHECK(runs_of(seen, 1) == Runs{{0, 10, 20}});
  CHECK(runs_of(seen, 0) == Runs{{0, 0, 10}, {0, 20, 30}});
}

TEST_CASE("FIFO by ready time at offsets: a job that waited for its predecessor is behind what came meanwhile") {
  // One thread. a: 10 every 5, sequential; b at 6: 10. The second job of a is ready at 10, b since 6.
  for (const bool preemptive : {true, false}) {
    const TaskSet set{
        "threads", {{"cpu", CpuPool{1, Scheduler::fifo, preemptive}}}, {task("a", 0, C(10), 5, true), task("b", 0, C(10), 100)}};
    auto options = for_time(8);
    options.releases.phases = {Time(0), Time(6)};
    const auto seen = observe(set, at_once(set), options);
    CHECK(runs_of(seen, 1) == Runs{{0, 10, 20}});
    CHECK(runs_of(seen, 0, 1) == Runs{{0, 20, 30}});
  }
  // By points: a's second job has 5, b 6.
  const TaskSet set{"points", {cpu(1)}, {task("a", 0, C(10), 5, true), task("b", 0, C(10), 100)}};
  auto options = for_time(8);
  options.releases.phases = {Time(0), Time(6)};
  CHECK(runs_of(observe(set, at_once(set), options), 1) == Runs{{0, 20, 30}});
}

TEST_CASE("C1-C6: a copy stuck in its stream blocks the CE waiting queue; the earlier rules C1-C4 let the next one pass") {
  // Per-task streams: kernel and copies of their own nodes never share a stream, so the blocking is shown by two jobs of one copy node:
  // engine time 100, T = 30: job 1 is behind job 0 in its stream and at the head of the CE waiting queue; another task's copy at 10
  // is behind it and waits too.
  const TaskSet set{
      "copy-rules",
      {Pool{"copy", EnginePool{2}}},
      {task("in", 0, CopyDemand{Time(100), Direction::h2d}, 30), task("other", 0, CopyDemand{Time(5), Direction::h2d}, 1000)}};
  auto options = for_time(41);
  options.releases.phases = {Time(0), Time(40)};
  options.streams = simulate::Streams::per_task;
  const auto start_of_other = [&](simulate::CopyRules rules) {
    options.copy_rules = rules;
    const auto seen = observe(set, at_once(set), options);
    for (const auto& c : seen.copies) {
      if (c.dag == 1) return c.start;
    }
    return std::int64_t{-1};
  };
  // Job 0 runs in [0, 100). At 100 job 1 becomes the head of its stream: under C1-C6 it enters the CE queue first.
  CHECK(start_of_other(simulate::CopyRules::yang2020) == 200);
  // Under C1-C4 `other` has been in the CE queue since 40.
  CHECK(start_of_other(simulate::CopyRules::amert2017) == 100);
}
