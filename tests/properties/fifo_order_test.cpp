// Law 1 for FIFO pools at offsets and early, with sequential nodes: the queue as a generated program has it, beside bounds by the order of
// releases, which are wrong for it.
#include <doctest/doctest.h>

#include <array>
#include <memory>
#include <string>

#include "rta/analysis/analyze.hpp"
#include "rta/analysis/schedule_of.hpp"
#include "rta/io/task_set_file.hpp"
#include "support/queue_player.hpp"
#include "support/runs_against_bounds.hpp"

namespace {

using namespace rta;
using namespace rta::test;

/// One pool of sequential tasks of which some fill nearly a processor; or two pools, on one of which nodes follow those of the other.
TaskSet fifo_set(std::uint64_t seed, bool preemptive) {
  Dice dice(seed);
  const bool chains = dice.one_in(2);
  const std::int64_t m = chains ? dice.between(1, 2) : dice.between(2, 3);
  std::vector<Pool> pools;
  for (const char* const name : {"p", "q"}) {
    pools.push_back({name, CpuPool{static_cast<std::uint32_t>(m), Scheduler::fifo, preemptive}});
    if (!chains) break;
  }
  const std::int64_t percent = dice.pick(std::vector<std::int64_t>{40, 60, 80, 95});
  std::vector<Dag> dags;
  std::array<std::int64_t, 2> left{m * percent, m * percent};  // in hundredths of a processor
  for (int i = 0; i < 8; ++i) {
    std::vector<Node> nodes(chains ? static_cast<std::size_t>(dice.between(1, 3)) : 1);
    std::vector<Edge> edges;
    const std::int64_t T = dice.between(5, 60);
    std::array<std::int64_t, 2> work{};
    for (NodeId v = 0; v < nodes.size(); ++v) {
      nodes[v].name = "n" + std::to_string(v);
      nodes[v].pool = chains ? static_cast<PoolId>(dice.between(0, 1)) : 0;
      const std::int64_t C = dice.one_in(3) ? std::max<std::int64_t>(1, T * 9 / 10) : dice.between(1, std::max<std::int64_t>(1, T / 3));
      nodes[v].demand = CpuDemand{Time(C)};
      nodes[v].sequential = !chains || dice.one_in(4);
      work[nodes[v].pool] += C;
      if (v > 0) edges.push_back({v - 1, v});
    }
    if (work[0] * 100 > left[0] * T || work[1] * 100 > left[1] * T) continue;
    for (std::size_t p = 0; p < 2; ++p) left[p] -= work[p] * 100 / T + 1;
    dags.emplace_back("d" + std::to_string(i), Time(T), std::nullopt, std::move(nodes), std::move(edges));
  }
  if (dags.empty()) {
    Node node;
    node.name = "n0";
    node.demand = CpuDemand{Time(1)};
    dags.emplace_back("d", Time(10), std::nullopt, std::vector{std::move(node)}, std::vector<Edge>{});
  }
  return {"fifo", std::move(pools), std::move(dags)};
}

/// Sequential a, and m tasks that come 1 before each of its jobs ends, the last of them on its processor; or `use` twice at once, with x
/// behind both where y was before `pre` and a job of `pre` takes no time.
TaskSet aimed_set(std::uint64_t seed, bool preemptive, bool early) {
  Dice dice(seed);
  const auto task = [](std::string name, PoolId pool, std::int64_t C, std::int64_t T, std::int64_t phase) {
    Node node;
    node.name = "n0";
    node.pool = pool;
    node.demand = CpuDemand{Time(C)};
    node.sequential = true;
    return Dag(std::move(name), Time(T), std::nullopt, {std::move(node)}, {}, {.phase = Time(phase)});
  };
  const std::int64_t m = early ? 1 : dice.between(2, 3);
  const CpuPool cpu{static_cast<std::uint32_t>(m), Scheduler::fifo, preemptive};
  const std::int64_t C = dice.between(10, 40);
  const std::int64_t T = early ? 2 * C - dice.between(1, C / 4) : C + dice.between(0, 2);
  const std::int64_t other = dice.between(5, 20);
  std::vector<Dag> dags;
  if (!early) {
    dags.push_back(task("a", 0, C, T, 0));
    for (std::int64_t i = 0; i < m; ++i) dags.push_back(task("b" + std::to_string(i), 0, other, C + other - 1, C - 1));
    return {"aimed", {{"p", cpu}}, std::move(dags)};
  }
  Node pre, use;
  pre.name = "pre";
  pre.pool = 1;
  pre.demand = CpuDemand{Time(C)};
  use.name = "use";
  use.demand = CpuDemand{Time(std::min(other, C / 2))};
  dags.push_back(Dag("a", Time(T), std::nullopt, {std::move(pre), std::move(use)}, {{0, 1}}, {.phase = Time(0)}));
  dags.push_back(task("x", 0, other, 10 * T, T + 1));
  dags.push_back(task("y", 1, T + 1 - C, 10 * T, 0));
  return {"aimed", {{"p", cpu}, {"q", cpu}}, std::move(dags)};
}

/// The same in the order of releases: one deadline for all nodes. Early, such bounds were given out for preemptive pools.
TaskSet by_release(const TaskSet& set, bool early) {
  std::vector<Pool> pools(set.pools().begin(), set.pools().end());
  for (Pool& pool : pools) {
    auto& cpu = std::get<CpuPool>(pool.resource);
    cpu.scheduler = Scheduler::g_edf;
    cpu.preemptive = cpu.preemptive || early;
  }
  std::vector<Dag> dags;
  for (const Dag& dag : set.dags()) {
    std::vector<Node> nodes(dag.nodes().begin(), dag.nodes().end());
    for (Node& node : nodes) node.deadline = Time(1000);
    dags.emplace_back(dag.name(), dag.period(), std::nullopt, std::move(nodes), std::vector<Edge>(dag.edges().begin(), dag.edges().end()),
                      dag.attributes());
  }
  return {set.name(), std::move(pools), std::move(dags)};
}

PerNode<Time> play(const TaskSet& set, const Schedule& schedule, Dice& dice) {
  std::int64_t longest = 0;
  for (const Dag& dag : set.dags()) longest = std::max(longest, dag.period().count());
  const std::int64_t horizon = dice.between(3, 30) * longest;
  const bool exact = dice.one_in(2);
  std::vector<std::vector<std::int64_t>> releases;
  for (const Dag& dag : set.dags()) {
    auto& row = releases.emplace_back();
    const std::int64_t T = dag.period().count();
    const auto& phase = dag.attributes().phase;
    for (std::int64_t t = phase && exact ? phase->count() : dice.between(0, T - 1); t < horizon;
         t += T + (exact || dice.one_in(2) ? 0 : dice.between(0, T / 4))) {
      row.push_back(t);
    }
  }
  const std::int64_t shorter = dice.pick(std::vector<std::int64_t>{0, 0, 6, 3, 2});
  const auto length = [&, shorter](const Node& node) {
    const std::int64_t C = std::get<CpuDemand>(node.demand).C.count();
    return shorter > 0 && dice.one_in(shorter) ? (dice.one_in(2) ? 0 : dice.between(0, C)) : C;
  };
  return QueuePlayer(set, schedule, std::move(releases), length, dice).play();
}

bool above(const PerNode<Time>& seen, const analysis::Proof& proof) {
  for (DagId d = 0; d < seen.size(); ++d) {
    for (NodeId v = 0; v < seen[d].size(); ++v) {
      const auto& bound = proof.dags[d].nodes[v].bound;
      if (bound && seen[d][v] > bound->R) return true;
    }
  }
  return false;
}

struct Counts {
  int bounded = 0, by_T3 = 0, sequential = 0, others = 0, caught = 0;
};

/// Bounds of FIFO hold in the program's queue and in `rta simulate`; those by the order of releases are counted where they do not.
void check(std::uint64_t seed, bool preemptive, Release release, Counts& counts) {
  constexpr int schedules = 20;
  const TaskSet set = seed % 3 == 0 ? aimed_set(seed, preemptive, release == Release::early) : fifo_set(seed, preemptive);
  CAPTURE(io::format_task_set(set));
  CAPTURE(to_string(release));
  analysis::Options options;
  options.release = release;
  const auto proof = analysis::analyze(std::make_shared<const TaskSet>(set), options).proof;
  Dice dice(seed);
  if (verdict_of(proof) != analysis::Verdict::unbounded) {
    ++counts.bounded;
    for (const analysis::DagProof& dag : proof.dags) {
      for (const analysis::NodeProof& node : dag.nodes) {
        const analysis::Theorem theorem = node.bound->basis.theorem;
        counts.by_T3 += theorem == analysis::Theorem::T3 || theorem == analysis::Theorem::T3b ? 1 : 0;
      }
    }
    const Schedule schedule = schedule_of(proof);
    for (int i = 0; i < schedules; ++i) REQUIRE_FALSE(above(play(set, schedule, dice), proof));
    Compared compared;
    const auto broken = broken_in_proof(dice, proof, {}, compared);
    if (broken) FAIL(*broken);
  }
  const TaskSet ordered = by_release(set, release == Release::early);
  const auto wrong = analysis::analyze(std::make_shared<const TaskSet>(ordered), options).proof;
  if (verdict_of(wrong) == analysis::Verdict::unbounded) return;
  ++counts.others;
  const Schedule schedule = schedule_of(wrong);
  for (int i = 0; i < schedules; ++i) {
    if (!above(play(set, schedule, dice), wrong)) continue;
    CHECK_FALSE(verdict_of(proof) != analysis::Verdict::unbounded);
    ++counts.caught;
    return;
  }
}

Counts check_all(bool preemptive, Release release) {
  Counts counts;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) check(seed, preemptive, release, counts);
  MESSAGE(counts.bounded, " of 600 systems have bounds, ", counts.by_T3, " nodes by T3; ", counts.others,
          " have some by the order of releases, of which ", counts.caught, " are broken");
  return counts;
}

}  // namespace

TEST_CASE("Law 1, FIFO at offsets: the program's queue keeps all bounds, but not those of T3 by the order of releases") {
  const Counts counts = check_all(true, Release::offsets);
  CHECK(counts.bounded > 100);
  CHECK(counts.by_T3 > 10);
  CHECK(counts.caught > 20);
}

TEST_CASE("Law 1, FIFO at offsets without preemption: the same, and T3b's") {
  const Counts counts = check_all(false, Release::offsets);
  CHECK(counts.bounded > 100);
  CHECK(counts.by_T3 > 10);
  CHECK(counts.caught > 20);
}

TEST_CASE("Law 1, FIFO early: the program's queue keeps the bounds of nodes without predecessors, but not those of the offsets' order") {
  const Counts counts = check_all(true, Release::early);
  CHECK(counts.bounded > 50);
  CHECK(counts.caught > 20);
}
