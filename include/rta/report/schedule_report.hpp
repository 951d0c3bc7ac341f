// Static schedules as text, JSON, CSV and an HTML page with a Gantt chart per hyperepoch. Nothing is computed here.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rta/static_order/compile.hpp"
#include "rta/static_order/verify.hpp"

namespace rta::report {

/// What was seen of a runnable in runs of a schedule, from the start of its hyperepoch.
struct ObservedRunnable {
  Time earliest_start, latest_end;
};

/// What a hyperepoch of the schedule guarantees, and what is known about better ones.
struct HyperepochReport {
  const static_order::HyperepochProof* proof = nullptr;        // none: it has a deadlock or is none of the graph
  const static_order::CompiledHyperepoch* compiled = nullptr;  // none: it was checked, not compiled
  std::vector<std::optional<ObservedRunnable>> observed;       // by runnable, or empty
};

struct ScheduleReport {
  std::string file;  // the graph or task set
  const static_order::Schedule& schedule;
  static_order::Objective objective = static_order::Objective::length;
  std::vector<HyperepochReport> hyperepochs = {};            // as in the schedule
  const std::vector<static_order::Fault>* faults = nullptr;  // of a schedule that was checked
  std::vector<std::string> explained = {};                   // text: names of runnables, `client.name` or `name`
  bool verbose = false;                                      // text: all runnables, however many
  bool colour = false;

  [[nodiscard]] bool good() const;
};

/// Whether some runnable of the schedule has that name.
[[nodiscard]] bool has_runnable(const static_order::Schedule& schedule, std::string_view name);

}  // namespace rta::report
