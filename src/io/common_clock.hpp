// Rates of which whole numbers of ns are no periods, where releases are periodic: a clock by which all periods are whole.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "exact_time.hpp"
#include "rta/model/task_set.hpp"

namespace rta::io {

/// A clock that runs a little faster than time, so that between two instants it counts more ns than there are: docs/theory/periodic.md,
/// "Rates".
class CommonClock {
 public:
  /// The slowest by which all of these times are whole, if it runs no more than a hundred-thousandth too fast.
  [[nodiscard]] static std::optional<CommonClock> of(std::span<const ExactTime> times);

  /// A time that is whole by this clock.
  [[nodiscard]] Time exact(ExactTime time) const;
  [[nodiscard]] Time exact(Time time) const { return exact({time.count(), 1}); }
  /// Any time, rounded up.
  [[nodiscard]] Time at_least(Time time) const;

 private:
  CommonClock(Wide counts, Wide ns) : counts_(counts), ns_(ns) {}
  Wide counts_, ns_;  // so many in so many ns
};

/// Some of the pools have times of another clock, that of processors in a reservation or of slices of a GPU.
[[nodiscard]] bool has_other_clock(std::span<const Pool> pools);

struct PoolsAndDags {
  std::vector<Pool> pools;
  std::vector<Dag> dags;
};
/// Those of a task set by a clock by which all periods, deadlines and phases are whole, and executions no shorter than they are. Nothing:
/// there is none, or pools have another. `periods`: T of each DAG.
[[nodiscard]] std::optional<PoolsAndDags> on_common_clock(const std::vector<Pool>& pools, const std::vector<Dag>& dags,
                                                          std::span<const ExactTime> periods);

}  // namespace rta::io
