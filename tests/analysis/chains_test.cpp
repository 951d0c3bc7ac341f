// T13 on the examples of docs/theory/chains.md, and on proofs.
#include "rta/analysis/chains.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "support/build.hpp"

using namespace rta;
using namespace rta::test;
using analysis::ChainLatencies;
using analysis::StageTimes;

namespace {

constexpr Time ns(std::int64_t t) { return Time(t); }

Dag task(const std::string& name, Time T, DagAttributes attributes = {}) {
  return {name, T, std::nullopt, {cpu_node(name, 1_ns)}, {}, attributes};
}

/// A proof in which every node ends so long after its DAG's release, and starts from offset 0 on.
analysis::Proof proof_with(std::shared_ptr<const TaskSet> set, const PerNode<std::int64_t>& F, Release release = Release::completion) {
  analysis::Proof proof;
  proof.release = release;
  for (const auto& ends : F) {
    analysis::DagProof& dag = proof.dags.emplace_back();
    Time R;
    for (const std::int64_t end : ends) {
      analysis::NodeProof& node = dag.nodes.emplace_back();
      node.reference = Time::zero();
      node.bound = analysis::Bound{ns(end), {}};
      R = std::max(R, ns(end));
    }
    dag.bound = analysis::Bound{R, {}};
  }
  proof.task_set = std::move(set);
  return proof;
}

std::shared_ptr<const TaskSet> with_chain(std::vector<Pool> pools, std::vector<Dag> dags, Chain chain) {
  std::vector<Chain> chains{std::move(chain)};
  return std::make_shared<const TaskSet>("test", std::move(pools), std::move(dags), std::move(chains));
}

}  // namespace

TEST_CASE("T13: (T, F) = (10, 4), (20, 6)") {
  // 10 + 4 + 20 + 6 = 40; without the first T 30, without the last T 20.
  CHECK(analysis::chain_latencies(std::vector<StageTimes>{{ns(10), ns(0), ns(4)}, {ns(20), ns(0), ns(6)}}) ==
        ChainLatencies{.MRT = ns(40), .MRRT = ns(30), .MRDA = ns(20), .MDA = ns(40)});
}

TEST_CASE("T13: sporadic releases and least times to the read") {
  // (40 + 12 - 2) + (10 + 5 - 0) + (50 + 30 - 3) = 50 + 15 + 77 = 142; 142 - 40 = 102; 142 - 50 = 92.
  const std::vector<StageTimes> stages{{ns(40), ns(2), ns(12)}, {ns(10), ns(0), ns(5)}, {ns(50), ns(3), ns(30)}};
  CHECK(analysis::chain_latencies(stages) == ChainLatencies{.MRT = ns(142), .MRRT = ns(102), .MRDA = ns(92), .MDA = ns(142)});
}

TEST_CASE("T13: a more urgent stage on the same processor shortens reactions alone") {
  // F - E of (10, F 2) above (20, F 8): 10 + 20 + 8 = 38 instead of 40.
  const std::vector<StageTimes> stages{{ns(10), ns(0), ns(2), true}, {ns(20), ns(0), ns(8)}};
  CHECK(analysis::chain_latencies(stages) == ChainLatencies{.MRT = ns(38), .MRRT = ns(28), .MRDA = ns(20), .MDA = ns(40)});
  // Where the next stage starts late enough, F - E is below 0 and stays in the sum.
  const std::vector<StageTimes> late{{ns(10), ns(0), ns(2), true}, {ns(20), ns(5), ns(8)}};
  CHECK(analysis::chain_latencies(late).MRT == ns(10 + 2 - 0 + 20 + 8 - 5));
}

TEST_CASE("T13: a chain of one stage, and sums that leave the range") {
  CHECK(analysis::chain_latencies(std::vector<StageTimes>{{ns(10), ns(3), ns(4)}}) ==
        ChainLatencies{.MRT = ns(11), .MRRT = ns(1), .MRDA = ns(1), .MDA = ns(11)});
  const Time most(std::numeric_limits<std::int64_t>::max());
  CHECK_THROWS_AS((void)analysis::chain_latencies(std::vector<StageTimes>{{most, ns(0), ns(1)}}), Overflow);
}

TEST_CASE("A chain's stages take T_max, the node's end and, at offsets, its offset") {
  const Dag camera("camera", 33_ns, std::nullopt, {cpu_node("grab", 1_ns), cpu_node("send", 1_ns)}, {{0, 1}}, {.T_max = 40_ns});
  auto set = with_chain({cpu_pool(4)}, {camera, task("control", 50_ns)},
                        {"brake", {{0, 1}, {1, std::nullopt}}, Communication::registers, 140_ns, 130_ns});
  auto proof = proof_with(set, {{2, 12}, {30}}, Release::offsets);
  proof.dags[0].nodes[1].reference = 5_ns;  // the sender: from 5 to 5 + 12
  const auto proven = analysis::prove_chains(proof);
  REQUIRE(proven.size() == 1);
  REQUIRE(proven[0].bound);
  // (40 + 17 - 5) + (50 + 30) = 132.
  CHECK(*proven[0].bound == ChainLatencies{.MRT = 132_ns, .MRRT = 92_ns, .MRDA = 82_ns, .MDA = 132_ns});
  CHECK_FALSE(proven[0].meets(set->chains()[0]));  // the age is above 130
  // On completion the sender may start at once: (40 + 17) + 80 = 137.
  proof.release = Release::completion;
  CHECK(analysis::prove_chains(proof)[0].bound->MRT == 137_ns);
  proof.dags[0].nodes[1].bound.reset();
  const auto missing = analysis::prove_chains(proof);
  REQUIRE(missing[0].none);
  CHECK(analysis::in_words(*set, missing[0], *missing[0].none) == "stage 'camera/send' has no bound");
}

