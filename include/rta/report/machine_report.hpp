// What `rta workload --doctor` found.
#pragma once

#include <iosfwd>
#include <vector>

#include "rta/validation/machine.hpp"

namespace rta::report {

/// As text for people, or as JSON.
void print_findings(const std::vector<validation::Finding>& findings, bool json, std::ostream& out);

}  // namespace rta::report
