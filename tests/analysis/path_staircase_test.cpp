// Staircases against their definition.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "analysis/path/system/staircase.hpp"

namespace {

using namespace rta::analysis::path;

TEST_CASE("a staircase is the same at few points far apart and at many close together") {
  Class c;
  c.T = 10;
  c.pool_of = {0, 0, 0, 0};
  c.vol = {Tick(1), Tick(2), Tick(4), Tick(8)};
  c.e = c.vol;
  Staircase stairs(c, 0);
  const std::vector<std::int64_t> F{0, 3, 10, 25};
  stairs.set(F);
  const auto work = [&](std::int64_t x) {
    std::int64_t sum = 0;
    for (std::size_t u = 0; u < F.size(); ++u) sum += (F[u] + x + 9) / 10 * c.vol[u].count();
    return sum;
  };
  for (const std::int64_t apart : {1, 7, 10, 50, 333}) {
    for (const std::int64_t cap : {std::int64_t{0}, std::int64_t{12}, std::int64_t{101}, std::int64_t{5'000}}) {
      std::vector<std::int64_t> points;
      for (std::int64_t i = 0; i < 12; ++i) points.push_back(3 + i * apart);
      std::vector<Tick> sums(points.size());
      stairs.add(3, points, cap, sums);
      std::partial_sum(sums.begin(), sums.end(), sums.begin());
      for (std::size_t i = 0; i < points.size(); ++i) {
        CAPTURE(points[i]);
        CAPTURE(cap);
        CHECK(sums[i].count() == 3 * work(std::min(points[i], cap)));
      }
    }
  }
}

}  // namespace
