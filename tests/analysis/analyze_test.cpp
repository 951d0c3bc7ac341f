#include "rta/analysis/analyze.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <string>

#include "rta/model/error.hpp"
#include "support/build.hpp"

using namespace rta;
using namespace rta::test;
using analysis::analyze;
using analysis::Options;
using analysis::Verdict;

namespace {

Dag chain(const char* name, Time T, std::optional<Time> D, std::vector<Node> nodes) {
  std::vector<Edge> edges;
  for (NodeId v = 0; v + 1 < nodes.size(); ++v) edges.push_back({v, v + 1, false});
  return {name, T, D, std::move(nodes), std::move(edges)};
}

// T1 and T5 alone: what can be worked out by hand.
Options refine_nothing() {
  Options options;
  options.refinement = analysis::gel::Refinement::none;
  options.gpu_bound = analysis::fifo::Bound::T5;
  options.release = Release::offsets;
  return options;
}

Options at_offsets() {
  Options options;
  options.release = Release::offsets;
  return options;
}

std::optional<Time> R(const analysis::Analysis& analysis, DagId d) {
  const auto& bound = analysis.proof.dags[d].bound;
  return bound ? std::optional(bound->R) : std::nullopt;
}

std::optional<Time> R(const analysis::Analysis& analysis, DagId d, NodeId v) {
  const auto& bound = analysis.proof.dags[d].nodes[v].bound;
  return bound ? std::optional(bound->R) : std::nullopt;
}

}  // namespace

TEST_CASE("a chain on one processor, worked out by hand") {
  // m = 1, C = 1 and 2, T = 10, G-EDF: Y' = 0, ceil(U) = 1, so carry = 0 and demand = 1 + 2.
  // R = 0 + 3/1 + 0 = 3 for both nodes; offsets 0 and 3; end to end 6.
  const auto set = task_set({cpu_pool(1)}, {chain("d", 10_ms, 6_ms, {cpu_node("a", 1_ms), cpu_node("b", 2_ms)})});
  const auto result = analyze(set, refine_nothing());
  CHECK(result.verdict == Verdict::schedulable);
  CHECK(R(result, 0, 0) == 3_ms);
  CHECK(R(result, 0, 1) == 3_ms);
  CHECK(result.proof.dags[0].nodes[1].reference == 3_ms);
  CHECK(result.proof.dags[0].nodes[0].priority_point == 10_ms);
  CHECK(R(result, 0) == 6_ms);
  CHECK(result.proof.dags[0].critical_path == std::vector<NodeId>{0, 1});
  CHECK(result.proof.pools[0].largest_lateness == Time(-7'000'000));
}

TEST_CASE("an end-to-end deadline is met at the bound and missed one nanosecond below it") {
  const auto with_deadline = [](Time D) {
    return analyze(task_set({cpu_pool(1)}, {chain("d", 10_ms, D, {cpu_node("a", 1_ms), cpu_node("b", 2_ms)})}), refine_nothing());
  };
  CHECK(with_deadline(6_ms).verdict == Verdict::schedulable);
  CHECK(with_deadline(6_ms - 1_ns).verdict == Verdict::deadline_missed);
}

TEST_CASE("U = m is schedulable, one nanosecond more of work is not") {
  const auto with_C = [](Time C) {
    return analyze(task_set({cpu_pool(2)},
                            {chain("a", 10_ms, std::nullopt, {cpu_node("x", 10_ms)}), chain("b", 10_ms, std::nullopt, {cpu_node("y", C)})}),
                   at_offsets());
  };
  CHECK(with_C(10_ms).verdict == Verdict::schedulable);
  const auto over = with_C(10_ms + 1_ns);
  CHECK(over.verdict == Verdict::unbounded);
  CHECK_FALSE(over.proof.pools[0].bounded());
  CHECK_FALSE(over.proof.dags[0].bound);
  CHECK_FALSE(over.proof.dags[0].nodes[0].bound);
}

TEST_CASE("a node's offset is known up to the first of its predecessors without a bound") {
  // b's pool is overloaded: b still starts when a has ended, at 1 ms, c at no time that anybody knows.
  const auto set =
      task_set({cpu_pool(1), cpu_pool(1, Scheduler::g_edf, "full")},
               {chain("d", 10_ms, std::nullopt, {cpu_node("a", 1_ms), cpu_node("b", 11_ms, 1), cpu_node("c", 1_ms), cpu_node("e", 1_ms)})});
  const auto result = analyze(set, at_offsets());
  const auto& nodes = result.proof.dags[0].nodes;
  CHECK_FALSE(result.proof.dags[0].bound);
  CHECK(nodes[0].reference == 0_ms);
  CHECK(nodes[1].reference == R(result, 0, 0));
  CHECK_FALSE(nodes[1].bound);
  CHECK_FALSE(nodes[2].reference);
  CHECK(nodes[2].bound);  // its pool has bounds
  CHECK_FALSE(nodes[3].reference);
}

