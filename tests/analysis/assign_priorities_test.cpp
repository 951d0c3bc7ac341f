// `optimize priorities` under FP: deadline monotonic, Audsley's assignment and the search, each proven.
#include <doctest/doctest.h>

#include <optional>
#include <utility>
#include <vector>

#include "analysis/search/audsley.hpp"
#include "rta/analysis/analyze.hpp"
#include "rta/model/fixed_priority.hpp"
#include "support/build.hpp"

using namespace rta;
using namespace rta::analysis;
using namespace rta::test;

namespace {

struct Task {
  Time C, T, D;
  std::optional<FixedPriority> priority = std::nullopt;
};

std::shared_ptr<const TaskSet> on_one_processor(const std::vector<Task>& tasks, bool preemptive = true) {
  std::vector<Dag> dags;
  dags.reserve(tasks.size());
  for (const Task& task : tasks) {
    dags.push_back(Dag("t" + std::to_string(dags.size() + 1), task.T, task.D, {cpu_node("a", task.C)}, {}, {.priority = task.priority}));
  }
  return task_set({Pool{"cpu", CpuPool{1, Scheduler::fp, preemptive, Equals::fifo}}}, std::move(dags));
}

Analysis assigned(const std::shared_ptr<const TaskSet>& set) {
  Options options;
  options.release = Release::completion;
  options.optimize_priorities = true;
  return analyze(set, options);
}

/// Lehoczky's example (RTSS 1990), D > T. With the first above the second, as deadlines say, the second ends its first job at 52 + 2 x 52 =
/// 156 > 154. The other way round it takes 52, and the first job's busy interval has ends 104, 104 + 52 + 52 = 208 and 260, released at 0,
/// 100, 200: 104, 108 and 60, so 108 <= 110.
const std::vector<Task> lehoczky{{52_ms, 100_ms, 110_ms}, {52_ms, 140_ms, 154_ms}};

}  // namespace

TEST_CASE("Audsley's order: the lowest level first, with the first candidate that fits") {
  // Candidate i fits below at most i others: only 0 on top, then 1, 2, 3.
  const auto by_number = [](std::size_t which, std::span<const std::size_t> above) { return above.size() <= which; };
  CHECK(audsley_order({2, 0, 3, 1}, by_number) == std::vector<std::size_t>{0, 1, 2, 3});
  // All fit everywhere: the first candidate is the least urgent.
  CHECK(audsley_order({2, 0, 1}, [](auto, auto) { return true; }) == std::vector<std::size_t>{1, 0, 2});
  // 0 and 1 both want to be on top.
  CHECK_FALSE(audsley_order({0, 1}, [](std::size_t, std::span<const std::size_t> above) { return above.empty(); }));
  CHECK(audsley_order({}, [](auto, auto) { return false; }) == std::vector<std::size_t>{});
}

TEST_CASE("Audsley's assignment meets deadlines that deadline monotonic priorities miss") {
  Options plain;
  plain.release = Release::completion;
  const auto before = analyze(on_one_processor(lehoczky), plain);
  CHECK(before.verdict == Verdict::deadline_missed);
  CHECK(before.proof.dags[1].bound->R == 156_ms);

  const auto after = assigned(on_one_processor(lehoczky));
  CHECK(after.verdict == Verdict::schedulable);
  CHECK(after.proof.dags[0].bound->R == 108_ms);
  CHECK(after.proof.dags[1].bound->R == 52_ms);
  REQUIRE(after.assignment);
  CHECK(after.assignment->by == AssignedBy::audsley);
  REQUIRE(after.assignment->dags.size() == 2);
  CHECK(after.assignment->dags[0].first == 1);
  CHECK(after.assignment->dags[0].priority == 2);
  CHECK(after.assignment->dags[1].priority == 1);
  // What was proven is the changed file.
  CHECK(after.proof.task_set->dags()[1].attributes().priority == FixedPriority{2});
  CHECK(analyze(after.proof.task_set, plain).proof.dags[0].bound->R == 108_ms);
}

TEST_CASE("Audsley's assignment by T10d where T11 accepts no order") {
  // Both have D = 13, so deadline monotonic is d above k: k's path a -> b ends by 10 + 4/2 + 3/2. k above d: 10 + 4/2 = 12, and d, 3 + 14/2
  // = 10: by T11 k's jobs, which end by 13, count twice in more than 7, 3 + 28/2.
  const auto dag = [](const char* name, Time T, std::vector<Node> nodes, std::vector<Edge> edges) {
    return Dag(name, T, 13_ms, std::move(nodes), std::move(edges));
  };
  const auto set = task_set({Pool{"cpu", CpuPool{2, Scheduler::fp, true, Equals::any}}},
                            {dag("d", 24_ms, {cpu_node("a", 3_ms)}, {}),
                             dag("k", 20_ms, {cpu_node("a", 4_ms), cpu_node("b", 6_ms), cpu_node("c", 4_ms)}, {{0, 1, false}})});
  const auto after = assigned(set);
  CHECK(after.verdict == Verdict::schedulable);
  REQUIRE(after.assignment);
  CHECK(after.assignment->by == AssignedBy::audsley);
  CHECK(after.assignment->tried == 3);
  CHECK(after.proof.dags[0].bound->R == 10_ms);
  CHECK(after.proof.dags[1].bound->R == 12_ms);
}

