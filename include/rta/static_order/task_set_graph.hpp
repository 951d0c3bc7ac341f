// Task sets as compute graphs: what a static schedule of them is made from.
#pragma once

#include <optional>
#include <string>

#include "rta/model/task_set.hpp"
#include "rta/static_order/graph.hpp"

namespace rta::static_order {

/// One hyperepoch as long as the least common multiple of all periods. Each DAG is a client and an epoch, and its jobs are the epoch's
/// frames, which may overlap; a sequential node waits for its job before. Every CPU of a pool is a resource, a GPU is one with its SMs,
/// copy engines are one or one per direction, and persistent threads are a GPU of SMs that hold one item each. Deadlines are those of the
/// DAGs. Throws `UserError` when the hyperperiod is too long or has too many jobs.
[[nodiscard]] Graph graph_of(const TaskSet& task_set);

/// That static schedules use no phases, where some DAG has one; a warning.
[[nodiscard]] std::optional<std::string> unused_phase(const TaskSet& task_set);

}  // namespace rta::static_order
