#include "analysis/policies/granularity.hpp"

#include <doctest/doctest.h>

#include <memory>

#include "rta/analysis/analyze.hpp"
#include "rta/model/error.hpp"
#include "support/build.hpp"

using namespace rta;
using namespace rta::test;
using analysis::Granularity;
using analysis::regroup;
using analysis::suspension;

namespace {

Node in_group(Node node, const char* group) {
  node.group = group;
  return node;
}

// src -> {launch0 -> k0 -> await0, launch1 -> k1 -> await1} -> sink; launches, kernels and awaits form the group `detect`.
TaskSet two_kernels() {
  std::vector<Node> nodes{cpu_node("src", 1_ms),
                          in_group(cpu_node("launch0", 2_ms), "detect"),
                          in_group(gpu_node("k0", 4, 256, 1_ms), "detect"),
                          in_group(cpu_node("await0", 3_ms), "detect"),
                          in_group(cpu_node("launch1", 4_ms), "detect"),
                          in_group(gpu_node("k1", 4, 256, 1_ms), "detect"),
                          in_group(cpu_node("await1", 5_ms), "detect"),
                          cpu_node("sink", 6_ms)};
  std::vector<Edge> edges{{0, 1, false}, {1, 2, false}, {2, 3, false}, {0, 4, false},
                          {4, 5, false}, {5, 6, false}, {3, 7, false}, {6, 7, false}};
  return {"two kernels", {cpu_pool(4), gpu_pool(2, 2048)}, {Dag("d", 33_ms, std::nullopt, std::move(nodes), std::move(edges))}};
}

}  // namespace

TEST_CASE("a group becomes one sequential CPU task with its CPU work") {
  const TaskSet fine = two_kernels();
  const auto grouped = regroup(fine, Granularity::coarse);
  const Dag& dag = grouped.task_set.dags()[0];
  REQUIRE(dag.nodes().size() == 3);
  CHECK(dag.nodes()[1].name == "detect");
  CHECK(std::get<CpuDemand>(dag.nodes()[1].demand).C == 14_ms);  // 2 + 3 + 4 + 5
  CHECK(dag.edges().size() == 2);
  for (const Node& node : dag.nodes()) CHECK(node.sequential);
  REQUIRE(grouped.awaited.size() == 2);
  CHECK(grouped.awaited[0].origin == 2);
  CHECK(grouped.awaited[0].group == 1);
}

TEST_CASE("a job awaits the kernels of its group one after another") {
  const auto grouped = regroup(two_kernels(), Granularity::coarse);
  CHECK(suspension(grouped, std::vector<Time>{7_ms, 9_ms})[0] == std::vector<Time>{0_ms, 16_ms, 0_ms});
  CHECK_THROWS_AS((void)suspension(grouped, std::vector<Time>{7_ms}), Defect);
}

TEST_CASE("the monolithic variant is one task per DAG") {
  const TaskSet fine = two_kernels();
  const auto grouped = regroup(fine, Granularity::monolithic);
  REQUIRE(grouped.task_set.dags()[0].nodes().size() == 1);
  CHECK(std::get<CpuDemand>(grouped.task_set.dags()[0].nodes()[0].demand).C == 21_ms);
  CHECK(grouped.awaited.size() == 2);
}

TEST_CASE("groups that cannot be one task are refused by name") {
  const auto refuse = [](std::vector<Pool> pools, std::vector<Node> nodes, std::vector<Edge> edges, const char* message) {
    const TaskSet fine("s", std::move(pools), {Dag("d", 33_ms, std::nullopt, std::move(nodes), std::move(edges))});
    CHECK_THROWS_WITH_AS((void)regroup(fine, Granularity::coarse), message, UserError);
  };
  refuse({cpu_pool(4), gpu_pool(2, 2048)}, {in_group(gpu_node("k", 1, 32, 1_ms), "g")}, {},
         "DAG 'd': group 'g' has no CPU node that could await its kernels");
  refuse({cpu_pool(4), cpu_pool(4, Scheduler::g_edf, "other")},
         {in_group(cpu_node("a", 1_ms, 0), "g"), in_group(cpu_node("b", 1_ms, 1), "g")}, {},
         "DAG 'd': group 'g' has nodes on two CPU pools, 'cpu' and 'other'; one coarse-grained task runs on one pool");
  refuse({cpu_pool(4)}, {in_group(cpu_node("a", 1_ms), "g"), cpu_node("b", 1_ms), in_group(cpu_node("c", 1_ms), "g")},
         {{0, 1, false}, {1, 2, false}}, "DAG 'd': its groups depend on each other in a cycle");
  refuse({cpu_pool(4)}, {in_group(cpu_node("a", 1_ms), "b"), cpu_node("b", 1_ms)}, {},
         "DAG 'd': group 'b' has the name of a node that is not in it");
}

namespace {

// y (a processor) and then k (the GPU, 1024 of 1024 threads), one group.
Dag cpu_then_gpu(const std::string& name, PoolId processor, Time C, PoolId gpu, Time L, Time T) {
  return {
      name, T, std::nullopt, {in_group(cpu_node("y", C, processor), "x"), in_group(gpu_node("k", 1, 1024, L, gpu), "x")}, {{0, 1, false}}};
}

analysis::Analysis coarse(TaskSet set) {
  analysis::Options options;
  options.granularity = Granularity::coarse;
  return analysis::analyze(std::make_shared<const TaskSet>(std::move(set)), options);
}

}  // namespace