TEST_CASE("Nodes of one DAG that follow one another are one stage") {
  const Dag dag("d", 100_ns, std::nullopt, {cpu_node("a", 1_ns), cpu_node("b", 1_ns), cpu_node("c", 1_ns)}, {{0, 1}, {1, 2}});
  auto set = with_chain({cpu_pool(1)}, {dag}, {"c", {{0, 0}, {0, 1}, {0, 2}}, Communication::registers, {}, {}});
  const auto proven = analysis::prove_chains(proof_with(set, {{10, 20, 30}}));
  REQUIRE(proven[0].stages.size() == 1);
  CHECK(proven[0].bound->MRT == 130_ns);
  CHECK(analysis::stage_in_words(*set, proven[0].stages[0]) == "d/a -> d/c");
}

TEST_CASE("Known phases: the largest distance over a hyperperiod") {
  // Releases 0, 10, ... and 5, 25, ...; data is written 4 later: 0 -> 5, 10 -> 25, so 15. From 4 on: 0 -> 4, 10 -> 24, 14. From 3 on, just
  // missed: 0 -> 23.
  CHECK(analysis::largest_distance(ns(0), ns(10), ns(5), ns(20), ns(4)) == ns(15));
  CHECK(analysis::largest_distance(ns(0), ns(10), ns(4), ns(20), ns(4)) == ns(14));
  CHECK(analysis::largest_distance(ns(0), ns(10), ns(3), ns(20), ns(4)) == ns(23));
  // Against all jobs of a hyperperiod.
  for (std::int64_t T = 1; T <= 6; ++T) {
    for (std::int64_t next_T = 1; next_T <= 6; ++next_T) {
      for (std::int64_t phase = 0; phase < next_T; ++phase) {
        for (const std::int64_t after : {-5, 0, 1, 8}) {
          std::int64_t most = -100;
          for (std::int64_t a = 10; a < 10 + next_T; ++a) {
            std::int64_t b = -1'000;
            while (phase + b * next_T < 2 + a * T + after) ++b;
            most = std::max(most, phase + b * next_T - 2 - a * T);
          }
          REQUIRE(analysis::largest_distance(ns(2), ns(T), ns(phase), ns(next_T), ns(after)) == ns(most));
        }
      }
    }
  }
}

TEST_CASE("Known phases take the place of one period and of the waiting, where both stages have them") {
  const auto MRT = [](DagAttributes first, DagAttributes second, bool with_phases = true) {
    auto set = with_chain({cpu_pool(1)}, {task("a", ns(10) - first.jitter, first), task("b", 20_ns, second)},
                          {"c", {{0, {}}, {1, {}}}, Communication::registers, {}, {}});
    return analysis::prove_chains(proof_with(set, {{4}, {6}}), with_phases)[0].bound->MRT;
  };
  // 10 + 15 + 6, instead of 10 + 4 + 20 + 6.
  CHECK(MRT({.phase = 0_ns}, {.phase = 5_ns}) == 31_ns);
  CHECK(MRT({.phase = 0_ns}, {.phase = 5_ns}, false) == 40_ns);
  CHECK(MRT({.phase = 0_ns}, {}) == 40_ns);
  CHECK(MRT({.T_max = 10_ns, .phase = 0_ns}, {.phase = 5_ns}) == 31_ns);
  CHECK(MRT({.T_max = 11_ns, .phase = 0_ns}, {.phase = 5_ns}) == 41_ns);
  CHECK(MRT({.jitter = 1_ns, .phase = 0_ns}, {.phase = 5_ns}) == 41_ns);  // and two releases up to 11 apart
}

TEST_CASE("A static order has a clock of its own: phases do not count") {
  auto set = with_chain({cpu_pool(1)}, {task("a", 10_ns, {.phase = 0_ns}), task("b", 20_ns, {.phase = 5_ns})},
                        {"c", {{0, {}}, {1, {}}}, Communication::registers, {}, {}});
  CHECK(analysis::prove_chains(proof_with(set, {{4}, {6}}))[0].bound->MRT == 31_ns);
  CHECK(analysis::prove_chains(proof_with(set, {{4}, {6}}, Release::fixed_order))[0].bound->MRT == 40_ns);
}

