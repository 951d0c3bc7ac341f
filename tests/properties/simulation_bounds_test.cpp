// Law 1, over 2,000 random systems with bounds for each release policy.
#include <doctest/doctest.h>

#include "properties/law_1.hpp"

using namespace rta;

TEST_CASE("Law 1, offsets: no response time above its bound (T1-T8)") {
  test::check_law_1(1, 2'000, {}, test::broken_with_offsets, 50,
                    {"T1", "T1e", "T1c", "T1re", "T1n", "T3", "T3s", "T4", "T5", "T6a", "T6b", "T6n", "T7", "T8"});
}

TEST_CASE("Law 1, offsets without preemption: no response time above its bound (T1b, T3b)") {
  test::check_law_1(1, 1'000, {.non_preemptive = true}, test::broken_with_offsets, 10, {"T1b", "T1be", "T1bn", "T3b"});
}

TEST_CASE("Law 1, release on completion: no node ends after its bound (T10, T10n, T10v, T10j, T10g)") {
  test::check_law_1(1, 2'000, test::one_fifo, test::broken_on_completion, 500, {"T10", "T10n", "T10v", "T10j", "T10g", "T3s"});
}

TEST_CASE("Law 1, release on completion with points per node: no node ends after its bound (T10n, T10g)") {
  test::check_law_1(1, 2'000, test::one_fifo, test::broken_by_node, 500, {"T10n", "T10g", "T3s"});
}

TEST_CASE("Law 1, release on segments: no node ends after its bound (T10n, T10v, T10j, T10g)") {
  test::check_law_1(1, 2'000, test::one_fifo, test::broken_on_segments, 500, {"T10n", "T10v", "T10j", "T10g", "T3s"});
}

TEST_CASE("Law 1, as the analysis chooses: policies, cuts and points") {
  test::check_law_1(1, 400, test::one_fifo, test::broken_by_policy, 100, {"completion", "segments", "T3s"});
}

TEST_CASE("Law 1 under fixed priorities, as the analysis chooses: no node ends after its bound (T11, T11j)") {
  test::check_law_1(1, 200, test::fixed_priorities, test::broken_by_fixed_priorities, 60, {"T11", "T11j", "T10n"});
}

TEST_CASE("A broken law is found and made small") {
  // "No job takes longer than 12 ns" is wrong for almost every system.
  const test::Law wrong = [](const TaskSet& set, std::uint64_t seed, test::Compared&) -> std::optional<std::string> {
    test::Dice dice(seed);
    auto options = test::random_options(dice, set);
    const std::vector<Time> Y(set.dags().size());
    const auto seen = simulate::simulate(set, test::on_completion(set, Y), options);
    for (const auto& dag : seen.dags) {
      if (dag.response.count() > 0 && dag.response.max() > Time(12)) return "too long";
    }
    return std::nullopt;
  };
  test::Compared compared;
  const auto broken = test::first_broken(1, 20, test::one_fifo, wrong, compared);
  REQUIRE(broken);
  CHECK(broken->what == "too long");
  // A DAG is left, and none of its nodes can go without mending the law.
  CHECK(broken->task_set.dags().size() == 1);
  CHECK(broken->task_set.node_count() <= 3);
}
