// GPUs that processes share, as files have them: one pool, where the model has one per context.
#pragma once

#include <vector>

#include "rta/model/task_set.hpp"

namespace rta::io {

/// Null where the pool is no context of a shared GPU.
[[nodiscard]] const Sharing* sharing_of(const Pool& pool);

/// The pools as they are written: a GPU's first context stands for it, under its name. Throws `UserError` for a context without a kernel,
/// which a file cannot say, where the GPU has others.
[[nodiscard]] std::vector<Pool> gpus_whole(const TaskSet& task_set);

}  // namespace rta::io
