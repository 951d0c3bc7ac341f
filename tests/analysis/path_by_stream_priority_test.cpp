// T11g against hand-worked numbers: kernels of several stream priorities in whole DAGs.
#include <doctest/doctest.h>

#include <memory>
#include <vector>

#include "rta/analysis/path/derivations.hpp"
#include "rta/analysis/path/path.hpp"
#include "rta/model/error.hpp"
#include "support/inequality_laws.hpp"

namespace {

using namespace rta::literals;
using namespace rta::analysis::path;
using rta::Defect;
using rta::Time;
using rta::analysis::ceil_to_time;
namespace fifo = rta::analysis::fifo;
using Row = std::vector<Time>;
using rta::test::sum_of;

/// g SMs that hold so many blocks of one class, each of weight 1/slots.
Pool gpu(std::uint32_t g, std::uint64_t slots = 1) {
  fifo::Amounts block, capacity;
  for (const fifo::Resource r : fifo::all_resources) {
    block[r] = 1;
    capacity[r] = slots;
  }
  Pool pool{"gpu", Order::fixed_kernels, g, static_cast<rta::Wide>(slots), false};
  pool.sm = std::make_shared<const fifo::Sm>(capacity, std::vector{block});
  return pool;
}
Pool elsewhere() { return {"elsewhere", Order::fifo, 1, 1, true}; }

Node kernel(Time L, std::uint64_t B, std::uint32_t priority) {
  Node node{0, L, L.count(), static_cast<rta::Wide>(L.count()) * static_cast<rta::Wide>(B), {}};
  node.priority = priority;
  return node;
}
Node cpu(Time C) { return {1, C, C.count(), C.count(), {}}; }

Dag chain(std::vector<Node> nodes, Time T) {
  Dag dag{"chain", T, {}, std::move(nodes), {}};
  for (std::size_t v = 1; v < dag.nodes.size(); ++v) dag.edges.push_back({v - 1, v});
  return dag;
}

}  // namespace

TEST_CASE("T11g: one block at a time, (L, B) = (1, 1) above (10, 1): 11 and 11") {
  // The first finds a block of 10 that has just started: 1 + 10. The second: 10 + ceil((11 + 11)/50) 1.
  const System system{{gpu(1)}, {chain({kernel(1_ms, 1, 1)}, 50_ms), chain({kernel(10_ms, 1, 0)}, 60_ms)}};
  const auto bounds = node_bounds(system, Refinement::T10n);
  REQUIRE(bounds);
  CHECK(bounds->R == Row{11_ms, 11_ms});
  CHECK(bounds->support[0] == std::vector{Support::fixed});
  const auto first = sum_of<CountedSum>(Derivations(system, *bounds).of(0, 0));
  REQUIRE(first.waits.size() == 1);
  CHECK(ceil_to_time(first.waits[0].blocking) == 10_ms);
  REQUIRE(first.waits[0].blocked.size() == 1);
  CHECK(first.waits[0].blocked[0].node == 0);
  CHECK_FALSE(Derivations(system, *bounds).by(Support::late, 0, 0));
  CHECK_THROWS_AS((void)rta::analysis::path::bounds(system), Defect);
  for (const Refinement refinement : {Refinement::T10v, Refinement::T10j, Refinement::T10g, Refinement::T10w}) {
    CHECK(node_bounds(system, refinement)->R == bounds->R);
  }
}

TEST_CASE("T11g: three priorities, one block at a time, 1 above 2 above 10: 11, 13 and 13") {
  // The first may find a block of 10, or of 2: 1 + 10. The second one of 10: 2 + 10 + ceil((11 + 13)/50) 1. The third: 10 + 1 + 2.
  const System system{{gpu(1)},
                      {chain({kernel(1_ms, 1, 5)}, 50_ms), chain({kernel(2_ms, 1, 3)}, 60_ms), chain({kernel(10_ms, 1, 0)}, 70_ms)}};
  const auto bounds = node_bounds(system, Refinement::T10n);
  REQUIRE(bounds);
  CHECK(bounds->R == Row{11_ms, 13_ms, 13_ms});
  const auto second = sum_of<CountedSum>(Derivations(system, *bounds).of(1, 0));
  REQUIRE(second.waits.size() == 1);
  CHECK(ceil_to_time(second.waits[0].blocking) == 10_ms);
}

