// Pools without preemption, where a node is one piece of work on one processor and runs to its end once it has started.
#pragma once

#include <cstdint>

#include "rta/analysis/path/path.hpp"

namespace rta::analysis::path {

/// T10d without preemption: how many processors are tried in place of all.
inline constexpr std::int64_t most_fewer_processors = 8;

[[nodiscard]] constexpr bool by_dag_point(Order order) { return order == Order::gel || order == Order::gel_non_preemptive; }
[[nodiscard]] constexpr bool runs_to_end(Order order) { return order == Order::gel_non_preemptive || order == Order::fixed_non_preemptive; }

}  // namespace rta::analysis::path
