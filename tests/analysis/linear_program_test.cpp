#include "analysis/lp/linear_program.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "analysis/lp/sparse_cholesky.hpp"

namespace {

using rta::analysis::LinearProgram;
using rta::analysis::SparseCholesky;
using Method = LinearProgram::Method;

constexpr double infinity = std::numeric_limits<double>::infinity();

bool near(double value, double expected) { return std::abs(value - expected) < 1e-6 * (1 + std::abs(expected)); }

bool solved(LinearProgram& lp, Method method) { return lp.solve({method, true, std::nullopt}); }

std::vector<double> product(std::size_t n, const std::vector<std::vector<double>>& A, const std::vector<double>& x) {
  std::vector<double> b(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) b[i] += A[i][j] * x[j];
  }
  return b;
}

}  // namespace

TEST_CASE("Cholesky: a hand-worked system, and one that would fill up") {
  // (4 2 0; 2 5 2; 0 2 5) (1, 2, 3) = (8, 18, 19).
  const std::vector<std::pair<int, int>> pairs{{0, 1}, {2, 1}, {1, 0}};
  auto cholesky = SparseCholesky::of(3, pairs, 100);
  REQUIRE(cholesky);
  for (const auto& [i, value] : std::vector<std::pair<int, double>>{{0, 4}, {1, 5}, {2, 5}})
    cholesky->values()[cholesky->slot(i, i)] = value;
  cholesky->values()[cholesky->slot(1, 0)] += 2;
  cholesky->values()[cholesky->slot(1, 2)] += 2;
  cholesky->factorise();
  std::vector<double> x{8, 18, 19};
  cholesky->solve(x);
  CHECK(near(x[0], 1));
  CHECK(near(x[1], 2));
  CHECK(near(x[2], 3));
  // Five unknowns, each with each: 4 x 7/2 + 3 x 6/2 + 2 x 5/2 + 1 x 4/2 = 30 multiplications.
  std::vector<std::pair<int, int>> all;
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < i; ++j) all.emplace_back(i, j);
  }
  CHECK(SparseCholesky::of(5, all, 30).has_value());
  CHECK(!SparseCholesky::of(5, all, 29).has_value());
}

