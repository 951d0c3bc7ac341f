// Law 1 for T40: nodes that wait for earlier jobs. All that `analyze` proves of random sets with such edges, as it is simulated; and the
// condition with wrong variants, each of which calls bounds proven that schedules exceed.
#include "rta/analysis/history.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "properties/law_1.hpp"
#include "support/with_history.hpp"

using namespace rta;
using test::Dice;

namespace {

enum class Wrong { nothing, a_job_more, without_jitter, a_quarter_more, own_dag_alone, first_edge_alone, never };
constexpr std::size_t variants = 7;

/// Small DAGs on FIFO pools, some of which they share, with edges from earlier jobs that may just never delay.
TaskSet small_system(Dice& dice) {
  std::vector<Pool> pools;
  const auto pool_count = dice.between(1, 3);
  for (std::int64_t p = 0; p < pool_count; ++p)
    pools.push_back({fmt::format("p{}", p), CpuPool{static_cast<std::uint32_t>(dice.between(1, 2)), Scheduler::fifo}});
  std::vector<Dag> dags;
  const auto dag_count = dice.between(1, 2);
  for (std::int64_t d = 0; d < dag_count; ++d) {
    std::vector<Node> nodes;
    std::vector<Edge> edges;
    const auto node_count = static_cast<NodeId>(dice.between(1, 3));
    std::int64_t work = 0;
    for (NodeId v = 0; v < node_count; ++v) {
      Node node;
      node.name = fmt::format("n{}", v);
      node.pool = static_cast<PoolId>(dice.between(0, pool_count - 1));
      const std::int64_t C = dice.between(0, 6);
      work += C;
      node.demand = CpuDemand{Time(C)};
      nodes.push_back(std::move(node));
      if (v > 0 && !dice.one_in(4)) edges.push_back({v - 1, v, false});
    }
    DagAttributes attributes;
    const auto last = static_cast<std::int64_t>(node_count) - 1;
    for (std::int64_t i = dice.between(d == 0 ? 1 : 0, 2); i > 0; --i) {
      const HistoryEdge edge{dice.one_in(2) ? static_cast<NodeId>(last) : static_cast<NodeId>(dice.between(0, last)),
                             dice.one_in(2) ? NodeId{0} : static_cast<NodeId>(dice.between(0, last)),
                             static_cast<std::uint32_t>(dice.between(1, 2))};
      if (std::ranges::find(attributes.after, edge) == attributes.after.end()) attributes.after.push_back(edge);
    }
    const std::int64_t T = std::max<std::int64_t>(1, work * dice.between(2, 6) / 4 + dice.between(0, 2));
    if (dice.one_in(2)) attributes.jitter = Time(dice.between(0, T));
    dags.emplace_back(fmt::format("d{}", d), Time(T), std::nullopt, std::move(nodes), std::move(edges), attributes);
  }
  return {"small", std::move(pools), std::move(dags)};
}

/// A DAG that its edge holds up, and whose nodes then come one soon after another on the processor on which another has several.
TaskSet with_bursts(Dice& dice) {
  const auto node = [](const char* name, PoolId pool, std::int64_t C) {
    Node of;
    of.name = name;
    of.pool = pool;
    of.demand = CpuDemand{Time(C)};
    return of;
  };
  DagAttributes attributes;
  attributes.after = {{1, 0, 1}};
  std::vector<Dag> dags;
  dags.emplace_back("held", Time(20), std::nullopt, std::vector{node("x", 0, dice.between(4, 8)), node("y", 1, dice.between(34, 39))},
                    std::vector<Edge>{{0, 1, false}}, attributes);
  dags.emplace_back("beside", Time(dice.between(19, 23)), std::nullopt, std::vector{node("a", 0, 1), node("b", 0, 1), node("c", 0, 1)},
                    std::vector<Edge>{{0, 1, false}, {1, 2, false}});
  return {"bursts", {{"p0", CpuPool{1, Scheduler::fifo}}, {"p1", CpuPool{2, Scheduler::fifo}}}, std::move(dags)};
}

/// `plain`: the proof of the set without these edges, on completion.
bool never_delays(const analysis::Proof& plain, const TaskSet& set, DagId d, const HistoryEdge& edge, Wrong wrong) {
  const Dag& dag = set.dags()[d];
  const auto& F = plain.dags[d].nodes[edge.from].bound;
  if (!F) return false;
  const std::int64_t T = dag.nominal_period().count();
  std::int64_t within = (edge.jobs + (wrong == Wrong::a_job_more ? 1 : 0)) * T;
  if (wrong != Wrong::without_jitter) within -= dag.attributes().jitter.count();
  if (wrong == Wrong::a_quarter_more) within += T / 4;
  return F->R.count() <= within;
}

/// Whether the bounds of DAG d are called proven.
bool holds(const analysis::Proof& plain, const TaskSet& set, DagId d, Wrong wrong) {
  if (wrong == Wrong::never) return true;
  for (DagId e = 0; e < set.dags().size(); ++e) {
    if (wrong == Wrong::own_dag_alone && e != d) continue;
    for (const HistoryEdge& edge : set.dags()[e].history()) {
      if (!never_delays(plain, set, e, edge, wrong)) return false;
      if (wrong == Wrong::first_edge_alone) break;
    }
  }
  return true;
}

/// The longest response of each DAG, and how many node jobs an earlier one was the last to keep waiting.
struct Seen {
  std::vector<Time> longest;
  std::vector<std::uint64_t> kept;
};
Seen seen_in(const TaskSet& set, const Schedule& schedule, Dice& dice, int runs) {
  Seen all{std::vector<Time>(set.dags().size()), std::vector<std::uint64_t>(set.dags().size())};
  for (int run = 0; run < runs; ++run) {
    const auto seen = simulate::simulate(set, schedule, test::random_options(dice, set));
    for (DagId d = 0; d < set.dags().size(); ++d) {
      if (seen.dags[d].response.count() > 0) all.longest[d] = std::max(all.longest[d], seen.dags[d].response.max());
      all.kept[d] += seen.dags[d].after_earlier;
    }
  }
  return all;
}

}  // namespace

