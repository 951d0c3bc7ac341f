// T13: certificates written by hand with the numbers of docs/theory.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <string>
#include <vector>

#include "claims.hpp"

namespace {

using rta::test::by_hand;
using rta::test::first_refused;
using rta::test::verdict;

/// One after another, with these numbers of the latencies 1 ns lower.
void check_latencies(const std::string& file, const std::string& before, const std::vector<int>& least) {
  const auto why = [&](const std::vector<int>& claimed) {
    const std::string line = fmt::format("latencies 0 {}\n", fmt::join(claimed, " "));
    return first_refused(file, by_hand(file, before + line + verdict));
  };
  CHECK(why(least) == "");
  for (std::size_t i = 0; i < least.size(); ++i) {
    std::vector<int> lower = least;
    --lower[i];
    CHECK(why(lower).find("the theorem gives no less than " + std::to_string(least[i])) != std::string::npos);
  }
}

TEST_CASE("T13: (T, F) = (10, 2) above (20, 8) on one processor: MRT 38, MRRT 28, MRDA 20, MDA 40; as urgent as it, 40 and 30") {
  const auto file = [](int priority) {
    return fmt::format(
        "platform: {{cpu: {{processors: 1, scheduler: FP}}}}\ntime_unit: ns\ntasks:\n"
        "  - {{name: a, on: cpu, C: 2, T: 10, priority: 2}}\n  - {{name: b, on: cpu, C: 4, T: 20, priority: {}}}\n"
        "chains:\n  - {{name: c, stages: [a, b/b], reaction: 40, age: 40}}\n",
        priority);
  };
  const std::string bounds = "release completion\nbound 0 0 0 {} - T11\nend 0 {}\nbound 1 0 0 8 - T11\nend 1 8\n";
  check_latencies(file(1), fmt::format(fmt::runtime(bounds), 2, 2), {38, 28, 20, 40});
  // As urgent: F = 6 for the first, and S = 10 + 6 + 20 + 8 = 44, above the limits.
  const std::string equal = by_hand(file(2), fmt::format(fmt::runtime(bounds), 6, 6) + "latencies 0 44 34 24 44\n");
  CHECK(first_refused(file(2), equal + "verdict deadline-missed\n") == "");
  CHECK(first_refused(file(2), equal + verdict).find("the verdict does not follow") != std::string::npos);
}

TEST_CASE("T13: LET, (T, D) = (10, 8), (20, none): S = 58; a stage that ends after its D has no latencies") {
  const std::string file =
      "platform: {cpu: {processors: 2, scheduler: FIFO}}\ntime_unit: ns\ntasks:\n"
      "  - {name: a, on: cpu, C: 2, T: 10, D: 8}\n  - {name: b, on: cpu, C: 4, T: 20}\n"
      "chains:\n  - {name: c, stages: [a, b], communication: LET}\n";
  const std::string bounds = "release completion\nbound 0 0 0 {} - T10n\nend 0 {}\nbound 1 0 0 8 - T10n\nend 1 8\n";
  check_latencies(file, fmt::format(fmt::runtime(bounds), 8, 8), {58, 48, 38, 58});
  const std::string late = fmt::format(fmt::runtime(bounds), 9, 9) + "latencies 0 58 48 38 58\nverdict deadline-missed\n";
  CHECK(first_refused(file, by_hand(file, late)).find("after it should have published") != std::string::npos);
}

}  // namespace
