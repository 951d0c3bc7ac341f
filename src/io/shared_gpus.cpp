#include "shared_gpus.hpp"

#include "rta/model/error.hpp"

namespace rta::io {

const Sharing* sharing_of(const Pool& pool) {
  const auto* gpu = std::get_if<GpuPool>(&pool.resource);
  return gpu == nullptr || !gpu->sharing ? nullptr : &*gpu->sharing;
}

std::vector<Pool> gpus_whole(const TaskSet& task_set) {
  std::vector<bool> used(task_set.pools().size());
  for (const Dag& dag : task_set.dags()) {
    for (const Node& node : dag.nodes()) used[node.pool] = true;
  }
  std::vector<Pool> whole;
  whole.reserve(task_set.pools().size());
  for (PoolId p = 0; p < task_set.pools().size(); ++p) {
    const Pool& pool = task_set.pools()[p];
    const Sharing* const sharing = sharing_of(pool);
    if (sharing == nullptr) {
      whole.push_back(pool);
      continue;
    }
    if (!used[p] && (sharing->contexts > 1 || !sharing->process.empty())) {
      throw UserError("the task set cannot be written: process '" + sharing->process + "' of GPU '" + sharing->gpu + "' has no kernel");
    }
    const bool first = p == 0 || sharing_of(task_set.pools()[p - 1]) == nullptr || sharing_of(task_set.pools()[p - 1])->gpu != sharing->gpu;
    if (!first) continue;
    whole.push_back(pool);
    whole.back().name = sharing->gpu;
  }
  return whole;
}

}  // namespace rta::io
