// Bounds that are proven, as ticks of the system: what evidence is made of afterwards.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/path/system/ticks.hpp"

namespace rta::analysis::path {

struct ProvenEnds {
  Ticks ticks;
  std::vector<std::vector<std::int64_t>> F;  // class -> bound per node, ns
  std::vector<std::vector<std::int64_t>> A;  // class -> bound on the ready time per node, ns
};

/// `descendants`: as of `to_ticks`. Throws as that.
[[nodiscard]] ProvenEnds proven_ends(const System& system, const NodeBounds& bounds, bool descendants);

}  // namespace rta::analysis::path
