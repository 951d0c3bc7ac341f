// T10d beside the published tests for DAGs.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "support/completion_simulation.hpp"
#include "support/dag_acceptance.hpp"

namespace {

using namespace rta;
namespace path = analysis::path;
using test::DagPeers;

path::Node node(std::int64_t C) {
  path::Node node;
  node.e = Time(C);
  node.s = node.vol = C;
  return node;
}

test::SimulatedNode simulated(std::int64_t C, std::uint32_t priority, std::vector<std::size_t> predecessors) {
  test::SimulatedNode node;
  node.pieces = {C};
  node.priority = priority;
  node.predecessors = std::move(predecessors);
  return node;
}

}  // namespace

// m = 2: d, two nodes of 4, T = 12, before k, 5, T = 20. In halves of a ns: 12 for d alone; in the 10 to 18 of k one job of d, 8 of work,
// fits:
// 18. EDF: of k only what ends by its own end in the 12 of d, 9 - 8 = 1 ns on both processors: 14; k as before, as 18 + 14 - 8 = T.
TEST_CASE("the published tests for DAGs as their papers have them, by hand") {
  const std::vector<path::Dag> dags{{"d", Time(12), Time(12), {node(4), node(4)}, {}}, {"k", Time(20), Time(20), {node(5)}, {}}};
  const std::vector<Time> D{Time(12), Time(20)};
  CHECK(DagPeers(dags, D, 2).melani_fp() == std::vector<std::int64_t>{12, 18});
  CHECK(DagPeers(dags, D, 2).fonseca_fp(true) == std::vector<std::int64_t>{12, 18});
  CHECK(DagPeers(dags, D, 2).melani_edf() == std::vector<std::int64_t>{14, 18});
  CHECK(DagPeers(dags, std::vector{Time(12), Time(8)}, 2).melani_fp() == std::vector<std::int64_t>{12});
  CHECK(DagPeers(dags, std::vector{Time(5), Time(20)}, 2).melani_edf().empty());
}

// m = 1: a chain of 2 before 3, T = 10, R = 5. Of a window of 6 Melani's takes 6 + 5 - 5 < 10: 5. What is carried in has its last part of 1
// at the end; here, too, all 5 may be carried out.
TEST_CASE("carry-in and carry-out follow the DAG's own widths") {
  const std::vector<path::Dag> dags{{"d", Time(10), Time(10), {node(2), node(3)}, {{0, 1}}}, {"k", Time(20), Time(20), {node(1)}, {}}};
  CHECK(DagPeers(dags, std::vector{Time(10), Time(20)}, 1).fonseca_fp(true) == std::vector<std::int64_t>{5, 6});
}

// m = 2: d, 11 before two of 6, T = 20, ends 20 after its release where 3 go before it. Of a window of 32 Fonseca's count takes no whole
// job but one carried in and one carried out: at most 23 + 21. Released at -14, 6 and 26, the last without its 11, three do 12 + 23 + 12.
TEST_CASE("Fonseca's count leaves out a job where what is carried in and out is short") {
  const std::vector<path::Dag> dags{{"d", Time(20), Time(20), {node(11), node(6), node(6)}, {{0, 1}, {0, 2}}}};
  const DagPeers peers(dags, std::vector{Time(20)}, 2);
  CHECK(peers.fonseca_work(0, Time(20), Time(32), false) == 44);
  CHECK(peers.fonseca_work(0, Time(20), Time(32), true) == 47);

  std::vector<test::SimulatedJob> jobs(4);
  for (std::size_t j = 0; j < 3; ++j) {  // the window begins at 14
    jobs[j].release = 20 * static_cast<std::int64_t>(j);
    jobs[j].nodes = {simulated(j == 2 ? 0 : 11, 1, {}), simulated(6, 1, {0}), simulated(6, 1, {0})};
  }
  jobs[3].release = 11;
  jobs[3].nodes = {simulated(3, 2, {}), simulated(3, 2, {})};
  std::mt19937_64 random(1);
  test::SimulatedPool pool;
  pool.order = test::SimulatedOrder::fixed;
  pool.capacity = 2;
  test::CompletionSimulation({pool}, jobs, random).run();
  CHECK(jobs[0].end == std::vector<std::int64_t>{11, 20, 20});
  CHECK(jobs[1].end == std::vector<std::int64_t>{31, 37, 37});
  CHECK(jobs[2].end == std::vector<std::int64_t>{40, 46, 46});
}

// m = 2, nothing is preempted: k, a node of 1 before two of 100, T = 260, is the most urgent, so that Serrano's counts no preemption: in
// halves 101 + 201 + 200 = 502, 251. d: three nodes of 100. d starts two nodes, k is released 1 later, d's third starts beside k's first
// node, and k's third waits for it: 299. With a preemption for each node of a path but one: 301.
TEST_CASE("Serrano's test counts no preemption by the job's own nodes, and so is no bound") {
  const std::vector<path::Dag> dags{{"k", Time(260), Time(260), {node(1), node(100), node(100)}, {{0, 1}, {0, 2}}},
                                    {"d", Time(1000), Time(1000), {node(100), node(100), node(100)}, {}}};
  const DagPeers peers(dags, std::vector{Time(260), Time(1000)}, 2);
  CHECK(peers.serrano_fp(false).front() == 2 * 251);
  CHECK(peers.serrano_fp(false).size() == 2);
  CHECK(DagPeers(dags, std::vector{Time(1000), Time(1000)}, 2).serrano_fp(true).front() == 2 * 301);

  std::vector<test::SimulatedJob> jobs(2);
  jobs[0].release = 1;
  jobs[0].nodes = {simulated(1, 2, {}), simulated(100, 2, {0}), simulated(100, 2, {0})};
  jobs[1].nodes = {simulated(100, 1, {}), simulated(100, 1, {}), simulated(100, 1, {})};
  std::mt19937_64 random(1);
  test::SimulatedPool pool;
  pool.order = test::SimulatedOrder::fixed_non_preemptive;
  pool.capacity = 2;
  test::CompletionSimulation({pool}, jobs, random).run();
  CHECK(std::max(jobs[0].end[1], jobs[0].end[2]) - jobs[0].release == 299);
}

TEST_CASE("no set of DAGs that Melani's test accepts is refused, nor one that Fonseca's does") {
  int accepted = 0;
  int by_melani = 0;
  int before = 0;
  for (const auto& kind : test::dag_kinds) {
    CAPTURE(kind.second);
    for (const std::int64_t percent : {50, 60}) {
      const test::DagCounts counts =
          test::count_dag_acceptance({.m = 4, .percent = percent, .kind = kind.first, .dags = 5, .nodes = 8}, 0, 10);
      for (const auto& of : {counts.fixed, counts.edf}) {
        CHECK(of.melani_refused == 0);
        CHECK(of.one_more_refused == 0);
        accepted += of.now;
        by_melani += of.melani;
        before += of.before;
      }
    }
  }
  CHECK(by_melani > 5);
  CHECK(accepted > by_melani);
  CHECK(accepted >= before);
}
