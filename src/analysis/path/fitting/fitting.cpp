#include "analysis/path/fitting/fitting.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "analysis/path/chains/node_chains.hpp"
#include "analysis/path/priority/by_priority.hpp"
#include "analysis/path/system/over.hpp"

namespace rta::analysis::path {
namespace {}  // namespace

bool FittingPaths::is_processors(const System& system, std::size_t p) {
  const Pool& pool = system.pools[p];
  const bool ordered =
      pool.order == Order::fifo || pool.order == Order::gel || pool.order == Order::gel_by_node || pool.order == Order::fixed;
  if (!ordered || pool.unit != 1 || pool.switches) return false;
  return std::ranges::all_of(system.dags, [&](const Dag& dag) {
    return std::ranges::all_of(
        dag.nodes, [&](const Node& node) { return node.pool != p || (node.s == node.e.count() && node.vol == node.e.count()); });
  });
}

bool FittingPaths::affordable(const Ticks& ticks) {
  std::size_t nodes = 0;
  for (const Class& c : ticks.classes) nodes += c.size();
  return nodes <= most_nodes;
}

FittingPaths::FittingPaths(const Ticks& ticks, const std::vector<std::optional<ParallelPaths>>* known)
    : ticks_(ticks),
      made_(ticks.classes.size()),
      paths_(ticks.classes.size(), nullptr),
      uses_(ticks.classes.size()),
      longest_(ticks.classes.size()),
      questions_(ticks.classes.size()),
      own_most_(ticks.classes.size()),
      families_(ticks.classes.size()),
      chained_(ticks.classes.size()),
      last_(ticks.classes.size()),
      last_of_families_(ticks.classes.size()) {
  std::vector<bool> fits(ticks.system->pools.size());
  for (std::size_t p = 0; p < fits.size(); ++p) fits[p] = is_processors(*ticks.system, p);
  for (std::size_t k = 0; k < ticks.classes.size(); ++k) {
    const Class& c = ticks.classes[k];
    chained_[k].resize(c.pools.size());
    for (const std::size_t p : c.pools) uses_[k].emplace_back().fits = fits[p];
    const bool some = std::ranges::any_of(uses_[k], &Use::fits);
    if (!some || c.slot_pool.size() > most_slots || !ParallelPaths::applies(c, *ticks.system)) continue;
    const bool is_known = known != nullptr && (*known)[k];
    paths_[k] = is_known ? &*(*known)[k] : &made_[k].emplace(c, *ticks.system);
  }
}

const FittingPaths::Use& FittingPaths::use(std::size_t k, std::size_t local) const {
  if (uses_[k][local].fits && !uses_[k][local].known) set_use(k, local);
  return uses_[k][local];
}

/// Classes to which T10w does not apply have chains of one node each.
void FittingPaths::set_use(std::size_t k, std::size_t local) const {
  const Class& c = ticks_.classes[k];
  Use& use = uses_[k][local];
  use.known = true;
  std::vector<std::size_t> nodes;
  for (std::size_t u = 0; u < c.size(); ++u) {
    if (c.pool_of[u] == local && c.vol[u] > Tick::zero()) nodes.push_back(u);
  }
  std::vector<std::uint32_t> chain(nodes.size());
  std::iota(chain.begin(), chain.end(), std::uint32_t{0});
  if (paths_[k] != nullptr) chain = chains_of(*paths_[k], nodes);
  use.places.reserve(nodes.size());
  for (std::size_t j = 0; j < nodes.size(); ++j) {
    use.places.push_back({nodes[j], ticks_.whole_ns(c.e[nodes[j]]), chain[j]});
    use.longest = std::max(use.longest, use.places.back().C);
  }
  std::ranges::stable_sort(use.places, {}, &Place::chain);
  const Order order = ticks_.system->pools[c.pools[local]].order;
  use.one_limit = order == Order::fifo || order == Order::gel || (order == Order::fixed && c.levels[local].priority.size() == 1);
}

/// Per node the most work of the own job that is parallel to a path to it.
const std::vector<Tick>& FittingPaths::own_most(std::size_t k, std::size_t local) const {
  const Class& c = ticks_.classes[k];
  own_most_[k].resize(c.pools.size());
  std::vector<Tick>& most = own_most_[k][local];
  if (!most.empty()) return most;
  const ParallelPaths own(c, *ticks_.system, local);
  most.assign(c.size(), Tick::zero());
  for (std::size_t v = 0; v < c.size(); ++v) {
    for (const PoolSet& set : own.sets_of(v)) {
      if ((set.mask & bit_of(local)) != 0) most[v] = std::max(most[v], set.length);
    }
  }
  return most;
}

void FittingPaths::set_longest(std::size_t k) const {
  const Class& c = ticks_.classes[k];
  auto& longest = longest_[k];
  longest.resize(c.size());
  for (const std::uint32_t v : c.order) {
    const Tick length = c.e[v] - (uses_[k][c.pool_of[v]].fits ? Tick::zero() : c.s[v]);
    if (c.predecessors(v).empty()) add_pool_set(longest[v], {c.pays[v], length});
    for (const std::uint32_t w : c.predecessors(v)) {
      for (const PoolSet& set : longest[w]) add_pool_set(longest[v], {set.mask | c.pays[v], set.length + length});
    }
  }
}

void FittingPaths::set_questions(std::size_t k) const {
  const Class& c = ticks_.classes[k];
  questions_[k].resize(c.size());
  for (std::size_t v = 0; v < c.size(); ++v) {
    const auto add = [&](const PoolSet& set) {
      for (std::size_t i = 0; i < c.pools.size(); ++i) {
        if ((set.mask & bit_of(i)) == 0 || !uses_[k][i].fits) continue;
        const Question question{i, least_priority(c, i, set.mask)};
        if (std::ranges::find(questions_[k][v], question) == questions_[k][v].end()) questions_[k][v].push_back(question);
      }
    };
    std::ranges::for_each(longest(k, v), add);
    std::ranges::for_each(paths_[k]->sets_of(v), add);
    last_[k].emplace_back(questions_[k][v].size());
  }
}

std::vector<std::size_t> FittingPaths::path(std::size_t k, std::size_t v, const Decisive& of) const {
  if (of.own_in_length) return paths_[k]->path(v, of.set);
  Class c = ticks_.classes[k];
  std::vector<Tick> length = c.e;
  c.pool_sets.clear();
  c.first_pool_set.assign(1, 0);
  for (std::size_t u = 0; u < c.size(); ++u) {
    if (!uses_[k][c.pool_of[u]].fits) length[u] -= c.s[u];
    const std::vector<PoolSet>& sets = longest(k, u);
    c.pool_sets.insert(c.pool_sets.end(), sets.begin(), sets.end());
    c.first_pool_set.push_back(static_cast<std::uint32_t>(c.pool_sets.size()));
  }
  return path_over(c, v, length, of.set);
}

/// The least urgent level of the path's own nodes on a pool; 0 where priorities do not matter.
std::uint32_t FittingPaths::least_priority(const Class& c, std::size_t local, std::uint64_t mask) {
  const Levels& levels = c.levels[local];
  std::uint32_t least = 0;
  for (std::size_t level = levels.slot.size(); level > 0 && (mask & bit_of(levels.slot[level - 1])) != 0; --level) {
    least = levels.priority[level - 1];
  }
  return least;
}

/// `work`: halves of a ns.
Tick FittingPaths::in_ticks(const Wait& wait, std::int64_t work) const {
  return Tick::narrow(ceil_div(Wide{work} * ticks_.Q, Wide{2} * wait.m));
}

/// What paths to one node pay for.
class FittingPaths::Waits {
 public:
  Waits(const FittingPaths& of, std::size_t k, std::size_t v, const Ends& ends, std::span<const Tick> counted)
      : of_(of), c_(of.ticks_.classes[k]), k_(k), v_(v), counted_(counted) {
    for (const Question& question : of.questions(k, v)) {
      auto wait = of.begin({.k = k, .v = v, .ends = ends, .local = question.local, .least_priority = question.least_priority});
      if (!wait) return;
      wait->begin_at(of.last_[k][v][waits_.size()]);
      waits_.push_back(*std::move(wait));
    }
  }

