// Reasons, and the blocking configurations in them, as sentences.
#pragma once

#include <string>

#include "rta/analysis/reason.hpp"
#include "rta/analysis/task_names.hpp"

namespace rta::analysis {

/// `2 blocks of node 'a' on an SM leave 1024 of 2048 G-threads unused: no block of node 'b' fits (shared memory binds)`.
[[nodiscard]] std::string in_words(const fifo::BlockingConfiguration& configuration, const TaskNames& names = {});
/// One sentence without a full stop.
[[nodiscard]] std::string in_words(const Reason& reason, const TaskNames& names = {});
/// At most six decimals, without trailing zeros: `3072.5`. For people, never for a bound.
[[nodiscard]] std::string decimal(double value);

}  // namespace rta::analysis
