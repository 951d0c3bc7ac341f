#include "rta/analysis/meetings.hpp"

#include <algorithm>
#include <variant>

#include "analysis/company/other_work.hpp"
#include "analysis/company/phases.hpp"
#include "rta/analysis/company.hpp"
#include "rta/model/other_work.hpp"
#include "rta/model/partitions.hpp"

namespace rta::analysis {
namespace {

std::string_view name_of_gpu(const Pool& pool) {
  const Partition* const partition = partition_of(pool);
  return partition != nullptr ? std::string_view(partition->gpu) : std::string_view(pool.name);
}

class PairsOfGpu {
 public:
  PairsOfGpu(const Proof& proof, const Windows& windows, std::string_view gpu, const Interference& of)
      : alone_(*proof.company->alone), lasting_(proof.company->lasting), windows_(windows) {
    found_.gpu = gpu;
    for (DagId d = 0; d < alone_.dags().size(); ++d) {
      const auto nodes = alone_.dags()[d].nodes();
      for (NodeId v = 0; v < nodes.size(); ++v) {
        const bool kernel = std::holds_alternative<GpuDemand>(nodes[v].demand);
        if (kernel && name_of_gpu(alone_.pools()[nodes[v].pool]) == gpu) found_.kernels.push_back({d, v});
        if (is_other_work(of, nodes[v])) found_.others.push_back({d, v});
      }
    }
  }

  GpuMeetings all() && {
    if (found_.kernels.empty()) found_.others.clear();
    if (found_.kernels.size() + found_.others.size() > most_kernels_met) return std::move(found_);
    for (const KernelId& v : found_.kernels) add_row(v);
    return std::move(found_);
  }

 private:
  void add_row(KernelId v) {
    const std::vector<Met> company = company_of(alone_, lasting_, v.dag, v.node);
    auto met = company.begin();  // in the order of the kernels
    for (const KernelId& u : found_.kernels) {
      const bool can = met != company.end() && met->dag == u.dag && met->node == u.node;
      if (can) ++met;
      found_.of.push_back(u.dag != v.dag ? of_dags(u, v) : can ? of_one_dag(u, v) : apart(u, v));
    }
    for (const KernelId& u : found_.others) found_.beside.push_back(u.dag != v.dag ? of_dags(u, v) : beside(u, v));
  }

  /// Of a copy or CPU node u of v's DAG.
  [[nodiscard]] Meeting beside(KernelId u, KernelId v) const {
    if (!can_run_beside(alone_, lasting_, v.dag, u.node, v.node)) return apart(u, v);
    return can_meet(alone_.dags()[v.dag], lasting_[v.dag], u.node, v.node) ? of_one_dag(u, v) : Meeting::handed_on;
  }

  [[nodiscard]] Meeting of_dags(KernelId u, KernelId v) const {
    if (clock_keeps_apart(alone_, windows_, v.dag, v.node, u.dag, u.node)) return Meeting::clock;
    return windows_[u.dag][u.node] && windows_[v.dag][v.node] ? Meeting::windows : Meeting::dags;
  }

  [[nodiscard]] Meeting of_one_dag(KernelId u, KernelId v) const {
    const Dag& dag = alone_.dags()[v.dag];
    return u == v || dag.precedes(u.node, v.node) || dag.precedes(v.node, u.node) ? Meeting::jobs : Meeting::parallel;
  }

  [[nodiscard]] Meeting apart(KernelId u, KernelId v) const {
    if (alone_.dags()[v.dag].attributes().threads == 1U) return Meeting::thread;
    if (u != v) return Meeting::order;
    return lasting_[v.dag][v.node] ? Meeting::sequential : Meeting::over;
  }

  const TaskSet& alone_;
  const Lasting& lasting_;
  const Windows& windows_;
  GpuMeetings found_;
};

}  // namespace

std::string_view to_string(Meeting meeting) {
  switch (meeting) {
    case Meeting::parallel: return "parallel";
    case Meeting::jobs: return "jobs";
    case Meeting::dags: return "dags";
    case Meeting::windows: return "windows";
    case Meeting::handed_on: return "handed-on";
    case Meeting::order: return "order";
    case Meeting::over: return "over";
    case Meeting::sequential: return "sequential";
    case Meeting::thread: return "thread";
    case Meeting::clock: return "clock";
  }
  return "";
}

std::string kernel_name(const TaskSet& task_set, KernelId kernel) {
  const Dag& dag = task_set.dags()[kernel.dag];
  const std::string& node = dag.nodes()[kernel.node].name;
  return dag.nodes().size() == 1 && node == dag.name() ? node : dag.name() + "/" + node;
}

std::vector<GpuMeetings> meetings(const Proof& proof) {
  std::vector<GpuMeetings> all;
  if (!proof.company) return all;
  const Windows windows = counted_windows(proof);
  for (const Pool& pool : proof.company->alone->pools()) {
    const auto* const gpu = std::get_if<GpuPool>(&pool.resource);
    if (gpu == nullptr || !gpu->interference) continue;
    const std::string_view name = name_of_gpu(pool);
    if (std::ranges::find(all, name, &GpuMeetings::gpu) == all.end())
      all.push_back(PairsOfGpu(proof, windows, name, *gpu->interference).all());
  }
  return all;
}

}  // namespace rta::analysis
