#include "rta/analysis/executors/wait_set.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "analysis/executors/graph.hpp"
#include "analysis/executors/local.hpp"
#include "analysis/path/system/ticks.hpp"
#include "rta/model/error.hpp"

namespace rta::analysis::executors {
namespace {

using path::Order;

constexpr std::size_t most_for_pairs = 256;  // nodes of a DAG; of larger ones T20 counts more in full, which is safe
constexpr std::size_t most_ways = 64;        // of a node; beyond, its paths pay for all pools of one another, which is safe

/// Paths to a node that visit the same pools, and the same groups of them.
struct Way {
  std::uint64_t pools = 0;    // of the DAG
  std::uint64_t groups = 0;   // likewise
  Wide length = 0;            // in the grid: sum of e less what counts of its nodes, and Blk, on other pools than wait sets
  std::vector<Wide> windows;  // M of each of the DAG's pools
  std::vector<Wide> visits;   // to each that is a reservation
  std::vector<Wide> blocked;  // Blk of its nodes on each that is a reservation
  std::size_t node = 0, way = 0;
  bool first = true;  // nothing before it
};

/// T19, with T20 where executors have several threads, on one state of F.
class Paths {
 public:
  Paths(const Graph& graph, const Ends& F) : graph_(graph), F_(F) {}

  /// Of DAG k, to be called after its ends have changed.
  void set(std::size_t k) {
    k_ = k;
    const DagGraph& dag = graph_.dags[k];
    const std::size_t n = dag.size();
    ways_.assign(n, {});
    limits_.assign(n, std::vector<std::vector<Limit>>(dag.pools.size()));
    for (const std::size_t v : dag.order) {
      for (const std::size_t u : dag.before[v]) {
        for (std::size_t i = 0; i < dag.pools.size(); ++i) {
          for (const Limit& limit : limits_[u][i]) add(limits_[v][i], limit);
        }
      }
      add(limits_[v][dag.local[v]], limit_of(v));
      if (dag.before[v].empty()) add_way(v, nullptr, 0, 0);
      for (const std::size_t u : dag.before[v]) {
        for (std::size_t i = 0; i < ways_[u].size(); ++i) add_way(v, &ways_[u][i], u, i);
      }
    }
  }

  /// The right-hand side, in the grid.
  [[nodiscard]] Wide end(std::size_t v) const {
    std::optional<Wide> most;
    for (const Way& way : ways_[v]) most = std::max(most.value_or(0), end_by(v, way));
    return *most;
  }

