#include "sweep/summary.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace rta::generate;
using namespace rta::sweep;

// Newcombe (1998), table I, method 3 (without continuity correction): 81/263, 15/148, 0/20, 1/29.
TEST_CASE("Wilson's interval: published examples") {
  const auto near = [](std::pair<double, double> interval, double low, double high) {
    CHECK(std::abs(interval.first - low) < 5e-5);
    CHECK(std::abs(interval.second - high) < 5e-5);
  };
  near(wilson_interval(81, 263), 0.2553, 0.3662);
  near(wilson_interval(15, 148), 0.0624, 0.1605);
  near(wilson_interval(0, 20), 0.0, 0.1611);
  near(wilson_interval(1, 29), 0.0061, 0.1718);
  CHECK(wilson_interval(20, 20).second == 1.0);
}

TEST_CASE("quantiles are at most 1/512 above the truth, never below") {
  Stream stream({5, 0, 0}, Stage::sizes);
  for (std::uint64_t high : {2'000ULL, 1'000'000'000ULL, 1ULL << 61}) {
    std::vector<std::uint64_t> values;
    Distribution d;
    for (int i = 0; i < 3001; ++i) {
      values.push_back(stream.log_uniform(1, high));
      d.add(values.back());
    }
    std::sort(values.begin(), values.end());
    for (const std::uint32_t q : {1'000U, 50'000U, 500'000U, 950'000U, 999'000U, 1'000'000U}) {
      const std::size_t rank = (std::size_t{q} * 3001 + 999'999) / 1'000'000;
      const std::uint64_t truth = values[rank - 1];
      CHECK(d.quantile(q) >= truth);
      CHECK(static_cast<double>(d.quantile(q)) <= static_cast<double>(truth) * (1 + 1.0 / 512));
    }
    CHECK(d.quantile(1'000'000) == values.back());
    CHECK(d.max() == values.back());
  }
}