TEST_CASE("Known phases are explained, and the sums are what is printed") {
  auto set = with_chain({cpu_pool(1)}, {task("a", 10_ns, {.phase = 0_ns}), task("b", 20_ns, {.phase = 5_ns})},
                        {"c", {{0, {}}, {1, {}}}, Communication::registers, {}, {}});
  const auto proof = proof_with(set, {{4}, {6}});
  const auto lines = analysis::explain_chain(proof, set->chains()[0], analysis::prove_chains(proof)[0]).lines;
  REQUIRE(lines.size() == 8);
  CHECK(lines[3] == "with these phases b is released at most 15 ns after a whose data it reads: 9 ns less than the sum");
  CHECK(lines[4] == "MDA (maximum data age) = 31 ns");
}

TEST_CASE("LET: data moves at releases and deadlines; a stage that may end later has no latencies") {
  const Dag late("late", 10_ns, 8_ns, {cpu_node("late", 1_ns)}, {});
  auto set = with_chain({cpu_pool(1)}, {late, task("t", 20_ns)}, {"c", {{0, {}}, {1, {}}}, Communication::let, {}, {}});
  // (10 + 8) + (20 + 20) = 58, whatever F is up to L.
  CHECK(analysis::prove_chains(proof_with(set, {{8}, {3}}))[0].bound ==
        ChainLatencies{.MRT = 58_ns, .MRRT = 48_ns, .MRDA = 38_ns, .MDA = 58_ns});
  const auto none = analysis::prove_chains(proof_with(set, {{9}, {3}}))[0];
  REQUIRE(none.none);
  CHECK(analysis::in_words(*set, none, *none.none) ==
        "stage 'late' may end 9 ns after its release, but LET publishes 8 ns after it (D, or T without a D)");
}

TEST_CASE("F - E is dropped only where all that a write needs is more urgent on the one processor of the reader") {
  const auto fp = [](std::uint32_t m, const std::string& name) { return cpu_pool(m, Scheduler::fp, name); };
  const Dag two("a", 10_ns, std::nullopt, {cpu_node("x", 1_ns), cpu_node("y", 1_ns)}, {{0, 1}});
  const Chain chain{"c", {{0, 1}, {1, {}}}, Communication::registers, {}, {}};
  const auto MRT = [&](std::vector<Pool> pools, std::vector<Dag> dags, FixedPriority x, FixedPriority y, FixedPriority reader,
                       Release release = Release::completion) {
    auto proof = proof_with(with_chain(std::move(pools), std::move(dags), chain), {{1, 2}, {8}}, release);
    proof.dags[0].nodes[0].priority = x;
    proof.dags[0].nodes[1].priority = y;
    proof.dags[1].nodes[0].priority = reader;
    return analysis::prove_chains(proof)[0].bound->MRT;
  };
  CHECK(MRT({fp(1, "cpu")}, {two, task("b", 20_ns)}, 2, 2, 1) == 38_ns);
  CHECK(MRT({fp(1, "cpu")}, {two, task("b", 20_ns)}, 1, 2, 1) == 40_ns);  // x waits for the reader's equals
  CHECK(MRT({fp(1, "cpu")}, {two, task("b", 20_ns)}, 2, 2, 2) == 40_ns);
  CHECK(MRT({fp(1, "cpu")}, {two, task("b", 20_ns)}, 2, 2, 1, Release::offsets) == 40_ns);  // nothing runs between x and y's offset
  CHECK(MRT({fp(2, "cpu")}, {two, task("b", 20_ns)}, 2, 2, 1) == 40_ns);
  const Dag split("a", 10_ns, std::nullopt, {cpu_node("x", 1_ns, 1), cpu_node("y", 1_ns)}, {{0, 1}});
  CHECK(MRT({fp(1, "cpu"), fp(1, "other")}, {split, task("b", 20_ns)}, 2, 2, 1) == 40_ns);
  const Dag elsewhere("b", 20_ns, std::nullopt, {cpu_node("b", 1_ns, 1)}, {});
  CHECK(MRT({fp(1, "cpu"), fp(1, "other")}, {two, elsewhere}, 2, 2, 1) == 40_ns);
}

TEST_CASE("Writes that may come out of order are told") {
  auto set = with_chain({cpu_pool(2)}, {task("a", 10_ns)}, {"c", {{0, 0}}, Communication::registers, {}, {}});
  CHECK(analysis::prove_chains(proof_with(set, {{10}}))[0].stages[0].in_order);
  CHECK_FALSE(analysis::prove_chains(proof_with(set, {{11}}))[0].stages[0].in_order);
  const auto proof = proof_with(set, {{11}});
  CHECK(analysis::explain_chain(proof, set->chains()[0], analysis::prove_chains(proof)[0]).lines ==
        std::vector<std::string>{
            "T13: sum over the stages of T_max + F - E, where two releases that follow one another are at most T_max apart",
            "a/a: T_max = 10 ns, writes by F = 11 ns, reads from E = 0 ns on: 10 + 11 - 0 = 21 ns", "MDA (maximum data age) = 21 ns",
            "MRDA (reduced, to the output itself) = MDA - T_max of the last stage = 11 ns", "MRT (maximum reaction time) = the sum = 21 ns",
            "MRRT (reduced, from the read) = MRT - T_max of the first stage = 11 ns",
            "a/a may write after its next job has: data ages need a register that keeps the newest"});
}