  /// Not so where times are out of range.
  [[nodiscard]] bool are_known() const { return waits_.size() == of_.questions(k_, v_).size(); }
  /// Each where the last search ended, or at w.
  void try_last(std::int64_t w) {
    for (std::size_t i = 0; i < waits_.size(); ++i) waits_[i].try_at(last(i, w));
  }
  /// Whether by the likely phases alone none is less than that.
  [[nodiscard]] bool are_longer(std::int64_t w) {
    for (std::size_t i = 0; i < waits_.size(); ++i) {
      if (!waits_[i].is_longer(last(i, w))) return false;
    }
    return true;
  }
  void step_down() { std::ranges::for_each(waits_, &Wait::step_down); }
  void find() { std::ranges::for_each(waits_, &Wait::find); }
  void keep() {
    for (std::size_t i = 0; i < waits_.size(); ++i) waits_[i].keep(of_.last_[k_][v_][i]);
  }
  [[nodiscard]] bool all_enough() const { return std::ranges::all_of(waits_, &Wait::is_enough); }
  [[nodiscard]] bool none_enough() const { return std::ranges::none_of(waits_, &Wait::is_enough); }

  /// The lesser of two sums.
  [[nodiscard]] Decisive least() const {
    const Decisive all = most(of_.longest(k_, v_), false);
    const Decisive others = most(of_.paths_[k_]->sets_of(v_), true);
    Decisive least = others.total < all.total ? others : all;
    // A node of length 0 counts as the least unit of time.
    if (c_.e[v_] == Tick::zero()) least.total += Tick(1);
    return least;
  }

