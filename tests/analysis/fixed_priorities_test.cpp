// Task sets with pools under FP: T11's bounds; what has no theorem has a reason, and what does not touch it
// keeps its bounds.
#include <doctest/doctest.h>

#include "rta/analysis/analyze.hpp"
#include "rta/analysis/explain.hpp"
#include "rta/analysis/schedule_of.hpp"
#include "rta/model/error.hpp"
#include "support/build.hpp"

using namespace rta;
using namespace rta::test;
using analysis::analyze;
using analysis::Theorem;

namespace {

// `fixed` runs on the pool under FP and the GPU, `beside` on the GPU and a pool under G-EDF, `far` on a pool of its own.
std::shared_ptr<const TaskSet> three_dags() {
  const std::vector<Edge> chain{{0, 1, false}};
  return task_set(
      {cpu_pool(2, Scheduler::fp, "fp"), gpu_pool(1, 1024), cpu_pool(2, Scheduler::g_edf, "edf"), cpu_pool(1, Scheduler::g_edf, "own")},
      {Dag("fixed", 10_ms, std::nullopt, {cpu_node("a", 1_ms, 0), gpu_node("b", 1, 1024, 1_ms)}, chain),
       Dag("beside", 20_ms, std::nullopt, {gpu_node("a", 1, 1024, 1_ms), cpu_node("b", 1_ms, 2)}, chain),
       Dag("far", 30_ms, std::nullopt, {cpu_node("a", 2_ms, 3)}, {})});
}

void has_bounds(const analysis::Proof& proof, const std::vector<std::vector<Time>>& R) {
  for (DagId d = 0; d < R.size(); ++d) {
    for (NodeId v = 0; v < R[d].size(); ++v) {
      REQUIRE(proof.dags[d].nodes[v].bound);
      CHECK(proof.dags[d].nodes[v].bound->R == R[d][v]);
    }
  }
}

}  // namespace

TEST_CASE("Released early no DAG that a pool under FP can touch has a bound; the others keep theirs") {
  analysis::Options options;
  options.release = Release::early;
  const auto proof = analyze(three_dags(), options).proof;
  CHECK_FALSE(proof.dags[0].bound);
  CHECK_FALSE(proof.dags[1].bound);
  for (const DagId d : {DagId{0}, DagId{1}}) {
    for (const auto& node : proof.dags[d].nodes) CHECK_FALSE(node.bound);
    const analysis::NoBound* why = why_unbounded(proof, d);
    REQUIRE(why != nullptr);
    CHECK(in_words(proof, *why) == "no theorem bounds fixed priorities where nodes are released early or in groups (pool 'fp')");
  }
  REQUIRE(proof.dags[2].bound);
  CHECK(proof.dags[2].bound->R == 2_ms);
}

// Each node alone: on the GPU both kernels, 1 + 1.
TEST_CASE("At offsets T11 bounds nodes under FP one by one, and T10n what shares a pool with their DAGs") {
  analysis::Options options;
  options.release = Release::offsets;
  const auto proof = analyze(three_dags(), options).proof;
  has_bounds(proof, {{1_ms, 2_ms}, {2_ms, 1_ms}, {2_ms}});
  CHECK(proof.dags[0].nodes[1].reference == 1_ms);
  CHECK(proof.dags[1].nodes[1].reference == 2_ms);
  CHECK(proof.dags[0].bound->R == 3_ms);
  CHECK(proof.dags[1].bound->R == 3_ms);
  CHECK(proof.dags[0].nodes[0].bound->basis.theorem == Theorem::T11);
  CHECK(proof.dags[1].nodes[0].bound->basis.theorem == Theorem::T10n);
}

