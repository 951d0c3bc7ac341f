// The canonical form of task sets: JSON in which equal sets are equal texts.
#pragma once

#include <string>

#include "rta/model/task_set.hpp"

namespace rta::io {

/// The task set as JSON with the keys of task-set files, which `parse_task_set` reads back equal (JSON is YAML). Two task sets are equal if
/// and only if their texts are. One pool, node and edge a line; no key is left out because its value is the default, only those that stand
/// for something absent (device, D, direction, group, min, mode, priorities of CPU nodes and DAGs) and `equals` off FP. Keys come in the
/// order in which `docs/guide-convert.md` lists them, pools, DAGs, nodes and edges in the order of the task set. Times are whole ns
/// (`time_unit` says so), workloads of GPU nodes G-thread x ns, sizes texts in bytes ("49152 B"). Throws UserError for what
/// `format_task_set` refuses.
[[nodiscard]] std::string canonical_json(const TaskSet& task_set);

}  // namespace rta::io
