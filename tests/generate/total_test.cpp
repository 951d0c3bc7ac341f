#include "rta/generate/total.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "rta/model/utilization.hpp"

using namespace rta;
using namespace rta::generate;

namespace {

// What "exact" means: at most the target, and 1 ns more of any load that may still grow is above it.
void check_exact(const std::vector<Load>& loads, const Fraction& target) {
  Utilization total;
  for (const Load& load : loads) {
    REQUIRE(load.x >= load.low);
    REQUIRE(load.x <= load.high);
    total.add(static_cast<Wide>(load.k) * load.x, load.T);
  }
  CHECK(total.compare(target.numerator, target.denominator) <= 0);
  for (const Load& load : loads) {
    if (load.x == load.high) continue;
    Utilization more = total;
    more.add(load.k, load.T);
    CHECK(more.compare(target.numerator, target.denominator) > 0);
  }
}

}  // namespace

// 1/2 + 1/3 of 10 ns and 15 ns: 5/10 + 5/15 = 5/6.
TEST_CASE("a total that whole ns can hit is hit") {
  std::vector<Load> loads{{1, 10, 1, 10, 3}, {1, 15, 1, 15, 5}};
  REQUIRE(make_total_exact(loads, {5, 6}));
  CHECK(loads[0].x == 5);
  CHECK(loads[1].x == 5);
}

// From above: 9/10 + 5/15 has to come down to 5/6; the first load gives way.
TEST_CASE("a total above the target comes down") {
  std::vector<Load> loads{{1, 10, 1, 10, 9}, {1, 15, 1, 15, 5}};
  REQUIRE(make_total_exact(loads, {5, 6}));
  CHECK(loads[0].x == 5);
  CHECK(loads[1].x == 5);
}

// Three equal periods and a target of exactly 2: with periods of 10^9 + 7 ns no rounding may lose the last ns.
TEST_CASE("full capacity is reached to the last ns") {
  const std::int64_t T = 1'000'000'007;
  std::vector<Load> loads{{1, T, 1, T, 700'000'000}, {1, T, 1, T, 600'000'000}, {1, T, 1, T, 600'000'000}};
  REQUIRE(make_total_exact(loads, {2, 1}));
  CHECK(loads[0].x + loads[1].x + loads[2].x == 2 * T);
}

// Periods whose common multiple is far beyond 64 bits: the fixed-point way, and the exact comparison behind it. x_i = T_i hits 4 exactly.
TEST_CASE("full capacity is reached without a common period") {
  const std::int64_t primes[] = {99'999'989, 99'999'971, 99'999'959, 99'999'941};
  std::vector<Load> loads;
  for (std::int64_t T : primes) loads.push_back({1, T, 1, T, T - 5});
  REQUIRE(make_total_exact(loads, {4, 1}));
  for (const Load& load : loads) CHECK(load.x == load.T);
}

TEST_CASE("ranges that do not reach the target are reported") {
  std::vector<Load> loads{{1, 10, 4, 6, 5}, {1, 10, 4, 6, 5}};
  CHECK_FALSE(make_total_exact(loads, {7, 10}));   // at least 8/10
  CHECK_FALSE(make_total_exact(loads, {15, 10}));  // at most 12/10, more than 1 ns each below
  std::vector<Load> none;
  CHECK(make_total_exact(none, {0, 1}));
  CHECK_FALSE(make_total_exact(none, {1, 2}));
}

TEST_CASE("random loads get their exact total") {
  Stream stream({61, 0, 0}, Stage::cpu_utilization);
  for (int round = 0; round < 400; ++round) {
    CAPTURE(round);
    std::vector<Load> loads;
    const auto n = stream.between(1, 30);
    double sum = 0;
    std::int64_t T = 1;
    const std::uint64_t unit = round % 3 == 0 ? 1 : 1'000'000;  // any ns, or whole ms with a small common multiple
    for (std::uint64_t i = 0; i < n; ++i) {
      if (i % 3 == 0) T = static_cast<std::int64_t>(unit * stream.between(1'000'000 / unit + 1, 200'000'000 / unit));
      Load load{round % 2 == 0 ? 1 : static_cast<std::int64_t>(stream.between(1, 100'000)), T, 1, T, 0};
      load.x = static_cast<std::int64_t>(stream.between(1, static_cast<std::uint64_t>(T)));
      sum += static_cast<double>(load.k) * static_cast<double>(load.x) / static_cast<double>(load.T);
      loads.push_back(load);
    }
    const auto parts = static_cast<std::int64_t>(stream.between(1, 1000));
    const Fraction target{static_cast<std::int64_t>(sum * static_cast<double>(parts)) + 1, parts};
    if (make_total_exact(loads, target, stream.below(n))) check_exact(loads, target);
  }
}
