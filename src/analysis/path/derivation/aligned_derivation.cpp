#include "analysis/path/derivation/aligned_derivation.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "analysis/path/aligned/overlap.hpp"
#include "analysis/path/derivation/counted_paths.hpp"
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
      std::vector<Together> together;
      const bool early = reduced-- > 0;
      const Tick work = paths.interference(own, d, choice, sums, early, &counted, &together);
      if (work == Tick::zero() && counted.empty()) continue;
      all.push_back(jobs_of(ticks, dag, work, counted));
      for (const Together& on : together)
        all.back().together.push_back({ticks.classes[own].pools[on.local], on.turns, ticks.fine_ns(on.work), on.at_once});
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

/// On all pools of the path together. Pools ordered by node or by fixed priorities count all jobs with the DAG's own.
void add_terms(const System& system, std::size_t k, const AlignedSum& sum, std::vector<Term>& terms) {
  const bool of_all = std::ranges::any_of(system.dags[k].nodes, [&](const Node& node) {
    const Order order = system.pools[node.pool].order;
    return order == Order::gel_by_node || by_fixed_priority(order);
  });
  terms.push_back({.cause = Cause::execution, .length = fine(sum.execution)});
  terms.push_back({.cause = Cause::waiting, .by = of_all ? std::nullopt : std::optional(k), .length = sum.own - sum.last_pieces});
  terms.push_back({.cause = Cause::blocking, .length = sum.blocking});
  for (const AlignedJobs& jobs : sum.others) terms.push_back({.cause = Cause::waiting, .by = jobs.dag, .length = jobs.work});
  if (sum.least_unit) terms.push_back({.cause = Cause::rounding, .length = fine(Time(1))});
}

void set_ends(const Ticks& ticks, const std::vector<std::vector<Time>>& F, AlignedPaths& paths, UnderWay::Ends& ends) {
  for (std::size_t d = 0; d < ticks.classes.size(); ++d) {
    auto& row = ends.emplace_back();
    for (const Time f : F[ticks.classes[d].dags.front()]) row.push_back(f.count());
    paths.changed(d, row);
  }
}

/// The DAG's own jobs, on all pools of the choice.
FineTime own_work(const Ticks& ticks, const AlignedPaths& paths, std::size_t own, const AlignedPaths::Choice& choice,
                  const AlignedPaths::Sums& sums) {
  Tick sum;
  for (std::size_t i = 0; i < sums.own.size(); ++i) sum += (choice.mask & bit_of(i)) != 0 ? paths.own(own, i, choice, sums) : Tick::zero();
  return ticks.fine_ns(sum);
}

/// Of local pool i; `length`: less the path's last pieces there.
Upstream told_of(const Ticks& ticks, const UpstreamPool& pool, std::size_t k, std::size_t v, std::size_t i, std::int64_t reach,
                 Tick length) {
  const std::size_t own = ticks.class_of[k];
  const std::size_t p = ticks.classes[own].pools[i];
  const UpstreamPool::Work work = pool.work(own, v, reach);
  const auto of_all = [&](Wide of_one) { return fine_ceil(of_one, pool.processors()); };
  Upstream told{.pool = p, .left = {}, .last_pieces = 0, .length = ticks.fine_ns(length)};
  told.left.carry = of_all(work.carry);
  told.left.busy = Time(work.busy);
  told.left.longer = work.longer;
  told.left.processors = work.processors;
  told.left.worked_off = FineTime(floor_div(checked_mul(work.processors * work.busy, Wide{fine(Time(1)).count()}), pool.processors()));
  told.left.after = of_all(pool.after(own, v));
  const auto& users = ticks.users[p];
  for (std::size_t user = 0; user < users.size(); ++user) {
    for (const std::size_t d : ticks.classes[users[user]].dags) {
      const UpstreamPool::Left& left = d == k ? work.own : work.of_class[user];
      if (left.sum() > 0) told.left.parts.push_back({d, of_all(left.before), of_all(left.since)});
    }
  }
  std::ranges::sort(told.left.parts, {}, &Backlog::Part::dag);
  return told;
}

}  // namespace

Inequality aligned_derivation(const Ticks& ticks, const std::vector<std::vector<Time>>& F, std::size_t k, std::size_t v,
                              const CountedByNode& counted, bool overlap) {
  AlignedPaths paths(ticks);
  UnderWay::Ends ends;
  set_ends(ticks, F, paths, ends);
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

  Inequality result;
  AlignedSum told;
  told.started = choice.started;
  if (choice.before > Tick::zero()) told.before = Time(ticks.whole_ns(choice.before));
  result.path = deciding_path(ticks, paths, c, own, v, length, choice, overlap);
  Tick s;
  Tick blocked;
  for (const std::size_t u : result.path) {
    told.execution += ticks.system->dags[k].nodes[u].e;
    s += c.s[u];
    blocked += length[u] - (c.e[u] - c.s[u]);
  }
  told.last_pieces = ticks.fine_ns(s);
  told.blocking = ticks.fine_ns(blocked);
  told.own = own_work(ticks, paths, own, choice, sums);
  told.others = others_of(ticks, paths, k, choice, sums);
  result.total = ticks.fine_ns(choice.total);
  add_terms(*ticks.system, k, told, result.terms);
  result.detail = std::move(told);
  return result;
}

