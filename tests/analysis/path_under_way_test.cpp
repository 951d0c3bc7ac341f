// T10f against hand-worked numbers.
#include <doctest/doctest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "rta/analysis/path/derivations.hpp"
#include "rta/analysis/path/path.hpp"
#include "support/inequality_laws.hpp"
#include "support/path_systems.hpp"

namespace {

using namespace rta::analysis::path;
using rta::Time;
using rta::test::dag;
using rta::test::node;
using rta::test::pool;
using rta::test::sum_of;

/// On FIFO pool 0 of m processors; pool 1 has room for all.
System beside_room(std::uint32_t m, std::vector<Dag> dags) {
  System system;
  system.pools = {pool(Order::fifo, m), pool(Order::fifo, 64)};
  system.dags = std::move(dags);
  return system;
}

/// 1 on pool 0, C on pool 1, 1 on pool 0.
Dag there_and_back(std::int64_t T, std::int64_t C) {
  return dag(Time(T), {node(0, Time(1)), node(1, Time(C)), node(0, Time(1))}, {{0, 1}, {1, 2}});
}

std::vector<std::int64_t> ends_of(const NodeBounds& bounds, std::size_t k) {
  std::vector<std::int64_t> F;
  for (const Time f : bounds.F[k]) F.push_back(f.count());
  return F;
}

}  // namespace

// d: d1 by T23: 1 + 4 of e + 1 of k + 1 of a job of age 10: 7; 15; d2 by T10f: e 1 + 8 + 1, strangers 4 of e, 2 of k's one job, own jobs
// one at either visit (ages 10; 0): 18. k's last: 1 + 30 + 1, e 4, d at either visit of ages 0 and 10 a node each: 4. e: 4 + 1 + 2 = 7.
TEST_CASE("T10f: a stranger that comes once counts once, one that comes often at each visit") {
  const System system = beside_room(1, {there_and_back(100, 30), dag(Time(100), {node(0, Time(4))}), there_and_back(10, 8)});
  for (const Refinement refinement : {Refinement::T10g, Refinement::T10d}) {
    const auto bounds = node_bounds(system, refinement);
    REQUIRE(bounds);
    CHECK(ends_of(*bounds, 0).back() == 40);
    CHECK(ends_of(*bounds, 1) == std::vector<std::int64_t>{7});
    CHECK(ends_of(*bounds, 2) == std::vector<std::int64_t>{7, 15, 18});
  }
  const auto bounds = node_bounds(system, Refinement::T10g);
  CHECK(bounds->support[0][2] == Support::under_way);
  const Derivations derivations(system, *bounds);
  const auto of = derivations.of(0, 2);
  CHECK(of.theorem == rta::analysis::Theorem::T10f);
  CHECK(of.path == std::vector<std::size_t>{0, 1, 2});
  rta::test::check_inequality(of, Time(40));
  const auto sum = sum_of<AlignedSum>(of);
  CHECK(sum.execution == Time(32));
  REQUIRE(sum.others.size() == 2);
  for (const AlignedJobs& jobs : sum.others) {
    CHECK(jobs.work == rta::analysis::fine(Time(4)));
    REQUIRE_FALSE(jobs.together.empty());
    CHECK(jobs.together.front().at_once == (jobs.dag == 2));
  }
}

// The same DAGs on FIFO pools in any order are the same DAGs; twice as long, twice as late.
TEST_CASE("T10f: equal DAGs, and times twice as long") {
  System system = beside_room(2, {there_and_back(100, 30), dag(Time(100), {node(0, Time(4))}), there_and_back(10, 8), there_and_back(10, 8),
                                  there_and_back(10, 8)});
  const auto once = node_bounds(system, Refinement::T10g);
  REQUIRE(once);
  CHECK(ends_of(*once, 2) == ends_of(*once, 4));
  for (Dag& d : system.dags) {
    d.T = d.T * 2;
    for (Node& of : d.nodes) {
      of.e = of.e * 2;
      of.s *= 2;
      of.vol *= 2;
    }
  }
  const auto twice = node_bounds(system, Refinement::T10g);
  REQUIRE(twice);
  for (std::size_t k = 0; k < system.dags.size(); ++k) {
    for (std::size_t v = 0; v < once->F[k].size(); ++v) CHECK((once->F[k][v] * 2 - twice->F[k][v]).count() <= 2);
  }
}

// Chains of four nodes of 3: at T = 8, 7 and 6 another job is never more than one node on two processors, at T = 5 two on three.
TEST_CASE("Chains longer than their periods wait for nothing") {
  for (const auto& [m, T] : {std::pair<std::uint32_t, std::int64_t>{2, 8}, {2, 7}, {2, 6}, {3, 5}}) {
    CAPTURE(T);
    System system = beside_room(m, {dag(Time(T), std::vector<Node>(4, node(0, Time(3))), {{0, 1}, {1, 2}, {2, 3}})});
    const auto bounds = node_bounds(system, Refinement::T10g);
    REQUIRE(bounds);
    CHECK(ends_of(*bounds, 0) == std::vector<std::int64_t>{3, 6, 9, 12});
  }
}
