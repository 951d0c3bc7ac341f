// T10, T10n, T10j and T10g against hand-worked numbers.
#include "rta/analysis/path/path.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "analysis/explain/reason_words.hpp"
#include "rta/analysis/path/derivations.hpp"
#include "rta/model/error.hpp"
#include "support/inequality_laws.hpp"
#include "support/path_oracle.hpp"

namespace {

using namespace rta::literals;
using namespace rta::analysis::path;
using rta::Defect;
using rta::Overflow;
using rta::Time;
using rta::Wide;
using rta::analysis::in_words;
using rta::test::sum_of;

Pool processors(std::uint32_t m, Order order = Order::fifo) { return {"cpu", order, m, 1, true}; }

Node cpu(Time C, std::size_t pool = 0) { return {pool, C, C.count(), C.count(), {}}; }

Node kernel(Time L, Wide n, Wide B, std::size_t pool = 1) { return {pool, L, n * L.count(), n * L.count() * B, {}}; }

Dag chain(std::vector<Node> nodes, Time T, Time Y = {}) {
  Dag dag{"chain", T, Y, std::move(nodes), {}};
  for (std::size_t v = 1; v < dag.nodes.size(); ++v) dag.edges.push_back({v - 1, v});
  return dag;
}

const std::vector<Node> one_two_three{cpu(1_ms), cpu(2_ms), cpu(3_ms)};

}  // namespace

TEST_CASE("T10: one chain of 1, 2, 3 ms alone on one FIFO processor takes its own 6 ms") {
  // R = sum (C - C/1) + (ceil(R/10) + floor(R/10)) 6 = 0 + 1 x 6.
  const System system{{processors(1)}, {chain(one_two_three, 10_ms)}};
  CHECK(bounds(system)->R == std::vector{6_ms});
  CHECK(node_bounds(system, Refinement::T10n)->R == std::vector{6_ms});
}

TEST_CASE("T10: two chains, T = 20 ms, one FIFO processor: 18 ms") {
  // n = ceil(2 R / 20) of the other chain, 1 of the own: R = 6 + 12 = 18, and ceil(36/20) = 2.
  const System system{{processors(1)}, {chain(one_two_three, 20_ms), chain(one_two_three, 20_ms)}};
  CHECK(bounds(system)->R == std::vector{18_ms, 18_ms});
  // T10n, own work up to the node plus ceil((F_u + a)/20) C_u over the other chain's nodes u = 1, 2, 3:
  // F_1 (a = 0): 1 + 1 + 2 + 3 = 7. F_2 (a = 7): 3 + 1 + 2 + 2 x 3 = 12, since F_3 + 7 > 20. F_3 (a = 12): 6 + 1 + 2 x 2 + 2 x 3 = 17.
  const auto nodes = node_bounds(system, Refinement::T10n);
  CHECK(nodes->F[0] == std::vector{7_ms, 12_ms, 17_ms});
  CHECK(nodes->R == std::vector{17_ms, 17_ms});
}

TEST_CASE("T10: two chains, T = 20 ms, two FIFO processors: 9 ms") {
  // sum (C - C/2) = 3, waiting (1 x 6 + 1 x 6)/2 = 6, and ceil(18/20) = 1.
  const System system{{processors(2)}, {chain(one_two_three, 20_ms), chain(one_two_three, 20_ms)}};
  CHECK(bounds(system)->R == std::vector{9_ms, 9_ms});
  CHECK(node_bounds(system, Refinement::T10n)->R[0] <= 9_ms);
}

