// A chain of tasks, each of which decides when the next one starts, that ends with the latest task.
#pragma once

#include <span>
#include <vector>

#include "order.hpp"
#include "random.hpp"

namespace rta::static_order {

/// Sets `path` to a critical path of an order: from one of the last ends back through what decided each start, by chance where several
/// did. `times` are those of the order against `due`.
void walk_critical_path(const Problem& problem, const Order& order, const Times& times, std::span<const Ns> due, Random& random,
                        std::vector<TaskId>& path);

}  // namespace rta::static_order
