// What each job of a timeline waited for. Nothing is assumed of the order of queues: whoever was waiting too and left first was ahead.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "rta/trace/timeline.hpp"

namespace rta::trace {

enum class WaitCause : std::uint8_t {
  stream,     // an earlier operation of its stream, or of one that its stream waits for (NULL)
  previous,   // the job before it, of a sequential node
  queue,      // the head of its pool's queue
  room,       // it is the head: room for a block on an SM
  engine,     // the copy engine
  call,       // another thread's call, which holds up who calls the driver
  processor,  // a processor
  worker      // a worker
};

/// The enumerator's name.
[[nodiscard]] std::string_view to_string(WaitCause cause);

/// One reason, for as long as it held.
struct Wait {
  Time from, to;
  WaitCause cause = WaitCause::queue;
  /// Whom it waited for: those that ran when it began, for room and units; else one. May name the job itself: its own blocks.
  std::vector<simulate::JobId> of;
};

/// A job on its way.
struct Waiting {
  Time queued;              // when it entered its pool's queue: released, and at the head of its stream
  Time left;                // when its last block or item, or it, started; of CPU jobs the first run
  std::vector<Wait> waits;  // by time; reasons that the timeline does not show are left out
};

/// One for each of `Timeline::jobs`; of the jobs after the first few thousand only the times.
[[nodiscard]] std::vector<Waiting> waiting(const Timeline& timeline);

}  // namespace rta::trace
