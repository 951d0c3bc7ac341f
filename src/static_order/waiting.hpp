// Who waits for whom in a static schedule: the graph H of T15.
#pragma once

#include <optional>
#include <vector>

#include "rta/static_order/proof.hpp"
#include "rta/static_order/schedule.hpp"

namespace rta::static_order {

struct Waiting {
  std::vector<std::vector<Decision>> before;    // by runnable: what it waits for
  std::vector<std::vector<std::size_t>> after;  // who waits for it, once for each reason
  std::vector<std::size_t> order;               // topological; shorter where there is a cycle
};

/// Its own `after`, the order of its resources (but of those that are shared), and that of its stream.
[[nodiscard]] Waiting waiting_of(const ScheduledHyperepoch& hyperepoch);
/// A cycle of a graph whose order is too short.
[[nodiscard]] Cycle cycle_of(const Waiting& waiting);
/// How far the start of whoever waits is behind the start of the one it waits for.
[[nodiscard]] Time lag_of(const ScheduledHyperepoch& hyperepoch, const Decision& decision);
/// The end of the period, or the deadline if that is earlier.
[[nodiscard]] Time due_of(const ScheduledHyperepoch& hyperepoch, const ScheduledRunnable& runnable);

}  // namespace rta::static_order
