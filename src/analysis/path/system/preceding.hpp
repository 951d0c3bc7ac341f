// The work that precedes the nodes of many DAGs on one GEL pool, for all of them at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/path/system/moved_jobs.hpp"
#include "analysis/path/system/rank_index.hpp"
#include "analysis/path/system/table.hpp"
#include "analysis/path/system/ticks.hpp"

namespace rta::analysis::path {

/// T10n's sum over all DAGs of max(0, ceil((F_u + min(b, Y_k - Y_d))/T_d)) vol_u. The i-th job of u, i >= 0, counts where q = i T_d - F_u
/// is below b and q + Y_d is below Y_k: the jobs are put in by q + Y_d, and then asked for by q. So n nodes take n log n steps where pairs
/// of DAGs take a step each.
class PrecedingWork {
 public:
  PrecedingWork(const Ticks& ticks, std::size_t pool);

  /// Whether so many DAGs differ, and so few jobs lie between their points, that this is less than a step for each pair.
  [[nodiscard]] bool is_quicker() const { return quicker_; }

  /// The points b >= 0 of a user of the pool, an index into `Ticks::users`, in increasing order. To be called when its ends have changed.
  void set_points(std::size_t user, std::vector<std::int64_t> points);
  /// Takes F as it is now, per class and node. The users whose values may have changed, an increasing list.
  [[nodiscard]] const std::vector<std::size_t>& set_values(const std::vector<std::vector<std::int64_t>>& F);
  /// The values at a user's points; one of the class's own copies is left out.
  [[nodiscard]] const Table& of_user(std::size_t user) const { return tables_[user]; }

 private:
  struct Source {
    std::size_t k = 0;
    std::uint32_t u = 0;
    Tick work;  // of all copies
  };
  struct Job {
    std::size_t level = 0;  // the first of levels_ that is above q + Y
    std::size_t from = 0;   // the first point above q
    Tick work;
  };

  void choose_asked(const std::vector<std::vector<std::int64_t>>& F);
  void collect_points();
  void collect_jobs(const std::vector<std::vector<std::int64_t>>& F);
  void sort_jobs();
  void add(std::size_t from, Tick work);
  [[nodiscard]] Tick up_to(std::size_t point) const;
  [[nodiscard]] Tick of_own(std::size_t k, const std::vector<std::int64_t>& F) const;

  const Ticks& ticks_;
  std::size_t pool_;
  bool quicker_ = false;
  std::vector<Source> sources_;
  std::vector<std::int64_t> levels_;                // the users' different Y, increasing
  std::optional<MovedJobs> moved_;                  // once asked
  std::vector<Table> tables_;                       // per user
  std::vector<bool> anew_;                          // user -> whether its points were set since its values were
  std::vector<std::size_t> asked_;                  // users whose values may have changed
  std::vector<std::vector<std::size_t>> asked_at_;  // level -> the same
  std::vector<std::int64_t> points_;                // of all that are asked, increasing
  RankIndex level_index_;                           // of levels_
  RankIndex point_index_;                           // of points_
  std::vector<Job> jobs_;                           // of q >= 0
  std::vector<Job> jobs_by_level_;                  // the same
  std::vector<std::size_t> level_end_;              // level -> where its jobs end there
  std::vector<Tick> always_;                        // level -> work of the jobs of q < 0 that count from there on
  std::vector<Tick> tree_;                          // a Fenwick tree over points_
};

}  // namespace rta::analysis::path
