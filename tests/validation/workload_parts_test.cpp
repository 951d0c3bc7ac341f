// Parts of a workload's runtime that need neither a GPU nor time: clocks, processors.
#include <doctest/doctest.h>

#include <cstdlib>

#include "workload/checks.hpp"
#include "workload/run.hpp"

using namespace workload;

namespace {

constexpr std::int64_t s = 1'000'000'000;

// 10 ppm fast, read 1 s apart; 1 us of error.
GpuClock fast_clock() { return {ClockPair{10 * s, 500 * s, 1'000}, ClockPair{11 * s, 501 * s + 10'000, 1'000}}; }

}  // namespace

TEST_CASE("a line through two readings of both clocks") {
  const GpuClock clock = fast_clock();
  const auto off = [&](std::int64_t gpu, std::int64_t host) { return std::abs(clock.to_host(gpu) - host); };
  CHECK(off(500 * s, 10 * s) <= 1);
  CHECK(off(501 * s + 10'000, 11 * s) <= 1);
  CHECK(off(500 * s + 100 * (s + 10'000), 110 * s) <= 1);
  CHECK(clock.drift({111 * s, 600 * s + 110 * 10'000 + s, 0}) <= 100'000);
  // Of what a reading on a busy machine may be wrong by nothing is known: 3 ms apart, read to within 2 ms, is 1 ms at least.
  const GpuClock even(ClockPair{100 * s, 600 * s, 0});
  CHECK(even.drift({101 * s, 601 * s + 3'000'000, 2'000'000}) == 1'000'000);
  CHECK(even.drift({101 * s, 601 * s + 3'000'000, 4'000'000}) == 0);
}

TEST_CASE("what a clock's line may be off grows with time; more is a warning and never invalidates a run") {
  const GpuClock clock = fast_clock();
  CHECK(clock.tolerance(5 * s) == 1'001'000);
  CHECK(clock.tolerance(11 * s) == 1'001'000);
  CHECK(clock.tolerance(11 * s + 600 * s) == 5'201'000);  // 5 ppm of 600 s, and 2 us in each
  CHECK(check_gpu_clock("c", clock, 40'000, 12 * s).outcome == Outcome::ok);
  CHECK(check_gpu_clock("c", clock, 60'000, 12 * s).outcome == Outcome::warning);
  CHECK(check_gpu_clock("c", clock, 3'000'000, 611 * s).outcome == Outcome::ok);
  CHECK(check_gpu_clock("c", clock, 9'000'000, 611 * s).outcome == Outcome::warning);
  CHECK(check_gpu_clock("c", clock, 60'000, 12 * s).text ==
        "read to within 1.0 us; runs -10.000 ppm against the host's; off by 60.0 us at the end");
}

TEST_CASE("beside a GPU, processor 0 is the last to be given to a CPU pool") {
  const auto assigned = [](bool gpu, std::vector<int> present) {
    const Pool pools[] = {{"a", PoolKind::cpu, 2, Order::fifo, 0, "a"},
                          {"g", PoolKind::gpu, 4, Order::fifo, 2048, "g"},
                          {"b", PoolKind::cpu, 1, Order::fifo, 0, "b"}};
    const Pool cpu_only[] = {pools[0], pools[2]};
    const TaskSet set{"s", "", "", "offsets", nullptr, 0, gpu ? pools : cpu_only, gpu ? 3U : 2U, nullptr, 0};
    return assign_processors(set, {}, std::move(present));
  };
  using Lists = std::vector<std::vector<int>>;
  CHECK(assigned(true, {0, 1, 2, 3}) == Lists{{1, 2}, {}, {3}});
  CHECK(assigned(true, {0, 1, 2}) == Lists{{1, 2}, {}, {0}});
  CHECK(assigned(false, {0, 1, 2, 3}) == Lists{{0, 1}, {2}});
}

TEST_CASE("nodes are played shorter by the overhead of their pool, and may take no longer than the file says") {
  const Pool pools[] = {{"a", PoolKind::cpu, 2, Order::fifo, 0, "a"}, {"g/x", PoolKind::gpu, 4, Order::fifo, 2048, "g"}};
  Node nodes[2]{};
  nodes[0].length = nodes[0].longest = 1'000'000;
  nodes[1].pool = 1;
  nodes[1].length = nodes[1].longest = 3'000'000;
  const Dag dags[] = {{"d", 10'000'000, 0, -1, nodes, 2, nullptr, 0, 0}};
  const TaskSet set{"s", "", "", "offsets", nullptr, 0, pools, 2, dags, 1};
  Options options;
  options.overheads["g"] = 400'000;
  const Played played(set, options);
  CHECK(played.task_set().dags[0].nodes[0].length == 1'000'000);
  CHECK(played.task_set().dags[0].nodes[1].length == 2'600'000);
  CHECK(played.task_set().dags[0].nodes[1].longest == 3'000'000);
  CHECK(set.dags[0].nodes[1].length == 3'000'000);

  Achieved achieved;
  achieved.add(2'600'000, 3'000'000, 3'000'000);
  CHECK(achieved.over.load() == 0);
  achieved.add(2'600'000, 3'000'000, 3'000'001);
  CHECK(achieved.over.load() == 1);
  achieved.add(2'600'000, 3'000'000, 2'500'000);
  CHECK(achieved.under.load() == 1);
  LengthCheck check("L");
  check.add("d/k", 2'600'000, 3'000'000, achieved);
  Checks checks;
  check.report(checks);
  REQUIRE(checks.size() == 1);
  CHECK(checks[0].outcome == Outcome::failed);
  CHECK(
      checks[0].text ==
      "d/k asked for 2600.0 us, had 2833.3 us on average, 3000.0 us at most; of 3, 1 were longer than 3000.0 us and 1 shorter by more than "
      "2 % and 5 us");
}

TEST_CASE("processes run the DAGs that their numbers say") {
  const Dag dags[] = {
      {"a", 1, 0, -1, nullptr, 0, nullptr, 0, 7}, {"b", 1, 0, -1, nullptr, 0, nullptr, 0, 1}, {"c", 1, 0, -1, nullptr, 0, nullptr, 0, 7}};
  const TaskSet set{"s", "", "", "offsets", nullptr, 0, nullptr, 0, dags, 3};
  CHECK(dags_of_processes(set) == std::vector<std::vector<bool>>{{false, true, false}, {true, false, true}});
}
