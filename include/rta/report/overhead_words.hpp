// What a machine adds to nodes, in words.
#pragma once

#include <span>
#include <string>

#include "rta/compare/seen_overheads.hpp"
#include "rta/model/task_set.hpp"

namespace rta::report {

/// `on cpu the machine adds 33 us to a node (median), 110 us (99 %), at most 131 us`, and whether it is quiet.
[[nodiscard]] std::string overhead_in_words(const TaskSet& task_set, const compare::SeenOverhead& seen);
/// ` --overhead cpu=165us`, of each pool.
[[nodiscard]] std::string overhead_options(const TaskSet& task_set, std::span<const compare::SeenOverhead> seen);

}  // namespace rta::report
