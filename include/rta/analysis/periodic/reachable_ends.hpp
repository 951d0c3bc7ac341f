// T36: when each job of periodic DAGs ends in any schedule, by the states that a system can be in (docs/theory/periodic.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "rta/analysis/periodic/job_windows.hpp"

namespace rta::analysis::periodic {

/// No seconds: what is found does not depend on the machine.
struct ReachLimits {
  std::size_t states = 50'000;
  std::uint64_t steps = 20'000'000;      // of looking at one job for a state
  std::uint64_t bytes = 500'000'000;     // of states that are kept at once
  std::function<bool()> stop = nullptr;  // true ends the search
};

/// Of a job: it starts within [first, last] and has ended by `end`. Instants count from time 0.
struct Dispatch {
  std::size_t dag = 0, node = 0;
  std::int64_t number = 0;
  Time first, last, end;
};

/// A dispatch in a state, which the dispatch with the number `from` has led to first.
struct Led {
  std::size_t from = 0;
  Dispatch by;
};

struct Reached {
  Windows windows;  // the latest ends
  std::size_t states = 0;
  std::size_t dispatches = 0;                                // after which all is as it was a hyperperiod before
  std::vector<std::vector<std::vector<Dispatch>>> led = {};  // DAG, node: the last dispatches up to that of its latest job
  std::vector<Led> made = {};                                // by number; 0: the empty system, from which none leads
  std::vector<std::vector<Led>> latest = {};                 // DAG, node: that of its latest job
};

/// All dispatches from the empty system on, the last one that of the node's latest job.
[[nodiscard]] std::vector<Dispatch> way_to_latest(const Reached& reached, std::size_t d, std::size_t v);

/// Whether the pool's dispatches are followed: nodes of the others, kernels side by side, what may be preempted, and pools of workers with
/// nodes of more than `most_items` items, have the ends that others have proven.
constexpr std::uint64_t most_items = 1'000;
[[nodiscard]] bool is_followed(const System& system, std::size_t pool);

/// `proven`, or null: ends by T35, which hold. None where states have not come again within the limits, of which `left_out` is told.
/// Requires an end of another theorem for every node whose pool is not followed. Throws `Overflow`.
[[nodiscard]] std::optional<Reached> reachable_ends(const System& system, const Windows* proven, const ReachLimits& limits = {},
                                                    std::vector<LeftOut>* left_out = nullptr);

}  // namespace rta::analysis::periodic