  [[nodiscard]] Derivation derivation(std::size_t v) const {
    const DagGraph& dag = graph_.dags[k_];
    const Way* best = &ways_[v].front();
    for (const Way& way : ways_[v]) {
      if (end_by(v, way) > end_by(v, *best)) best = &way;
    }
    Derivation result;
    result.node = v;
    result.total = graph_.fine(end_by(v, *best));
    for (std::size_t at = v; true;) {
      result.path.push_back(at);
      const Way& way = at == v && result.path.size() == 1 ? *best : ways_[at][next_way_];
      if (way.first) break;
      next_way_ = way.way;
      at = way.node;
    }
    std::ranges::reverse(result.path);
    for (std::size_t i = 0; i < dag.pools.size(); ++i) {
      if (!has(best->pools, i)) continue;
      Visited visited{.pool = dag.pools[i]};
      const bool multi_threaded = pool(i).order == Order::multi_threaded;
      if (is_wait_set(i)) {
        visited.windows = best->windows[i];
        visited.lim = Time(limits_[v][i].front().until);
        visited.window = to_time(graph_.window(dag.pools[i]));
      }
      Wide length = best->blocked[i];
      if (const auto& supply = pool(i).supply)
        visited.reserved = Reserved{.visits = best->visits[i], .runtime = supply->runtime, .period = supply->period};
      if (multi_threaded) {
        visited.threads = pool(i).capacity;
        visited.lim = Time(limits_[v][i].front().until);
      }
      counted(v, i, *best, [&](std::size_t d, std::size_t u, Wide n, bool whole) {
        // What T20 counts of the path's own nodes is their execution.
        const bool own = d == k_ && std::ranges::find(result.path, u) != result.path.end();
        if (multi_threaded && own && (whole || graph_.node(d, u).group == 0)) n -= 1;
        if (n == 0) return;
        visited.counts.push_back({d, u, n, whole});
        length += n * (whole ? graph_.in_full(d, u) : graph_.work(d, u));
      });
      Wide blocking = 0;
      for (const std::size_t q : result.path) {
        if (dag.local[q] != i || is_wait_set(i) || pool(i).supply) continue;
        result.by_path.elsewhere += graph_.node(k_, q).e;
        if (multi_threaded) continue;
        visited.last_pieces += graph_.node(k_, q).s;
        length -= graph_.last_piece(k_, q);
        blocking += graph_.blocking(k_, q, F_);
      }
      if (visited.reserved) {
        const Wide gaps = graph_.gaps(dag.pools[i], length, best->visits[i]);
        visited.reserved->work = graph_.fine(length);
        visited.reserved->gaps = graph_.fine(gaps);
        blocking = best->blocked[i];
        length += gaps - blocking;
      }
      visited.blocking = graph_.fine(blocking);
      visited.length = graph_.fine(length + blocking);
      result.by_path.pools.push_back(std::move(visited));
    }
    return result;
  }

 private:
  /// While a node of this priority waits, jobs released up to `until` may go before it, under fixed priorities what is as urgent up to
  /// `equals`. Executors, FIFO and GEL pools have one, the largest.
  struct Limit {
    std::int64_t until = 0;
    std::int64_t equals = 0;
    std::uint32_t priority = 0;
  };

  [[nodiscard]] const path::Pool& pool(std::size_t local) const { return graph_.system->pools[graph_.dags[k_].pools[local]]; }
  [[nodiscard]] bool is_wait_set(std::size_t local) const { return pool(local).order == Order::wait_set; }
  /// T19 or T20 counts what runs there while the path does, or waits.
  [[nodiscard]] bool is_executor(std::size_t local) const { return is_wait_set(local) || pool(local).order == Order::multi_threaded; }
  [[nodiscard]] static bool has(std::uint64_t pools, std::size_t local) { return (pools & bit(local)) != 0; }
  [[nodiscard]] static std::uint64_t bit(std::size_t local) { return path::bit_of(local); }

  static void add(std::vector<Limit>& limits, const Limit& added) {
    for (Limit& other : limits) {
      if (other.priority != added.priority) continue;
      other.until = std::max(other.until, added.until);
      other.equals = std::max(other.equals, added.equals);
      return;
    }
    limits.push_back(added);
  }

  [[nodiscard]] Limit limit_of(std::size_t q) const {
    const DagGraph& dag = graph_.dags[k_];
    const std::int64_t F = F_[k_][q];
    const std::int64_t A = graph_.ready(k_, q, F_);
    const path::Pool& on = pool(dag.local[q]);
    switch (on.order) {
      case Order::wait_set: {
        const Wide polled = A + (1 + graph_.others_pending(k_, q, F_)) * graph_.window(dag.pools[dag.local[q]]);
        return {on.supply ? std::max(F, A) : static_cast<std::int64_t>(std::min<Wide>(F, polled)), 0, 0};
      }
      case Order::fifo: return {A, 0, 0};
      case Order::multi_threaded: return {std::max(F, A), 0, 0};
      case Order::gel: return {F, 0, 0};
      default: return {std::max(F, A), on.equals_any ? std::max(F, A) : A, graph_.node(k_, q).priority};
    }
  }

