// Task sets with pools under FP: what has no theorem has a reason, and what does not touch it keeps its bounds.
#include <doctest/doctest.h>

#include "rta/analysis/analyze.hpp"
#include "rta/analysis/schedule_of.hpp"
#include "rta/model/error.hpp"
#include "support/build.hpp"

using namespace rta;
using namespace rta::test;
using analysis::analyze;

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

}  // namespace

TEST_CASE("No DAG that a pool under FP can touch has a bound, under any release; the others keep theirs") {
  for (const std::optional<Release> release : {std::optional<Release>(), std::optional(Release::offsets), std::optional(Release::early),
                                               std::optional(Release::completion), std::optional(Release::segments)}) {
    analysis::Options options;
    options.release = release;
    const auto proof = analyze(three_dags(), options).proof;
    CHECK_FALSE(proof.dags[0].bound);
    CHECK_FALSE(proof.dags[1].bound);
    for (const DagId d : {0, 1}) {
      for (const auto& node : proof.dags[d].nodes) CHECK_FALSE(node.bound);
      const analysis::NoBound* why = why_unbounded(proof, d);
      REQUIRE(why != nullptr);
      CHECK(in_words(proof, *why) == "no theorem bounds fixed priorities yet (pool 'fp')");
    }
    REQUIRE(proof.dags[2].bound);
    CHECK(proof.dags[2].bound->R == 2_ms);
  }
}

TEST_CASE("Without bounds such a set is played on completion, by the priorities of the proof") {
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
