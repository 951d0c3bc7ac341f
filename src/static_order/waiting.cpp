#include "waiting.hpp"

#include <algorithm>
#include <map>

namespace rta::static_order {

using By = Decision::By;

Waiting waiting_of(const ScheduledHyperepoch& hyperepoch) {
  const std::size_t n = hyperepoch.runnables.size();
  Waiting waiting;
  waiting.before.resize(n);
  waiting.after.resize(n);
  std::vector<bool> shared(hyperepoch.resources.size(), false);
  for (const Sharing& sharing : hyperepoch.sharing) shared[sharing.resource] = true;
  std::vector<std::optional<std::size_t>> last(hyperepoch.resources.size());
  std::vector<std::optional<std::size_t>> last_submitted(hyperepoch.resources.size());
  for (std::size_t i = 0; i < n; ++i) {
    const ScheduledRunnable& runnable = hyperepoch.runnables[i];
    auto& before = waiting.before[i];
    for (const std::size_t id : runnable.after) before.push_back({By::dependency, id, 0});
    for (const std::size_t id : runnable.after_start) before.push_back({By::submitter_start, id, 0});
    for (const std::size_t r : runnable.resources) {
      if (shared[r]) continue;
      if (last[r]) before.push_back({By::resource, *last[r], r});
      last[r] = i;
    }
    if (!runnable.stream) continue;
    if (last_submitted[*runnable.stream]) before.push_back({By::stream, *last_submitted[*runnable.stream], *runnable.stream});
    last_submitted[*runnable.stream] = i;
  }
  std::vector<std::size_t> waits(n);
  for (std::size_t i = 0; i < n; ++i) {
    waits[i] = waiting.before[i].size();
    for (const Decision& decision : waiting.before[i]) waiting.after[decision.predecessor].push_back(i);
    if (waits[i] == 0) waiting.order.push_back(i);
  }
  for (std::size_t i = 0; i < waiting.order.size(); ++i) {
    for (const std::size_t next : waiting.after[waiting.order[i]]) {
      if (--waits[next] == 0) waiting.order.push_back(next);
    }
  }
  return waiting;
}

Cycle cycle_of(const Waiting& waiting) {
  std::vector<bool> ordered(waiting.before.size(), false);
  for (const std::size_t i : waiting.order) ordered[i] = true;
  // Everybody that is left waits for somebody that is left, too: going back, one of them comes twice.
  std::size_t at = static_cast<std::size_t>(std::ranges::find(ordered, false) - ordered.begin());
  std::map<std::size_t, std::size_t> place;
  Cycle path;
  while (!place.contains(at)) {
    place[at] = path.size();
    path.push_back(at);
    const auto left = [&](const Decision& decision) { return !ordered[decision.predecessor]; };
    at = std::ranges::find_if(waiting.before[at], left)->predecessor;
  }
  return {path.begin() + static_cast<std::ptrdiff_t>(place[at]), path.end()};
}

Time lag_of(const ScheduledHyperepoch& hyperepoch, const Decision& decision) {
  return decision.by == By::submitter_start ? Time::zero() : hyperepoch.runnables[decision.predecessor].wcet;
}

Time due_of(const ScheduledHyperepoch& hyperepoch, const ScheduledRunnable& runnable) {
  return runnable.deadline ? std::min(*runnable.deadline, hyperepoch.period) : hyperepoch.period;
}

}  // namespace rta::static_order
