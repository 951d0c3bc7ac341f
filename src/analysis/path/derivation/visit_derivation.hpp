// T23's and T24's numbers for one node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/path/visit/running.hpp"
#include "analysis/path/visit/visit.hpp"
#include "rta/analysis/inequality.hpp"

namespace rta::analysis::path {

/// Of node v of DAG k on a pool that is prepared, ready by `ready`; nothing where T23 says nothing.
[[nodiscard]] std::optional<Inequality> visit_derivation(const Ticks& ticks, const VisitPool& pool, std::size_t k, std::size_t v,
                                                         const std::vector<std::int64_t>& F, std::int64_t ready);

/// T24's, on its pool.
[[nodiscard]] std::optional<Inequality> running_derivation(const Ticks& ticks, const RunningPool& pool, std::size_t k, std::size_t v,
                                                           const RunningPool::Ends& F, std::int64_t ready);

}  // namespace rta::analysis::path