TEST_CASE("a utilization above 1 is fine with intra-task parallelism, and names the node without") {
  Node heavy = cpu_node("heavy", 15_ms);
  CHECK(analyze(task_set({cpu_pool(2)}, {chain("d", 10_ms, std::nullopt, {heavy})})).verdict == Verdict::schedulable);
  heavy.sequential = true;
  const auto result = analyze(task_set({cpu_pool(2)}, {chain("d", 10_ms, std::nullopt, {heavy})}), at_offsets());
  CHECK(result.verdict == Verdict::unbounded);
  CHECK(pool_in_words(result.proof, 0).find("'heavy'") != std::string::npos);
}

TEST_CASE("a bound on one pool does not hide that another has none") {
  const auto set =
      task_set({cpu_pool(1), cpu_pool(1, Scheduler::g_edf, "other")},
               {chain("good", 10_ms, std::nullopt, {cpu_node("a", 1_ms)}), chain("bad", 10_ms, std::nullopt, {cpu_node("b", 11_ms, 1)})});
  const auto result = analyze(set);
  CHECK(result.verdict == Verdict::unbounded);
  CHECK(result.proof.dags[0].bound);
  CHECK_FALSE(result.proof.dags[1].bound);
}

TEST_CASE("the coarse-grained variant settles at the least fixed point of jitter and bounds") {
  // One group: CPU work 14 ms, two kernels of B = 4, H = 256, L = 1 ms on g = 2, m = 2048; T = 33 ms; src 1 ms, sink 6 ms; m = 4 CPUs.
  // T5 with jitter rho: (1 (4096 - 256) + 2048 (1 + rho/33) - 256)/4096 + 1 = 2.375 + rho/66 ms.
  // The job awaits both: C = 14 + 2 R_gpu. ceil(U) = 1, Y' = 0: R = ((21 + 2 R_gpu) + 3 (14 + 2 R_gpu))/4 = 15.75 + 2 R_gpu,
  // so rho = 20.5 + rho/33 = 20.5 * 33/32 = 21.140625 ms.
  const auto grouped = [](Node node) {
    node.group = "detect";
    return node;
  };
  std::vector<Node> nodes{cpu_node("src", 1_ms),
                          grouped(cpu_node("launch", 9_ms)),
                          grouped(gpu_node("k0", 4, 256, 1_ms)),
                          grouped(gpu_node("k1", 4, 256, 1_ms)),
                          grouped(cpu_node("await", 5_ms)),
                          cpu_node("sink", 6_ms)};
  std::vector<Edge> edges{{0, 1, false}, {1, 2, false}, {1, 3, false}, {2, 4, false}, {3, 4, false}, {4, 5, false}};
  const auto set = task_set({cpu_pool(4), gpu_pool(2, 2048)}, {Dag("d", 33_ms, std::nullopt, nodes, edges)});
  Options options = refine_nothing();
  options.granularity = analysis::Granularity::coarse;
  const auto result = analyze(set, options);
  REQUIRE(result.verdict == Verdict::schedulable);
  const Time rho = *R(result, 0, 1);
  CHECK(rho >= Time(21'140'625));
  CHECK(rho <= Time(21'140'660));
}

TEST_CASE("the monolithic variant is unschedulable where one job outlasts its period") {
  const auto set = task_set({cpu_pool(16)}, {chain("d", 10_ms, std::nullopt, {cpu_node("a", 6_ms), cpu_node("b", 6_ms)})});
  Options options;
  options.granularity = analysis::Granularity::monolithic;
  const auto result = analyze(set, options);
  CHECK(result.verdict == Verdict::unbounded);
  CHECK(pool_in_words(result.proof, 0).find("its utilization is above 1") != std::string::npos);
  CHECK(analyze(set).verdict == Verdict::schedulable);
}

