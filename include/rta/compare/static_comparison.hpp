// A played schedule beside what was proven of it (T15): WCETs, worst finishes, skipped frames, jitter, load.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rta/model/quantity.hpp"
#include "rta/static_order/schedule.hpp"
#include "rta/trace/reader.hpp"
#include "rta/trace/record.hpp"

namespace rta::compare {

/// Values of many jobs, in order of size.
struct Observed {
  std::vector<Time> sorted;
  Wide sum = 0;  // ns

  [[nodiscard]] std::size_t count() const { return sorted.size(); }
  /// The rest requires count() > 0.
  [[nodiscard]] Time max() const { return sorted.back(); }
  /// Rounded up to a whole ns.
  [[nodiscard]] Time mean() const { return to_time(ceil_div(sum, static_cast<Wide>(sorted.size()))); }
  /// The least value that at least `ppm` millionths of all are not above; 0 < ppm <= 1'000'000.
  [[nodiscard]] Time quantile(std::uint32_t ppm) const;
};

/// One runnable, in all frames.
struct PlayedRunnable {
  std::size_t hyperepoch = 0;
  std::string epoch;  // its DAG in the trace
  std::string name;   // `client.name`
  Time wcet;
  Observed execution;           // from start to end
  std::uint64_t over = 0;       // times it took longer than its WCET
  std::uint64_t worst_job = 0;  // that took longest
  Observed wake_up;             // from when nothing held it back any more to its start
  Time start_jitter;            // by how much its starts differ, counted from the frame's start; the largest over the epoch's frames
  /// Where the end came closest to what is proven, of all frames of the epoch: least of proven - observed. Negative: it ended later.
  std::optional<Time> slack;
  Time latest;  // that end, and what is proven of it, counted from the start of the hyperepoch's frame
  Time proven;
  std::uint64_t late = 0;  // times it ended after what is proven plus the wake-ups before it
};

struct PlayedHyperepoch {
  std::uint64_t frames = 0;
  std::uint64_t skipped = 0;     // periods in which no frame began
  std::uint64_t incomplete = 0;  // frames of which the trace lacks something
  std::uint64_t longer = 0;      // frames that took longer than proven
  Observed length;               // from the frame's start to its last end
  Time observed;                 // from the first frame's start to the last frame's start, and a period
};

/// How much of the time something was busy, in millionths.
struct PlayedResource {
  std::size_t hyperepoch = 0;
  std::string name;
  std::uint64_t planned = 0;  // WCETs over the period
  std::uint64_t busy = 0;     // observed
};

/// When a runnable of the schedule was seen at work, of all frames, from the start of its hyperepoch.
struct PlayedWindow {
  Time earliest_start, latest_end;
};

/// A job that ended after what is proven plus the wake-ups before it.
struct LateJob {
  std::string epoch;
  std::string name;
  std::uint64_t job = 0;
  Time end;  // from the start of the hyperepoch's frame
  Time proven;
  Time wake_ups;                     // the longest sum of wake-ups on a path to it
  Time delays;                       // the longest sum of wake-ups and of times beyond WCETs on a path through it
  std::vector<std::string> reasons;  // never empty

  /// Wake-ups and exceeded WCETs explain it.
  [[nodiscard]] bool explained() const { return end <= proven + delays; }
};

/// A job on the timeline.
struct PlayedInterval {
  std::size_t runnable = 0;  // of the comparison's
  std::size_t hyperepoch = 0;
  std::uint64_t frame = 0;    // of the hyperepoch
  std::size_t scheduled = 0;  // which of the hyperepoch's runnables
  Time frame_start, start, end;
};

struct StaticComparison {
  std::string trace;  // file name
  trace::Header header;
  bool complete = false;
  std::uint64_t lost_records = 0;
  std::vector<trace::CheckRecord> checks;
  std::vector<PlayedHyperepoch> hyperepochs;  // as the schedule's
  std::vector<PlayedRunnable> runnables;      // hyperepoch by hyperepoch, in the order of the schedule
  std::vector<PlayedResource> resources;
  std::vector<std::vector<std::optional<PlayedWindow>>> windows;  // by hyperepoch and its runnable; nothing: never seen
  std::vector<LateJob> late_jobs;                                 // by how late they are; at most `most_late_jobs`
  std::uint64_t late = 0;                                         // all of them
  std::uint64_t unexplained = 0;                                  // late jobs that not even exceeded WCETs explain: the proof does not hold
  std::uint64_t over = 0;                                         // jobs that took longer than their WCET
  std::uint64_t early = 0;                                        // jobs that started before something that they wait for had ended
  std::vector<PlayedInterval> timeline;                           // of the first frames
  std::vector<std::string> warnings;

  /// Nothing ended after what is proven of it, but for wake-ups, nothing took longer than its WCET, nothing started too early.
  [[nodiscard]] bool as_proven() const { return late == 0 && over == 0 && early == 0; }
  /// The run found nothing wrong with itself.
  [[nodiscard]] bool valid() const;
  /// Some frame was observed as a whole.
  [[nodiscard]] bool conclusive() const;
};
inline constexpr std::size_t most_late_jobs = 20;
inline constexpr std::size_t static_timeline_length = 4000;

/// Reads the trace to its end. Throws `io::InputError` when it is no trace of a static schedule, of another schedule than the one whose
/// file has the SHA-256 `sha256`, or names what the schedule does not have. A trace that ends early is compared as far as it goes.
[[nodiscard]] StaticComparison compare(const static_order::Schedule& schedule, const std::string& sha256, trace::Reader& reader,
                                       const std::string& name);

}  // namespace rta::compare
