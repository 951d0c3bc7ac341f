#include "rta/simulate/search.hpp"

#include <doctest/doctest.h>
#include <oneapi/tbb/task_arena.h>

#include "simulate/scene.hpp"

using namespace rta;
using namespace scene;

namespace {

// One processor, FIFO.
TaskSet two_tasks() { return {"two", {cpu(1)}, {task("tau1", 0, CpuDemand{Time(20)}, 50), task("tau2", 0, CpuDemand{Time(40)}, 100)}}; }

}  // namespace

TEST_CASE("The search shows a response again with the options that it names") {
  const TaskSet set = two_tasks();
  const auto schedule = at_once(set);
  simulate::SearchOptions options;
  options.base = for_time(1000);
  options.max_runs = 200;
  const auto result = simulate::search(set, schedule, options);
  CHECK(result.tried == 200);
  CHECK(result.ending == simulate::Ending::complete);
  for (DagId d = 0; d < 2; ++d) {
    REQUIRE(result.dags[d]);
    const auto again = simulate::simulate(set, schedule, result.runs[result.dags[d]->run]);
    CHECK(again.dags[d].response.max() == result.dags[d]->response);
    CHECK(again.dags[d].response.worst_job() == result.dags[d]->job);
  }
}

TEST_CASE("The search finds what synchronous releases do not show") {
  // Synchronous releases: tau1 [0, 20), tau2 [20, 60), tau1's second job, released at 50, [60, 80): 30. With tau2 just before tau1: 60.
  const TaskSet set = two_tasks();
  const auto schedule = at_once(set);
  const auto synchronous = simulate::simulate(set, schedule, for_time(1000));
  simulate::SearchOptions options;
  options.base = for_time(1000);
  options.max_runs = 100;
  const auto found = simulate::search(set, schedule, options);
  CHECK(synchronous.dags[0].response.max() == Time(30));
  CHECK(found.dags[0]->response == Time(60));  // C_1 + C_2: at most one job of tau2 is before a job of tau1
}

TEST_CASE("Same seed, same search") {
  const TaskSet set = two_tasks();
  const auto schedule = at_once(set);
  simulate::SearchOptions options;
  options.base = for_time(500);
  options.max_runs = 60;
  const auto a = simulate::search(set, schedule, options);
  const auto b = simulate::search(set, schedule, options);
  CHECK(a.dags[0]->response == b.dags[0]->response);
  CHECK(a.dags[0]->job == b.dags[0]->job);
  CHECK(a.runs.back().releases == b.runs.back().releases);
  CHECK(a.runs.back().node_execution == b.runs.back().node_execution);
}

TEST_CASE("A search finds the same on one core and on several") {
  const TaskSet set = two_tasks();
  simulate::SearchOptions options;
  options.base = for_time(500);
  options.max_runs = 600;
  const auto search_on = [&](int cores) {
    oneapi::tbb::task_arena arena(cores);
    return arena.execute([&] { return simulate::search(set, at_once(set), options); });
  };
  const auto one = search_on(1), several = search_on(4);
  REQUIRE(one.runs.size() == several.runs.size());
  for (std::size_t i = 0; i < one.runs.size(); ++i) {
    CHECK(one.runs[i].jobs == several.runs[i].jobs);
    CHECK(one.runs[i].seed == several.runs[i].seed);
  }
  CHECK(one.dags[1]->response == several.dags[1]->response);
}

TEST_CASE("What is the worst for one DAG is it for another that differs in its name only") {
  // Three kernels of 10 ns on a GPU that holds one at a time: the last one waits for the others.
  const TaskSet set{
      "equal",
      {gpu(1)},
      {task("a", 0, kernel(1, 2048, 10), 100), task("b", 0, kernel(1, 2048, 10), 100), task("c", 0, kernel(1, 2048, 10), 100)}};
  simulate::SearchOptions options;
  options.base = for_time(1000);
  options.max_runs = 60;
  const auto found = simulate::search(set, at_once(set), options);
  CHECK(found.tried == 60);
  for (DagId d = 0; d < 3; ++d) CHECK(found.dags[d]->response == Time(30));
}

TEST_CASE("The search lets a path wait for the rest of its own DAG") {
  // One processor, then a GPU: x leads to the kernel z of 50, y to nothing. x first: x [0, 30), z [30, 80). y first: y [0, 20), x [20, 50),
  // z [50, 100).
  std::vector<Node> nodes{node("x", 0, CpuDemand{Time(30)}), node("y", 0, CpuDemand{Time(20)}), node("z", 1, kernel(1, 2048, 50))};
  const TaskSet set{"fork", {cpu(1), gpu(1)}, {Dag("fork", Time(200), std::nullopt, nodes, {{0, 2}})}};
  const std::vector<Time> Y{Time(200)};
  simulate::SearchOptions options;
  options.base = for_time(1000);
  options.max_runs = 60;
  const auto found = simulate::search(set, test::on_completion(set, Y), options);
  CHECK(found.dags[0]->response == Time(100));
}

TEST_CASE("A search ends at its deadline and on request, with what it has found") {
  const TaskSet set = two_tasks();
  simulate::SearchOptions options;
  options.base = for_time(1000);
  options.max_runs = 0;
  options.base.limit = Limit().within(std::chrono::milliseconds(30));
  std::uint64_t calls = 0;
  options.progress = [&](const simulate::SearchResult& so_far) { calls = so_far.tried; };
  const auto timed = simulate::search(set, at_once(set), options);
  CHECK(timed.ending == simulate::Ending::timed_out);
  CHECK(timed.tried == calls);
  CHECK(timed.dags[0]);
  std::stop_source source;
  source.request_stop();
  options.base.limit = Limit(source.get_token());
  CHECK(simulate::search(set, at_once(set), options).ending == simulate::Ending::stopped);
}
