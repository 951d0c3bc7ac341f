// The parameters of a task set in a certificate: what is assumed in place of the file's, and all of them as its lines.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "task_set.hpp"

namespace checker {

/// One property of a pool in place of the file's: `scheduler`, `preemptive`, `equals`, `priority`, D/V=N: node V of DAG D has it, `sms`,
/// `threads`, `blocks`, `shared_memory`, `registers`, `warp`, `shared_memory_unit`, `shared_memory_reserved`, `register_unit`,
/// `register_parts`, `latency`, ns that every block takes longer, or `switch`, D/V+N: kernel V of DAG D has N blocks more, for the switches
/// to it. Throws `std::invalid_argument`.
void assume(TaskSet& set, std::size_t pool, std::string_view property, std::string_view value);

/// Under FP a node has the priority that it is given; where none of a pool's has one, the DAGs there have different ones from 1 upwards:
/// the shorter D (T without a D), the more urgent; of equals the first in the file.
void set_fixed_priorities(TaskSet& set);

/// The task set as the lines of a certificate: `pool ...`, `dag ...`, `node ...`, `chain ...`.
[[nodiscard]] std::vector<std::string> lines_of(const TaskSet& set);

}  // namespace checker
