// The part of a trace that a timeline shows: a window, or what was released first; in whatever order the trace tells it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "rta/compare/comparison.hpp"
#include "rta/model/task_set.hpp"
#include "rta/trace/timeline.hpp"

namespace rta::compare {

class TimelinePart {
 public:
  TimelinePart(const TaskSet& task_set, const Shown& shown) : task_set_(task_set), window_(shown.window), most_bars_(shown.most_bars) {}

  void dag(DagId dag, std::uint64_t job, Time release, Time end) { keep(dags_, {{dag, 0, job}, release, release, end}); }
  void job(simulate::JobId id, Time release, Time start, Time end) { keep(jobs_, {id, release, start, end}); }
  /// A block on an SM, or an item on a worker.
  void block(simulate::JobId id, std::uint64_t block, std::uint32_t unit, Time start, Time end) {
    keep(pieces_, {id, start, start, end, unit, block});
  }
  /// A copy, or an interval on a processor.
  void run(simulate::JobId id, std::uint32_t unit, Time start, Time end) { keep(pieces_, {id, start, start, end, unit}); }

  /// Of pools of which the trace has no pieces, jobs as a whole. Nothing where no job of a node was seen.
  [[nodiscard]] std::optional<trace::Timeline> timeline(bool stream_per_task);

 private:
  struct Seen {
    simulate::JobId id;
    Time at;  // by which it is placed: release of jobs, start of pieces
    Time start, end;
    std::uint32_t unit = 0;
    std::optional<std::uint64_t> block = std::nullopt;
  };
  /// The earliest of many. `until`: from there on some are missing.
  struct Earliest {
    std::vector<Seen> kept;
    Time until{std::numeric_limits<std::int64_t>::max()};
  };
  void keep(Earliest& earliest, const Seen& seen) const;
  /// The window, or that many of the longest periods from the first release; not as far as anything is missing.
  [[nodiscard]] Window shown() const;
  static void play(const std::vector<Seen>& pieces, trace::Timeline& timeline);

  const TaskSet& task_set_;
  std::optional<Window> window_;
  std::size_t most_bars_;
  Earliest dags_, jobs_, pieces_;
};

}  // namespace rta::compare
