// Release on segments, and task sets as systems for the path bounds.
#include "rta/analysis/path/segments.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/policies/kernel_weights.hpp"
#include "analysis/search/segment_search.hpp"
#include "analysis/search/stage_search.hpp"
#include "analysis/search/take_first.hpp"
#include "rta/analysis/analyze.hpp"
#include "rta/model/error.hpp"
#include "support/build.hpp"
#include "support/hog_like.hpp"

namespace {

using namespace rta;
using namespace rta::analysis;
using namespace rta::test;

// Two DAGs a -> (b, k) -> c on 2 processors (b, c: 2 ms, a: 1 ms) and 2 SMs of 4 G-threads (k: B = 4, H = 2, L = 6 ms).
std::shared_ptr<const TaskSet> two_diamonds(const std::vector<Edge>& edges = {{0, 1}, {0, 2}, {1, 3}, {2, 3}},
                                            Scheduler scheduler = Scheduler::g_edf) {
  const std::vector<Node> nodes{cpu_node("a", 1_ms), cpu_node("b", 2_ms), gpu_node("k", 4, 2, 6_ms), cpu_node("c", 2_ms)};
  return task_set({cpu_pool(2, scheduler), gpu_pool(2, 4)}, {Dag("one", 100_ms, {}, nodes, edges), Dag("two", 100_ms, {}, nodes, edges)});
}

Result<SegmentBounds> bounds_of(const TaskSet& set, const Segmentation& segments, path::Refinement refinement = path::Refinement::T10n) {
  return segment_bounds(set, segments, kernel_weights(set)->front(), dag_priority_points(set), refinement);
}

// The HOG-like set with its CPU nodes longer by `percent` / 100.
TaskSet loaded_hog(std::int64_t percent) {
  const TaskSet base = test::hog_like();
  std::vector<Dag> dags;
  for (const Dag& dag : base.dags()) {
    std::vector<Node> nodes(dag.nodes().begin(), dag.nodes().end());
    for (Node& node : nodes) {
      if (auto* cpu = std::get_if<CpuDemand>(&node.demand)) cpu->C = Time(cpu->C.count() * percent / 100);
    }
    dags.emplace_back(dag.name(), dag.period(), dag.deadline(), std::move(nodes),
                      std::vector<Edge>(dag.edges().begin(), dag.edges().end()));
  }
  return {"loaded", std::vector<Pool>(base.pools().begin(), base.pools().end()), std::move(dags)};
}

}  // namespace

TEST_CASE("Path system: kernels weigh n = H density against what a blocked SM guarantees") {
  // H = 2 alone on 4 G-threads: a blocking configuration fills the SM, w = 2/4. s = C = 12 ms x G-threads, vol = 4 blocks.
  const auto set = two_diamonds();
  const auto weights = kernel_weights(*set);
  REQUIRE(weights);
  const auto system = path_system(*set, whole_dags(*set), weights->front(), dag_priority_points(*set)).system;
  CHECK(system.pools[1].unit == 4);
  CHECK(system.pools[1].capacity == 2);
  CHECK(system.dags[0].nodes[2].e == 6_ms);
  CHECK(system.dags[0].nodes[2].s == 12'000'000);
  CHECK(system.dags[0].nodes[2].vol == 48'000'000);
  CHECK(system.dags[0].Y == 100_ms);
}

