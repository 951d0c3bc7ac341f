#include "rta/analysis/slack.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <optional>
#include <string>

#include "rta/analysis/analyze.hpp"
#include "rta/io/task_set_file.hpp"
#include "support/build.hpp"

using namespace rta;
using namespace rta::test;
using namespace rta::analysis;

namespace {

// One FIFO processor: whichever job comes, it ends when one job of each has run, after C_a + C_b.
std::shared_ptr<const TaskSet> two_tasks() {
  return task_set({cpu_pool(1, Scheduler::fifo)},
                  {Dag("a", 1000_ns, 100_ns, {cpu_node("a", 20_ns)}, {}), Dag("b", 1000_ns, 100_ns, {cpu_node("b", 40_ns)}, {})});
}

Slack slack_of(const std::shared_ptr<const TaskSet>& set, const Options& options) { return slack(analyze(set, options).proof, options); }

}  // namespace

TEST_CASE("Slack of two tasks on one FIFO processor, to the nanosecond") {
  Options options;
  options.release = Release::offsets;
  options.refinement = gel::Refinement::none;
  const Slack found = slack_of(two_tasks(), options);
  CHECK(found.complete);
  REQUIRE(found.nodes.size() == 2);
  // C_a + 40 <= 100 and 20 + C_b <= 100.
  CHECK(found.nodes[0].piece.value == 60_ns);
  CHECK(found.nodes[1].piece.value == 80_ns);
  CHECK_FALSE(found.nodes[0].pieces.has_value());
  // T1 does not depend on T while the processor is not overloaded: 20/T + 40/1000 <= 1 from T = 21 ns on. b: 40/T + 20/1000 <= 1.
  REQUIRE(found.dags.size() == 2);
  CHECK(found.dags[0].period.value == 21_ns);
  CHECK(found.dags[1].period.value == 41_ns);
  // Both end after 60 ns; a FIFO knows no deadlines.
  CHECK(found.dags[0].deadline == Proven<Time>{60_ns, true});
  CHECK(found.dags[1].deadline == Proven<Time>{60_ns, true});
  // ceil(20 k) + ceil(40 k) <= 100: 33 + 66 at k = 1.650, 34 + 67 from 1.651 on. At offsets nothing is said of smaller values.
  CHECK(found.scale == Proven<std::int64_t>{1650, false});
  REQUIRE(found.pools.size() == 1);
  CHECK(found.pools[0].least == 1);
}

TEST_CASE("On completion all smaller execution times hold, too, where T10n carries the bounds") {
  Options options;
  options.release = Release::completion;
  const Slack found = slack_of(two_tasks(), options);
  REQUIRE(found.nodes.size() == 2);
  CHECK(found.nodes[0].piece == Proven<Time>{60_ns, true});
  CHECK(found.nodes[1].piece == Proven<Time>{80_ns, true});
  for (std::int64_t C = 0; C <= 60; ++C) {
    CAPTURE(C);
    const auto set = task_set({cpu_pool(1, Scheduler::fifo)}, {Dag("a", 1000_ns, 100_ns, {cpu_node("a", Time(C))}, {}),
                                                               Dag("b", 1000_ns, 100_ns, {cpu_node("b", 40_ns)}, {})});
    CHECK(analyze(set, options).verdict == Verdict::schedulable);
  }
}

TEST_CASE("What misses its deadline already takes no part in slack, and gets no smallest deadline") {
  // Both end after 60 ns: b misses its 50 ns, a meets its 100 until C_a = 60.
  const auto set = task_set({cpu_pool(1, Scheduler::fifo)},
                            {Dag("a", 1000_ns, 100_ns, {cpu_node("a", 20_ns)}, {}), Dag("b", 1000_ns, 50_ns, {cpu_node("b", 40_ns)}, {})});
  Options options;
  options.release = Release::offsets;
  options.refinement = gel::Refinement::none;
  const Slack found = slack_of(set, options);
  REQUIRE(found.dags.size() == 2);
  CHECK(found.nodes[0].piece.value == 60_ns);
  CHECK(found.dags[0].deadline.has_value());
  CHECK_FALSE(found.dags[1].deadline.has_value());
}

TEST_CASE("A measured duration grows with the blocks, and says nothing of other numbers of blocks") {
  // 20 blocks of 1 ms, two at once, measured to take 10 ms: within 30 ms three times as long, with a block of 3 ms.
  const std::string text = R"(
platform: {gpu: {sms: 1, threads: 2048, blocks: 32}}
tasks: [{name: k, on: gpu, B: 20, H: 1024, L: 1 ms, time: 10 ms, T: 30 ms, D: 30 ms}]
)";
  const auto set = std::make_shared<const TaskSet>(io::parse_task_set(text, "set.yaml").task_set);
  Options options;
  options.release = Release::completion;
  const Slack found = slack_of(set, options);
  REQUIRE(found.nodes.size() == 1);
  CHECK(found.nodes[0].piece.value <= 3_ms);
  CHECK(found.nodes[0].piece.value > 2990_us);
  CHECK_FALSE(found.nodes[0].pieces.has_value());
  REQUIRE(found.scale.has_value());
  CHECK(found.scale->value <= 3000);
  CHECK(found.scale->value > 2990);
}

TEST_CASE("Copies change together") {
  // Two copies of 20 ns on one FIFO processor end after 2 C <= 100.
  const auto set = task_set({cpu_pool(1, Scheduler::fifo)}, {Dag("a[0]", 1000_ns, 100_ns, {cpu_node("a", 20_ns)}, {}),
                                                             Dag("a[1]", 1000_ns, 100_ns, {cpu_node("a", 20_ns)}, {})});
  Options options;
  options.release = Release::offsets;
  options.refinement = gel::Refinement::none;
  const Slack found = slack_of(set, options);
  REQUIRE(found.nodes.size() == 1);
  CHECK(found.nodes[0].piece.value == 50_ns);
}

TEST_CASE("The smallest pool and the largest B of items") {
  // Three workers, one job of 6 items of 10 ns every 1000: T8 without carry ends them after 10 + (60 - 10)/N: N = 1 gives 60 <= 60.
  Node items;
  items.name = "v";
  items.demand = WorkerDemand{6, 10_ns};
  const auto set = task_set({{"w", WorkerPool{3, {}}}}, {Dag("d", 1000_ns, 60_ns, {items}, {})});
  Options options;
  options.release = Release::completion;
  const Slack found = slack_of(set, options);
  REQUIRE(found.pools.size() == 1);
  CHECK(found.pools[0].now == 3);
  CHECK(found.pools[0].least == 1);
  // By T23 ceil(B/3) 10 <= 60 (alone, three items at once): B <= 18.
  REQUIRE(found.nodes.size() == 1);
  REQUIRE(found.nodes[0].pieces.has_value());
  CHECK(found.nodes[0].pieces->value == 18);
}

TEST_CASE("A search that is stopped at once says that it is not complete") {
  Options options;
  options.release = Release::offsets;
  const Proof proof = analyze(two_tasks(), options).proof;
  options.stop = [] { return true; };
  const Slack found = slack(proof, options);
  CHECK_FALSE(found.complete);
  CHECK(found.nodes.empty());
}
