#include "analysis/path/path_fitting.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "analysis/path/node_chains.hpp"
#include "analysis/path/path_by_priority.hpp"
#include "analysis/path/path_over.hpp"

namespace rta::analysis::path {
namespace {

constexpr std::int64_t longest_period = std::int64_t{1} << 50U;
constexpr std::int64_t most_jobs = 32;  // that are looked at one by one
constexpr std::size_t most_slots = last_bit;

}  // namespace

/// lim_u of nodes that a path to v may wait for on a pool, by its order.
struct FittingPaths::Limits {
  Order order = Order::fifo;
  std::int64_t last = 0;  // a or b
  std::int64_t Y = 0;
  LastStarts starts;
  struct Urgent {
    std::uint32_t priority = 0;
    std::int64_t end = 0;
    std::int64_t equals = 0;
  };
  std::vector<Urgent> urgent;

  Limits(const Ticks& ticks, const ParallelPaths& paths, const Asked& asked) {
    const Class& c = ticks.classes[asked.k];
    const Pool& pool = ticks.system->pools[c.pools[asked.local]];
    order = pool.order;
    Y = c.Y;
    for (std::size_t q = 0; q < c.size(); ++q) {
      const bool waits = q == asked.v || (asked.whole ? !paths.is_before(asked.v, q) : paths.is_before(q, asked.v));
      if (c.pool_of[q] != asked.local || !waits) continue;
      // Nothing is asked of what is later than the node's own end.
      const std::int64_t last_of_all = asked.whole ? asked.ends.F[asked.k][asked.v] : no_bound;
      const std::int64_t end = std::min(asked.ends.F[asked.k][q], last_of_all);
      const std::int64_t ready = std::min(asked.ends.A[asked.k][q], last_of_all);
      last = std::max(last, order == Order::fifo ? ready : end);
      if (order == Order::gel_by_node) starts.add(end, c.point[q]);
      if (order == Order::fixed) urgent.push_back({c.priority[q], end, pool.equals_any ? end : ready});
    }
  }

  /// None: it does not count.
  [[nodiscard]] std::optional<std::int64_t> of(const Class& d, std::size_t u, bool own) const {
    if (order == Order::fifo) return last;
    if (order == Order::gel_by_node) return starts.lim(d.point[u]);
    if (order == Order::gel) return own ? 0 : std::min(last, Y - d.Y);
    std::optional<std::int64_t> lim;
    for (const Urgent& q : urgent) {
      if (q.priority > d.priority[u]) continue;
      lim = std::max(lim.value_or(0), q.priority == d.priority[u] ? q.equals : q.end);
    }
    return lim;
  }

  /// Without the job in question.
  [[nodiscard]] std::int64_t jobs(std::int64_t lim, std::int64_t F, std::int64_t T, bool own) const {
    if (!own) return jobs_in(F + lim, T);
    if (order == Order::gel_by_node) return own_jobs(lim, F, T, true);
    return own_jobs_by_priority(lim, F, T, true);
  }
};

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
  constexpr std::size_t most_nodes = 64;
  std::size_t nodes = 0;
  for (const Class& c : ticks.classes) nodes += c.size();
  return nodes <= most_nodes;
}

FittingPaths::FittingPaths(const Ticks& ticks)
    : ticks_(ticks),
      paths_(ticks.classes.size()),
      uses_(ticks.classes.size()),
      families_(ticks.classes.size()),
      longest_(ticks.classes.size()) {
  std::vector<bool> fits(ticks.system->pools.size());
  for (std::size_t p = 0; p < fits.size(); ++p) fits[p] = is_processors(*ticks.system, p);
  for (std::size_t k = 0; k < ticks.classes.size(); ++k) {
    const Class& c = ticks.classes[k];
    for (const std::size_t p : c.pools) uses_[k].push_back({fits[p], {}, {}});
    const bool some = std::ranges::any_of(uses_[k], &Use::fits);
    if (!some || c.slot_pool.size() > most_slots || !ParallelPaths::applies(c, *ticks.system)) continue;
    paths_[k].emplace(c, *ticks.system);
    set_longest(k);
    set_families(k);
  }
  for (std::size_t k = 0; k < ticks.classes.size(); ++k) set_uses(k);
}

