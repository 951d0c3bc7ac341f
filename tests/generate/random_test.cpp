#include "rta/generate/random.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <vector>

#include "generate/elementary.hpp"
#include "generate/statistics.hpp"

using namespace rta;
using namespace rta::generate;

TEST_CASE("a stream is a function of seed, point, index and stage alone") {
  Stream a({1, 2, 3}, Stage::periods);
  Stream b({1, 2, 3}, Stage::periods);
  for (int i = 0; i < 100; ++i) CHECK(a() == b());
}

// Philox4x64-10 of Random123's known answers: counter and key all zero.
TEST_CASE("the generator is Philox 4x64-10") {
  Stream s({0, 0, 0}, Stage::sizes);
  CHECK(s() == 0x16554d9eca36314cULL);
  CHECK(s() == 0xdb20fe9d672d0fdcULL);
  CHECK(s() == 0xd7e772cee186176bULL);
  CHECK(s() == 0x7e68b68aec7ba23bULL);
}

TEST_CASE("streams of neighbouring ids share no number") {
  std::set<std::uint64_t> seen;
  std::size_t drawn = 0;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    for (std::uint64_t point = 0; point < 4; ++point) {
      for (std::uint64_t index = 0; index < 4; ++index) {
        for (Stage stage : {Stage::sizes, Stage::blocks}) {
          for (std::uint32_t attempt = 0; attempt < 2; ++attempt) {
            Stream s({seed, point, index}, stage, attempt);
            for (int i = 0; i < 16; ++i, ++drawn) seen.insert(s());
          }
        }
      }
    }
  }
  CHECK(seen.size() == drawn);
}

TEST_CASE("below(n) is uniform") {
  Stream s({7, 0, 0}, Stage::sizes);
  for (std::uint64_t n : {2ULL, 3ULL, 10ULL, 37ULL}) {
    std::vector<double> count(n), expected(n, 20'000.0 / static_cast<double>(n));
    for (int i = 0; i < 20'000; ++i) ++count[s.below(n)];
    CHECK(chi_square(count, expected) < chi_square_limit(n - 1));
  }
  CHECK(s.below(1) == 0);
  // 3 2^62: without rejection the values of the last quarter would never be hit twice as often as they should.
  std::vector<double> thirds(3);
  for (int i = 0; i < 30'000; ++i) ++thirds[s.below(3ULL << 62) >> 62];
  CHECK(chi_square(thirds, {10'000, 10'000, 10'000}) < chi_square_limit(2));
}

TEST_CASE("log_uniform draws x with probability proportional to 1/x") {
  Stream s({11, 0, 0}, Stage::periods);
  const std::uint64_t low = 3;
  const std::uint64_t high = 40;
  double norm = 0;
  for (std::uint64_t x = low; x <= high; ++x) norm += 1.0 / static_cast<double>(x);
  std::vector<double> count(high - low + 1), expected;
  for (std::uint64_t x = low; x <= high; ++x) expected.push_back(50'000 / static_cast<double>(x) / norm);
  for (int i = 0; i < 50'000; ++i) {
    const std::uint64_t x = s.log_uniform(low, high);
    REQUIRE(x >= low);
    REQUIRE(x <= high);
    ++count[x - low];
  }
  CHECK(chi_square(count, expected) < chi_square_limit(high - low));
  CHECK(s.log_uniform(5, 5) == 5);
}

TEST_CASE("a choice follows its weights") {
  Stream s({13, 0, 0}, Stage::blocks);
  const Choice<int> choice({{1, 5}, {2, 0}, {3, 3}, {4, 2}});
  std::vector<double> count(3);
  for (int i = 0; i < 10'000; ++i) {
    const int v = choice.draw(s);
    REQUIRE(v != 2);
    ++count[v == 1 ? 0 : static_cast<std::size_t>(v - 2)];
  }
  CHECK(chi_square(count, {5'000, 3'000, 2'000}) < chi_square_limit(2));
}

TEST_CASE("chance is exact at its ends") {
  Stream s({17, 0, 0}, Stage::shapes);
  for (int i = 0; i < 100; ++i) {
    CHECK(s.chance({1, 1}));
    CHECK_FALSE(s.chance({0, 5}));
  }
}

TEST_CASE("ln and exp agree with libm to 1e-15") {
  Stream s({19, 0, 0}, Stage::sizes);
  for (int i = 0; i < 20'000; ++i) {
    const double r = s.real();
    CHECK(std::abs(natural_log(r) - std::log(r)) <= 1e-15 * std::abs(std::log(r)));
    const double x = 1200 * (r - 0.5);
    CHECK(std::abs(exponential(x) - std::exp(x)) <= 1e-15 * std::exp(x));
  }
  CHECK(natural_log(1.0) == 0.0);
  CHECK(exponential(0.0) == 1.0);
}

TEST_CASE("numbers that nobody looks at are counted, however many there are") {
  for (std::size_t skipped = 0; skipped < 40; ++skipped) {
    for (std::size_t before = 0; before < 12; ++before) {
      Stream all({1, 2, 3}, Stage::sizes);
      Stream some({1, 2, 3}, Stage::sizes);
      for (std::size_t i = 0; i < before; ++i) CHECK_EQ(all(), some());
      for (std::size_t i = 0; i < skipped; ++i) {
        all();
        CHECK_EQ(some.between(7, 7), 7);
      }
      for (std::size_t i = 0; i < 12; ++i) CHECK_EQ(all(), some());
    }
  }
}

TEST_CASE("log-uniform numbers are the same one after the other and together") {
  const std::pair<std::uint64_t, std::uint64_t> ranges[] = {{1, 1}, {5, 9}, {1, 1000}, {10'000, 100'000}, {3, std::uint64_t{1} << 61}};
  for (const auto& [low, high] : ranges) {
    for (const std::size_t n : {0U, 1U, 2U, 7U, 500U}) {
      Stream one({4, 5, 6}, Stage::periods);
      Stream together({4, 5, 6}, Stage::periods);
      std::vector<std::uint64_t> drawn(n);
      together.log_uniform(low, high, drawn);
      for (const std::uint64_t x : drawn) CHECK_EQ(x, one.log_uniform(low, high));
      CHECK_EQ(together(), one());
    }
  }
}
