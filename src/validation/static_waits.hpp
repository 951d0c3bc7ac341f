// What each runnable of a hyperepoch waits for when it is played: slots that stay empty and starts of frames are nobody's, so that whoever
// comes after them waits for what they wait for.
#pragma once

#include <cstddef>
#include <vector>

#include "rta/static_order/schedule.hpp"
#include "rta/static_order/steps.hpp"

namespace rta::validation {

/// A step of a runnable of the hyperepoch.
struct PlayedStep {
  std::size_t runnable = 0;
  static_order::Step step;
};

/// In frames of that turn the played step must have ended, or started, if it runs in them.
struct PlayedWait {
  std::size_t on = 0;  // of the played steps
  bool started = false;
  static_order::Turn turn;
};

/// The predecessors of each runnable, each but once; those whose start is waited for come apart.
struct Predecessors {
  std::vector<std::vector<std::size_t>> ended;
  std::vector<std::vector<std::size_t>> started;
};
/// Throws `UserError` when a runnable stands before one that it waits for.
[[nodiscard]] Predecessors predecessors_of(const static_order::ScheduledHyperepoch& hyperepoch);

/// All steps that are ever played, in the order of the runnables.
[[nodiscard]] std::vector<PlayedStep> played_steps(const static_order::ScheduledHyperepoch& hyperepoch);

/// What each played step waits for. Throws `UserError` as `static_order::both` does.
[[nodiscard]] std::vector<std::vector<PlayedWait>> played_waits(const static_order::ScheduledHyperepoch& hyperepoch,
                                                                const Predecessors& predecessors, const std::vector<PlayedStep>& steps);

/// When each runnable may start, from the start of the frame: not before its own release, nor before that of a frame-sync that it comes
/// after.
[[nodiscard]] std::vector<Time> played_releases(const static_order::ScheduledHyperepoch& hyperepoch, const Predecessors& predecessors);

}  // namespace rta::validation
