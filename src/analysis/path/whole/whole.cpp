#include "analysis/path/whole/whole.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "analysis/path/chains/chain_families.hpp"
#include "analysis/path/chains/heaviest_families.hpp"
#include "analysis/path/chains/node_chains.hpp"
#include "analysis/path/priority/by_priority.hpp"
#include "analysis/path/system/late_jobs.hpp"
#include "analysis/path/system/started.hpp"

namespace rta::analysis::path {
namespace {

/// Of the work of chains that of the heaviest, of the two heaviest, and so on: of fewer than there are processors.
void set_heaviest(std::vector<std::int64_t>& chains, std::size_t processors) {
  std::ranges::sort(chains, std::greater<>());
  chains.resize(std::min(chains.size(), processors - 1));
  std::partial_sum(chains.begin(), chains.end(), chains.begin());
}

// Of times and processors, and of the work of a DAG, ns: 64 jobs of twice as many halves have 64 bits.
constexpr Wide longest_product = Wide{1} << 54U;

}  // namespace

bool WholePaths::fits(const System& system, std::size_t p) {
  const Pool& pool = system.pools[p];
  const bool ordered = pool.order == Order::fifo || pool.order == Order::gel || pool.order == Order::fixed || runs_to_end(pool.order);
  if (!ordered || pool.unit != 1 || pool.switches || pool.slices) return false;
  return std::ranges::all_of(system.dags, [&](const Dag& dag) {
    return std::ranges::all_of(
        dag.nodes, [&](const Node& node) { return node.pool != p || (node.s == node.e.count() && node.vol == node.e.count()); });
  });
}

WholePaths::WholePaths(const Ticks& ticks, const Parallel& paths)
    : ticks_(ticks),
      paths_(paths),
      started_(ticks.classes.size()),
      fits_(ticks.system->pools.size()),
      uses_(ticks.classes.size()),
      are_by_chains_(ticks.classes.size()),
      on_pool_(ticks.classes.size()),
      known_(ticks.classes.size()),
      left_(ticks.classes.size()),
      E_(ticks.classes.size(), 0),
      E_is_old_(ticks.classes.size(), true),
      solved_(ticks.classes.size()) {
  for (std::size_t p = 0; p < fits_.size(); ++p) fits_[p] = fits(*ticks.system, p);
  for (std::size_t k = 0; k < ticks.classes.size(); ++k) {
    const Class& c = ticks.classes[k];
    set_started(k);
    uses_[k].resize(c.pools.size());
    known_[k].resize(c.pools.size());
    for (std::size_t u = 0; u < c.size(); ++u) {
      if (c.vol[u] > Tick::zero()) uses_[k][c.pool_of[u]].push_back({u, ticks.whole_ns(c.e[u]), c.priority[u]});
    }
    are_by_chains_[k].resize(c.pools.size());
    on_pool_[k].resize(c.pools.size());
    applies_.push_back((paths[k] || started_[k]) && std::ranges::any_of(c.pools, [&](std::size_t p) { return fits_[p]; }));
    set_left(k);
  }
  std::ranges::stable_sort(in_order_, std::greater<>(), [&](std::size_t k) { return urgency(k); });
  set_left_by();
  for (const Class& c : ticks.classes) kept_.emplace_back(c.slot_pool.size());
}

/// Chains are those of T10w; classes to which it does not apply have chains of one node each.
const std::vector<WholePaths::Use>& WholePaths::by_chains(std::size_t k, std::size_t local) const {
  std::vector<Use>& uses = uses_[k][local];
  if (are_by_chains_[k][local] != 0) return uses;
  are_by_chains_[k][local] = 1;
  std::vector<std::size_t> nodes;
  for (Use& use : uses) {
    use.chain = static_cast<std::uint32_t>(nodes.size());
    nodes.push_back(use.u);
  }
  if ((!paths_[k] && !started_[k]) || ticks_.classes[k].slot_pool.size() > last_bit) return uses;
  const std::vector<std::uint32_t> chain = chains_of(paths(k), nodes);
  for (std::size_t i = 0; i < uses.size(); ++i) uses[i].chain = chain[i];
  std::ranges::stable_sort(uses, {}, &Use::chain);
  return uses;
}

const WholePaths::OnPool& WholePaths::on_pool(std::size_t k, std::size_t local) const {
  auto& on_pool = on_pool_[k][local];
  if (on_pool) return *on_pool;
  on_pool.emplace().families = families_of(k, local);
  std::int64_t V = 0;
  for (const Use& use : uses_[k][local]) V += use.C;
  const std::int64_t m = ticks_.system->pools[ticks_.classes[k].pools[local]].capacity;
  if (V < longest_product) on_pool->within.set(V, on_pool->families, m);
  return *on_pool;
}

/// Where the flow would take long, the longest path and the chains that the nodes are parted into.
std::vector<std::int64_t> WholePaths::families_of(std::size_t k, std::size_t local) const {
  const Class& c = ticks_.classes[k];
  if (!fits_[c.pools[local]]) return {};
  const std::size_t processors = ticks_.system->pools[c.pools[local]].capacity;
  const std::size_t sought = chains_sought(c, processors);
  std::vector<std::int64_t> families;
  for (const Tick K : heaviest_families(c, is_on_pool(c, local), sought)) families.push_back(ticks_.whole_ns(K));
  if (families.empty() || sought + 1 >= std::min(processors, c.size())) return families;
  std::vector<std::int64_t> chains;
  for (const Use& use : by_chains(k, local)) {
    chains.resize(std::max<std::size_t>(chains.size(), use.chain + std::size_t{1}));
    chains[use.chain] += use.C;
  }
  set_heaviest(chains, processors);
  for (std::int64_t& K : chains) K = std::max(K, families.front());
  return chains;
}

std::vector<std::uint32_t> WholePaths::lanes(std::size_t k) const {
  std::vector<std::uint32_t> lanes(ticks_.classes[k].size());
  std::iota(lanes.begin(), lanes.end(), std::uint32_t{0});
  for (std::size_t local = 0; local < uses_[k].size(); ++local) {
    const std::vector<Use>& uses = by_chains(k, local);
    for (std::size_t i = 1; i < uses.size(); ++i) {
      if (uses[i].chain == uses[i - 1].chain) lanes[uses[i].u] = lanes[uses[i - 1].u];
    }
  }
  return lanes;
}

WholePaths::Last WholePaths::last_of(std::size_t k, std::size_t v, std::size_t slot, const Ends& ends) const {
  const Class& c = ticks_.classes[k];
  const std::size_t local = c.slot_pool[slot];
  const Pool& pool = ticks_.system->pools[c.pools[local]];
  Last last{.next = std::numeric_limits<std::uint64_t>::max()};
  const Levels& levels = c.levels[local];
  const bool by_priority = by_fixed_priority(pool.order);
  if (by_priority) {
    const auto level = static_cast<std::size_t>(std::ranges::find(levels.slot, slot) - levels.slot.begin());
    last.level = levels.priority[level];
    if (level + 1 < levels.priority.size()) last.next = levels.priority[level + 1];
  }
  for (const std::uint32_t q : waiting_on(k, v, slot)) {
    last.any = std::max(last.any, pool.order == Order::fifo ? ends.A[k][q] : ends.F[k][q]);
    const bool in_order = by_priority && c.priority[q] == last.level && !pool.equals_any;
    last.equals = std::max(last.equals, in_order ? ends.A[k][q] : ends.F[k][q]);
  }
  return last;
}

/// Nodes of paths to v that wait for what is in the slot.
const std::vector<std::uint32_t>& WholePaths::waiting_on(std::size_t k, std::size_t v, std::size_t slot) const {
  const Class& c = ticks_.classes[k];
  const std::size_t slots = c.slot_pool.size();
  waiting_on_.resize(ticks_.classes.size());
  auto& of_class = waiting_on_[k];
  if (of_class.empty()) of_class.resize((c.size() + 1) * slots);
  std::vector<std::uint32_t>& nodes = of_class[std::min(v, c.size()) * slots + slot];
  if (!nodes.empty()) return nodes;
  const std::size_t local = c.slot_pool[slot];
  const Levels& levels = c.levels[local];
  const bool by_priority = by_fixed_priority(ticks_.system->pools[c.pools[local]].order);
  const auto level = static_cast<std::size_t>(std::ranges::find(levels.slot, slot) - levels.slot.begin());
  for (std::uint32_t q = 0; q < c.size(); ++q) {
    if (c.pool_of[q] != local || (v != all_nodes && q != v && !paths(k).is_before(q, v))) continue;
    if (!by_priority || c.priority[q] <= levels.priority[level]) nodes.push_back(q);
  }
  return nodes;
}

std::optional<std::int64_t> WholePaths::lim_of_all(std::size_t k, std::size_t p, std::size_t d, const Last& last) const {
  const Pool& pool = ticks_.system->pools[p];
  const Class& c = ticks_.classes[d];
  if (d == k || ticks_.system->dags[c.dags.front()].J > Time::zero()) return std::nullopt;
  std::int64_t lim = last.any;
  if (by_dag_point(pool.order)) lim = std::min(lim, ticks_.classes[k].Y - c.Y);
  if (by_fixed_priority(pool.order)) {
    const std::vector<std::uint32_t>& priority = c.levels[ticks_.local_pool[d][p]].priority;
    if (priority.front() < last.level || priority.back() >= last.next) return std::nullopt;
    if (priority.front() == last.level) lim = last.equals;
    if (priority.front() == last.level && priority.size() > 1 && last.equals != last.any) return std::nullopt;
  }
  return lim >= 0 ? std::optional(lim) : std::nullopt;
}

const JobCounts& WholePaths::counts_of(std::size_t d, std::size_t local, const Ends& ends) const {
  auto& counts = known_[d][local].counts;
  if (counts) return *counts;
  counts.emplace();
  for (const Use& use : uses_[d][local]) counts->add(use.C, ends.F[d][use.u], ticks_.classes[d].T);
  counts->finish(ticks_.classes[d].T);
  return *counts;
}

/// Fills `beside`, and what is counted of `jobs`, from one node after the other. Whether all nodes count.
bool WholePaths::count_each(const Counting& of, const Last& last, const Ends& ends, Beside& beside, Jobs& jobs,
                            std::vector<Piece>* pieces) const {
  WholeWindow& window = beside.window;
  const Class& c = ticks_.classes[jobs.c];
  const Order order = ticks_.system->pools[of.p].order;
  const std::int64_t lead = ticks_.classes[of.k].Y - c.Y;
  window.last = std::numeric_limits<std::int64_t>::min();
  beside.chains.clear();
  std::optional<std::uint32_t> chain;
  std::size_t nodes = 0;
  const auto& uses = by_chains(jobs.c, of.local);
  for (const Use& use : uses) {
    std::int64_t lim = last.any;
    if (by_dag_point(order)) lim = jobs.own ? 0 : std::min(lim, pieces != nullptr ? lim : lead);
    if (by_fixed_priority(order)) {
      if (use.priority < last.level || use.priority >= last.next) continue;
      if (use.priority == last.level) lim = last.equals;
    }
    const std::int64_t F = ends.F[jobs.c][use.u];
    const std::int64_t n = jobs.own ? own_late_jobs(lim, F, c.T, window.J, true) : late_jobs_in(F + lim, c.T, window.J);
    if (n == 0) continue;
    // Of jobs with points no later no piece blocks: they are counted.
    if (pieces != nullptr) pieces->push_back({use.C, by_dag_point(order) ? std::min(n, jobs_in(lim - lead, c.T)) : n});
    jobs.counted += Wide{n} * use.C;
    jobs.V += use.C;
    jobs.F = std::max(jobs.F, F);
    window.last = std::max(window.last, lim);
    if (chain != use.chain) beside.chains.push_back(0);
    beside.chains.back() += use.C;
    chain = use.chain;
    ++nodes;
  }
  return nodes == uses.size();
}

std::optional<WholePaths::Jobs> WholePaths::jobs_of(std::size_t k, std::size_t p, std::size_t d, bool own, const Last& last,
                                                    const Ends& ends, Beside& beside, std::vector<Piece>* pieces) const {
  WholeWindow& window = beside.window;
  const Class& c = ticks_.classes[d];
  const Pool& pool = ticks_.system->pools[p];
  Jobs jobs{.c = d, .copies = own ? 1 : c.copies - (d == k ? 1 : 0), .own = own};
  if (jobs.copies == 0) return std::nullopt;
  const std::size_t local = ticks_.local_pool[d][p];
  if (by_fixed_priority(pool.order) && c.levels[local].priority.back() < last.level) return std::nullopt;
  window.T = c.T;
  window.J = ticks_.system->dags[c.dags.front()].J.count();
  window.left = !own && E_[d] > 0 ? &*left_[d] : nullptr;
  window.E = E_[d];
  bool all = true;
  if (const auto lim = own || pieces != nullptr ? std::nullopt : lim_of_all(k, p, d, last)) {
    const JobCounts& counts = counts_of(d, local, ends);
    jobs.counted = counts.at(*lim);
    jobs.V = counts.V();
    jobs.F = counts.F();
    window.last = *lim;
  } else {
    all = count_each({k, p, local}, last, ends, beside, jobs, pieces);
  }
  if (jobs.counted == 0) return std::nullopt;
  jobs.fits = jobs.counted;
  window.F = jobs.F;
  jobs.in_window = window.jobs();
  if (!window.is_short() || Wide{beside.m} * (Wide{window.L} + window.F) >= longest_product || jobs.V >= longest_product) return jobs;
  const bool known = all && beside.m == pool.capacity;
  if (known) {
    window.job = &on_pool(d, local).within;
  } else {
    if (!all) set_heaviest(beside.chains, pool.capacity);
    beside.of_some.set(jobs.V, all ? on_pool(d, local).families : beside.chains, beside.m);
    window.job = &beside.of_some;
  }
  if (own) {
    jobs.fits = ceil_div(window.at_periods(), 2);
    return jobs;
  }
  window.first = nullptr;
  if (known && window.left != nullptr) {
    FirstJob& first = known_[d][local].first;
    if (!first.is_of(window.E, window.F)) first.set(window);
    window.first = &first;
  }
  const WholeWindow::Most most = window.most();
  jobs.fits = ceil_div(most.work, 2);
  jobs.E = window.left != nullptr ? window.E : 0;
  jobs.rises = most.rises;
  return jobs;
}

std::vector<WholePaths::Jobs> WholePaths::jobs(std::size_t k, std::size_t v, std::size_t slot, const Ends& ends,
                                               std::int64_t processors) const {
  std::vector<Jobs> all;
  const Class& c = ticks_.classes[k];
  const std::size_t p = c.pools[c.slot_pool[slot]];
  const Last last = last_of(k, v, slot, ends);
  if (!fits_[p] || last.any < 0) return all;
  all.reserve(ticks_.users[p].size() + 1);
  Beside beside;  // one for all: it keeps its memory
  beside.m = processors > 0 ? processors : ticks_.system->pools[p].capacity;
  beside.window.L = v == all_nodes ? *std::ranges::max_element(ends.F[k]) : window_of(k, v, ends);
  for (const std::size_t d : ticks_.users[p]) {
    if (auto of = jobs_of(k, p, d, false, last, ends, beside)) all.push_back(*of);
  }
  if (auto of = jobs_of(k, p, k, true, last, ends, beside)) all.push_back(*of);
  return all;
}

WholePaths::Slot WholePaths::waiting(std::size_t k, std::size_t v, std::size_t slot, const Ends& ends, std::int64_t processors) const {
  const Class& c = ticks_.classes[k];
  const std::int64_t m = processors > 0 ? processors : ticks_.system->pools[c.pools[c.slot_pool[slot]]].capacity;
  const std::int64_t ready = last_ready(k, v, c.slot_pool[slot], ends);
  Slot of;
  Wide sum = 0;
  for (const Jobs& jobs : jobs(k, v, slot, ends, processors)) {
    sum += jobs.copies * jobs.work();
    // Where a DAG's pieces may have started all of its work together may not rise.
    if (jobs.fits >= jobs.counted || c.Y - ticks_.classes[jobs.c].Y < ready) continue;
    Wide rate = 0;
    for (const WholeWindow::Rise& rise : jobs.rises) rate += rise.rate;
    const Wide room = (jobs.counted - jobs.fits) / std::max<Wide>(1, rate);
    for (const WholeWindow::Rise& rise : jobs.rises) {
      of.rises.push_back({static_cast<std::int64_t>(std::min<Wide>(rise.rises_for, room)), Wide{jobs.copies} * rise.rate * ticks_.Q / m});
    }
  }
  std::ranges::stable_sort(of.rises, {}, &Rise::rises_for);
  of.ticks = Tick::narrow(std::min<Wide>(unbounded.count(), ceil_div(sum * ticks_.Q, Wide{m})));
  return of;
}

}  // namespace rta::analysis::path
