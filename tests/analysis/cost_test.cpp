// What decides between bounds.
#include "analysis/search/cost.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <vector>

#include "rta/analysis/analyze.hpp"
#include "support/build.hpp"

using namespace rta;
using namespace rta::analysis;
using namespace rta::test;

namespace {

// T = 10 ms each; D = 4 ms, none.
TaskSet two_dags() {
  return {
      "two", {cpu_pool(1)}, {Dag("a", 10_ms, 4_ms, {cpu_node("x", 1_ms)}, {}), Dag("b", 10_ms, std::nullopt, {cpu_node("y", 1_ms)}, {})}};
}

using R = std::vector<std::optional<Time>>;

Proof proof_with(const R& bounds) {
  Proof proof;
  proof.task_set = std::make_shared<const TaskSet>(two_dags());
  for (const auto& bound : bounds) {
    DagProof& dag = proof.dags.emplace_back();
    if (bound) dag.bound = Bound{*bound, {}};
  }
  return proof;
}

bool better_by_sum(const R& a, const R& b) { return better(proof_with(a), proof_with(b), Objective::sum); }

}  // namespace

TEST_CASE("cost: the sum of the bounds, then the largest lateness; or the other way round") {
  // Lateness: 3 - 4 = -1 and 8 - 10 = -2 (without D: the period).
  const R bounds{3_ms, 8_ms};
  const Cost by_sum = cost_of(two_dags(), bounds, Objective::sum);
  CHECK(by_sum.unbounded == 0);
  CHECK(by_sum.first == 11'000'000);
  CHECK(by_sum < cost_of(two_dags(), R{2_ms, 10_ms}, Objective::sum));
  const Cost by_lateness = cost_of(two_dags(), bounds, Objective::max_lateness);
  CHECK(by_lateness.first == -1'000'000);
  CHECK(by_lateness.second == 11'000'000);
  CHECK(cost_of(two_dags(), R{2_ms, 9_ms}, Objective::max_lateness).first == -1'000'000);
}

TEST_CASE("cost: a DAG without a bound weighs more than any bound") {
  const Cost one = cost_of(two_dags(), R{std::nullopt, 1_ms}, Objective::sum);
  CHECK(one.unbounded == 1);
  CHECK(one.first == 1'000'000);
  CHECK(cost_of(two_dags(), R{900'000_s, 900'000_s}, Objective::sum) < one);
  CHECK(one < cost_of(two_dags(), R{std::nullopt, std::nullopt}, Objective::sum));
  CHECK(cost_of(two_dags(), R{std::nullopt, std::nullopt}, Objective::max_lateness).unbounded == 2);
}

TEST_CASE("of two proofs the one with more bounds is better, then the one that meets all deadlines, then the one of less cost") {
  CHECK(better_by_sum({100_ms, 100_ms}, {3_ms, std::nullopt}));
  CHECK_FALSE(better_by_sum({3_ms, std::nullopt}, {100_ms, 100_ms}));
  CHECK(better_by_sum({std::nullopt, 100_ms}, {std::nullopt, std::nullopt}));
  CHECK(better_by_sum({4_ms, 50_ms}, {5_ms, 1_ms}));
  CHECK_FALSE(better_by_sum({5_ms, 1_ms}, {4_ms, 50_ms}));
  CHECK(better_by_sum({4_ms, 5_ms}, {4_ms, 6_ms}));
  CHECK(better_by_sum({7_ms, 5_ms}, {8_ms, 5_ms}));  // both miss
  CHECK_FALSE(better_by_sum({4_ms, 5_ms}, {5_ms, 4_ms}) == better_by_sum({5_ms, 4_ms}, {4_ms, 5_ms}));
  CHECK_FALSE(better_by_sum({4_ms, 5_ms}, {4_ms, 5_ms}));  // equal: neither
}

