// How a generated program ends.
#pragma once

#include <csignal>

namespace workload {

/// Exit statuses of a generated program.
enum Status { valid_run = 0, invalid_run = 1, could_not_run = 2 };

inline volatile std::sig_atomic_t interrupted = 0;

}  // namespace workload
