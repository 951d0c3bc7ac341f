#include "rta/analysis/admission/hold.hpp"

#include <algorithm>
#include <boost/dynamic_bitset.hpp>
#include <tuple>

#include "rta/analysis/fine.hpp"
#include "rta/model/error.hpp"

namespace rta::analysis::admission {
namespace {

/// Which nodes come before which, where the DAG is not too large.
class Before {
 public:
  explicit Before(const Dag& dag) {
    const std::size_t n = dag.nodes.size();
    if (n > most_nodes_in_chains) return;
    of_.assign(n, boost::dynamic_bitset<>(n));
    for (const std::size_t v : dag.order) {
      for (const std::size_t u : dag.nodes[v].before) {
        of_[v] |= of_[u];
        of_[v].set(u);
      }
    }
  }
  [[nodiscard]] bool is_before(std::size_t u, std::size_t v) const { return !of_.empty() && of_[v][u]; }
  [[nodiscard]] std::size_t count(std::size_t v) const { return of_.empty() ? 0 : of_[v].count(); }

 private:
  std::vector<boost::dynamic_bitset<>> of_;
};

/// Chains of the nodes on one pool: by number of ancestors, then by index, each joins the first whose last node is before it.
std::vector<std::vector<std::size_t>> chains_on(const Dag& dag, const Before& before, std::size_t pool) {
  std::vector<std::pair<std::size_t, std::size_t>> order;  // ancestors, node
  for (std::size_t v = 0; v < dag.nodes.size(); ++v) {
    if (dag.nodes[v].pool == pool) order.emplace_back(before.count(v), v);
  }
  std::ranges::sort(order);
  std::vector<std::vector<std::size_t>> chains;
  for (const auto& entry : order) {
    const std::size_t v = entry.second;
    const auto at = std::ranges::find_if(chains, [&](const auto& chain) { return before.is_before(chain.back(), v); });
    (at == chains.end() ? chains.emplace_back() : *at).push_back(v);
  }
  return chains;
}

/// One node of each chain, the longest of those for which `counts` holds.
template <class Counts>
Front front_of(const Dag& dag, const std::vector<std::vector<std::size_t>>& chains, const Counts& counts) {
  Front front;
  for (const auto& chain : chains) {
    std::optional<Wide> most;
    for (const std::size_t u : chain) {
      if (counts(u)) most = std::max(most.value_or(0), dag.nodes[u].vol);
    }
    if (!most) continue;
    front.work = checked_add(front.work, *most);
    ++front.nodes;
  }
  return front;
}

Hold fronts_of(const Dag& dag, std::size_t pools) {
  Hold hold;
  hold.fronts.resize(pools);
  hold.beside.resize(dag.nodes.size());
  const Before before(dag);
  for (std::size_t p = 0; p < pools; ++p) {
    const auto chains = chains_on(dag, before, p);
    if (chains.empty()) continue;
    hold.fronts[p] = front_of(dag, chains, [](std::size_t) { return true; });
    for (std::size_t v = 0; v < dag.nodes.size(); ++v) {
      if (dag.nodes[v].pool != p) continue;
      hold.beside[v] = front_of(dag, chains, [&](std::size_t u) { return u != v && !before.is_before(u, v) && !before.is_before(v, u); });
    }
  }
  return hold;
}

/// Per node: end of the last before it + e + (what is ahead + vol - s)/rate.
std::vector<FineTime> ends_of(std::span<const Dag> dags, std::span<const Pool> pools, const Holds& holds, std::size_t d) {
  const Dag& dag = dags[d];
  std::vector<FineTime> ends(dag.nodes.size());
  for (const std::size_t v : dag.order) {
    const Node& node = dag.nodes[v];
    FineTime ready;
    for (const std::size_t u : node.before) ready = std::max(ready, ends[u]);
    Wide work = checked_sub(node.vol, node.s);
    if (holds.waits(dags, pools, d, v)) work = checked_add(work, holds.ahead(dags, d, v).work);
    ends[v] = ready + fine(node.e) + fine_ceil(work, pools[node.pool].rate);
  }
  return ends;
}

void set_ends(std::span<const Dag> dags, std::span<const Pool> pools, Holds& holds, std::size_t d) {
  Hold& hold = holds.dags[d];
  hold.ends.clear();
  for (const FineTime end : ends_of(dags, pools, holds, d)) hold.ends.push_back(ceil_to_time(end));
  hold.H = *std::ranges::max_element(hold.ends);
}

/// Of so many jobs after one another the first has ended before the next one is released: the least n with H + J < n T. With n T two could
/// meet at an instant, the first in nodes of length 0.
Wide jobs_within(Time H, const Dag& dag) { return floor_div(Wide{H.count()} + dag.jitter.count(), Wide{dag.T.count()}) + 1; }

/// H + J <= N T.
bool keeps_up(Time H, const Dag& dag) { return Wide{H.count()} + dag.jitter.count() <= checked_mul(Wide{*dag.limit}, Wide{dag.T.count()}); }

}  // namespace

Front Holds::ahead(std::span<const Dag> all, std::size_t d, std::size_t v) const {
  const std::size_t p = all[d].nodes[v].pool;
  Front front = dags[d].beside[v];
  for (std::size_t e = 0; e < all.size(); ++e) {
    const Wide jobs = dags[e].jobs - (e == d ? 1 : 0);
    front.work = checked_add(front.work, checked_mul(jobs, dags[e].fronts[p].work));
    front.nodes = checked_add(front.nodes, checked_mul(jobs, dags[e].fronts[p].nodes));
  }
  return front;
}

bool Holds::waits(std::span<const Dag> all, std::span<const Pool> pools, std::size_t d, std::size_t v) const {
  const std::uint64_t places = pools[all[d].nodes[v].pool].places;
  return places == 0 || ahead(all, d, v).nodes >= Wide{places};
}

std::vector<std::size_t> path_to(std::span<const Dag> dags, std::span<const Pool> pools, const Holds& holds, std::size_t d, std::size_t v) {
  const std::vector<FineTime> ends = ends_of(dags, pools, holds, d);
  std::vector<std::size_t> path{v};
  while (!dags[d].nodes[path.back()].before.empty())
    path.push_back(*std::ranges::max_element(dags[d].nodes[path.back()].before, {}, [&](std::size_t u) { return ends[u]; }));
  std::ranges::reverse(path);
  return path;
}

Holds holds(std::span<const Dag> dags, std::span<const Pool> pools, Wide most_jobs) {
  Holds result;
  for (const Dag& dag : dags) {
    require(dag.T > Time::zero() && !dag.nodes.empty() && dag.order.size() == dag.nodes.size(),
            "a DAG has a period and an order of its nodes");
    result.dags.push_back(fronts_of(dag, pools.size()));
  }
  for (bool grown = true; grown;) {
    grown = false;
    for (std::size_t d = 0; d < dags.size(); ++d) {
      set_ends(dags, pools, result, d);
      Hold& hold = result.dags[d];
      const Wide needed = jobs_within(hold.H, dags[d]);
      const Wide jobs = dags[d].limit ? std::min(Wide{*dags[d].limit}, needed) : needed;
      hold.in_time = !dags[d].limit || keeps_up(hold.H, dags[d]);
      if (jobs <= hold.jobs) continue;
      if (jobs > most_jobs) {
        result.grows = d;
        return result;
      }
      hold.jobs = jobs;
      grown = true;
    }
  }
  return result;
}

}  // namespace rta::analysis::admission
