// T10n on one pool from flat arrays: against numbers by hand, and against the bounds of the same systems.
#include "rta/analysis/path/one_pool.hpp"

#include <doctest/doctest.h>

#include <random>
#include <vector>

#include "rta/analysis/path/path.hpp"

namespace {

using namespace rta::analysis::path;
using rta::Time;
using Found = OnePool::Found;

struct Drawn {
  System system;
  std::vector<OnePool::Sporadic> sporadic;
  std::vector<std::vector<std::int64_t>> C;
};

Found solve(const Drawn& drawn, std::vector<std::int64_t>& R) {
  OnePool pool;
  pool.clear(drawn.system.pools.front().capacity, drawn.system.pools.front().order);
  for (std::size_t d = 0; d < drawn.C.size(); ++d) pool.add(drawn.sporadic[d], drawn.C[d], drawn.system.dags[d].edges);
  return pool.solve(R);
}

constexpr std::int64_t periods = 20;

Drawn random_system(std::mt19937_64& random) {
  const auto within = [&](std::int64_t a, std::int64_t b) { return std::uniform_int_distribution<std::int64_t>(a, b)(random); };
  Drawn drawn;
  Pool& pool = drawn.system.pools.emplace_back();
  pool.order = within(0, 1) == 0 ? Order::fifo : Order::gel;
  pool.capacity = static_cast<std::uint32_t>(within(1, 4));
  const std::int64_t most = within(2, 40);
  for (std::int64_t d = within(1, 6); d > 0; --d) {
    Dag& dag = drawn.system.dags.emplace_back();
    const std::int64_t T = within(1, 4) * within(20, 60);
    const std::int64_t Y = within(-1, 4) * T / 2 - within(0, 30);
    dag.T = Time(T);
    dag.Y = Time(Y);
    auto& C = drawn.C.emplace_back();
    const std::int64_t nodes = within(0, 9) == 0 ? 70 : within(1, 8);
    for (std::int64_t v = 0; v < nodes; ++v) {
      C.push_back(within(0, nodes > 8 ? 2 : most) / 2);
      dag.nodes.push_back({0, Time(C.back()), C.back(), C.back(), {}});
      for (std::int64_t w = 0; w < v; ++w) {
        if (within(0, 3) == 0) dag.edges.push_back({static_cast<std::size_t>(w), static_cast<std::size_t>(v)});
      }
    }
    drawn.sporadic.push_back({.T = T, .Y = Y, .limit = periods * T});
    if (within(0, 4) > 0) continue;
    drawn.system.dags.push_back(Dag(dag));  // a copy
    drawn.C.push_back(std::vector<std::int64_t>(C));
    drawn.sporadic.push_back(drawn.sporadic.back());
  }
  return drawn;
}

}  // namespace

TEST_CASE("T10n on one pool: a fork on two processors beside a less urgent node") {
  // Fork: a = 2, then b = 3 and c = 4; T = Y = 20. Other: 6, T = Y = 40; m = 2. (1): of the other ceil((F + 20 - 40)/40) = 0 jobs. a waits
  // for nothing but the rest, 2: (2 + 2)/2 = 2. b: a and b run, and c beside them: (5 + 9)/2 = 7; c: (6 + 9)/2, 8.
  // Other: (6 + 6 + 2 ceil((2 + x)/20) + 3 ceil((7 + x)/20) + 4 ceil((8 + x)/20))/2 with x = min(F, 20): 6 + 9/2 = 10.5, 11; x = 11: 10.5.
  Drawn drawn;
  drawn.system.pools.push_back({.name = "cpu", .order = Order::gel, .capacity = 2});
  drawn.system.dags.resize(2);
  drawn.system.dags[0].edges = {{0, 1}, {0, 2}};
  drawn.C = {{2, 3, 4}, {6}};
  drawn.sporadic = {{.T = 20, .Y = 20, .limit = 100}, {.T = 40, .Y = 40, .limit = 100}};
  std::vector<std::int64_t> R;
  REQUIRE(solve(drawn, R) == Found::bounds);
  CHECK(R == std::vector<std::int64_t>{8, 11});
  drawn.sporadic[1].limit = 11;
  CHECK(solve(drawn, R) == Found::bounds);
  drawn.sporadic[1].limit = 10;
  CHECK(solve(drawn, R) == Found::past_limit);
  // FIFO: a waits for the other, (2 + 2 + 6)/2 = 5; b, ready by 5, and c for all of the fork and the other, (5 + 9 + 6)/2 = 10 and
  // (6 + 9 + 6)/2 = 10.5, 11. Other: (6 + 6 + 9)/2 = 10.5, 11.
  drawn.system.pools.front().order = Order::fifo;
  drawn.sporadic[1].limit = 100;
  REQUIRE(solve(drawn, R) == Found::bounds);
  CHECK(R == std::vector<std::int64_t>{11, 11});
}

TEST_CASE("T10n on one pool: as the bounds of the same systems, copies, deep graphs and nodes of length 0 among them") {
  std::mt19937_64 random(7);
  int bounded = 0;
  int past = 0;
  for (int i = 0; i < 4'000; ++i) {
    const Drawn drawn = random_system(random);
    std::vector<std::int64_t> R;
    const Found found = solve(drawn, R);
    if (found == Found::unknown) continue;
    Limits limits;
    limits.periods = periods;
    const auto bounds = node_bounds(drawn.system, Refinement::T10n, limits);
    REQUIRE((found == Found::bounds) == static_cast<bool>(bounds));
    if (!bounds) {
      ++past;
      continue;
    }
    ++bounded;
    for (std::size_t d = 0; d < R.size(); ++d) REQUIRE(R[d] == bounds->R[d].count());
  }
  CHECK(bounded > 1'000);
  CHECK(past > 100);
}

TEST_CASE("T10n on one pool: numbers out of range and full load are not known") {
  constexpr std::int64_t large = std::int64_t{1} << 57;
  const auto found = [](const OnePool::Sporadic& dag, const std::vector<std::int64_t>& C, std::uint32_t m) {
    OnePool pool;
    pool.clear(m, Order::gel);
    pool.add(dag, C, {});
    std::vector<std::int64_t> R;
    return pool.solve(R);
  };
  CHECK(found({.T = 10, .Y = 0, .limit = 100}, {9}, 1) == Found::bounds);
  CHECK(found({.T = 10, .Y = 0, .limit = 100}, {10}, 1) == Found::unknown);
  CHECK(found({.T = 10, .Y = 0, .limit = 8}, {9}, 1) == Found::past_limit);
  CHECK(found({.T = 0, .Y = 0, .limit = 8}, {9}, 1) == Found::unknown);
  CHECK(found({.T = 10, .Y = 0, .limit = 8}, {}, 1) == Found::unknown);
  CHECK(found({.T = large, .Y = 0, .limit = 100}, {9}, 1) == Found::unknown);
  CHECK(found({.T = 10, .Y = large, .limit = 100}, {9}, 1) == Found::unknown);
  CHECK(found({.T = 10, .Y = 0, .limit = large}, {9}, 1) == Found::unknown);
  CHECK(found({.T = 10, .Y = 0, .limit = 100}, {large, large, large, large, large, large, large, large}, 1) == Found::unknown);
  CHECK(found({.T = large - 1, .Y = 0, .limit = 100}, {large / 2}, 4'000'000'000) == Found::unknown);
}
