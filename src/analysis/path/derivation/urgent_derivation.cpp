#include "analysis/path/derivation/urgent_derivation.hpp"

#include <algorithm>

namespace rta::analysis::path {
namespace {

LateDerivation linear(const UrgentPool::Demand& demand, std::int64_t A) {
  LateDerivation result;
  result.ready = Time(A);
  result.carry = fine_ceil(demand.carry, demand.rest);
  result.own = fine_ceil(demand.own, demand.rest);
  const FineTime sum = fine_ceil(demand.carry + demand.work + demand.own, demand.rest);
  result.work = sum - result.carry - result.own;
  result.total = fine(result.ready) + sum;
  return result;
}

BusyInterval interval(const Ticks& ticks, std::size_t k, std::size_t v, const UrgentPool& pool, const UrgentPool::Busy& busy) {
  BusyInterval result{.before = Time(busy.before), .jobs = {}};
  const std::size_t p = ticks.system->dags[k].nodes[v].pool;
  for (std::size_t d = 0; d < ticks.system->dags.size(); ++d) {
    const Dag& dag = ticks.system->dags[d];
    CountedJobs counted{d, 0, 0, 0};
    bool first = true;
    for (std::size_t u = 0; u < dag.nodes.size(); ++u) {
      if (dag.nodes[u].pool != p || dag.nodes[u].vol == 0) continue;
      const Wide jobs = pool.jobs(ticks.class_of[k], v, ticks.class_of[d], u, busy, d == k && u == v);
      counted.least = first ? jobs : std::min(counted.least, jobs);
      counted.most = std::max(counted.most, jobs);
      counted.work += jobs * dag.nodes[u].vol;
      first = false;
    }
    if (!first) result.jobs.push_back(counted);
  }
  return result;
}

}  // namespace

std::optional<LateDerivation> urgent_derivation(const Ticks& ticks, std::size_t k, std::size_t v, const UrgentPool::PerClass& F,
                                                const UrgentPool::PerClass& A, std::int64_t ready) {
  const std::size_t own_class = ticks.class_of[k];
  const Class& c = ticks.classes[own_class];
  UrgentPool pool(ticks, c.pools[c.pool_of[v]]);
  pool.prepare(F, A);
  std::optional<LateDerivation> result;
  if (const auto demand = pool.demand(own_class, v)) result = linear(*demand, ready);
  const auto busy = pool.busy(own_class, v);
  if (!busy) return result;
  LateDerivation second;
  second.ready = Time(ready);
  second.own = ticks.fine_ns(c.e[v]);
  second.work = fine(Time(busy->length)) - second.own;
  second.total = fine(second.ready) + fine(Time(busy->length));
  second.busy = interval(ticks, k, v, pool, *busy);
  return result && result->total < second.total ? result : second;
}

}  // namespace rta::analysis::path
