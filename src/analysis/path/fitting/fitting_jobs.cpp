// T10w: what paths to a node may wait for on one pool.
#include <algorithm>
#include <utility>

#include "analysis/path/fitting/fitting.hpp"
#include "analysis/path/priority/by_priority.hpp"
#include "analysis/path/system/late_jobs.hpp"

namespace rta::analysis::path {
namespace {

constexpr std::int64_t longest_period = std::int64_t{1} << 50U;

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
  [[nodiscard]] std::int64_t jobs(std::int64_t lim, std::int64_t F, std::int64_t T, std::int64_t J, bool own) const {
    if (J > 0) return own ? own_late_jobs(lim, F, T, J, true) : late_jobs_in(F + lim, T, J);
    if (!own) return jobs_in(F + lim, T);
    if (order == Order::gel_by_node) return own_jobs(lim, F, T, true);
    return own_jobs_by_priority(lim, F, T, true);
  }
};

std::shared_ptr<const ChainedWork> FittingPaths::chained(std::size_t d, std::size_t local, const std::vector<std::int64_t>& F) const {
  Chained& chained = chained_[d][local];
  if (chained.work && chained.F == F) return chained.work;
  const auto work = std::make_shared<ChainedWork>();
  std::optional<std::uint32_t> chain;
  for (const Place& place : use(d, local).places) {
    work->add({2 * place.C, 2 * F[place.u]}, chain != place.chain);
    chain = place.chain;
  }
  chained = {F, work};
  return work;
}

bool FittingPaths::add_jobs(Wait& wait, const Asked& asked, const Limits& limits, std::size_t d, bool own) const {
  const Class& c = ticks_.classes[d];
  const std::size_t local = ticks_.local_pool[d][ticks_.classes[asked.k].pools[asked.local]];
  const Use& use = this->use(d, local);
  const std::int64_t copies = own ? 1 : c.copies - (d == asked.k ? 1 : 0);
  if (copies == 0 || use.places.empty()) return true;
  const bool by_priority = limits.order == Order::fixed;
  const std::vector<std::int64_t>& F = asked.ends.F[d];
  const std::int64_t window = asked.ends.F[asked.k][asked.v];
  const std::int64_t J = ticks_.system->dags[c.dags.front()].J.count();
  if (J > FittingWait::longest_time) return false;
  const WorkThatFits::Releases releases{2 * std::min(c.T, longest_period), 2 * J};
  const auto short_enough = [&](std::int64_t end) { return (end + J + window) / c.T < most_jobs; };
  const std::size_t first = use.places.front().u;
  if (use.one_limit) {
    const auto lim = by_priority && c.priority[first] < asked.least_priority ? std::nullopt : limits.of(c, first, own);
    if (!lim) return true;
    auto work = chained(d, local, F);
    if (work->F > 2 * FittingWait::longest_time || use.longest > FittingWait::longest_time) return false;
    if (*lim >= 0 && short_enough(work->F / 2)) {
      Wait::Jobs& jobs = wait.add(d, own, copies);
      jobs.fits.emplace(std::move(work), 2 * *lim, releases, 2 * window, wait.m);
      return true;
    }
  }
  std::vector<WorkThatFits::Node> nodes;
  std::vector<std::pair<std::int64_t, std::int64_t>> counted;
  std::int64_t end = 0;
  bool one_by_one = true;
  for (const Place& place : use.places) {
    if (by_priority && c.priority[place.u] < asked.least_priority) continue;
    const auto lim = limits.of(c, place.u, own);
    if (!lim) continue;
    if (F[place.u] > FittingWait::longest_time || place.C > FittingWait::longest_time) return false;
    end = std::max(end, F[place.u]);
    one_by_one = one_by_one && *lim >= 0;
    nodes.push_back({.C = 2 * place.C, .F = 2 * F[place.u], .lim = 2 * *lim, .chain = place.chain});
    counted.emplace_back(2 * place.C, limits.jobs(*lim, F[place.u], c.T, J, own));
  }
  if (nodes.empty()) return true;
  Wait::Jobs& jobs = wait.add(d, own, copies);
  if (one_by_one && short_enough(end)) {
    jobs.fits.emplace(nodes, releases, 2 * window, wait.m);
  } else {
    jobs.counted = std::move(counted);
  }
  return true;
}

void FittingPaths::add_own(Wait& wait, const Asked& asked) const {
  const Use& use = this->use(asked.k, asked.local);
  const NodeBits parallel = paths_[asked.k]->parallel_to_paths(asked.v, asked.local, asked.least_priority);
  std::optional<std::uint32_t> chain;
  for (const Place& place : use.places) {
    if (!parallel[place.u]) continue;
    if (chain != place.chain) wait.own_chains.push_back(0);
    chain = place.chain;
    wait.own_chains.back() += 2 * place.C;
  }
  wait.own_most = static_cast<std::int64_t>(ceil_div(Wide{2} * wait.m * own_most(asked.k, asked.local)[asked.v].count(), ticks_.Q));
}

std::optional<FittingWait> FittingPaths::wait(std::size_t k, std::size_t v, const Ends& ends, const Decisive& of, std::size_t local) const {
  const std::uint32_t least = least_priority(ticks_.classes[k], local, of.set.mask);
  return wait({.k = k, .v = v, .ends = ends, .local = local, .least_priority = least});
}

std::optional<FittingWait> FittingPaths::others_of(std::size_t k, std::size_t v, const Ends& ends, bool whole) const {
  const std::size_t local = ticks_.classes[k].pool_of[v];
  return others({.k = k, .v = v, .ends = ends, .local = local, .least_priority = 0, .whole = whole});
}

std::optional<FittingWait> FittingPaths::others(const Asked& asked) const {
  const Class& c = ticks_.classes[asked.k];
  const std::size_t p = c.pools[asked.local];
  if (asked.ends.F[asked.k][asked.v] > FittingWait::longest_time) return std::nullopt;
  const Limits limits(ticks_, *paths_[asked.k], asked);
  Wait wait;
  wait.jobs.reserve(ticks_.users[p].size() + 1);
  wait.m = ticks_.system->pools[p].capacity;
  for (const std::size_t d : ticks_.users[p]) {
    if (!add_jobs(wait, asked, limits, d, false)) return std::nullopt;
  }
  if (!add_jobs(wait, asked, limits, asked.k, true)) return std::nullopt;
  return wait;
}

std::optional<FittingWait> FittingPaths::begin(const Asked& asked) const {
  std::optional<Wait> wait = others(asked);
  if (wait) add_own(*wait, asked);
  return wait;
}

std::optional<FittingWait> FittingPaths::wait(const Asked& asked) const {
  std::optional<Wait> wait = begin(asked);
  if (wait) wait->find();
  return wait;
}

}  // namespace rta::analysis::path
