#include "analysis/path/system/moved_jobs.hpp"

#include <algorithm>

namespace rta::analysis::path {
MovedJobs::MovedJobs(const Ticks& ticks, std::size_t pool) : ticks_(ticks) {
  for (const std::size_t k : ticks.users[pool]) {
    const Class& c = ticks.classes[k];
    levels_.push_back(c.Y);
    first_node_.push_back(nodes_.size());
    const std::size_t local = ticks.local_pool[k][pool];
    for (std::uint32_t u = 0; u < c.size(); ++u) {
      if (c.pool_of[u] == local && c.vol[u] > Tick::zero()) nodes_.push_back({k, u, 0});
    }
  }
  first_node_.push_back(nodes_.size());
  levels_ = sorted_without_repeats(std::move(levels_));
}

void MovedJobs::take(const std::vector<std::vector<std::int64_t>>& F, std::int64_t last_point, std::span<const std::size_t> users) {
  intervals_.clear();
  level_starts_.assign(levels_.size() + 1, 0);
  all_ = false;
  for (const std::size_t user : users) {
    for (std::size_t i = first_node_[user]; i < first_node_[user + 1]; ++i) {
      Node& node = nodes_[i];
      const std::int64_t to = F[node.k][node.u];
      if (to == node.F) continue;
      if (!all_) move(node, to, last_point);
      node.F = to;
      all_ = all_ || intervals_.size() > nodes_.size() / 4;
    }
  }
  if (all_) return;
  join();
  level_moved_.assign(levels_.size(), false);
  std::int64_t open = 0;
  for (std::size_t level = 0; level < levels_.size(); ++level) {
    open += level_starts_[level];
    level_moved_[level] = open > 0;
  }
}

void MovedJobs::move(const Node& node, std::int64_t to, std::int64_t last_point) {
  const Class& c = ticks_.classes[node.k];
  const std::int64_t lo = -std::max(node.F, to);
  const std::int64_t hi = -std::min(node.F, to);
  // Of all x = min(b, Y - Y_d) that there are.
  const std::int64_t least = std::min<std::int64_t>(0, levels_.front() - c.Y);
  const std::int64_t most = std::min(last_point, levels_.back() - c.Y);
  if (c.J > 0 && lo < most && hi >= least) add_interval(c, lo, hi);  // of all jobs with iT < J
  const std::int64_t first = std::max(jobs_in(c.J, c.T), jobs_in(least - hi + c.J, c.T));
  for (std::int64_t after = first * c.T - c.J; lo + after < most; after += c.T) add_interval(c, lo + after, hi + after);
}

void MovedJobs::add_interval(const Class& c, std::int64_t lo, std::int64_t hi) {
  if (hi >= 0) intervals_.push_back({lo, hi});
  ++level_starts_[first_above(levels_, lo + c.Y)];
  --level_starts_[first_above(levels_, hi + c.Y)];
}

void MovedJobs::join() {
  std::ranges::sort(intervals_, {}, &Interval::lo);
  std::size_t kept = 0;
  for (const Interval& interval : intervals_) {
    if (kept > 0 && interval.lo <= intervals_[kept - 1].hi) {
      intervals_[kept - 1].hi = std::max(intervals_[kept - 1].hi, interval.hi);
    } else {
      intervals_[kept++] = interval;
    }
  }
  intervals_.resize(kept);
}

}  // namespace rta::analysis::path
