#include "analysis/cpu/gel_release.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "analysis/cpu/priority_order.hpp"

namespace rta::analysis::gel {
namespace {

/// Tasks of equal T and Y as one.
std::vector<Task> by_period_and_point(std::span<const Task> tasks) {
  std::vector<Task> kinds(tasks.begin(), tasks.end());
  const auto key = [](const Task& task) { return std::pair(task.T, task.Y); };
  std::ranges::sort(kinds, {}, key);
  std::size_t last = 0;
  for (std::size_t i = 1; i < kinds.size(); ++i) {
    if (key(kinds[last]) == key(kinds[i])) {
      kinds[last].C = to_time(checked_add(Wide{kinds[last].C.count()}, Wide{kinds[i].C.count()}));
    } else {
      kinds[++last] = kinds[i];
    }
  }
  if (!kinds.empty()) kinds.resize(last + 1);
  return kinds;
}

FineTime demand_of(std::span<const Task> kinds, Time Y) {
  FineTime sum;
  for (const Task& kind : kinds) sum += carried_demand(kind, Y);
  return sum;
}

}  // namespace

FineTime released_demand(std::span<const Task> tasks, Time Y) { return demand_of(by_period_and_point(tasks), Y); }

std::vector<FineTime> released_demands(std::span<const Task> tasks, std::size_t& budget) {
  const std::vector<Task> kinds = by_period_and_point(tasks);
  std::map<Time, FineTime> known;
  for (const Task& task : tasks) known.try_emplace(task.Y);
  if (known.size() > budget / std::max<std::size_t>(1, kinds.size())) return {};
  budget -= known.size() * kinds.size();
  for (auto& [Y, demand] : known) demand = demand_of(kinds, Y);
  std::vector<FineTime> demands;
  demands.reserve(tasks.size());
  for (const Task& task : tasks) demands.push_back(known.at(task.Y));
  return demands;
}

Time bound_from_release(const Task& task, FineTime carry, FineTime demand, std::uint32_t processors) {
  const FineTime others = carry + demand - fine(task.C);
  return to_time(checked_add(Wide{task.C.count()}, ceil_div(others.count(), Wide{processors} << fine_bits)));
}

}  // namespace rta::analysis::gel
