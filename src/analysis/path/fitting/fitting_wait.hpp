// How long paths wait on one pool of processors, by T10w.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "analysis/path/fitting/work_that_fits.hpp"

namespace rta::analysis::path {

/// The waiting on one pool of all paths to a node whose least urgent node there is of one level.
class FittingWait {
 public:
  static constexpr std::int64_t longest_time = std::int64_t{1} << 44U;  // ns; sums over all nodes stay in range

  /// Where a search for a waiting ended.
  struct Last {
    std::int64_t cut = 0;
    std::vector<std::int64_t> phases;  // class
  };

  struct Jobs {
    std::size_t c = 0;  // class
    bool own = false;   // other jobs of the node's own DAG
    std::int64_t copies = 1;
    std::optional<WorkThatFits> fits;
    std::vector<std::pair<std::int64_t, std::int64_t>> counted;  // C, jobs; where it does not fit
    std::int64_t phase = 0;                                      // a likely worst one
    [[nodiscard]] std::int64_t work(std::int64_t w) const;       // of all copies, halves of a ns
    /// At that phase alone.
    [[nodiscard]] std::int64_t work_at_phase(std::int64_t w) const;
    /// As `work`; keeps the worst phase.
    [[nodiscard]] std::int64_t seek(std::int64_t w);
    /// For another search of the worst phase, which between two halves of a ns may find a little more.
    [[nodiscard]] std::int64_t room(std::int64_t processors) const {
      return fits && (!own || fits->is_late()) && !fits->is_one_job() ? copies * processors : 0;
    }

   private:
    [[nodiscard]] WorkThatFits::Most most(std::int64_t w) const { return own ? fits->most_of_others(w, phase) : fits->most(w, phase); }
  };
  std::vector<Jobs> jobs;
  std::vector<std::int64_t> own_chains;  // of the job itself: work per chain of what is parallel to some path, halves of a ns
  std::int64_t own_most = 0;             // on one path
  std::int64_t m = 1;

  Jobs& add(std::size_t d, bool of_own, std::int64_t times) {
    Jobs& all = jobs.emplace_back();
    all.c = d;
    all.own = of_own;
    all.copies = times;
    return all;
  }
  void begin_at(const Last& last);
  void keep(Last& last) const;
  /// Cuts at w > 0.
  void try_at(std::int64_t w);
  /// Whether by the likely phases alone the waiting is no less than w; then cuts there, by these.
  bool is_longer(std::int64_t w);
  /// Whether the waiting is less than some w that was tried; else the cut, others and own may be too small.
  [[nodiscard]] bool is_enough() const { return less_.has_value(); }
  /// Goes on down from such a w, as far as a few steps go.
  void step_down();
  /// Cuts at the least such w.
  void find();
  /// Cut at w, halves of a ns.
  [[nodiscard]] std::int64_t work_of_others(std::int64_t w) const;
  [[nodiscard]] std::int64_t room() const;
  [[nodiscard]] std::int64_t work_at_phases(std::int64_t w) const;
  /// As `work_of_others`; keeps the worst phases.
  [[nodiscard]] std::int64_t seek_others(std::int64_t w);
  std::int64_t cut = 0;     // at which pieces are cut, halves of a ns
  std::int64_t others = 0;  // work of jobs
  std::int64_t own = 0;     // of the job itself

 private:
  [[nodiscard]] std::int64_t work_of_own(std::int64_t w) const;
  [[nodiscard]] bool never_waits() const;

  struct Tried {
    std::int64_t w = 0;
    std::int64_t others = 0;
    std::int64_t own = 0;
    [[nodiscard]] std::int64_t work() const { return others + own; }
  };
  /// Where the line through two of them meets m w.
  [[nodiscard]] std::int64_t meets(const Tried& a, const Tried& b) const;
  [[nodiscard]] std::int64_t next_up(std::int64_t step) const;
  void cut_at(const Tried& at);

  std::int64_t at_least_ = 0;
  std::optional<Tried> less_;           // the least that the waiting is less than
  std::optional<Tried> most_, before_;  // the last two that it is not
};

}  // namespace rta::analysis::path
