// T11j's numbers for one node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "analysis/path/priority/urgent.hpp"
#include "rta/analysis/fine.hpp"
#include "rta/analysis/path/sums.hpp"

namespace rta::analysis::path {

/// A node as a sporadic task with jitter.
struct SporadicNode {
  SporadicSum sum;
  FineTime total;
};

/// For node v of DAG k on a preemptive pool under fixed priorities, which is prepared with F and A since nominal releases, and the node's
/// own A and F since the release, `ready` and `end`: the less of both forms.
[[nodiscard]] std::optional<SporadicNode> urgent_derivation(const Ticks& ticks, std::size_t k, std::size_t v, const UrgentPool& pool,
                                                            std::int64_t ready, std::int64_t end);

}  // namespace rta::analysis::path
