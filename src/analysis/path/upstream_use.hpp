// Whether T39 is worth its time.
#pragma once

#include <cstddef>
#include <vector>

#include "rta/analysis/path/path.hpp"

namespace rta::analysis::path {

/// Whether T39 says anything of some pool, whether such a pool is loaded by more than half, and how many pairs of a node and a class there
/// are.
struct UpstreamUse {
  bool applies = false;
  bool loaded = false;
  std::size_t pairs = 0;
};
[[nodiscard]] UpstreamUse use_of_upstream(const System& system);

/// Whether it says less than these bounds, per DAG and node, of some node.
[[nodiscard]] bool upstream_says_less(const System& system, const std::vector<std::vector<Time>>& F);

}  // namespace rta::analysis::path