/// Classes to which T10w does not apply have chains of one node each.
void FittingPaths::set_uses(std::size_t k) {
  const Class& c = ticks_.classes[k];
  for (std::size_t i = 0; i < c.pools.size(); ++i) {
    Use& use = uses_[k][i];
    if (!use.fits) continue;
    std::vector<std::size_t> nodes;
    for (std::size_t u = 0; u < c.size(); ++u) {
      if (c.pool_of[u] == i && c.vol[u] > 0) nodes.push_back(u);
    }
    std::vector<std::uint32_t> chain(nodes.size());
    std::iota(chain.begin(), chain.end(), std::uint32_t{0});
    if (paths_[k]) chain = chains_of(*paths_[k], nodes);
    use.places.reserve(nodes.size());
    for (std::size_t j = 0; j < nodes.size(); ++j) use.places.push_back({nodes[j], chain[j]});
    std::ranges::stable_sort(use.places, {}, &Place::chain);
    if (!paths_[k]) continue;
    const ParallelPaths own(c, *ticks_.system, i);
    use.own_most.assign(c.size(), 0);
    for (std::size_t v = 0; v < c.size(); ++v) {
      for (const PoolSet& set : own.sets_of(v)) {
        if ((set.mask & bit_of(i)) != 0) use.own_most[v] = std::max(use.own_most[v], set.length);
      }
    }
  }
}

void FittingPaths::set_longest(std::size_t k) {
  const Class& c = ticks_.classes[k];
  auto& longest = longest_[k];
  longest.resize(c.size());
  for (const std::uint32_t v : c.order) {
    const std::int64_t length = c.e[v] - (uses_[k][c.pool_of[v]].fits ? 0 : c.s[v]);
    if (c.predecessors(v).empty()) add_pool_set(longest[v], {c.pays[v], length});
    for (const std::uint32_t w : c.predecessors(v)) {
      for (const PoolSet& set : longest[w]) add_pool_set(longest[v], {set.mask | c.pays[v], set.length + length});
    }
  }
}

bool FittingPaths::add_jobs(Wait& wait, const Asked& asked, const Limits& limits, std::size_t d, bool own) const {
  const Class& c = ticks_.classes[d];
  const std::size_t local = ticks_.local_pool[d][ticks_.classes[asked.k].pools[asked.local]];
  Wait::Jobs jobs{.c = d, .own = own, .copies = own ? 1 : c.copies - (d == asked.k ? 1 : 0), .fits = {}, .counted = {}};
  if (jobs.copies == 0) return true;
  const std::int64_t window = asked.ends.F[asked.k][asked.v];
  std::vector<WorkThatFits::Node> nodes;
  bool one_by_one = true;
  for (const Place& place : uses_[d][local].places) {
    if (limits.order == Order::fixed && c.priority[place.u] < asked.least_priority) continue;
    const auto lim = limits.of(c, place.u, own);
    if (!lim) continue;
    const std::int64_t F = asked.ends.F[d][place.u];
    const std::int64_t C = c.e[place.u] / ticks_.Q;
    if (F > longest_time || C > longest_time) return false;
    one_by_one = one_by_one && *lim >= 0 && (F + window) / c.T < most_jobs;
    nodes.push_back({.C = 2 * C, .F = 2 * F, .lim = 2 * std::max<std::int64_t>(*lim, 0), .chain = place.chain});
    jobs.counted.emplace_back(2 * C, limits.jobs(*lim, F, c.T, own));
  }
  if (nodes.empty()) return true;
  if (one_by_one) {
    jobs.counted.clear();
    jobs.fits.emplace(std::move(nodes), 2 * std::min(c.T, longest_period), 2 * window, wait.m);
  }
  wait.jobs.push_back(std::move(jobs));
  return true;
}