TEST_CASE("LP is no worse than any plain scheduler in what it minimises") {
  const auto set = task_set({cpu_pool(2, Scheduler::lp)},
                            {chain("a", 10_ms, std::nullopt, {cpu_node("a0", 2_ms), cpu_node("a1", 3_ms), cpu_node("a2", 1_ms)}),
                             chain("b", 7_ms, std::nullopt, {cpu_node("b0", 2_ms), cpu_node("b1", 1_ms)})});
  const auto sum = [&](Scheduler scheduler) {
    Options options = at_offsets();
    options.scheduler = scheduler;
    const auto result = analyze(set, options);
    return *R(result, 0) + *R(result, 1);
  };
  for (Scheduler scheduler : {Scheduler::g_edf, Scheduler::g_fl, Scheduler::fifo}) CHECK(sum(Scheduler::lp) <= sum(scheduler));
}

TEST_CASE("a node is explained by its name, with or without its DAG's") {
  const auto set = task_set({cpu_pool(1)}, {chain("d", 10_ms, std::nullopt, {cpu_node("a", 1_ms), cpu_node("b", 2_ms)})});
  Options options;
  options.explain = {"b", "d/a"};
  const auto result = analyze(set, options);
  REQUIRE(result.explanations.size() == 2);
  CHECK(result.explanations[0].node == "d/b");
  CHECK(result.explanations[1].node == "d/a");
  CHECK_FALSE(result.explanations[0].lines.empty());
  options.explain = {"c"};
  CHECK_THROWS_WITH_AS((void)analyze(set, options), "no DAG, node or chain 'c' to explain; name it as dag, node, dag/node or chain",
                       UserError);
}

TEST_CASE("a policy whose numbers leave the range has no bound; the others stand") {
  // D = 2^63 - 1 ns makes a priority point that release on completion cannot compare with; at offsets only differences count.
  const Time far(std::numeric_limits<std::int64_t>::max());
  Node y = cpu_node("y", 3_ns);
  y.deadline = far;
  const auto set = task_set({cpu_pool(2)}, {chain("a", 100_ns, far, {cpu_node("x", 3_ns), y})});
  const auto result = analyze(set);
  CHECK(result.verdict == Verdict::schedulable);
  CHECK(result.proof.release == Release::offsets);
  REQUIRE(result.policies.size() == 3);
  CHECK(result.policies[1].reason.find("leaves the range") != std::string::npos);
  Options completion;
  completion.release = Release::completion;
  CHECK_THROWS_AS((void)analyze(set, completion), Overflow);
}

TEST_CASE("periods that differ by nine orders of magnitude, and periods of months, have bounds on completion") {
  // Each DAG alone on its processor: its own work.
  Options completion;
  completion.release = Release::completion;
  const auto far_apart = task_set({cpu_pool(1, Scheduler::fifo, "a"), cpu_pool(1, Scheduler::fifo, "b")},
                                  {chain("fast", 1_us, {}, {cpu_node("x", 100_ns), cpu_node("y", 0_ns)}),
                                   chain("slow", 1000_s, {}, {cpu_node("x", 1_s, 1), cpu_node("y", 1_s, 1)})});
  const auto apart = analyze(far_apart, completion);
  CHECK(R(apart, 0) == 100_ns);
  CHECK(R(apart, 1) == 2_s);
  const auto months = analyze(task_set({cpu_pool(2)}, {chain("d", 9'504'000_s, {}, {cpu_node("x", 9_s), cpu_node("y", 1_s)})}), completion);
  CHECK(R(months, 0) == 10_s);
}

TEST_CASE("single nodes on a non-preemptive pool have the same bounds on completion and at offsets, where they are released alike") {
  // T10n and T1bn, m = 1: b (3 ms, T = 20) may have started just before a (2 ms, T = 10) is ready: 5 ms; b waits for a once: 5 ms.
  Pool pool = cpu_pool(1);
  std::get<CpuPool>(pool.resource).preemptive = false;
  const auto set = task_set({pool}, {chain("a", 10_ms, {}, {cpu_node("a", 2_ms)}), chain("b", 20_ms, {}, {cpu_node("b", 3_ms)})});
  for (const std::optional<Release> release :
       {std::optional<Release>(), std::optional(Release::offsets), std::optional(Release::completion)}) {
    Options options;
    options.release = release;
    const auto result = analyze(set, options);
    CHECK(result.verdict == Verdict::schedulable);
    if (release) CHECK(result.proof.release == *release);
    CHECK(R(result, 0) == 5_ms);
    CHECK(R(result, 1) == 5_ms);
  }
}
