// When a workload releases its jobs, and the bounds that hold for it: what an analysis proved, in the simulator's terms.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rta/analysis/analyze.hpp"
#include "rta/simulate/schedule.hpp"

namespace rta::validation {

/// offsets: every node at its offset. early: as soon as its predecessors have ended, guarded off the CPUs; priority points and bounds are
/// those of the offsets. completion: when its last predecessor ends, priority points per DAG. segments: so inside each segment, whose
/// sources are released at the segment's offset.
enum class Release : std::uint8_t { offsets, early, completion, segments };
[[nodiscard]] std::string_view to_string(Release release);
/// The release of that exact name.
[[nodiscard]] std::optional<Release> release_named(std::string_view name);

/// What an analysis must be asked for, so that its bounds hold for `release`.
void set_release(analysis::Options& options, Release release);

struct ReleasePlan {
  Release release = Release::offsets;
  simulate::Schedule schedule;
  std::vector<std::vector<std::optional<Time>>> node_bound;  // of the response time counted from NodeSchedule::reference
  std::vector<std::optional<Time>> dag_bound;                // end to end
  std::vector<std::string> warnings;
};

/// `analysis` must have been made with `set_release(options, release)` (throws std::invalid_argument where it was made for another policy).
/// A node without an offset (something before it has no bound) is released on completion, with a warning.
[[nodiscard]] ReleasePlan release_plan(const analysis::Analysis& analysis, Release release);

}  // namespace rta::validation
