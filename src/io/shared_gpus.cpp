#include "shared_gpus.hpp"

#include "rta/model/error.hpp"
#include "rta/model/partitions.hpp"

namespace rta::io {

const Sharing* sharing_of(const Pool& pool) {
  const auto* gpu = std::get_if<GpuPool>(&pool.resource);
  return gpu == nullptr || !gpu->sharing ? nullptr : &*gpu->sharing;
}

namespace {

/// Adds the partition to its GPU's, which `whole` ends with if it is not the first.
void add_partition(const Pool& pool, const Partition& partition, std::vector<FilePool>& whole) {
  if (whole.empty() || whole.back().pool.name != partition.gpu) {
    FilePool& gpu = whole.emplace_back(FilePool{pool, {}});
    gpu.pool.name = partition.gpu;
    auto& resource = std::get<GpuPool>(gpu.pool.resource);
    resource.sms = partition.of;
    resource.partition.reset();
  }
  std::vector<Pool>& parts = whole.back().partitions;
  std::uint64_t left = partition.of;
  for (const Pool& part : parts) left -= std::get<GpuPool>(part.resource).sms;
  if (partition.rest && std::get<GpuPool>(pool.resource).sms != left) {
    throw UserError("the task set cannot be written: pool '" + pool.name + "' does not have what the other partitions leave");
  }
  parts.push_back(pool);
}

}  // namespace

std::vector<FilePool> gpus_whole(const TaskSet& task_set) {
  std::vector<bool> used(task_set.pools().size());
  for (const Dag& dag : task_set.dags()) {
    for (const Node& node : dag.nodes()) used[node.pool] = true;
  }
  std::vector<FilePool> whole;
  whole.reserve(task_set.pools().size());
  for (PoolId p = 0; p < task_set.pools().size(); ++p) {
    const Pool& pool = task_set.pools()[p];
    const Sharing* const sharing = sharing_of(pool);
    if (const Partition* const partition = partition_of(pool)) {
      add_partition(pool, *partition, whole);
      continue;
    }
    if (sharing == nullptr) {
      whole.push_back({pool, {}});
      continue;
    }
    if (!used[p] && (sharing->contexts > 1 || !sharing->process.empty())) {
      throw UserError("the task set cannot be written: process '" + sharing->process + "' of GPU '" + sharing->gpu + "' has no kernel");
    }
    const bool first = p == 0 || sharing_of(task_set.pools()[p - 1]) == nullptr || sharing_of(task_set.pools()[p - 1])->gpu != sharing->gpu;
    if (!first) continue;
    whole.push_back({pool, {}});
    whole.back().pool.name = sharing->gpu;
  }
  return whole;
}

}  // namespace rta::io
