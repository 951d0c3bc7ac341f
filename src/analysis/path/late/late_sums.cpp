#include "analysis/path/late/late_sums.hpp"

#include <algorithm>
#include <utility>

namespace rta::analysis::path {

EndsOfClasses since_nominal(const Ticks& ticks, EndsOfClasses all) {
  for (std::size_t k = 0; k < all.size(); ++k) {
    const std::int64_t J = ticks.system->dags[ticks.classes[k].dags.front()].J.count();
    for (std::int64_t& value : all[k]) value += J;
  }
  return all;
}

LateSums::LateSums(const Ticks& ticks, Refinement refinement) : ticks_(ticks), of_pool_(ticks.system->pools.size()) {
  constexpr std::int64_t most_periods = 1'000;  // later releases are more jobs than sums have room for
  if (std::ranges::any_of(ticks.system->dags, [](const Dag& dag) { return dag.J.count() / dag.T.count() > most_periods; })) return;
  for (std::size_t p = 0; p < of_pool_.size(); ++p) {
    const Pool& pool = ticks.system->pools[p];
    if (ticks.users[p].empty() || pool.slices) continue;
    const bool gel = pool.order == Order::gel || pool.order == Order::gel_by_node;
    if (pool.order == Order::fifo && refinement >= Refinement::T10j) of_pool_[p].fifo.emplace(ticks, p);
    if (gel && refinement >= Refinement::T10g) of_pool_[p].gel.emplace(ticks, p);
    if (pool.order == Order::fixed && refinement >= Refinement::T10g) of_pool_[p].urgent.emplace(ticks, p);
  }
}

void LateSums::prepare(const EndsOfClasses& F, const EndsOfClasses& A) {
  const EndsOfClasses ends = since_nominal(ticks_, F);
  const EndsOfClasses ready = since_nominal(ticks_, A);
  for (Sums& sums : of_pool_) {
    if (sums.fifo) sums.left = sums.fifo->backlog(ends, ready);
    if (sums.gel) {
      sums.left = sums.gel->carry(ends);
      sums.gel->set_ready_times(ready);
    }
    if (sums.urgent) sums.urgent->prepare(ends, ready);
  }
}

std::int64_t LateSums::bound(std::size_t k, std::size_t v, std::int64_t A, std::int64_t below) const {
  const Class& c = ticks_.classes[k];
  const Sums& sums = of_pool_[c.pools[c.pool_of[v]]];
  if (sums.urgent) {
    const auto demand = sums.urgent->demand(k, v);
    const std::int64_t bound = demand ? A + demand->total() : no_bound;
    const auto busy = sums.urgent->busy(k, v, std::min(bound, below) - A);
    return busy ? A + busy->length : bound;
  }
  if (!sums.fifo && !sums.gel) return no_bound;
  const Tick demand = sums.gel ? sums.gel->demand(k, v, A) : Tick::zero();
  return demand == unbounded ? no_bound : A + ticks_.ns(sums.left + demand - c.s[v] + c.e[v]);
}

}  // namespace rta::analysis::path
