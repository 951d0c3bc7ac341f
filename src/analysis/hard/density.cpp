// T17: no job misses its deadline, by the density of the tasks.
#include <algorithm>

#include "analysis/hard/load.hpp"
#include "rta/analysis/hard/hard.hpp"
#include "rta/model/error.hpp"
#include "rta/model/utilization.hpp"

namespace rta::analysis::hard {
bool meets_by_density(std::span<const Task> tasks, std::uint32_t processors) {
  require(processors > 0, "T17 needs at least one processor");
  if (!have_deadlines(tasks)) return false;
  Utilization sum;
  sum.reserve(tasks.size());
  const Task* largest = nullptr;
  for (const Task& task : tasks) {
    sum.add(task.C.count(), task.Y.count());
    const auto denser = [](const Task& a, const Task& b) { return Wide{a.C.count()} * b.Y.count() > Wide{b.C.count()} * a.Y.count(); };
    if (largest == nullptr || denser(task, *largest)) largest = &task;
  }
  if (largest == nullptr) return true;
  // m - (m-1) C/Y as one fraction.
  const Wide Y = largest->Y.count();
  const Wide m = processors;
  return sum.compare(checked_sub(checked_mul(m, Y), checked_mul(m - 1, Wide{largest->C.count()})), Y) <= 0;
}

}  // namespace rta::analysis::hard
