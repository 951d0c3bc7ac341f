// Law 1 over random systems whose GPUs are cut into partitions.
#include "support/partitions.hpp"

#include <doctest/doctest.h>

#include "properties/law_1.hpp"

using namespace rta;

namespace {

constexpr test::Ingredients any_kernels{.sequential = true, .priorities = true, .non_preemptive = true, .fixed = true};

test::Law cut_and_proven_for(const char* release) {
  return [release](const TaskSet& plain, std::uint64_t seed, test::Compared& compared) -> std::optional<std::string> {
    const TaskSet set = test::with_partitions(plain, seed);
    if (!first_partition(set)) return std::nullopt;
    test::Dice dice(seed);
    const analysis::GivenOptions how{{"release", release}, {"most-periods", "100"}};
    const auto proven = analysis::analyze(std::make_shared<const TaskSet>(set), analysis::options_of(how));
    if (proven.verdict == analysis::Verdict::unbounded) return std::nullopt;
    return test::broken_in_proof(dice, proven.proof, how, compared);
  };
}

}  // namespace

TEST_CASE("Law 1 with partitions, offsets: no response time above its bound") {
  test::check_law_1(1, 150, any_kernels, cut_and_proven_for("offsets"), 50, {"T6a", "T7"});
}

TEST_CASE("Law 1 with partitions, on completion: no node ends after its bound") {
  test::check_law_1(1, 150, any_kernels, cut_and_proven_for("completion"), 50, {"T10n"});
}
