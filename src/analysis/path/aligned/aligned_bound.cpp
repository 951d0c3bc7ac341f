// T10a's and T10v's right-hand sides, no further than what they are compared with.
#include <algorithm>
#include <bit>
#include <functional>
#include <limits>

#include "analysis/path/aligned/aligned.hpp"

namespace rta::analysis::path {
namespace {

constexpr Tick nothing = Tick::min();

}  // namespace

/// One node's right-hand side.
class AlignedPaths::Bound {
 public:
  Bound(const AlignedPaths& of, std::size_t k, std::size_t v, const Sums& sums) : of_(of), k_(k), v_(v), sums_(sums) {}

  /// The most of the sets, or some value from `up_to` on.
  template <class Wanted>
  [[nodiscard]] Tick by_pool_sets(std::span<const PoolSet> sets, bool started, Tick up_to, Wanted wanted) const {
    Tick most = nothing;
    for (const PoolSet& set : sets) {
      if (!wanted(set)) continue;
      Choice choice;
      choice.mask = set.mask;
      choice.v = v_;
      choice.length = set.length;
      choice.started = started;
      most = std::max(most, of_.total(k_, choice, sums_, up_to));
      if (most >= up_to) break;
    }
    return most;
  }

  /// The same of all ways; or some value up to `from`.
  [[nodiscard]] Tick by_ways(Tick from, Tick up_to) const {
    Tick most = nothing;
    for (const Way& way : of_.overlap_[k_]->ways[v_]) {
      const Tick least = by_shares(way, std::max(from, most), up_to);
      most = std::max(most, least);
      if (most >= up_to) break;
    }
    return most;
  }

 private:
  /// The least of all shares, or some value up to `from`, or from `up_to` on.
  [[nodiscard]] Tick by_shares(const Way& way, Tick from, Tick up_to) const {
    Tick least = up_to;
    Choice choice;
    choice.mask = bit_of(0) | bit_of(1);
    choice.length = way.length;
    choice.before = way.before;
    choice.v = v_;
    choice.in_turns = false;
    for (; choice.share < of_.overlap_[k_]->choices.size() && least > from; ++choice.share) {
      least = std::min(least, of_.total(k_, choice, sums_, least));
    }
    return least;
  }

  const AlignedPaths& of_;
  std::size_t k_, v_;
  const Sums& sums_;
};

Tick AlignedPaths::bound(std::size_t k, std::span<const PoolSet> sets, std::size_t v, const Sums& sums, bool overlap, Tick enough,
                         Tick up_to) const {
  const Bound bound(*this, k, v, sums);
  const auto all = [](const PoolSet&) { return true; };
  if (unblocked_[k]) {
    const Tick blocked = bound.by_pool_sets(sets, false, up_to, all);
    if (blocked <= enough) return blocked;
    return std::min(blocked, bound.by_pool_sets(unblocked_[k]->pool_sets_of(v), true, std::min(blocked, up_to), all));
  }
  if (!overlap || !overlap_[k]) return bound.by_pool_sets(sets, false, up_to, all);
  const auto of_one_pool = [](const PoolSet& set) { return std::has_single_bit(set.mask); };
  const Tick alone = bound.by_pool_sets(sets, false, up_to, of_one_pool);
  if (alone >= up_to) return alone;
  const Tick from = std::max(enough, alone);
  const Tick in_turns = bound.by_pool_sets(sets, false, up_to, std::not_fn(of_one_pool));
  if (in_turns <= from) return alone;
  return std::max(alone, std::min(in_turns, bound.by_ways(from, std::min(in_turns, up_to))));
}

}  // namespace rta::analysis::path
