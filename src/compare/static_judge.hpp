// What a frame of a played schedule was, beside what is proven.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "../static_order/waiting.hpp"
#include "rta/compare/static_comparison.hpp"
#include "static_frames.hpp"

namespace rta::compare {

class StaticJudge {
 public:
  /// Fills `result`, which must outlive this; so must the schedule. `skips`: a late frame leaves out periods.
  StaticJudge(const static_order::Schedule& schedule, bool skips, StaticComparison& result);
  /// The rows of the runnables, by the names of their steps.
  void prepare(const StaticFrames& frames);

  void judge(const PlayedFrame& frame);
  void finish();

 private:
  /// Of a runnable in the frame at hand, whoever takes its slot.
  struct Path {
    Time wake_ups;         // the longest sum of wake-ups on a path to its start, with its own
    Time delays_to_start;  // the same with what runnables took beyond their WCETs
    Time delays;           // with its own excess, too
    Time passed;           // the latest end of what comes before it, where it is nobody's; else its own end
  };
  [[nodiscard]] Path before(const PlayedFrame& frame, std::size_t runnable, const std::vector<Path>& paths) const;
  void judge_job(const PlayedFrame& frame, std::size_t runnable, const Path& before, std::vector<Path>& paths);
  void keep_late(const PlayedFrame& frame, std::size_t runnable, const Path& path);
  [[nodiscard]] std::vector<std::string> reasons(const PlayedFrame& frame, std::size_t runnable) const;
  /// Whether its time from start to end holds waiting for other kernels.
  [[nodiscard]] bool runs_freely(std::size_t hyperepoch, std::size_t runnable) const;
  void judge_frame(const PlayedFrame& frame);

  struct Starts {
    Time least, most;
  };

  const static_order::Schedule& schedule_;
  bool skips_;
  StaticComparison& result_;
  std::vector<static_order::Waiting> waiting_;                      // by hyperepoch
  std::vector<std::vector<std::vector<std::size_t>>> row_;          // by hyperepoch, runnable, step
  std::map<std::pair<std::size_t, std::uint64_t>, Starts> starts_;  // by row and frame of the epoch
  std::vector<std::optional<Time>> first_start_, last_start_;       // by hyperepoch
  std::vector<Wide> busy_;                                          // by resource of the result
  std::vector<Time> longest_;                                       // execution so far, by row
  std::vector<std::vector<std::optional<std::size_t>>> resource_;   // by hyperepoch and its resource
};

}  // namespace rta::compare
