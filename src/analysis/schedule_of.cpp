#include "rta/analysis/schedule_of.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "rta/analysis/explain.hpp"
#include "rta/model/deadline.hpp"
#include "rta/model/error.hpp"

namespace rta::analysis {
namespace {

/// A node that nobody knows when to release.
std::optional<std::pair<DagId, NodeId>> node_without_offset(const Proof& proof) {
  for (DagId d = 0; d < proof.dags.size(); ++d) {
    const auto& nodes = proof.dags[d].nodes;
    for (NodeId v = 0; v < nodes.size(); ++v) {
      if (!nodes[v].reference) return std::pair{d, v};
    }
  }
  return std::nullopt;
}

/// Whether the node waits for nobody of its own segment: it is released when the segment is.
bool begins_segment(const Dag& dag, const DagProof& proof, NodeId v) {
  return std::ranges::none_of(dag.predecessors(v), [&](NodeId w) { return proof.nodes[w].segment == proof.nodes[v].segment; });
}

bool released_by_clock(const Proof& proof, DagId d, NodeId v) {
  const Dag& dag = proof.task_set->dags()[d];
  switch (proof.release) {
    case Release::offsets:
    case Release::grouped: return true;
    case Release::segments: return begins_segment(dag, proof.dags[d], v);
    case Release::early:
    case Release::completion:
    case Release::fixed_order: return dag.predecessors(v).empty();
  }
  return false;
}

NodeSchedule node_schedule(const Proof& proof, DagId d, NodeId v) {
  const NodeProof& node = proof.dags[d].nodes[v];
  const Pool& pool = proof.task_set->pools()[proof.task_set->dags()[d].nodes()[v].pool];
  NodeSchedule schedule;
  schedule.reference = *node.reference;
  if (released_by_clock(proof, d, v)) schedule.offset = node.reference;
  const auto* cpu = std::get_if<CpuPool>(&pool.resource);
  const bool by_points = cpu == nullptr || has_priority_points(*cpu);
  if (node.priority_point && by_points) schedule.priority_point = *node.reference + *node.priority_point;
  schedule.guarded = proof.release == Release::early && pool.kind() != PoolKind::cpu;
  return schedule;
}

std::vector<std::vector<NodeId>> each_by_itself(const Dag& dag) {
  std::vector<std::vector<NodeId>> nodes(dag.nodes().size());
  for (NodeId v = 0; v < nodes.size(); ++v) nodes[v] = {v};
  return nodes;
}

/// `grouped`: the same DAG with groups as nodes, whose names are theirs, or the DAG's where it is one group.
std::vector<std::vector<NodeId>> nodes_of_groups(const Dag& dag, const Dag& grouped, std::span<const Pool> pools) {
  std::map<std::string_view, NodeId> tasks;
  for (NodeId g = 0; g < grouped.nodes().size(); ++g) tasks.emplace(grouped.nodes()[g].name, g);
  const Node& only = grouped.nodes().front();
  const bool monolithic = grouped.nodes().size() == 1 && only.name == dag.name() && pools[only.pool].kind() == PoolKind::cpu;
  std::vector<std::vector<NodeId>> nodes(grouped.nodes().size());
  for (const NodeId v : dag.topological_order()) {
    const Node& node = dag.nodes()[v];
    nodes[monolithic ? 0 : tasks.at(node.group.empty() ? node.name : node.group)].push_back(v);
  }
  return nodes;
}

/// At their offsets; all when those before them have ended where some group has no offset.
NodeSchedule task_schedule(const Proof& proof, bool by_clock, DagId d, NodeId g) {
  if (by_clock) return node_schedule(proof, d, g);
  NodeSchedule schedule;
  if (proof.task_set->dags()[d].predecessors(g).empty()) schedule.offset = Time::zero();
  schedule.priority_point = proof.dags[d].nodes[g].priority_point;
  return schedule;
}

Schedule schedule_of_groups(const Proof& proof) {
  const bool by_clock = groups_have_offsets(proof);
  const auto nodes = nodes_of_tasks(proof);
  Schedule schedule;
  for (DagId d = 0; d < proof.dags.size(); ++d) {
    const Dag& dag = proof.task_set->dags()[d];
    schedule.nodes.emplace_back(proof.ungrouped->dags()[d].nodes().size());
    for (NodeId g = 0; g < dag.nodes().size(); ++g) {
      NodeSchedule of = task_schedule(proof, by_clock, d, g);
      for (const NodeId v : nodes[d][g]) {
        schedule.nodes[d][v] = of;
        of.offset.reset();
      }
    }
  }
  return schedule;
}

}  // namespace

const TaskSet& nodes_played(const Proof& proof) { return proof.ungrouped ? *proof.ungrouped : *proof.task_set; }

const TaskSet& nodes_simulated(const Proof& proof) { return proof.company ? *as_given(proof) : nodes_played(proof); }

std::vector<std::vector<std::vector<NodeId>>> nodes_of_tasks(const Proof& proof) {
  std::vector<std::vector<std::vector<NodeId>>> all;
  for (DagId d = 0; d < proof.dags.size(); ++d) {
    const Dag& tasks = proof.task_set->dags()[d];
    all.push_back(proof.ungrouped ? nodes_of_groups(proof.ungrouped->dags()[d], tasks, proof.task_set->pools()) : each_by_itself(tasks));
  }
  return all;
}

bool is_playable(const Proof& proof) {
  return proof.release == Release::grouped || (proof.release != Release::fixed_order && !node_without_offset(proof));
}

bool groups_have_offsets(const Proof& proof) { return proof.release == Release::grouped && !node_without_offset(proof); }

Schedule schedule_of(const Proof& proof) {
  if (proof.release == Release::grouped) return schedule_of_groups(proof);
  require(proof.release != Release::fixed_order, "a static order is played from its own schedule");
  if (const auto missing = node_without_offset(proof)) {
    const auto& [d, v] = *missing;
    const Dag& dag = proof.task_set->dags()[d];
    const NoBound* why = why_unbounded(proof);
    throw UserError(fmt::format("node '{}/{}' has no offset, because a predecessor has no bound{}; release it with --release completion",
                                dag.name(), dag.nodes()[v].name, why == nullptr ? "" : ": " + in_words(proof, *why)));
  }
  Schedule schedule;
  for (DagId d = 0; d < proof.dags.size(); ++d) {
    auto& nodes = schedule.nodes.emplace_back();
    for (NodeId v = 0; v < proof.dags[d].nodes.size(); ++v) nodes.push_back(node_schedule(proof, d, v));
  }
  return schedule;
}

Bodies bodies_of_groups(const Proof& proof) {
  Bodies bodies;
  if (!proof.ungrouped) return bodies;
  const auto nodes = nodes_of_tasks(proof);
  for (DagId d = 0; d < proof.dags.size(); ++d) {
    const Dag& dag = proof.task_set->dags()[d];
    auto& of_dag = bodies.emplace_back();
    for (NodeId g = 0; g < dag.nodes().size(); ++g) {
      // A CPU node without a group is a sequential task, too; anything else without one starts by itself.
      if (proof.task_set->pools()[dag.nodes()[g].pool].kind() == PoolKind::cpu) of_dag.push_back({nodes[d][g], own_deadline(dag, g)});
    }
  }
  return bodies;
}

}  // namespace rta::analysis