  void add_way(std::size_t v, const Way* before, std::size_t u, std::size_t of_u) {
    const DagGraph& dag = graph_.dags[k_];
    const std::size_t i = dag.local[v];
    const std::vector<Wide> none(dag.pools.size());
    Way way{.pools = bit(i),
            .groups = 0,
            .length = 0,
            .windows = none,
            .visits = none,
            .blocked = none,
            .node = u,
            .way = of_u,
            .first = before == nullptr};
    if (before != nullptr) {
      way.pools |= before->pools;
      way.groups = before->groups;
      way.length = before->length;
      way.windows = before->windows;
      way.visits = before->visits;
      way.blocked = before->blocked;
    }
    const std::size_t group = dag.place_of_group(graph_.node(k_, v));
    const bool goes_on = before != nullptr && dag.local[u] == i;
    if (pool(i).supply) {
      way.visits[i] += goes_on ? 0 : 1;
      way.blocked[i] += graph_.blocking(k_, v, F_);
    }
    if (group < dag.groups.size()) {
      way.groups |= bit(group);  // the node itself counts in full
    } else if (is_wait_set(i)) {
      way.windows[i] += (goes_on ? 0 : 1) + 1 + graph_.others_pending(k_, v, F_);
    } else if (!pool(i).supply) {
      way.length += graph_.in_grid(graph_.node(k_, v).e) - graph_.last_piece(k_, v) + graph_.blocking(k_, v, F_);
    }
    std::vector<Way>& ways = ways_[v];
    const auto same = std::ranges::find_if(ways, [&](const Way& other) { return other.pools == way.pools && other.groups == way.groups; });
    if (same != ways.end()) {
      join(*same, way);
    } else if (ways.size() < most_ways) {
      ways.push_back(std::move(way));
    } else {
      ways.front().pools |= way.pools;
      ways.front().groups |= way.groups;
      for (std::size_t j = 1; j < ways.size(); ++j) {
        ways.front().pools |= ways[j].pools;
        ways.front().groups |= ways[j].groups;
        join(ways.front(), ways[j]);
      }
      join(ways.front(), way);
      ways.resize(1);
    }
  }

  static void join(Way& of, const Way& other) {
    for (std::size_t i = 0; i < of.windows.size(); ++i) {
      of.windows[i] = std::max(of.windows[i], other.windows[i]);
      of.visits[i] = std::max(of.visits[i], other.visits[i]);
      of.blocked[i] = std::max(of.blocked[i], other.blocked[i]);
    }
    const auto visits = [](const Way& way) {
      Wide sum = 0;
      for (const Wide M : way.windows) sum += M;
      return sum;
    };
    if (other.length < of.length || (other.length == of.length && visits(other) <= visits(of))) return;
    of.length = other.length;
    of.node = other.node;
    of.way = other.way;
    of.first = other.first;
  }

  [[nodiscard]] Wide end_by(std::size_t v, const Way& way) const {
    Wide end = way.length;
    for (std::size_t i = 0; i < way.windows.size(); ++i) {
      if (!has(way.pools, i)) continue;
      Wide work = way.blocked[i];
      counted(v, i, way, [&](std::size_t d, std::size_t u, Wide n, bool whole) {
        work = checked_add(work, checked_mul(n, whole ? graph_.in_full(d, u) : graph_.work(d, u)));
      });
      if (way.visits[i] > 0) work = checked_add(work, graph_.gaps(graph_.dags[k_].pools[i], work, way.visits[i]));
      end = checked_add(end, work);
    }
    return end;
  }