// One processor, in ms: (1, 4), (2, 6) and a chain of 2 and 1, T = 13. A node of the chain waits for the other one, of the job before, as
// that is as urgent: 2 + 1 + 3 x 1 + 2 x 2 = 10 for each.
TEST_CASE("At offsets the nodes of a chain under FP are released one after the other's bound") {
  const auto set =
      task_set({cpu_pool(1, Scheduler::fp, "cpu")},
               {Dag("a", 4_ms, std::nullopt, {cpu_node("x", 1_ms, 0)}, {}), Dag("b", 6_ms, std::nullopt, {cpu_node("x", 2_ms, 0)}, {}),
                Dag("c", 13_ms, std::nullopt, {cpu_node("x", 2_ms, 0), cpu_node("y", 1_ms, 0)}, {{0, 1, false}})});
  analysis::Options options;
  options.release = Release::offsets;
  const auto proof = analyze(set, options).proof;
  CHECK(proof.dags[0].bound->R == 1_ms);
  CHECK(proof.dags[1].bound->R == 3_ms);
  CHECK(proof.dags[2].nodes[1].reference == 10_ms);
  CHECK(proof.dags[2].bound->R == 20_ms);
}

TEST_CASE("On completion T11 bounds what waits for a pool under FP, and T10n the rest") {
  // fixed/a: 1/2 + 1/2. fixed/b: that, and both kernels once: 1 + 2 = 3. beside/a: both kernels, 2, then 1/2 + 1/2: 3.
  analysis::Options options;
  options.release = Release::completion;
  const auto proof = analyze(three_dags(), options).proof;
  has_bounds(proof, {{1_ms, 3_ms}, {2_ms, 3_ms}, {2_ms}});
  for (const auto& node : proof.dags[0].nodes) CHECK(node.bound->basis.theorem == Theorem::T11);
  for (const DagId d : {DagId{1}, DagId{2}}) {
    for (const auto& node : proof.dags[d].nodes) CHECK(node.bound->basis.theorem == Theorem::T10n);
  }
  CHECK(proof.dags[0].critical_path == std::vector<NodeId>{0, 1});
  CHECK(proof.pools[0].theorems == std::vector{Theorem::T11});
  CHECK(explain(proof, "fixed/a").lines ==
        std::vector<std::string>{
            "T11: F >= sum of e over the path + per pool (work of the counted jobs - last pieces s of the path)/capacity",
            "path a: execution 1000000 ns", "pool fp (fixed priorities, equals in any order):", "  fixed: 1 job, work 1000000",
            "  waiting (1000000 - 1000000)/2 = 0 ns", "F = 1000000 + 0 = 1000000 ns, rounded up"});
}

TEST_CASE("By default, and on segments, a set with a pool under FP has bounds") {
  for (const std::optional<Release> release : {std::optional<Release>(), std::optional(Release::segments)}) {
    analysis::Options options;
    options.release = release;
    const auto proof = analyze(three_dags(), options).proof;
    for (const auto& dag : proof.dags) {
      REQUIRE(dag.bound);
      CHECK(dag.bound->R <= 3_ms);
    }
  }
}

TEST_CASE("Priorities, equals and preemption of the task set are those of the bound") {
  // One processor, `high` (2 ms) and `low` (5 ms), T = 9 and 40. In the file's order `low` may not delay `high` unless nothing is
  // preempted: 2, or 5 + 2; low: 5 + ceil((2 + 7)/9) 2 = 7, or with F_high = 7 5 + ceil((7 + 9)/9) 2 = 9.
  const auto with = [](CpuPool pool, FixedPriority high, FixedPriority low) {
    analysis::Options options;
    options.release = Release::completion;
    const auto set = task_set({Pool{"cpu", pool}}, {Dag("high", 9_ms, std::nullopt, {cpu_node("a", 2_ms)}, {}, {.priority = high}),
                                                    Dag("low", 40_ms, std::nullopt, {cpu_node("b", 5_ms)}, {}, {.priority = low})});
    const auto proof = analyze(set, options).proof;
    return std::vector{proof.dags[0].bound->R, proof.dags[1].bound->R};
  };
  using Row = std::vector<Time>;
  CHECK(with({1, Scheduler::fp, true, Equals::fifo}, 9, 4) == Row{2_ms, 7_ms});
  CHECK(with({1, Scheduler::fp, false, Equals::fifo}, 9, 4) == Row{7_ms, 9_ms});
  CHECK(with({1, Scheduler::fp, true, Equals::fifo}, 4, 9) == Row{7_ms, 5_ms});
  // Equals: by ready time each waits for one job of the other, 7 and 7. In any order T11 lets in ceil((F_high + F_low)/9): F_low = 5 + 2 x
  // 2 = 9; T11j what is ready before low ends, 5 + ceil(7/9) 2 = 7.
  CHECK(with({1, Scheduler::fp, true, Equals::fifo}, 4, 4) == Row{7_ms, 7_ms});
  CHECK(with({1, Scheduler::fp, true, Equals::any}, 4, 4) == Row{7_ms, 7_ms});
}

