// What each runnable of a hyperepoch waits for when it is played: slots that stay empty and starts of frames are nobody's, so that whoever
// comes after them waits for what they wait for.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "rta/model/static_schedule.hpp"

namespace rta::validation {

/// A step of a job of the hyperepoch.
struct PlayedStep {
  std::size_t job = 0;
  std::size_t step = 0;
  StaticTurn turn;
};

/// In frames of that turn the played step must have ended, or started, if it runs in them.
struct PlayedWait {
  std::size_t on = 0;  // of the played steps
  bool started = false;
  StaticTurn turn;
};

/// All steps that are ever played, in the order of the jobs.
[[nodiscard]] std::vector<PlayedStep> played_steps(const StaticHyperepoch& hyperepoch);

/// What each played step waits for. Throws `UserError` when turns repeat only after more than 2^32 frames.
[[nodiscard]] std::vector<std::vector<PlayedWait>> played_waits(const StaticHyperepoch& hyperepoch, const std::vector<PlayedStep>& steps);

/// When each job may start, from the start of the frame: not before its own release, nor before that of a frame_sync that it comes after.
[[nodiscard]] std::vector<Time> played_releases(const StaticHyperepoch& hyperepoch);

/// The frames of both turns; nothing: there are none. Throws `UserError` as above.
[[nodiscard]] std::optional<StaticTurn> both(const StaticTurn& a, const StaticTurn& b);

}  // namespace rta::validation
