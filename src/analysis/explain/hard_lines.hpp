// How a bound of T16 to T18 follows, in lines for people.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "rta/analysis/hard/hard.hpp"
#include "rta/analysis/task_names.hpp"

namespace rta::analysis::hard {

[[nodiscard]] std::vector<std::string> explain(std::span<const Task> tasks, std::uint32_t processors, Order order, const Bounds& bounds,
                                               std::size_t k, const TaskNames& names);

}  // namespace rta::analysis::hard