void FittingPaths::add_own(Wait& wait, const Asked& asked) const {
  const Class& c = ticks_.classes[asked.k];
  const Use& use = uses_[asked.k][asked.local];
  const NodeBits parallel = paths_[asked.k]->parallel_to_paths(asked.v, asked.local, asked.least_priority);
  std::optional<std::uint32_t> chain;
  for (const Place& place : use.places) {
    if (!parallel[place.u]) continue;
    if (chain != place.chain) wait.own_chains.push_back(0);
    chain = place.chain;
    wait.own_chains.back() += 2 * (c.e[place.u] / ticks_.Q);
  }
  wait.own_most = static_cast<std::int64_t>(ceil_div(Wide{2} * wait.m * use.own_most[asked.v], ticks_.Q));
}

std::optional<FittingPaths::Wait> FittingPaths::wait(std::size_t k, std::size_t v, const Ends& ends, const Decisive& of,
                                                     std::size_t local) const {
  const std::uint32_t least = least_priority(ticks_.classes[k], local, of.set.mask);
  return wait({.k = k, .v = v, .ends = ends, .local = local, .least_priority = least, .effort = of.effort});
}

std::optional<FittingPaths::Wait> FittingPaths::others_of(std::size_t k, std::size_t v, const Ends& ends, bool whole) const {
  const std::size_t local = ticks_.classes[k].pool_of[v];
  return others({.k = k, .v = v, .ends = ends, .local = local, .least_priority = 0, .effort = Effort::one, .whole = whole});
}

std::optional<FittingPaths::Wait> FittingPaths::others(const Asked& asked) const {
  const Class& c = ticks_.classes[asked.k];
  const std::size_t p = c.pools[asked.local];
  if (asked.ends.F[asked.k][asked.v] > longest_time) return std::nullopt;
  const Limits limits(ticks_, *paths_[asked.k], asked);
  Wait wait;
  wait.m = ticks_.system->pools[p].capacity;
  for (const std::size_t d : ticks_.users[p]) {
    if (!add_jobs(wait, asked, limits, d, false)) return std::nullopt;
  }
  if (!add_jobs(wait, asked, limits, asked.k, true)) return std::nullopt;
  return wait;
}

std::optional<FittingPaths::Wait> FittingPaths::wait(const Asked& asked) const {
  std::optional<Wait> wait = others(asked);
  if (!wait) return std::nullopt;
  add_own(*wait, asked);
  wait->solve(2 * (asked.ends.F[asked.k][asked.v] - ticks_.classes[asked.k].longest[asked.v]), asked.effort);
  return wait;
}

