// T23 or T24 on one node with its numbers.
#pragma once

#include <string>
#include <vector>

#include "rta/analysis/inequality.hpp"
#include "rta/analysis/path/path_system.hpp"

namespace rta::analysis {

[[nodiscard]] std::vector<std::string> visit_lines(const path::System& system, const PathSystem::Place& place, const Inequality& of,
                                                   const path::VisitSum& sum, Time bound);

}  // namespace rta::analysis
