#include <doctest/doctest.h>

#include "rta/model/error.hpp"
#include "simulate/scene.hpp"

using namespace rta;
using namespace scene;
using simulate::ScenarioJob;

namespace {

simulate::Options scenario(std::vector<std::vector<ScenarioJob>> jobs) {
  simulate::Options options;
  options.jobs = std::move(jobs);
  return options;
}

}  // namespace

TEST_CASE("A scenario releases its jobs and no others, however long it lasts") {
  const TaskSet set{"one", {cpu(1)}, {task("tau", 0, CpuDemand{Time(20)}, 50), task("idle", 0, CpuDemand{Time(1)}, 50)}};
  Recorder seen;
  auto options = scenario({{{Time(5), {{}}}, {Time(100), {{}}}, {Time(150), {{}}}}, {}});
  options.duration = Time(60);
  const auto result = simulate::simulate(set, at_once(set), options, &seen);
  CHECK(result.dag_jobs == 3);
  CHECK(seen.jobs == std::vector<Recorder::Job>{{0, 0, 0, 5, 5, 25}, {0, 0, 1, 100, 100, 120}, {0, 0, 2, 150, 150, 170}});
}

TEST_CASE("The ranks of a scenario decide between equal priority points") {
  const TaskSet set{"two", {cpu(1)}, {task("a", 0, CpuDemand{Time(20)}, 100), task("b", 0, CpuDemand{Time(30)}, 100)}};
  for (const bool a_first : {true, false}) {
    Recorder seen;
    const auto options = scenario({{{Time(0), {{simulate::whole, a_first ? 1U : 9U}}}}, {{Time(0), {{simulate::whole, 5}}}}});
    (void)simulate::simulate(set, edf(set), options, &seen);
    CHECK(seen.response(0, 0) == (a_first ? 20 : 50));
    CHECK(seen.response(1, 0) == (a_first ? 50 : 30));
  }
}

TEST_CASE("The ranks of a scenario decide who comes first into a FIFO at one instant") {
  // One SM holds one block of either.
  const TaskSet set{"two", {gpu(1)}, {task("a", 0, kernel(1, 2048, 20), 100), task("b", 0, kernel(1, 2048, 30), 100)}};
  Recorder seen;
  (void)simulate::simulate(set, at_once(set), scenario({{{Time(0), {{simulate::whole, 1}}}}, {{Time(0), {{}}}}}), &seen);
  CHECK(seen.response(1, 0) == 30);
  CHECK(seen.response(0, 0) == 50);
}

TEST_CASE("A scenario gives each job its own share of the worst case, on every kind of pool") {
  Pool workers{"workers", WorkerPool{}};
  std::get<WorkerPool>(workers.resource).workers = 1;
  std::get<WorkerPool>(workers.resource).dispatch_overhead = Time(3);
  WorkerDemand items;
  items.B = 2;
  items.L = Time(10);
  const TaskSet set{"three",
                    {cpu(1), gpu(1), workers},
                    {task("c", 0, CpuDemand{Time(21)}, 100), task("g", 1, kernel(2, 2048, 40), 100), task("w", 2, items, 100)}};
  Recorder seen;
  const auto half = [](std::int64_t release) { return ScenarioJob{Time(release), {{500'000, 0}}}; };
  const auto full = [](std::int64_t release) { return ScenarioJob{Time(release), {{}}}; };
  (void)simulate::simulate(set, at_once(set), scenario({{half(0), full(100)}, {half(0), full(100)}, {half(0), full(100)}}), &seen);
  CHECK(seen.response(0, 0) == 10);  // rounded down
  CHECK(seen.response(0, 1) == 21);
  CHECK(seen.response(1, 0) == 40);  // two blocks, one after the other
  CHECK(seen.response(1, 1) == 80);
  CHECK(seen.response(2, 0) == 16);  // 2 x (10/2 + 3)
  CHECK(seen.response(2, 1) == 26);
}

TEST_CASE("A scenario that does not fit the task set is a defect") {
  const TaskSet set{"one", {cpu(1)}, {task("tau", 0, CpuDemand{Time(20)}, 50)}};
  const auto run = [&](std::vector<std::vector<ScenarioJob>> jobs) {
    (void)simulate::simulate(set, at_once(set), scenario(std::move(jobs)));
  };
  CHECK_THROWS_AS(run({{}, {}}), Defect);
  CHECK_THROWS_AS(run({{{Time(0), {}}}}), Defect);
  CHECK_THROWS_AS(run({{{Time(9), {{}}}, {Time(0), {{}}}}}), Defect);
  CHECK_THROWS_AS(run({{{Time(0), {{simulate::whole + 1, 0}}}}}), Defect);
  CHECK_THROWS_AS(run({{{Time(0), {{0, simulate::most_rank + 1}}}}}), Defect);
}

TEST_CASE("Guarded nodes that open at one instant enter by DAG, job and node") {
  // Three kernels of a job wait for one another on the GPU; with their second jobs all three become free at T = 100. The last node of the
  // DAG stands first in the file.
  std::vector<Node> nodes;
  for (const char* name : {"x", "y", "z"}) nodes.push_back(node(name, 0, kernel(1, 2048, 10)));
  const TaskSet set{"guarded", {gpu(1)}, {Dag("d", Time(100), std::nullopt, nodes, {})}};
  Schedule schedule = at_once(set);
  for (NodeSchedule& s : schedule.nodes[0]) {
    s.offset.reset();
    s.guarded = true;
  }
  simulate::Options options = for_time(400);
  Recorder seen;
  (void)simulate::simulate(set, schedule, options, &seen);
  for (std::uint64_t job = 0; job < 4; ++job) {
    for (std::size_t v = 0; v < 3; ++v) CHECK(seen.response(0, job, v) == static_cast<std::int64_t>(10 * (v + 1)));
  }
}
