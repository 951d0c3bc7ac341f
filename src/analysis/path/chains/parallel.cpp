#include "analysis/path/chains/parallel.hpp"

#include <algorithm>
#include <limits>

#include "analysis/path/system/started.hpp"
#include "rta/model/error.hpp"

namespace rta::analysis::path {
namespace {

constexpr std::size_t most_states = 64;  // per node

}  // namespace

bool ParallelPaths::applies(const Class& c, const System& system) { return c.size() <= most_nodes && suits(c, system); }

bool ParallelPaths::applies_beside_started(const Class& c, const System& system) {
  return c.size() <= most_nodes && suits_beside_started(c, system);
}

bool ParallelPaths::suits(const Class& c, const System& system) {
  return suits_beside_started(c, system) &&
         std::ranges::none_of(c.pools, [&](std::size_t p) { return is_non_preemptive(system.pools[p].order); });
}

bool ParallelPaths::suits_beside_started(const Class& c, const System& system) {
  return std::ranges::none_of(c.pools, [&](std::size_t p) {
    const Order order = system.pools[p].order;
    // On slices gaps come on top of the waiting.
    return (is_non_preemptive(order) && !runs_to_end(order)) || system.pools[p].slices.has_value();
  });
}

ParallelPaths::ParallelPaths(const Class& c, const System& system, std::optional<std::size_t> only)
    : c_(c), system_(system), only_(only), slots_(c.slot_pool.size()), above_(c.size(), NodeBits(c.size())), below_(above_) {
  set_relations();
  set_pieces_pool();
}

void ParallelPaths::set_sums() const {
  Sums& sums = sums_.emplace();
  sums.parallel = parallel();
  set_own(sums);
  set_states(sums);
  sums.sets.resize(c_.size());
  if (pieces_pool_) sums.pieces.resize(c_.size());
  for (std::size_t v = 0; v < c_.size(); ++v) {
    for (const State& state : sums.states[v]) {
      if (!pieces_pool_) {
        add_pool_set(sums.sets[v], state.set);
        continue;
      }
      sums.sets[v].push_back(state.set);
      sums.pieces[v].push_back(state.pieces);
    }
  }
}

void ParallelPaths::set_pieces_pool() {
  for (std::size_t i = 0; i < c_.pools.size() && !pieces_pool_; ++i) {
    const Pool& pool = system_.pools[c_.pools[i]];
    if (!runs_to_end(pool.order)) continue;
    pieces_pool_ = i;
    processors_ = pool.capacity;
  }
}

std::int64_t ParallelPaths::pieces_at(std::uint32_t v, std::optional<std::uint32_t> before) const {
  if (c_.pool_of[v] != pieces_pool_) return 0;
  return before && c_.pool_of[*before] == *pieces_pool_ ? processors_ - 1 : processors_;
}

void ParallelPaths::set_relations() {
  for (const std::uint32_t v : c_.order) {
    for (const std::uint32_t w : c_.predecessors(v)) {
      above_[v] |= above_[w];
      above_[v].set(w);
    }
    above_[v].visit([&](std::size_t u) { below_[u].set(v); });
  }
}

/// Under fixed priorities, those that are no less urgent; with points per node, those whose point is no later.
std::vector<NodeBits> ParallelPaths::parallel() const {
  std::vector<NodeBits> parallel(c_.size(), NodeBits(c_.size()));
  for (std::size_t v = 0; v < c_.size(); ++v) {
    const std::size_t local = c_.pool_of[v];
    const Order order = system_.pools[c_.pools[local]].order;
    for (std::size_t u = 0; u < c_.size(); ++u) {
      if (u == v || c_.pool_of[u] != local || c_.vol[u] == Tick::zero() || above_[v][u] || below_[v][u]) continue;
      const bool less_urgent = by_fixed_priority(order) && c_.priority[u] < c_.priority[v];
      const bool later = order == Order::gel_by_node && c_.point[u] > c_.point[v];
      if (!less_urgent && !later) parallel[v].set(u);
    }
  }
  return parallel;
}

/// All that does not follow v; with points per node, what is not later than all nodes of the paths to v; under fixed priorities what is as
/// urgent as the slot's level and less than the next one, where some node of a path to v waits for it.
void ParallelPaths::set_own(Sums& sums) const {
  sums.own.resize(c_.size() * slots_);
  for (std::size_t v = 0; v < c_.size(); ++v) {
    for (std::size_t slot = 0; slot < slots_; ++slot) {
      const std::size_t local = c_.slot_pool[slot];
      Tick& own = sums.own[v * slots_ + slot];
      const Order order = system_.pools[c_.pools[local]].order;
      if (!by_fixed_priority(order)) {
        std::int64_t last = c_.pool_of[v] == local ? c_.point[v] : std::numeric_limits<std::int64_t>::min();
        above_[v].visit([&](std::size_t q) { last = c_.pool_of[q] == local ? std::max(last, c_.point[q]) : last; });
        for (std::size_t u = 0; u < c_.size(); ++u) {
          const bool late = order == Order::gel_by_node && c_.point[u] > last;
          own += c_.pool_of[u] == local && !below_[v][u] && !late ? c_.vol[u] : Tick::zero();
        }
        continue;
      }
      const Levels& levels = c_.levels[local];
      const auto level = static_cast<std::size_t>(std::ranges::find(levels.slot, slot) - levels.slot.begin());
      const std::uint32_t from = levels.priority[level];
      bool waits = c_.pool_of[v] == local && c_.priority[v] <= from;
      above_[v].visit([&](std::size_t q) { waits = waits || (c_.pool_of[q] == local && c_.priority[q] <= from); });
      for (std::size_t u = 0; waits && u < c_.size(); ++u) {
        if (c_.pool_of[u] == local && c_.priority[u] == from && !below_[v][u]) own += c_.vol[u];
      }
    }
  }
}

void ParallelPaths::set_states(Sums& sums) const {
  const std::vector<NodeBits>& parallel = sums.parallel;
  auto& states = sums.states;
  states.resize(c_.size());
  std::vector<NodeBits> later(c_.size(), NodeBits(c_.size()));  // parallel to some strict descendant
  for (auto v = c_.order.rbegin(); v != c_.order.rend(); ++v) {
    for (const std::uint32_t w : c_.predecessors(*v)) (later[w] |= later[*v]) |= parallel[*v];
  }
  for (const std::uint32_t v : c_.order) {
    const bool counts = !only_ || c_.pool_of[v] == *only_;
    const Tick length = only_ ? Tick::zero() : c_.e[v] - c_.s[v] + c_.vol[v];
    const auto extend = [&](const State& from, std::uint32_t before, std::uint32_t at) {
      State state{.set = {from.set.mask | c_.pays[v], from.set.length + length},
                  .pending = from.pending,
                  .pieces = from.pieces + pieces_at(v, c_.predecessors(v).empty() ? std::nullopt : std::optional(before)),
                  .before = before,
                  .state = at};
      parallel[v].visit_without(from.pending, [&](std::size_t u) { state.set.length += counts ? c_.vol[u] : Tick::zero(); });
      (state.pending |= parallel[v]) &= later[v];
      add(states[v], std::move(state));
    };
    if (c_.predecessors(v).empty()) extend({.set = {}, .pending = NodeBits(c_.size())}, v, 0);
    for (const std::uint32_t w : c_.predecessors(v)) {
      for (std::uint32_t i = 0; i < states[w].size(); ++i) extend(states[w][i], w, i);
    }
  }
}

/// Drops what another state covers: more slots to pay for, no shorter, and no more that it need not count again. Too many become one that
/// covers them all.
void ParallelPaths::add(std::vector<State>& states, State added) {
  const auto covers = [](const State& a, const State& b) {
    return (b.set.mask & ~a.set.mask) == 0 && a.set.length >= b.set.length && a.pieces >= b.pieces && a.pending.is_subset_of(b.pending);
  };
  if (std::ranges::any_of(states, [&](const State& other) { return covers(other, added); })) return;
  std::erase_if(states, [&](const State& other) { return covers(added, other); });
  states.push_back(std::move(added));
  if (states.size() <= most_states) return;
  State all = *std::ranges::max_element(states, {}, [](const State& state) { return state.set.length; });
  for (const State& state : states) {
    all.set.mask |= state.set.mask;
    all.pieces = std::max(all.pieces, state.pieces);
    all.pending &= state.pending;
  }
  states.assign(1, all);
}

NodeBits ParallelPaths::parallel_to_paths(std::size_t v, std::size_t local, std::uint32_t least_priority) const {
  NodeBits all(c_.size());
  for (std::size_t q = 0; q < c_.size(); ++q) {
    if (c_.pool_of[q] == local && (q == v || above_[v][q]) && c_.priority[q] >= least_priority) all |= sums().parallel[q];
  }
  return all;
}

ParallelPaths::Decisive ParallelPaths::right_hand_side(std::size_t v, std::span<const Tick> waiting) const {
  Decisive most{Tick::min(), {}};
  for (const PoolSet& set : sums().sets[v]) {
    Tick length = set.length;
    for (std::size_t slot = 0; slot < slots_; ++slot) {
      if ((set.mask & bit_of(slot)) != 0) length += waiting[slot] - own(v, slot);
    }
    if (length > most.length) most = {length, set};
  }
  return most;
}

std::vector<std::size_t> ParallelPaths::path(std::size_t v, const PoolSet& set) const {
  const auto& states = sums().states;
  const auto found =
      std::ranges::find_if(states[v], [&](const State& state) { return state.set.mask == set.mask && state.set.length == set.length; });
  require(found != states[v].end(), "the length of a pool set is that of a path");
  std::vector<std::size_t> path{v};
  auto at = static_cast<std::size_t>(found - states[v].begin());
  while (!c_.predecessors(v).empty()) {
    const State& state = states[v][at];
    v = state.before;
    at = state.state;
    path.push_back(v);
  }
  std::ranges::reverse(path);
  return path;
}

}  // namespace rta::analysis::path
