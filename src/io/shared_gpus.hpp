// GPUs that processes share or that are cut, as files have them: one pool, where the model has one per context or
// partition.
#pragma once

#include <vector>

#include "rta/model/task_set.hpp"

namespace rta::io {

/// Null where the pool is no context of a shared GPU.
[[nodiscard]] const Sharing* sharing_of(const Pool& pool);

struct FilePool {
  Pool pool;
  std::vector<Pool> partitions;  // of a GPU that is cut, as the model has them
};

/// The pools as they are written: a GPU's first context stands for it, under its name. Throws `UserError` for a context without a kernel,
/// which a file cannot say, where the GPU has others, and for a rest that is not what the other partitions leave.
[[nodiscard]] std::vector<FilePool> gpus_whole(const TaskSet& task_set);

}  // namespace rta::io