TEST_CASE("Cholesky: random systems") {
  std::mt19937_64 random(3);
  for (int round = 0; round < 50; ++round) {
    const std::size_t n = 1 + random() % 20;
    std::vector<std::vector<double>> A(n, std::vector<double>(n));
    std::vector<std::pair<int, int>> pairs;
    for (std::size_t i = 0; i < n; ++i) {
      A[i][i] = 20;
      for (std::size_t j = 0; j < i; ++j) {
        if (random() % 4 != 0) continue;
        A[i][j] = A[j][i] = static_cast<double>(random() % 200) / 100 - 1;
        pairs.emplace_back(static_cast<int>(i), static_cast<int>(j));
      }
    }
    auto cholesky = SparseCholesky::of(n, pairs, 1e9);
    REQUIRE(cholesky);
    for (int again = 0; again < 2; ++again) {  // the values change, the pattern stays
      cholesky->clear();
      for (std::size_t i = 0; i < n; ++i) cholesky->values()[cholesky->slot(static_cast<int>(i), static_cast<int>(i))] = A[i][i] += 1;
      for (const auto& [i, j] : pairs)
        cholesky->values()[cholesky->slot(i, j)] = A[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
      cholesky->factorise();
      std::vector<double> x(n);
      for (double& value : x) value = static_cast<double>(random() % 100);
      auto b = product(n, A, x);
      cholesky->solve(b);
      for (std::size_t i = 0; i < n; ++i) CHECK(std::abs(b[i] - x[i]) < 1e-9);
    }
  }
}

TEST_CASE("linear programs by hand, by every method") {
  for (const Method method : {Method::primal, Method::dual, Method::interior}) {
    CAPTURE(static_cast<int>(method));
    {  // x + 2y, x + y >= 4, x <= 3: (3, 1).
      LinearProgram lp;
      const int x = lp.column(0, 3, 1), y = lp.column(0, infinity, 2);
      lp.term(x, 1);
      lp.term(y, 1);
      lp.row(4, infinity);
      REQUIRE(solved(lp, method));
      CHECK(near(lp.value(x), 3));
      CHECK(near(lp.value(y), 1));
    }
    {  // 2a + b, a + b = 10, b <= 6: (4, 6).
      LinearProgram lp;
      const int a = lp.column(0, 10, 2), b = lp.column(0, 6, 1);
      lp.term(a, 1);
      lp.term(b, 1);
      lp.row(10, 10);
      REQUIRE(solved(lp, method));
      CHECK(near(lp.value(a), 4));
      CHECK(near(lp.value(b), 6));
    }
    {  // -x - y, x + 2y <= 4, 3x + y <= 6: where both are full, (1.6, 1.2).
      LinearProgram lp;
      const int x = lp.column(0, infinity, -1), y = lp.column(0, infinity, -1);
      lp.term(x, 1);
      lp.term(y, 2);
      lp.row(-infinity, 4);
      lp.term(x, 3);
      lp.term(y, 1);
      lp.row(-infinity, 6);
      REQUIRE(solved(lp, method));
      CHECK(near(lp.value(x), 1.6));
      CHECK(near(lp.value(y), 1.2));
    }
    {  // z >= x - 3 and z >= 5 - x: the least z is 1, at x = 4.
      LinearProgram lp;
      const int z = lp.column(-infinity, infinity, 1), x = lp.column(0, infinity);
      lp.term(z, 1);
      lp.term(x, -1);
      lp.row(-3, infinity);
      lp.term(z, 1);
      lp.term(x, 1);
      lp.row(5, infinity);
      REQUIRE(solved(lp, method));
      CHECK(near(lp.value(z), 1));
      CHECK(near(lp.value(x), 4));
    }
  }
}

TEST_CASE("the interior point method says no") {
  LinearProgram two_ends;
  two_ends.term(two_ends.column(0, 10, 1), 1);
  two_ends.row(2, 3);
  CHECK(!solved(two_ends, Method::interior));
  CHECK(solved(two_ends, Method::dual));
  LinearProgram no_room;
  no_room.term(no_room.column(2, 2, 1), 1);
  no_room.row(1, infinity);
  CHECK(!solved(no_room, Method::interior));
  LinearProgram impossible;
  impossible.term(impossible.column(0, 1, 1), 1);
  impossible.row(2, infinity);
  CHECK(!solved(impossible, Method::interior));
  LinearProgram endless;
  endless.term(endless.column(0, infinity, -1), 1);
  endless.row(2, infinity);
  CHECK(!solved(endless, Method::interior));
  // x_i + x_(i+1) >= 1: some steps from where all are 0.
  LinearProgram chain;
  std::vector<int> x;
  x.reserve(10);
  for (int i = 0; i < 10; ++i) x.push_back(chain.column(0, infinity, 1));
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    chain.term(x[i], 1);
    chain.term(x[i + 1], 1);
    chain.row(1, infinity);
  }
  CHECK(!chain.solve({Method::primal, false, 1}));
  CHECK(chain.gave_up());
  CHECK(chain.solve({Method::primal, false, 1'000}));
  CHECK(!chain.gave_up());
}

// Blocks of precedence that one column and one row couple, as T2's.
TEST_CASE("the interior point method finds the simplex method's optimum") {
  std::mt19937_64 random(5);
  const auto draw = [&](double from, double to) { return std::uniform_real_distribution(from, to)(random); };
  for (int round = 0; round < 30; ++round) {
    LinearProgram lp;
    const int B = lp.column(0, infinity);
    std::vector<int> ends, Y;
    std::vector<double> cost, u;
    double work = 0;
    for (std::size_t d = 0; d < 1 + static_cast<std::size_t>(round); ++d) {
      cost.push_back(std::floor(draw(1, 4)));
      ends.push_back(lp.column(0, infinity, cost.back()));
      const double T = draw(10, 100);
      std::vector<int> start, point;
      for (std::size_t v = 0; v < 6; ++v) {
        start.push_back(lp.column(0, infinity));
        point.push_back(lp.column(0, T));
        u.push_back(draw(0, .2));
        work += u.back() * T;
      }
      for (std::size_t v = 0; v < 6; ++v) {
        for (std::size_t w = v + 1; w <= 6; ++w) {
          if (w < 6 && random() % 2 == 0) continue;
          lp.term(w < 6 ? start[w] : ends.back(), 1);
          lp.term(start[v], -1);
          lp.term(point[v], -1);
          lp.term(B, -1);
          lp.row(draw(0, 5), infinity);
        }
      }
      Y.insert(Y.end(), point.begin(), point.end());
    }
    lp.term(B, 4);
    for (std::size_t i = 0; i < Y.size(); ++i) lp.term(Y[i], u[i]);
    lp.row(work, work);
    const auto value = [&] {
      double sum = 0;
      for (std::size_t d = 0; d < ends.size(); ++d) sum += cost[d] * lp.value(ends[d]);
      return sum;
    };
    REQUIRE(solved(lp, Method::interior));
    const double inside = value();
    REQUIRE(solved(lp, Method::dual));
    CHECK(std::abs(inside - value()) < 1e-7 * value());
  }
}
