// T36 against all schedules of tiny periodic systems, and broken rules that these show to be wrong.
#include <doctest/doctest.h>

#include <cstdint>

#include "support/reach_laws.hpp"

using namespace rta::test;

namespace {

namespace periodic = rta::analysis::periodic;
using rta::Time;

periodic::Dag single(std::int64_t T, std::int64_t phase, std::int64_t J, std::int64_t least, std::int64_t C, std::int64_t key) {
  return {Time(T), Time(phase), Time(J), {{.pool = 0, .C = Time(C), .least = Time(least), .key = key, .before = {}, .known = {}}}, {0}};
}

/// One server by points, busy until 3: a job of point 3 that comes 2 late goes after one of point 4.
periodic::System late_point() {
  return {{{periodic::Order::points, 1}}, {single(12, 0, 0, 3, 3, 0), single(12, 0, 2, 1, 1, 3), single(12, 1, 0, 1, 1, 3)}};
}

/// docs/theory/periodic.md, "A kernel beside another".
periodic::System beside_another() {
  periodic::System system{{{periodic::Order::ready, 1}, {periodic::Order::fixed, 1}},
                          {single(12, 0, 0, 3, 3, 0), single(12, 1, 0, 1, 3, 0), single(12, 3, 0, 1, 1, 2)}};
  system.pools[0].in_turn = true;
  system.dags[1].nodes.push_back({.pool = 1, .C = Time(3), .least = Time(3), .key = 1, .before = {0}, .known = {}});
  system.dags[1].order = {0, 1};
  system.dags[2].nodes[0].pool = 1;
  return system;
}

}  // namespace

TEST_CASE("T36: systems that show two broken rules to be wrong") {
  ReachLaws laws;
  laws.check(late_point(), 10'000);
  CHECK(laws.caught.at(5) == 1);
  laws.check(beside_another(), 10'000);
  CHECK(laws.caught.at(8) == 1);
  CHECK(laws.systems == 2);
}

TEST_CASE("T36: no schedule of 4,500 tiny periodic systems passes an end, and broken rules are caught") {
  ReachLaws laws;
  laws.check(beside_another(), 10'000);
  TinyPeriodic tiny(7);
  while (laws.systems < 1'500) laws.check(tiny.next(), 4'000);
  while (laws.systems < 3'000) laws.check(tiny.next_in_rows(), 4'000);
  while (laws.systems < 4'500) laws.check(tiny.next_seen(), 6'000, laws.systems % 2 == 0);
  MESSAGE(laws.systems, " systems, ", laws.by_windows, " with T35's ends, without ", laws.without, ", left out ", laws.left_out,
          "; attained ", laws.attained, " of ", laws.jobs);
  CHECK(laws.attained * 10 > laws.jobs * 8);
  CHECK(laws.by_windows > 100);
  for (std::size_t i = 0; i < laws.caught.size(); ++i) {
    CAPTURE(i);
    CHECK(laws.caught.at(i) > 0);
  }
}
