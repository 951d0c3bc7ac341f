// T35 by hand.
#include "rta/analysis/periodic/job_windows.hpp"

#include <doctest/doctest.h>

#include "support/periodic_oracle.hpp"

using namespace rta;
using namespace rta::analysis::periodic;

namespace {

Node node_on(std::size_t pool, std::int64_t least, std::int64_t C, std::int64_t key = 0, std::vector<std::size_t> before = {}) {
  Node node;
  node.pool = pool;
  node.C = Time(C);
  node.least = Time(least);
  node.key = key;
  node.before = std::move(before);
  return node;
}

Dag dag_of(std::int64_t T, std::int64_t phase, std::int64_t J, std::vector<Node> nodes) {
  Dag dag{Time(T), Time(phase), Time(J), std::move(nodes), {}};
  for (std::size_t v = 0; v < dag.nodes.size(); ++v) dag.order.push_back(v);
  return dag;
}

using Rows = std::vector<std::vector<std::int64_t>>;

/// Per DAG and node the latest of its jobs.
Rows latest(const System& system) {
  const auto windows = job_windows(system);
  REQUIRE(windows);
  Rows rows;
  for (std::size_t d = 0; d < system.dags.size(); ++d) {
    auto& row = rows.emplace_back();
    for (std::size_t v = 0; v < system.dags[d].nodes.size(); ++v) row.push_back(windows->ends[d][v][windows->latest(d, v)].count());
  }
  return rows;
}

/// The same of all schedules.
Rows attained(const System& system, std::int64_t horizon) {
  const auto ends = test::PeriodicRuns(system, horizon).latest(1'000'000);
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

TEST_CASE("T35 by hand: one server under fixed priorities") {
  // a: r = 0, C 1-3, middle; b: r in [1, 2], C 2-4, lowest; c: r = 2, C 2, highest. H = 10.
  // a: nothing runs at 0: 0 + 3. b: rho = 2, a has min(3, 3 - 2) = 1 left, c 2: 2 + 3 + 4 = 9, 8 after 1. c: rho = 2, the longer of what
  // a (1) and b (4) have left: 2 + 4 + 2 = 8, 6 after 2, where in all schedules only one of a and b is late: 5.
  const System system{
      {{Order::fixed, 1}},
      {dag_of(10, 0, 0, {node_on(cpu, 1, 3, 2)}), dag_of(10, 1, 1, {node_on(cpu, 2, 4, 1)}), dag_of(10, 2, 0, {node_on(cpu, 2, 2, 3)})}};
  CHECK(latest(system) == Rows{{3}, {8}, {6}});
  CHECK(attained(system, 10) == Rows{{3}, {8}, {5}});
}

TEST_CASE("T35 by hand: a server under fixed priorities and one behind a FIFO") {
  // x (1-2) -> g (3) -> y (1); k (2) beside g, released in [1, 2]; z (1-2) below x and y, at 4.
  // x: 2. g: rho = 2, k may be there: 2 + 2 + 3 = 7. k: rho = 2, g may be: 2 + 3 + 2 = 7, 6 after 1. y: rho = 7, z has ended by 7: 8.
  // z: rho = 4, y may come at 4: 4 + 1 + 2 = 7, 3 after 4. All are attained.
  const System system{{{Order::fixed, 1}, {Order::ready, 1}},
                      {dag_of(20, 0, 0, {node_on(cpu, 1, 2, 2), node_on(gpu, 3, 3, 0, {0}), node_on(cpu, 1, 1, 2, {1})}),
                       dag_of(20, 1, 1, {node_on(gpu, 2, 2)}), dag_of(20, 4, 0, {node_on(cpu, 1, 2, 1)})}};
  CHECK(latest(system) == Rows{{2, 7, 8}, {6}, {3}});
  CHECK(attained(system, 20) == Rows{{2, 7, 8}, {6}, {3}});
}

TEST_CASE("T35 by hand: two servers") {
  // s (1-2) -> {u (2), v (2-3)}, w (2-4) below them, at 1. s: 2. u: rho = 2, 3 and 4: half of 7, or 3 beside the 4: 2 + 3 + 2 = 7. v: 2
  // and 4: 2 beside the 4: 2 + 2 + 3 = 7. w: rho = 1: 1, 2 and 3: half of 6: 1 + 3 + 4 = 8, 7 after 1.
  const System system{{{Order::fixed, 2}},
                      {dag_of(20, 0, 0, {node_on(cpu, 1, 2, 2), node_on(cpu, 2, 2, 2, {0}), node_on(cpu, 2, 3, 2, {0})}),
                       dag_of(20, 1, 0, {node_on(cpu, 2, 4, 1)})}};
  CHECK(latest(system) == Rows{{2, 7, 7}, {7}});
  CHECK(attained(system, 20) == Rows{{2, 7, 7}, {6}});
}

TEST_CASE("T35 by hand: what may be preempted") {
  // The lower one is ready at 0 and needs 3; the higher one comes at 1 for 2: 0 + 3 + 2. Without preemption: 3, and 2 + 2 after 1.
  const auto pair = [](bool preemptive) {
    return System{{{Order::fixed, 1, preemptive}}, {dag_of(10, 0, 0, {node_on(cpu, 3, 3, 1)}), dag_of(10, 1, 0, {node_on(cpu, 2, 2, 2)})}};
  };
  CHECK(latest(pair(true)) == Rows{{5}, {2}});
  CHECK(attained(pair(true), 10) == Rows{{5}, {2}});
  CHECK(latest(pair(false)) == Rows{{3}, {4}});
  CHECK(attained(pair(false), 10) == Rows{{3}, {4}});
}

TEST_CASE("T35 by hand: as many servers as jobs") {
  // Two of 3 on two servers: the other one has a server, and nothing is left for the second.
  for (const bool preemptive : {false, true}) {
    const System system{{{Order::points, 2, preemptive}}, {dag_of(10, 0, 0, {node_on(cpu, 3, 3)}), dag_of(10, 1, 0, {node_on(cpu, 3, 3)})}};
    CHECK(latest(system) == Rows{{3}, {3}});
  }
}

TEST_CASE("T35 by hand: priority points") {
  // Points 0 + 4 and 2 + 1: the second is more urgent, and comes while the first runs. W = 3 - 2: 2 + 1 + 1.
  const System system{{{Order::points, 1}}, {dag_of(10, 0, 0, {node_on(cpu, 3, 3, 4)}), dag_of(10, 2, 0, {node_on(cpu, 1, 1, 1)})}};
  CHECK(latest(system) == Rows{{3}, {2}});
  CHECK(attained(system, 10) == Rows{{3}, {2}});
}

TEST_CASE("T35 by hand: items that are ready at once") {
  // Two workers: 3 items of 2 and 2 items of 3, both at 0. (2 x 2 + 2 x 3)/2 + 2 = 7; (1 x 3 + 3 x 2)/2, rounded down, + 3 = 7.
  System system{{{Order::ready, 2}}, {dag_of(20, 0, 0, {node_on(0, 0, 2)}), dag_of(20, 0, 0, {node_on(0, 0, 3)})}};
  system.dags[0].nodes[0].pieces = 3;
  system.dags[1].nodes[0].pieces = 2;
  CHECK(latest(system) == Rows{{7}, {7}});
}

TEST_CASE("T35 by hand: jobs of hyperperiods before count, and a job waits for the one before where its node is sequential") {
  // One server. a: every 4, 1 long; b: every 8 from 1 on, 5 long. By ready time. b: [1, 6] or later; a at 4 waits for it: at 0 it finds
  // nothing, b: rho = 1, a has ended by 1: 1 + 5. a at 4: min(5, 6 - 4) = 2: 7.
  const auto both = [](bool sequential) {
    System system{{{Order::ready, 1}}, {dag_of(4, 0, 0, {node_on(0, 1, 1)}), dag_of(8, 1, 0, {node_on(0, 5, 5)})}};
    system.dags[1].nodes[0].sequential = sequential;
    return system;
  };
  CHECK(latest(both(false)) == Rows{{3}, {5}});
  CHECK(latest(both(true)) == Rows{{3}, {5}});
  // b from 6 on ends at 11, 3 into the next hyperperiod: a at 8 waits for it. a: 11 - 8 + 1 = 4.
  System late = both(false);
  late.dags[1].phase = Time(6);
  CHECK(latest(late) == Rows{{4}, {5}});
  // Two servers, b every 4 and 5 long: it overlaps its next job unless that waits, and then there is no end.
  System overlapping{{{Order::ready, 2}}, {dag_of(4, 0, 0, {node_on(0, 5, 5)})}};
  CHECK(latest(overlapping) == Rows{{5}});
  overlapping.dags[0].nodes[0].sequential = true;
  CHECK_FALSE(job_windows(overlapping));
}

TEST_CASE("T35: nodes whose order nobody knows have the ends of another theorem, and so have jobs for which these are less") {
  System system{{{Order::points, 1}, {Order::unknown}},
                {dag_of(10, 0, 1, {node_on(0, 1, 2, 5), node_on(1, 1, 3, 0, {0}), node_on(0, 1, 2, 5, {1})}),
                 dag_of(10, 0, 0, {node_on(0, 1, 2, 9)})}};
  system.dags[0].nodes[1].known = Time(7);  // after the release: 8 after the nominal one
  system.dags[1].nodes[0].known = Time(3);  // less than 2 + 2
  CHECK(latest(system) == Rows{{5, 8, 10}, {3}});
}

TEST_CASE("T35: hyperperiods that are too long, and work beyond what a pool can do, are told apart from bounds") {
  const System large{{{Order::ready, 1}}, {dag_of(1'000'003, 0, 0, {node_on(0, 1, 1)}), dag_of(999'983, 0, 0, {node_on(0, 1, 1)})}};
  std::vector<analysis::LeftOut> left_out;
  CHECK_FALSE(job_windows(large, {}, &left_out));
  REQUIRE(left_out.size() == 1);
  CHECK(left_out[0].limit == analysis::LeftOut::Limit::jobs);
  CHECK(left_out[0].found == 1'999'986);
  CHECK(left_out[0].theorems == std::vector{analysis::Theorem::T35});
  const System overloaded{{{Order::ready, 1}}, {dag_of(4, 0, 0, {node_on(0, 3, 3)}), dag_of(4, 0, 0, {node_on(0, 2, 2)})}};
  left_out.clear();
  CHECK_FALSE(job_windows(overloaded, {}, &left_out));
  CHECK(left_out.empty());
  Limits few;
  few.steps = 10;
  const System busy{{{Order::ready, 1}}, {dag_of(4, 0, 0, {node_on(0, 1, 1)}), dag_of(40, 0, 0, {node_on(0, 2, 20)})}};
  CHECK_FALSE(job_windows(busy, few, &left_out));
  REQUIRE(left_out.size() == 1);
  CHECK(left_out[0].limit == analysis::LeftOut::Limit::steps);
}
