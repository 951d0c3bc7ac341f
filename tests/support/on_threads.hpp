// Random systems whose DAGs are played by threads.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "rta/analysis/analyze.hpp"
#include "support/random_system.hpp"

namespace rta::test {

/// A DAG with the nodes of `dag` one after another, for so many threads.
inline Dag on_threads(const Dag& dag, std::uint32_t threads, Time period) {
  std::vector<Node> nodes(dag.nodes().begin(), dag.nodes().end());
  for (Node& node : nodes) node.sequential = false;
  std::vector<Edge> edges;
  const auto order = dag.topological_order();
  for (std::size_t i = 1; i < order.size(); ++i) edges.push_back({order[i - 1], order[i], false});
  DagAttributes attributes = dag.attributes();
  attributes.threads = threads;
  attributes.T_max.reset();
  return {dag.name(), period, dag.deadline(), std::move(nodes), std::move(edges), attributes};
}

/// How long a job may hold its thread by T21h, as DAG d alone is told whose jobs come far too fast; none where T21h is not for its pools.
inline std::optional<Time> hold_of(const std::string& name, const std::vector<Pool>& pools, std::vector<Dag> dags, DagId d) {
  dags[d] = on_threads(dags[d], *dags[d].attributes().threads, Time(1));
  const auto fast = analysis::analyze(std::make_shared<const TaskSet>(name, pools, std::move(dags)), {});
  const analysis::NoBound* const why = why_unbounded(fast.proof, d);
  const auto* const held = why == nullptr ? nullptr : std::get_if<analysis::reason::HeldTooLong>(&why->reason);
  return held == nullptr ? std::nullopt : std::optional(held->H);
}

/// All DAGs on threads, their periods about the shortest with a bound. Where pools stay as they were, some need FIFO.
inline TaskSet with_threads(const TaskSet& set, std::uint64_t seed) {
  Dice dice(seed);
  std::vector<Pool> pools(set.pools().begin(), set.pools().end());
  for (Pool& pool : pools) {
    auto* cpu = std::get_if<CpuPool>(&pool.resource);
    if (cpu != nullptr && !dice.one_in(4)) cpu->scheduler = Scheduler::fifo;
  }
  const Time seldom(1'000'000'000);
  std::vector<Dag> dags;
  for (const Dag& dag : set.dags()) dags.push_back(on_threads(dag, static_cast<std::uint32_t>(dice.between(1, 3)), seldom));
  const std::vector<Dag> all_seldom = dags;
  const auto rare = analysis::analyze(std::make_shared<const TaskSet>(set.name(), pools, dags), {});
  for (DagId d = 0; d < dags.size(); ++d) {
    const auto& R = rare.proof.dags[d].bound;
    if (!R) continue;
    const std::uint32_t k = *dags[d].attributes().threads;
    const Time H = hold_of(set.name(), pools, all_seldom, d).value_or(R->R);
    const std::int64_t least = std::max<std::int64_t>(1, static_cast<std::int64_t>(ceil_div(H.count(), k)));
    dags[d] = on_threads(dags[d], k, Time(least + (dice.one_in(2) ? 0 : dice.between(0, least))));
  }
  return {set.name(), std::move(pools), std::move(dags)};
}

/// Its threads spin: its CPU nodes on the pool of the first of them, which comes first. As it is where it has none.
inline Dag spinning(const Dag& dag) {
  const auto on_cpu = [](const Node& node) { return std::holds_alternative<CpuDemand>(node.demand); };
  std::vector<Node> nodes(dag.nodes().begin(), dag.nodes().end());
  const auto first = std::ranges::find_if(nodes, on_cpu);
  if (first == nodes.end()) return dag;
  std::rotate(nodes.begin(), first, nodes.end());
  for (Node& node : nodes) {
    if (on_cpu(node)) node.pool = nodes.front().pool;
    node.sequential = false;
  }
  std::vector<Edge> edges;
  for (NodeId v = 1; v < nodes.size(); ++v) edges.push_back({v - 1, v, false});
  DagAttributes attributes = dag.attributes();
  attributes.threads = attributes.threads.value_or(1);
  attributes.wait = Wait::spin;
  return {dag.name(), dag.period(), dag.deadline(), std::move(nodes), std::move(edges), attributes};
}

/// Some of the set's DAGs spin, and the periods are about the shortest with a bound.
inline TaskSet with_spinning(const TaskSet& set, std::uint64_t seed) {
  Dice dice(seed);
  std::vector<Pool> pools(set.pools().begin(), set.pools().end());
  for (Pool& pool : pools) {
    auto* cpu = std::get_if<CpuPool>(&pool.resource);
    if (cpu != nullptr && !dice.one_in(4)) cpu->scheduler = Scheduler::fifo;
  }
  const Time seldom(1'000'000'000);
  std::vector<Dag> dags;
  for (const Dag& dag : set.dags()) {
    const Dag played = on_threads(dag, static_cast<std::uint32_t>(dice.between(1, 3)), seldom);
    dags.push_back(dice.one_in(3) ? played : spinning(played));
  }
  const std::vector<Dag> all_seldom = dags;
  const auto rare = analysis::analyze(std::make_shared<const TaskSet>(set.name(), pools, dags), {});
  for (DagId d = 0; d < dags.size(); ++d) {
    const auto& R = rare.proof.dags[d].bound;
    if (!R) continue;
    const std::uint32_t k = *dags[d].attributes().threads;
    const Time H = hold_of(set.name(), pools, all_seldom, d).value_or(R->R);
    const std::int64_t least = std::max<std::int64_t>(1, static_cast<std::int64_t>(ceil_div(H.count(), k)));
    dags[d] = on_threads(dags[d], k, Time(least + (dice.one_in(2) ? 0 : dice.between(0, least))));
  }
  return {set.name(), std::move(pools), std::move(dags)};
}

/// Some DAGs on threads, beside others, their periods about the shortest with a bound. Pools stay as they were.
inline TaskSet with_some_threads(const TaskSet& set, std::uint64_t seed) {
  Dice dice(seed);
  const std::vector<Pool> pools(set.pools().begin(), set.pools().end());
  const Time seldom(1'000'000'000);
  std::vector<Dag> dags(set.dags().begin(), set.dags().end());
  const DagId first = static_cast<DagId>(dice.between(0, static_cast<std::int64_t>(dags.size()) - 1));
  for (DagId d = 0; d < dags.size(); ++d) {
    const auto k = static_cast<std::uint32_t>(dice.between(1, 3));
    if (d == first || dice.one_in(3)) dags[d] = on_threads(dags[d], k, seldom);
  }
  const auto rare = analysis::analyze(std::make_shared<const TaskSet>(set.name(), pools, dags), {});
  for (DagId d = 0; d < dags.size(); ++d) {
    const auto& F = rare.proof.dags[d].bound;
    if (!F || !dags[d].attributes().threads) continue;
    const std::uint32_t k = *dags[d].attributes().threads;
    const std::int64_t least = std::max<std::int64_t>(1, static_cast<std::int64_t>(ceil_div(F->R.count(), k)));
    dags[d] = on_threads(dags[d], k, Time(least + dice.between(0, least)));
  }
  return {set.name(), pools, std::move(dags)};
}

}  // namespace rta::test
