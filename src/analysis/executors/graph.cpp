#include "analysis/executors/graph.hpp"

#include <algorithm>

#include "rta/model/error.hpp"
#include "rta/model/topological_order.hpp"

namespace rta::analysis::executors {
namespace {

constexpr Wide finest_grid = Wide{1} << 24U;

/// One processor, engine or worker, which ends each job before it begins the next; or a group, in which none runs beside another.
bool keeps_order(const path::Pool& pool, const path::Node& node) {
  if (pool.order == path::Order::multi_threaded) return node.group != 0;
  return pool.order == path::Order::wait_set ||
         (pool.order == path::Order::fifo && pool.capacity == 1 && pool.unit == 1 && pool.unit_weights && !pool.in_turn);
}

DagGraph graph_of(const path::Dag& dag, const path::System& system) {
  const std::size_t n = dag.nodes.size();
  DagGraph of;
  of.T = dag.T.count();
  of.Y = dag.Y.count();
  of.before.resize(n);
  std::vector<std::vector<std::size_t>> next(n);
  for (const auto& edge : dag.edges) {
    of.before[edge.to].push_back(edge.from);
    next[edge.from].push_back(edge.to);
  }
  of.order = topological_order(n, [&](std::size_t v) -> const std::vector<std::size_t>& { return next[v]; });
  require(of.order.size() == n, "a DAG has no cycle");
  of.pools.reserve(n);
  for (const path::Node& node : dag.nodes) of.pools.push_back(node.pool);
  std::ranges::sort(of.pools);
  of.pools.erase(std::unique(of.pools.begin(), of.pools.end()), of.pools.end());
  of.local.reserve(n);
  for (const path::Node& node : dag.nodes)
    of.local.push_back(static_cast<std::size_t>(std::ranges::lower_bound(of.pools, node.pool) - of.pools.begin()));
  for (const path::Node& node : dag.nodes) {
    if (node.group != 0) of.groups.emplace_back(node.pool, node.group);
  }
  std::ranges::sort(of.groups);
  of.groups.erase(std::unique(of.groups.begin(), of.groups.end()), of.groups.end());
  of.after.assign(n, std::vector<bool>(n));
  of.longest.assign(n, 0);
  of.leads.assign(n, std::vector<bool>(n));
  of.in_order.assign(n, true);
  for (const std::size_t v : of.order) {
    for (const std::size_t u : of.before[v]) {
      of.longest[v] = std::max(of.longest[v], of.longest[u]);
      if (!of.in_order[u] || !keeps_order(system.pools[dag.nodes[u].pool], dag.nodes[u])) of.in_order[v] = false;
      if (of.local[u] != of.local[v]) continue;
      of.leads[v][u] = true;
      for (std::size_t w = 0; w < n; ++w) {
        if (of.leads[u][w]) of.leads[v][w] = true;
      }
    }
    of.longest[v] = (Time(of.longest[v]) + dag.nodes[v].e).count();
  }
  for (auto v = of.order.rbegin(); v != of.order.rend(); ++v) {
    for (const std::size_t u : next[*v]) {
      of.after[*v][u] = true;
      for (std::size_t w = 0; w < n; ++w) {
        if (of.after[u][w]) of.after[*v][w] = true;
      }
    }
  }
  return of;
}

}  // namespace

std::size_t DagGraph::place_of_group(const path::Node& node) const {
  const std::pair wanted(node.pool, node.group);
  const auto at = std::ranges::lower_bound(groups, wanted);
  return at != groups.end() && *at == wanted ? static_cast<std::size_t>(at - groups.begin()) : groups.size();
}

Graph::Graph(const path::System& of) : system(&of), users(of.pools.size()), windows(of.pools.size()) {
  dags.reserve(of.dags.size());
  for (std::size_t d = 0; d < of.dags.size(); ++d) {
    dags.push_back(graph_of(of.dags[d], of));
    for (std::size_t v = 0; v < of.dags[d].nodes.size(); ++v) {
      const path::Node& node = of.dags[d].nodes[v];
      users[node.pool].emplace_back(d, v);
      windows[node.pool] += node.e.count();
    }
  }
  for (std::size_t p = 0; p < of.pools.size(); ++p) {
    if (users[p].empty()) continue;
    const Wide rate = checked_mul(Wide{of.pools[p].capacity}, of.pools[p].unit);
    const Wide finer = checked_mul(grid / gcd(grid, rate), rate);
    if (finer <= finest_grid) grid = finer;  // else amounts are rounded, the safe way
  }
  for (std::size_t d = 0; d < of.dags.size(); ++d) {
    auto& work_of = works.emplace_back();
    auto& last_of = last_pieces.emplace_back();
    work_of.reserve(of.dags[d].nodes.size());
    last_of.reserve(of.dags[d].nodes.size());
    for (const path::Node& node : of.dags[d].nodes) {
      const Wide rate = checked_mul(Wide{of.pools[node.pool].capacity}, of.pools[node.pool].unit);
      // A callback of length 0 has to wait for its processor, too.
      const Wide vol = of.pools[node.pool].supply ? std::max<Wide>(node.vol, 1) : node.vol;
      work_of.push_back(ceil_div(checked_mul(vol, grid), rate));
      last_of.push_back(floor_div(checked_mul(node.s, grid), rate));
    }
  }
}

std::int64_t Graph::ready(std::size_t k, std::size_t q, const Ends& F) const {
  std::int64_t A = 0;
  for (const std::size_t u : dags[k].before[q]) A = std::max(A, F[k][u]);
  return A;
}

Wide Graph::others_pending(std::size_t k, std::size_t q, const Ends& F) const { return std::max<Wide>(0, jobs_in(F[k][q], dags[k].T) - 1); }

Wide Graph::gaps(std::size_t pool, Wide work, Wide visits) const {
  const path::Supply& supply = *system->pools[pool].supply;
  const Wide times = 2 * visits - 1 + ceil_div(work, in_grid(supply.runtime));
  return checked_mul(times, in_grid(supply.period - supply.runtime));
}

Wide Graph::held(std::size_t pool, Wide work) const {
  const auto& supply = system->pools[pool].supply;
  if (!supply || work <= 0) return work;
  return checked_add(work,
                     checked_mul(ceil_div(work, Wide{supply->runtime.count()}) + 1, Wide{(supply->period - supply->runtime).count()}));
}

std::int64_t Graph::length(std::size_t d, std::size_t v) const {
  const std::int64_t C = node(d, v).e.count();
  return system->pools[node(d, v).pool].supply ? std::max<std::int64_t>(C, 1) : C;
}

Wide Graph::blocking(std::size_t k, std::size_t q, const Ends& F) const {
  const path::Node& of = node(k, q);
  const path::Pool& pool = system->pools[of.pool];
  if (pool.order != path::Order::fixed_non_preemptive) return 0;
  const std::int64_t A = ready(k, q, F);
  std::vector<std::pair<Wide, Wide>> pieces;  // length, how often
  for (const auto& [d, u] : users[of.pool]) {
    if (node(d, u).priority >= of.priority) continue;
    const DagGraph& dag = dags[d];
    Wide times = jobs_in(Wide{F[d][u]} + A, dag.T);
    if (d == k) {
      const bool parallel = !dag.follows(u, q) && !dag.follows(q, u);
      times = (parallel ? 1 : 0) + std::max<Wide>(0, jobs_in(F[d][u], dag.T) - 1) + floor_div(A, dag.T);
    }
    pieces.emplace_back(work(d, u), times);
  }
  std::ranges::sort(pieces, std::greater<>{});
  Wide left = pool.capacity, sum = 0;
  for (const auto& [length, times] : pieces) {
    const Wide taken = std::min(left, times);
    sum += taken * length;
    left -= taken;
  }
  return sum;
}

}  // namespace rta::analysis::executors
