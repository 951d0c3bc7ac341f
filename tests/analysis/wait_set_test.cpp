// T19 and T19j, docs/theory/executors.md: by hand, and what `analyze` makes of them.
#include "rta/analysis/executors/wait_set.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace rta;
using namespace rta::analysis;

namespace {

struct Callback {
  std::int64_t C = 0;
  std::size_t pool = 0;
};

path::Dag chain(std::int64_t T, const std::vector<Callback>& callbacks) {
  path::Dag dag;
  dag.T = Time(T);
  dag.Y = Time(T);
  for (std::size_t i = 0; i < callbacks.size(); ++i) {
    path::Node node;
    node.pool = callbacks[i].pool;
    node.e = Time(callbacks[i].C);
    node.s = node.vol = callbacks[i].C;
    dag.nodes.push_back(node);
    if (i > 0) dag.edges.push_back({i - 1, i});
  }
  return dag;
}

path::Pool executor() {
  path::Pool pool;
  pool.name = "x";
  pool.order = path::Order::wait_set;
  return pool;
}

path::Pool processors_under_fifo(std::uint32_t processors) {
  path::Pool pool;
  pool.name = "p";
  pool.capacity = processors;
  return pool;
}

constexpr executors::Carriers T19_alone{.path = true, .local = false, .successor = false};
constexpr executors::Carriers T19j_alone{.path = false, .local = true, .successor = false};

std::vector<std::vector<std::int64_t>> ends(const path::System& system, executors::Carriers carriers = {}) {
  const auto bounds = executors::bounds(system, {}, carriers);
  REQUIRE(bounds);
  std::vector<std::vector<std::int64_t>> ends;
  for (const auto& F : bounds->F) {
    auto& of = ends.emplace_back();
    for (const Time end : F) of.push_back(end.count());
  }
  return ends;
}

using Ends = std::vector<std::vector<std::int64_t>>;

}  // namespace

TEST_CASE("the callbacks of Blass et al.") {
  // W = 430. 10 every 100: F = 470 holds as o = 4, M = 6, lim = 470: 10 + 4 x 10 of its own, each of the others once: 230 + 190.
  // 230 and 190: M = 2, so 10 counts twice, and the other once: 440.
  const path::System blass{{executor()}, {chain(100, {{10}}), chain(10'000, {{230}}), chain(1'000, {{190}})}};
  CHECK(ends(blass, T19_alone) == Ends{{470}, {440}, {440}});
  // x = 0: 230 + 190 + 10. x = 1: 10 came before, and then M = 2 more: 30 + 190 + 230 - 1 = 449, and 30 + 230 + 190 - 1.
  CHECK(ends(blass, T19j_alone) == Ends{{430}, {449}, {449}});
  CHECK(ends(blass) == Ends{{430}, {440}, {440}});
}

TEST_CASE("three chains on one executor") {
  const path::System chains{{executor()}, {chain(100, {{1}, {2}, {3}}), chain(10, {{1}, {1}}), chain(20, {{2}, {1}})}};
  CHECK(ends(chains, T19_alone) == Ends{{11, 15, 20}, {16, 17}, {12, 15}});
  CHECK(ends(chains, T19j_alone) == Ends{{13, 11, 11}, {12, 12}, {11, 13}});
}

TEST_CASE("later jobs that overtake count for the node itself") {
  // q (0) on x, then 9 on 64 processors, then v (2) on x, T = 10. The next job may come to v first: 15 is no bound without it.
  const path::System one{{executor(), processors_under_fifo(64)}, {chain(10, {{0}, {9, 1}, {2}})}};
  CHECK(ends(one, T19_alone)[0][2] >= 15);
}

TEST_CASE("a node whose DAG comes from elsewhere counts the jobs that may have come with it") {
  // 3 elsewhere, then 1, 1 on x, T = 7; 4 on x, T = 10.
  const path::System two{{executor(), processors_under_fifo(1)}, {chain(7, {{3, 1}, {1}, {1}}), chain(10, {{4}})}};
  const Ends local = ends(two, T19j_alone);
  // The second: A = 3, 4, and of the third two jobs, as its visits begin 3 late at most: S = 6. The third likewise.
  CHECK(local[0] == std::vector<std::int64_t>{3, 3 + 6 + 1, 3 + 6 + 1});
  CHECK(local[1][0] == 6);  // 1 and 1, then 4
}

TEST_CASE("an executor that has more to do than it can has no bound") {
  const auto none = executors::bounds({{executor()}, {chain(10, {{6}}), chain(10, {{5}})}});
  REQUIRE_FALSE(none);
  const auto* const over = std::get_if<reason::ExecutorOverload>(&none.reason());
  REQUIRE(over != nullptr);
  CHECK(over->pool == "x");
  // Full load: T19j has no bound as it may never be idle, T19 grows.
  CHECK(executors::bounds({{executor()}, {chain(10, {{5}}), chain(10, {{5}})}}));
}

TEST_CASE("an executor loaded to 94.5 % beside a pool has the bounds that every instant of a busy period gives") {
  // Ends and busy periods grow to hundreds of periods, through hundreds of rounds. The numbers are of a search that looked at each x.
  path::Pool two = processors_under_fifo(2);
  two.order = path::Order::gel;
  path::System near{{executor(), two},
                    {chain(22, {{2, 1}, {4}, {3, 1}, {2}}), chain(27, {{1}, {3}, {1}}), chain(21, {{1, 1}, {3}, {1, 1}, {1}}),
                     chain(27, {{4}, {3}, {1}, {3, 1}})}};
  near.dags[1].edges.pop_back();
  near.dags[3].edges.clear();
  constexpr std::int64_t Y[] = {15, 9, 13, 18};
  for (std::size_t d = 0; d < 4; ++d) near.dags[d].Y = Time(Y[d]);
  for (path::Dag& dag : near.dags) {
    for (path::Node& node : dag.nodes) {
      if (node.pool == 1) node.s = 1;
    }
  }
  CHECK(ends(near) == Ends{{262, 2105, 2360, 5347}, {160, 834, 160}, {262, 2473, 2783, 7035}, {134, 135, 160, 266}});
}