TEST_CASE("of two proofs that meet all deadlines the one that keeps the limits of chains is better, whatever the cost") {
  // b alone is a chain: MRT = T + F = 10 + F <= 15 asks for F <= 5. Data age has the same value here.
  const auto proof = [](const R& bounds, std::optional<Time> reaction, std::optional<Time> age) {
    Proof made = proof_with(bounds);
    const TaskSet plain = two_dags();
    made.task_set = std::make_shared<const TaskSet>("two", std::vector<Pool>(plain.pools().begin(), plain.pools().end()),
                                                    std::vector<Dag>(plain.dags().begin(), plain.dags().end()),
                                                    std::vector{Chain{"c", {{1, std::nullopt}}, Communication::registers, reaction, age}});
    return made;
  };
  const R kept{4_ms, 5_ms};
  const R broken{1_ms, 6_ms};  // 7 instead of 9 in all
  for (const auto& [reaction, age] :
       {std::pair(std::optional(15_ms), std::optional<Time>()), std::pair(std::optional<Time>(), std::optional(15_ms))}) {
    CHECK(better(proof(kept, reaction, age), proof(broken, reaction, age), Objective::sum));
    CHECK_FALSE(better(proof(broken, reaction, age), proof(kept, reaction, age), Objective::sum));
  }
  CHECK(better(proof(broken, 16_ms, std::nullopt), proof(kept, 16_ms, std::nullopt), Objective::sum));
  CHECK(better(proof(broken, std::nullopt, std::nullopt), proof(kept, std::nullopt, std::nullopt), Objective::sum));
}

TEST_CASE("an overloaded CPU pool does not hide the bound of a DAG on the GPU alone") {
  // U = 1.2 on the processor. The kernel fills the GPU, which nobody else uses, for 5.2 of 10 ms.
  const auto set =
      task_set({cpu_pool(1), gpu_pool(1, 1024)}, {Dag("busy", 10_ms, std::nullopt, {cpu_node("a", 6_ms), cpu_node("b", 6_ms)}, {{0, 1}}),
                                                  Dag("vision", 10_ms, std::nullopt, {gpu_node("k", 1, 1024, 5'200_us)}, {})});
  for (const auto release : std::vector<std::optional<Release>>{std::nullopt, Release::offsets, Release::completion, Release::segments}) {
    CAPTURE(release ? to_string(*release) : "best");
    Options options;
    options.release = release;
    const auto result = analyze(set, options);
    CHECK(result.verdict == Verdict::unbounded);
    CHECK_FALSE(result.proof.dags[0].bound);
    REQUIRE(result.proof.dags[1].bound);
    CHECK(result.proof.dags[1].bound->R == 5'200_us);
    CHECK_FALSE(result.proof.pools[0].bounded());
    CHECK(result.proof.pools[1].bounded());
  }
}

TEST_CASE("bounds that still rise are left once they cost more by a 16384th of their size") {
  const TaskSet set = two_dags();
  const std::vector<Time> best{4_ms, 12'384_us};  // 16384 us together; b is late by 2384 us
  const auto after = [&](Objective objective, Time a, Time b) {
    return far_above(set, cost_of(set, best, objective), objective)(std::vector{a, b});
  };
  CHECK_FALSE(after(Objective::sum, 1_ms, 2_ms));
  CHECK_FALSE(after(Objective::sum, 4_ms, 12'385_us));
  CHECK(after(Objective::sum, 4_ms, 12'386_us));
  // Of the largest lateness the largest bound is the size.
  CHECK_FALSE(after(Objective::max_lateness, 6_ms, 12'384_us));
  CHECK(after(Objective::max_lateness, 4_ms, 12'385_us));
  CHECK(after(Objective::max_lateness, 7_ms, 1_ms));
}

TEST_CASE("the policy that bounds more DAGs is taken") {
  // `mixed` overloads the processor and uses the GPU, so that on completion, where a DAG is bounded as a whole, neither has a bound.
  const auto set = task_set(
      {cpu_pool(1), gpu_pool(1, 1024)},
      {Dag("mixed", 10_ms, std::nullopt, {cpu_node("a", 6_ms), cpu_node("b", 6_ms), gpu_node("c", 1, 1024, 1_ms)}, {{0, 1}, {1, 2}}),
       Dag("vision", 10_ms, std::nullopt, {gpu_node("k", 1, 1024, 2_ms)}, {})});
  Options completion;
  completion.release = Release::completion;
  CHECK_FALSE(analyze(set, completion).proof.dags[1].bound);
  const auto best = analyze(set);
  CHECK(best.proof.release == Release::offsets);
  CHECK_FALSE(best.proof.dags[0].bound);
  REQUIRE(best.proof.dags[1].bound);
  CHECK(best.proof.dags[1].bound->R == 3_ms);

  // The other way round: at offsets nothing is known of a non-preemptive pool under G-EDF.
  Pool cooperative = cpu_pool(1);
  std::get<CpuPool>(cooperative.resource).preemptive = false;
  const auto other = task_set({cooperative}, {Dag("d", 10_ms, std::nullopt, {cpu_node("a", 1_ms), cpu_node("b", 1_ms)}, {{0, 1}})});
  const auto result = analyze(other);
  CHECK(result.proof.release != Release::offsets);
  CHECK(result.proof.dags[0].bound);
}
