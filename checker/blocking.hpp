// T1b, T1be, T1bn and T3b: CPU pools on which nothing is preempted (docs/theory/cpu.md).
#pragma once

#include <span>
#include <string_view>

#include "processors.hpp"

namespace checker {

/// By the name of a theorem or rule.
[[nodiscard]] bool is_without_preemption(std::string_view theorem);

[[nodiscard]] BoundOf T1b(std::span<const Task> tasks, const Pool& pool, const Statement& base, bool exact);
[[nodiscard]] BoundOf T1bn(std::span<const Task> tasks, const Pool& pool);
[[nodiscard]] BoundOf T3b(std::span<const Task> tasks, const Pool& pool, const Statement& base);

}  // namespace checker
