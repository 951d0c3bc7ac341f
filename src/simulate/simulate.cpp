#include "rta/simulate/simulate.hpp"

#include "simulation.hpp"

namespace rta::simulate {

std::string_view to_string(Ending ending) {
  switch (ending) {
    case Ending::complete: return "complete";
    case Ending::stopped: return "stopped";
    case Ending::timed_out: return "time limit";
    case Ending::backlog: return "backlog";
  }
  return "";
}

Ending ending_of(Limit::Cause cause) {
  switch (cause) {
    case Limit::Cause::none: return Ending::complete;
    case Limit::Cause::request: return Ending::stopped;
    case Limit::Cause::time:
    case Limit::Cause::effort: return Ending::timed_out;
  }
  return Ending::complete;
}

Observation simulate(const TaskSet& task_set, const Schedule& schedule, const Options& options, Observer* observer) {
  const Plan plan = make_plan(task_set, schedule, options);
  return Simulation(plan, options, observer).run();
}

}  // namespace rta::simulate