TEST_CASE("T10n: ends in thirds that together are a period are 1 ns beyond it in whole ns, and no further in thirds") {
  // Three processors. F_1 = 2/3 + (1 + 2)/3 = 5/3, F_d = 4/3 + (2 + 1 + 3)/3 = 10/3. F_3 = 2/3 + 2 + (1 + 3 + n 2)/3: in thirds n =
  // ceil((10/3 + 5/3)/5) = 1, so 14/3; in whole ns 3333334 + 1666667 > 5000000 and n = 2: 16/3.
  for (const Order order : {Order::fifo, Order::fixed}) {
    const auto in = [&](Time unit) {
      const std::int64_t u = unit.count();
      return System{{processors(3, order)}, {chain({cpu(unit), cpu(Time(3 * u))}, Time(10 * u)), chain({cpu(Time(2 * u))}, Time(5 * u))}};
    };
    CHECK(node_bounds(in(1_ms), Refinement::T10n)->F ==
          std::vector<std::vector<Time>>{{Time(1'666'667), Time(5'333'334)}, {Time(3'333'334)}});
    CHECK(node_bounds(in(3_ms), Refinement::T10n)->F == std::vector<std::vector<Time>>{{5_ms, 14_ms}, {10_ms}});
    // The stretched system's bounds are the other's times three: 1 ns is a third of one. T10a on the FIFO counts 1 ns of the second job.
    const auto aligned = node_bounds(in(1_ms), Refinement::T10v);
    CHECK(aligned->F[0][1] == (order == Order::fifo ? Time(4'666'667) : Time(5'333'334)));
    // A period 1 ns longer is enough.
    System longer = in(1_ms);
    longer.dags[1].T += Time(1);
    CHECK(node_bounds(longer, Refinement::T10n)->F[0][1] == Time(4'666'667));
  }
}

TEST_CASE("T10, T10n, T10j: a processor loaded to 120 % bounds nothing") {
  const System system{{processors(1)}, {chain(one_two_three, 10_ms), chain(one_two_three, 10_ms)}};
  const std::string reason = "pool 'cpu': U = 1.2 > 1 (exceeded by 0.2)";
  CHECK(in_words(bounds(system).reason()) == reason);
  CHECK(in_words(node_bounds(system, Refinement::T10n).reason()) == reason);
  CHECK(in_words(node_bounds(system, Refinement::T10j).reason()) == reason);
}

TEST_CASE("T10: past the limit the pool with the most waiting is named") {
  // U = 0.9, but T10 on FIFO pools counts about twice the load: R = 6 + 6 ceil(2R/14) for both has no solution; 12/14 is the load.
  const System system{{processors(1)}, {chain(one_two_three, 14_ms), chain(one_two_three, 14_ms)}};
  CHECK(in_words(bounds(system).reason()) ==
        "DAG 'chain': the bound passes 1000 periods; most of it is waiting on pool 'cpu', loaded to 85.7 %");
}

TEST_CASE("T10: preemptive GEL by DAG counts a later priority point only where it can precede") {
  // Y = 5 and 15 ms: for the first chain, jobs of the second precede when released in (r - R_2, r - 10 ms]; R_2 = 12 ms: one job.
  // R_1 = 6 + ceil((12 - 10)/40) x 6 = 12. R_2 = 6 + ceil((R_1 + min(R_2, 10))/40) x 6 = 12.
  System system{{processors(1, Order::gel)}, {chain(one_two_three, 40_ms, 5_ms), chain(one_two_three, 40_ms, 15_ms)}};
  CHECK(bounds(system)->R == std::vector{12_ms, 12_ms});
  // Y = 17 ms: (r - 12 ms, r - 12 ms] holds nothing, so the first chain runs alone.
  system.dags[1].Y = 17_ms;
  CHECK(bounds(system)->R == std::vector{6_ms, 12_ms});
}

TEST_CASE("T10: equal priority points precede each other") {
  // Two nodes of 1 ns, Y equal, one processor: ties in any order, so each may wait for the other.
  const System system{{processors(1, Order::gel)}, {chain({cpu(1_ns)}, 10_ns, 3_ns), chain({cpu(1_ns)}, 11_ns, 3_ns)}};
  CHECK(bounds(system)->R == std::vector{2_ns, 2_ns});
}

