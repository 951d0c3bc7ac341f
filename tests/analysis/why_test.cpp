#include "rta/analysis/why.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "rta/analysis/analyze.hpp"
#include "support/build.hpp"

using namespace rta;
using namespace rta::test;
using namespace rta::analysis;

namespace {

constexpr auto none = std::nullopt;

Node fifo_node(const char* name, Time C, PoolId pool) { return cpu_node(name, C, pool); }

Options asked(Release release) {
  Options options;
  options.release = release;
  return options;
}

}  // namespace

TEST_CASE("T1 at offsets, node by node along the path") {
  // m = 1, C = 1 and 2, T = 10: R = C + (V_1 + V_2 - C)/1 with V = C, so 1 + 2 and 2 + 1; end to end 6.
  const auto set = task_set({cpu_pool(1)}, {Dag("d", 10_ms, 5_ms, {cpu_node("a", 1_ms), cpu_node("b", 2_ms)}, {{0, 1}})});
  Options options = asked(Release::offsets);
  options.refinement = gel::Refinement::none;
  const Proof proof = analyze(set, options).proof;
  const Why result = why(proof, 0);
  CHECK(result.path == std::vector<NodeId>{0, 1});
  CHECK(result.parts == std::vector<BoundPart>{{Cause::execution, none, none, 3_ms}, {Cause::waiting, 0, 0, 3_ms}});
  CHECK(result.alone == 3_ms);
}

TEST_CASE("T1n: the jobs of each DAG that are counted") {
  // One FIFO processor, long periods: one job of each counts. a: 20 + (20 + 40 - 20), b: 40 + (20 + 40 - 40).
  const auto set = task_set({cpu_pool(1, Scheduler::fifo)},
                            {Dag("a", 1000_us, none, {cpu_node("a", 20_us)}, {}), Dag("b", 1000_us, none, {cpu_node("b", 40_us)}, {})});
  const Proof proof = analyze(set, asked(Release::offsets)).proof;
  CHECK(why(proof, 0).parts == std::vector<BoundPart>{{Cause::execution, none, none, 20_us}, {Cause::waiting, 0, 1, 40_us}});
  CHECK(why(proof, 1).parts == std::vector<BoundPart>{{Cause::execution, none, none, 40_us}, {Cause::waiting, 0, 0, 20_us}});
}

TEST_CASE("T10n on completion: execution of the path, and each DAG's work on each pool") {
  // d: a (4) on pool 0, then b (4) on pool 1; x: c (2) on pool 0. The path a, b waits for c alone: 8 + (4 + 2 - 4)/1 + (4 - 4)/1 = 10.
  const auto set = task_set({cpu_pool(1, Scheduler::fifo), {"q", CpuPool{1, Scheduler::fifo}}},
                            {Dag("d", 100_ms, 5_ms, {fifo_node("a", 4_ms, 0), fifo_node("b", 4_ms, 1)}, {{0, 1}}),
                             Dag("x", 100_ms, none, {fifo_node("c", 2_ms, 0)}, {})});
  const Proof proof = analyze(set, asked(Release::completion)).proof;
  REQUIRE(proof.dags[0].bound->R == 10_ms);
  const Why result = why(proof, 0);
  CHECK(result.path == std::vector<NodeId>{0, 1});
  CHECK(result.parts == std::vector<BoundPart>{{Cause::execution, none, none, 8_ms}, {Cause::waiting, 0, 1, 2_ms}});
  CHECK(result.alone == 8_ms);
  CHECK(result.longest_path == std::vector<NodeId>{0, 1});
}

TEST_CASE("T10m: the longest path, and what is beside the chains over the processors that they leave") {
  // m = 2: a1 (5) -> a2 (4), b1 (4) -> b2 (5), a1 -> n (1) -> b2, then end (1). To its end 12, of all chains: 2 x 9 + 1 and 1 beside them.
  const auto set = task_set({cpu_pool(2, Scheduler::fifo)}, {Dag("wide", 100_ms, none,
                                                                 {cpu_node("a1", 5_ms), cpu_node("a2", 4_ms), cpu_node("b1", 4_ms),
                                                                  cpu_node("b2", 5_ms), cpu_node("n", 1_ms), cpu_node("end", 1_ms)},
                                                                 {{0, 1}, {2, 3}, {0, 4}, {4, 3}, {1, 5}, {3, 5}})});
  Options options = asked(Release::completion);
  options.fitting = Fitting::all;
  const Proof proof = analyze(set, options).proof;
  const Why result = why(proof, 0);
  CHECK(result.path == std::vector<NodeId>{0, 4, 3, 5});
  CHECK(result.parts == std::vector<BoundPart>{{Cause::execution, none, none, 12_ms}, {Cause::waiting, 0, 0, 1_ms}});
}
