// All jobs of periodic DAGs, from time 0 on, in the order in which they may start at the earliest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "rta/analysis/periodic/job_windows.hpp"
#include "rta/model/error.hpp"
#include "rta/model/quantity.hpp"

namespace rta::analysis::periodic {

/// Bounds of instants are in halves of a ns, so that one number says which side is open: an upper bound 2x stands for "by x", 2x - 1 for
/// "before x"; a lower one 2x for "from x on", 2x + 1 for "after x". Of an open side there is no other, wherever it is moved.
[[nodiscard]] inline std::int64_t halves(Time time) {
  constexpr std::int64_t most = std::int64_t{1} << 58;
  if (time.count() > most || time.count() < -most) throw_overflow("instants of periodic releases");
  return 2 * time.count();
}
[[nodiscard]] constexpr std::int64_t just_before(std::int64_t upper) { return (upper - 1) | 1; }
[[nodiscard]] constexpr std::int64_t just_after(std::int64_t lower) { return lower | 1; }
/// The least ns that is no earlier, the largest that is no later.
[[nodiscard]] constexpr Time supremum(std::int64_t upper) { return Time((upper + 1) >> 1); }
[[nodiscard]] constexpr Time infimum(std::int64_t lower) { return Time(lower >> 1); }

/// Job x of the sequence and job x + N, N jobs a hyperperiod, are the same but for the time H. Jobs before a DAG's first, which its phase
/// leaves out, have places, too.
class JobSequence {
 public:
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max() / 4;
  static constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

  /// What is the same in each hyperperiod; instants count from its begin.
  struct Job {
    std::int64_t earliest = 0, nominal = 0, latest_release = 0;
    std::int64_t C = 0, least = 0;                      // of each item
    std::uint64_t pieces = 1;                           // items
    std::int64_t first_point = 0, last_point = 0;       // under `points`
    std::int64_t priority = 0;                          // under `fixed`
    std::size_t pool = nowhere;                         // among those that are followed
    std::int64_t proven = never;                        // end
    bool source = false;                                // its release alone makes it ready, or that and the job before
    std::vector<std::int64_t> before = {}, after = {};  // so many places away
    std::int64_t depth = 0;                             // nodes before it, one after another
    std::size_t dag = 0, node = 0;
    std::int64_t number = 0;   // of the DAG's job in the hyperperiod that begins at 0; below 0: there is none
    std::int64_t numbers = 1;  // in each hyperperiod
  };
  struct Queue {
    Order order = Order::ready;
    bool equals_by_ready = false;
    bool sees_first = false;
    std::size_t servers = 1, first = 0;   // place of the first of its servers among all
    bool in_turn = false;                 // kernels
    std::vector<std::int64_t> next = {};  // from each place of a hyperperiod to the first job of the pool from there on
  };

  /// H in ns.
  JobSequence(const System& system, std::int64_t H, const Windows* proven);

  [[nodiscard]] std::int64_t hyperperiod() const { return H_; }
  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(jobs_.size()); }
  [[nodiscard]] const Job& at(std::int64_t place) const { return jobs_[static_cast<std::size_t>(place)]; }
  [[nodiscard]] const std::vector<Job>& jobs() const { return jobs_; }
  [[nodiscard]] const std::vector<Queue>& queues() const { return queues_; }
  [[nodiscard]] std::size_t servers() const { return servers_; }

 private:
  std::int64_t H_;
  std::vector<Job> jobs_;
  std::vector<Queue> queues_;
  std::size_t servers_ = 0;
};

}  // namespace rta::analysis::periodic
