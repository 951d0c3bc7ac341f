#include "rta/generate/fixed_sum.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include "generate/statistics.hpp"

using namespace rta::generate;

namespace {

constexpr int samples = 20'000;

// Distribution function of the sum of n uniform numbers in [0, 1] (Irwin, Hall).
double irwin_hall(int n, double x) {
  if (x <= 0) return 0;
  if (x >= n) return 1;
  double sum = 0;
  double binomial = 1;
  for (int k = 0; k <= static_cast<int>(x); ++k) {
    sum += (k % 2 == 0 ? 1 : -1) * binomial * std::pow(x - k, n);
    binomial = binomial * (n - k) / (k + 1);
  }
  for (int k = 2; k <= n; ++k) sum /= k;
  return sum;
}

// P(x_1 <= x) for x uniform on { x in [0, 1]^n : sum x = s }.
double cube_slice_marginal(int n, double s, double x) {
  const double all = irwin_hall(n - 1, s) - irwin_hall(n - 1, s - 1);
  return (irwin_hall(n - 1, s) - irwin_hall(n - 1, s - x)) / all;
}

// Counts of one coordinate in 20 bins of [0, width] against the distribution function. Bins that expect fewer than 5 are joined.
void check_marginal(const std::vector<double>& values, double width, const std::function<double(double)>& distribution) {
  constexpr int bins = 20;
  std::vector<double> count(1), expected(1);
  std::vector<double> raw(bins);
  for (double v : values) ++raw[static_cast<std::size_t>(std::clamp(static_cast<int>(v / width * bins), 0, bins - 1))];
  for (int b = 0; b < bins; ++b) {
    if (expected.back() >= 5) {
      count.push_back(0);
      expected.push_back(0);
    }
    count.back() += raw[static_cast<std::size_t>(b)];
    expected.back() += static_cast<double>(values.size()) * (distribution(width * (b + 1) / bins) - distribution(width * b / bins));
  }
  if (expected.back() < 5 && expected.size() > 1) {
    expected[expected.size() - 2] += expected.back();
    count[count.size() - 2] += count.back();
    expected.pop_back();
    count.pop_back();
  }
  REQUIRE(expected.size() > 1);
  CHECK(chi_square(count, expected) < chi_square_limit(count.size() - 1));
}

}  // namespace

TEST_CASE("RandFixedSum: sums, ranges and marginals of every coordinate") {
  for (const auto& slice_of : {std::pair{2, 0.7}, {3, 1.5}, {5, 2.3}, {5, 0.4}, {5, 4.9}, {8, 4.0}, {10, 1.0}}) {
    const int n = slice_of.first;
    const double s = slice_of.second;
    CAPTURE(n);
    CAPTURE(s);
    const RandFixedSum slice(static_cast<std::size_t>(n), s);
    Stream stream({23, static_cast<std::uint64_t>(n), 0}, Stage::cpu_utilization);
    std::vector<double> x(static_cast<std::size_t>(n));
    std::vector<double> first, last;
    for (int i = 0; i < samples; ++i) {
      slice.draw(stream, x);
      REQUIRE(std::accumulate(x.begin(), x.end(), 0.0) == doctest::Approx(s).epsilon(1e-12));
      REQUIRE(std::all_of(x.begin(), x.end(), [](double u) { return u >= -1e-12 && u <= 1 + 1e-12; }));
      first.push_back(x.front());
      last.push_back(x.back());
    }
    const auto distribution = [n, s](double u) { return cube_slice_marginal(n, s, u); };
    check_marginal(first, 1, distribution);
    check_marginal(last, 1, distribution);
  }
}

// Not only single coordinates: for n = 3 the distribution of max - min is known by area. With s = 3/2 the slice is a regular hexagon with
// centre (1/2, 1/2, 1/2), cut by |x_i - x_j| <= d into a hexagram's hexagon; here simply against a grid integration.
TEST_CASE("RandFixedSum: the spread of three shares") {
  constexpr double s = 1.5;
  const RandFixedSum slice(3, s);
  Stream stream({29, 0, 0}, Stage::cpu_utilization);
  std::vector<double> x(3), spread;
  for (int i = 0; i < samples; ++i) {
    slice.draw(stream, x);
    spread.push_back(*std::max_element(x.begin(), x.end()) - *std::min_element(x.begin(), x.end()));
  }
  std::vector<double> grid;  // midpoints of a fine grid over (x_1, x_2): uniform on the slice
  for (int i = 0; i < 600; ++i) {
    for (int j = 0; j < 600; ++j) {
      const double a = (i + 0.5) / 600;
      const double b = (j + 0.5) / 600;
      const double c = s - a - b;
      if (c >= 0 && c <= 1) grid.push_back(std::max({a, b, c}) - std::min({a, b, c}));
    }
  }
  std::sort(grid.begin(), grid.end());
  check_marginal(spread, 1, [&](double d) {
    return static_cast<double>(std::upper_bound(grid.begin(), grid.end(), d) - grid.begin()) / static_cast<double>(grid.size());
  });
}