  /// n_u of each node u on a pool that counts for paths to v, and whether each counts in full; on an executor those of the job itself on a
  /// path are its execution.
  template <class Take>
  void counted(std::size_t v, std::size_t local, const Way& way, const Take& take) const {
    const DagGraph& own = graph_.dags[k_];
    const std::vector<Limit>& limits = limits_[v][local];
    if (limits.empty()) return;  // joined with paths that visit it
    const path::Pool& on = pool(local);
    for (const auto& [d, u] : graph_.users[own.pools[local]]) {
      const std::int64_t T = graph_.dags[d].T;
      const std::int64_t F = F_[d][u];
      const std::optional<std::int64_t> lim = limit_for(on, limits, d, u);
      if (!lim) continue;
      Wide n = 0, later = 0;
      if (d != k_) {
        n = jobs_in(Wide{F} + *lim, T);
      } else if (on.order == Order::gel) {
        n = jobs_in(F, T) - (own.follows(u, v) ? 1 : 0);
      } else {
        const bool overtakes = !is_executor(local) || u != v || !own.in_order[v];
        n = std::max<Wide>(0, jobs_in(F, T) - 1) + (counts_itself(v, u, local) ? 1 : 0);
        later = overtakes ? floor_div(*lim, T) : 0;
      }
      const bool whole = shares_group(way, d, u);
      if (whole && later > 0 && is_last_of_group(v, u)) {
        take(d, u, later, false);
      } else {
        n += later;
      }
      if (on.order == Order::wait_set) n = std::min(n, way.windows[local]);
      if (n > 0) take(d, u, n, whole);
    }
  }

  /// Whether u runs beside no node of the path of some group.
  [[nodiscard]] bool shares_group(const Way& way, std::size_t d, std::size_t u) const {
    const DagGraph& dag = graph_.dags[k_];
    if (graph_.node(d, u).group == 0) return false;
    const std::size_t group = dag.place_of_group(graph_.node(d, u));
    return group < dag.groups.size() && (way.groups & bit(group)) != 0;
  }

  /// Whether every path to v visits u, and no node of u's group behind it, and jobs come to u in order: later ones then run behind this one
  /// of u, when the path waits for other groups.
  [[nodiscard]] bool is_last_of_group(std::size_t v, std::size_t u) const {
    const DagGraph& dag = graph_.dags[k_];
    if (dag.size() > most_for_pairs || !dag.in_order[u] || (u != v && !dag.follows(v, u))) return false;
    for (std::size_t w = 0; w < dag.size(); ++w) {
      if (w == u || (w != v && !dag.follows(v, w)) || dag.follows(u, w)) continue;
      const bool follows = dag.follows(w, u);
      if (!follows || (graph_.node(k_, w).pool == graph_.node(k_, u).pool && graph_.node(k_, w).group == graph_.node(k_, u).group))
        return false;
    }
    return true;
  }

  /// Of the job in question: what does not follow v; on an executor only what precedes v, or may run while the path waits there.
  [[nodiscard]] bool counts_itself(std::size_t v, std::size_t u, std::size_t local) const {
    const DagGraph& dag = graph_.dags[k_];
    if (dag.follows(u, v)) return false;
    if (!is_executor(local) || u == v || dag.follows(v, u)) return true;
    for (std::size_t q = 0; q < dag.size(); ++q) {
      if (dag.local[q] == local && (q == v || dag.follows(v, q)) && !dag.follows(u, q) && !dag.follows(q, u)) return true;
    }
    return false;
  }

  [[nodiscard]] std::optional<std::int64_t> limit_for(const path::Pool& on, const std::vector<Limit>& limits, std::size_t d,
                                                      std::size_t u) const {
    if (on.order == Order::wait_set || on.order == Order::multi_threaded || on.order == Order::fifo) return limits.front().until;
    if (on.order == Order::gel) return std::min(limits.front().until, graph_.dags[k_].Y - graph_.dags[d].Y);
    const std::uint32_t priority = graph_.node(d, u).priority;
    std::optional<std::int64_t> most;
    for (const Limit& limit : limits) {
      if (limit.priority > priority) continue;
      const std::int64_t until = limit.priority == priority ? limit.equals : limit.until;
      most = std::max(most.value_or(until), until);
    }
    return most;
  }