TEST_CASE("Given priorities are replaced by deadline monotonic ones where these are better, nodes' own too") {
  // (3, 8) and (4, 20) upside down: 7 and 4; deadline monotonic: 3 and 7, a lateness of -5 instead of -1.
  auto nodes = std::vector{cpu_node("a", 4_ms)};
  std::get<CpuDemand>(nodes[0].demand).priority = 7;
  const auto set = task_set({Pool{"cpu", CpuPool{1, Scheduler::fp, true, Equals::fifo}}},
                            {Dag("high", 8_ms, 8_ms, {cpu_node("a", 3_ms)}, {}, {.priority = 5}), Dag("low", 20_ms, 20_ms, nodes, {})});
  const auto after = assigned(set);
  REQUIRE(after.assignment);
  CHECK(after.assignment->by == AssignedBy::deadline_monotonic);
  CHECK(after.proof.dags[0].bound->R == 3_ms);
  CHECK(after.proof.dags[1].bound->R == 7_ms);
  CHECK_FALSE(after.assignment->dags[0].nodes_had_own);
  CHECK(after.assignment->dags[1].nodes_had_own);
  CHECK(fixed_priorities(*after.proof.task_set).of == PerNode<FixedPriority>{{2}, {1}});
}

TEST_CASE("Priorities that are best stay, and nothing is assigned where no pool is under FP, or at offsets") {
  const auto kept = assigned(on_one_processor({{3_ms, 8_ms, 8_ms, 9}, {4_ms, 20_ms, 20_ms, 4}}));
  REQUIRE(kept.assignment);
  CHECK(kept.assignment->by == AssignedBy::given);
  CHECK(kept.assignment->dags.empty());
  CHECK(kept.assignment->complete);
  CHECK(kept.proof.task_set->dags()[0].attributes().priority == FixedPriority{9});
  const auto edf =
      task_set({cpu_pool(1)}, {Dag("a", 8_ms, 8_ms, {cpu_node("x", 3_ms)}, {}), Dag("b", 9_ms, 9_ms, {cpu_node("y", 1_ms)}, {})});
  CHECK_FALSE(assigned(edf).assignment);
  Options offsets;
  offsets.release = Release::offsets;
  offsets.optimize_priorities = true;
  CHECK_FALSE(analyze(on_one_processor(lehoczky), offsets).assignment);
}

TEST_CASE("Copies share one priority, and the choice is the same every time") {
  std::vector<Task> tasks{lehoczky[0], lehoczky[1]};
  tasks[0].C = 26_ms;  // twice the same
  tasks.insert(tasks.begin(), tasks[0]);
  const auto set = on_one_processor(tasks);
  const auto after = assigned(set);
  REQUIRE(after.assignment);
  CHECK(after.assignment->dags.size() == 2);
  for (const auto& of : after.assignment->dags) CHECK(of.last - of.first == (of.first == 0 ? 1 : 0));
  const auto again = assigned(set);
  CHECK(*again.proof.task_set == *after.proof.task_set);
  CHECK(again.assignment->tried == after.assignment->tried);
  Options best;
  best.optimize_priorities = true;
  const auto of_all = analyze(on_one_processor(lehoczky), best);
  REQUIRE(of_all.assignment);
  CHECK(of_all.verdict == Verdict::schedulable);
}

TEST_CASE("Without preemption the bounds that decide have their blocking") {
  // T = 50, one job of each counts. Given: the third 2 + 3 = 5, the second 3 + 2 + 1 = 6, the first 6, which is 1 late. Deadline monotonic:
  // 1 + 3 = 4, 1 + 3 + 2 = 6, 6: at most 0 late. The second above the first would leave the first at 6.
  const auto set = on_one_processor({{1_ms, 50_ms, 5_ms, 1}, {3_ms, 50_ms, 6_ms, 2}, {2_ms, 50_ms, 20_ms, 3}}, false);
  Options plain;
  plain.release = Release::completion;
  CHECK(analyze(set, plain).proof.dags[0].bound->R == 6_ms);
  const auto after = assigned(set);
  REQUIRE(after.assignment);
  CHECK(after.assignment->by == AssignedBy::deadline_monotonic);
  CHECK(after.proof.dags[0].bound->R == 4_ms);
  CHECK(after.proof.dags[1].bound->R == 6_ms);
  CHECK(after.proof.dags[2].bound->R == 6_ms);
}

TEST_CASE("Where a pool is overloaded no more than the given priorities and deadline monotonic ones are tried") {
  const auto after = assigned(on_one_processor({{6_ms, 10_ms, 10_ms}, {6_ms, 10_ms, 9_ms}, {1_ms, 50_ms, 7_ms}}));
  CHECK(after.verdict == Verdict::unbounded);
  REQUIRE(after.assignment);
  CHECK(after.assignment->tried == 2);
  CHECK(after.assignment->by == AssignedBy::given);
}

TEST_CASE("The search moves DAGs where no order fits all deadlines") {
  // One processor, T = 50: C = 4, D = 5; C = 2, D = 5; C = 4, D = 7. Whatever is last ends by 10, at least 3 late. Deadline monotonic: 4,
  // 6, 10, 20 in all. The second on top: 2, 6, 10, as late and 18 in all.
  const auto after = assigned(on_one_processor({{4_ms, 50_ms, 5_ms}, {2_ms, 50_ms, 5_ms}, {4_ms, 50_ms, 7_ms}}));
  REQUIRE(after.assignment);
  CHECK(after.assignment->by == AssignedBy::search);
  CHECK(after.proof.dags[0].bound->R == 6_ms);
  CHECK(after.proof.dags[1].bound->R == 2_ms);
  CHECK(after.proof.dags[2].bound->R == 10_ms);
}
