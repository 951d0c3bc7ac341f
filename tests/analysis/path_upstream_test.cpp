// T39 against hand-worked numbers.
#include <doctest/doctest.h>

#include <cstdint>
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

std::vector<std::int64_t> ends_of(const NodeBounds& bounds, std::size_t k) {
  std::vector<std::int64_t> F;
  for (const Time f : bounds.F[k]) F.push_back(f.count());
  return F;
}

/// d: 1 elsewhere, then 3 on p; k: 2 on p. T = 5: U = 1.
System fully_loaded(Order order) {
  System system;
  system.pools = {pool(order, 1), pool(Order::fifo, 64)};
  system.dags = {dag(Time(5), {node(1, Time(1)), node(0, Time(3))}, {{0, 1}}), dag(Time(5), {node(0, Time(2))})};
  return system;
}

}  // namespace

// phi_u = 1, c = 1, carry 0. v: x = 0: H_d = 3, of a job from before or since, H_k = 2: 5. x = 4: of d 3 before (age 5) and 3 at age 0,
// 2 - 4. x = 5: 6 + 4 - 5: W = 5: 5 - 2 + 2 = 5.
TEST_CASE("T39: what is left on one processor, fully loaded") {
  const System system = fully_loaded(Order::fifo);
  const auto bounds = node_bounds(system, Refinement::T39);
  REQUIRE(bounds);
  CHECK(ends_of(*bounds, 0) == std::vector<std::int64_t>{1, 6});  // the last by T23: what is ready with it is 2
  CHECK(ends_of(*bounds, 1) == std::vector<std::int64_t>{5});
  CHECK(bounds->support[1][0] == Support::upstream);
  const auto of = Derivations(system, *bounds).by(Support::upstream, 1, 0);
  REQUIRE(of);
  CHECK(of->theorem == rta::analysis::Theorem::T39);
  CHECK(of->total == rta::analysis::fine(Time(5)));
  rta::test::check_inequality(*of, Time(5));
}