TEST_CASE("groups: where a pool of theirs has no bound, none of theirs has") {
  // c: five groups of 50 us every 200 us on one processor. Their kernels share the GPU with b, whose group runs on c2: how late those
  // kernels are issued has no bound, so b's kernel has none either. d, on its own processor, depends on none of them.
  std::vector<Dag> dags;
  dags.reserve(7);
  for (int i = 0; i < 5; ++i) dags.push_back(cpu_then_gpu("a" + std::to_string(i), 0, 50_us, 3, 20_us, 200_us));
  dags.push_back(cpu_then_gpu("b", 1, 10_us, 3, 30_us, 200_us));
  dags.emplace_back("d", 200_us, std::nullopt, std::vector{cpu_node("alone", 10_us, 2)}, std::vector<Edge>{});
  const auto edf = Scheduler::g_edf;
  const auto tied =
      coarse({"tied", {cpu_pool(1, edf, "c"), cpu_pool(1, edf, "c2"), cpu_pool(1, edf, "c3"), gpu_pool(1, 1024)}, std::move(dags)});
  CHECK(tied.verdict == analysis::Verdict::unbounded);
  CHECK_FALSE(tied.proof.dags[0].bound);
  CHECK_FALSE(tied.proof.dags[5].bound);
  CHECK_FALSE(tied.proof.dags[5].nodes[0].bound);
  CHECK(pool_in_words(tied.proof, 1) == "groups of nodes tie it to pool 'c', which has no bound");
  REQUIRE(tied.proof.dags[6].bound);
  CHECK(tied.proof.dags[6].bound->R == 10_us);
}

TEST_CASE("groups: a kernel of its own beside kernels of groups without bounds has no bound") {
  // The groups' jobs are backlogged, so that each kernel is issued anew as soon as it has ended. b, released at 0 and 90 us, last of all
  // each time, runs in [100, 130) and in [210, 240) us: 150 us, though the five kernels of 20 us alone leave it 130.
  std::vector<Dag> dags;
  dags.reserve(7);
  for (int i = 0; i < 5; ++i) dags.push_back(cpu_then_gpu("a" + std::to_string(i), 0, 50_us, 1, 20_us, 200_us));
  dags.emplace_back("b", 90_us, 140_us, std::vector{gpu_node("b", 1, 1024, 30_us)}, std::vector<Edge>{});
  const auto beside = coarse({"beside", {cpu_pool(1), gpu_pool(1, 1024)}, std::move(dags)});
  CHECK(beside.verdict == analysis::Verdict::unbounded);
  CHECK_FALSE(beside.proof.dags[5].bound);
}

namespace {

/// Two groups of 1 + 1 (awaiting 1) every 20 and 2 (awaiting 2) every 30.
std::shared_ptr<const TaskSet> two_groups(Scheduler scheduler, bool preemptive) {
  CpuPool cpu{.processors = 2, .scheduler = scheduler};
  cpu.preemptive = preemptive;
  const auto dag = [](const char* name, Time T, Time C, std::uint64_t B, Time L) {
    return Dag(name, T, std::nullopt, {in_group(cpu_node("pre", C), "g"), in_group(gpu_node("k", B, 256, L), "g")}, {{0, 1, false}});
  };
  return std::make_shared<const TaskSet>("two groups", std::vector<Pool>{{"cpu", cpu}, gpu_pool(2, 2048)},
                                         std::vector<Dag>{dag("a", 20_ms, 2_ms, 2, 1_ms), dag("b", 30_ms, 2_ms, 4, 2_ms)});
}

analysis::Proof coarse(Scheduler scheduler, bool preemptive) {
  analysis::Options options;
  options.release = Release::offsets;
  options.granularity = Granularity::coarse;
  options.scheduler = scheduler;
  return analysis::analyze(two_groups(scheduler, preemptive), options).proof;
}

}  // namespace

// Nothing is preempted there, and a group keeps its thread while it awaits a kernel.
TEST_CASE("Groups under FIFO have the same bounds with preemption and without") {
  const analysis::Proof with = coarse(Scheduler::fifo, true);
  const analysis::Proof without = coarse(Scheduler::fifo, false);
  for (DagId d = 0; d < 2; ++d) {
    REQUIRE(with.dags[d].bound);
    REQUIRE(without.dags[d].bound);
    CHECK(with.dags[d].bound->R == without.dags[d].bound->R);
  }
  CHECK_FALSE(coarse(Scheduler::g_edf, false).dags[0].bound);
}

// 2/20 + 2/30 is asked for; what the groups await counts beside it.
TEST_CASE("The load of a pool of groups is what its nodes ask for") {
  const analysis::Proof proof = coarse(Scheduler::g_edf, true);
  CHECK(proof.pools[0].utilization == doctest::Approx(1.0 / 6));
  CHECK(proof.pools[0].awaiting > 1.0 / 20 + 2.0 / 30 - 1e-9);
  CHECK(coarse(Scheduler::g_edf, false).pools[0].utilization == doctest::Approx(1.0 / 6));
  CHECK(coarse(Scheduler::g_edf, false).pools[0].awaiting == 0);
}
