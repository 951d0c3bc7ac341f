// docs/theory/path.md, T10m, and docs/theory/jitter.md, T12m
#include <algorithm>
#include <map>
#include <string>

#include "content.hpp"

namespace checker {

/// F = L + (own - K + L' - L + others)/(m - j), with j + 1 chains of work K. The claim says, after the rule, 0 where the chains are of v
/// and what is before it, 1 where they are of all that does not follow v; then for each node of a chain: node, chain. L' is the longest
/// path to one of those nodes.
Int Paths::Content::beside_chains(std::size_t d, std::size_t k, std::size_t v, bool late) {
  constexpr std::size_t first = 7;  // word
  const Job& job = system.jobs[k];
  const Item& item = job.items[v];
  need_parallel(job);
  need(!system.is_sliced(), "T10m is for systems without time slices");
  need(fits(item.queue), "the pool is none of processors");
  const Parallel& counted = parallel(k, std::nullopt);

  const Statement& by = *item.claim->by;
  const bool whole = by.index(first, 2) == 1;
  std::vector<bool> before(job.items.size(), false);
  Int longer = 0;
  for (std::size_t u = 0; u < before.size(); ++u) {
    before[u] = u == v || (whole ? !job.is_below(u, v) : job.is_below(v, u));
    need(!before[u] || job.items[u].queue == item.queue, "one of the nodes is on another pool");
    if (before[u]) longer = std::max(longer, job.longest[u] - job.longest[v]);
  }
  Int beside = 0;  // of the job itself: these nodes, and what can run while one of them waits
  for (std::size_t u = 0; u < before.size(); ++u) {
    bool runs = before[u];
    const bool may_run = job.items[u].queue == item.queue && !job.is_below(u, v);
    for (std::size_t q = 0; q < before.size() && may_run && !runs; ++q) runs = before[q] && counted.meanwhile(u, q);
    if (runs) beside += job.items[u].vol;
  }
  std::map<Int, std::size_t> last;  // of each chain
  std::vector<bool> taken(job.items.size(), false);
  for (std::size_t i = first + 1; i < by.words.size(); i += 2) {
    const auto [other, u] = system.place[d][by.index(i, system.place[d].size())];
    need(other == k && before[u] && !taken[u], "a chain has a node that is none of these, or in a chain already");
    const auto [at, fresh] = last.try_emplace(by.number(i + 1), u);
    need(fresh || job.is_below(u, at->second), "two nodes of a chain are neither before nor after each other");
    at->second = u;
    taken[u] = true;
    beside -= job.items[u].vol;
  }
  const Int free = system.queues[item.queue].processors + 1 - Int(last.size());
  need(!last.empty() && free >= 1, "there are no chains, or more than processors");
  const Limits limits = limits_beside(k, v);
  const Int others = work_of_all_jobs({k, v, item.local, 0, late, whole ? &limits : nullptr}, 2 * job.F[v]);
  const Int total = job.longest[v] * system.grid + ceil_mul_div(2 * (beside + longer) + others, system.grid, 2 * free);
  return ceil_div(total + Int(item.e == Int(0) ? 1 : 0), system.grid);
}

Int Paths::Content::T10m(std::size_t d, std::size_t k, std::size_t v, bool late) {
  const Job& job = system.jobs[k];
  const std::string_view by = job.items[v].claim->by->text;
  const std::tuple key{job.kind, v, std::string(by.substr(by.find(late ? " T12m" : " T10m"))), std::vector<Given>{}};
  if (const auto known = known_.find(key); known != known_.end()) return known->second;
  return known_.emplace(key, beside_chains(d, k, v, late)).first->second;
}

}  // namespace checker
