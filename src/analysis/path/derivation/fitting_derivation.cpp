#include "analysis/path/derivation/fitting_derivation.hpp"

#include <algorithm>
#include <utility>

#include "analysis/path/chains/chain_families.hpp"

namespace rta::analysis::path {
namespace {

/// With pieces cut at `cut`, halves of a ns; over `halves` times the halves of a ns of a unit of work.
std::vector<FittingPool::Jobs> jobs_that_fit(const Ticks& ticks, const FittingWait& wait, std::size_t k, std::int64_t cut, bool with_room,
                                             Wide halves) {
  std::vector<FittingPool::Jobs> all;
  for (const FittingWait::Jobs& jobs : wait.jobs) {
    const Class& d = ticks.classes[jobs.c];
    std::optional<Time> first;
    if (jobs.fits) first = Time((jobs.own ? jobs.fits->most_of_others(cut) : jobs.fits->most(cut)).phase / 2);
    const std::int64_t of_all = jobs.work(cut) + (with_room ? jobs.room(wait.m) : 0);
    const FineTime work = fine_ceil(of_all / jobs.copies, halves);
    if (work == FineTime::zero()) continue;
    for (const std::size_t dag : d.dags) {
      if (jobs.own ? dag == k : dag != k) all.push_back({.dag = dag, .first = first, .work = work});
    }
  }
  std::ranges::stable_sort(all, {}, &FittingPool::Jobs::dag);
  return all;
}

/// What other jobs and the job itself, of DAG k, do on a pool.
void add_terms(const std::vector<FittingPool::Jobs>& others, std::size_t pool, std::size_t k, FineTime own, std::vector<Term>& terms) {
  for (const FittingPool::Jobs& jobs : others)
    terms.push_back({.cause = Cause::waiting, .pool = pool, .by = jobs.dag, .length = jobs.work});
  terms.push_back({.cause = Cause::waiting, .pool = pool, .by = k, .length = own});
}

class Told {
 public:
  Told(const FittingInput& input, const FittingPaths& fitting, std::size_t k, std::size_t v)
      : ticks_(input.ticks),
        system_(*ticks_.system),
        fitting_(fitting),
        ends_{input.F, input.A, input.F[ticks_.class_of[k]][v]},
        counted_(system_, ticks_, input.ends, k, true),
        k_(k),
        class_(ticks_.class_of[k]),
        c_(ticks_.classes[class_]),
        v_(v) {}

  std::optional<Inequality> tell(const std::vector<bool>& below, const std::vector<bool>& above) const {
    const auto decisive = fitting_.exact(class_, v_, ends_, counted_.counted(below, above).waiting);
    if (decisive.total == unbounded) return std::nullopt;
    Inequality result;
    FittingSum sum;
    result.path = fitting_.path(class_, v_, decisive);
    for (const std::size_t u : result.path) sum.execution += system_.dags[k_].nodes[u].e;
    sum.least_unit = c_.e[v_] == Tick::zero();
    result.total = ticks_.fine_ns(decisive.total);
    const std::vector<bool> parallel = parallel_to(result.path);
    std::vector<bool> others = below;
    for (std::size_t u = 0; decisive.own_in_length && u < others.size(); ++u) others[u] = !parallel[u] && !is_in(result.path, u);
    const CountedPath elsewhere = counted_.along(result.path, others, above);
    result.terms.push_back({.cause = Cause::execution, .length = fine(sum.execution)});
    for (const Waiting& wait : elsewhere.sum.waits) {
      const std::size_t local = ticks_.local_pool[class_][wait.pool];
      sum.pools.push_back(fitting_.fits(class_, local) ? fits(local, decisive, parallel) : counted(wait));
      add_terms(sum.pools.back().jobs, wait.pool, k_, sum.pools.back().own, result.terms);
    }
    for (const auto& [local, least_priority, halves] : fitting_.cuts(class_, v_, {ends_.F, ends_.A, 0}))
      sum.cuts.push_back({c_.pools[local], least_priority, halves});
    result.detail = std::move(sum);
    return result;
  }

 private:
  static bool is_in(const std::vector<std::size_t>& path, std::size_t u) { return std::ranges::find(path, u) != path.end(); }

  [[nodiscard]] std::vector<bool> parallel_to(const std::vector<std::size_t>& path) const {
    std::vector<bool> parallel(c_.size(), false);
    for (const std::size_t q : path) {
      for (std::size_t u = 0; u < parallel.size(); ++u) parallel[u] = parallel[u] || fitting_.paths(class_).meanwhile(u, q);
    }
    return parallel;
  }

