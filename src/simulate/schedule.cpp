#include "rta/simulate/schedule.hpp"

#include "rta/model/error.hpp"

namespace rta::simulate {

Schedule with_offsets(const TaskSet& task_set, const Times& Phi, const Times& Y, bool early) {
  const auto dags = task_set.dags();
  const auto fits = [&](const Times& t) {
    if (t.size() != dags.size()) return false;
    for (DagId d = 0; d < dags.size(); ++d) {
      if (t[d].size() != dags[d].nodes().size()) return false;
    }
    return true;
  };
  require(fits(Phi) && fits(Y), "offsets and priority points have one value per node");
  Schedule schedule;
  for (DagId d = 0; d < dags.size(); ++d) {
    auto& nodes = schedule.nodes.emplace_back();
    for (NodeId v = 0; v < dags[d].nodes().size(); ++v) {
      const bool cpu = task_set.pools()[dags[d].nodes()[v].pool].kind() == PoolKind::cpu;
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

Schedule on_completion(const TaskSet& task_set, std::span<const Time> Y) {
  require(Y.size() == task_set.dags().size(), "release on completion has one Y per DAG");
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

}  // namespace rta::simulate
