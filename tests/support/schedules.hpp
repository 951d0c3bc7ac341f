// Schedules for tests that simulate without an analysis.
#pragma once

#include <span>
#include <vector>

#include "rta/model/schedule.hpp"
#include "rta/model/task_set.hpp"

namespace rta::test {

/// Every node at a fixed offset Phi from its DAG's release, with priority point Phi + Y (`Y` counts on CPU pools under GEL only).
/// With `early`, nodes need not wait for their offset: CPU nodes run as soon as their predecessors have ended, nodes elsewhere too but
/// guarded; priority points and responses stay those of the offsets (a node that ends before its offset has response time 0).
[[nodiscard]] inline Schedule with_offsets(const TaskSet& task_set, const PerNode<Time>& Phi, const PerNode<Time>& Y, bool early = false) {
  Schedule schedule;
  for (DagId d = 0; d < task_set.dags().size(); ++d) {
    auto& nodes = schedule.nodes.emplace_back();
    for (NodeId v = 0; v < task_set.dags()[d].nodes().size(); ++v) {
      const bool cpu = task_set.pools()[task_set.dags()[d].nodes()[v].pool].kind() == PoolKind::cpu;
      NodeSchedule s;
      s.reference = Phi[d][v];
      if (!early) s.offset = Phi[d][v];
      if (cpu) s.priority_point = Phi[d][v] + Y[d][v];
      s.guarded = early && !cpu;
      nodes.push_back(s);
    }
  }
  return schedule;
}

/// Every node when its last predecessor ends. On a CPU pool all nodes of a job of DAG d have priority point r + Y_d (GEL by DAG), or
/// queue by ready time where the pool's scheduler is FIFO. Responses are counted from the DAG's release.
[[nodiscard]] inline Schedule on_completion(const TaskSet& task_set, std::span<const Time> Y) {
  Schedule schedule;
  for (DagId d = 0; d < task_set.dags().size(); ++d) {
    auto& nodes = schedule.nodes.emplace_back();
    for (const Node& node : task_set.dags()[d].nodes()) {
      const Pool& pool = task_set.pools()[node.pool];
      NodeSchedule s;
      if (pool.kind() == PoolKind::cpu && std::get<CpuPool>(pool.resource).scheduler != Scheduler::fifo) s.priority_point = Y[d];
      nodes.push_back(s);
    }
  }
  return schedule;
}

}  // namespace rta::test
