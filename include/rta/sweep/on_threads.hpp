// Task sets whose DAGs are played by threads, as monolithic programs are.
#pragma once

#include <cstdint>

#include "rta/model/task_set.hpp"

namespace rta::sweep {

/// At least one is, and at most so many are, `threads` of a sweep's analysis.
constexpr std::uint64_t most_threads_of_dags = 4096;

/// Each DAG on so many threads, which play its nodes one after another in topological order and block while they wait. Requires that no
/// node is `sequential`.
[[nodiscard]] TaskSet on_threads(const TaskSet& task_set, std::uint32_t threads);

}  // namespace rta::sweep
