#include "analysis/path/aligned/aligned.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>

#include "analysis/path/aligned/overlap.hpp"
#include "analysis/path/aligned/strands.hpp"
#include "rta/model/error.hpp"

namespace rta::analysis::path {
namespace {

/// What of jobs released T, 2 T ... before J fits no more into their windows, of all that T10n counts.
Tick too_long(const EndsOnPool& ends, std::int64_t T) {
  if (ends.last() <= T || jobs_in(ends.last(), T) > most_candidates) return Tick::zero();
  Wide sum = ends.one_by_one(T, T);
  for (std::int64_t x = T; x < ends.last(); x += T) sum -= ends.after(x).count();
  return to_tick(sum);
}

}  // namespace

bool affordable_alignment(const Ticks& ticks) {
  std::size_t pairs = 0;
  for (const Class& c : ticks.classes) pairs += c.size();
  return pairs * ticks.classes.size() <= most_aligned_pairs;
}

AlignedPaths::AlignedPaths(const Ticks& ticks) : ticks_(ticks), neighbours_(ticks.classes.size()), version_(ticks.classes.size(), 0) {
  for (std::size_t k = 0; k < ticks.classes.size(); ++k) {
    const Class& c = ticks.classes[k];
    auto& ends = ends_.emplace_back();
    auto& strands = strands_.emplace_back(c.pools.size());
    visits_.emplace_back(c.pools.size());
    own_less_.emplace_back(c.pools.size());
    const Ancestors ancestors(c);
    for (std::size_t i = 0; i < c.pools.size(); ++i) {
      const Pool& pool = ticks.system->pools[c.pools[i]];
      const bool in_turns = pool.order == Order::fifo && !pool.slices;
      const std::vector<std::uint32_t> nodes = nodes_on(c, i);
      std::vector<std::uint32_t> chain;
      if (in_turns) chain = turn_chains(ancestors, nodes);
      ends.emplace_back(ticks, c, nodes, pool.switches, chain);
      if (!in_turns) continue;
      set_turns(k, i, ancestors, chain);
      if (c.pools.size() <= 2) strands[i] = strands_of(ticks, c, i, pool.switches);
    }
    overlap_.push_back(overlap_of(ticks, k));
    too_long_.emplace_back(c.pools.size());
    auto& unblocked = unblocked_.emplace_back();
    const auto visits = [&](Order order) {
      return std::ranges::any_of(c.pools, [&](std::size_t p) { return ticks.system->pools[p].order == order; });
    };
    if (visits(Order::gel_non_preemptive) && !visits(Order::fixed_non_preemptive) && !visits(Order::fixed_kernels)) {
      unblocked = c;
      set_pool_sets(*unblocked, static_lengths(c));
    }
    for (const std::size_t p : c.pools) {
      if (aligned(p)) neighbours_[k].insert(neighbours_[k].end(), ticks.users[p].begin(), ticks.users[p].end());
    }
    std::ranges::sort(neighbours_[k]);
    neighbours_[k].erase(std::unique(neighbours_[k].begin(), neighbours_[k].end()), neighbours_[k].end());
  }
  beside_.resize(ticks.classes.size());
  for (std::size_t k = 0; k < ticks.classes.size(); ++k) {
    set_beside(k);
    auto& others = others_.emplace_back();
    if (ticks.classes[k].pools.size() <= OthersWork::most_pools) others.emplace(ticks.classes[k].size(), neighbours_[k].size());
  }
}

void AlignedPaths::set_beside(std::size_t k) {
  const Class& c = ticks_.classes[k];
  if (c.pools.size() > 1 || ticks_.system->pools[c.pools[0]].order != Order::gel) return;
  for (const std::size_t d : neighbours_[k]) {
    const Class& other = ticks_.classes[d];
    const EndsOnPool& ends = ends_[d][ticks_.local_pool[d][c.pools[0]]];
    const std::int64_t copies = other.copies - (d == k ? 1 : 0);
    if (copies > 0 && !ends.empty()) beside_[k].push_back({d, copies, c.Y - other.Y, &ends, 0, SIZE_MAX, {}});
  }
}

/// turns, of J itself: of the nodes that are no strict descendants of v.
void AlignedPaths::set_turns(std::size_t k, std::size_t local, const Ancestors& ancestors, std::span<const std::uint32_t> chain) {
  const Class& c = ticks_.classes[k];
  visits_[k][local] = most_visits(c, local);
  auto& less = own_less_[k][local];
  less.assign(c.size(), Tick::zero());
  if (!ancestors.known()) return;
  const std::vector<std::uint32_t> nodes = nodes_on(c, local);
  std::vector<std::size_t> order(nodes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t i, std::size_t j) { return c.vol[nodes[i]] > c.vol[nodes[j]]; });
  for (std::size_t v = 0; v < c.size(); ++v) {
    std::vector<std::uint32_t> counted(nodes.size(), 0);  // chain -> nodes so far
    for (const std::size_t i : order) {
      if (ancestors.is_before(v, nodes[i])) continue;
      if (counted[chain[i]]++ >= visits_[k][local][v]) less[v] += c.vol[nodes[i]];
    }
  }
}

