// Schedules written by hand, for tests.
#pragma once

#include <string>
#include <vector>

#include "rta/static_order/schedule.hpp"

namespace rta::static_order {

/// A hyperepoch of one epoch with one frame and these resources.
inline ScheduledHyperepoch hyperepoch_with(std::vector<std::string> resources, Time period = Time(1'000'000)) {
  ScheduledHyperepoch h;
  h.name = "all";
  h.period = period;
  h.epochs.push_back({"frame", period, 1});
  for (std::string& name : resources) h.resources.push_back({std::move(name), "CPU", std::nullopt});
  return h;
}

/// Adds a runnable; returns its id.
inline std::size_t add(ScheduledHyperepoch& h, std::int64_t wcet, std::vector<std::size_t> resources, std::vector<std::size_t> after = {},
                       std::int64_t release = 0) {
  ScheduledRunnable r;
  r.name = "r" + std::to_string(h.runnables.size());
  r.client = "c";
  r.resources = std::move(resources);
  r.after = std::move(after);
  r.release = Time(release);
  r.wcet = Time(wcet);
  h.runnables.push_back(std::move(r));
  return h.runnables.size() - 1;
}

}  // namespace rta::static_order
