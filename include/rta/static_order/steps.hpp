// Who takes a slot of a schedule, and in which frames.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rta/static_order/schedule.hpp"

namespace rta::static_order {

/// Those frames of a hyperepoch that are `phase` modulo `cycle`.
struct Turn {
  std::uint64_t cycle = 1;
  std::uint64_t phase = 0;
  [[nodiscard]] bool includes(std::uint64_t frame) const { return frame % cycle == phase; }
  bool operator==(const Turn&) const = default;
};

/// The frames of both; nothing: there are none. Throws `UserError` when they repeat only after more than 2^32 frames.
[[nodiscard]] std::optional<Turn> both(const Turn& a, const Turn& b);

/// Who takes a slot in its turn.
struct Step {
  std::size_t number = 0;  // among the slot's steps
  std::string client;
  std::string name;  // without the client's
  Turn turn;
  /// Its name in traces.
  [[nodiscard]] std::string label() const { return client + "." + name; }
};

/// The steps of a runnable that ever come: one of what takes its slot alone, none of a frame-sync.
[[nodiscard]] std::vector<Step> steps_of(const ScheduledHyperepoch& hyperepoch, const ScheduledRunnable& runnable);
/// The turns in which nobody takes its slot: each frame of a frame-sync.
[[nodiscard]] std::vector<Turn> empty_turns(const ScheduledHyperepoch& hyperepoch, const ScheduledRunnable& runnable);

/// The name of an epoch in traces, a DAG there: `hyperepoch.epoch`. Its jobs are numbered through all frames.
[[nodiscard]] std::string trace_name(const ScheduledHyperepoch& hyperepoch, std::size_t epoch);

}  // namespace rta::static_order