void AlignedPaths::changed(std::size_t k, const std::vector<std::int64_t>& F) {
  const Class& c = ticks_.classes[k];
  ++version_[k];
  for (std::size_t i = 0; i < ends_[k].size(); ++i) {
    EndsOnPool& ends = ends_[k][i];
    ends.set(F);
    too_long_[k][i] = ends.empty() || !aligned(c.pools[i]) ? Tick::zero() : too_long(ends, c.T);
  }
  for (Strands& strands : strands_[k]) {
    for (EndsOnPool& part : strands.parts) part.set(F);
    strands.F_R = std::numeric_limits<std::int64_t>::min();
    for (const std::uint32_t u : strands.root) strands.F_R = std::max(strands.F_R, F[u]);
  }
}

AlignedPaths::Windows AlignedPaths::windows(std::size_t k, std::size_t d, const Choice& choice, const Sums& sums, bool early) const {
  const Class& own = ticks_.classes[k];
  const Class& other = ticks_.classes[d];
  const auto first = [&](std::size_t i) {
    const Order order = ticks_.system->pools[own.pools[i]].order;
    if (order == Order::fifo) return -sums.reach[i];
    const std::int64_t lim = std::min(sums.reach[i], own.Y - other.Y);
    return -(order == Order::gel_non_preemptive && choice.started ? std::max(lim, sums.ready[i]) : lim);
  };
  const std::size_t queue = early ? overlap_[k]->queue : ticks_.system->pools.size();
  Windows windows;
  for (std::size_t i = 0; i < own.pools.size(); ++i) {
    const std::size_t p = own.pools[i];
    const std::size_t there = ticks_.local_pool[d][p];
    if ((choice.mask & bit_of(i)) == 0 || sums.reach[i] < 0 || !aligned(p) || there >= ends_[d].size() || ends_[d][there].empty()) continue;
    windows.push_back({&ends_[d][there], first(i), p == queue, choice.in_turns ? turns(k, i, choice.v) : SIZE_MAX, i,
                       choice.under_way != nullptr ? choice.under_way->of(d, i) : unbounded});
  }
  return windows;
}

Tick AlignedPaths::interference(std::size_t k, std::size_t d, const Choice& choice, const Sums& sums, bool early,
                                std::vector<Counted>* jobs, std::vector<Together>* together) const {
  const Windows windows = this->windows(k, d, choice, sums, early);
  if (windows.empty()) return Tick::zero();
  if (early) return most_aligned({windows.data(), windows.size()}, ticks_.classes[d].T, early_jobs(k, d, choice), jobs);
  if (choice.under_way != nullptr) return work_at_once({windows.data(), windows.size()}, ticks_.classes[d].T, jobs, together);
  return least_aligned({windows.data(), windows.size()}, ticks_.classes[d].T, jobs, together);
}

std::int64_t AlignedPaths::releases(std::size_t k, std::size_t d, const Choice& choice, const Sums& sums) const {
  std::vector<Together> together;
  static_cast<void>(interference(k, d, choice, sums, false, nullptr, &together));
  Windows windows = this->windows(k, d, choice, sums, false);
  const auto by_all = [&](const Window& window) { return std::ranges::find(together, window.local, &Together::local) != together.end(); };
  windows.erase(std::remove_if(windows.begin(), windows.end(), by_all), windows.end());
  return windows.empty() ? 0 : number_of_candidates({windows.data(), windows.size()}, ticks_.classes[d].T, {});
}

Early AlignedPaths::early_jobs(std::size_t k, std::size_t d, const Choice& choice) const {
  const Overlap& overlap = *overlap_[k];
  const Overlap::Share& share = overlap.choices[choice.share][d];
  const Strands& strands = this->strands(k, d);
  const Class& other = ticks_.classes[d];
  const std::int64_t m = ticks_.system->pools[overlap.cpu].capacity;
  constexpr Wide never = std::numeric_limits<std::int64_t>::max() / 2;
  Early part;
  part.from = std::max<std::int64_t>(0, other.Y - ticks_.classes[k].Y);
  part.to = static_cast<std::int64_t>(std::min(never, part.from + Wide{share.jobs} * other.T));
  part.less = std::max(Tick::zero(), choice.before - overlap.GC[d]) / m;
  part.further = std::max(Tick::zero(), choice.before - overlap.GC[d] - strands.C_R) / m;
  part.count = share.strands;
  part.given = 0;
  for (const Overlap::Share& of : overlap.choices[choice.share]) part.given += of.copies * of.jobs * of.strands;
  part.m = m;
  part.strands = &strands;
  return part;
}

