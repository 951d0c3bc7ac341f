// Which pools paths visit, and how long those are that visit no others.
#include <algorithm>
#include <limits>
#include <numeric>

#include "analysis/path/system/ticks.hpp"

namespace rta::analysis::path {
namespace {

constexpr std::size_t most_pool_sets = 128;

}  // namespace

std::vector<Tick> static_lengths(const Class& c) {
  std::vector<Tick> length(c.size());
  for (std::size_t v = 0; v < length.size(); ++v) length[v] = c.e[v] - c.s[v];
  return length;
}

void add_pool_set(std::vector<PoolSet>& sets, PoolSet added) {
  for (const PoolSet& other : sets) {
    if ((added.mask & ~other.mask) == 0 && other.length >= added.length) return;
  }
  std::erase_if(sets, [&](const PoolSet& other) { return (other.mask & ~added.mask) == 0 && added.length >= other.length; });
  sets.push_back(added);
  if (sets.size() <= most_pool_sets) return;
  for (const PoolSet& other : sets) {  // safe: all pools are paid for
    added.mask |= other.mask;
    added.length = std::max(added.length, other.length);
  }
  sets.assign(1, added);
}

namespace {

/// Of DAGs all of whose paths pay for the same slot.
void set_longest_paths(Class& c, std::span<const Tick> length) {
  c.pool_sets.assign(c.size(), {});
  c.first_pool_set.resize(c.size() + 1);
  std::iota(c.first_pool_set.begin(), c.first_pool_set.end(), std::uint32_t{0});
  for (const std::uint32_t v : c.order) {
    Tick before = c.predecessors(v).empty() ? Tick::zero() : Tick::min();
    for (const std::uint32_t w : c.predecessors(v)) before = std::max(before, c.pool_sets[w].length);
    c.pool_sets[v] = {c.pays[v], before + length[v]};
  }
}

}  // namespace

void set_pool_sets(Class& c, std::span<const Tick> length) {
  if (c.slot_pool.size() == 1) return set_longest_paths(c, length);
  std::vector<std::vector<PoolSet>> of(c.size());
  for (const std::uint32_t v : c.order) {
    if (c.predecessors(v).empty()) of[v].push_back({c.pays[v], length[v]});
    for (const std::uint32_t w : c.predecessors(v)) {
      for (const PoolSet& set : of[w]) add_pool_set(of[v], {set.mask | c.pays[v], set.length + length[v]});
    }
  }
  c.pool_sets.clear();
  c.first_pool_set.assign(1, 0);
  for (const auto& sets : of) {
    c.pool_sets.insert(c.pool_sets.end(), sets.begin(), sets.end());
    c.first_pool_set.push_back(static_cast<std::uint32_t>(c.pool_sets.size()));
  }
}

Tick longest_with_waiting(std::span<const PoolSet> sets, std::span<const Tick> waiting, std::uint64_t* mask) {
  Tick best = Tick::min();
  for (const PoolSet& set : sets) {
    Tick length = set.length;
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      if ((set.mask & bit_of(i)) != 0) length += waiting[i];
    }
    if (length <= best) continue;
    best = length;
    if (mask != nullptr) *mask = set.mask;
  }
  return best;
}

}  // namespace rta::analysis::path
