// Whether what T10g adds to T10v is of use.
#include <algorithm>

#include "analysis/path/path_nodes.hpp"
#include "analysis/path/priority/climb.hpp"

namespace rta::analysis::path {

bool Nodes::counts_all_at_once(const Ticks& ticks) {
  for (std::size_t p = 0; p < ticks.users.size(); ++p) {
    const Order order = ticks.system->pools[p].order;
    const bool by_dag = order == Order::gel || order == Order::gel_non_preemptive;
    if (by_dag && !ticks.users[p].empty() && PrecedingWork(ticks, p).is_quicker()) return true;
  }
  return false;
}

bool Nodes::late_is_less(std::size_t k, std::size_t v, std::int64_t grid, std::int64_t than) {
  if (!is_sliced(k, v) && carried_bound(k, v) < than) return true;
  if (visit_bound(k, v, grid, than, than - 1) < than) return true;
  return local_bound(k, v, grid, than) < than || under_way_bound(k, v, grid, than) < than;
}

void Nodes::drop_late() {
  late_is_out_ = false;
  for (std::size_t p = 0; p < late_.size(); ++p) {
    jitter_[p].reset();
    late_[p].reset();
    carried_by_[p].reset();
    visits_[p].reset();
    runs_[p] = overlap_[p] = false;
    urgent_[p].reset();
    sliced_pool_[p].reset();
  }
  under_way_.reset();
  carries_.assign(carries_.size(), false);
}

bool Nodes::jobs_overlap(std::size_t k) const {
  const Class& c = ticks_.classes[k];
  return std::ranges::any_of(c.pools, [&](std::size_t p) { return runs_[p]; }) &&
         std::ranges::any_of(F[k], [&](std::int64_t end) { return end > Ticks::least_distance(c); });
}

bool Nodes::climb(std::size_t k, std::int64_t grid, bool late) {
  if (!Climb::applies(ticks_, k)) return false;
  const std::size_t p = ticks_.classes[k].pools.front();
  Climb climb(ticks_, k, by_priority_[p]->above(k, F), late && urgent_[p] ? &*urgent_[p] : nullptr, grid);
  const bool by_late = climb.run(F);
  changed(k);
  return by_late;
}

}  // namespace rta::analysis::path
