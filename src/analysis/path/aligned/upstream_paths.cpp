#include "analysis/path/aligned/upstream_paths.hpp"

#include <algorithm>
#include <bit>

namespace rta::analysis::path {
namespace {

/// The rest of a path's waiting, in the pools of the set.
AlignedPaths::Choice rest_of(const AlignedPaths& aligned, std::size_t k, std::size_t v, const AlignedPaths::Sums& sums, const PoolSet& set,
                             const UnderWayAt* at, Tick unit) {
  AlignedPaths::Choice least;
  if (set.mask == 0) {
    least.v = v;
    least.length = set.length;
    least.total = set.length + unit;
    return least;
  }
  const std::span<const PoolSet> one(&set, 1);
  least = aligned.right_hand_side(k, one, v, sums, false);
  least.total += unit;
  if (at == nullptr) return least;
  const AlignedPaths::Choice at_once = aligned.under_way(k, v, sums, *at, {one, {}});
  return at_once.total < least.total ? at_once : least;
}

}  // namespace

bool suits_upstream(const Ticks& ticks, const Class& c) {
  return c.slot_pool.size() < last_bit && std::ranges::all_of(c.pools, [&](std::size_t p) {
           const Pool& pool = ticks.system->pools[p];
           return !is_non_preemptive(pool.order) && !pool.slices && !pool.mixed;
         });
}

std::optional<UpstreamChoice> upstream_choice(const Ticks& ticks, const UpstreamPools& pools, const AlignedPaths& aligned, std::size_t k,
                                              std::size_t v, const AlignedPaths::Sums& sums, std::span<const PoolSet> sets,
                                              const UnderWayAt* at, Tick below) {
  const Class& c = ticks.classes[k];
  const Tick unit = c.e[v] == Tick::zero() ? ticks.of_ns(1) : Tick::zero();
  const UnderWayAt* const asked = at;
  UnderWayAt less_last_pieces;
  if (at != nullptr) {
    less_last_pieces = *at;
    less_last_pieces.knows_itself = false;
    at = &less_last_pieces;
  }
  UpstreamChoice most;
  most.left.resize(c.pools.size());
  for (std::size_t i = 0; i < c.pools.size(); ++i) {
    const auto& pool = pools[c.pools[i]];
    if (!pool || sums.reach[i] < 0) continue;
    Tick longest = Tick::min();  // of the paths that wait there
    for (const PoolSet& set : sets) longest = (set.mask & bit_of(i)) != 0 ? std::max(longest, set.length) : longest;
    if (longest >= below) continue;
    const Wide room = Wide{below.count()} - longest.count();
    const Wide after = pool->after(k, v);
    const Wide left = pool->left(k, v, sums.reach[i], ceil_div(room * pool->processors(), Wide{ticks.Q}) + after) - after;
    const Wide in_ticks = left >= UpstreamPool::unknown / 2 ? Wide{below.count()} : ceil_div(left * ticks.Q, pool->processors());
    if (in_ticks >= room) continue;
    most.left[i] = Tick::narrow(in_ticks);
    most.of |= bit_of(i);
  }
  for (std::size_t i = 0; i < c.pools.size() && !std::has_single_bit(most.of); ++i) {  // of several, those of which it says less
    if ((most.of & bit_of(i)) == 0) continue;
    const PoolSet alone{bit_of(i), Tick::zero()};
    if (most.left[i] >= rest_of(aligned, k, v, sums, alone, at, Tick::zero()).total) most.of &= ~bit_of(i);
  }
  if (most.of == 0) return std::nullopt;
  most.total = Tick::min();
  for (const PoolSet& set : sets) {
    PoolSet rest{set.mask & ~most.of, set.length};
    for (std::size_t i = 0; i < c.pools.size(); ++i) rest.length += (set.mask & most.of & bit_of(i)) != 0 ? most.left[i] : Tick::zero();
    if (rest.length >= below) return std::nullopt;
    const AlignedPaths::Choice choice = rest_of(aligned, k, v, sums, rest, at, unit);
    if (choice.total <= most.total) continue;
    most.total = choice.total;
    most.set = set;
    most.rest = choice;
    if (most.total >= below) return std::nullopt;
  }
  if (most.rest.under_way != nullptr) most.rest.under_way = asked;
  return most;
}

}  // namespace rta::analysis::path
