// Task sets under a static order, judged like every other release policy.
#include "rta/static_order/periodic_proof.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <vector>

#include "rta/analysis/explain.hpp"
#include "rta/model/error.hpp"
#include "support/build.hpp"

using namespace rta;
using namespace rta::test;
using analysis::Verdict;

namespace {

/// a: C = 3 every 4 ms, b: C = 2 every 8 ms, on one processor.
std::shared_ptr<const TaskSet> full_load() {
  return task_set({cpu_pool(1)}, {Dag("a", 4_ms, 4_ms, {cpu_node("v", 3_ms)}, {}), Dag("b", 8_ms, 8_ms, {cpu_node("v", 2_ms)}, {})});
}

static_order::CompileOptions quick() {
  static_order::CompileOptions options;
  options.effort = 1;
  return options;
}

}  // namespace

// The work fills the hyperperiod of 8 ms, so nothing may idle: a 0-3, x and y 3-5, a 5-8. With b first, or between x and y, a would end 5
// ms after its release. Preemptive EDF bounds for sporadic releases are above that.
TEST_CASE("at full load one order is in time, and R counts from the release of each frame") {
  const auto analysis = static_order::prove_periodic(full_load(), quick()).analysis;
  CHECK(analysis.verdict == Verdict::schedulable);
  const auto& dags = analysis.proof.dags;
  CHECK(analysis.proof.release == Release::fixed_order);
  CHECK(dags[0].bound->R == 4_ms);  // the second frame: 8 - 4
  CHECK(dags[1].bound->R == 5_ms);
  CHECK(dags[1].bound->basis.theorem == analysis::Theorem::T15);
  CHECK(pool_in_words(analysis.proof, 0) == "its jobs run in a static order");
  CHECK(analysis.policies.size() == 1);
  CHECK(analysis.policies[0].largest_R == 5_ms);
}

TEST_CASE("an order that ends after the hyperperiod proves nothing") {
  const auto late = task_set({cpu_pool(1)}, {Dag("a", 4_ms, std::nullopt, {cpu_node("v", 5_ms)}, {})});
  const auto analysis = static_order::prove_periodic(late, quick()).analysis;
  CHECK(analysis.verdict == Verdict::unbounded);
  CHECK_FALSE(analysis.proof.dags[0].bound.has_value());
  CHECK(analysis.policies[0].reason == "the static order that was found takes 5 ms, more than the hyperperiod of 4 ms");
}

TEST_CASE("beside the policies for sporadic releases, a first order or why there is none") {
  const auto found = static_order::first_order_outcome(full_load());
  CHECK(found.release == Release::fixed_order);
  CHECK(found.verdict.has_value());
  const auto no_hyperperiod = task_set({cpu_pool(1)}, {Dag("a", Time(999'999'999'989), std::nullopt, {cpu_node("v", 1_ms)}, {}),
                                                       Dag("b", Time(999'999'999'961), std::nullopt, {cpu_node("v", 1_ms)}, {})});
  const auto none = static_order::first_order_outcome(no_hyperperiod);
  CHECK_FALSE(none.verdict.has_value());
  CHECK(none.reason.find("the hyperperiod") == 0);
  CHECK_THROWS_AS(static_cast<void>(static_order::prove_periodic(no_hyperperiod, quick())), UserError);
}

TEST_CASE("kernels that share a GPU carry their own theorem") {
  Node kernel = gpu_node("k", 4, 128, 1_ms, 1);
  const auto set = task_set({cpu_pool(2), gpu_pool(4, 2048)}, {Dag("a", 10_ms, 10_ms, {cpu_node("s", 1_ms), kernel}, {{0, 1}}),
                                                               Dag("b", 10_ms, 10_ms, {cpu_node("s", 1_ms), kernel}, {{0, 1}})});
  const auto analysis = static_order::prove_periodic(set, quick()).analysis;
  REQUIRE(analysis.proof.dags[0].bound.has_value());
  CHECK(analysis.proof.dags[0].bound->basis.theorem == analysis::Theorem::T15w);
  CHECK(analysis.proof.dags[0].bound->R == 2_ms);  // 1 ms each, side by side
  CHECK(analysis.proof.dags[1].bound->R == 2_ms);
  CHECK(analysis.proof.dags[1].nodes[0].bound->R == 1_ms);
  CHECK(analysis.proof.dags[1].critical_path == std::vector<NodeId>{0, 1});
}
