// T10d: what decides for one node, and what is known of that beforehand.
#include <algorithm>
#include <limits>
#include <utility>

#include "analysis/path/priority/by_priority.hpp"
#include "analysis/path/system/started.hpp"
#include "analysis/path/whole/whole.hpp"

namespace rta::analysis::path {

/// By those that read its ends or E: under fixed priorities none that is more urgent does.
void WholePaths::forget_waiting_for(std::size_t d) {
  for (const std::size_t p : ticks_.classes[d].pools) {
    const bool by_priority = by_fixed_priority(ticks_.system->pools[p].order);
    const auto levels = [&](std::size_t k) -> const Levels& { return ticks_.classes[k].levels[ticks_.local_pool[k][p]]; };
    for (const std::size_t k : ticks_.users[p]) {
      if (k == d && ticks_.classes[k].copies == 1) continue;
      if (by_priority && levels(d).priority.back() < levels(k).priority.front()) continue;
      for (KeptWaiting& kept : kept_[k]) kept.clear();
      solved_[k].clear();
    }
  }
}

WholePaths::Kept WholePaths::set_aside(std::size_t k) {
  Kept kept{std::vector<KeptWaiting>(kept_[k].size()), {}};
  kept.waiting.swap(kept_[k]);
  kept.solved.swap(solved_[k]);
  return kept;
}

void WholePaths::put_back(std::size_t k, Kept kept) {
  kept_[k] = std::move(kept.waiting);
  solved_[k] = std::move(kept.solved);
}

/// Where no earlier or later job of its own DAG counts: else more ends are read.
std::optional<KeptWaiting::Window> WholePaths::window_to_keep(std::size_t k, std::size_t v, std::size_t slot, const Ends& ends) const {
  const Class& c = ticks_.classes[k];
  if (is_non_preemptive(k, c.slot_pool[slot]) || ticks_.system->dags[c.dags.front()].J > Time::zero()) return std::nullopt;
  if (*std::ranges::max_element(ends.F[k]) > c.T) return std::nullopt;
  const Last last = last_of(k, v, slot, ends);
  if (std::max(last.any, last.equals) >= c.T) return std::nullopt;
  return KeptWaiting::Window{window_of(k, v, ends), last.any, last.equals};
}

WholePaths::Slot WholePaths::kept_waiting(std::size_t k, std::size_t v, std::size_t slot, const Ends& ends) const {
  const auto window = window_to_keep(k, v, slot, ends);
  if (!window) return waiting(k, v, slot, ends, 0);
  KeptWaiting& kept = kept_[k][slot];
  if (const Slot* known = kept.find(*window)) return *known;
  return kept.add(*window, waiting(k, v, slot, ends, 0));
}

/// What grows is no more than what is counted.
WholePaths::Slot WholePaths::no_more_than(Tick counted, Slot of) {
  if (of.ticks >= counted) return {counted};
  const Wide room = Wide{(counted - of.ticks).count()};
  Wide rate = 0;
  for (const Rise& rise : of.rises) rate += rise.rate;
  for (Rise& rise : of.rises) rise.rises_for = static_cast<std::int64_t>(std::min<Wide>(rise.rises_for, room / std::max<Wide>(1, rate)));
  return of;
}

/// `lacking` and `full` in units of the rates, `full` of them for every ns.
std::int64_t WholePaths::until_met(std::vector<Rise> rises, Wide lacking, Wide full) {
  if (lacking <= 0) return 0;
  if (!std::ranges::is_sorted(rises, {}, &Rise::rises_for)) std::ranges::sort(rises, {}, &Rise::rises_for);
  return until_met(rises, std::numeric_limits<std::int64_t>::max(), lacking, full);
}

std::int64_t WholePaths::until_met(std::span<const Rise> sorted, std::int64_t most, Wide lacking, Wide full) {
  if (lacking <= 0) return 0;
  Wide rate = 0;
  for (const Rise& rise : sorted) rate += rise.rate;
  for (const Rise& rise : sorted) {
    const std::int64_t rises_for = std::min(rise.rises_for, most);
    if (rate < full && lacking <= (full - rate) * rises_for) return static_cast<std::int64_t>(ceil_div(lacking, full - rate));
    lacking += rise.rate * rises_for;
    rate -= rise.rate;
  }
  return static_cast<std::int64_t>(ceil_div(lacking, full));
}

WholePaths::Decisive WholePaths::decisive(std::size_t k, std::size_t v, const Ends& ends, std::span<const Tick> counted) const {
  const Class& c = ticks_.classes[k];
  std::vector<Slot> slots(c.slot_pool.size());
  for (std::size_t slot = 0; slot < slots.size(); ++slot) {
    const Tick of_counted = counted[slot] - paths(k).own(v, slot);
    const bool fits = fits_[c.pools[c.slot_pool[slot]]];
    slots[slot] = fits ? no_more_than(of_counted, kept_waiting(k, v, slot, ends)) : Slot{of_counted};
  }
  if (started_[k]) add_blocking(k, v, ends, slots);
  const auto met = paths(k).pieces_pool();
  Decisive most = longest(k, v, ends.F[k][v], slots, met ? blocking(k, v, *met, ends, 0) : Blocking());
  if (started_[k]) count_fewer(k, v, ends, most);
  // A node of length 0 counts as the least unit of time.
  if (c.e[v] == Tick::zero()) most.total += Tick(1);
  return most;
}

/// Of the paths to v, where what they wait for is that of a window of L.
WholePaths::Decisive WholePaths::longest(std::size_t k, std::size_t v, std::int64_t L, std::span<const Slot> slots,
                                         const Blocking& blocking) const {
  Decisive most = longest(k, v, slots, blocking);
  if (most.total.count() > Wide{ticks_.Q} * L) most.beyond = beyond(k, most, L, slots, blocking);
  return most;
}

WholePaths::Decisive WholePaths::longest(std::size_t k, std::size_t v, std::span<const Slot> slots, const Blocking& blocking) const {
  const Class& c = ticks_.classes[k];
  const ParallelPaths& paths = this->paths(k);
  Decisive most{.total = Tick::min()};
  const auto sets = paths.sets_of(v);
  const auto met = paths.pieces_pool();
  for (std::size_t i = 0; i < sets.size(); ++i) {
    Decisive of{.total = sets[i].length, .set = sets[i], .pieces = paths.pieces_of(v, i)};
    if (of.pieces > 0) of.total += ticks_of(blocking, of.pieces, ticks_.system->pools[c.pools[*met]].capacity);
    for (std::size_t slot = 0; slot < slots.size(); ++slot) {
      if ((of.set.mask & bit_of(slot)) != 0) of.total += slots[slot].ticks;
    }
    if (of.total > most.total) most = of;
  }
  return most;
}

/// Of a sum that is more than L.
std::int64_t WholePaths::beyond(std::size_t k, const Decisive& of, std::int64_t L, std::span<const Slot> slots,
                                const Blocking& blocking) const {
  const Class& c = ticks_.classes[k];
  const auto met = paths(k).pieces_pool();
  std::vector<Rise> rises;
  bool exact = true;
  for (std::size_t slot = 0; slot < slots.size(); ++slot) {
    if ((of.set.mask & bit_of(slot)) == 0) continue;
    rises.insert(rises.end(), slots[slot].rises.begin(), slots[slot].rises.end());
    const std::int64_t m = ticks_.system->pools[c.pools[c.slot_pool[slot]]].capacity;
    exact = exact && ticks_.Q % m == 0;
    if (c.slot_pool[slot] == met && of.pieces > 0) blocking.add_rises(0, of.pieces, ticks_.Q / m, rises);
  }
  // Each sum is rounded up by itself: together they may rise by a little less.
  const Wide rounded = exact ? 0 : static_cast<Wide>(slots.size() + 1);
  return until_met(std::move(rises), of.total.count() - rounded - Wide{ticks_.Q} * L, ticks_.Q);
}

std::int64_t WholePaths::from_below(std::size_t k, std::size_t v, const Ends& ends, std::span<const Tick> counted) const {
  const Class& c = ticks_.classes[k];
  const std::int64_t F = ends.F[k][v];
  // Pools and paths as they are mostly.
  if (!started_[k] && c.slot_pool.size() == 1 && fits_[c.pools.front()]) {
    const auto window = window_to_keep(k, v, 0, ends);
    const KeptWaiting::Entry* const known = window ? kept_[k].front().within(*window) : nullptr;
    const std::int64_t least = known != nullptr ? solved_from(k, v, counted, *known) : 0;
    if (least > F) return least;
    const bool is_known = known != nullptr && known->window == *window;
    const Decisive decisive = is_known ? Decisive{} : this->decisive(k, v, ends, counted);
    const std::int64_t end = is_known ? least : ticks_.ns(decisive.total);
    if (end > F) return std::max(end, F + decisive.beyond);
    // What is counted may have been of older ends.
    const Slot* const waits = window ? kept_[k].front().find(*window) : nullptr;
    if (waits == nullptr || waits->ticks > counted.front() - paths(k).own(v, 0)) return end;
    solved_[k].resize(c.size());
    solved_[k][v] = *window;
    return end;
  }
  const Decisive decisive = this->decisive(k, v, ends, counted);
  const std::int64_t end = ticks_.ns(decisive.total);
  return end > F ? std::max(end, F + decisive.beyond) : end;
}

bool WholePaths::is_solved(std::size_t k, std::size_t v, const Ends& ends) const {
  return !solved_[k].empty() && solved_[k][v] && solved_[k][v]->L == ends.F[k][v] && window_to_keep(k, v, 0, ends) == solved_[k][v];
}

/// What is known of a window that is no longer, and in which no more counts. As a longer one has no less, a solution lies beyond.
std::int64_t WholePaths::solved_from(std::size_t k, std::size_t v, std::span<const Tick> counted, const KeptWaiting::Entry& known) const {
  const Class& c = ticks_.classes[k];
  const Tick of_counted = counted.front() - paths(k).own(v, 0);
  const std::int64_t L = known.window.L;
  const Slot slot{std::min(of_counted, known.waiting.ticks)};
  const Decisive most = longest(k, v, std::span(&slot, 1), {});
  const std::int64_t end = ticks_.ns(c.e[v] == Tick::zero() ? most.total + Tick(1) : most.total);
  if (end <= L) return end;
  std::span<const Rise> rises;
  if (known.waiting.ticks < of_counted) rises = known.waiting.rises;
  Wide rate = 0;
  for (const Rise& rise : rises) rate += rise.rate;
  const Wide room = Wide{(of_counted - slot.ticks).count()} / std::max<Wide>(1, rate);
  const auto rises_for = static_cast<std::int64_t>(std::min<Wide>(room, std::numeric_limits<std::int64_t>::max()));
  const Wide rounded = ticks_.Q % ticks_.system->pools[c.pools.front()].capacity == 0 ? 0 : 2;
  return std::max(end, L + until_met(rises, rises_for, most.total.count() - rounded - Wide{ticks_.Q} * L, ticks_.Q));
}

}  // namespace rta::analysis::path
