// Issues a probe's operations at their instants, from one thread: so the order of two operations is the order of their instants, and of
// their rows where those are equal.
#pragma once

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <vector>

#include "common/clock.hpp"
#include "gpu.hpp"

namespace examine {

/// An operation in a run; may lie in memory shared by processes. Instants on the monotonic clock, 0: not yet.
struct Progress {
  std::atomic<std::int64_t> issued{0};
  std::atomic<std::int64_t> ended{0};  // as the host noticed it
};

enum class Ending { all_ended, timed_out, stopped };

class Issuer {
 public:
  Issuer(const Probe& probe, std::vector<bool> own) : probe_(probe), own_(std::move(own)) {
    waiting_.reserve(probe.operation_count);
    running_.reserve(probe.operation_count);
  }

  /// Issues what is `own` of a run that begins at `start`, and returns when that has ended. `progress`: of all operations; those of other
  /// processes are filled in by them. Gives up at `give_up`, or when `stop` is set: then what was issued may still run.
  // rta: job
  Ending run(std::int64_t start, std::int64_t give_up, Progress* progress, Gpu& gpu, const volatile std::sig_atomic_t& stop) {
    waiting_.clear();
    running_.clear();
    for (unsigned o = 0; o < probe_.operation_count; ++o) {
      if (own_[o]) waiting_.push_back(o);
    }
    while (!waiting_.empty() || !running_.empty()) {
      if (stop != 0) return Ending::stopped;
      const std::int64_t at = common::now();
      if (at > give_up) return Ending::timed_out;
      note_ends(progress, gpu);
      const auto next = first_ready(start, progress);
      if (next == waiting_.end() || ready_at(*next, start, progress) > common::now()) continue;
      const unsigned operation = *next;
      waiting_.erase(next);
      progress[operation].issued.store(common::now());
      gpu.issue(operation);
      running_.push_back(operation);
    }
    return Ending::all_ended;
  }

 private:
  static constexpr std::int64_t not_known = INT64_MAX;

  [[nodiscard]] std::int64_t ready_at(unsigned operation, std::int64_t start, const Progress* progress) const {
    const Operation& o = probe_.operations[operation];
    std::int64_t ready = start + o.at;
    for (unsigned a = 0; a < o.after_count; ++a) {
      const std::int64_t ended = progress[o.after[a]].ended.load();
      if (ended == 0) return not_known;
      ready = std::max(ready, ended + o.delay);
    }
    return ready;
  }

  /// The operation to be issued next among those whose instant is known; rows are in ascending order, so the first of equals is the lowest.
  [[nodiscard]] std::vector<unsigned>::iterator first_ready(std::int64_t start, const Progress* progress) {
    auto best = waiting_.end();
    std::int64_t earliest = not_known;
    for (auto at = waiting_.begin(); at != waiting_.end(); ++at) {
      const std::int64_t ready = ready_at(*at, start, progress);
      if (ready < earliest) {
        earliest = ready;
        best = at;
      }
    }
    return best;
  }

  void note_ends(Progress* progress, Gpu& gpu) {
    for (std::size_t r = 0; r < running_.size();) {
      if (!gpu.ended(running_[r])) {
        ++r;
        continue;
      }
      progress[running_[r]].ended.store(common::now());
      running_[r] = running_.back();
      running_.pop_back();
    }
  }

  const Probe& probe_;
  std::vector<bool> own_;
  std::vector<unsigned> waiting_;  // in ascending order
  std::vector<unsigned> running_;
};

}  // namespace examine
