// T10 as a test against hand-worked numbers and against T10's bounds.
#include "rta/analysis/path/quick_deadlines.hpp"

#include <doctest/doctest.h>

#include <random>
#include <vector>

#include "rta/analysis/path/path.hpp"

namespace {

using namespace rta::analysis::path;
using rta::Time;

/// A chain of nodes of those lengths, as the test takes it and as the bounds do.
void add_chain(const std::vector<std::int64_t>& C, std::int64_t T, std::int64_t Y, std::int64_t limit, System& system,
               std::vector<WholeDag>& dags) {
  Dag& dag = system.dags.emplace_back();
  dag.T = Time(T);
  dag.Y = Time(Y);
  std::int64_t sum = 0;
  for (std::size_t v = 0; v < C.size(); ++v) {
    dag.nodes.push_back({0, Time(C[v]), C[v], C[v], {}});
    if (v > 0) dag.edges.push_back({v - 1, v});
    sum += C[v];
  }
  dags.push_back({.T = T, .Y = Y, .limit = limit, .length = sum, .volume = sum});
}

}  // namespace

TEST_CASE("T10 as a test: two chains of 6, T = 20, on one FIFO processor end by 18") {
  // R = 6 + ceil(2 R/20) 6: 6, 12, 18, and ceil(36/20) = 2.
  std::vector<WholeDag> dags(2, {.T = 20, .Y = 0, .limit = 18, .length = 6, .volume = 6});
  std::vector<std::int64_t> R;
  REQUIRE(ends_within_limits(dags, 1, Order::fifo, R));
  CHECK(R == std::vector<std::int64_t>{18, 18});
  dags[1].limit = 17;
  CHECK_FALSE(ends_within_limits(dags, 1, Order::fifo, R));
}

TEST_CASE("T10 as a test: what is less urgent counts only as far as it was released before") {
  // m = 2, T = Y = 10 and 40, of 4 and 6 in all, longest paths 2 and 3. First: (2 + 4)/2 = 3, and of the second ceil((R' + 10 - 40)/40) =
  // 0. Second: (3 + 6 + 4 ceil((3 + R')/10))/2: 3 gives 6.5, 7; 7 gives 6.5. Rounded up, 7.
  std::vector<WholeDag> dags{{.T = 10, .Y = 10, .limit = 10, .length = 2, .volume = 4},
                             {.T = 40, .Y = 40, .limit = 40, .length = 3, .volume = 6}};
  std::vector<std::int64_t> R;
  REQUIRE(ends_within_limits(dags, 2, Order::gel, R));
  CHECK(R == std::vector<std::int64_t>{3, 7});
}

TEST_CASE("T10 as a test: numbers out of range are not known") {
  constexpr std::int64_t large = std::int64_t{1} << 57;
  std::vector<std::int64_t> R;
  const std::vector<WholeDag> fits{{.T = large - 1, .Y = 0, .limit = large - 1, .length = 1, .volume = 1}};
  CHECK(ends_within_limits(fits, 1, Order::gel, R));
  CHECK_FALSE(ends_within_limits(std::vector<WholeDag>{{.T = large, .Y = 0, .limit = 9, .length = 1, .volume = 1}}, 1, Order::gel, R));
  CHECK_FALSE(ends_within_limits(std::vector<WholeDag>{{.T = 9, .Y = -large, .limit = 9, .length = 1, .volume = 1}}, 1, Order::gel, R));
  CHECK_FALSE(ends_within_limits(std::vector<WholeDag>{{.T = 9, .Y = 0, .limit = 9, .length = 10, .volume = 10}}, 1, Order::gel, R));
}

TEST_CASE("T10 as a test: the same as T10's bounds") {
  std::mt19937 random(1);
  const auto draw = [&](std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(high - low + 1));
  };
  int met = 0;
  int missed = 0;
  for (int i = 0; i < 3'000; ++i) {
    const Order order = i % 2 == 0 ? Order::gel : Order::fifo;
    System system;
    system.pools.push_back({"cpu", order, static_cast<std::uint32_t>(draw(1, 4)), 1, true});
    std::vector<WholeDag> dags;
    for (std::int64_t d = draw(1, 5); d > 0; --d) {
      std::vector<std::int64_t> C;
      for (std::int64_t v = draw(1, 4); v > 0; --v) C.push_back(draw(1, 9));
      const std::int64_t T = draw(15, 90);
      add_chain(C, T, draw(-20, 90), draw(1, 3) * T, system, dags);
    }
    std::vector<std::int64_t> R;
    const bool within = ends_within_limits(dags, system.pools[0].capacity, order, R);
    const auto proven = bounds(system);
    bool expected = static_cast<bool>(proven);
    for (std::size_t d = 0; expected && d < dags.size(); ++d) expected = proven->R[d].count() <= dags[d].limit;
    REQUIRE(within == expected);
    (within ? met : missed) += 1;
    for (std::size_t d = 0; within && d < dags.size(); ++d) CHECK(R[d] == proven->R[d].count());
  }
  CHECK(met > 500);
  CHECK(missed > 500);
}