 private:
  [[nodiscard]] std::int64_t last(std::size_t i, std::int64_t w) const {
    const std::int64_t last = of_.last_[k_][v_][i].cut;
    return std::max<std::int64_t>(1, last > 0 ? last : w);
  }

  /// The largest sum of a set and what it pays for: of others alone, where its length has the own job's work, or of all.
  [[nodiscard]] Decisive most(std::span<const PoolSet> sets, bool others) const {
    Decisive most{Tick::zero(), {}, others};
    for (const PoolSet& set : sets) {
      const Tick total = set.length + paid(set, others);
      if (total >= most.total) most = {total, set, others};
    }
    return most;
  }

  [[nodiscard]] Tick paid(const PoolSet& set, bool others) const {
    Tick sum;
    for (std::size_t i = 0; i < c_.pools.size(); ++i) {
      if ((set.mask & bit_of(i)) != 0) sum += of_.uses_[k_][i].fits ? fitting(i, set.mask, others) : counted(i, set.mask, others);
    }
    return sum;
  }

  [[nodiscard]] Tick counted(std::size_t local, std::uint64_t mask, bool others) const {
    Tick sum;
    for (std::size_t slot = 0; slot < c_.slot_pool.size(); ++slot) {
      if (c_.slot_pool[slot] == local && (mask & bit_of(slot)) != 0)
        sum += counted_[slot] - (others ? of_.paths_[k_]->own(v_, slot) : Tick::zero());
    }
    return sum;
  }

  [[nodiscard]] Tick fitting(std::size_t local, std::uint64_t mask, bool others) const {
    const auto& questions = of_.questions(k_, v_);
    const auto at = std::ranges::find(questions, Question{local, least_priority(c_, local, mask)}) - questions.begin();
    const Wait& wait = waits_[static_cast<std::size_t>(at)];
    return of_.in_ticks(wait, others ? wait.others : wait.others + wait.own);
  }

  const FittingPaths& of_;
  const Class& c_;
  std::size_t k_, v_;
  std::span<const Tick> counted_;
  std::vector<Wait> waits_;  // of the node's questions
};

FittingPaths::Decisive FittingPaths::decisive(std::size_t k, std::size_t v, const Ends& ends, std::span<const Tick> counted) const {
  Waits waits(*this, k, v, ends, counted);
  if (!waits.are_known()) return {.total = unbounded, .set = {}};
  const bool from_below = ends.enough > 0;
  const std::int64_t now = ends.F[k][v];
  const std::int64_t likely = 2 * (now - ticks_.classes[k].longest[v]);
  Decisive decisive;
  const auto rises = [&] {
    decisive = waits.least();
    return from_below && ticks_.ns(decisive.total) > now;
  };
  // From below no more than the least one will do, which is more than F.
  if (from_below) {
    const bool risen = waits.are_longer(likely) && rises();
    if (risen) waits.keep();
    if (risen || ends.likely) return decisive;
  }
  waits.try_last(likely);
  if (!from_below) waits.step_down();
  if (rises() ? !waits.none_enough() : !waits.all_enough()) {
    waits.find();
    decisive = waits.least();
  }
  waits.keep();
  return decisive;
}

FittingPaths::Decisive FittingPaths::exact(std::size_t k, std::size_t v, const Ends& ends, std::span<const Tick> counted) const {
  Waits waits(*this, k, v, ends, counted);
  if (!waits.are_known()) return {.total = unbounded, .set = {}};
  waits.find();
  return waits.least();
}

std::vector<FittingPaths::Cut> FittingPaths::cuts(std::size_t k, std::size_t v, const Ends& ends) const {
  std::vector<Cut> cuts;
  for (const auto& [local, least_priority] : questions(k, v)) {
    const auto waiting = wait({.k = k, .v = v, .ends = ends, .local = local, .least_priority = least_priority});
    if (waiting) cuts.push_back({local, least_priority, waiting->cut});
  }
  return cuts;
}

std::vector<std::uint32_t> FittingPaths::lanes(std::size_t k) const {
  std::vector<std::uint32_t> lanes(ticks_.classes[k].size());
  std::iota(lanes.begin(), lanes.end(), std::uint32_t{0});
  for (std::size_t local = 0; local < uses_[k].size(); ++local) {
    std::vector<std::optional<std::uint32_t>> first;  // chain -> a node of it
    for (const Place& place : use(k, local).places) {
      if (first.size() <= place.chain) first.resize(place.chain + std::size_t{1});
      if (!first[place.chain]) first[place.chain] = static_cast<std::uint32_t>(place.u);
      lanes[place.u] = *first[place.chain];
    }
  }
  return lanes;
}

}  // namespace rta::analysis::path
