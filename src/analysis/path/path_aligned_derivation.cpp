#include "analysis/path/path_aligned_derivation.hpp"

#include <algorithm>
#include <utility>

#include "analysis/path/path_overlap.hpp"

namespace rta::analysis::path {
namespace {

/// The longest path to v over the pools of `mask`.
std::vector<std::size_t> longest_path(const Class& c, std::size_t v, std::span<const std::int64_t> length, std::uint64_t mask) {
  constexpr std::int64_t impossible = INT64_MIN;
  std::vector<std::int64_t> best(c.size(), impossible);
  std::vector<std::size_t> before(c.size(), c.size());
  for (const std::uint32_t u : c.order) {
    if ((bit_of(c.pool_of[u]) & mask) == 0) continue;
    std::int64_t so_far = c.predecessors(u).empty() ? 0 : impossible;
    for (const std::uint32_t w : c.predecessors(u)) {
      if (best[w] <= so_far) continue;
      so_far = best[w];
      before[u] = w;
    }
    if (so_far != impossible) best[u] = so_far + length[u];
  }
  std::vector<std::size_t> path;
  for (; v != c.size(); v = before[v]) path.push_back(v);
  std::ranges::reverse(path);
  return path;
}

/// A path to v of just these pools and this length; the longest one over the pools where the set stands for several.
std::vector<std::size_t> path_over(const Class& c, std::size_t v, std::span<const std::int64_t> length, PoolSet over) {
  const std::uint64_t mask = over.mask;
  std::vector<std::size_t> path{v};
  while (!c.predecessors(path.back()).empty()) {
    const std::size_t at = path.back();
    const std::uint64_t bit = bit_of(c.pool_of[at]);
    const auto leads_here = [&](const PoolSet& set) { return (set.mask | bit) == over.mask && set.length + length[at] == over.length; };
    const PoolSet* before = nullptr;
    for (const std::uint32_t w : c.predecessors(at)) {
      const auto sets = c.pool_sets_of(w);
      const auto set = std::ranges::find_if(sets, leads_here);
      if (set == sets.end()) continue;
      before = &*set;
      path.push_back(w);
      break;
    }
    if (before == nullptr) return longest_path(c, v, length, mask);
    over = *before;
  }
  std::ranges::reverse(path);
  return path;
}

AlignedJobs jobs_of(const Ticks& ticks, std::size_t d, std::int64_t work, const std::vector<Counted>& counted) {
  AlignedJobs jobs;
  jobs.dag = d;
  jobs.work = fine_ceil(work, ticks.Q);
  for (const Counted& job : counted) {
    jobs.jobs.push_back({Time(job.x), fine_ceil(job.work, ticks.Q), fine_ceil(job.saved, ticks.Q)});
  }
  return jobs;
}

/// The jobs of all DAGs but k: of a class's DAGs the first ones lose what T10v takes off.
std::vector<AlignedJobs> others_of(const Ticks& ticks, const AlignedPaths& paths, std::size_t k, const AlignedPaths::Choice& choice,
                                   std::span<const std::int64_t> reach) {
  std::vector<AlignedJobs> all;
  const std::size_t own = ticks.class_of[k];
  for (std::size_t d = 0; d < ticks.classes.size(); ++d) {
    std::int64_t reduced = paths.reduced(own, d, choice);
    for (const std::size_t dag : ticks.classes[d].dags) {
      if (dag == k) continue;
      std::vector<Counted> counted;
      const std::int64_t work = paths.interference(own, d, choice, reach, reduced-- > 0, &counted);
      if (work > 0 || !counted.empty()) all.push_back(jobs_of(ticks, dag, work, counted));
    }
  }
  return all;
}

}  // namespace

AlignedDerivation aligned_derivation(const Ticks& ticks, const std::vector<std::vector<Time>>& F, std::size_t k, std::size_t v,
                                     const CountedByNode& counted, bool overlap) {
  AlignedPaths paths(ticks);
  for (std::size_t d = 0; d < ticks.classes.size(); ++d) {
    std::vector<std::int64_t> ends;
    for (const Time f : F[ticks.classes[d].dags.front()]) ends.push_back(f.count());
    paths.changed(d, ends);
  }
  const std::size_t own = ticks.class_of[k];
  Class c = ticks.classes[own];
  set_pool_sets(c, counted.length);
  const auto choice = paths.right_hand_side(own, c.pool_sets_of(v), v, {counted.reach, counted.own, counted.all}, overlap);

  AlignedDerivation result;
  if (choice.before > 0) {
    result.before = Time(choice.before / ticks.Q);
    result.path = path_of(ticks, own, v, {choice.length, choice.before});
  }
  if (result.path.empty()) result.path = path_over(c, v, counted.length, {choice.mask, choice.length});
  std::int64_t s = 0;
  std::int64_t blocked = 0;
  for (const std::size_t u : result.path) {
    result.execution += ticks.system->dags[k].nodes[u].e;
    s += c.s[u];
    blocked += counted.length[u] - (c.e[u] - c.s[u]);
  }
  result.last_pieces = fine_ceil(s, ticks.Q);
  result.blocking = fine_ceil(blocked, ticks.Q);
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < counted.own.size(); ++i) sum += (choice.mask & bit_of(i)) != 0 ? counted.own[i] : 0;
  result.own = fine_ceil(sum, ticks.Q);
  result.others = others_of(ticks, paths, k, choice, counted.reach);
  result.total = fine_ceil(choice.total, ticks.Q);
  return result;
}

}  // namespace rta::analysis::path
