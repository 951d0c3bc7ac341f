#include "analysis/path/sliced/slices.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "rta/model/error.hpp"

namespace rta::analysis::path {
namespace {

constexpr std::size_t most_sets = 128;  // of a node; further ones are joined, which can only raise bounds

bool no_more(const OnSlices& a, const OnSlices& b) { return a.nodes <= b.nodes && a.length <= b.length && a.empty <= b.empty; }

/// Whether a path of set `a` never costs more than one of `b`.
bool covered(const SlicedSet& a, const SlicedSet& b) {
  return (a.all.mask & ~b.all.mask) == 0 && a.all.length <= b.all.length && std::ranges::equal(a.on, b.on, no_more);
}

void add(std::vector<SlicedSet>& sets, SlicedSet added) {
  if (std::ranges::any_of(sets, [&](const SlicedSet& other) { return covered(added, other); })) return;
  std::erase_if(sets, [&](const SlicedSet& other) { return covered(other, added); });
  sets.push_back(std::move(added));
  if (sets.size() <= most_sets) return;
  SlicedSet joined = *std::ranges::max_element(sets, {}, [](const SlicedSet& set) { return set.all.length; });
  for (const SlicedSet& set : sets) {
    joined.all.mask |= set.all.mask;
    for (std::size_t i = 0; i < joined.on.size(); ++i) {
      joined.on[i].nodes = std::max(joined.on[i].nodes, set.on[i].nodes);
      joined.on[i].length = std::max(joined.on[i].length, set.on[i].length);
      joined.on[i].empty = joined.on[i].empty || set.on[i].empty;
    }
  }
  sets.assign(1, joined);
}

std::int64_t saturated(Wide ns) { return static_cast<std::int64_t>(std::min<Wide>(ns, beyond_all)); }

}  // namespace

Wide gaps_of(const Ticks& ticks, const OnSlices& on, Wide X, const Slices& slices) {
  const Wide S = checked_mul<Wide>(slices.slice.count(), ticks.Q);
  return on.empty ? on.nodes + floor_div(X, S) : on.nodes - Wide{1} + ceil_div(X, S);
}

std::vector<std::size_t> SlicedPaths::sliced_pools(const Class& c, const System& system) {
  std::vector<std::size_t> local;
  for (std::size_t i = 0; i < c.pools.size(); ++i) {
    if (system.pools[c.pools[i]].slices) local.push_back(i);
  }
  return local;
}

SlicedPaths::SlicedPaths(const Ticks& ticks, const Class& c, std::span<const Tick> length)
    : ticks_(ticks), c_(c), local_(sliced_pools(c, *ticks.system)), sets_(c.size()) {
  const SlicedSet none{.all = {}, .on = std::vector<OnSlices>(local_.size())};
  for (const std::uint32_t v : c.order) {
    if (c.predecessors(v).empty()) sets_[v].push_back(extended(none, v, length[v]));
    for (const std::uint32_t w : c.predecessors(v)) {
      for (std::uint32_t i = 0; i < sets_[w].size(); ++i) {
        SlicedSet set = extended(sets_[w][i], v, length[v]);
        set.node = w;
        set.set = i;
        add(sets_[v], std::move(set));
      }
    }
  }
}

SlicedSet SlicedPaths::extended(const SlicedSet& before, std::size_t v, Tick length) const {
  SlicedSet set = before;
  set.all.mask |= c_.pays[v];
  set.all.length += length;
  const auto at = std::ranges::find(local_, c_.pool_of[v]);
  if (at == local_.end()) return set;
  OnSlices& on = set.on[static_cast<std::size_t>(at - local_.begin())];
  ++on.nodes;
  on.length += length;
  on.empty = on.empty || c_.e[v] == Tick::zero() || ticks_.system->pools[c_.pools[c_.pool_of[v]]].in_turn;  // a block may have length 0
  return set;
}

bool SlicedPaths::concerns(std::size_t v) const {
  const auto some = [](const OnSlices& on) { return on.nodes > 0; };
  return std::ranges::any_of(sets_[v], [&](const SlicedSet& set) { return std::ranges::any_of(set.on, some); });
}

std::int64_t SlicedPaths::right_hand_side(std::size_t v, std::span<const Tick> waiting, std::size_t* decisive) const {
  std::int64_t most = std::numeric_limits<std::int64_t>::min();
  for (std::size_t s = 0; s < sets_[v].size(); ++s) {
    const SlicedSet& set = sets_[v][s];
    const Tick length = longest_with_waiting(std::span(&set.all, 1), waiting);
    Wide ns = ceil_div(length.count(), ticks_.Q);
    for (std::size_t i = 0; i < local_.size(); ++i) {
      if (set.on[i].nodes == 0) continue;
      const Slices& slices = *ticks_.system->pools[c_.pools[local_[i]]].slices;
      const Wide gaps = gaps_of(ticks_, set.on[i], Wide{set.on[i].length.count()} + waiting[local_[i]].count(), slices);
      ns = checked_add(ns, checked_mul<Wide>(gaps, slices.gap.count()));
    }
    if (saturated(ns) <= most) continue;
    most = saturated(ns);
    if (decisive != nullptr) *decisive = s;
  }
  return most;
}

std::vector<std::size_t> SlicedPaths::path(std::size_t v, std::size_t set) const {
  std::vector<std::size_t> path{v};
  while (!c_.predecessors(v).empty()) {
    const SlicedSet& at = sets_[v][set];
    v = at.node;
    set = at.set;
    path.push_back(v);
  }
  std::ranges::reverse(path);
  return path;
}

SlicedPool::SlicedPool(const Ticks& ticks, std::size_t pool) : ticks_(ticks), pool_(pool), slices_(*ticks.system->pools[pool].slices) {
  const Pool& p = ticks.system->pools[pool];
  const Wide D = checked_mul<Wide>(p.capacity, p.unit);
  const Wide S = slices_.slice.count();
  const Wide G = slices_.gap.count();
  Utilization U;
  Tick longest;
  for (const std::size_t k : ticks.users[pool]) {
    const Class& c = ticks.classes[k];
    const Dag& dag = ticks.system->dags[c.dags.front()];
    for (std::size_t u = 0; u < c.size(); ++u) {
      if (dag.nodes[u].pool != pool) continue;
      U.add(checked_mul<Wide>(dag.nodes[u].vol, c.copies), c.T);
      longest = std::max(longest, c.e[u]);
      uses_.push_back({k, u});
    }
  }
  if (U.compare(checked_mul(D, S), checked_add(S, G)) > 0) return;
  try {
    // (L_max U_w (S + G)/S + U_w G)/g
    const Wide per_U = checked_add(checked_mul<Wide>(longest.count(), checked_add(S, G)), checked_mul(checked_mul<Wide>(G, ticks.Q), S));
    light_ = ceil_div(U.ceil_times(checked_mul(per_U, parts)), checked_mul(D, S));
    applies_ = true;
  } catch (const Overflow&) {
    // T14 stands.
  }
}

SlicedPool::Terms SlicedPool::terms(const std::vector<std::vector<std::int64_t>>& A) const {
  Terms terms;
  terms.carry = light_;
  if (const Pool& p = ticks_.system->pools[pool_]; p.resident) {
    const Wide resident = ceil_div(checked_mul(checked_mul<Wide>(*p.resident, ticks_.Q), parts), checked_mul<Wide>(p.capacity, p.unit));
    terms.resident = resident < light_;
    terms.carry = std::min(resident, light_);
  }
  for (const Use& use : uses_) {
    const Class& c = ticks_.classes[use.c];
    const Wide late = ceil_div(checked_mul(checked_mul<Wide>(c.vol[use.u].count(), A[use.c][use.u]), parts), c.T);
    terms.work = checked_add(terms.work, checked_mul<Wide>(c.copies, checked_mul<Wide>(c.vol[use.u].count(), parts) + late));
  }
  return terms;
}

Wide SlicedPool::stretched(Wide term) const {
  const Wide S = slices_.slice.count();
  return ceil_div(checked_mul(term, checked_add<Wide>(S, slices_.gap.count())), S);
}

std::int64_t SlicedPool::length(const Terms& terms, Tick e, Tick s) const {
  const Wide term = stretched(terms.carry + terms.work + (Wide{e.count()} - s.count()) * parts);
  return saturated(checked_add<Wide>(ceil_div(term, Wide{ticks_.Q} * parts), slices_.gap.count()));
}

}  // namespace rta::analysis::path
