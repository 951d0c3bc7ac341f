// T1c: work that is left of jobs released earlier, counted by jobs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "analysis/cpu/priority_order.hpp"
#include "rta/analysis/cpu/gel.hpp"

namespace rta::analysis::gel {

/// The pieces that can be left over, ceil((R_i + J_i)/T_i) of C_i each, longest first.
class Pieces {
 public:
  explicit Pieces(std::span<const Task> tasks) {
    runs_.reserve(tasks.size());
    for (std::size_t i = 0; i < tasks.size(); ++i) runs_.push_back({i, tasks[i].C.count(), 0, 0});
    std::sort(runs_.begin(), runs_.end(), [](const Run& a, const Run& b) { return a.C > b.C; });
  }

  /// `R`: proven bounds, one per task.
  void count(std::span<const Task> tasks, std::span<const Time> R) {
    Wide pieces = 0;
    Wide work = 0;
    for (Run& run : runs_) {
      const Wide jobs = releases_in(tasks[run.task], R[run.task].count());
      pieces += jobs;
      work = checked_add(work, checked_mul(jobs, run.C));
      run.pieces = pieces;
      run.work = work;
    }
  }

  /// As many of each task as are asked for, `most` at most: nothing is proven yet.
  void count(Wide most) {
    Wide pieces = 0;
    Wide work = 0;
    for (Run& run : runs_) {
      pieces += most;
      work = checked_add(work, checked_mul(most, run.C));
      run.pieces = pieces;
      run.work = work;
    }
  }

  /// The sum of the `most` longest.
  [[nodiscard]] Wide longest(Wide most) const {
    const auto at = std::lower_bound(runs_.begin(), runs_.end(), most, [](const Run& run, Wide n) { return run.pieces < n; });
    if (at == runs_.end()) return runs_.empty() ? 0 : runs_.back().work;
    return at->work - (at->pieces - most) * at->C;
  }

 private:
  struct Run {
    std::size_t task;
    Wide C;
    Wide pieces;  // of this run and all before
    Wide work;
  };
  std::vector<Run> runs_;
};

}  // namespace rta::analysis::gel
