#include "rta/analysis/gpu/weights.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <vector>

using namespace rta;
using namespace rta::analysis::fifo;

namespace {

Amounts block(std::uint64_t threads) {
  Amounts a;
  a[Resource::threads] = threads;
  a[Resource::block_slots] = 1;
  return a;
}

Sm threads_only(std::uint64_t m, std::vector<Amounts> demand) {
  Amounts capacity = block(m);
  capacity[Resource::block_slots] = m;
  return {capacity, std::move(demand)};
}

}  // namespace

// m = 8, H = 5 and 3: one block of 5, or two of 3, block the SM. Occupancy guarantees 5 of 8 G-threads; weights 1 and 1/2 are as safe and
// let two blocks of 3 do the work of one SM, 6 G-threads.
TEST_CASE("weights as fractions are found exactly") {
  const Sm sm = threads_only(8, {block(3), block(5)});
  const auto occupancy = occupancy_weights(sm);
  REQUIRE(occupancy);
  CHECK(occupancy->guaranteed == 5);
  const std::vector<double> w{0.5, 1.0};
  const auto exact = exact_weights(sm, w);
  REQUIRE(exact);
  CHECK(exact->density == std::vector<Wide>{5, 6});  // 3 x 5 / 30 = 1/2, 5 x 6 / 30 = 1
  CHECK(exact->guaranteed == 30);
  // The load is all blocks of 3: the program finds 1/2 for them.
  WeightProgram program(sm, std::vector<double>{2, 0}, 1, std::vector<double>{1, 1});
  const auto least = program.least_load();
  REQUIRE(least);
  CHECK((*least)[0] == doctest::Approx(0.5));
}

TEST_CASE("whatever the search says, the integers are safe") {
  const Sm sm = threads_only(8, {block(3), block(5)});
  // Far too small: scaled by what they guarantee, they are the same weights.
  const auto small = exact_weights(sm, std::vector<double>{0.05, 0.1});
  REQUIRE(small);
  CHECK(small->density == std::vector<Wide>{5, 6});
  CHECK(small->guaranteed == 30);
  CHECK_FALSE(exact_weights(sm, std::vector<double>{0, 1}));  // two blocks of 3 block and weigh nothing
  CHECK_FALSE(exact_weights(sm, std::vector<double>{-1, -1}));
  CHECK_FALSE(exact_weights(sm, std::vector<double>{std::nan(""), 1}));
  CHECK_FALSE(exact_weights(sm, std::vector<double>{INFINITY, 1}));
  // No small fraction: rounded.
  const auto rounded = exact_weights(sm, std::vector<double>{std::sqrt(0.5), 1});
  REQUIRE(rounded);
  CHECK(static_cast<double>(rounded->density[0] * 3) / static_cast<double>(rounded->guaranteed) == doctest::Approx(std::sqrt(0.5)));
}

TEST_CASE("the program's weights satisfy every blocking configuration") {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> load(0, 3);
  for (int round = 0; round < 200; ++round) {
    std::vector<Amounts> demand;
    std::vector<double> loads, longest;
    const int n = 1 + static_cast<int>(random() % 6);
    for (int c = 0; c < n; ++c) {
      demand.push_back(block(1 + random() % 64));
      loads.push_back(load(random));
      longest.push_back(1.0 / (c + 1));
    }
    const Sm sm = threads_only(64, demand);
    WeightProgram program(sm, loads, 1000, longest);
    for (const double per_K : {0.0, 3.0}) {
      const auto w = program.minimise(loads, per_K, per_K / 3);
      REQUIRE(w);
      CHECK(sm.least_blocking<double>(*w)->value >= 1 - 1e-6);
    }
  }
}

TEST_CASE("no weights carry more than the SMs hold") {
  const Sm sm = threads_only(8, {block(3), block(5)});
  const std::vector<double> load{0, 2};  // two SMs full of blocks of 5
  WeightProgram one(sm, load, 1, std::vector<double>{1, 1});
  CHECK_FALSE(one.minimise(load));
  WeightProgram two(sm, load, 2, std::vector<double>{1, 1});
  CHECK(two.minimise(load));
}