  const Graph& graph_;
  const Ends& F_;
  std::size_t k_ = 0;
  std::vector<std::vector<Way>> ways_;
  std::vector<std::vector<std::vector<Limit>>> limits_;  // node, local pool -> of its nodes there among the node and what precedes it
  mutable std::size_t next_way_ = 0;
};

/// The least of what carries a node, and which.
struct Least {
  std::int64_t F = 0;
  Carrier carrier = Carrier::path;
  std::size_t by = 0;
};

class Solver {
 public:
  Solver(const path::System& system, Carriers carriers) : graph_(system), carriers_(carriers), paths_(graph_, F_), visits_(graph_, F_) {
    F_.reserve(graph_.dags.size());
    for (const DagGraph& dag : graph_.dags) F_.push_back(dag.longest);
  }

  Result<Bounds> solve(const path::Limits& limits) {
    Bounds result;
    result.carrier.resize(F_.size());
    result.by.resize(F_.size());
    bool changed = true;
    for (std::size_t sweep = 0; changed; ++sweep) {
      if (sweep == limits.sweeps) return reason::StillGrows{sweep, false};
      if (limits.stop && limits.stop()) return reason::Stopped{};
      changed = false;
      visits_.clear();
      for (std::size_t k = 0; k < F_.size(); ++k) {
        const std::vector<Least> least = least_of(k);
        result.carrier[k].resize(least.size());
        result.by[k].resize(least.size());
        for (std::size_t v = 0; v < least.size(); ++v) {
          const std::int64_t end = std::max(least[v].F, F_[k][v]);  // no less than before, but for what is rounded
          changed = changed || end > F_[k][v];
          F_[k][v] = end;
          result.carrier[k][v] = least[v].carrier;
          result.by[k][v] = least[v].by;
          if (end > limit(k, limits)) return past(k, v, limits);
        }
      }
    }
    for (const auto& of_dag : F_) {
      auto& times = result.F.emplace_back();
      times.reserve(of_dag.size());
      for (const std::int64_t F : of_dag) times.emplace_back(F);
    }
    return result;
  }

 private:
  std::vector<Least> least_of(std::size_t k) {
    const DagGraph& dag = graph_.dags[k];
    std::vector<Least> least(dag.size());
    paths_.set(k);
    for (std::size_t v = 0; v < dag.size(); ++v) {
      least[v].by = v;
      if (carriers_.path) least[v].F = graph_.in_ns(paths_.end(v));
      std::optional<std::int64_t> local;
      const path::Pool& on = graph_.system->pools[dag.pools[dag.local[v]]];
      if (carriers_.local && on.order == Order::wait_set) local = visits_.end(k, v, carriers_.path ? least[v].F : INT64_MAX);
      if (local && (!carriers_.path || *local < least[v].F)) {
        least[v].F = *local;
        least[v].carrier = Carrier::local;
      } else if (!carriers_.path) {
        least[v].F = graph_.in_ns(paths_.end(v));
      }
    }
    if (carriers_.successor) take_successors(k, least);
    return least;
  }

  /// v ends before what follows it does. T19j takes it from nodes elsewhere that they have ended by A, so it carries those of its visit
  /// alone.
  void take_successors(std::size_t k, std::vector<Least>& least) const {
    const DagGraph& dag = graph_.dags[k];
    const std::vector<Least> own = least;
    for (std::size_t v = 0; v < dag.size(); ++v) {
      for (std::size_t w = 0; w < dag.size(); ++w) {
        if (own[w].F >= least[v].F || !dag.follows(w, v)) continue;
        if (own[w].carrier == Carrier::local && !dag.leads[w][v]) continue;
        least[v] = {own[w].F, Carrier::successor, w};
      }
    }
  }

  [[nodiscard]] std::int64_t limit(std::size_t k, const path::Limits& limits) const {
    const Wide limit = std::min(Wide{limits.periods} * graph_.dags[k].T, Wide{longest_length});
    return static_cast<std::int64_t>(limit);
  }

