#include "analysis/path/derivation/urgent_derivation.hpp"

#include <algorithm>
#include <utility>

namespace rta::analysis::path {
namespace {

SporadicNode linear(const UrgentPool::Demand& demand, std::int64_t A) {
  SporadicNode node;
  SporadicSum& result = node.sum;
  result.ready = Time(A);
  result.carry = fine_ceil(demand.carry, demand.rest);
  result.own = fine_ceil(demand.own, demand.rest);
  const FineTime sum = fine_ceil(demand.carry + demand.work + demand.own, demand.rest);
  result.work = sum - result.carry - result.own;
  node.total = fine(result.ready) + sum;
  return node;
}

BusyInterval interval(const Ticks& ticks, std::size_t k, std::size_t v, const UrgentPool& pool, const UrgentPool::Busy& busy) {
  BusyInterval result{.before = Time(busy.before), .jobs = {}};
  const std::size_t p = ticks.system->dags[k].nodes[v].pool;
  for (std::size_t d = 0; d < ticks.system->dags.size(); ++d) {
    const Dag& dag = ticks.system->dags[d];
    CountedJobs counted{.dag = d};
    bool first = true;
    for (std::size_t u = 0; u < dag.nodes.size(); ++u) {
      if (dag.nodes[u].pool != p || dag.nodes[u].vol == 0) continue;
      const Wide jobs = pool.jobs(ticks.class_of[k], v, ticks.class_of[d], u, busy, d == k && u == v);
      counted.least = first ? jobs : std::min(counted.least, jobs);
      counted.most = std::max(counted.most, jobs);
      counted.work += jobs * dag.nodes[u].vol;
      first = false;
    }
    if (!first) result.jobs.push_back(std::move(counted));
  }
  return result;
}

}  // namespace

std::optional<SporadicNode> urgent_derivation(const Ticks& ticks, std::size_t k, std::size_t v, const UrgentPool& pool, std::int64_t ready,
                                              std::int64_t end) {
  const std::size_t own_class = ticks.class_of[k];
  const Class& c = ticks.classes[own_class];
  std::optional<SporadicNode> result;
  const auto demand = pool.demand(own_class, v);
  if (demand) result = linear(*demand, ready);
  const auto busy = pool.busy(own_class, v);
  if (!busy) return result;
  SporadicNode second;
  second.sum.ready = Time(ready);
  second.sum.own = ticks.fine_ns(c.e[v]);
  second.sum.work = fine(Time(busy->length)) - second.sum.own;
  second.total = fine(second.sum.ready) + fine(Time(busy->length));
  second.sum.busy = interval(ticks, k, v, pool, *busy);
  if (!demand || ready + demand->total() > end) {
    for (const std::int64_t z : pool.ends(own_class, v)) second.sum.busy->ends.emplace_back(z);
  }
  return result && result->total < second.total ? result : second;
}

}  // namespace rta::analysis::path
