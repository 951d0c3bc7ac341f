#include "rta/model/partitions.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "rta/model/device.hpp"

namespace rta {
namespace {

constexpr std::array<std::string_view, 4> kinds{"green", "mps", "mig", "tpc"};

/// The 8 of 8.7; 0 for what is no compute capability.
unsigned major_of(std::string_view capability) {
  unsigned number = 0;
  std::from_chars(capability.data(), capability.data() + capability.size(), number);
  return number;
}

struct Granularity {
  std::uint32_t least = 1, multiple = 1;
};

/// cuDevSmResourceSplitByCount
Granularity of_green_contexts(unsigned major) {
  if (major >= 9) return {8, 8};
  if (major == 8) return {4, 2};
  return major == 7 ? Granularity{2, 2} : Granularity{};
}

bool lacks_mig(std::string_view capability) {
  static constexpr std::array<std::string_view, 3> without{"8.6", "8.7", "8.9"};
  return major_of(capability) < 8 || std::ranges::find(without, capability) != without.end();
}

std::optional<std::string> beside(std::string_view what, const Granularity& allowed, std::uint32_t sms, std::string_view capability) {
  if (sms >= allowed.least && sms % allowed.multiple == 0) return std::nullopt;
  std::string text(what);
  text += " of compute capability ";
  text += capability;
  text += " has at least " + std::to_string(allowed.least) + " SMs, and a multiple of " + std::to_string(allowed.multiple) + ", not " +
          std::to_string(sms);
  return text;
}

}  // namespace

std::string_view to_string(PartitionKind kind) { return kinds[static_cast<std::size_t>(kind)]; }

std::string partition_name(std::string_view gpu, std::string_view name) {
  std::string pool(gpu);
  (pool += '/') += name;
  return pool;
}

const Partition* partition_of(const Pool& pool) {
  const auto* gpu = std::get_if<GpuPool>(&pool.resource);
  return gpu == nullptr || !gpu->partition ? nullptr : &*gpu->partition;
}

std::optional<std::string> partition_fault(PartitionKind kind, std::uint32_t sms, std::string_view capability) {
  if (find_capability(capability) == nullptr) return std::nullopt;
  const unsigned major = major_of(capability);
  const auto none = [&](std::string_view what) {
    return std::string("a GPU of compute capability ").append(capability).append(" has no ").append(what);
  };
  switch (kind) {
    case PartitionKind::green:
      if (major < 6) return none("green contexts");
      return beside("a green context", of_green_contexts(major), sms, capability);
    case PartitionKind::mig: return lacks_mig(capability) ? std::optional(none("MIG instances")) : std::nullopt;
    case PartitionKind::tpc: return major >= 7 ? beside("a mask of TPCs", {2, 2}, sms, capability) : std::nullopt;
    case PartitionKind::mps: break;  // the server says of how many SMs its chunks are
  }
  return std::nullopt;
}

std::optional<std::string> partition_fault(const GpuPool& pool) {
  const Device* const device = find_device(pool.device);
  if (device == nullptr || !pool.partition || pool.partition->rest) return std::nullopt;
  return partition_fault(pool.partition->kind, pool.sms, device->compute_capability);
}

std::optional<PoolId> first_partition(const TaskSet& task_set) {
  std::optional<PoolId> first;
  for (const Dag& dag : task_set.dags()) {
    for (const Node& node : dag.nodes()) {
      if ((!first || node.pool < *first) && partition_of(task_set.pools()[node.pool]) != nullptr) first = node.pool;
    }
  }
  return first;
}

}  // namespace rta
