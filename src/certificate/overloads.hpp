// Why pools have no bounds, as statements.
#pragma once

#include <string>

#include "rta/analysis/proof.hpp"

namespace rta::certificate {

/// `overload ...`: for every pool that is asked for more than it has.
void add_overloads(const analysis::Proof& proof, std::string& out);

}  // namespace rta::certificate