TEST_CASE("Path system: engines of two directions are two pools, workers pay the dispatch overhead") {
  Node up, down, work;
  up.name = "up";
  up.demand = CopyDemand{3_ms, Direction::h2d};
  down.name = "down";
  down.demand = CopyDemand{4_ms, Direction::d2h};
  work.name = "work";
  work.pool = 1;
  work.demand = WorkerDemand{5, 2_ms};
  const auto set =
      task_set({{"copy", EnginePool{2}}, {"worker", WorkerPool{3, 10_us}}}, {Dag("d", 50_ms, {}, {up, work, down}, {{0, 1}, {1, 2}})});
  const auto system = path_system(*set, whole_dags(*set), PlatformWeights(2), dag_priority_points(*set)).system;
  REQUIRE(system.pools.size() == 3);
  CHECK(system.pools[2].name == "copy (d2h)");
  CHECK(system.dags[0].nodes[0].pool == 0);
  CHECK(system.dags[0].nodes[2].pool == 2);
  CHECK(system.dags[0].nodes[1].e == 2'010_us);
  CHECK(system.dags[0].nodes[1].vol == 10'050'000);
  // Alone: 3 + (2.01 - 0.67 + 10.05/3) + 4 ms.
  CHECK(path::bounds(system)->R[0] == 3_ms + 2'010_us + 2'680_us + 4_ms);
}

TEST_CASE("Priority points by DAG: G-EDF takes D, G-FL less (m-1)/m of the longest path on the pool") {
  // a, b, c: 5 ms in a row on 2 processors: 100 - 2.5.
  CHECK(dag_priority_points(*two_diamonds()) == std::vector{100_ms, 100_ms});
  CHECK(dag_priority_points(*two_diamonds({{0, 1}, {0, 2}, {1, 3}, {2, 3}}, Scheduler::g_fl)) == std::vector{97'500_us, 97'500_us});
}

TEST_CASE("Segments: one per DAG is T10n") {
  const auto set = two_diamonds();
  const auto system = path_system(*set, whole_dags(*set), kernel_weights(*set)->front(), dag_priority_points(*set)).system;
  const auto whole = path::node_bounds(system, path::Refinement::T10n);
  const auto one = bounds_of(*set, whole_dags(*set));
  REQUIRE(one);
  CHECK(one->R == whole->R);
  CHECK(one->F == whole->F);
  CHECK(one->offset == std::vector<std::vector<Time>>{{0_ns}, {0_ns}});
}

TEST_CASE("Segments: a segment per node is release at offsets with T1n and T6n") {
  const auto set = two_diamonds();
  const auto each = bounds_of(*set, segment_per_node(*set));
  REQUIRE(each);
  // CPU, equal Y: R = C + (2 (1 + 2 + 2) - C)/2 = 5 + C/2. GPU: 6 - 3/2 + 2 x 12/2 = 16.5 ms.
  CHECK(each->offset[0] == std::vector<Time>{0_ns, 5'500_us, 5'500_us, 22_ms});
  CHECK(each->R[0] == 28_ms);
  Options options;
  options.release = Release::offsets;
  options.scheduler = Scheduler::g_edf;
  const auto at_offsets = analyze(set, options);
  CHECK(at_offsets.proof.dags[0].bound->R <= 28_ms);  // T6c may prove less for kernels
  CHECK(at_offsets.proof.dags[0].nodes[0].bound->R == 5'500_us);
}

TEST_CASE("Segments: cuts of the file, joined where segments would wait for each other") {
  CHECK_FALSE(segments_of_cuts(*two_diamonds()));
  // Cut around k only: a, b, c hang together, k waits for them and they for k: one segment.
  CHECK(*segments_of_cuts(*two_diamonds({{0, 1}, {0, 2, true}, {1, 3}, {2, 3, true}})) == Segmentation{{0, 0, 0, 0}, {0, 0, 0, 0}});
  // Cut before c as well: c is on its own.
  CHECK(*segments_of_cuts(*two_diamonds({{0, 1}, {0, 2, true}, {1, 3, true}, {2, 3, true}})) == Segmentation{{0, 0, 1, 2}, {0, 0, 1, 2}});
  CHECK(segments_by_pool(*two_diamonds()) == Segmentation{{0, 0, 0, 0}, {0, 0, 0, 0}});
}

TEST_CASE("Segments: offsets follow the last predecessor outside, and inside nodes follow on completion") {
  const auto set = two_diamonds({{0, 1}, {0, 2, true}, {1, 3, true}, {2, 3, true}});
  const auto cut = bounds_of(*set, *segments_of_cuts(*set));
  REQUIRE(cut);
  for (DagId d = 0; d < 2; ++d) {
    CHECK(cut->offset[d][0] == 0_ns);
    CHECK(cut->offset[d][1] == cut->F[d][0]);
    CHECK(cut->offset[d][2] == std::max(cut->F[d][1], cut->F[d][2]));
    CHECK(cut->R[d] == cut->F[d][3]);
  }
  CHECK_THROWS_AS((void)bounds_of(*set, {{0, 0, 1, 0}, {0, 0, 0, 0}}), Defect);
}

TEST_CASE("Segments: the search never ends above its starts, whatever it may spend") {
  for (const std::size_t evaluations : {3u, 10u, 100u}) {
    const auto set = two_diamonds();
    SegmentSearch search;
    search.evaluations = evaluations;
    const auto weights = kernel_weights(*set)->front();
    const auto chosen = choose_segments(*set, weights, dag_priority_points(*set), search);
    REQUIRE(chosen);
    CHECK(chosen->R[0] <= bounds_of(*set, whole_dags(*set))->R[0]);
    CHECK(chosen->R[0] <= bounds_of(*set, segment_per_node(*set))->R[0]);
    CHECK(choose_segments(*set, weights, dag_priority_points(*set), search)->segments == chosen->segments);
  }
}

TEST_CASE("A search for bounds ends where those so far are more than is wanted, and else changes nothing") {
  const auto set = two_diamonds();
  const auto weights = kernel_weights(*set)->front();
  const auto Y = dag_priority_points(*set);
  for (const Segmentation& segments : {whole_dags(*set), segments_by_pool(*set), segment_per_node(*set)}) {
    const auto all = segment_bounds(*set, segments, weights, Y, path::Refinement::T10g);
    REQUIRE(all);
    std::vector<std::vector<Time>> asked;
    const auto bounds = [&](Time most) {
      return segment_bounds(*set, segments, path_system(*set, segments, weights, Y), path::Refinement::T10g, {},
                            [&asked, most](std::span<const Time> R) {
                              asked.emplace_back(R.begin(), R.end());
                              return R[0] > most;
                            });
    };
    const auto within = bounds(all->R[0] + 1_ms);
    REQUIRE(within);
    CHECK(within->R == all->R);
    CHECK(within->F == all->F);
    REQUIRE_FALSE(asked.empty());
    // Nothing is less than the longest path, and all rise.
    CHECK(asked.front()[0] >= 8_ms);
    for (std::size_t i = 1; i < asked.size(); ++i) CHECK(asked[i][0] >= asked[i - 1][0]);
    CHECK_FALSE(bounds(all->R[0] - 1_ms));
    CHECK(asked.back()[0] > all->R[0] - 1_ms);
    // Ends whose sum is out of range are more than any.
    const auto overflows = [](std::span<const Time>) -> bool { throw Overflow("a sum of ends"); };
    CHECK_FALSE(segment_bounds(*set, segments, path_system(*set, segments, weights, Y), path::Refinement::T10g, {}, overflows));
  }
}

TEST_CASE("Cuts and points of segments are the same however many are tried at once") {
  for (const std::int64_t percent : {150, 250}) {
    const TaskSet set = loaded_hog(percent);
    const auto weights = kernel_weights(set)->front();
    const auto Y = dag_priority_points(set);
    SegmentSearch search;
    search.evaluations = 60;
    const auto cuts = choose_segments(set, weights, Y, search);
    REQUIRE(cuts);
    const SegmentBounds stages = choose_stages(set, weights, Y, search, *cuts);
    const SegmentBounds points = choose_segment_points(set, weights, Y, search, *cuts);
    search.threads = 4;
    const auto at_once = choose_segments(set, weights, Y, search);
    REQUIRE(at_once);
    CHECK(at_once->segments == cuts->segments);
    CHECK(at_once->R == cuts->R);
    CHECK(choose_stages(set, weights, Y, search, *cuts).F == stages.F);
    CHECK(choose_segment_points(set, weights, Y, search, *cuts).F == points.F);
  }
}

TEST_CASE("The first change for the better is taken, and its turn is that of its exception") {
  for (const std::size_t threads : {1U, 3U, 16U}) {
    std::vector<std::size_t> turns;
    std::size_t left = 100;
    std::atomic<std::size_t> solved_in_all = 0;
    const auto room = [&] { return std::min(threads, left); };
    const auto even = [](std::size_t i) { return i % 2 == 0 ? std::optional(i) : std::nullopt; };
    const auto solve = [&](std::size_t i) {
      ++solved_in_all;
      return i == 12 ? throw UserError("twelve") : i;
    };
    const auto take_from = [&](std::size_t least) {
      return [&turns, &left, least](std::size_t i, std::size_t solved) {
        turns.push_back(i);
        --left;
        return solved >= least;
      };
    };
    CHECK(take_first(1, 20, room, even, solve, take_from(7)) == 8);
    CHECK(turns == std::vector<std::size_t>{2, 4, 6, 8});
    CHECK(solved_in_all == (threads == 1 ? 4 : threads == 3 ? 6 : 9));  // of 2, 4 ... 18 in threes, or all
    CHECK_THROWS_WITH_AS(static_cast<void>(take_first(0, 20, room, even, solve, take_from(20))), "twelve", UserError);
    CHECK(turns.size() == 4 + 6);
    CHECK(take_first(13, 20, room, even, solve, take_from(20)) == 20);
    left = 2;
    turns.clear();
    CHECK(take_first(0, 10, room, even, solve, take_from(8)) == 10);
    CHECK(turns == std::vector<std::size_t>{0, 2});
  }
}

TEST_CASE("HOG-like set: T10n 27 ms; with 2.5 times the CPU work none, but 210 ms by segments") {
  const TaskSet light = loaded_hog(100);
  CHECK(bounds_of(light, whole_dags(light))->R[0] == Time(26'753'801));
  const TaskSet heavy = loaded_hog(250);
  CHECK_FALSE(bounds_of(heavy, whole_dags(heavy)));
  const auto chosen = choose_segments(heavy, kernel_weights(heavy)->front(), dag_priority_points(heavy));
  REQUIRE(chosen);
  CHECK(chosen->R[0] <= 211_ms);
  CHECK(chosen->R[0] >= 200_ms);
}

TEST_CASE("Release policies: the best one meets the deadlines; sequential nodes need T3s") {
  const auto set = two_diamonds();
  Options options;
  options.release = std::nullopt;
  const auto best = analyze(set, options);
  CHECK(best.proof.release == Release::completion);
  CHECK(best.policies.size() == 3);
  CHECK(needs_in_words(best.proof) == "release on completion, G-EDF by DAG");
  options.release = Release::offsets;
  CHECK(best.proof.dags[0].bound->R < analyze(set, options).proof.dags[0].bound->R);

  // Two chains of 4 + 4 ms every 7 ms on three processors under FIFO by ready time: the second node may end more than 7 ms after its DAG.
  std::vector<Node> nodes{cpu_node("x", 4_ms), cpu_node("y", 4_ms)};
  nodes[1].sequential = true;
  const auto chains = task_set({cpu_pool(3, Scheduler::fifo)}, {Dag("p", 7_ms, {}, nodes, {{0, 1}}), Dag("q", 7_ms, {}, nodes, {{0, 1}})});
  options.release = Release::completion;
  const auto waits = analyze(chains, options);
  CHECK(waits.verdict == Verdict::unbounded);
  CHECK(pool_in_words(waits.proof, 0).starts_with("node 'y' is sequential"));
}

TEST_CASE("Priorities by DAG: the search finds that the urgent DAG goes first") {
  // One processor. By D a job of the middle DAG goes first if it was released 1 ms before, which has been worked off then (T10c): 3 + 3
  // - 1. With earlier points for the urgent one it never does: 3.
  const auto set = task_set({cpu_pool(1)}, {Dag("long", 100_ms, 100_ms, {cpu_node("l", 10_ms), cpu_node("m", 1_ms)}, {{0, 1}}),
                                            Dag("urgent", 100_ms, 5_ms, {cpu_node("u", 2_ms), cpu_node("w", 1_ms)}, {{0, 1}}),
                                            Dag("middle", 100_ms, 6_ms, {cpu_node("n", 2_ms), cpu_node("o", 1_ms)}, {{0, 1}})});
  Options options;
  options.release = Release::completion;
  const auto bounds = [&](const Analysis& analysis) {
    std::vector<Time> R;
    for (const auto& dag : analysis.proof.dags) R.push_back(dag.bound->R);
    return R;
  };
  CHECK(bounds(analyze(set, options)) == std::vector{17_ms, 5_ms, 6_ms});
  options.optimize_priorities = true;
  CHECK(bounds(analyze(set, options)) == std::vector{17_ms, 3_ms, 6_ms});
}

TEST_CASE("Stages with points of their own: light ones go first, and a loaded pool has smaller bounds") {
  // Six equal chains of a light, a heavy, a light and a heavy node: 6 x 12.4 ms in 20 ms load 4 processors to 93 %.
  std::vector<Dag> dags;
  dags.reserve(6);
  for (int d = 0; d < 6; ++d) {
    dags.emplace_back(
        "d" + std::to_string(d), 20_ms, std::nullopt,
        std::vector{cpu_node("light", 200_us), cpu_node("heavy", 6_ms), cpu_node("light again", 200_us), cpu_node("end", 6_ms)},
        std::vector<Edge>{{0, 1}, {1, 2}, {2, 3}});
  }
  const auto set = task_set({cpu_pool(4)}, std::move(dags));
  const auto Y = dag_priority_points(*set);
  const PlatformWeights weights(1);
  SegmentSearch search;
  search.evaluations = 60;
  const auto start = choose_segments(*set, weights, Y, search);
  REQUIRE(start);
  const auto stages = choose_stages(*set, weights, Y, search, *start);
  CHECK(stages.R[0] <= start->R[0]);
  const auto again = choose_stages(*set, weights, Y, search, *start);
  CHECK(again.R == stages.R);
  CHECK(again.segments == stages.segments);
  // What is found holds without the search: the same segments and points have the same bounds.
  const auto alone = segment_bounds(*set, stages.segments, stages.system, path::Refinement::T10g);
  REQUIRE(alone);
  CHECK(alone->R == stages.R);
  // Points alone, where cuts are given.
  const auto cut = segment_bounds(*set, segment_per_node(*set), weights, Y, path::Refinement::T10g);
  REQUIRE(cut);
  const auto moved = choose_segment_points(*set, weights, Y, search, *cut);
  CHECK(moved.R[0] <= cut->R[0]);
  CHECK(moved.segments == cut->segments);
}

TEST_CASE("The HOG-like set with 2.5 times its CPU work: at most 139 ms on segments, where one point for all leaves 210 ms") {
  const TaskSet set = loaded_hog(250);
  const auto weights = kernel_weights(set)->front();
  const auto Y = dag_priority_points(set);
  const auto start = segment_bounds(set, segment_per_node(set), weights, Y, path::Refinement::T10g);
  REQUIRE(start);
  SegmentSearch search;
  search.evaluations = 150;
  const auto stages = choose_stages(set, weights, Y, search, *start);
  CHECK(*std::ranges::max_element(stages.R) <= 139_ms);
}

TEST_CASE("Stages are no worse than whole DAGs that are cut once, however few changes may be tried") {
  const TaskSet set = loaded_hog(176);
  const auto weights = kernel_weights(set)->front();
  const auto Y = dag_priority_points(set);
  SegmentSearch search;
  search.evaluations = 60;
  const auto start = segment_bounds(set, segment_per_node(set), weights, Y, path::Refinement::T10g);
  REQUIRE(start);
  const SegmentBounds found = choose_stages(set, weights, Y, search, *start);
  std::vector<std::size_t> depth(set.dags()[0].nodes().size(), 0);
  for (const NodeId v : set.dags()[0].topological_order()) {
    for (const NodeId w : set.dags()[0].predecessors(v)) depth[v] = std::max(depth[v], depth[w] + 1);
  }
  Time least = *std::ranges::max_element(start->R);
  for (std::size_t cut = 1; cut <= *std::ranges::max_element(depth); ++cut) {
    std::vector<std::size_t> of(depth.size());
    std::ranges::transform(depth, of.begin(), [&](std::size_t d) { return d < cut ? std::size_t{0} : std::size_t{1}; });
    const auto once = segment_bounds(set, Segmentation(6, of), weights, Y, path::Refinement::T10g);
    if (once) least = std::min(least, *std::ranges::max_element(once->R));
  }
  CHECK(*std::ranges::max_element(found.R) <= least);
}

TEST_CASE("With optimized priorities the policy with the smallest maximum lateness is taken") {
  const auto set =
      task_set({cpu_pool(1)}, {Dag("a", 20_ms, 40_ms, {cpu_node("n", 4_ms), cpu_node("o", 2_ms)}, {{0, 1}}),
                               Dag("b", 10_ms, 20_ms, {cpu_node("n", 1_ms), cpu_node("o", 2_ms)}, {{0, 1}}),
                               Dag("c", 10_ms, 5_ms, {cpu_node("n", 1_ms), cpu_node("o", 2_ms), cpu_node("p", 1_ms)}, {{0, 1}, {1, 2}})});
  const auto lateness = [&](std::optional<Release> policy) {
    Options options;
    options.optimize_priorities = true;
    options.release = policy;
    const Analysis analysis = analyze(set, options);
    Time late = analysis.proof.dags[0].bound->R - 40_ms;
    for (DagId d = 1; d < 3; ++d) late = std::max(late, analysis.proof.dags[d].bound->R - *set->dags()[d].deadline());
    return late;
  };
  const Time offsets = lateness(Release::offsets);
  const Time least = std::min(lateness(Release::segments), lateness(Release::completion));
  CHECK(least < offsets);
  CHECK(lateness(std::nullopt) == least);
}

TEST_CASE("T12 is asked where releases are late and no GPU has slices") {
  const auto with_jitter = [](Time J, bool slices) {
    std::vector<Pool> pools{cpu_pool(1), gpu_pool(1, 4, "gpu/a"), gpu_pool(1, 4, "gpu/b")};
    if (slices) std::get<GpuPool>(pools[1].resource).sharing = Sharing{"gpu", "a", 1_ms, 10_us, 2};
    if (slices) std::get<GpuPool>(pools[2].resource).sharing = Sharing{"gpu", "b", 1_ms, 10_us, 2};
    DagAttributes late;
    late.jitter = J;
    const auto set = task_set(std::move(pools), {Dag("d", 10_ms, std::nullopt, {cpu_node("a", 1_us)}, {}, late)});
    const PathSystem system = path_system(*set, segment_per_node(*set), kernel_weights(*set)->front(), dag_priority_points(*set));
    return with_release_jitter(system, *set).has_value();
  };
  CHECK(with_jitter(1_ms, false));
  CHECK_FALSE(with_jitter(0_ms, false));
  CHECK_FALSE(with_jitter(1_ms, true));
}
