// What `rta workload --doctor` found.
#pragma once

#include <iosfwd>
#include <vector>

#include "rta/validation/machine.hpp"

namespace rta::report {

void print_findings_text(const std::vector<validation::Finding>& findings, std::ostream& out);
void print_findings_json(const std::vector<validation::Finding>& findings, std::ostream& out);

}  // namespace rta::report