Tick AlignedPaths::own(std::size_t k, std::size_t slot, const Choice& choice, const Sums& sums) const {
  const Class& c = ticks_.classes[k];
  if (slot >= c.pools.size()) return sums.own[slot];  // under fixed priorities
  const std::size_t i = slot;
  Tick work = sums.own[i] - too_long_[k][i];
  const bool later = choice.started && ticks_.system->pools[c.pools[i]].order == Order::gel_non_preemptive;
  if (later && sums.ready[i] > 0) work += sums.ready[i] / c.T * c.total[i];
  if (choice.in_turns) work -= taken_off_by_turns(k, i, choice, sums.reach[i]);
  if (choice.under_way == nullptr || choice.under_way->own[i] == unbounded || sums.reach[i] < 0) return work;
  const Tick itself = c.rest[choice.v * c.pools.size() + i] - own_less_[k][i][choice.v];
  return (choice.in_full ? choice.under_way->itself[i] : itself) + std::min(work - itself, choice.under_way->own[i]);
}

/// turns: what the DAG's own jobs have on a FIFO pool beside the most nodes of each chain that a path waits for.
Tick AlignedPaths::taken_off_by_turns(std::size_t k, std::size_t local, const Choice& choice, std::int64_t a) const {
  const Class& c = ticks_.classes[k];
  const EndsOnPool& ends = ends_[k][local];
  const std::size_t most = turns(k, local, choice.v);
  if (most >= ends.longest_chain() || a < 0) return Tick::zero();
  const std::int64_t all = std::numeric_limits<std::int64_t>::min() / 2;
  Tick less = own_less_[k][local][choice.v] + a / c.T * (ends.after(all) - ends.after(all, most));
  if (jobs_in(ends.last(), c.T) > most_candidates) return less;
  for (std::int64_t x = c.T; x < ends.last(); x += c.T) less += ends.after(x) - ends.after(x, most);
  return less;
}

std::int64_t AlignedPaths::reduced(std::size_t k, std::size_t d, const Choice& choice) const {
  if (choice.before == Tick::zero() || choice.before <= overlap_[k]->GC[d]) return 0;
  return overlap_[k]->choices[choice.share][d].copies;
}

Tick AlignedPaths::total(std::size_t k, const Choice& choice, const Sums& sums, Tick up_to) const {
  Tick sum = choice.length;
  for (std::size_t i = 0; i < sums.own.size(); ++i) sum += (choice.mask & bit_of(i)) != 0 ? own(k, i, choice, sums) : Tick::zero();
  if (!beside_[k].empty() && sums.reach[0] >= 0) return add_beside(k, sums.reach[0], sum, up_to);
  const auto& neighbours = neighbours_[k];
  const auto known = others_[k] ? others_[k]->of(question(k, choice, sums)) : std::span<OthersWork::Of>();
  for (std::size_t i = 0; i < neighbours.size() && sum < up_to; ++i) {
    const std::size_t d = neighbours[i];
    if (known.empty()) {
      sum += work_of(k, d, choice, sums);
      continue;
    }
    if (known[i].version != version_[d]) known[i] = {version_[d], work_of(k, d, choice, sums)};
    sum += known[i].work;
  }
  return sum;
}

Tick AlignedPaths::work_of(std::size_t k, std::size_t d, const Choice& choice, const Sums& sums) const {
  const std::int64_t copies = ticks_.classes[d].copies - (d == k ? 1 : 0);
  if (copies == 0) return Tick::zero();
  const std::int64_t less = reduced(k, d, choice);
  Tick work;
  if (less > 0) work += less * interference(k, d, choice, sums, true);
  if (copies > less) work += (copies - less) * interference(k, d, choice, sums, false);
  return work;
}

OthersWork::Question AlignedPaths::question(std::size_t k, const Choice& choice, const Sums& sums) const {
  OthersWork::Question question;
  question.mask = choice.mask;
  question.started = choice.started;
  if (choice.before > Tick::zero()) {
    question.share = choice.share;
    question.before = choice.before;
  }
  for (std::size_t i = 0; i < ticks_.classes[k].pools.size(); ++i) {
    if ((choice.mask & bit_of(i)) == 0) continue;
    question.reach[i] = sums.reach[i];
    if (choice.started) question.ready[i] = sums.ready[i];
    question.turns[i] = choice.in_turns ? turns(k, i, choice.v) : SIZE_MAX;
  }
  return question;
}

