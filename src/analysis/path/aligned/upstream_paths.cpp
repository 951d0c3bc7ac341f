#include "analysis/path/aligned/upstream_paths.hpp"

#include <algorithm>

#include "rta/model/utilization.hpp"

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

UpstreamUse use_of_upstream(const System& system) {
  const Ticks ticks = to_ticks(system, Limits{}, false);
  UpstreamUse use;
  for (const Class& c : ticks.classes) use.pairs += c.size() * ticks.classes.size();
  for (std::size_t p = 0; p < system.pools.size(); ++p) {
    const auto asks = [&](std::size_t k) { return suits_upstream(ticks, ticks.classes[k]); };
    if (!UpstreamPool::applies(ticks, p) || std::ranges::none_of(ticks.users[p], asks)) continue;
    use.applies = true;
    Utilization twice;
    for (const Dag& dag : system.dags) {
      for (const Node& node : dag.nodes) {
        if (node.pool == p) twice.add(2 * node.vol, dag.T.count());
      }
    }
    use.loaded = use.loaded || twice.compare(Wide{system.pools[p].capacity}) > 0;
  }
  return use;
}

bool suits_upstream(const Ticks& ticks, const Class& c) {
  return c.slot_pool.size() < last_bit && std::ranges::all_of(c.pools, [&](std::size_t p) {
           const Pool& pool = ticks.system->pools[p];
           return !is_non_preemptive(pool.order) && !pool.slices && !pool.mixed;
         });
}

std::optional<UpstreamChoice> upstream_choice(const Ticks& ticks, const UpstreamPools& pools, const AlignedPaths& aligned, std::size_t k,
                                              std::size_t v, const AlignedPaths::Sums& sums, std::span<const PoolSet> sets,
                                              const UnderWayAt* at) {
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
    const Wide left = pool->left(k, v, sums.reach[i]) - pool->after(k, v);
    constexpr Wide most_told = Wide{1} << 60;
    if (left > most_told / ticks.Q) continue;
    most.left[i] = Tick::narrow(ceil_div(left * ticks.Q, pool->processors()));
    const PoolSet alone{bit_of(i), Tick::zero()};
    if (most.left[i] < rest_of(aligned, k, v, sums, alone, at, Tick::zero()).total) most.of |= bit_of(i);
  }
  if (most.of == 0) return std::nullopt;
  most.total = Tick::min();
  for (const PoolSet& set : sets) {
    PoolSet rest{set.mask & ~most.of, set.length};
    for (std::size_t i = 0; i < c.pools.size(); ++i) rest.length += (set.mask & most.of & bit_of(i)) != 0 ? most.left[i] : Tick::zero();
    const AlignedPaths::Choice choice = rest_of(aligned, k, v, sums, rest, at, unit);
    if (choice.total <= most.total) continue;
    most.total = choice.total;
    most.set = set;
    most.rest = choice;
  }
  if (most.rest.under_way != nullptr) most.rest.under_way = asked;
  return most;
}

}  // namespace rta::analysis::path
