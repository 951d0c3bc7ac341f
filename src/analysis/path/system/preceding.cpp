#include "analysis/path/system/preceding.hpp"

#include <algorithm>
#include <numeric>

#include "analysis/path/system/late_jobs.hpp"
#include "analysis/path/system/table.hpp"

namespace rta::analysis::path {
namespace {

constexpr std::size_t least_users = 32;
constexpr std::int64_t most_jobs_per_node = 64;
constexpr std::size_t neighbours = 64;  // jobs between two points that are looked at one by one

}  // namespace

PrecedingWork::PrecedingWork(const Ticks& ticks, std::size_t pool) : ticks_(ticks), pool_(pool) {
  const auto& users = ticks.users[pool];
  if (users.size() < least_users) return;
  levels_.reserve(users.size());
  for (const std::size_t k : users) levels_.push_back(ticks.classes[k].Y);
  levels_ = sorted_without_repeats(std::move(levels_));
  level_index_.set(levels_);
  Wide jobs = 0;
  std::size_t sources = 0;
  users_.resize(users.size());
  for (std::size_t i = 0; i < users.size(); ++i) {
    const Class& c = ticks.classes[users[i]];
    User& user = users_[i];
    user.k = users[i];
    user.local = ticks.local_pool[users[i]][pool];
    user.level = level_index_.first_above(c.Y) - 1;
    std::size_t own = 0;
    for (std::size_t u = 0; u < c.size(); ++u) own += c.pool_of[u] == user.local && c.vol[u] != Tick::zero() ? 1 : 0;
    sources += own;
    jobs += static_cast<Wide>(own) * ((Wide{levels_.back()} - levels_.front()) / c.T);
  }
  quicker_ = jobs <= Wide{most_jobs_per_node} * static_cast<Wide>(sources);
  by_level_.resize(users.size());
  std::iota(by_level_.begin(), by_level_.end(), std::size_t{0});
  std::ranges::stable_sort(by_level_, {}, [&](std::size_t i) { return users_[i].level; });
}

void PrecedingWork::set_points(std::size_t user, std::span<const std::int64_t> reach, std::size_t stride) {
  auto& points = users_[user].points;
  if (points.empty()) {
    points.reserve((reach.size() + stride - 1) / stride);
    for (std::uint32_t v = 0; v * stride < reach.size(); ++v) {
      if (reach[v * stride] >= 0) points.push_back({0, v});
    }
    users_[user].values.resize(points.size());
  }
  for (Point& point : points) point.b = reach[point.v * stride];
  if (!std::ranges::is_sorted(points, {}, &Point::b)) std::ranges::sort(points, {}, &Point::b);
  users_[user].anew = true;
}

void PrecedingWork::choose_asked(const std::vector<std::vector<std::int64_t>>& F) {
  std::int64_t last = 0;
  anew_.clear();
  for (std::size_t i = 0; i < users_.size(); ++i) {
    last = std::max(last, users_[i].points.back().b);
    if (users_[i].anew) anew_.push_back(i);
  }
  if (!moved_) moved_.emplace(ticks_, pool_);
  moved_->take(F, last, anew_);
  asked_.clear();
  for (std::size_t i = 0; i < users_.size(); ++i) {
    User& user = users_[i];
    user.asked = user.anew || moved_->concern(user.k, user.points);
    if (user.asked) asked_.push_back(i);
  }
  if (last <= horizon_) return;
  horizon_ = last + last / 4;
  anew_.resize(users_.size());
  std::iota(anew_.begin(), anew_.end(), std::size_t{0});
  for (User& user : users_) user.anew = true;
}

/// The jobs of q + Y_d below the least Y are before all points, as Y_d is no less: they are counted, the others taken one by one.
void PrecedingWork::count_jobs(std::uint32_t i, const std::vector<std::int64_t>& F) {
  User& user = users_[i];
  const Class& c = ticks_.classes[user.k];
  for (const Early& early : user.early) always_[early.level] -= early.work;
  user.early.assign(1, {});
  user.own = Tick::zero();
  for (std::size_t u = 0; u < c.size(); ++u) {
    if (c.pool_of[u] != user.local || c.vol[u] == Tick::zero()) continue;
    const std::int64_t end = F[u] + c.J;
    const Tick work = c.copies * c.vol[u];
    user.own += late_jobs_in(F[u], c.T, c.J) * c.vol[u];
    const std::int64_t before_all = jobs_in(end + levels_.front() - c.Y, c.T);
    const std::size_t least_level = c.J > 0 ? level_index_.first_above(c.Y - F[u]) : 0;  // else the least that some job has
    if (least_level == levels_.size()) continue;
    if (least_level == 0) {
      user.early.front().work += before_all * work;
    } else {
      add_early(user, least_level, before_all * work);
    }
    std::int64_t q = before_all * c.T - end;
    for (; q < horizon_ && q + c.Y < levels_.back(); q += c.T) {
      const std::size_t level = std::max(least_level, level_index_.first_above(q + c.Y));
      if (q >= 0) {
        fresh_.push_back({q, static_cast<std::uint32_t>(level), i, work});
      } else {
        add_early(user, level, work);
      }
    }
  }
  for (const Early& early : user.early) always_[early.level] += early.work;
}

void PrecedingWork::add_early(User& user, std::size_t level, Tick work) {
  if (user.early.back().level == level) {
    user.early.back().work += work;
  } else {
    user.early.push_back({level, work});
  }
}

void PrecedingWork::count_jobs(const std::vector<std::vector<std::int64_t>>& F) {
  always_.resize(levels_.size());
  fresh_.clear();
  for (const std::size_t i : anew_) count_jobs(static_cast<std::uint32_t>(i), F[users_[i].k]);
  std::ranges::sort(fresh_, {}, &Job::q);
  merge_jobs();
  for (const std::size_t i : anew_) users_[i].anew = false;
}

void PrecedingWork::merge_jobs() {
  merged_.clear();
  merged_.reserve(jobs_.size() + fresh_.size());
  auto next = fresh_.begin();
  for (const Job& job : jobs_) {
    if (users_[job.user].anew) continue;
    for (; next != fresh_.end() && next->q < job.q; ++next) merged_.push_back(*next);
    merged_.push_back(job);
  }
  merged_.insert(merged_.end(), next, fresh_.end());
  std::swap(jobs_, merged_);
}

/// Of those that are before some point that is asked for.
void PrecedingWork::sort_by_level() {
  std::int64_t last = 0;
  for (const std::size_t i : asked_) last = std::max(last, users_[i].points.back().b);
  const std::span<const Job> jobs(jobs_.data(), first_not_below(last));
  level_end_.assign(levels_.size() + 1, 0);
  for (const Job& job : jobs) ++level_end_[job.level + 1];
  std::partial_sum(level_end_.begin(), level_end_.end(), level_end_.begin());
  jobs_by_level_.resize(jobs.size());
  for (std::size_t at = 0; at < jobs.size(); ++at) jobs_by_level_[level_end_[jobs[at].level]++] = static_cast<std::uint32_t>(at);
}

const std::vector<std::size_t>& PrecedingWork::set_values(const std::vector<std::vector<std::int64_t>>& F) {
  choose_asked(F);
  if (!anew_.empty()) count_jobs(F);
  if (asked_.empty()) return asked_;
  sort_by_level();
  counted_.reset(jobs_by_level_.size());
  std::size_t job = 0;
  std::size_t level = 0;
  Tick always = always_[0];
  for (const std::size_t i : by_level_) {
    User& user = users_[i];
    if (!user.asked) continue;
    while (level < user.level) always += always_[++level];
    for (; job < level_end_[level]; ++job) counted_.add(jobs_by_level_[job], jobs_[jobs_by_level_[job]].work);
    set_values(user, always - user.own);
  }
  return asked_;
}

void PrecedingWork::set_values(User& user, Tick others) const {
  std::size_t at = first_not_below(user.points.front().b);
  Tick sum = others + counted_.before(at);
  for (std::size_t i = 0; i < user.points.size(); ++i) {
    const std::int64_t b = user.points[i].b;
    const std::size_t near = std::min(at + neighbours, jobs_.size());
    for (; at < near && jobs_[at].q < b; ++at) sum += counted_.at(at);
    if (at == near && at < jobs_.size() && jobs_[at].q < b) {
      at = first_not_below(b);
      sum = others + counted_.before(at);
    }
    user.values[i] = sum;
  }
}

std::size_t PrecedingWork::first_not_below(std::int64_t b) const {
  return static_cast<std::size_t>(std::ranges::lower_bound(jobs_, b, {}, &Job::q) - jobs_.begin());
}

}  // namespace rta::analysis::path
