// `chains:` of a task-set file.
#pragma once

#include <span>
#include <vector>

#include "fields.hpp"
#include "rta/model/task_set.hpp"

namespace rta::io {

/// The chains of `list` across `dags`; what is required of them is added to `requirements`. When something is wrong, that is reported and
/// the result means nothing.
[[nodiscard]] std::vector<Chain> read_chains(const Value& list, std::span<const Dag> dags, const Unit* time_unit,
                                             std::vector<Requirement>& requirements, Diagnostics& out);

}  // namespace rta::io
