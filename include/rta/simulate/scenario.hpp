// Which releases a scenario may have.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "rta/model/task_set.hpp"
#include "rta/simulate/options.hpp"

namespace rta::simulate {

/// The first of a DAG's jobs, in the order of their releases, that cannot be released then: there are no nominal releases at least T and at
/// most T_max apart (where there is one) of which each job up to it is late by at most the jitter.
[[nodiscard]] std::optional<std::size_t> first_impossible_release(const Dag& dag, std::span<const ScenarioJob> jobs);

}  // namespace rta::simulate
