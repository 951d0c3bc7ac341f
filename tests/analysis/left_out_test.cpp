// What a limit on the effort leaves out is told, and no load is other than that of releases every T.
#include "rta/analysis/left_out.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "analysis/explain/reason_words.hpp"
#include "analysis/path/left_out_at.hpp"
#include "analysis/policies/kernel_weights.hpp"
#include "analysis/search/lp_points.hpp"
#include "rta/analysis/analyze.hpp"
#include "rta/analysis/cpu/gel.hpp"
#include "rta/analysis/cpu/gel_sequential.hpp"
#include "rta/analysis/hard/hard.hpp"
#include "rta/analysis/path/segments.hpp"
#include "rta/io/task_set_file.hpp"
#include "support/build.hpp"

namespace {

using namespace rta;
using namespace rta::analysis;
using namespace rta::test;

using Limit = LeftOut::Limit;

/// Single nodes that all take C every 10 ms on one processor under G-EDF, released up to J late.
std::shared_ptr<const TaskSet> late_nodes(std::size_t count, Time C, Time J, bool preemptive) {
  CpuPool pool{.processors = 1, .scheduler = Scheduler::g_edf};
  pool.preemptive = preemptive;
  DagAttributes late;
  late.jitter = J;
  std::vector<Dag> dags;
  dags.reserve(count);
  for (std::size_t d = 0; d < count; ++d) {
    dags.emplace_back("d" + std::to_string(d), 10_ms - J, std::nullopt, std::vector{cpu_node("a", C)}, std::vector<Edge>{}, late);
  }
  return task_set({Pool{"cpu", pool}}, std::move(dags));
}

Result<SegmentBounds> bounds_of(const TaskSet& set, path::Refinement refinement, const path::Limits& limits = {}) {
  return segment_bounds(set, segment_per_node(set), kernel_weights(set)->front(), dag_priority_points(set), refinement, limits);
}

Analysis analyzed(const std::string& text, const Options& options) {
  return analyze(std::make_shared<const TaskSet>(io::parse_task_set(text, "set.yaml").task_set), options);
}

Analysis released(const std::string& text, Release release) {
  Options options;
  options.release = release;
  return analyzed(text, options);
}

std::vector<std::string> words(const std::vector<LeftOut>& all) {
  std::vector<std::string> lines;
  lines.reserve(all.size());
  for (const LeftOut& one : all) lines.push_back(in_words(one));
  return lines;
}

bool contains(const std::vector<std::string>& lines, const std::string& wanted) { return std::ranges::find(lines, wanted) != lines.end(); }

}  // namespace