std::optional<Inequality> under_way_derivation(const Ticks& ticks, const UnderWay::Pools& visits, const std::vector<std::vector<Time>>& F,
                                               std::size_t k, std::size_t v, const CountedByNode& counted) {
  AlignedPaths paths(ticks);
  UnderWay::Ends ends;
  set_ends(ticks, F, paths, ends);
  const UnderWay under_way(ticks, visits);
  const std::size_t own = ticks.class_of[k];
  if (!under_way.applies(own)) return std::nullopt;
  const auto at = under_way.at(own, v, ends);
  if (!at) return std::nullopt;
  Class c = ticks.classes[own];
  set_pool_sets(c, counted.length);
  const AlignedPaths::Sums sums{.reach = counted.reach, .ready = counted.ready, .own = counted.own};
  const auto choice = paths.under_way(own, v, sums, *at, {c.pool_sets_of(v), under_way.sets_of(own, v)});
  const std::vector<Tick> length = choice.in_full ? under_way.lengths(own) : counted.length;

  Inequality result;
  AlignedSum told;
  told.at_once = true;
  told.in_full = choice.in_full;
  told.least_unit = c.e[v] == Tick::zero();
  result.path = path_over(choice.in_full ? under_way.in_full(own) : c, v, length, {choice.mask, choice.length});
  Tick s;
  for (const std::size_t u : result.path) {
    told.execution += ticks.system->dags[k].nodes[u].e;
    s += c.e[u] - length[u];
  }
  told.last_pieces = ticks.fine_ns(s);
  told.own = own_work(ticks, paths, own, choice, sums);
  told.others = others_of(ticks, paths, k, choice, sums);
  result.total = ticks.fine_ns(choice.total);
  add_terms(*ticks.system, k, told, result.terms);
  result.detail = std::move(told);
  return result;
}

std::optional<Inequality> upstream_derivation(const Ticks& ticks, const UpstreamPools& pools, const UnderWay::Pools& visits,
                                              const std::vector<std::vector<Time>>& F, std::size_t k, std::size_t v,
                                              const CountedByNode& counted) {
  const std::size_t own = ticks.class_of[k];
  Class c = ticks.classes[own];
  if (!suits_upstream(ticks, c)) return std::nullopt;
  AlignedPaths paths(ticks);
  UnderWay::Ends ends;
  set_ends(ticks, F, paths, ends);
  const UnderWay under_way(ticks, visits);
  std::optional<UnderWayAt> at;
  if (under_way.is_of_use(own, ends)) at = under_way.at(own, v, ends);
  set_pool_sets(c, counted.length);
  const AlignedPaths::Sums sums{.reach = counted.reach, .ready = counted.ready, .own = counted.own};
  const auto choice =
      upstream_choice(ticks, pools, paths, own, v, sums, c.pool_sets_of(v), at ? &*at : nullptr, ticks.of_ns(F[k][v].count()) + Tick(1));
  if (!choice) return std::nullopt;

  Inequality result;
  AlignedSum told;
  told.at_once = choice->rest.under_way != nullptr;
  told.least_unit = c.e[v] == Tick::zero();
  result.path = path_over(c, v, counted.length, choice->set);
  std::vector<Tick> s(c.pools.size());
  std::vector<Wide> pieces(c.pools.size());
  for (const std::size_t u : result.path) {
    const Node& node = ticks.system->dags[k].nodes[u];
    told.execution += node.e;
    s[c.pool_of[u]] += c.s[u];
    pieces[c.pool_of[u]] += node.s;
  }
  Tick others;
  for (std::size_t i = 0; i < s.size(); ++i) {
    if ((choice->of & bit_of(i)) != 0) told.left_on.push_back(c.pools[i]);
    if ((choice->set.mask & choice->of & bit_of(i)) == 0) {
      others += s[i];
      continue;
    }
    told.upstream.push_back(told_of(ticks, *pools[c.pools[i]], k, v, i, counted.reach[i], choice->left[i] - s[i]));
    told.upstream.back().last_pieces = pieces[i];
  }
  told.last_pieces = ticks.fine_ns(others);
  if (choice->rest.mask != 0) {
    told.own = own_work(ticks, paths, own, choice->rest, sums);
    told.others = others_of(ticks, paths, k, choice->rest, sums);
  }
  result.total = ticks.fine_ns(choice->total);
  add_terms(*ticks.system, k, told, result.terms);
  for (const Upstream& on : told.upstream)
    add_backlog_terms(on.left, on.pool, k, fine_ceil(on.last_pieces, Wide{ticks.system->pools[on.pool].capacity}), result.terms);
  result.detail = std::move(told);
  return result;
}

}  // namespace rta::analysis::path
