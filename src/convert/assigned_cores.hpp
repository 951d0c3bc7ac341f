// CPU pools of formats whose nodes may name a core (p) and a kind of core (s).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "draft.hpp"
#include "notes.hpp"
#include "rta/convert/convert.hpp"

namespace rta::convert {

/// The core that a node is assigned to, and its kind (0: ordinary).
struct Assignment {
  std::optional<std::int64_t> core;
  std::int64_t kind = 0;
};

/// Makes the pools and gives each node's: with a core for every node a pool per core; without any, or with `--processors`, a pool per kind.
[[nodiscard]] std::vector<PoolId> pools_for(const std::vector<Assignment>& nodes, std::vector<DraftPool>& pools, const Options& options,
                                            Notes& notes);

}  // namespace rta::convert
