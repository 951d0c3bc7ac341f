// T39's right-hand side: paths that wait for what is left on some pools, and on the others as T10a, T30 or T10f have it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/path/aligned/aligned.hpp"
#include "analysis/path/points/upstream.hpp"
#include "analysis/path/system/ticks.hpp"

namespace rta::analysis::path {

using UpstreamPools = std::vector<std::optional<UpstreamPool>>;  // pool

/// Whether paths of the class may be looked at: no pool of it is non-preemptive, sliced or mixed.
[[nodiscard]] bool suits_upstream(const Ticks& ticks, const Class& c);

struct UpstreamChoice {
  Tick total;
  PoolSet set;                // the paths that decide
  AlignedPaths::Choice rest;  // its length with what is left on the pools of `of`
  std::uint64_t of = 0;       // local pools of which what is left counts
  std::vector<Tick> left;     // local pool
};

/// For node v of class k, to which paths of the pool sets `sets` lead; nothing where T39 says less of no pool, or no less than `below`.
/// `at`: T10f's sums; null where they are not asked.
[[nodiscard]] std::optional<UpstreamChoice> upstream_choice(const Ticks& ticks, const UpstreamPools& pools, const AlignedPaths& aligned,
                                                            std::size_t k, std::size_t v, const AlignedPaths::Sums& sums,
                                                            std::span<const PoolSet> sets, const UnderWayAt* at, Tick below);

}  // namespace rta::analysis::path
