// T1's demand and T3's S, which is the same sum, term by term.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "rta/analysis/cpu/gel.hpp"
#include "rta/analysis/fine.hpp"
#include "rta/analysis/task_names.hpp"

namespace rta::analysis::gel {

/// The sum of C_i max(0, 1 - (Y'_i - J_i)/T_i), to which `lines` get one line per kind of tasks: sum C_i - (sum C_i (Y'_i - J_i))/T_i over
/// those above 0. Y'_i is Y_i less `shift`.
[[nodiscard]] FineTime carried_lines(std::span<const Task> tasks, Time shift, const TaskNames& names, std::vector<std::string>& lines);

}  // namespace rta::analysis::gel