TEST_CASE("Such a set is played on completion, by the priorities of the proof") {
  analysis::Options options;
  options.release = Release::completion;
  const auto proof = analyze(three_dags(), options).proof;
  CHECK(is_playable(proof));
  CHECK(proof.pools[0].deadline_monotonic);
  CHECK_FALSE(proof.pools[2].deadline_monotonic);
  CHECK(proof.dags[0].nodes[0].priority == FixedPriority{1});
  CHECK_FALSE(proof.dags[0].nodes[1].priority);  // a kernel
  CHECK_FALSE(proof.dags[2].nodes[0].priority);  // under G-EDF
  CHECK_FALSE(proof.dags[0].nodes[0].priority_point);
}

TEST_CASE("FP in place of the file's scheduler: priorities of the file, equals as usual for so many processors") {
  const auto set = task_set({cpu_pool(1), cpu_pool(2, Scheduler::g_edf, "two")},
                            {Dag("a", 10_ms, std::nullopt, {cpu_node("x", 1_ms)}, {}, {.priority = 4}),
                             Dag("b", 10_ms, std::nullopt, {cpu_node("y", 1_ms, 1)}, {})});
  analysis::Options options;
  options.scheduler = Scheduler::fp;
  const auto proof = analyze(set, options).proof;
  CHECK(std::get<CpuPool>(proof.task_set->pools()[0].resource) == CpuPool{1, Scheduler::fp, true, Equals::fifo});
  CHECK(std::get<CpuPool>(proof.task_set->pools()[1].resource) == CpuPool{2, Scheduler::fp, true, Equals::any});
  CHECK(proof.dags[0].nodes[0].priority == FixedPriority{4});
  CHECK_FALSE(proof.pools[0].deadline_monotonic);
  CHECK(proof.pools[1].deadline_monotonic);
}

TEST_CASE("One coarse-grained task has one priority") {
  Node a = cpu_node("a", 1_ms);
  Node b = cpu_node("b", 1_ms);
  a.group = b.group = "g";
  std::get<CpuDemand>(a.demand).priority = 1;
  std::get<CpuDemand>(b.demand).priority = 2;
  analysis::Options options;
  options.granularity = analysis::Granularity::coarse;
  options.scheduler = Scheduler::fp;
  const auto set = task_set({cpu_pool(1)}, {Dag("d", 10_ms, std::nullopt, {a, b}, {})});
  CHECK_THROWS_WITH_AS((void)analyze(set, options), "DAG 'd': group 'g' has nodes of different priorities; one coarse-grained task has one",
                       UserError);
  options.scheduler = Scheduler::g_edf;
  CHECK(analyze(set, options).proof.dags[0].bound);
}

