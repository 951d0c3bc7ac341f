// What a static schedule guarantees: the latest end of every runnable (T15, T15w, T15g), and the predecessors that decide it.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "rta/static_order/schedule.hpp"

namespace rta::static_order {

/// What a runnable's latest start is: that of one predecessor's end (or start), or its release.
struct Decision {
  enum class By : std::uint8_t { release, dependency, submitter_start, resource, stream, path };
  By by = By::release;
  std::size_t predecessor = 0;  // unless by release
  std::size_t resource = 0;     // by resource or stream
};

struct RunnableProof {
  Time start, end;
  Decision decision;
  /// By how much its WCET alone could grow without any deadline or the period being missed; negative: how much is too much. Nothing where
  /// kernels share a GPU by streams.
  std::optional<Time> slack;
};

struct FrameProof {
  std::size_t epoch = 0;
  std::uint64_t frame = 0;
  Time start;  // nominal
  Time end;    // latest end of its runnables
};

/// All WCETs times numerator/denominator, and no deadline is missed; a little more, and one is.
struct Scale {
  Wide numerator = 1;
  Wide denominator = 1;
};

struct HyperepochProof {
  std::vector<RunnableProof> runnables;
  std::vector<FrameProof> frames;
  std::vector<std::size_t> critical_path;  // ids, the last one ends last
  Time length;
  /// The largest by which a runnable ends after its deadline or the period; at most 0: none does.
  Time lateness;
  std::size_t latest = 0;      // the runnable behind `lateness`
  std::optional<Scale> scale;  // nothing: nothing takes time, or kernels share a GPU by streams
};

/// Runnables each of which waits for the one before it, and the first for the last.
using Cycle = std::vector<std::size_t>;

/// The order of `runnables` on their resources need not respect `after`: then there may be a cycle, which is written to `cycle`, and
/// nothing is proven. Throws `Overflow`.
[[nodiscard]] std::optional<HyperepochProof> prove(const ScheduledHyperepoch& hyperepoch, Cycle& cycle);

/// T15g: the path that decides a runnable's end where kernels share a GPU by streams, and the terms of its sum. Volumes are weight x ns;
/// with one such GPU end = release + others + kernels + (own + parallel_volume)/capacity, rounded up.
struct FreePath {
  std::vector<std::size_t> runnables;
  Time release;
  Time others;                        // sum of C of what is no kernel
  Time kernels;                       // sum of L
  Wide own = 0;                       // sum of w L (B - 1)
  std::vector<std::size_t> parallel;  // kernels that may be in the way
  Wide parallel_volume = 0;           // their sum of w L B
  Wide capacity = 1;
  Time end;
};
[[nodiscard]] FreePath free_path(const ScheduledHyperepoch& hyperepoch, std::size_t runnable);

/// What `runnable` waits for by itself, by resource order and by stream order.
[[nodiscard]] std::vector<Decision> predecessors(const ScheduledHyperepoch& hyperepoch, std::size_t runnable);

}  // namespace rta::static_order
