// T11j's numbers for one node.
#pragma once

#include <cstddef>
#include <optional>

#include "analysis/path/priority/urgent.hpp"
#include "rta/analysis/path/path.hpp"

namespace rta::analysis::path {

/// For node v of DAG k on a preemptive pool under fixed priorities, with F and A per class, since nominal releases, and its own A since
/// the release: the less of both forms.
[[nodiscard]] std::optional<LateDerivation> urgent_derivation(const Ticks& ticks, std::size_t k, std::size_t v,
                                                              const UrgentPool::PerClass& F, const UrgentPool::PerClass& A,
                                                              std::int64_t ready);

}  // namespace rta::analysis::path
