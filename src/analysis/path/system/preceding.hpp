// The work that precedes the nodes of many DAGs on one GEL pool, for all of them at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/path/system/moved_jobs.hpp"
#include "analysis/path/system/rank_index.hpp"
#include "analysis/path/system/sum_tree.hpp"
#include "analysis/path/system/ticks.hpp"

namespace rta::analysis::path {

/// T10n's sum over all DAGs of ceil((F_u + min(b, Y_k - Y_d) + J_d)/T_d) vol_u, where more than J_d is left of that. The i-th job of u, i
/// >= 0, counts where q = i T_d - F_u - J_d is below b and q + Y_d is below Y_k, and so is Y_d - F_u: the jobs, in order of q, are put in
/// by q + Y_d, and then asked for by q. So n nodes take n log n steps where pairs of DAGs take a step each. From round to round only the
/// jobs of DAGs whose ends have changed are counted anew.
class PrecedingWork {
 public:
  PrecedingWork(const Ticks& ticks, std::size_t pool);

  /// Whether so many DAGs differ, and so few jobs lie between their points, that this is less than a step for each pair.
  [[nodiscard]] bool is_quicker() const { return quicker_; }

  /// Where a node of a user of the pool, an index into `Ticks::users`, asks.
  struct Point {
    std::int64_t b = 0;  // ns, no less than 0
    std::uint32_t v = 0;
  };
  /// `reach`: per node its b, in steps of `stride`; negative where no path to it visits the pool. To be called when ends have changed.
  void set_points(std::size_t user, std::span<const std::int64_t> reach, std::size_t stride);
  /// Takes F as it is now, per class and node. The users whose values may have changed, an increasing list.
  [[nodiscard]] const std::vector<std::size_t>& set_values(const std::vector<std::vector<std::int64_t>>& F);
  /// A user's points in order of b, and the values there; one of the class's own copies is left out.
  [[nodiscard]] std::span<const Point> points_of(std::size_t user) const { return users_[user].points; }
  [[nodiscard]] std::span<const Tick> values_of(std::size_t user) const { return users_[user].values; }

 private:
  struct Early {
    std::size_t level = 0;  // the first of levels_ that is above q + Y
    Tick work;
  };
  struct User {
    std::size_t k = 0;
    std::size_t local = 0;  // the pool, for the class
    std::size_t level = 0;  // of its own Y
    std::vector<Point> points;
    std::vector<Tick> values;
    std::vector<Early> early;  // its jobs of q < 0
    Tick own;                  // what one copy does, at any b
    bool anew = false;         // whether its ends have changed since its jobs were counted
    bool asked = false;
  };
  struct Job {
    std::int64_t q = 0;
    std::uint32_t level = 0;  // as of Early
    std::uint32_t user = 0;
    Tick work;
  };

  void choose_asked(const std::vector<std::vector<std::int64_t>>& F);
  void count_jobs(const std::vector<std::vector<std::int64_t>>& F);
  void count_jobs(std::uint32_t user, const std::vector<std::int64_t>& F);
  static void add_early(User& user, std::size_t level, Tick work);
  void merge_jobs();
  void sort_by_level();
  void set_values(User& user, Tick others) const;
  [[nodiscard]] std::size_t first_not_below(std::int64_t b) const;

  const Ticks& ticks_;
  std::size_t pool_;
  bool quicker_ = false;
  std::vector<User> users_;
  std::vector<std::size_t> by_level_;         // users, by the level of their Y
  std::vector<std::int64_t> levels_;          // the users' different Y, increasing
  RankIndex level_index_;                     // of levels_
  std::optional<MovedJobs> moved_;            // once asked
  std::vector<std::size_t> anew_;             // users, increasing
  std::vector<std::size_t> asked_;            // users whose values may have changed, increasing
  std::int64_t horizon_ = -1;                 // no job of later q is counted
  std::vector<Tick> always_;                  // level -> work of the jobs of q < 0 that count from there on
  std::vector<Job> jobs_;                     // of 0 <= q < horizon_, by q
  std::vector<Job> fresh_;                    // of those that are anew
  std::vector<Job> merged_;                   // while both are put together
  std::vector<std::uint32_t> jobs_by_level_;  // places in jobs_
  std::vector<std::size_t> level_end_;        // level -> where its jobs end there
  SumTree counted_;                           // the work of jobs_, once it counts
};

}  // namespace rta::analysis::path
