// T36 by hand.
#include "rta/analysis/periodic/reachable_ends.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "support/instant_oracle.hpp"

using namespace rta;
using namespace rta::analysis::periodic;

namespace {

Node on(std::size_t pool, std::int64_t least, std::int64_t C, std::int64_t key = 0, std::vector<std::size_t> before = {}) {
  Node node;
  node.pool = pool;
  node.C = Time(C);
  node.least = Time(least);
  node.key = key;
  node.before = std::move(before);
  return node;
}

Dag every(std::int64_t T, std::int64_t phase, std::int64_t J, std::vector<Node> nodes) {
  Dag dag{Time(T), Time(phase), Time(J), std::move(nodes), {}};
  for (std::size_t v = 0; v < dag.nodes.size(); ++v) dag.order.push_back(v);
  return dag;
}

using Rows = std::vector<std::vector<std::int64_t>>;

/// Per DAG and node the latest of its jobs.
Rows followed(const System& system, const Windows* proven = nullptr) {
  const auto reached = reachable_ends(system, proven);
  REQUIRE(reached);
  Rows rows;
  for (std::size_t d = 0; d < system.dags.size(); ++d) {
    auto& row = rows.emplace_back();
    for (std::size_t v = 0; v < system.dags[d].nodes.size(); ++v) {
      row.push_back(reached->windows.ends[d][v][reached->windows.latest(d, v)].count());
    }
  }
  return rows;
}

/// The same of all schedules.
Rows seen(const System& system, std::int64_t horizon) {
  const auto ends = test::InstantRuns(system, horizon).latest(1'000'000);
  REQUIRE(ends);
  Rows rows;
  for (const auto& dag : *ends) {
    auto& row = rows.emplace_back();
    for (const auto& node : dag) row.push_back(*std::max_element(node.begin(), node.end()));
  }
  return rows;
}

constexpr std::size_t cpu = 0, gpu = 1;

}  // namespace

TEST_CASE("T36 by hand: one server under fixed priorities") {
  // a: r = 0, C 1-3, middle; b: r in [1, 2], C 2-4, lowest; c: r = 2, C 2, highest. H = 10. a ends by 3. b may start from 1 on, and at 2 at
  // the latest while c is not there: c then starts by 6. Or c first, by 3: b starts by 5.
  const System system{{{Order::fixed, 1}},
                      {every(10, 0, 0, {on(cpu, 1, 3, 2)}), every(10, 1, 1, {on(cpu, 2, 4, 1)}), every(10, 2, 0, {on(cpu, 2, 2, 3)})}};
  CHECK(followed(system) == Rows{{3}, {8}, {6}});
  CHECK(seen(system, 10) == Rows{{3}, {8}, {6}});
}

TEST_CASE("T36 by hand: pools that see first") {
  System system{{{Order::fixed, 1}}, {every(10, 0, 0, {on(cpu, 2, 2, 2)}), every(10, 0, 0, {on(cpu, 3, 3, 1)})}};
  CHECK(followed(system) == Rows{{5}, {5}});
  CHECK(seen(system, 10) == Rows{{5}, {5}});
  system.pools[0].sees_first = true;
  CHECK(followed(system) == Rows{{2}, {5}});
  CHECK(seen(system, 10) == Rows{{2}, {5}});
  // The server of the first case: b starts before 2, c ends before 8. At whole instants b starts by 1, at half ones by 1.5.
  System one{{{Order::fixed, 1}},
             {every(10, 0, 0, {on(cpu, 1, 3, 2)}), every(10, 1, 1, {on(cpu, 2, 4, 1)}), every(10, 2, 0, {on(cpu, 2, 2, 3)})}};
  one.pools[0].sees_first = true;
  CHECK(followed(one) == Rows{{3}, {8}, {6}});
  CHECK(seen(one, 10) == Rows{{3}, {8}, {5}});
  System halves{{{Order::fixed, 1}},
                {every(20, 0, 0, {on(cpu, 2, 6, 2)}), every(20, 2, 2, {on(cpu, 4, 8, 1)}), every(20, 4, 0, {on(cpu, 4, 4, 3)})}};
  halves.pools[0].sees_first = true;
  CHECK(seen(halves, 20) == Rows{{6}, {16}, {11}});
}

