// GPUs that are cut into partitions of whole SMs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rta/model/task_set.hpp"

namespace rta {

/// What the pool of a partition is called: `orin/perception`.
[[nodiscard]] std::string partition_name(std::string_view gpu, std::string_view name);
/// Null where the pool is no partition.
[[nodiscard]] const Partition* partition_of(const Pool& pool);

/// Why a device of that compute capability has no partition of so many SMs, as far as that is known; a capability that is empty or not in
/// the table is not known.
[[nodiscard]] std::optional<std::string> partition_fault(PartitionKind kind, std::uint32_t sms, std::string_view capability);
/// Of the pool's device.
[[nodiscard]] std::optional<std::string> partition_fault(const GpuPool& pool);

/// The first partition that some node runs on, if there is one.
[[nodiscard]] std::optional<PoolId> first_partition(const TaskSet& task_set);

}  // namespace rta
