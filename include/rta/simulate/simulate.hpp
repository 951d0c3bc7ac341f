// Discrete-event simulation of a task set on its platform, exact to the published scheduling rules (theory section 6).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "rta/model/experiment.hpp"
#include "rta/model/schedule.hpp"
#include "rta/model/task_set.hpp"
#include "rta/simulate/observer.hpp"
#include "rta/simulate/options.hpp"
#include "rta/simulate/statistics.hpp"

namespace rta::simulate {

/// Why a simulation ended.
enum class Ending : std::uint8_t {
  complete,   // all jobs released before the duration have ended
  stopped,    // by a request (Options::limit)
  timed_out,  // by the time of Options::limit
  backlog     // more than Options::max_jobs_in_flight: overload
};
[[nodiscard]] std::string_view to_string(Ending ending);
/// What a limit makes of it; `complete` while none is reached.
[[nodiscard]] Ending ending_of(Limit::Cause cause);

struct DagObservation {
  Statistics response;                     // from the DAG's release to the end of its last node
  std::vector<Statistics> nodes;           // from NodeSchedule::reference to the end of the node
  std::uint64_t misses = 0;                // jobs that ended after the DAG's deadline
  std::vector<std::uint64_t> node_misses;  // jobs that ended after the node's own deadline, which counts from its reference
  std::uint64_t held_back = 0;             // jobs that began later than they were released, as no thread, or no place in flight, was free
  Time longest_wait;                       // of these, from release to begin
  std::uint64_t after_earlier = 0;         // node jobs that a node of an earlier job was the last to keep waiting
};

struct Observation {
  std::vector<DagObservation> dags;
  Ending ending = Ending::complete;
  Time simulated;                   // the last instant that was simulated
  std::uint64_t dag_jobs = 0;       // released
  std::uint64_t jobs = 0;           // node jobs that ended
  std::uint64_t blocks = 0;         // blocks and items that started
  std::uint64_t preemptions = 0;    // on CPU pools
  std::uint64_t late_releases = 0;  // a node's offset had passed before its predecessors had ended: a bound was broken
  std::uint64_t max_in_flight = 0;  // node jobs
};

/// Simulates. Integer time; the same arguments give the same observation, observed or not. Memory does not grow with simulated time
/// unless the system is overloaded. Throws `Defect` when `schedule` or `options` do not fit the task set, `UserError`
/// for more blocks or items than can be told apart, and `Overflow` when times leave the range of 64 bits.
[[nodiscard]] Observation simulate(const TaskSet& task_set, const Schedule& schedule, const Options& options, Observer* observer = nullptr);

/// Simulates an experiment: one DAG, released at 0, whose nodes are the operations. Of `options`, releases, jobs, duration, streams
/// and node_execution do not matter. Throws as above.
[[nodiscard]] Observation simulate(const Experiment& experiment, const Options& options, Observer* observer = nullptr);

}  // namespace rta::simulate