  [[nodiscard]] FittingPool fits(std::size_t local, const FittingPaths::Decisive& decisive, const std::vector<bool>& parallel) const {
    const auto wait = *fitting_.wait(class_, v_, ends_, decisive, local);
    const Wide halves = Wide{2} * wait.m;
    FittingPool of;
    of.pool = c_.pools[local];
    of.cut = fine_ceil(wait.cut, 2);
    of.jobs = jobs_that_fit(ticks_, wait, k_, wait.cut, false, halves);
    Wide own = Wide{wait.own} * ticks_.Q;
    if (decisive.own_in_length) {
      own = 0;
      for (std::size_t u = 0; u < c_.size(); ++u) own += parallel[u] && c_.pool_of[u] == local ? halves * c_.vol[u].count() : 0;
    }
    of.own = fine_ceil(own, halves * ticks_.Q);
    of.waiting = of.own;
    for (const FittingPool::Jobs& jobs : of.jobs) of.waiting = of.waiting + jobs.work;
    return of;
  }

  [[nodiscard]] FittingPool counted(const Waiting& wait) const {
    FittingPool of;
    of.pool = wait.pool;
    of.waiting = wait.length;
    for (const CountedJobs& jobs : wait.jobs) {
      const Wide work = jobs.work - (jobs.dag == k_ ? wait.last_pieces : 0);
      if (work > 0) of.jobs.push_back({.dag = jobs.dag, .first = std::nullopt, .work = fine_ceil(work, wait.capacity)});
    }
    return of;
  }

  const Ticks& ticks_;
  const System& system_;
  const FittingPaths& fitting_;
  FittingPaths::Ends ends_;
  CountedPaths counted_;
  std::size_t k_;
  std::size_t class_;
  const Class& c_;
  std::size_t v_;
};

}  // namespace

std::optional<Inequality> fitting_derivation(const FittingInput& input, const FittingPaths& fitting, std::size_t k, std::size_t v,
                                             const std::vector<bool>& below, const std::vector<bool>& above) {
  if (!fitting.applies(input.ticks.class_of[k])) return std::nullopt;
  return Told(input, fitting, k, v).tell(below, above);
}

std::optional<Inequality> family_derivation(const FittingInput& input, const FittingPaths& fitting, std::size_t k, std::size_t v) {
  const Ticks& ticks = input.ticks;
  const std::size_t of = ticks.class_of[k];
  if (!fitting.applies(of)) return std::nullopt;
  const Class& c = ticks.classes[of];
  const FittingPaths::Ends ends{input.F, input.A, 0};
  const FittingPaths::Family family = fitting.family(of, v, ends, no_bound);
  const auto wait = fitting.others_of(of, v, ends, family.whole);
  if (family.total == unbounded || !wait) return std::nullopt;

  const std::int64_t m = ticks.system->pools[c.pools[c.pool_of[v]]].capacity;
  const ChainFamilies chains(c, fitting.family_nodes(of, v, family.whole), family.chains);
  const FittingPaths::Families& families = fitting.families(of, v, family.whole);
  Inequality result;
  FamilySum sum;
  sum.longest = Time(c.longest[v]);
  sum.least_unit = c.e[v] == Tick::zero();
  sum.pool = c.pools[c.pool_of[v]];
  sum.chains = chains.chains();
  sum.free = m - static_cast<std::int64_t>(family.chains) + 1;
  sum.whole = family.whole;
  sum.longer = Time(ticks.whole_ns(families.longer));
  sum.beside = Time(ticks.whole_ns(families.own - chains.weights().back()));
  sum.own = fine_ceil(Wide{sum.longer.count()} + sum.beside.count(), sum.free);
  sum.jobs = jobs_that_fit(ticks, *wait, k, 2 * input.F[of][v], true, Wide{2} * sum.free);
  result.terms.push_back({.cause = Cause::execution, .length = fine(sum.longest)});
  add_terms(sum.jobs, sum.pool, k, sum.own, result.terms);
  result.total = ticks.fine_ns(family.total);
  result.path.push_back(v);
  while (!c.predecessors(result.path.back()).empty()) {
    result.path.push_back(*std::ranges::max_element(c.predecessors(result.path.back()), {}, [&](std::size_t u) { return c.longest[u]; }));
  }
  std::ranges::reverse(result.path);
  result.detail = std::move(sum);
  return result;
}

}  // namespace rta::analysis::path
