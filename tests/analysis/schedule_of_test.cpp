// How a proof is played.
#include "rta/analysis/schedule_of.hpp"

#include <doctest/doctest.h>

#include "rta/analysis/analyze.hpp"
#include "rta/model/error.hpp"
#include "support/build.hpp"

using namespace rta;
using namespace rta::test;
using analysis::schedule_of;

namespace {

analysis::Proof proven(std::shared_ptr<const TaskSet> set, Release release) {
  analysis::Options options;
  options.release = release;
  return analysis::analyze(std::move(set), options).proof;
}

// One processor, one DAG: a (1 ms) -> b (2 ms), T = 10 ms, G-EDF.
analysis::Proof chain(Release release) {
  return proven(task_set({cpu_pool(1)}, {Dag("chain", 10_ms, std::nullopt, {cpu_node("a", 1_ms), cpu_node("b", 2_ms)}, {{0, 1}})}),
                release);
}

// a -> b on an overloaded processor.
std::shared_ptr<const TaskSet> overloaded_chain() {
  return task_set({cpu_pool(1)}, {Dag("d", 10_ms, std::nullopt, {cpu_node("a", 8_ms), cpu_node("b", 8_ms)}, {{0, 1}})});
}

}  // namespace

TEST_CASE("offsets: sources at the DAG's release, successors at their offset, priority points after the DAG's release") {
  const auto proof = chain(Release::offsets);
  const Time Phi = proof.dags[0].nodes[0].bound->R;
  const auto schedule = schedule_of(proof);
  const auto& nodes = schedule.nodes[0];
  CHECK(nodes[0].offset == 0_ms);
  CHECK(nodes[1].offset == Phi);
  CHECK(nodes[1].reference == Phi);
  CHECK(nodes[1].priority_point == Phi + 10_ms);  // G-EDF: Y = D = T
}

TEST_CASE("early: only sources wait for the clock; kernels are guarded, CPU nodes are not; responses count from the offsets") {
  const auto set = task_set({cpu_pool(1), gpu_pool(1, 64)},
                            {Dag("d", 10_ms, std::nullopt, {cpu_node("a", 1_ms), gpu_node("k", 1, 32, 1_ms)}, {{0, 1}})});
  const auto proof = proven(set, Release::early);
  CHECK(proof.release == Release::early);
  const auto schedule = schedule_of(proof);
  const auto& nodes = schedule.nodes[0];
  CHECK(nodes[0].offset == 0_ms);
  CHECK_FALSE(nodes[1].offset);
  CHECK(nodes[1].reference == proof.dags[0].nodes[0].bound->R);
  CHECK(nodes[1].guarded);
  CHECK_FALSE(nodes[0].guarded);
}

TEST_CASE("completion: one priority point per DAG; nodes count from the DAG's release") {
  const auto proof = chain(Release::completion);
  const auto schedule = schedule_of(proof);
  const auto& nodes = schedule.nodes[0];
  CHECK(nodes[0].offset == 0_ms);
  CHECK_FALSE(nodes[1].offset);
  CHECK(nodes[1].reference == 0_ms);
  CHECK(nodes[0].priority_point == 10_ms);
  CHECK(nodes[1].priority_point == 10_ms);
  // Alone on its processor, one job at a time: 1 ms + 2 ms.
  CHECK(proof.dags[0].bound->R == 3_ms);
  CHECK(proof.dags[0].nodes[1].bound->R == 3_ms);
}

TEST_CASE("segments: the first nodes of a segment wait for its offset, the others for their predecessors; points count from the offset") {
  const Dag dag("d", 10_ms, std::nullopt, {cpu_node("a", 1_ms), cpu_node("b", 1_ms), cpu_node("c", 1_ms)}, {{0, 1, false}, {1, 2, true}});
  const auto proof = proven(task_set({cpu_pool(1)}, {dag}), Release::segments);
  REQUIRE(proof.dags[0].nodes[2].reference);
  const Time Phi = *proof.dags[0].nodes[2].reference;
  const auto schedule = schedule_of(proof);
  const auto& nodes = schedule.nodes[0];
  CHECK(Phi > 0_ms);
  CHECK(nodes[0].offset == 0_ms);
  CHECK_FALSE(nodes[1].offset);  // same segment as a
  CHECK(nodes[2].offset == Phi);
  CHECK(nodes[2].reference == Phi);
  CHECK(nodes[1].priority_point == 10_ms);
  CHECK(nodes[2].priority_point == Phi + 10_ms);
}