TEST_CASE("T36 by hand: what takes no time is not seen first") {
  // k makes o (2) ready, above i (3), which comes at 1.
  System system{{{Order::fixed, 1}, {Order::ready, 1}},
                {every(10, 0, 0, {on(gpu, 1, 1), on(cpu, 2, 2, 2, {0})}), every(10, 1, 0, {on(cpu, 3, 3, 1)})}};
  system.pools[0].sees_first = true;
  CHECK(followed(system) == Rows{{1, 3}, {5}});
  CHECK(seen(system, 10) == Rows{{1, 3}, {5}});
  system.dags[0].phase = Time(1);
  system.dags[0].nodes[0].C = system.dags[0].nodes[0].least = Time(0);
  CHECK(followed(system) == Rows{{0, 5}, {5}});
  CHECK(seen(system, 10) == Rows{{0, 5}, {5}});
}

TEST_CASE("T36 by hand: a server under fixed priorities and one behind a FIFO") {
  // x (1-2) -> g (3) -> y (1); k (2) beside g, released in [1, 2]; z (1-2) below x and y, at 4.
  const System system{{{Order::fixed, 1}, {Order::ready, 1}},
                      {every(20, 0, 0, {on(cpu, 1, 2, 2), on(gpu, 3, 3, 0, {0}), on(cpu, 1, 1, 2, {1})}), every(20, 1, 1, {on(gpu, 2, 2)}),
                       every(20, 4, 0, {on(cpu, 1, 2, 1)})}};
  CHECK(followed(system) == Rows{{2, 7, 8}, {6}, {3}});
  CHECK(seen(system, 20) == Rows{{2, 7, 8}, {6}, {3}});
}

TEST_CASE("T36 by hand: two servers") {
  // s (1-2) -> {u (2), v (2-3)}, w (2-4) below them, at 1, where u and v may come as well: they start at 1 if s took 1, and w by 3. If s
  // took 2, w has started, and u and v share the other server until w has ended.
  const System system{
      {{Order::fixed, 2}},
      {every(20, 0, 0, {on(cpu, 1, 2, 2), on(cpu, 2, 2, 2, {0}), on(cpu, 2, 3, 2, {0})}), every(20, 1, 0, {on(cpu, 2, 4, 1)})}};
  CHECK(followed(system) == Rows{{2, 7, 7}, {6}});
  CHECK(seen(system, 20) == Rows{{2, 7, 7}, {6}});
}

TEST_CASE("T36 by hand: the last job ends with the hyperperiod") {
  // EDF, one server: 3 of 4 and 2 of 8, all at 0: the first of them waits for what started at 0, and all has ended by 8.
  const System system{{{Order::points, 1}}, {every(4, 0, 0, {on(cpu, 3, 3, 4)}), every(8, 0, 0, {on(cpu, 2, 2, 8)})}};
  const auto reached = reachable_ends(system, nullptr);
  REQUIRE(reached);
  CHECK(reached->dispatches <= 6);
  CHECK(followed(system) == seen(system, 16));
}

TEST_CASE("T36 by hand: a longer job changes what its successor meets") {
  // Two servers: s (1-3) -> q (2); two of 4, more urgent, at 3. If s takes 2, q has ended by 4; if 3, q may start after both: 7 + 2.
  const System system{{{Order::fixed, 2}},
                      {every(12, 0, 0, {on(cpu, 1, 3, 1), on(cpu, 2, 2, 1, {0})}), every(12, 3, 0, {on(cpu, 4, 4, 2)}),
                       every(12, 3, 0, {on(cpu, 4, 4, 2)})}};
  CHECK(followed(system) == Rows{{3, 9}, {6}, {6}});
  CHECK(seen(system, 12) == Rows{{3, 9}, {6}, {6}});
}

TEST_CASE("T36 by hand: items in rows") {
  // Two workers: 3 items of 1-2 at 0; 2 items of 3 at 1. The first start at 0, 0 and by 2, and are done by 2 and 4; then the others do.
  System system{{{Order::ready, 2}}, {every(20, 0, 0, {on(0, 1, 2)}), every(20, 1, 0, {on(0, 3, 3)})}};
  system.dags[0].nodes[0].pieces = 3;
  system.dags[1].nodes[0].pieces = 2;
  CHECK(is_followed(system, 0));
  CHECK(followed(system) == Rows{{4}, {6}});
  CHECK(seen(system, 20) == Rows{{4}, {6}});
  const auto windows = job_windows(system);  // 1 + floor(6/1) + 3, the other item of 3 apart, or floor(9/2) = 4 with all
  REQUIRE(windows);
  CHECK(windows->ends[0][0][0] == Time(4));
  CHECK(windows->ends[1][0][0] == Time(7));
  // Both at 0: whichever is second is done by 7.
  system.dags[1].phase = Time(0);
  CHECK(followed(system) == Rows{{7}, {7}});
  CHECK(seen(system, 20) == Rows{{7}, {7}});
  system.dags[0].nodes[0].pieces = most_items + 1;
  CHECK_FALSE(is_followed(system, 0));
}

