// In which order classes are solved, against the paths of who reads whom.
#include "analysis/path/system/solving_order.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "support/path_systems.hpp"

namespace {

using rta::Time;
using namespace rta::analysis::path;

/// Up to three pools, some under fixed priorities, and DAGs of few nodes on some of them; no two DAGs are equal.
System system_on_few_pools(std::mt19937_64& random) {
  System system;
  for (std::size_t p = 0; p < 3; ++p) system.pools.push_back(rta::test::pool(random() % 3 == 0 ? Order::fifo : Order::fixed, 2));
  const std::size_t dags = 1 + random() % 7;
  for (std::size_t d = 0; d < dags; ++d) {
    std::vector<Node> nodes;
    for (std::size_t v = 0; v <= random() % 3; ++v)
      nodes.push_back(rta::test::node(random() % 3, Time(1), static_cast<std::uint32_t>(1 + random() % 5)));
    system.dags.push_back(rta::test::dag(Time(static_cast<std::int64_t>(100 + d)), std::move(nodes), {}));
  }
  return system;
}

using Matrix = std::vector<std::vector<bool>>;

/// Row k: the classes whose ends k reads, directly or not.
Matrix reached(const Ticks& ticks) {
  const std::size_t n = ticks.classes.size();
  Matrix reads(n, std::vector<bool>(n, false));
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t d = 0; d < n; ++d) {
      for (const std::size_t p : ticks.classes[k].pools) {
        if (std::ranges::find(ticks.classes[d].pools, p) == ticks.classes[d].pools.end()) continue;
        const auto priority = [&](std::size_t c) -> const auto& { return ticks.classes[c].levels[ticks.local_pool[c][p]].priority; };
        if (ticks.system->pools[p].order != Order::fixed || priority(d).back() >= priority(k).front()) reads[k][d] = true;
      }
    }
  }
  for (std::size_t via = 0; via < n; ++via) {
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t d = 0; d < n; ++d) {
        if (reads[k][via] && reads[via][d]) reads[k][d] = true;
      }
    }
  }
  return reads;
}

}  // namespace

TEST_CASE("solving_order: those that read one another together, after all that they read") {
  std::mt19937_64 random(1);
  std::size_t several = 0;
  for (int i = 0; i < 2'000; ++i) {
    const System system = system_on_few_pools(random);
    const Ticks ticks = to_ticks(system, {}, true);
    const Matrix reads = reached(ticks);
    const auto order = solving_order(ticks);
    several += order.size() > 1 ? 1 : 0;
    std::vector<std::size_t> turn(ticks.classes.size(), order.size());
    for (std::size_t t = 0; t < order.size(); ++t) {
      CHECK(std::ranges::is_sorted(order[t]));
      for (const std::size_t k : order[t]) turn[k] = t;
    }
    for (std::size_t k = 0; k < turn.size(); ++k) {
      REQUIRE(turn[k] < order.size());
      for (std::size_t d = 0; d < turn.size(); ++d) {
        if (d == k) continue;
        CHECK((turn[d] == turn[k]) == (reads[k][d] && reads[d][k]));
        if (reads[k][d]) CHECK(turn[d] <= turn[k]);
      }
    }
  }
  CHECK(several > 500);
}

// Who reads whom would take 10 GB.
TEST_CASE("solving_order: 20,000 classes of priorities of their own on one pool") {
  constexpr std::size_t many = 20'000;
  System system;
  system.pools = {rta::test::pool(Order::fixed, 2)};
  for (std::size_t d = 0; d < many; ++d) {
    system.dags.push_back(rta::test::dag(Time(static_cast<std::int64_t>(1'000'000 + d)),
                                         {rta::test::node(0, Time(1), static_cast<std::uint32_t>(d + 1))}, {}));
  }
  const auto order = solving_order(to_ticks(system, {}, true));
  REQUIRE(order.size() == many);
  CHECK(order.front() == std::vector<std::size_t>{many - 1});  // the most urgent
  CHECK(order.back() == std::vector<std::size_t>{0});
}
