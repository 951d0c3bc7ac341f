// The checker's numbers, digests and staircases.
#include "checker/number.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "checker/sha256.hpp"
#include "checker/staircase.hpp"

namespace {

using checker::Int;

TEST_CASE("numbers that leave 128 bits are refused, never wrapped") {
  const Int most = (Int(1) * (Int::Raw{1} << 126) - 1) * 2 + 1;
  CHECK(to_string(most) == "170141183460469231731687303715884105727");
  CHECK_THROWS_AS(static_cast<void>(most + 1), checker::OutOfRange);
  CHECK_THROWS_AS(static_cast<void>(-most - 2), checker::OutOfRange);
  CHECK_THROWS_AS(static_cast<void>(most * 2), checker::OutOfRange);
  CHECK_THROWS_AS(static_cast<void>(checker::to_int("170141183460469231731687303715884105728")), checker::OutOfRange);
  CHECK(checker::to_int("-170141183460469231731687303715884105727") == -most);
}

TEST_CASE("divisions round the way that their names say") {
  CHECK(checker::floor_div(7, 2) == Int(3));
  CHECK(checker::floor_div(-7, 2) == Int(-4));
  CHECK(checker::ceil_div(7, 2) == Int(4));
  CHECK(checker::ceil_div(-7, 2) == Int(-3));
  CHECK(checker::ceil_mul_div(7, 10, 3) == Int(24));  // 70/3 = 23 1/3
  CHECK(checker::ceil_mul_div(-7, 10, 3) == Int(-23));
}

TEST_CASE("a product that leaves 128 bits is divided all the same, rounded up") {
  const Int far = Int::Raw{1} << 110;
  // (2^110 - 1) (2^40 + 1)/2^110 = 2^40 + 1 - (2^40 + 1)/2^110: rounded up 2^40 + 1. With a = 2^109: 2^39 + 1/2.
  CHECK(checker::ceil_mul_div(far - 1, (Int::Raw{1} << 40) + 1, far) == Int((Int::Raw{1} << 40) + 1));
  CHECK(checker::ceil_mul_div(Int::Raw{1} << 109, (Int::Raw{1} << 40) + 1, far) == Int((Int::Raw{1} << 39) + 1));
  CHECK(checker::ceil_mul_div(far * 3, (Int::Raw{1} << 40) + 1, far) == Int(3 * ((Int::Raw{1} << 40) + 1)));
}

TEST_CASE("loads are compared exactly at a capacity") {
  checker::Load third;
  for (int i = 0; i < 3; ++i) third.add(1, 3);
  CHECK(third.at_most(1));
  CHECK_FALSE(third.above(1));
  third.add(1, 1'000'000'000);
  CHECK_FALSE(third.at_most(1));
  CHECK(third.above(1));
  CHECK(third.ceil_times(3) == Int(4));
}

TEST_CASE("loads that leave 128 bits are rounded up") {
  // 2^108/3 + 2^108/1000003: in parts of 1/3000009 the first alone is 2^108 x 1000003, above 2^127.
  checker::Load load;
  const Int far = Int::Raw{1} << 108;
  load.add(far, 3);
  load.add(far, 1'000'003);
  const Int sum = ceil_div(far, 3) + ceil_div(far, 1'000'003);
  CHECK(load.at_most(sum));
  CHECK_FALSE(load.at_most(sum - 2));
  CHECK(load.above(sum - 3));
  CHECK_FALSE(load.above(sum));
}

TEST_CASE("fractions are compared exactly, whatever their products") {
  const Int far = Int::Raw{1} << 120;
  CHECK(checker::at_most({far, far + 1}, {far + 1, far + 2}));
  CHECK_FALSE(checker::at_most({far + 1, far + 2}, {far, far + 1}));
  CHECK(checker::at_most({far, 3}, {far, 3}));
  CHECK(checker::at_most({-7, 3}, {-2, 1}));  // -2 1/3
  CHECK_FALSE(checker::at_most({-2, 1}, {-7, 3}));
}

TEST_CASE("SHA-256 of the standard's examples") {
  CHECK(checker::sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(checker::sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(checker::sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST_CASE("a staircase is the sum of its nodes' jobs, whatever the instant") {
  // F = 0, 3, 10, 25 with vol 1, 2, 4, 8 and T = 10: compared with the definition at every x.
  const std::vector<std::pair<int, int>> nodes{{0, 1}, {3, 2}, {10, 4}, {25, 8}};
  checker::Staircase stairs(10);
  for (const auto& [F, vol] : nodes) stairs.add(F, vol);
  stairs.finish();
  for (int x = -60; x <= 60; ++x) {
    int sum = 0;
    for (const auto& [F, vol] : nodes) sum += vol * std::max(0, (F + x + 9 + 100) / 10 - 10);
    CAPTURE(x);
    CHECK(stairs(x) == Int(sum));
  }
}

}  // namespace