// `period` of a DAG is T - J: 601 x 10 us every 5 ms are 1.202 of one processor, every 10 ms 0.601.
TEST_CASE("T12 is asked of any number of nodes, whether releases T - J apart have bounds or not") {
  const auto proven = [](std::size_t nodes, Time C, Time J, bool preemptive) {
    const auto bounds = bounds_of(*late_nodes(nodes, C, J, preemptive), path::Refinement::T10n);
    REQUIRE(bounds);
    CHECK(bounds->left_out.empty());
    return path::has_release_jitter(bounds->system.system);
  };
  CHECK(proven(601, 10_us, 5_ms, false));
  // 2,001 x 4 us are 0.8 of it, 6,001 x 1 us 0.6.
  CHECK(proven(2'001, 4_us, 5_ms, false));
  CHECK(proven(6'001, 1_us, 5_ms, true));
}

TEST_CASE("Loads and overloads are those of releases every T") {
  // 601 x 17 us every 10 ms are 1.0217.
  const auto over = bounds_of(*late_nodes(601, 17_us, 5_ms, false), path::Refinement::T10n);
  REQUIRE_FALSE(over);
  CHECK(in_words(over.reason()) == "pool 'cpu': U = 1.0217 > 1 (exceeded by 0.0217)");
}

TEST_CASE("An overload is that of releases every T, whatever bounds count") {
  // 6 every 10 twice: 1.2; every 6 it would be 2.
  const std::string two =
      "platform: {cpu: {processors: 1}}\ntime_unit: ns\ntasks:\n  - {name: a, on: cpu, T: 10, jitter: 4, C: 6}\n"
      "  - {name: b, on: cpu, T: 10, jitter: 4, C: 6}\n";
  for (const Release release : {Release::offsets, Release::early, Release::completion, Release::segments}) {
    const Analysis analysis = released(two, release);
    CAPTURE(to_string(release));
    CHECK(analysis.verdict == Verdict::unbounded);
    CHECK(analysis.proof.pools[0].utilization == doctest::Approx(1.2));
    CHECK(pool_in_words(analysis.proof, 0).find("U = 1.2 > 1") != std::string::npos);
  }
}

TEST_CASE("Early releases count jitter as T - J: a pool that cannot do so much is told why") {
  // 6 every 10 is 0.6, every 5 it is 1.2.
  const std::string one = "platform: {cpu: {processors: 1}}\ntime_unit: ns\ntasks:\n  - {name: a, on: cpu, T: 10, jitter: 5, C: 6}\n";
  const Analysis analysis = released(one, Release::early);
  CHECK(analysis.proof.pools[0].utilization == doctest::Approx(0.6));
  CHECK(
      pool_in_words(analysis.proof, 0) ==
      "release jitter counts as releases T - J apart where nodes are released early, and these are more work than the pool can do, though "
      "releases every T are not");
  CHECK(released(one, Release::offsets).verdict == Verdict::schedulable);
  Options published;
  published.cpu_bound = CpuBound::published;
  published.release = Release::offsets;
  CHECK(pool_in_words(analyzed(one, published).proof, 0).find("by the theorem that --cpu-bound asks for") != std::string::npos);
}

TEST_CASE("Beside a GPU with time slices T12 is not asked: a pool that cannot do T - J is told why") {
  std::vector<Pool> pools{cpu_pool(1), gpu_pool(1, 4, "gpu/a"), gpu_pool(1, 4, "gpu/b")};
  std::get<GpuPool>(pools[1].resource).sharing = Sharing{"gpu", "a", 1_ms, 10_us, 2};
  std::get<GpuPool>(pools[2].resource).sharing = Sharing{"gpu", "b", 1_ms, 10_us, 2};
  DagAttributes late;
  late.jitter = 5_ns;
  Options options;
  options.release = Release::completion;
  const Analysis analysis = analyze(task_set(std::move(pools), {Dag("d", 5_ns, std::nullopt, {cpu_node("a", 6_ns)}, {}, late)}), options);
  CHECK(analysis.proof.pools[0].utilization == doctest::Approx(0.6));
  CHECK(pool_in_words(analysis.proof, 0) ==
        "release jitter counts as releases T - J apart where a GPU has time slices, and these are more work than pool "
        "'cpu' can "
        "do, though releases every T are not");
}

TEST_CASE("Kernels that releases T - J apart are too much for have T12's bounds") {
  // 4 x 2 G-threads for 6 every 10 on 1 x 8: 4.8 of 8; every 5 it would be 9.6.
  const std::string kernels =
      "platform: {gpu: {sms: 1, threads: 8, blocks: 8}}\ntime_unit: ns\n"
      "tasks:\n  - {name: k, on: gpu, T: 10, jitter: 5, B: 4, H: 2, L: 6}\n";
  const Analysis analysis = released(kernels, Release::completion);
  REQUIRE(analysis.proof.dags[0].bound);
  CHECK(analysis.proof.pools[0].utilization == doctest::Approx(4.8));
}

TEST_CASE("Theorems that are for few nodes are told where they are not asked") {
  const auto set = [](int nodes) {
    std::string text = "platform: {cpu: {processors: 2}}\ntime_unit: us\ntasks:\n";
    for (int i = 0; i < nodes; ++i)
      text += "  - {name: t" + std::to_string(i) + ", on: cpu, T: 100000, C: " + std::to_string(10 + i) + "}\n";
    return text;
  };
  const auto told = [&](int nodes, Fitting fitting) {
    Options options;
    options.release = Release::completion;
    options.fitting = fitting;
    return words(analyzed(set(nodes), options).proof.left_out);
  };
  CHECK(told(100, Fitting::small).empty());
  CHECK(told(101, Fitting::small) == std::vector<std::string>{"T10p, T10w, T10m: 101 nodes, more than 100"});
  CHECK(told(101, Fitting::open).empty());
  // 142 x 142 = 20164 pairs.
  CHECK(contains(told(142, Fitting::open), "T10a, T10v, T10c, T24: 20164 pairs, more than 20000"));
  const auto many = told(448, Fitting::open);
  CHECK(contains(many, "T10c, T10g, T24: 448 different nodes, more than 447"));
}

TEST_CASE("A search that the time ends says what it left out") {
  Options options;
  options.release = Release::completion;
  options.stop = [] { return true; };
  const Analysis analysis =
      analyzed("platform: {cpu: {processors: 1}}\ntime_unit: us\ntasks:\n  - {name: a, on: cpu, T: 100, C: 10}\n", options);
  const auto told = words(analysis.proof.left_out);
  CHECK(contains(told, "T10n, T10a, T10v, T10c, T10g, T24: the time limit came first"));
  REQUIRE(analysis.policies.size() == 1);
  CHECK(words(analysis.policies[0].left_out) == told);
}

TEST_CASE("Pools of thousands of tasks do without T1r and T1n, and say so") {
  // 7,000 different points and periods: 49 million pairs.
  std::vector<gel::Task> tasks;
  for (std::int64_t i = 0; i < 7'000; ++i) tasks.push_back({Time(1), Time(20'000 + i), Time(20'000 + i)});
  const auto bounds = gel::response_bounds(tasks, 2, gel::Refinement::response);
  REQUIRE(bounds);
  const auto told = words(bounds->left_out);
  CHECK(contains(told, "T1r: given up after 40000000 pairs"));
  CHECK(contains(told, "T1n: given up after 40000000 pairs"));
  CHECK(gel::response_bounds(std::span(tasks).first(50), 2, gel::Refinement::all)->left_out.empty());
}

TEST_CASE("T16 and T18 are for up to 2,000 tasks") {
  const std::vector<hard::Task> tasks(2'001, hard::Task{.C = Time(1), .T = Time(10), .D = Time(10), .Y = Time(10), .priority = 0});
  std::vector<LeftOut> left_out;
  CHECK_FALSE(hard::response_bounds(tasks, 1, hard::Order::points, {}, &left_out));
  CHECK(words(left_out) == std::vector<std::string>{"T16, T18: 2001 tasks, more than 2000"});
  left_out.clear();
  CHECK_FALSE(hard::response_bounds(std::span(tasks).first(20), 1, hard::Order::points, {}, &left_out));
  CHECK(left_out.empty());
}

// From ceil(U) = 1 on 8 choices of c, and m.
TEST_CASE("Choices of c that are not looked at are told") {
  const std::string one = "time_unit: ns\ntasks: [{name: a, on: cpu, T: 10, C: 5}, {name: b, on: cpu, T: 20, C: 2}]\n";
  const auto left_out = [&](const std::string& pool, const std::string& more = "") {
    return words(released("platform: {cpu: {" + pool + "}}\n" + more + one, Release::offsets).proof.left_out);
  };
  const std::string np = "preemptive: false, processors: ";
  CHECK(contains(left_out(np + "16"), "T1b, counting more than it need ('cpu'): 16 choices of c, more than 9"));
  CHECK_FALSE(contains(left_out(np + "9"), "T1b, counting more than it need ('cpu'): 9 choices of c, more than 9"));
  CHECK(contains(left_out("processors: 2000"), "T1e, counting more than it need ('cpu'): 2000 choices of c, more than 1026"));
  CHECK_FALSE(contains(left_out("processors: 1026"), "T1e, counting more than it need ('cpu'): 1026 choices of c, more than 1026"));
}

TEST_CASE("Choices of c of T3b that are not looked at are told") {
  const std::vector<gel::Task> tasks{{.C = 5_ns, .T = 10_ns, .Y = 10_ns}, {.C = 12_ns, .T = 20_ns, .Y = 20_ns}};
  const auto left_out = [&](std::uint32_t m) {
    const auto bounds = gel_sequential::non_preemptive_bounds(tasks, m);
    REQUIRE(bounds);
    return words(bounds->left_out);
  };
  // From ceil(1.1) = 2 on.
  CHECK(left_out(12) == std::vector<std::string>{"T3b, counting more than it need: 11 choices of c, more than 9"});
  CHECK(left_out(10).empty());
}

// 227 KiB in bytes are 232448 units where two blocks differ by one byte; of 1 KiB they are 227.
TEST_CASE("What an SM has in coarser units is told") {
  const auto left_out = [](const std::string& bytes) {
    return words(released("platform: {gpu: {sms: 1, threads: 2048, blocks: 32, shared_memory: 227 KiB}}\ntasks:\n"
                          "  - {name: a, on: gpu, T: 1 ms, B: 2, H: 32, L: 10 us, shared_memory: 100 KiB}\n"
                          "  - {name: b, on: gpu, T: 1 ms, B: 2, H: 64, L: 10 us, shared_memory: " +
                              bytes + "}\n",
                          Release::offsets)
                     .proof.left_out);
  };
  CHECK(left_out("50001 B") ==
        std::vector<std::string>{"T6b, counting more than it need ('gpu'): 232448 units of what an SM has, more than 8192"});
  CHECK(left_out("50 KiB").empty());
}

TEST_CASE("A linear program that takes more steps than it may is no time limit") {
  const auto set = late_nodes(20, 10_us, Time::zero(), true);
  PerNode<std::optional<Time>> open(set->dags().size(), {std::nullopt});
  CHECK(choose_lp_points(*set, open, Objective::sum));
  std::vector<Dag> dags;
  dags.reserve(24);
  for (int d = 0; d < 24; ++d) {
    std::vector<Node> nodes;
    nodes.reserve(6);
    for (int v = 0; v < 6; ++v)
      nodes.push_back(cpu_node(std::string(1, static_cast<char>('a' + v)), Time(3 + (7 * d + 5 * v) % 11), v % 2 == 0 ? 0 : 1));
    dags.emplace_back("d" + std::to_string(d), Time(1000 + 37 * d), std::nullopt, std::move(nodes),
                      std::vector<Edge>{{0, 1}, {0, 2}, {1, 3}, {2, 3}, {2, 4}, {3, 5}, {4, 5}}, DagAttributes{});
  }
  const auto different = task_set({cpu_pool(2, Scheduler::g_edf, "p"), cpu_pool(1, Scheduler::g_edf, "q")}, std::move(dags));
  open.assign(different->dags().size(), std::vector<std::optional<Time>>(6));
  CHECK(choose_lp_points(*different, open, Objective::max_lateness));
  const auto none = choose_lp_points(*different, open, Objective::max_lateness, {}, 0);
  REQUIRE_FALSE(none);
  CHECK(in_words(none.reason()) == "the linear program for priority points found no optimum within 1 step");
}

// Every node of `far` ends by 222.3 ms, and one is released each ms.
TEST_CASE("Jobs of a DAG that are under way in too great numbers for T23 or T10a are told") {
  const auto left_out = [](const std::string& slow) {
    Options options;
    options.release = Release::completion;
    options.path_bound = PathBound::T10g;  // T39 has far less
    return words(analyzed("platform: {cpu: {processors: 2, scheduler: FIFO}}\ndags:\n"
                          "  - {name: far, T: 1 ms, D: 1 s, nodes: {a: {on: cpu, C: 900 us}, b: {on: cpu, C: 900 us}}, edges: [a -> b]}\n" +
                              slow,
                          options)
                     .proof.left_out);
  };
  const auto many =
      left_out("  - {name: slow, T: 400 ms, D: 1 s, nodes: {x: {on: cpu, C: 36 ms}, y: {on: cpu, C: 36 ms}}, edges: [x -> y]}\n");
  CHECK(contains(many, "T23 ('far'): 223 jobs of a DAG at once, more than 64"));
  CHECK(contains(many, "T10f ('far'): 223 jobs of a DAG at once, more than 8"));
  // slow/y waits from 128.7 ms on for what was released before: 222.3 + 128.7.
  CHECK(contains(many, "T10a, counting more than it need ('far'): 352 jobs of a DAG at once, more than 256"));
  CHECK(left_out("  - {name: slow, T: 100 ms, D: 1 s, nodes: {x: {on: cpu, C: 9 ms}, y: {on: cpu, C: 9 ms}}, edges: [x -> y]}\n") ==
        std::vector<std::string>{"T10f ('far'): 60 jobs of a DAG at once, more than 8"});
}

// C = 1.8 ms of 2 a ms, and more than full with `slow`: no end.
TEST_CASE("T10f and T23 are told where an end passed all limits, too") {
  const auto proof = released(R"(platform: {cpu: {processors: 2, scheduler: FIFO}}
dags:
  - {name: far, T: 1 ms, nodes: {a: {on: cpu, C: 990 us}, b: {on: cpu, C: 990 us}}, edges: [a -> b]}
  - {name: slow, T: 4 s, nodes: {x: {on: cpu, C: 39 ms}, y: {on: cpu, C: 39 ms}}, edges: [x -> y]}
)",
                              Release::completion)
                         .proof;
  const path::System system = path_system(*proof.task_set, whole_dags(*proof.task_set), kernel_weights(*proof.task_set)->front(),
                                          dag_priority_points(*proof.task_set))
                                  .system;
  const reason::PastLimit past{.dag = "far", .pool = "cpu", .load = 1, .limit = 1_s, .periods = 1'000};
  CHECK(words(path::left_out_past(system, path::Refinement::T10g, past)) ==
        std::vector<std::string>{"T10f ('far'): 1000 jobs of a DAG at once, more than 8",
                                 "T23 ('far'): 1000 jobs of a DAG at once, more than 64"});
  CHECK(path::left_out_past(system, path::Refinement::T10j, past).empty());
}

// slow is late, and T24 is of no use, as six nodes of quick run at once: T10d is asked. The window is as long as the bound, 442 ms.
TEST_CASE("Jobs in a window of T10d, T10w or T10m that are too many to be looked at one by one are told") {
  const auto late = [](const std::string& quick, Fitting fitting) {
    Options options;
    options.release = Release::completion;
    options.fitting = fitting;
    return words(analyzed("platform: {cpu: {processors: 4, scheduler: G-EDF}}\ndags:\n" + quick +
                              "  - {name: slow, T: 1 s, D: 300 ms, nodes: {x: {on: cpu, C: 150 ms}, y: {on: cpu, C: 150 ms}, "
                              "z: {on: cpu, C: 100 ms}}, edges: [x -> y, x -> z]}\n",
                          options)
                     .proof.left_out);
  };
  std::string nodes;
  for (const char* const name : {"a", "b", "c", "d", "e", "f"})
    nodes += std::string(nodes.empty() ? "" : ", ") + name + ": {on: cpu, C: 300 us}";
  const std::string quick = "  - {name: quick, T: 1 ms, nodes: {" + nodes + "}}\n";
  CHECK(contains(late(quick, Fitting::open), "T10d, counting more than it need ('quick'): 442 jobs of a DAG at once, more than 63"));
  CHECK(contains(late(quick, Fitting::all), "T10w, T10m, counting more than it need ('quick'): 442 jobs of a DAG at once, more than 31"));
  const std::string slower = "  - {name: quick, T: 20 ms, nodes: {a: {on: cpu, C: 6 ms}, b: {on: cpu, C: 6 ms}}, edges: [a -> b]}\n";
  CHECK(late(slower, Fitting::open).empty());
  CHECK(late(slower, Fitting::all).empty());
}

// z rises by a job of `quick` after the other: 50,100 s of them.
TEST_CASE("Intervals of T11j that are given up are told") {
  const auto set = std::make_shared<const TaskSet>(io::parse_task_set(R"(platform: {cpu: {processors: 1, scheduler: FP}}
dags:
  - {name: quick, T: 1 ms, priority: 2, nodes: {a: {on: cpu, C: 999990 ns}}}
  - {name: slow, T: 100000 s, priority: 1, nodes: {x: {on: cpu, C: 500 ms}}}
)",
                                                                      "set.yaml")
                                                       .task_set);
  const path::System system = path_system(*set, segment_per_node(*set), kernel_weights(*set)->front(), dag_priority_points(*set)).system;
  const std::vector<std::vector<Time>> F{{999'990_ns}, {Time(50'099'998'000'010)}};
  CHECK(words(path::left_out_at(system, path::Refinement::T10g, F)) ==
        std::vector<std::string>{"T11j, counting more than it need: given up after 20000 steps"});
  CHECK(path::left_out_at(system, path::Refinement::T10v, F).empty());
}
