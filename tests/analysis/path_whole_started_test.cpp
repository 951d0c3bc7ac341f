// T10d on non-preemptive pools under fixed priorities, against hand-worked numbers.
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
using namespace rta::literals;
using rta::test::check_inequality;
using rta::test::dag;
using rta::test::node;
using rta::test::pool;
using rta::test::sum_of;

System on_processors(std::uint32_t m, std::vector<Dag> dags) {
  System system;
  system.pools = {pool(Order::fixed_non_preemptive, m)};
  system.dags = std::move(dags);
  return system;
}

}  // namespace

// a (1) before b (2), and less urgent 10, 10, 8, 6. T11b: 1 + 20/2, and 3 + 20/2 + 20/2. The processor that ends a is free for b: three
// pieces block, 3 + 28/2 = 17; and on the one that does not run less urgent work nothing but b is left to run: 3 + 20/2 = 13.
TEST_CASE("T10d without preemption: a path meets as many pieces as processors, and one less for each further node") {
  const auto stranger = [](Time C) { return dag(100_ns, {node(0, C, 1)}); };
  const System system = on_processors(
      2, {dag(100_ns, {node(0, 1_ns, 2), node(0, 2_ns, 2)}, {{0, 1}}), stranger(10_ns), stranger(10_ns), stranger(8_ns), stranger(6_ns)});
  CHECK(node_bounds(system, Refinement::T10g)->F[0] == std::vector{11_ns, 23_ns});
  const auto bounds = node_bounds(system, Refinement::T10d);
  CHECK(bounds->F[0] == std::vector{11_ns, 13_ns});
  CHECK(bounds->R == std::vector{13_ns, 24_ns, 24_ns, 23_ns, 22_ns});
  CHECK(bounds->support[0][1] == Support::whole);
  const auto derivation = Derivations(system, *bounds).by(Support::whole, 0, 1);
  const auto sum = sum_of<CountedSum>(derivation);
  CHECK(rta::analysis::ceil_to_time(derivation->total) == 13_ns);
  check_inequality(*derivation, 13_ns);
  CHECK(derivation->path == std::vector<std::size_t>{0, 1});
  REQUIRE(sum.waits.size() == 1);
  CHECK(rta::analysis::ceil_to_time(sum.waits[0].blocking) == 10_ns);
}

// Between two nodes on the pool one elsewhere: the second is blocked by two again. 1 + 2 + 2 and (10 + 10 + 8 + 6)/2.
TEST_CASE("T10d without preemption: a node that another pool makes ready meets as many pieces as processors") {
  const auto stranger = [](Time C) { return dag(100_ns, {node(0, C, 1)}); };
  System system = on_processors(2, {dag(100_ns, {node(0, 1_ns, 2), node(1, 2_ns), node(0, 2_ns, 2)}, {{0, 1}, {1, 2}}), stranger(10_ns),
                                    stranger(10_ns), stranger(8_ns), stranger(6_ns)});
  system.pools.push_back(pool(Order::fifo, 1));
  CHECK(node_bounds(system, Refinement::T10g)->R[0] == 25_ns);
  CHECK(node_bounds(system, Refinement::T10d)->R[0] == 22_ns);
}

// One processor: (2, 8) above (4, 20). T11b has 4 + 2 x 2, as jobs that end by 6 may be there twice in more than 2. But the less urgent one
// has started by 2, if at all by 6 - 4: in 3 there is one.
TEST_CASE("T10d without preemption: nothing matters once the node has to start") {
  const System system = on_processors(1, {dag(8_ns, {node(0, 2_ns, 2)}), dag(20_ns, {node(0, 4_ns, 1)})});
  CHECK(node_bounds(system, Refinement::T10g)->R == std::vector{6_ns, 8_ns});
  CHECK(node_bounds(system, Refinement::T10d)->R == std::vector{6_ns, 6_ns});
}

// s (1) before two of 5, and 10 beside them, less urgent: 6 + (5 + 10)/2 = 13.5 (T11b: 6 + 5/2 + 10/2 + 10/2).
TEST_CASE("T10d without preemption: the job's own less urgent nodes block, too") {
  const System system =
      on_processors(2, {dag(100_ns, {node(0, 1_ns, 2), node(0, 5_ns, 2), node(0, 5_ns, 2), node(0, 10_ns, 1)}, {{0, 1}, {0, 2}})});
  CHECK(node_bounds(system, Refinement::T10g)->F[0][1] == 19_ns);
  CHECK(node_bounds(system, Refinement::T10d)->F[0][1] == 14_ns);
}

// By T10d, which counts a unit for it, it would be 8.
TEST_CASE("T10d without preemption: a node of length 0 has T11b's bound") {
  const System system = on_processors(1, {dag(100_ns, {node(0, 0_ns, 2)}), dag(100_ns, {node(0, 7_ns, 1)})});
  CHECK(node_bounds(system, Refinement::T10g)->R[0] == 7_ns);
  CHECK(node_bounds(system, Refinement::T10d)->R[0] == 7_ns);
}