Tick AlignedPaths::add_beside(std::size_t k, std::int64_t reach, Tick sum, Tick up_to) const {
  for (Beside& other : beside_[k]) {
    if (sum >= up_to) break;
    const std::int64_t first = -std::min(reach, other.later);
    if (other.first != first || other.version != version_[other.d]) {
      const Window window{other.ends, first, false, SIZE_MAX, 0};
      other.work = most_aligned({&window, 1}, ticks_.classes[other.d].T, {});
      other.first = first;
      other.version = version_[other.d];
    }
    sum += other.copies * other.work;
  }
  return sum;
}

AlignedPaths::Choice AlignedPaths::by_pool_sets(std::size_t k, std::size_t v, std::span<const PoolSet> sets, const Sums& sums,
                                                bool started) const {
  Choice most;
  most.total = Tick::min();
  for (const PoolSet& set : sets) {
    Choice choice;
    choice.mask = set.mask;
    choice.v = v;
    choice.length = set.length;
    choice.started = started;
    choice.total = total(k, choice, sums);
    if (choice.total > most.total) most = choice;
  }
  return most;
}

/// Of both kinds of paths others do the same on the same pools.
AlignedPaths::Choice AlignedPaths::under_way(std::size_t k, std::size_t v, const Sums& sums, const UnderWayAt& under_way, const Sets& sets,
                                             Tick up_to) const {
  boost::container::small_vector<std::pair<std::uint64_t, Tick>, 4> known;  // by pools
  const auto others = [&](const Choice& choice) {
    for (const auto& [mask, work] : known) {
      if (mask == choice.mask) return work;
    }
    Tick sum;
    for (const std::size_t d : neighbours_[k]) {
      const std::int64_t copies = ticks_.classes[d].copies - (d == k ? 1 : 0);
      if (copies > 0 && sum < up_to) sum += copies * interference(k, d, choice, sums, false);
    }
    known.emplace_back(choice.mask, sum);
    return sum;
  };
  const auto longest = [&](std::span<const PoolSet> of, bool in_full) {
    Choice most;
    most.total = Tick::min();
    for (const PoolSet& set : of) {
      Choice choice;
      choice.v = v;
      choice.mask = set.mask;
      choice.length = set.length;
      choice.under_way = &under_way;
      choice.in_full = in_full;
      choice.total = set.length;
      for (std::size_t i = 0; i < sums.own.size(); ++i)
        choice.total += (set.mask & bit_of(i)) != 0 ? own(k, i, choice, sums) : Tick::zero();
      if (choice.total < up_to) choice.total += others(choice);
      if (choice.total > most.total) most = choice;
      if (most.total >= up_to) break;
    }
    return most;
  };
  Choice least = longest(sets.less_last_pieces, false);
  if (under_way.knows_itself) {
    const Choice full = longest(sets.in_full, true);
    if (full.total < least.total) least = full;
  }
  if (ticks_.classes[k].e[v] == Tick::zero()) least.total += ticks_.of_ns(1);
  return least;
}

AlignedPaths::Choice AlignedPaths::by_ways(std::size_t k, std::size_t v, const Sums& sums) const {
  Choice most;
  most.total = Tick::min();
  for (const Way& way : overlap_[k]->ways[v]) {
    std::optional<Choice> least;
    for (std::size_t share = 0; share < overlap_[k]->choices.size(); ++share) {
      Choice choice;
      choice.mask = bit_of(0) | bit_of(1);
      choice.length = way.length;
      choice.before = way.before;
      choice.v = v;
      choice.in_turns = false;
      choice.share = share;
      choice.total = total(k, choice, sums);
      if (!least || choice.total < least->total) least = choice;
    }
    if (least->total > most.total) most = *least;
  }
  return most;
}

AlignedPaths::Choice AlignedPaths::right_hand_side(std::size_t k, std::span<const PoolSet> sets, std::size_t v, const Sums& sums,
                                                   bool overlap) const {
  if (unblocked_[k]) {
    const Choice blocked = by_pool_sets(k, v, sets, sums, false);
    const Choice started = by_pool_sets(k, v, unblocked_[k]->pool_sets_of(v), sums, true);
    return started.total < blocked.total ? started : blocked;
  }
  if (!overlap || !overlap_[k]) return by_pool_sets(k, v, sets, sums, false);
  std::vector<PoolSet> of_one_pool;
  std::ranges::copy_if(sets, std::back_inserter(of_one_pool), [](const PoolSet& set) { return std::has_single_bit(set.mask); });
  const Choice alone = by_pool_sets(k, v, of_one_pool, sums, false);
  std::vector<PoolSet> of_both;
  std::ranges::copy_if(sets, std::back_inserter(of_both), [](const PoolSet& set) { return !std::has_single_bit(set.mask); });
  Choice both = by_ways(k, v, sums);
  const Choice in_turns = by_pool_sets(k, v, of_both, sums, false);
  if (in_turns.total < both.total) both = in_turns;
  return alone.total > both.total ? alone : both;
}

}  // namespace rta::analysis::path
