// A static order as statements.
#pragma once

#include <string>

#include "rta/model/task_set.hpp"
#include "rta/static_order/schedule.hpp"

namespace rta::certificate {

/// `order`, `shared`, `job`. The epochs of `order` are the DAGs of `set`.
void add_order(const static_order::ScheduledHyperepoch& order, const TaskSet& set, std::string& out);

}  // namespace rta::certificate
