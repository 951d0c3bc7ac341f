// GEL on SCHED_FIFO: the active jobs of a pool get levels in the order of their priority points.
#pragma once

#include <cstdint>
#include <mutex>

#include "common/scheduling.hpp"

namespace workload {

using namespace common;

/// The active jobs of one pool, by priority point; ties by arrival. Invariant: levels never rise from one job to the next, and differ
/// while there are at most as many jobs as levels. A job that arrives takes a level between its neighbours'; only when none is free are
/// all levels spread anew, so most arrivals cost one system call. May lie in memory shared by processes.
class PriorityOrder {
 public:
  static constexpr int capacity = 4096;
  static constexpr int levels = highest_job_level - lowest_job_level + 1;

  /// Before the thread starts on its job. False when the kernel refused a level or too many jobs are active.
  bool enter(int thread, std::int64_t priority_point) {
    std::lock_guard<Lock> guard(lock_);
    if (count_ == capacity) return false;
    int at = count_;
    while (at > 0 && jobs_[at - 1].priority_point > priority_point) {
      jobs_[at] = jobs_[at - 1];
      --at;
    }
    if (++count_ > levels) ++crowded_;
    jobs_[at] = {thread, 0, priority_point};
    const int above = at > 0 ? jobs_[at - 1].level : highest_job_level + 1;
    const int below = at + 1 < count_ ? jobs_[at + 1].level : lowest_job_level - 1;
    if (above - below >= 2) return give(at, (above + below) / 2);
    return spread();
  }

  /// After the thread has ended its job.
  void leave(int thread) {
    std::lock_guard<Lock> guard(lock_);
    int at = 0;
    while (at < count_ && jobs_[at].thread != thread) ++at;
    if (at == count_) return;
    --count_;
    for (; at < count_; ++at) jobs_[at] = jobs_[at + 1];
  }

  /// Arrivals that found more active jobs than there are levels.
  std::int64_t crowded() {
    std::lock_guard<Lock> guard(lock_);
    return crowded_;
  }

 private:
  struct Active {
    int thread;
    int level;
    std::int64_t priority_point;
  };

  bool give(int at, int level) {
    if (jobs_[at].level == level) return true;
    jobs_[at].level = level;
    return set_fifo(jobs_[at].thread, level).empty();
  }

  /// Evenly over the levels; past their number the last ones share the lowest. Raised from the front, lowered from the back, so that no
  /// job ever overtakes another in between.
  bool spread() {
    const auto level_of = [&](int at) {
      if (count_ >= levels) return highest_job_level - (at < levels ? at : levels - 1);
      return highest_job_level - (at + 1) * levels / (count_ + 1);
    };
    bool done = true;
    for (int at = 0; at < count_; ++at) {
      if (level_of(at) > jobs_[at].level) done = give(at, level_of(at)) && done;
    }
    for (int at = count_ - 1; at >= 0; --at) {
      if (level_of(at) < jobs_[at].level) done = give(at, level_of(at)) && done;
    }
    return done;
  }

  Lock lock_;
  int count_ = 0;
  std::int64_t crowded_ = 0;
  Active jobs_[capacity] = {};
};

}  // namespace workload
