// `partitions` of a GPU in a task-set file.
#pragma once

#include <vector>

#include "fields.hpp"
#include "rta/model/pool.hpp"

namespace rta::io {

struct PartitionPool {
  Pool pool;
  Mark at;  // of its name
};

/// A pool per partition of `whole`, what `rest` names last; none where the GPU is not cut. `fields`: what the file says of the GPU.
[[nodiscard]] std::vector<PartitionPool> read_partitions(const Fields& fields, const Pool& whole);

}  // namespace rta::io