TEST_CASE("RandFixedSum at the corners") {
  Stream stream({31, 0, 0}, Stage::cpu_utilization);
  std::vector<double> x(4);
  RandFixedSum(4, 0).draw(stream, x);
  for (double u : x) CHECK(u == 0);
  RandFixedSum(4, 4).draw(stream, x);
  for (double u : x) CHECK(u == doctest::Approx(1).epsilon(1e-15));
  std::vector<double> one(1);
  RandFixedSum(1, 0.3).draw(stream, one);
  CHECK(one[0] == 0.3);
}

TEST_CASE("RandFixedSum of 1000 shares neither overflows nor underflows") {
  for (double s : {0.5, 10.0, 500.0, 999.5}) {
    const RandFixedSum slice(1000, s);
    Stream stream({37, 0, 0}, Stage::cpu_utilization);
    std::vector<double> x(1000);
    for (int i = 0; i < 20; ++i) {
      slice.draw(stream, x);
      CHECK(std::accumulate(x.begin(), x.end(), 0.0) == doctest::Approx(s).epsilon(1e-10));
      CHECK(std::all_of(x.begin(), x.end(), [](double u) { return u >= -1e-9 && u <= 1 + 1e-9; }));
    }
  }
}

// Sums so small that hardly a share comes near 1: spacings of [0, s], of which each has P(x <= t) = 1 - (1 - t/s)^(n-1); sums near n
// mirrored.
TEST_CASE("RandFixedSum of hundreds of shares: small and large sums") {
  struct Slice {
    std::size_t n;
    double s;
  };
  for (const Slice& of : {Slice{250, 0.5}, Slice{250, 1.0}, Slice{300, 2.0}, Slice{250, 249.0}, Slice{250, 249.5}}) {
    CAPTURE(of.n);
    CAPTURE(of.s);
    const double n = static_cast<double>(of.n);
    const bool mirrored = of.s > n / 2;
    const double s = mirrored ? n - of.s : of.s;
    const RandFixedSum slice(of.n, of.s);
    Stream stream({39, of.n, 0}, Stage::cpu_utilization);
    std::vector<double> x(of.n);
    std::vector<double> first;
    for (int i = 0; i < samples / 4; ++i) {
      slice.draw(stream, x);
      REQUIRE(std::accumulate(x.begin(), x.end(), 0.0) == doctest::Approx(of.s).epsilon(1e-10));
      first.push_back(mirrored ? 1 - x.front() : x.front());
    }
    const double width = 6 * s / n;
    check_marginal(first, width, [&](double t) { return t >= width ? 1.0 : 1 - std::pow(1 - t / s, n - 1); });
  }
}

// Of n spacings of [0, s] each has P(x <= t) = 1 - (1 - t/s)^(n-1).
TEST_CASE("spacings have UUniFast's marginals") {
  Stream stream({41, 0, 0}, Stage::cpu_utilization);
  std::vector<double> x(6), first, last;
  for (int i = 0; i < samples; ++i) {
    draw_spacings(stream, 2.5, x);
    REQUIRE(std::accumulate(x.begin(), x.end(), 0.0) == doctest::Approx(2.5).epsilon(1e-12));
    first.push_back(x.front());
    last.push_back(x.back());
  }
  const auto distribution = [](double t) { return 1 - std::pow(1 - t / 2.5, 5); };
  check_marginal(first, 2.5, distribution);
  check_marginal(last, 2.5, distribution);
}

