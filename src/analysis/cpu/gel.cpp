#include "rta/analysis/cpu/gel.hpp"

#include <algorithm>

#include "analysis/cpu/gel_refinement.hpp"
#include "analysis/cpu/priority_order.hpp"
#include "rta/model/error.hpp"

namespace rta::analysis::gel {

Utilization utilization(std::span<const Task> tasks) {
  Utilization U;
  U.reserve(tasks.size());
  for (const Task& task : tasks) U.add(task.C.count(), task.T.count());
  return U;
}

namespace {

Theorem theorem_of(const Terms& terms) {
  if (terms.counted_carry) return terms.exact_demand ? Theorem::T1ec : Theorem::T1c;
  return terms.exact_demand ? Theorem::T1e : Theorem::T1;
}

/// What the shared terms prove.
void set_theorems(std::span<const Task> tasks, std::uint32_t processors, Bounds& bounds) {
  const Theorem shared = theorem_of(bounds.terms);
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    if (bounds.R[k] >= bound(tasks[k], bounds.terms, processors)) bounds.theorem[k] = shared;
  }
}

/// T1 with the shift and c that are given.
void prove(std::span<const Task> tasks, std::uint32_t processors, Bounds& bounds) {
  Terms& terms = bounds.terms;
  terms.C_max = std::max_element(tasks.begin(), tasks.end(), [](const Task& a, const Task& b) { return a.C < b.C; })->C;
  terms.carry = fine(terms.C_max) * (terms.c - 1);
  for (const Task& task : tasks) terms.demand += carried_demand(task, terms.shift);
  bounds.R.reserve(tasks.size());
  for (const Task& task : tasks) bounds.R.push_back(bound(task, terms, processors));
  bounds.theorem.assign(tasks.size(), Theorem::T1);
}

}  // namespace

Result<Bounds> response_bounds(std::span<const Task> tasks, std::uint32_t processors, Refinement refinement) {
  require(processors > 0, "T1 needs at least one processor");
  if (tasks.empty()) return Bounds{};
  const Utilization U = utilization(tasks);
  if (U.compare(processors) > 0) return reason::Overload{PoolKind::cpu, U, processors};

  Bounds bounds;
  Terms& terms = bounds.terms;
  terms.shift = least_Y(tasks);
  terms.ceil_U = U.ceil();
  terms.c = std::max<Wide>(1, terms.ceil_U);  // 0 without any work
  prove(tasks, processors, bounds);
  if (refinement != Refinement::none && terms.ceil_U > 0) {
    refine(tasks, processors, U, refinement, bounds);
    set_theorems(tasks, processors, bounds);
  }
  return bounds;
}

Result<Bounds> published_bounds(std::span<const Task> tasks, std::uint32_t processors) {
  require(processors > 0, "T1 needs at least one processor");
  if (tasks.empty()) return Bounds{};
  const Utilization U = utilization(tasks);
  if (U.compare(processors) > 0) return reason::Overload{PoolKind::cpu, U, processors};

  Bounds bounds;
  bounds.terms.shift = std::min(Time::zero(), least_Y(tasks));
  bounds.terms.ceil_U = U.ceil();
  bounds.terms.c = processors;
  bounds.terms.published = true;
  prove(tasks, processors, bounds);
  return bounds;
}

}  // namespace rta::analysis::gel
