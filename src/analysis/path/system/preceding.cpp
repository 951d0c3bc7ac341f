#include "analysis/path/system/preceding.hpp"

#include <algorithm>
#include <numeric>

namespace rta::analysis::path {
namespace {

constexpr std::size_t least_users = 32;
constexpr std::int64_t most_jobs_per_node = 64;

}  // namespace

PrecedingWork::PrecedingWork(const Ticks& ticks, std::size_t pool)
    : ticks_(ticks), pool_(pool), tables_(ticks.users[pool].size()), anew_(tables_.size(), false) {
  const auto& users = ticks.users[pool];
  if (users.size() < least_users) return;
  levels_.reserve(users.size());
  for (const std::size_t k : users) levels_.push_back(ticks.classes[k].Y);
  levels_ = sorted_without_repeats(std::move(levels_));
  level_index_.set(levels_);
  Wide jobs = 0;
  for (std::size_t i = 0; i < users.size(); ++i) {
    const Class& c = ticks.classes[users[i]];
    const std::size_t local = ticks.local_pool[users[i]][pool];
    for (std::uint32_t u = 0; u < c.size(); ++u) {
      if (c.pool_of[u] != local || c.vol[u] == Tick::zero()) continue;
      sources_.push_back({users[i], u, c.copies * c.vol[u]});
      jobs += (Wide{levels_.back()} - levels_.front()) / c.T;
    }
  }
  quicker_ = jobs <= Wide{most_jobs_per_node} * static_cast<Wide>(sources_.size());
}

void PrecedingWork::set_points(std::size_t user, std::vector<std::int64_t> points) {
  tables_[user].values.resize(points.size());
  tables_[user].points = std::move(points);
  anew_[user] = true;
}

void PrecedingWork::choose_asked(const std::vector<std::vector<std::int64_t>>& F) {
  std::int64_t last = 0;
  for (const Table& table : tables_) last = std::max(last, table.points.back());
  if (!moved_) moved_.emplace(ticks_, pool_);
  moved_->take(F, last);
  asked_.clear();
  asked_at_.resize(levels_.size());
  for (auto& users : asked_at_) users.clear();
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    const std::size_t k = ticks_.users[pool_][i];
    if (!anew_[i] && !moved_->concern(k, tables_[i].points)) continue;
    anew_[i] = false;
    asked_.push_back(i);
    asked_at_[level_index_.first_above(ticks_.classes[k].Y) - 1].push_back(i);
  }
}

void PrecedingWork::collect_points() {
  points_.clear();
  for (const std::size_t i : asked_) points_.insert(points_.end(), tables_[i].points.begin(), tables_[i].points.end());
  points_ = sorted_without_repeats(std::move(points_));
  point_index_.set(points_);
}

/// The jobs of q + Y_d below the least Y are before all points, as Y_d is no less: they are counted, the others taken one by one.
void PrecedingWork::collect_jobs(const std::vector<std::vector<std::int64_t>>& F) {
  jobs_.clear();
  always_.assign(levels_.size(), Tick::zero());
  std::size_t last = levels_.size() - 1;
  while (asked_at_[last].empty()) --last;  // what counts from higher levels on nobody asks for
  for (const Source& source : sources_) {
    const Class& c = ticks_.classes[source.k];
    const std::int64_t before_all = jobs_in(F[source.k][source.u] + levels_.front() - c.Y, c.T);
    always_[0] += before_all * source.work;
    std::int64_t q = before_all * c.T - F[source.k][source.u];
    for (; q < points_.back() && q + c.Y < levels_[last]; q += c.T) {
      const std::size_t level = level_index_.first_above(q + c.Y);
      if (q < 0) {
        always_[level] += source.work;
      } else {
        jobs_.push_back({level, point_index_.first_above(q), source.work});
      }
    }
  }
}

void PrecedingWork::sort_jobs() {
  level_end_.assign(levels_.size() + 1, 0);
  for (const Job& job : jobs_) ++level_end_[job.level + 1];
  std::partial_sum(level_end_.begin(), level_end_.end(), level_end_.begin());
  jobs_by_level_.resize(jobs_.size());
  for (const Job& job : jobs_) jobs_by_level_[level_end_[job.level]++] = job;
}

const std::vector<std::size_t>& PrecedingWork::set_values(const std::vector<std::vector<std::int64_t>>& F) {
  choose_asked(F);
  if (asked_.empty()) return asked_;
  collect_points();
  collect_jobs(F);
  sort_jobs();
  tree_.assign(points_.size() + 1, Tick::zero());
  std::size_t job = 0;
  Tick always;
  for (std::size_t level = 0; level < levels_.size(); ++level) {
    always += always_[level];
    for (; job < level_end_[level]; ++job) add(jobs_by_level_[job].from, jobs_by_level_[job].work);
    for (const std::size_t i : asked_at_[level]) {
      Table& table = tables_[i];
      const std::size_t k = ticks_.users[pool_][i];
      const Tick others = always - of_own(k, F[k]);
      for (std::size_t j = 0; j < table.points.size(); ++j) {
        table.values[j] = others + up_to(point_index_.first_above(table.points[j]) - 1);
      }
    }
  }
  return asked_;
}

/// What one copy of class k does in the sum, at any b.
Tick PrecedingWork::of_own(std::size_t k, const std::vector<std::int64_t>& F) const {
  const Class& c = ticks_.classes[k];
  const std::size_t local = ticks_.local_pool[k][pool_];
  Tick sum;
  for (std::size_t u = 0; u < c.size(); ++u) {
    if (c.pool_of[u] == local) sum += jobs_in(F[u], c.T) * c.vol[u];
  }
  return sum;
}

void PrecedingWork::add(std::size_t from, Tick work) {
  for (std::size_t i = from + 1; i < tree_.size(); i += i & (~i + 1)) tree_[i] += work;
}

Tick PrecedingWork::up_to(std::size_t point) const {
  Tick sum;
  for (std::size_t i = point + 1; i > 0; i &= i - 1) sum += tree_[i];
  return sum;
}

}  // namespace rta::analysis::path
