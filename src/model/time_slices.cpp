#include "rta/model/time_slices.hpp"

namespace rta {

std::string context_name(std::string_view gpu, std::string_view process) {
  std::string name(gpu);
  if (!process.empty()) (name += '/') += process;
  return name;
}

std::string_view name_in_file(const Pool& pool) {
  const auto* gpu = std::get_if<GpuPool>(&pool.resource);
  if (gpu != nullptr && gpu->partition) return gpu->partition->gpu;
  return gpu != nullptr && gpu->sharing ? gpu->sharing->gpu : pool.name;
}

Time gap(const Sharing& sharing) {
  const Wide others = Wide{sharing.contexts} - 1;
  return to_time(checked_add(checked_mul(others, Wide{sharing.slice.count()}), checked_mul(others + 1, Wide{sharing.switch_time.count()})));
}

const Sharing* slices_of(const Pool& pool) {
  const auto* gpu = std::get_if<GpuPool>(&pool.resource);
  if (gpu == nullptr || !gpu->sharing) return nullptr;
  const Sharing& sharing = *gpu->sharing;
  return sharing.contexts > 1 || sharing.switch_time > Time::zero() ? &sharing : nullptr;
}

std::optional<PoolId> first_gpu_with_slices(const TaskSet& task_set) {
  std::optional<PoolId> first;
  for (const Dag& dag : task_set.dags()) {
    for (const Node& node : dag.nodes()) {
      if ((!first || node.pool < *first) && slices_of(task_set.pools()[node.pool]) != nullptr) first = node.pool;
    }
  }
  return first;
}

}  // namespace rta