std::vector<std::size_t> FittingPaths::path(std::size_t k, std::size_t v, const Decisive& of) const {
  if (of.own_in_length) return paths_[k]->path(v, of.set);
  Class c = ticks_.classes[k];
  std::vector<std::int64_t> length = c.e;
  c.pool_sets.clear();
  c.first_pool_set.assign(1, 0);
  for (std::size_t u = 0; u < c.size(); ++u) {
    if (!uses_[k][c.pool_of[u]].fits) length[u] -= c.s[u];
    c.pool_sets.insert(c.pool_sets.end(), longest_[k][u].begin(), longest_[k][u].end());
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

std::int64_t FittingPaths::in_ticks(const Wait& wait, std::int64_t work) const {
  return static_cast<std::int64_t>(ceil_div(Wide{work} * ticks_.Q, Wide{2} * wait.m));
}

/// What paths to one node pay for.
class FittingPaths::Waits {
 public:
  Waits(const FittingPaths& of, std::size_t k, std::size_t v, const Ends& ends, std::span<const std::int64_t> counted, Effort effort)
      : of_(of), c_(of.ticks_.classes[k]), k_(k), v_(v), ends_(ends), counted_(counted), effort_(effort) {}

  /// The lesser of two sums.
  [[nodiscard]] Decisive least() {
    const Decisive all = most(of_.longest_[k_][v_], false);
    const Decisive others = most(of_.paths_[k_]->sets_of(v_), true);
    Decisive least = others.total < all.total ? others : all;
    least.effort = effort_;
    // A node of length 0 counts as the least unit of time.
    if (c_.e[v_] == 0 && least.total != no_bound) ++least.total;
    return least;
  }
  /// Whether some waiting, or all, may be longer than it was taken to be.
  [[nodiscard]] bool some_too_low() const { return too_low_ > 0; }
  [[nodiscard]] bool all_too_low() const { return too_low_ == known_.size(); }

 private:
  /// The largest sum of a set and what it pays for, ticks: of others alone, where its length has the own job's work, or of all.
  [[nodiscard]] Decisive most(std::span<const PoolSet> sets, bool others) {
    Decisive most{0, {}, others};
    for (const PoolSet& set : sets) {
      const std::int64_t pays = paid(set, others);
      if (pays == no_bound) return {no_bound, {}, others};
      if (set.length + pays >= most.total) most = {set.length + pays, set, others};
    }
    return most;
  }

  struct Known {
    std::size_t local = 0;
    std::uint32_t least_priority = 0;
    std::int64_t others = 0;
    std::int64_t all = 0;
  };

  [[nodiscard]] std::int64_t paid(const PoolSet& set, bool others) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < c_.pools.size(); ++i) {
      if ((set.mask & bit_of(i)) == 0) continue;
      const std::int64_t pays = of_.uses_[k_][i].fits ? fitting(i, set.mask, others) : counted(i, set.mask, others);
      if (pays == no_bound) return no_bound;
      sum += pays;
    }
    return sum;
  }

  [[nodiscard]] std::int64_t counted(std::size_t local, std::uint64_t mask, bool others) const {
    std::int64_t sum = 0;
    for (std::size_t slot = 0; slot < c_.slot_pool.size(); ++slot) {
      if (c_.slot_pool[slot] == local && (mask & bit_of(slot)) != 0) sum += counted_[slot] - (others ? of_.paths_[k_]->own(v_, slot) : 0);
    }
    return sum;
  }

  [[nodiscard]] std::int64_t fitting(std::size_t local, std::uint64_t mask, bool others) {
    const std::uint32_t least = least_priority(c_, local, mask);
    auto found = std::ranges::find_if(known_, [&](const Known& at) { return at.local == local && at.least_priority == least; });
    if (found == known_.end()) {
      const auto wait = of_.wait({.k = k_, .v = v_, .ends = ends_, .local = local, .least_priority = least, .effort = effort_});
      if (!wait) return no_bound;
      too_low_ += wait->too_low ? 1 : 0;
      found = known_.insert(known_.end(), {local, least, of_.in_ticks(*wait, wait->others), of_.in_ticks(*wait, wait->others + wait->own)});
    }
    return others ? found->others : found->all;
  }

  const FittingPaths& of_;
  const Class& c_;
  std::size_t k_, v_;
  const Ends& ends_;
  std::span<const std::int64_t> counted_;
  Effort effort_;
  std::size_t too_low_ = 0;
  std::vector<Known> known_;
};

FittingPaths::Decisive FittingPaths::decisive(std::size_t k, std::size_t v, const Ends& ends, std::span<const std::int64_t> counted) const {
  const bool from_below = ends.enough > 0;
  const std::int64_t now = ends.F[k][v];
  const std::int64_t longest = ticks_.classes[k].longest[v];
  constexpr std::int64_t share = 16;  // shorter waiting is no start
  if (now - longest > longest / share) {
    Waits waits(*this, k, v, ends, counted, from_below ? Effort::one : Effort::some);
    const Decisive decisive = waits.least();
    const bool holds = decisive.total != no_bound && ticks_.ns(decisive.total) <= now;
    // From below no more than the least one will do, which is more than F.
    if (holds ? !waits.some_too_low() : from_below && decisive.total != no_bound && waits.all_too_low()) return decisive;
  }
  return exact(k, v, ends, counted);
}

FittingPaths::Decisive FittingPaths::exact(std::size_t k, std::size_t v, const Ends& ends, std::span<const std::int64_t> counted) const {
  return Waits(*this, k, v, ends, counted, Effort::exact).least();
}

}  // namespace rta::analysis::path
