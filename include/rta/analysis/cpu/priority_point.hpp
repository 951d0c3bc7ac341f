// Relative priority points of the plain schedulers.
#pragma once

#include <cstdint>

#include "rta/model/pool.hpp"
#include "rta/model/quantity.hpp"

namespace rta::analysis {

/// Y of a node with relative deadline D and execution time C on m >= 1 processors: G-EDF D, FIFO 0, G-FL D - (m-1)/m C rounded up to a
/// whole ns (LP: as G-EDF). Y is what the scheduler uses at run time, so any rounding is safe. May be negative under G-FL.
[[nodiscard]] Time priority_point(Scheduler scheduler, Time D, Time C, std::uint32_t processors);

}  // namespace rta::analysis
