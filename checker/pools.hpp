// The platform of a task-set file.
#pragma once

#include <string_view>
#include <vector>

#include "task_set.hpp"
#include "yaml.hpp"

namespace checker {

/// In the order of the file; a partitioned pool is as many pools of one processor. `unit`: of times without one. Throws `BadInput`.
[[nodiscard]] std::vector<Pool> read_pools(Document& document, const yaml_node_t& platform, std::string_view unit);

/// `reservation: {runtime: Q, period: P}` of a pool. Throws `BadInput`.
void set_reservation(Document& document, const yaml_node_t& value, std::string_view unit, Pool& pool);

}  // namespace checker
