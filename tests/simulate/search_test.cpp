#include "rta/simulate/search.hpp"

#include <doctest/doctest.h>

#include "simulate/scene.hpp"

using namespace rta;
using namespace scene;

namespace {

// One processor, G-EDF: tau2 (D = 100) is latest when tau1's two jobs and its own fall together; released together it ends at 60.
TaskSet two_tasks() { return {"two", {cpu(1)}, {task("tau1", 0, CpuDemand{Time(20)}, 50), task("tau2", 0, CpuDemand{Time(40)}, 100)}}; }

}  // namespace

TEST_CASE("The search shows a response again with the options that it names") {
  const TaskSet set = two_tasks();
  const auto schedule = edf(set);
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
  // tau2 released at 0 with point 100; tau1 at 0 with point 50, at 50 with 100. Synchronous: tau1 [0, 20), tau2 [20, 60), tau1's second job
  // [60, 80): tau1's worst response is 30. With tau2 released just after tau1 with an earlier point, tau1 waits for all of it.
  const TaskSet set = two_tasks();
  const auto schedule = edf(set);
  const auto synchronous = simulate::simulate(set, schedule, for_time(1000));
  simulate::SearchOptions options;
  options.base = for_time(1000);
  options.max_runs = 400;
  const auto found = simulate::search(set, schedule, options);
  CHECK(found.dags[0]->response > synchronous.dags[0].response.max());
  CHECK(found.dags[0]->response <= Time(50));  // G-EDF schedules U = 0.8 on one processor: no deadline is missed
  CHECK(found.dags[1]->response <= Time(100));
}

TEST_CASE("Same seed, same search; another seed, another one") {
  const TaskSet set = two_tasks();
  const auto schedule = edf(set);
  simulate::SearchOptions options;
  options.base = for_time(500);
  options.max_runs = 60;
  const auto a = simulate::search(set, schedule, options);
  const auto b = simulate::search(set, schedule, options);
  options.base.seed = 2;
  const auto c = simulate::search(set, schedule, options);
  CHECK(a.dags[0]->response == b.dags[0]->response);
  CHECK(a.dags[0]->job == b.dags[0]->job);
  CHECK(a.runs.back().releases == b.runs.back().releases);
  CHECK(a.runs.back().releases != c.runs.back().releases);
}

TEST_CASE("A search ends at its deadline and on request, with what it has found") {
  const TaskSet set = two_tasks();
  simulate::SearchOptions options;
  options.base = for_time(1000);
  options.max_runs = 0;
  options.base.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(30);
  std::uint64_t calls = 0;
  options.progress = [&](const simulate::SearchResult& so_far) { calls = so_far.tried; };
  const auto timed = simulate::search(set, edf(set), options);
  CHECK(timed.ending == simulate::Ending::timed_out);
  CHECK(timed.tried == calls);
  CHECK(timed.dags[0]);
  std::stop_source source;
  source.request_stop();
  options.base.stop = source.get_token();
  options.base.deadline.reset();
  CHECK(simulate::search(set, edf(set), options).ending == simulate::Ending::stopped);
}