TEST_CASE("T10: a chain CPU, GPU, CPU pays for both pools once") {
  // One SM-pool of 2 SMs of 4 G-threads, H = 2 alone: m - H_max + h = 4, w = 2/4 = 1/2. Kernel: B = 4, L = 6 ms: vol = 2 x 6 x 4 / 4
  // = 12 ms of one SM's time, s = 3 ms. Two DAGs, T = 100 ms, CPU (m = 2) nodes of 2 and 4 ms.
  // Execution: 2 + 6 + 4 = 12 ms less s/cap: (2 + 4)/2 + 3/2 = 4.5. Waiting: CPU 2 x 6/2 = 6, GPU 2 x 12/2 = 12. R = 7.5 + 18 = 25.5 ms.
  Pool gpu{"gpu", Order::fifo, 2, 4, false};
  const auto dag = chain({cpu(2_ms), kernel(6_ms, 2, 4), cpu(4_ms)}, 100_ms);
  const System system{{processors(2), gpu}, {dag, dag}};
  const auto whole = bounds(system);
  CHECK(whole->R == std::vector{25'500_us, 25'500_us});
  // T10n: the first node waits for no kernel: 2 - 1 + (2 + 4 of the other chain, 2 of the own)/2 = 5 ms.
  // Then the kernel: 1 + 4.5 + CPU 4 + GPU 12 = 21.5 ms (no descendant of it runs before it ends: CPU (6 + 2)/2).
  const auto nodes = node_bounds(system, Refinement::T10n);
  CHECK(nodes->F[0] == std::vector{5_ms, 21'500_us, 25'500_us});

  const auto d = Derivations(system, *whole).of(0);
  const auto sum = sum_of<CountedSum>(d);
  CHECK(d.path == std::vector<std::size_t>{0, 1, 2});
  CHECK(sum.execution == 12_ms);
  CHECK(ceil_to_time(d.total) == 25'500_us);
  REQUIRE(sum.waits.size() == 2);
  CHECK(ceil_to_time(sum.waits[0].length) == 3_ms);
  CHECK(ceil_to_time(sum.waits[1].length) == 10'500_us);
  REQUIRE(sum.waits[1].jobs.size() == 2);
  CHECK(sum.waits[1].jobs[1].most == 1);
  CHECK(sum.waits[1].jobs[1].work == Wide{48'000'000});
}

TEST_CASE("T10: a DAG pays only for the pools that a path visits") {
  // Source on pool 0, then one branch to pool 1 (1 ms) and one that stays (5 ms). Pool 1 is full of a stranger's 8 ms.
  // Path on pool 0 alone (m = 1): 0 + 7 ms (its own 1 + 5 + 1 on pool 0) = 7. Path over pool 1: 0 + 7 + (1 + 8) = 16 for the sink.
  Dag dag{"d", 100_ms, {}, {cpu(1_ms), cpu(5_ms), cpu(1_ms, 1), cpu(1_ms)}, {{0, 1}, {0, 2}, {1, 3}, {2, 3}}};
  Dag alone{"alone", 100_ms, {}, {cpu(1_ms), cpu(5_ms), cpu(1_ms)}, {{0, 1}, {1, 2}}};
  const Dag stranger = chain({cpu(8_ms, 1)}, 100_ms);
  const std::vector<Pool> pools{processors(1), processors(1)};
  CHECK(bounds({pools, {dag, stranger}})->R[0] == 16_ms);
  CHECK(bounds({pools, {alone, stranger}})->R[0] == 7_ms);
}

TEST_CASE("T10j: full load on a FIFO processor keeps a bound where T10n has none") {
  // Two nodes of 5 ms every 10 ms, one processor: U = 1. T10n: F = ceil(F/10) 5 + ceil(F/10) 5 at A = 0: F = 10, ceil(10/10) = 1: bounded.
  const System single{{processors(1)}, {chain({cpu(5_ms)}, 10_ms), chain({cpu(5_ms)}, 10_ms)}};
  CHECK(node_bounds(single, Refinement::T10n)->R == std::vector{10_ms, 10_ms});
  // Two chains of two nodes, 2.5 ms each: T10n grows without end. T10j: carry = (ceil(1) - 1) x ... = 0; A_2 = F_1.
  // F_1 = 10 + (2 x 2.5 F_1/10) = 10 + F_1/2 -> 20 ms; F_2 = F_1 + 10 + F_1/2 = 40 ms. T30: one node of the other chain for the first,
  // 2.5 + 2.5 = 5; both for the second, 5 + 5 = 10, in time.
  const std::vector<Node> halves{cpu(2'500_us), cpu(2'500_us)};
  const System system{{processors(1)}, {chain(halves, 10_ms), chain(halves, 10_ms)}};
  CHECK_FALSE(node_bounds(system, Refinement::T10n));
  const auto late = node_bounds(system, Refinement::T10j);
  REQUIRE(late);
  CHECK(late->F == std::vector(2, std::vector{5_ms, 10_ms}));
  const auto by_3 = [&](Time F_1) {  // as (3) has it
    NodeBounds at = *late;
    at.F = std::vector(2, std::vector{F_1, 40_ms});
    return ceil_to_time(Derivations(system, at).by(Support::late, 0, 0)->total);
  };
  CHECK(by_3(20_ms) == 20_ms);
  CHECK(by_3(16_ms) == 18_ms);
}

TEST_CASE("T10j: what is resident on a GPU that is less than busy is whole blocks") {
  // One SM, weights 1/2. a: one block of 4, T = 4; b: two blocks of 2, T = 5: U_w = (1 + 4/5)/2, and V = 1/2: one block. Carry 4 x 1/2 = 2.
  // F_a = 2 + (4 + 4)/2 - 4/2 + 4 = 8, F_b = 2 + 4 - 2/2 + 2 = 7, where T10n has 16 and 15. With U_w, 3.6 would be carried: 9.6 and 8.6.
  const System system{{{"gpu", Order::fifo, 1, 2, false}}, {chain({kernel(4_ms, 1, 1, 0)}, 4_ms), chain({kernel(2_ms, 1, 2, 0)}, 5_ms)}};
  CHECK(node_bounds(system, Refinement::T10n)->R == std::vector{16_ms, 15_ms});
  const auto bounds = node_bounds(system, Refinement::T10j);
  REQUIRE(bounds);
  CHECK(bounds->R == std::vector{8_ms, 7_ms});
  const auto late = Derivations(system, *bounds).by(Support::late, 0, 0);
  const auto sum = sum_of<SporadicSum>(late);
  CHECK(sum.carry == rta::analysis::fine(2_ms));
}

TEST_CASE("T10j: what a GPU holds while it has room for any block") {
  // One SM of 4 G-threads. a: one block of 3 G-threads and 4 ms, w = 1, T = 8. b: two of 1 G-thread and 1 ms, w = 1/2, T = 4. Two
  // G-threads in use block a: K' = 1/2. U_w = 3/4, V = 1/2: (b) 4 x 1/2 = 2 (lambda = 1: 1/2 + 3; lambda = 0: 4 + 2 x 1).
  // F_a = 1/2 + 5 - 4 + 4 = 5.5, F_b = 1/2 + 5 - 1/2 + 1 = 6; with (b) 7 and 7.5, and T10n has 6 and 6.5.
  System system{{{"gpu", Order::fifo, 1, 2, false}}, {chain({kernel(4_ms, 2, 1, 0)}, 8_ms), chain({kernel(1_ms, 1, 2, 0)}, 4_ms)}};
  CHECK(node_bounds(system, Refinement::T10n)->R == std::vector{6_ms, 6'500_us});
  const auto counted = node_bounds(system, Refinement::T10j);
  REQUIRE(counted);
  CHECK(counted->R == std::vector{6_ms, 6'500_us});
  const auto light = Derivations(system, *counted).by(Support::late, 0, 0);
  const auto sum = sum_of<SporadicSum>(light);
  CHECK(sum.carry == rta::analysis::fine(2_ms));
  CHECK(light->total == rta::analysis::fine(7_ms));
  CHECK_FALSE(sum.resident);

  system.pools[0].resident = (1_ms).count();  // in units of weight 1/2
  const auto bounds = node_bounds(system, Refinement::T10j);
  REQUIRE(bounds);
  CHECK(bounds->R == std::vector{5'500_us, 6_ms});
  const auto late = Derivations(system, *bounds).by(Support::late, 0, 0);
  const auto resident = sum_of<SporadicSum>(late);
  CHECK(resident.carry == rta::analysis::fine(500_us));
  CHECK(resident.resident);
  // T12j: the same carry where releases are late; work 4 (1 + 4/8) + 1 (1 + 2/4) in nominal periods of 8 and 4.
  system.dags[0].J = 4_ms;
  system.dags[1].J = 2_ms;
  const auto jitter = node_bounds(system, Refinement::T10j);
  REQUIRE(jitter);
  CHECK(jitter->R == std::vector{8_ms, 8'500_us});
}

TEST_CASE("T10: non-preemptive processors add one longest later piece per node") {
  // m = 1. First chain 1, 2 ms, Y = 0; second: one node of 5 ms, Y = 50 ms, T = 100 ms: never precedes, but may have started:
  // R_1 = 0 + 3 + 2 x 5 = 13 ms (Blk per node of the path; A_q = R_1 in T10). R_2 = 5 + ceil((13 + min(R_2, 50))/100) x 3 = 8, no blocking.
  const System system{{processors(1, Order::gel_non_preemptive)},
                      {chain({cpu(1_ms), cpu(2_ms)}, 100_ms, 0_ns), chain({cpu(5_ms)}, 100_ms, 50_ms)}};
  CHECK(bounds(system)->R == std::vector{13_ms, 8_ms});
  // T10n: the first node is ready at once: what started before was released in (r - 8, r): one job, 5 ms. F = 1 + 5 = 6; then 3 + 10 = 13.
  CHECK(node_bounds(system, Refinement::T10n)->F[0] == std::vector{6_ms, 13_ms});
}

TEST_CASE("T10n with points per node: what comes later than all of a path is not counted") {
  // m = 1. DAG d, T = 20: u (2 ms, Y = 0) and w (3 ms, Y = 10), both sources. DAG x, T = 20: one node of 4 ms, Y = 1.
  // u: w comes 10 later, and F_w - 20 < 0; of x, jobs released in (r - F_x, r - 1]: one. F_u = 2 + 4 = 6.
  // x: of u, jobs in (r - 6, r + 1]: one; of w in (r - F_w, r - 9]: none while F_w <= 9. F_x = 4 + 2 = 6.
  // w: of u, the same job's and, in (r - 6, r - 20], no earlier one; of x, in (r - 6, r + 9]: one. F_w = 3 + 2 + 4 = 9.
  const auto with_point = [](Time C, Time Y) {
    Node node = cpu(C);
    node.Y = Y;
    return node;
  };
  System system{{processors(1, Order::gel_by_node)}, {}};
  system.dags.push_back({"d", 20_ms, {}, {with_point(2_ms, 0_ms), with_point(3_ms, 10_ms)}, {}});
  system.dags.push_back({"x", 20_ms, {}, {with_point(4_ms, 1_ms)}, {}});
  const auto bounds = node_bounds(system, Refinement::T10n);
  REQUIRE(bounds);
  CHECK(bounds->F[0] == std::vector{6_ms, 9_ms});
  CHECK(bounds->F[1] == std::vector{6_ms});
  CHECK(Derivations(system, *bounds).of(0, 0).total == rta::analysis::fine(6_ms));
  // By DAG all count each other: 2 + 3 + 4.
  system.pools[0].order = Order::gel;
  CHECK(node_bounds(system, Refinement::T10n)->F[0] == std::vector{9_ms, 9_ms});
}

TEST_CASE("T10g: two nodes on two processors") {
  // (C, T, Y) = (4, 8, 8), (6, 8, 4): U = 1.25, carry = 6.
  // F_1 = (6 + 4 + 6 (1 - (4 - 8)/8))/2 + 4/2 = 11.5, where T10n has 4/2 + (2 x 4 + 2 x 6)/2 = 12.
  // F_2: T10n 6/2 + (4 + 6)/2 = 8, where T10g has (6 + 4 (1 - (8 - 4)/8) + 6)/2 + 6/2 = 10.
  System system{{processors(2, Order::gel_by_node)}, {chain({cpu(4_ms)}, 8_ms, 8_ms), chain({cpu(6_ms)}, 8_ms, 4_ms)}};
  system.dags[0].nodes[0].Y = 8_ms;
  system.dags[1].nodes[0].Y = 4_ms;
  CHECK(node_bounds(system, Refinement::T10n)->R == std::vector{12_ms, 8_ms});
  const auto bounds = node_bounds(system, Refinement::T10g);
  CHECK(bounds->R == std::vector{11'500_us, 8_ms});
  const auto late = Derivations(system, *bounds).by(Support::late, 0, 0);
  const auto sum = sum_of<SporadicSum>(late);
  CHECK(sum.carry == rta::analysis::fine(3_ms));
  CHECK(sum.work == rta::analysis::fine(6'500_us));
  CHECK(sum.own == rta::analysis::fine(2_ms));
  CHECK(late->total == rta::analysis::fine(11'500_us));
  // By DAG T10n has the same, and T10a less: of the other, jobs from x = -4 and 4 on, of which the latter executes 8 - 4 at most; of its
  // own, the one from x = 8 on F_1 - 8: F_1 = 4/2 + (4 + (F_1 - 8) + 6 + 4)/2 = 10. By T24 neither waits: no more than two run at once.
  system.pools[0].order = Order::gel;
  CHECK(node_bounds(system, Refinement::T10n)->R == std::vector{12_ms, 8_ms});
  CHECK(node_bounds(system, Refinement::T10v)->R == std::vector{10_ms, 8_ms});
  CHECK(node_bounds(system, Refinement::T10g)->R == std::vector{4_ms, 6_ms});
}

TEST_CASE("T10g: a node's ready time is jitter") {
  // m = 1, T = 8: s (2 ms on another processor) -> v (4 ms, Y = 8), so A_v = 2; x (3 ms, Y = 4). U = 7/8, no carry.
  // F_v = 2 + 4 + 3 (1 - (4 - 8 + 2 - 0)/8) = 9.75; F_x = 0 + 3 + 4 (1 - (8 - 4 + 0 - 2)/8) = 6.
  System system{{processors(1, Order::gel_by_node), {"other", Order::fifo, 1, 1, true}}, {}};
  system.dags.push_back(chain({cpu(2_ms, 1), cpu(4_ms)}, 8_ms));
  system.dags.push_back(chain({cpu(3_ms)}, 8_ms));
  system.dags[0].nodes[1].Y = 8_ms;
  system.dags[1].nodes[0].Y = 4_ms;
  const auto bounds = node_bounds(system, Refinement::T10g);
  REQUIRE(bounds);
  CHECK(bounds->F[0] == std::vector{2_ms, 9'750_us});
  CHECK(bounds->F[1] == std::vector{6_ms});
}

TEST_CASE("T10g: priority points so far apart that their demand leaves the range leave T10n's bound") {
  // A DAG whose point lies about 2^60 after those of 16 DAGs (C, T) = (1.6, 2) us on 16 processors: T10g has it wait for
  // up to 0.8 x 2^60 ns, 16 ticks each; T10n for what is unfinished or comes before it ends.
  for (int i = 0; i < 64; ++i) {
    const Time Y((std::int64_t{1} << 60) - i * (std::int64_t{1} << 54));
    CAPTURE(Y.count());
    for (const Order order : {Order::gel, Order::gel_by_node}) {
      System system{{processors(16, order)}, {chain({cpu(1_ms)}, 1_s, Y)}};
      system.dags[0].nodes[0].Y = Y;
      for (int k = 0; k < 16; ++k) system.dags.push_back(chain({cpu(1600_ns)}, 2_us));
      const auto plain = node_bounds(system, Refinement::T10n);
      const auto late = node_bounds(system, Refinement::T10g);
      REQUIRE(plain);
      REQUIRE(late);
      if (order == Order::gel_by_node) CHECK(late->R[0] == plain->R[0]);
      if (order == Order::gel) CHECK(late->R[0] == 5'006'400_ns);  // the 16 wait for nothing, by T24: 1 ms and 2504 x 1.6 us
      const auto derived = Derivations(system, *late).by(Support::late, 0, 0);
      CHECK((!derived || derived->total > rta::analysis::fine(plain->R[0])));
    }
  }
}

TEST_CASE("Points per node: T10 has no bound for them, and says so") {
  const System system{{processors(1, Order::gel_by_node)}, {chain(one_two_three, 20_ms)}};
  CHECK_THROWS_AS((void)bounds(system), Defect);
}

TEST_CASE("Path bounds: a bound proven elsewhere is used where it is smaller") {
  System system{{processors(1)}, {chain(one_two_three, 20_ms), chain(one_two_three, 20_ms)}};
  system.dags[0].nodes[2].proven = 13_ms;
  system.dags[1].nodes[2].proven = 13_ms;
  CHECK(node_bounds(system, Refinement::T10n)->R == std::vector{13_ms, 13_ms});
}

TEST_CASE("Path bounds: copies and single DAGs give the same, in any order") {
  const auto a = chain(one_two_three, 30_ms, 4_ms);
  auto b = chain({cpu(2_ms), cpu(2_ms)}, 25_ms, 9_ms);
  for (const Order order : {Order::fifo, Order::gel, Order::gel_non_preemptive}) {
    const auto left = node_bounds({{processors(2, order)}, {a, b, a, b, a}}, Refinement::T10n);
    const auto right = node_bounds({{processors(2, order)}, {b, a, a, a, b}}, Refinement::T10n);
    CHECK(left->R[0] == right->R[1]);
    CHECK(left->R[0] == left->R[4]);
    CHECK(left->R[1] == right->R[0]);
    // A copy that differs by a zero-length node of its own is no copy to the solver, and no other work to anybody.
    b.nodes.push_back(cpu(0_ns));
    const auto told_apart = node_bounds({{processors(2, order)}, {a, a, a, b, b}}, Refinement::T10n);
    CHECK(told_apart->R[0] == left->R[0]);
    b.nodes.pop_back();
  }
}

TEST_CASE("Path bounds: a DAG of more nodes than sets of descendants are kept for") {
  // Alone on one processor: all its own work, whatever is known of its order.
  const std::size_t n = 40'001;
  const System system{{processors(1)}, {chain(std::vector<Node>(n, cpu(1_ns)), 1_ms)}};
  CHECK(node_bounds(system, Refinement::T10n)->R[0].count() == n);
}

TEST_CASE("Path bounds: ill-formed systems are refused, numbers out of range too") {
  const System good{{processors(1)}, {chain({cpu(1_ms), cpu(1_ms)}, 10_ms)}};
  System bad = good;
  bad.dags[0].edges.push_back({1, 0});
  CHECK_THROWS_AS((void)bounds(bad), Defect);
  bad = good;
  bad.dags[0].nodes[0].pool = 1;
  CHECK_THROWS_AS((void)bounds(bad), Defect);
  bad = good;
  bad.dags[0].T = 0_ns;
  CHECK_THROWS_AS((void)node_bounds(bad, Refinement::T10n), Defect);
  bad = good;
  bad.dags[0].T = Time(std::numeric_limits<std::int64_t>::max());
  CHECK_THROWS_AS((void)bounds(bad), Overflow);
  bad = good;
  bad.dags[0].nodes[0].vol = Wide{1} << 100;
  CHECK_THROWS_AS((void)bounds(bad), Overflow);
  bad = good;
  bad.dags[0].Y = Time(std::numeric_limits<std::int64_t>::min());
  CHECK_THROWS_AS((void)bounds(bad), Overflow);
  bad = good;
  bad.pools[0].order = Order::gel_by_node;
  bad.dags[0].nodes[0].Y = Time(std::numeric_limits<std::int64_t>::max());
  CHECK_THROWS_AS((void)node_bounds(bad, Refinement::T10g), Overflow);
}

TEST_CASE("Path bounds: the search stops when it is told to") {
  const System system{{processors(1)}, {chain(one_two_three, 20_ms), chain(one_two_three, 20_ms)}};
  Limits limits;
  limits.stop = [] { return true; };
  CHECK(in_words(bounds(system, limits).reason()) == "the search for path bounds was stopped before it ended");
  limits = {};
  limits.sweeps = 1;
  CHECK(in_words(node_bounds(system, Refinement::T10n, limits).reason()) == "the path bounds still grow after 1 rounds");
}
