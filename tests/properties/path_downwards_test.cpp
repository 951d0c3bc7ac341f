// The search downwards, for what T24 says of ends that are bounds already: no bound rises, some fall, and no schedule ends later.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/path/path_nodes.hpp"
#include "rta/analysis/path/path.hpp"
#include "support/random_path_system.hpp"
#include "support/running_oracle.hpp"

namespace {

using namespace rta::analysis::path;
using rta::test::RandomPathOptions;
using rta::test::RandomPaths;
using rta::test::RandomPathSystem;
using rta::test::RunningMutant;
using rta::test::RunningOracle;

constexpr std::int64_t most_periods = 20;

/// Per DAG and node: upwards alone, without T23 and T24.
std::optional<RunningOracle::Ends> upwards(const System& system) {
  Limits limits;
  limits.periods = most_periods;
  Ticks ticks = to_ticks(system, limits, true);
  Nodes nodes(ticks, rules_of(Refinement::T10g).without(Rule::visit));
  for (bool changed = true; changed;) {
    changed = false;
    nodes.prepare();
    for (std::size_t k = 0; k < ticks.classes.size(); ++k) {
      nodes.prepare(k);
      for (const std::uint32_t v : ticks.classes[k].order) {
        const std::int64_t next = nodes.right_hand_side(k, v, 1, nodes.F[k][v]);
        if (next <= nodes.F[k][v]) continue;
        if (next > ticks.classes[k].limit) return std::nullopt;
        nodes.F[k][v] = next;
        changed = true;
      }
      nodes.changed(k);
    }
  }
  RunningOracle::Ends ends;
  for (const std::size_t k : ticks.class_of) ends.push_back(nodes.F[k]);
  return ends;
}

/// Each end to what T24 says of it, if that is less, by the letter and round by round. No inequality is tried at the end.
RunningOracle::Ends downwards(const System& system, RunningOracle::Ends ends, RunningMutant mutant) {
  const RunningOracle oracle(system, mutant);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t k = 0; k < ends.size(); ++k) {
      for (std::size_t v = 0; v < ends[k].size(); ++v) {
        if (!oracle.applies(k, v)) continue;
        const std::int64_t next = oracle.right_hand_side(k, v, ends);
        changed = changed || next < ends[k][v];
        ends[k][v] = std::min(ends[k][v], next);
      }
    }
  }
  return ends;
}

/// What every node takes alone: no bounds.
RunningOracle::Ends alone(const System& system) {
  RunningOracle::Ends ends;
  for (const Dag& dag : system.dags) {
    std::int64_t all = 0;
    for (const Node& node : dag.nodes) all += node.e.count();
    ends.emplace_back(dag.nodes.size(), all);
  }
  return ends;
}

}  // namespace

TEST_CASE("Downwards: 1,500 random systems of preemptive pools, no bound rises and none is passed") {
  int bounded = 0, lower = 0, reached = 0, lent_or_more = 0;
  std::vector<int> caught(rta::test::running_mutants, 0);
  int no_bounds = 0;
  for (std::uint64_t seed = 1; bounded < 1'500; ++seed) {
    CAPTURE(seed);
    RandomPathOptions options;
    options.fixed = seed % 2 == 0;
    options.most_dags = 4;
    options.most_nodes = 6;
    const RandomPathSystem s = RandomPaths(seed).system(options);
    const auto preemptive = [](const Pool& pool) { return pool.order == Order::gel || pool.order == Order::fixed; };
    if (!std::ranges::all_of(s.system.pools, preemptive)) continue;
    if (overloaded_pool(s.system)) continue;
    const auto above = upwards(s.system);
    if (!above) continue;
    Limits limits;
    limits.periods = most_periods;
    for (const Dag& dag : s.system.dags) limits.wanted.emplace_back(dag.nodes.size(), rta::Time(0));  // all are open
    const auto bounds = node_bounds(s.system, Refinement::T10d, limits);
    REQUIRE(bounds);
    ++bounded;
    RunningOracle::Ends F;
    for (const auto& row : bounds->F) {
      auto& ends = F.emplace_back();
      for (const rta::Time f : row) ends.push_back(f.count());
    }
    std::vector<RunningOracle::Ends> below;
    for (std::size_t i = 0; i < rta::test::running_mutants; ++i)
      below.push_back(downwards(s.system, *above, static_cast<RunningMutant>(i)));
    const RunningOracle::Ends from_no_bounds = downwards(s.system, alone(s.system), RunningMutant::none);
    for (std::size_t k = 0; k < F.size(); ++k) {
      for (std::size_t v = 0; v < F[k].size(); ++v) {
        CHECK(F[k][v] <= (*above)[k][v]);
        lower += F[k][v] < (*above)[k][v] ? 1 : 0;
        lent_or_more += F[k][v] <= below[0][k][v] ? 1 : 0;
      }
    }
    RandomPaths random(seed);
    bool tight = false, broken = false;
    std::vector<bool> broken_by(caught.size());
    for (int run = 0; run < 25; ++run) {
      const auto latest = random.run(s);
      for (std::size_t k = 0; k < latest.size(); ++k) {
        for (std::size_t v = 0; v < latest[k].size(); ++v) {
          REQUIRE(latest[k][v] <= F[k][v]);
          REQUIRE(latest[k][v] <= below[0][k][v] + 1);  // the oracle's w is whole
          tight = tight || (latest[k][v] == F[k][v] && F[k][v] < (*above)[k][v]);
          broken = broken || latest[k][v] > from_no_bounds[k][v] + 1;
          for (std::size_t i = 1; i < broken_by.size(); ++i) broken_by[i] = broken_by[i] || latest[k][v] > below[i][k][v] + 1;
        }
      }
    }
    reached += tight ? 1 : 0;
    no_bounds += broken ? 1 : 0;
    for (std::size_t i = 1; i < caught.size(); ++i) caught[i] += broken_by[i] ? 1 : 0;
  }
  MESSAGE(bounded, " systems, ", lower, " ends lower, reached in ", reached, "; ", lent_or_more, " no later than by steps of T24 alone");
  CHECK(lower > 300);
  CHECK(reached > 50);
  CHECK(no_bounds > 50);
  for (std::size_t i = 1; i < caught.size(); ++i) {
    CAPTURE(i);
    CHECK(caught[i] > 0);
  }
}
