// The task set as statements.
#pragma once

#include <string>

#include "rta/model/task_set.hpp"

namespace rta::certificate {

/// `assume ...`: in what `analysed` differs from `file`.
void add_assumptions(const TaskSet& file, const TaskSet& analysed, std::string& out);
/// `pool ...`, `dag ...`, `node ...`.
void add_parameters(const TaskSet& task_set, std::string& out);

}  // namespace rta::certificate