TEST_CASE("UUniFast-discard is uniform on the cube's slice too") {
  Stream stream({43, 0, 0}, Stage::cpu_utilization);
  std::vector<double> x(4), first;
  for (int i = 0; i < samples; ++i) {
    REQUIRE(draw_spacings_discard(stream, 1.5, 1, 1000, x));
    first.push_back(x.front());
  }
  check_marginal(first, 1, [](double u) { return cube_slice_marginal(4, 1.5, u); });
  CHECK_FALSE(draw_spacings_discard(stream, 3.999, 1, 100, x));  // probability below 1e-9 a try
}

TEST_CASE("bounded sums agree with RandFixedSum's marginal where all ranges are [0, 1]") {
  for (double s : {0.6, 3.0, 4.0, 6.7}) {
    CAPTURE(s);
    BoundedFixedSum bounded;
    Stream stream({47, 0, 0}, Stage::gpu_utilization);
    const std::vector<double> lower(8, 0.0), upper(8, 1.0);
    std::vector<double> x(8), first, last;
    for (int i = 0; i < samples; ++i) {
      bounded.draw(stream, s, lower, upper, x);
      REQUIRE(std::accumulate(x.begin(), x.end(), 0.0) == doctest::Approx(s).epsilon(1e-12));
      first.push_back(x.front());
      last.push_back(x.back());
    }
    const auto distribution = [s](double u) { return cube_slice_marginal(8, s, u); };
    check_marginal(first, 1, distribution);
    check_marginal(last, 1, distribution);
  }
}

// x_1 in [0, 1], x_2 in [0, 1/2], x_3 in [0.1, 0.35]: given x_1, the others share r = s - x_1 in a segment whose length is the density.
TEST_CASE("bounded sums with three different ranges") {
  const std::vector<double> lower{0, 0, 0.1}, upper{1, 0.5, 0.35};
  for (double s : {0.3, 0.9, 1.0, 1.6}) {
    CAPTURE(s);
    const auto density = [&](double x1) {
      const double r = s - x1;
      return std::max(0.0, std::min(upper[1], r - lower[2]) - std::max(0.0, r - upper[2]));
    };
    constexpr int steps = 20'000;
    std::vector<double> cumulated(steps + 1);
    for (int i = 0; i < steps; ++i)
      cumulated[static_cast<std::size_t>(i) + 1] = cumulated[static_cast<std::size_t>(i)] + density((i + 0.5) / steps);
    BoundedFixedSum bounded;
    Stream stream({53, 0, 0}, Stage::gpu_utilization);
    std::vector<double> x(3), first;
    for (int i = 0; i < samples; ++i) {
      bounded.draw(stream, s, lower, upper, x);
      REQUIRE(x[0] + x[1] + x[2] == doctest::Approx(s).epsilon(1e-12));
      for (std::size_t k = 0; k < 3; ++k) {
        REQUIRE(x[k] >= lower[k] - 1e-12);
        REQUIRE(x[k] <= upper[k] + 1e-12);
      }
      first.push_back(x[0]);
    }
    check_marginal(first, 1, [&](double u) { return cumulated[static_cast<std::size_t>(u * steps)] / cumulated.back(); });
  }
}

TEST_CASE("bounded sums at the corners, with empty ranges and in many dimensions") {
  BoundedFixedSum bounded;
  Stream stream({59, 0, 0}, Stage::gpu_utilization);
  std::vector<double> x(3);
  bounded.draw(stream, 0.6, std::vector{0.1, 0.2, 0.3}, std::vector{1.0, 1.0, 1.0}, x);
  CHECK(x == std::vector{0.1, 0.2, 0.3});
  bounded.draw(stream, 1.0, std::vector{0.0, 0.25, 0.0}, std::vector{1.0, 0.25, 1.0}, x);
  CHECK(x[1] == doctest::Approx(0.25));
  CHECK(x[0] + x[1] + x[2] == doctest::Approx(1.0));
  for (double s : {1e-3, 1.0, 700.0, 1999.0, 2099.0}) {
    std::vector<double> lower(2000, 0.0), upper(2000, 1.0), many(2000);
    for (std::size_t i = 0; i < 100; ++i) upper[i] = 2;
    bounded.draw(stream, s, lower, upper, many);
    CHECK(std::accumulate(many.begin(), many.end(), 0.0) == doctest::Approx(s).epsilon(1e-10));
    CHECK(std::all_of(many.begin(), many.end(), [](double u) { return u >= -1e-12; }));
  }
}
