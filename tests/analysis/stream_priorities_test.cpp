// T11g as the analysis uses it: task sets whose kernels have two stream priorities.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "analysis/explain/reason_words.hpp"
#include "rta/analysis/analyze.hpp"
#include "rta/analysis/why.hpp"
#include "support/build.hpp"

namespace {

using namespace rta;
using namespace rta::analysis;
using namespace rta::test;

Node high(Node node) {
  std::get<GpuDemand>(node.demand).priority = high_priority;
  return node;
}

Analysis analysed(const std::shared_ptr<const TaskSet>& set, Release release, const char* node = nullptr) {
  Options options;
  options.release = release;
  if (node != nullptr) options.explain = {node};
  return analyze(set, options);
}

std::shared_ptr<const TaskSet> example() {
  return task_set({gpu_pool(1, 1)}, {Dag("first", 50_ms, {}, {high(gpu_node("h", 1, 1, 1_ms, 0))}, {}),
                                     Dag("second", 60_ms, {}, {gpu_node("l", 1, 1, 10_ms, 0)}, {})});
}

}  // namespace

TEST_CASE("Kernels of two stream priorities are bounded by T11g on completion and on segments, beside T7 at offsets") {
  for (const Release release : {Release::completion, Release::segments}) {
    const Analysis analysis = analysed(example(), release);
    CHECK(analysis.verdict == Verdict::schedulable);
    for (const DagProof& dag : analysis.proof.dags) {
      REQUIRE(dag.bound);
      CHECK(dag.bound->R == 11_ms);
      CHECK(dag.bound->basis.theorem == Theorem::T11g);
    }
    CHECK(analysis.proof.pools[0].theorems == std::vector{Theorem::T11g});
  }
  CHECK(analysed(example(), Release::offsets).proof.dags[0].nodes[0].bound->basis.theorem == Theorem::T7);
}

TEST_CASE("T11g is explained with its blocking, which is a part of the bound") {
  const auto set = task_set(
      {cpu_pool(1, Scheduler::fifo), gpu_pool(1, 1)},
      {Dag("d", 30_ms, {}, {high(gpu_node("a", 1, 1, 1_ms)), cpu_node("b", 2_ms), high(gpu_node("c", 1, 1, 1_ms))}, {{0, 1}, {1, 2}}),
       Dag("s", 40_ms, {}, {gpu_node("k", 1, 1, 5_ms)}, {})});
  const Analysis analysis = analysed(set, Release::completion, "d");
  REQUIRE(analysis.proof.dags[0].bound);
  CHECK(analysis.proof.dags[0].bound->R == 14_ms);
  CHECK(analysis.proof.dags[0].nodes[1].bound->basis.theorem == Theorem::T11g);  // it waits for the kernel before it
  const auto lines = explain(analysis.proof, "d/c").lines;
  CHECK(lines.front().starts_with("T11g: F >="));
  const auto has = [&](const std::string& words) {
    return std::ranges::any_of(lines, [&](const std::string& line) { return line.find(words) != std::string::npos; });
  };
  CHECK(has("pool gpu (stream priorities):"));
  CHECK(has("blocks of less urgent kernels that are there when a becomes ready: what an SM holds, or all, 5000000 ns"));
  CHECK(has("+ blocking 10000000 = "));
  const Why parts = why(analysis.proof, 0);
  Time blocking;
  Time sum;
  for (const BoundPart& part : parts.parts) {
    sum += part.length;
    if (part.cause == Cause::blocking) blocking += part.length;
  }
  CHECK(sum == 14_ms);
  CHECK(blocking == 10_ms);
}

TEST_CASE("Stream priorities and time slices together: the reason says so on completion, too") {
  std::vector<Pool> pools;
  pools.reserve(2);
  for (const char* process : {"p", "q"}) {
    pools.push_back(gpu_pool(1, 1, std::string("gpu/") + process));
    std::get<GpuPool>(pools.back().resource).sharing =
        Sharing{.gpu = "gpu", .process = process, .slice = 2_ms, .switch_time = 1_ms, .contexts = 2};
  }
  const auto set = task_set(pools, {Dag("d", 100_ms, {}, {high(gpu_node("h", 1, 1, 1_ms, 0)), gpu_node("l", 1, 1, 1_ms, 0)}, {{0, 1}})});
  const Analysis analysis = analysed(set, Release::completion);
  CHECK(analysis.verdict == Verdict::unbounded);
  CHECK(pool_in_words(analysis.proof, 0).find("several stream priorities in a process that shares GPU 'gpu' by time slices") !=
        std::string::npos);
}
