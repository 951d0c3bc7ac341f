// Law 1 for task sets with executors beside other pools, by the product's simulator.
#include <doctest/doctest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "properties/law_1.hpp"
#include "support/durations.hpp"
#include "support/on_executors.hpp"

using namespace rta;

namespace {

void check_law(bool reserved, std::uint64_t systems, std::size_t least, const std::vector<std::string>& theorems) {
  const auto law = [reserved](const TaskSet& plain, std::uint64_t seed, test::Compared& compared) -> std::optional<std::string> {
    if (!test::all_fit(plain)) return std::nullopt;
    const TaskSet set = test::with_executors(plain, seed, reserved);
    if (!first_executor(set.pools(), set.dags())) return std::nullopt;
    const auto proven = analysis::analyze(std::make_shared<const TaskSet>(set), {});
    if (proven.verdict == analysis::Verdict::unbounded) return std::nullopt;
    test::Dice dice(seed);
    return test::broken_in_proof(dice, proven.proof, {}, compared);
  };
  test::check_law_1(1, systems, {.sequential = true, .priorities = false, .non_preemptive = true, .fixed = true}, law, least, theorems);
}

}  // namespace

TEST_CASE("law 1 for executors, as they are analysed and simulated") { check_law(false, 500, 400, {"T19", "T19j", "T20"}); }

TEST_CASE("law 1 for executors in reservations, which the simulator holds back") { check_law(true, 200, 100, {"T19j", "T22"}); }
