// Random systems whose nodes wait for earlier jobs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "rta/model/streams.hpp"
#include "support/random_system.hpp"

namespace rta::test {

inline Dag with_history(const Dag& dag, std::vector<HistoryEdge> after, Time jitter, Time period) {
  DagAttributes attributes = dag.attributes();
  attributes.after = std::move(after);
  attributes.jitter = jitter;
  attributes.T_max.reset();
  std::vector<Node> nodes(dag.nodes().begin(), dag.nodes().end());
  return {dag.name(), period, dag.deadline(), std::move(nodes), std::vector<Edge>(dag.edges().begin(), dag.edges().end()), attributes};
}

/// The same without edges from earlier jobs, those of streams included; edges within a job stay.
inline TaskSet without_history(const TaskSet& set) {
  std::vector<Dag> dags;
  for (const Dag& dag : set.dags()) {
    DagAttributes attributes = dag.attributes();
    attributes.after.clear();
    std::vector<Node> nodes(dag.nodes().begin(), dag.nodes().end());
    for (Node& node : nodes) node.stream.clear();
    dags.emplace_back(dag.name(), dag.period(), dag.deadline(), std::move(nodes), std::vector<Edge>(dag.edges().begin(), dag.edges().end()),
                      attributes);
  }
  return {set.name(), std::vector<Pool>(set.pools().begin(), set.pools().end()), std::move(dags)};
}

/// Some DAGs with edges from up to three jobs before, some with streams, and some of these with releases further apart.
inline TaskSet with_histories(const TaskSet& set, std::uint64_t seed) {
  Dice dice(seed);
  std::vector<Dag> dags;
  const auto first = static_cast<DagId>(dice.between(0, static_cast<std::int64_t>(set.dags().size()) - 1));
  for (DagId d = 0; d < set.dags().size(); ++d) {
    const Dag& dag = set.dags()[d];
    if (d != first && dice.one_in(2)) {
      dags.push_back(dag);
      continue;
    }
    DagAttributes attributes = dag.attributes();
    const auto last = static_cast<std::int64_t>(dag.nodes().size()) - 1;
    for (std::int64_t i = dice.between(1, 2); i > 0; --i) {
      const HistoryEdge edge{static_cast<NodeId>(dice.between(0, last)), static_cast<NodeId>(dice.between(0, last)),
                             static_cast<std::uint32_t>(dice.between(1, 3))};
      if (std::ranges::find(attributes.after, edge) == attributes.after.end()) attributes.after.push_back(edge);
    }
    std::vector<Node> nodes(dag.nodes().begin(), dag.nodes().end());
    std::vector<Edge> edges(dag.edges().begin(), dag.edges().end());
    for (Node& node : nodes) {
      const bool on_device = std::holds_alternative<GpuDemand>(node.demand) || std::holds_alternative<CopyDemand>(node.demand);
      if (on_device && dice.one_in(2)) node.stream = dice.one_in(2) ? "s" : "t";
    }
    if (order_streams(nodes, edges)) nodes.assign(dag.nodes().begin(), dag.nodes().end());
    const std::int64_t T = dag.period().count() * dice.between(1, 3);
    if (dice.one_in(3)) attributes.jitter = Time(dice.between(1, T));
    dags.emplace_back(dag.name(), Time(T), dag.deadline(), std::move(nodes), std::move(edges), attributes);
  }
  return {set.name(), std::vector<Pool>(set.pools().begin(), set.pools().end()), std::move(dags)};
}

}  // namespace rta::test