TEST_CASE("T36 by hand: a kernel beside the one before it") {
  // k (3) at 0, h (1-3) at 1 in turn, h -> y (3) below z (1 at 3) on one server. h ends within [2, 6], also beside k: y starts by 3 before
  // z.
  System system{{{Order::ready, 1}, {Order::fixed, 1}},
                {every(12, 0, 0, {on(0, 3, 3)}), every(12, 1, 0, {on(0, 1, 3), on(1, 3, 3, 1, {0})}), every(12, 3, 0, {on(1, 1, 1, 2)})}};
  CHECK(followed(system) == Rows{{3}, {5, 8}, {1}});  // after one another
  system.pools[0].in_turn = true;
  CHECK(followed(system) == Rows{{3}, {5, 8}, {4}});
  CHECK(seen(system, 12) == Rows{{3}, {5, 8}, {4}});
  system.pools[0].follow = false;
  system.dags[0].nodes[0].known = Time(6);
  system.dags[1].nodes[0].known = Time(5);
  CHECK(followed(system) == Rows{{6}, {5, 8}, {4}});
}

TEST_CASE("T36: what does not come again bounds nothing, and the limits are told") {
  System system{{{Order::ready, 1}}, {every(4, 0, 0, {on(cpu, 3, 5)})}};  // more than the server can do
  ReachLimits limits;
  limits.states = 500;
  std::vector<analysis::LeftOut> left_out;
  CHECK_FALSE(reachable_ends(system, nullptr, limits, &left_out));
  REQUIRE(left_out.size() == 1);
  CHECK(left_out[0].theorems == std::vector{analysis::Theorem::T36});
  CHECK(left_out[0].limit == analysis::LeftOut::Limit::states);
  CHECK(left_out[0].most == 500);
  limits.steps = 10;
  left_out.clear();
  CHECK_FALSE(reachable_ends(system, nullptr, limits, &left_out));
  CHECK(left_out.at(0).limit == analysis::LeftOut::Limit::steps);
  // While one job runs 10^12 others come: they are too many for a single state.
  const System long_job{{{Order::fixed, 2}},
                        {every(1'000, 0, 0, {on(cpu, 1, 1'000'000'000'000'000, 1)}), every(1'000, 1, 0, {on(cpu, 1, 1, 2)})}};
  left_out.clear();
  CHECK_FALSE(reachable_ends(long_job, nullptr, {}, &left_out));
  CHECK(left_out.at(0).limit == analysis::LeftOut::Limit::steps);
  limits.steps = 20'000'000;
  limits.bytes = 100;
  left_out.clear();
  CHECK_FALSE(reachable_ends(system, nullptr, limits, &left_out));
  CHECK(left_out.at(0).limit == analysis::LeftOut::Limit::memory);
}

TEST_CASE("T36: pools that are not followed have the ends of other theorems, and their nodes make others ready") {
  // A kernel (1-4) with a bound of 6 -> a copy of 2; one copy of 3 at 5.
  System system{{{Order::unknown}, {Order::ready, 1}},
                {every(20, 0, 0, {on(0, 1, 4), on(1, 2, 2, 0, {0})}), every(20, 5, 0, {on(1, 3, 3)})}};
  system.dags[0].nodes[0].known = Time(6);
  CHECK_FALSE(is_followed(system, 0));
  CHECK(is_followed(system, 1));
  CHECK(followed(system) == Rows{{6, 10}, {5}});  // both ready at once, in [5, 6]
  system.pools[1].preemptive = true;
  CHECK_FALSE(is_followed(system, 1));
}

TEST_CASE("T36: the dispatches that lead to the latest end") {
  const System system{{{Order::ready, 1}}, {every(10, 0, 0, {on(cpu, 3, 3)}), every(10, 1, 0, {on(cpu, 2, 2)})}};
  const auto reached = reachable_ends(system, nullptr);
  REQUIRE(reached);
  const auto& led = reached->led[1][0];
  REQUIRE(led.size() == 2);
  CHECK(led[0].dag == 0);
  CHECK(led[0].last == Time(0));
  CHECK(led[1].dag == 1);
  CHECK(led[1].first == Time(3));
  CHECK(led[1].end == Time(5));
}
