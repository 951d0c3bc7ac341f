#include "analysis/executors/local.hpp"

#include <algorithm>

#include "rta/model/error.hpp"

namespace rta::analysis::executors {
namespace {

/// Of an executor: instants, times pairs of its nodes.
constexpr std::size_t most_counts = 20'000'000;

}  // namespace

/// The nodes of other pools before v's visit have ended by then.
std::int64_t Visits::visit_ready(std::size_t k, std::size_t v) const {
  const DagGraph& dag = graph_.dags[k];
  std::int64_t A = 0;
  for (std::size_t u = 0; u < dag.size(); ++u) {
    if (u != v && !dag.leads[v][u]) continue;
    for (const std::size_t w : dag.before[u]) {
      if (dag.local[w] != dag.local[v]) A = std::max(A, F_[k][w]);
    }
  }
  return A;
}

std::vector<std::size_t> Visits::path(std::size_t k, std::size_t v) const {
  const DagGraph& dag = graph_.dags[k];
  std::vector<std::size_t> path{v};
  while (true) {
    const auto& before = dag.before[path.back()];
    const auto at = std::ranges::find_if(before, [&](std::size_t w) { return dag.local[w] == dag.local[v]; });
    if (at == before.end()) break;
    path.push_back(*at);
  }
  std::ranges::reverse(path);
  return path;
}

/// M: one for the rest of the window in which the visit begins, and 1 + o of each of its nodes.
Wide Visits::windows_of(std::size_t k, std::size_t v) const {
  const DagGraph& dag = graph_.dags[k];
  std::vector<Wide> most(dag.size());
  for (const std::size_t u : dag.order) {
    if (dag.local[u] != dag.local[v]) continue;
    for (const std::size_t w : dag.before[u]) {
      if (dag.local[w] == dag.local[v]) most[u] = std::max(most[u], most[w]);
    }
    most[u] += 1 + graph_.others_pending(k, u, F_);
  }
  return 1 + most[v];
}

/// Jobs that run before J's v began their visits no later than J did.
bool Visits::in_queue_order(std::size_t k, std::size_t v) const {
  const DagGraph& dag = graph_.dags[k];
  if (dag.in_order[v]) return true;
  for (std::size_t u = v; true; u = dag.before[u].front()) {
    if (dag.before[u].empty() || dag.local[u] != dag.local[v]) return true;
    if (dag.before[u].size() > 1) return false;
  }
}

const Visits::Executor& Visits::executor(std::size_t pool) {
  std::optional<Executor>& of = arrivals_[pool];
  if (of) return *of;
  of.emplace();
  of->pool = pool;
  of->nodes.reserve(graph_.users[pool].size());
  for (const auto& [d, u] : graph_.users[pool]) of->nodes.push_back({d, u, visit_ready(d, u), graph_.dags[d].T, graph_.length(d, u)});
  if (!find_busy_period(*of, busy_[pool])) return *of;
  of->B = busy_[pool];
  of->known = instants(*of) <= most_counts / (of->nodes.size() * of->nodes.size());
  return *of;
}

/// The least B > 0 with B >= the sum of C ceil((B + A)/T), 0 where nothing takes time, from a B that is no more; whether there is one.
bool Visits::find_busy_period(const Executor& of, std::int64_t& B) const {
  std::int64_t limit = 0;
  for (const Arrival& u : of.nodes) limit = std::max(limit, u.T);
  const Wide most = std::min(Wide{limit} * 1000, Wide{longest_length});
  while (true) {
    Wide sum = 0;
    for (const Arrival& u : of.nodes)
      sum = checked_add(sum, checked_mul(Wide{u.C}, ceil_div(Wide{std::max<std::int64_t>(B, 1)} + u.A, u.T)));
    sum = graph_.held(of.pool, sum);
    if (sum <= B) return true;
    if (sum > most) return false;
    B = static_cast<std::int64_t>(sum);
  }
}

/// At which some count of jobs changes in [0, B): 0, each arrival and 1 ns after it, those of several nodes once for each.
Wide Visits::instants(const Executor& of) {
  Wide sum = 1;
  for (const Arrival& u : of.nodes) {
    const Wide first = ceil_div(u.A, u.T) * u.T - u.A;
    sum += jobs_in(of.B - first, u.T) + jobs_in(of.B - 1 - first, u.T);
  }
  return sum;
}

/// The last of them up to `until`, which is in [0, B).
std::int64_t Visits::last_instant(const Executor& of, std::int64_t until) {
  std::int64_t last = 0;
  for (const Arrival& u : of.nodes) {
    const std::int64_t since = (until + u.A) % u.T;
    if (since <= until) last = std::max(last, until - since + (since > 0 ? 1 : 0));
    if (last == until) break;
  }
  return last;
}

/// Jobs of u that are executed before v starts at S after the executor became busy: of those that came before x all, then one a window.
Wide Visits::count(const Arrival& u, std::size_t k, std::size_t v, std::int64_t x, std::int64_t S, Wide M, bool ordered) const {
  const bool itself = u.dag == k && u.node == v;
  if (itself && ordered) return floor_div(Wide{x} + u.A, u.T);
  const Wide until_start = floor_div(Wide{S} + u.A, u.T) + 1;
  return std::min(until_start, most_of(u, x, M)) - (itself ? 1 : 0);
}

/// Those that came before x, then one a window.
Wide Visits::most_of(const Arrival& u, std::int64_t x, Wide M) { return ceil_div(Wide{x} + u.A, u.T) + M; }

/// From `least` on, which is no more than S(x).
std::optional<Visits::Case> Visits::start(const Executor& of, std::size_t k, std::size_t v, std::int64_t x, std::int64_t least, Wide M,
                                          bool ordered) {
  rising_.clear();
  Wide risen = 0;  // what comes before v whenever it starts
  for (const Arrival& u : of.nodes) {
    const bool itself = u.dag == k && u.node == v;
    if (itself && ordered) {
      risen = checked_add(risen, checked_mul(Wide{u.C}, count(u, k, v, x, x, M, ordered)));
      continue;
    }
    if (itself) risen -= u.C;
    rising_.push_back({u.A, u.T, u.C, most_of(u, x, M)});
  }
  std::int64_t S = least;
  while (true) {
    Wide sum = risen;
    for (std::size_t i = 0; i < rising_.size();) {
      const Rising& u = rising_[i];
      const Wide n = (S + u.A) / u.T + 1;
      sum = checked_add(sum, checked_mul(Wide{u.C}, std::min(n, u.most)));
      if (n < u.most) {
        ++i;
        continue;
      }
      risen += u.C * u.most;
      rising_[i] = rising_.back();
      rising_.pop_back();
    }
    // The first instant of v's own is executed by then.
    const Wide starts = graph_.held(of.pool, sum + 1) - 1;
    if (starts > longest_length) return std::nullopt;
    if (starts <= S) {
      const std::int64_t C = graph_.length(k, v);
      const Wide until = graph_.system->pools[of.pool].supply ? graph_.held(of.pool, sum + C) - C : Wide{S};
      if (until > longest_length) return std::nullopt;
      return Case{x, S, static_cast<std::int64_t>(sum), static_cast<std::int64_t>(until)};
    }
    S = static_cast<std::int64_t>(starts);
  }
}

/// The earliest x with the largest S(x) - x, in a reservation E(x) - x, or some with at least `enough`. For x' < x is S(x') <= S(x), so
/// S(x) tells from the last x on how far back no x' can have more.
std::optional<Visits::Case> Visits::worst(std::size_t k, std::size_t v, std::int64_t enough) {
  const DagGraph& dag = graph_.dags[k];
  const Executor& of = executor(dag.pools[dag.local[v]]);
  if (!of.known) return std::nullopt;
  const Wide M = windows_of(k, v);
  const bool ordered = in_queue_order(k, v);
  const auto first = start(of, k, v, 0, first_[k][v], M, ordered);
  if (!first) return std::nullopt;
  first_[k][v] = first->start;
  Case worst = *first;
  std::int64_t until = of.B - 1;
  while (until > 0 && worst.until - worst.x < enough) {
    const std::int64_t x = last_instant(of, until);
    if (x == 0) break;
    const auto S = start(of, k, v, x, std::max(x, first->start), M, ordered);
    if (!S) return std::nullopt;
    const std::int64_t most = worst.until - worst.x;
    if (S->until - x > most || (S->until - x == most && x < worst.x)) worst = *S;
    until = std::min(x - 1, S->until - (worst.until - worst.x));
  }
  return worst;
}

std::optional<std::int64_t> Visits::end(std::size_t k, std::size_t v, std::int64_t enough) {
  const std::int64_t rest = (Time(visit_ready(k, v)) + Time(graph_.length(k, v))).count();
  const auto found = worst(k, v, enough - rest);
  if (!found) return std::nullopt;
  return (Time(rest) + Time(found->until - found->x)).count();
}

LocalSum Visits::sum(std::size_t k, std::size_t v) {
  const auto found = worst(k, v, INT64_MAX);
  require(found.has_value(), "a bound by T19j has its numbers");
  const DagGraph& dag = graph_.dags[k];
  LocalSum sum;
  sum.ready = Time(visit_ready(k, v));
  sum.x = Time(found->x);
  sum.start = Time(found->start);
  sum.end = Time(found->until) + Time(graph_.length(k, v));
  if (const auto& supply = graph_.system->pools[dag.pools[dag.local[v]]].supply) {
    const Wide work = Wide{found->work} + graph_.length(k, v);
    sum.reserved = Reserved{.visits = 1,
                            .runtime = supply->runtime,
                            .period = supply->period,
                            .work = fine(to_time(work)),
                            .gaps = fine(sum.end) - fine(to_time(work))};
  }
  sum.windows = windows_of(k, v);
  const bool ordered = in_queue_order(k, v);
  for (const Arrival& u : executor(dag.pools[dag.local[v]]).nodes) {
    const Wide n = count(u, k, v, found->x, found->start, sum.windows, ordered);
    if (n > 0) sum.counts.push_back({u.dag, u.node, n});
  }
  return sum;
}

}  // namespace rta::analysis::executors
