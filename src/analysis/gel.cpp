#include "rta/analysis/gel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "priority_order.hpp"

namespace rta::analysis::gel {

Utilization utilization(std::span<const Task> tasks) {
  Utilization U;
  for (const Task& task : tasks) U.add(task.C.count(), task.T.count());
  return U;
}

std::string overload(const Utilization& U, std::uint32_t processors) {
  return fmt::format("U = {} > {} processor{} (exceeded by {})", U.text(), processors, processors == 1 ? "" : "s", U.text(processors));
}

Result<Bounds> response_bounds(std::span<const Task> tasks, std::uint32_t processors) {
  if (processors == 0) throw std::invalid_argument("T1 needs at least one processor");
  if (tasks.empty()) return Bounds{};
  const Utilization U = utilization(tasks);
  if (U.compare(processors) > 0) return Unbounded{overload(U, processors)};

  Bounds bounds;
  Terms& terms = bounds.terms;
  terms.shift = least_Y(tasks);
  terms.ceil_U = U.ceil();
  terms.C_max = std::max_element(tasks.begin(), tasks.end(), [](const Task& a, const Task& b) { return a.C < b.C; })->C;
  terms.carry = fine(terms.C_max) * std::max<Wide>(0, terms.ceil_U - 1);
  for (const Task& task : tasks) terms.demand += carried_demand(task, terms.shift);

  // R_k = Y'_k + (carry + demand + (m - 1) C_k) / m
  const Wide m = processors;
  const FineTime shared = terms.carry + terms.demand;
  bounds.R.reserve(tasks.size());
  for (const Task& task : tasks) {
    const FineTime backlog = shared + fine(task.C) * (m - 1);
    const Wide late = ceil_div(backlog.count(), m << fine_bits);
    bounds.R.push_back(to_time(checked_add(Wide{task.Y.count()} - terms.shift.count(), late)));
  }
  return bounds;
}

std::vector<std::string> explain(std::span<const Task> tasks, std::uint32_t processors, const Bounds& bounds, std::size_t k) {
  const Terms& terms = bounds.terms;
  const Task& task = tasks[k];
  const Wide Y = Wide{task.Y.count()} - terms.shift.count();
  return {
      "T1: R = Y' + (carry + demand)/m + (m-1)/m C",
      fmt::format("m = {}, U = {}, ceil(U) = {}", processors, utilization(tasks).text(), to_string(terms.ceil_U)),
      fmt::format("Y' = Y - min Y = {} - {} = {} ns", task.Y.count(), terms.shift.count(), to_string(Y)),
      fmt::format("carry = (ceil(U) - 1) C_max = {} x {} = {} ns", to_string(std::max<Wide>(0, terms.ceil_U - 1)), terms.C_max.count(),
                  text(terms.carry)),
      fmt::format("demand = sum over the pool's {} tasks of C_i max(0, 1 - Y'_i/T_i) = {} ns", tasks.size(), text(terms.demand)),
      fmt::format("R = {} + ({} + {})/{} + {}/{} x {} = {} ns, rounded up", to_string(Y), text(terms.carry), text(terms.demand), processors,
                  processors - 1, processors, task.C.count(), bounds.R[k].count()),
  };
}

}  // namespace rta::analysis::gel
