// A term of T3 that its solver and its explanation both evaluate.
#pragma once

#include "rta/analysis/cpu/gel_sequential.hpp"

namespace rta::analysis::gel_sequential {

/// late u / m, rounded up or down.
[[nodiscard]] FineTime share(FineTime late, const Task& task, Wide m, bool up = true);

}  // namespace rta::analysis::gel_sequential
