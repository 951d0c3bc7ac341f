#include "analysis/path/derivation/aligned_derivation.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "analysis/path/aligned/overlap.hpp"
#include "analysis/path/system/over.hpp"

namespace rta::analysis::path {
namespace {

AlignedJobs jobs_of(const Ticks& ticks, std::size_t d, Tick work, const std::vector<Counted>& counted) {
  AlignedJobs jobs;
  jobs.dag = d;
  jobs.work = ticks.fine_ns(work);
  for (const Counted& job : counted) {
    jobs.jobs.push_back({Time(job.x), ticks.fine_ns(job.work), ticks.fine_ns(job.saved)});
  }
  return jobs;
}

AlignedJobs::Overlapped overlapped(const Ticks& ticks, const AlignedPaths& paths, std::size_t k, std::size_t d,
                                   const AlignedPaths::Choice& choice) {
  const Overlap& overlap = *paths.overlap(k);
  const Overlap::Share& share = overlap.choices[choice.share][d];
  const Strands& strands = paths.strands(k, d);
  AlignedJobs::Overlapped result;
  result.jobs = share.jobs;
  result.strands = share.strands;
  result.GC = Time(ticks.whole_ns(overlap.GC[d]));
  result.C_R = Time(ticks.whole_ns(strands.C_R));
  if (!strands.root.empty()) result.F_R = Time(strands.F_R);
  return result;
}

/// The jobs of all DAGs but k: of a class's DAGs the first ones lose what T10v takes off.
std::vector<AlignedJobs> others_of(const Ticks& ticks, const AlignedPaths& paths, std::size_t k, const AlignedPaths::Choice& choice,
                                   const AlignedPaths::Sums& sums) {
  std::vector<AlignedJobs> all;
  const std::size_t own = ticks.class_of[k];
  for (std::size_t d = 0; d < ticks.classes.size(); ++d) {
    std::int64_t reduced = paths.reduced(own, d, choice);
    for (const std::size_t dag : ticks.classes[d].dags) {
      if (dag == k) continue;
      std::vector<Counted> counted;
      const bool early = reduced-- > 0;
      const Tick work = paths.interference(own, d, choice, sums, early, &counted);
      if (work == Tick::zero() && counted.empty()) continue;
      all.push_back(jobs_of(ticks, dag, work, counted));
      if (early) all.back().overlapped = overlapped(ticks, paths, own, d, choice);
    }
  }
  return all;
}

/// Of a way (T10v) the path that is as long as it, whatever the critical paths of others take off it: a longer one of the same pools may
/// count for less. Where ways stand for several, or where pools decide, the longest path.
std::vector<std::size_t> deciding_path(const Ticks& ticks, const AlignedPaths& paths, const Class& c, std::size_t own, std::size_t v,
                                       const std::vector<Tick>& length, const AlignedPaths::Choice& choice, bool overlap) {
  PoolSet over{choice.mask, choice.length};
  const bool by_way = overlap && !choice.started && !std::has_single_bit(choice.mask) && paths.overlap(own);
  if (by_way) {
    auto path = path_of(ticks, own, v, {choice.length, choice.before});
    if (!path.empty()) return path;
    for (const PoolSet& set : c.pool_sets_of(v)) {
      if (set.mask == choice.mask) over = set;
    }
  }
  return path_over(c, v, length, over);
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
  const AlignedPaths::Sums sums{.reach = counted.reach, .ready = counted.ready, .own = counted.own};
  const auto choice = paths.right_hand_side(own, c.pool_sets_of(v), v, sums, overlap);
  std::vector<Tick> length = counted.length;
  if (choice.started) {
    length = static_lengths(c);
    set_pool_sets(c, length);
  }

  AlignedDerivation result;
  result.started = choice.started;
  if (choice.before > Tick::zero()) result.before = Time(ticks.whole_ns(choice.before));
  result.path = deciding_path(ticks, paths, c, own, v, length, choice, overlap);
  Tick s;
  Tick blocked;
  for (const std::size_t u : result.path) {
    result.execution += ticks.system->dags[k].nodes[u].e;
    s += c.s[u];
    blocked += length[u] - (c.e[u] - c.s[u]);
  }
  result.last_pieces = ticks.fine_ns(s);
  result.blocking = ticks.fine_ns(blocked);
  Tick sum;
  for (std::size_t i = 0; i < counted.own.size(); ++i)
    sum += (choice.mask & bit_of(i)) != 0 ? paths.own(own, i, choice, sums) : Tick::zero();
  result.own = ticks.fine_ns(sum);
  result.others = others_of(ticks, paths, k, choice, sums);
  result.total = ticks.fine_ns(choice.total);
  return result;
}

}  // namespace rta::analysis::path
