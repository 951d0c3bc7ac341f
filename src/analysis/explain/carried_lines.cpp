#include "analysis/explain/carried_lines.hpp"

#include <fmt/format.h>

#include "analysis/cpu/priority_order.hpp"
#include "analysis/explain/counted_terms.hpp"

namespace rta::analysis::gel {

FineTime carried_lines(std::span<const Task> tasks, Time shift, const TaskNames& names, std::vector<std::string>& lines) {
  std::vector<std::size_t> carrying;
  std::vector<GroupKey> key;
  carrying.reserve(tasks.size());
  key.reserve(tasks.size());
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (carried_demand(tasks[i], shift) == FineTime{}) continue;
    carrying.push_back(i);
    key.emplace_back(tasks[i].T.count(), tasks[i].J.count());
  }
  FineTime S;
  for (const TaskGroup& group : grouped(carrying, key, names)) {
    Wide C = 0;
    Wide C_Y = 0;
    FineTime sum;
    for (const std::size_t i : group.tasks) {
      const Task& task = tasks[i];
      C = checked_add(C, Wide{task.C.count()});
      C_Y = checked_add(C_Y, checked_mul(Wide{task.C.count()}, Wide{task.Y.count()} - shift.count() - task.J.count()));
      sum += carried_demand(task, shift);
    }
    lines.push_back(fmt::format("  {}: {} {} {}/{} = {}", group.name, to_string(C), C_Y < 0 ? "+" : "-", to_string(C_Y < 0 ? -C_Y : C_Y),
                                tasks[group.tasks.front()].T.count(), text(sum)));
    S += sum;
  }
  return S;
}

}  // namespace rta::analysis::gel