  [[nodiscard]] Reason past(std::size_t k, std::size_t v, const path::Limits& limits) const {
    const DagGraph& dag = graph_.dags[k];
    const std::size_t p = dag.pools[dag.local[v]];
    const bool by_time = Wide{limits.periods} * dag.T > longest_length;
    return reason::PastLimit{.dag = graph_.system->dags[k].name,
                             .pool = graph_.system->pools[p].name,
                             .load = path::load_of(*graph_.system, p),
                             .limit = Time(limit(k, limits)),
                             .periods = by_time ? 0 : limits.periods};
  }

  Graph graph_;
  Carriers carriers_;
  Ends F_;
  Paths paths_;
  Visits visits_;
};

}  // namespace

namespace {

/// A group has one thread at most.
std::optional<Reason> overloaded_group(const path::System& system) {
  std::map<std::pair<std::size_t, std::uint32_t>, Utilization> loads;
  for (const path::Dag& dag : system.dags) {
    for (const path::Node& node : dag.nodes) {
      if (node.group != 0) loads[{node.pool, node.group}].add(node.vol, dag.T.count());
    }
  }
  for (const auto& [group, U] : loads) {
    if (U.compare(1) > 0) return reason::ExecutorOverload{.pool = system.pools[group.first].name, .U = U, .group = group.second};
  }
  return std::nullopt;
}

/// U > Q/P
std::optional<Reason> overloaded_reservation(const path::System& system) {
  std::vector<Utilization> loads(system.pools.size());
  for (const path::Dag& dag : system.dags) {
    for (const path::Node& node : dag.nodes) {
      if (system.pools[node.pool].supply) loads[node.pool].add(std::max<Wide>(node.vol, 1), dag.T.count());
    }
  }
  for (std::size_t p = 0; p < system.pools.size(); ++p) {
    const auto& supply = system.pools[p].supply;
    if (!supply || loads[p].compare(supply->runtime.count(), supply->period.count()) <= 0) continue;
    return reason::ExecutorOverload{
        .pool = system.pools[p].name, .U = loads[p], .reservation = Reservation{supply->runtime, supply->period}};
  }
  return std::nullopt;
}

}  // namespace

Result<Bounds> bounds(const path::System& system, const path::Limits& limits, Carriers carriers) {
  if (auto overloaded = path::overloaded_pool(system)) {
    if (const auto* over = std::get_if<reason::PathOverload>(&*overloaded)) {
      const auto at = std::ranges::find(system.pools, over->pool, &path::Pool::name);
      const bool executor = at != system.pools.end() && (at->order == Order::wait_set || at->order == Order::multi_threaded);
      if (executor) return reason::ExecutorOverload{.pool = over->pool, .U = over->U, .threads = at->capacity};
    }
    return *overloaded;
  }
  if (auto overloaded = overloaded_group(system)) return *std::move(overloaded);
  if (auto overloaded = overloaded_reservation(system)) return *std::move(overloaded);
  return Solver(system, carriers).solve(limits);
}

Derivation derivation(const path::System& system, const Bounds& bounds, std::size_t k, std::size_t v) {
  const Graph graph(system);
  Ends F;
  F.reserve(bounds.F.size());
  for (const auto& of_dag : bounds.F) {
    auto& ends = F.emplace_back();
    ends.reserve(of_dag.size());
    for (const Time end : of_dag) ends.push_back(end.count());
  }
  const std::size_t by = bounds.by[k][v];
  Derivation result;
  if (bounds.carrier[k][by] == Carrier::local) {
    Visits visits(graph, F);
    result.local = true;
    result.path = visits.path(k, by);
    result.by_visit = visits.sum(k, by);
    result.total = fine(result.by_visit.ready + result.by_visit.end - result.by_visit.x);
  } else {
    Paths paths(graph, F);
    paths.set(k);
    result = paths.derivation(by);
  }
  result.carrier = bounds.carrier[k][v];
  result.node = by;
  return result;
}

}  // namespace rta::analysis::executors