TEST_CASE("T11g: each kernel of a path may find blocks of less urgent ones") {
  // 1 (urgent), 2 elsewhere, 1, T = 30; a stranger of 5, less urgent, T = 40: 6, 8, 14 and 7, as without preemption on a processor.
  const System system{{gpu(1), elsewhere()},
                      {chain({kernel(1_ms, 1, 1), cpu(2_ms), kernel(1_ms, 1, 1)}, 30_ms), chain({kernel(5_ms, 1, 0)}, 40_ms)}};
  const auto bounds = node_bounds(system, Refinement::T10n);
  REQUIRE(bounds);
  CHECK(bounds->F == std::vector{Row{6_ms, 8_ms, 14_ms}, Row{7_ms}});
  CHECK(ceil_to_time(sum_of<CountedSum>(Derivations(system, *bounds).of(0, 2)).waits[0].blocking) == 10_ms);
}

TEST_CASE("T11g: no more blocks are there than SMs hold, nor than the less urgent kernel has") {
  // Two SMs of four slots, w = 1/4. Of 12 blocks of 10 eight fit: K = 10. 1 + 10; the lesser: 10 + (12 x 10 + 1 - 10)/8 = 23.875.
  const auto with = [](std::uint64_t B) {
    return System{{gpu(2, 4)}, {chain({kernel(1_ms, 1, 1)}, 100_ms), chain({kernel(10_ms, B, 0)}, 100_ms)}};
  };
  CHECK(node_bounds(with(12), Refinement::T10n)->R == Row{11_ms, 23875_us});
  // Three blocks weigh 3/4: 3/4 x 10/2 = 3.75. The lesser: 10 + (3 x 10 + 1 - 10)/8 = 12.625.
  CHECK(node_bounds(with(3), Refinement::T10n)->R == Row{4750_us, 12625_us});
}

TEST_CASE("T11g: of the kernel's own DAG only parallel ones are there") {
  // T = 100: a (3, less urgent) before b (1, urgent), and c (4, less urgent) beside them: 7, 3 + 1 + 4 + 4 and 8, as for T11b.
  Dag dag = chain({kernel(3_ms, 1, 0), kernel(1_ms, 1, 1), kernel(4_ms, 1, 0)}, 100_ms);
  dag.edges.pop_back();
  CHECK(node_bounds({{gpu(1)}, {dag}}, Refinement::T10n)->F[0] == Row{7_ms, 12_ms, 8_ms});
}

TEST_CASE("T11g: two classes of blocks, and the heaviest mix that fits") {
  // An SM of 4 G-threads for blocks of 1 or 3. Two in use are the fewest that block a 3: weights 1/2 and 3/2.
  fifo::Amounts one, three, capacity;
  for (const fifo::Resource r : fifo::all_resources) {
    one[r] = 1;
    three[r] = 3;
    capacity[r] = 4;
  }
  one[fifo::Resource::block_slots] = three[fifo::Resource::block_slots] = 1;
  Pool pool{"gpu", Order::fixed_kernels, 1, 2, false};
  pool.sm = std::make_shared<const fifo::Sm>(capacity, std::vector{one, three});
  const auto block = [](Time L, int H, std::uint32_t priority, std::uint64_t B = 1) {
    Node node{0, L, H * L.count(), static_cast<rta::Wide>(B) * H * L.count(), {}};
    node.priority = priority;
    node.demand = H == 3 ? 1 : 0;
    return node;
  };
  // K = (3 x 8 + 1 x 6)/2 = 15. Of 6 alone: 4 x 6/2 = 12, but one block is there: 3.
  const System both{{pool},
                    {chain({block(2_ms, 1, 1)}, 900_ms), chain({block(8_ms, 3, 0, 5)}, 900_ms), chain({block(6_ms, 1, 0, 5)}, 900_ms)}};
  CHECK(node_bounds(both, Refinement::T10n)->R[0] == 17_ms);
  const System small{{pool}, {chain({block(2_ms, 1, 1)}, 900_ms), chain({block(6_ms, 1, 0)}, 900_ms)}};
  CHECK(node_bounds(small, Refinement::T10n)->R[0] == 5_ms);
}

TEST_CASE("T11g with release jitter: blocks by releases T - J apart, all else by T12") {
  // The example, the second released up to 40 late: 20 apart. Once each all the same: ceil((11 + 11 + 0)/50), ceil((11 + 0)/20).
  System system{{gpu(1)}, {chain({kernel(1_ms, 1, 1)}, 50_ms), chain({kernel(10_ms, 1, 0)}, 60_ms)}};
  system.dags[1].J = 40_ms;
  CHECK(node_bounds(system, Refinement::T10n)->R == Row{11_ms, 11_ms});
  // The first up to 30 late: the second finds ceil((11 + 12 + 30)/50) = 2 of it.
  system.dags[0].J = 30_ms;
  CHECK(node_bounds(system, Refinement::T10n)->R == Row{11_ms, 12_ms});
}
