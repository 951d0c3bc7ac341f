#include "rta/analysis/schedule_of.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rta/analysis/explain.hpp"
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

}  // namespace

bool is_playable(const Proof& proof) {
  return proof.release != Release::grouped && proof.release != Release::fixed_order && !node_without_offset(proof);
}

bool groups_have_offsets(const Proof& proof) { return proof.release == Release::grouped && !node_without_offset(proof); }

Schedule schedule_of(const Proof& proof) {
  if (proof.release == Release::grouped) throw UserError("coarse-grained and monolithic DAGs are analysed and run, not simulated");
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

}  // namespace rta::analysis