TEST_CASE("kernels and thread pools under FIFO have no priority point") {
  const auto set = task_set({cpu_pool(1, Scheduler::fifo), gpu_pool(1, 64)},
                            {Dag("d", 10_ms, std::nullopt, {cpu_node("a", 1_ms), gpu_node("k", 1, 32, 1_ms)}, {{0, 1}})});
  const auto completion = schedule_of(proven(set, Release::completion));
  CHECK_FALSE(completion.nodes[0][0].priority_point);
  CHECK_FALSE(completion.nodes[0][1].priority_point);
  const auto offsets = schedule_of(proven(set, Release::offsets));
  CHECK_FALSE(offsets.nodes[0][0].priority_point);
  CHECK_FALSE(offsets.nodes[0][1].priority_point);
}

TEST_CASE("a task set without bound is played on completion, and at offsets only as far as every node's offset is known") {
  const auto completion = schedule_of(proven(overloaded_chain(), Release::completion));
  CHECK(completion.nodes[0][0].offset == 0_ms);
  CHECK_FALSE(completion.nodes[0][1].offset);
  CHECK(completion.nodes[0][1].priority_point == 10_ms);

  for (const Release release : {Release::offsets, Release::early}) {
    const auto proof = proven(overloaded_chain(), release);
    CHECK_FALSE(is_playable(proof));
    CHECK_THROWS_WITH_AS(
        (void)schedule_of(proof),
        "node 'd/b' has no offset, because a predecessor has no bound: U = 1.6 > 1 processor (exceeded by 0.6); release it "
        "with --release completion",
        UserError);
  }

  const auto alone =
      proven(task_set({cpu_pool(1)}, {Dag("d", 10_ms, std::nullopt, {cpu_node("a", 6_ms), cpu_node("b", 6_ms)}, {})}), Release::offsets);
  CHECK_FALSE(alone.dags[0].bound);
  CHECK(is_playable(alone));
  const auto schedule = schedule_of(alone);
  CHECK(schedule.nodes[0][1].offset == 0_ms);
}

TEST_CASE("groups of nodes are bodies, released at offsets if all have bounds, else when those before them have ended") {
  analysis::Options options;
  options.granularity = analysis::Granularity::monolithic;
  const auto proof = analysis::analyze(chain(Release::offsets).task_set, options).proof;
  CHECK(proof.release == Release::grouped);
  CHECK(is_playable(proof));
  CHECK(groups_have_offsets(proof));
  const std::size_t count = proof.ungrouped->dags()[0].nodes().size();
  const Schedule whole = schedule_of(proof);
  REQUIRE(whole.nodes[0].size() == count);
  CHECK(whole.nodes[0][0].offset == 0_ms);
  for (NodeId v = 0; v < count; ++v) {
    if (v > 0) CHECK_FALSE(whole.nodes[0][v].offset);
    CHECK(whole.nodes[0][v].reference == 0_ms);
    CHECK(whole.nodes[0][v].priority_point == proof.dags[0].nodes[0].priority_point);
  }
  CHECK(&nodes_played(proof) == proof.ungrouped.get());
  CHECK(bodies_of_groups(proof).at(0).at(0).nodes == nodes_of_tasks(proof).at(0).at(0));
  CHECK(nodes_of_tasks(proof)[0][0].size() == count);
  // Behind a group without a bound nobody knows when the next one begins.
  Node a = cpu_node("a", 8_ms), b = cpu_node("b", 8_ms);
  a.group = "first";
  b.group = "second";
  options.granularity = analysis::Granularity::coarse;
  const auto set = task_set({cpu_pool(1)}, {Dag("d", 10_ms, std::nullopt, {a, b}, {{0, 1}})});
  const auto unbounded = analysis::analyze(set, options).proof;
  CHECK_FALSE(groups_have_offsets(unbounded));
  const Schedule one_after_another = schedule_of(unbounded);
  CHECK(one_after_another.nodes[0][0].offset == 0_ms);
  CHECK_FALSE(one_after_another.nodes[0][1].offset);
  CHECK(one_after_another.nodes[0][1].reference == 0_ms);
  CHECK(bodies_of_groups(unbounded)[0] == std::vector<Body>{{{0}, std::nullopt}, {{1}, std::nullopt}});
}