TEST_CASE("T40 by the letter: no job exceeds the bounds of the set without its edges, and wrong variants are exceeded") {
  std::array<std::uint64_t, variants> exceeded{}, proven{};
  std::uint64_t kept = 0;
  for (std::uint64_t seed = 1; seed <= 2'000; ++seed) {
    Dice dice(seed);
    const TaskSet set = seed % 4 == 0 ? with_bursts(dice) : small_system(dice);
    const auto plain = std::make_shared<const TaskSet>(test::without_history(set));
    const analysis::Proof proof = analysis::analyze(plain, analysis::options_of({{"release", "completion"}})).proof;
    const Seen seen = seen_in(set, schedule_of(proof), dice, 6);
    CAPTURE(seed);
    for (std::size_t w = 0; w < variants; ++w) {
      bool above = false;
      for (DagId d = 0; d < set.dags().size(); ++d) {
        const auto& bound = proof.dags[d].bound;
        if (!bound || !holds(proof, set, d, static_cast<Wrong>(w))) continue;
        ++proven[w];
        above = above || seen.longest[d] > bound->R;
        kept += w == 0 ? 0 : seen.kept[d];
      }
      exceeded[w] += above ? 1 : 0;
      if (w == 0 && above) FAIL_CHECK(io::format_task_set(set));
    }
  }
  MESSAGE(proven[0], " DAGs with bounds");
  CHECK(proven[0] > 500);
  CHECK(kept > 500);
  CHECK(exceeded[0] == 0);
  for (std::size_t w = 1; w < variants; ++w) {
    CAPTURE(w);
    MESSAGE("wrong variant ", w, " exceeded in ", exceeded[w], " systems");
    CHECK(exceeded[w] > 0);
  }
}

TEST_CASE("no schedule exceeds what is proven of sets whose nodes wait for earlier jobs") {
  std::uint64_t with_edges = 0;
  std::uint64_t beside = 0;
  std::uint64_t without = 0;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    Dice dice(seed);
    const TaskSet plain = test::random_system(
        seed, test::Ingredients{.sequential = seed % 4 == 0, .priorities = seed % 5 == 0, .non_preemptive = true, .fixed = seed % 3 == 0});
    const auto set = std::make_shared<const TaskSet>(test::with_histories(plain, seed));
    analysis::GivenOptions given;
    if (seed % 4 == 1) given = {{"release", "completion"}};
    if (seed % 4 == 2) given = {{"release", "offsets"}};
    if (seed % 8 == 3) given = {{"release", "segments"}};
    if (seed % 8 == 7) given = {{"release", "early"}};
    const analysis::Proof proof = analysis::analyze(set, analysis::options_of(given)).proof;
    const bool may_be_played = std::ranges::all_of(proof.dags, [](const analysis::DagProof& dag) {
      return std::ranges::all_of(dag.nodes, [](const analysis::NodeProof& node) { return node.reference.has_value(); });
    });
    if (!may_be_played) continue;  // at offsets, which are made of bounds
    const Seen seen = seen_in(*set, schedule_of(proof), dice, 3);
    CAPTURE(seed);
    for (DagId d = 0; d < proof.dags.size(); ++d) {
      CAPTURE(d);
      const bool has_edges = !set->dags()[d].history().empty();
      if (!proof.dags[d].bound) {
        ++without;
        continue;
      }
      CHECK_FALSE(first_that_may_delay(proof, d));
      CHECK(seen.longest[d] <= proof.dags[d].bound->R);
      ++(has_edges ? with_edges : beside);
    }
  }
  MESSAGE(with_edges, " DAGs with edges, ", beside, " others, ", without, " without a bound");
  CHECK(with_edges > 150);
  CHECK(beside > 50);
  CHECK(without > 50);
}