TEST_CASE("T11j takes the bound to the textbook's, with its busy interval explained") {
  // (3, 8) above (4, 20): 4 + 3 = 7, where T11 counts two jobs: 10.
  const auto set =
      task_set({Pool{"cpu", CpuPool{1, Scheduler::fp, true, Equals::fifo}}},
               {Dag("high", 8_ms, std::nullopt, {cpu_node("a", 3_ms)}, {}), Dag("low", 20_ms, std::nullopt, {cpu_node("b", 4_ms)}, {})});
  analysis::Options options;
  options.release = Release::completion;
  const auto proof = analyze(set, options).proof;
  REQUIRE(proof.dags[1].bound);
  CHECK(proof.dags[1].bound->R == 7_ms);
  CHECK(proof.dags[1].bound->basis.theorem == Theorem::T11j);
  CHECK(proof.pools[0].theorems == std::vector{Theorem::T11, Theorem::T11j});
  CHECK(explain(proof, "low/b").lines ==
        std::vector<std::string>{
            "T11j: F = A + y, y the least with x + y >= the work that is ready within x + y and goes before it, and its own",
            "A = 0 ns: its predecessors end by then",
            "pool cpu (fixed priorities, equals by ready time) is busy from x = 0 ns before it is ready, at the worst:",
            "  high: 1 job, work 3000000", "  low: 1 job, work 4000000", "F = 0 + 7000000 = 7000000 ns"});
}

TEST_CASE("T11j bounds a pool at full load, several processors by its linear form") {
  // Twice (2, 4) above twice (4, 8) on two processors: 3 and (4 + 12 + 4)/(2 - 1) = 20, see tests/analysis/path_urgent_test.cpp.
  const auto dag = [](const char* name, Time C, Time T) {
    return Dag(name, T, std::nullopt, {cpu_node("v", C)}, {}, {.priority = T == 4_ms ? 2U : 1U});
  };
  const auto set = task_set({Pool{"cpu", CpuPool{2, Scheduler::fp, true, Equals::fifo}}},
                            {dag("a", 2_ms, 4_ms), dag("b", 2_ms, 4_ms), dag("c", 4_ms, 8_ms), dag("d", 4_ms, 8_ms)});
  analysis::Options options;
  options.release = Release::completion;
  const auto proof = analyze(set, options).proof;
  REQUIRE(proof.dags[2].bound);
  CHECK(proof.dags[0].bound->R == 3_ms);
  CHECK(proof.dags[2].bound->R == 20_ms);
  CHECK(explain(proof, "c/v").lines ==
        std::vector<std::string>{
            "T11j: F = A + (carry + work + (m-1) C)/rest, rest: the capacity less the utilization of what is more urgent",
            "A = 0 ns: its predecessors end by then",
            "carry/rest = 4000000 ns: left of jobs from before pool cpu (fixed priorities, equals by ready time) was busy",
            "work/rest = 12000000 ns: of all jobs on it as urgent since then",
            "F = 0 + 4000000 + 12000000 + 4000000 = 20000000 = 20000000 ns, rounded up"});
}

TEST_CASE("T10d's bounds are taken where they meet a node's own deadline, though no DAG ends sooner") {
  // theory/path.md, T10d: two nodes of 4 above 5 on two processors, T = 12: T11 has 13 for the 5, T10d 9. k's other node ends at 50.
  Node x = cpu_node("x", 5_ms);
  x.deadline = 10_ms;
  const auto set = task_set({cpu_pool(2, Scheduler::fp, "cpu"), cpu_pool(1, Scheduler::fp, "other")},
                            {Dag("d", 12_ms, 12_ms, {cpu_node("a", 4_ms), cpu_node("b", 4_ms)}, {}, {.priority = 2U}),
                             Dag("k", 100_ms, 100_ms, {x, cpu_node("y", 50_ms, 1)}, {}, {.priority = 1U})});
  analysis::Options options;
  options.release = Release::completion;
  has_bounds(analyze(set, options).proof, {{6_ms, 6_ms}, {9_ms, 50_ms}});
  x.deadline = 13_ms;  // met by T11
  const auto met = task_set({cpu_pool(2, Scheduler::fp, "cpu"), cpu_pool(1, Scheduler::fp, "other")},
                            {set->dags()[0], Dag("k", 100_ms, 100_ms, {x, cpu_node("y", 50_ms, 1)}, {}, {.priority = 1U})});
  has_bounds(analyze(met, options).proof, {{6_ms, 6_ms}, {13_ms, 50_ms}});
}
