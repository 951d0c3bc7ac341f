// T10a's and T10v's inequalities with their numbers.
#pragma once

#include "analysis/path/aligned/aligned.hpp"
#include "analysis/path/aligned/upstream_paths.hpp"
#include "rta/analysis/inequality.hpp"
#include "rta/analysis/path/path.hpp"

namespace rta::analysis::path {

/// What T10n counts for the node, from which T10a takes the DAG's own part: work per pool of the DAG's jobs, the windows'
/// ends, and the length that each node adds to a path.
struct CountedByNode {
  std::vector<std::int64_t> reach;  // local pool -> a or b, ns; -1 where none is visited
  std::vector<std::int64_t> ready;  // local pool -> max of A_q, ns; -1 likewise
  std::vector<Tick> own;            // slot
  std::vector<Tick> length;         // node
};

/// For node v of DAG k. `F` bounds the ends per DAG, ns.
[[nodiscard]] Inequality aligned_derivation(const Ticks& ticks, const std::vector<std::vector<Time>>& F, std::size_t k, std::size_t v,
                                            const CountedByNode& counted, bool overlap);

/// T10f's; `visits` are prepared. Nothing where it does not apply.
[[nodiscard]] std::optional<Inequality> under_way_derivation(const Ticks& ticks, const UnderWay::Pools& visits,
                                                             const std::vector<std::vector<Time>>& F, std::size_t k, std::size_t v,
                                                             const CountedByNode& counted);

/// T39's, likewise; `visits` may be none, then T10f is not asked.
[[nodiscard]] std::optional<Inequality> upstream_derivation(const Ticks& ticks, const UpstreamPools& pools, const UnderWay::Pools& visits,
                                                            const std::vector<std::vector<Time>>& F, std::size_t k, std::size_t v,
                                                            const CountedByNode& counted);

}  // namespace rta::analysis::path
