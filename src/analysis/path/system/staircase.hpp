// How the work that precedes a node on a GEL pool grows with the releases that precede it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/path/system/late_jobs.hpp"
#include "analysis/path/system/ticks.hpp"

namespace rta::analysis::path {

/// The work of c's nodes on one pool as a function of x: sum of ceil((F_u + x + J)/T) vol_u over F_u + x > 0, for GEL pools, where every
/// pair of DAGs asks for it. All counts step once per period, at x = t_u + iT: what they are at x = 0 and the sorted t_u say everything
/// from x = 0 on, and without release jitter from x = -T on.
class Staircase {
 public:
  Staircase(const Class& c, std::size_t local) : T_(c.T), J_(c.J) {
    for (std::uint32_t u = 0; u < c.size(); ++u) {
      if (c.pool_of[u] == local && c.vol[u] > Tick::zero()) steps_.push_back({0, c.vol[u], u});
    }
    below_.resize(steps_.size() + 1);
  }

  /// Of some of its nodes.
  Staircase(const Class& c, std::span<const std::uint32_t> nodes) : T_(c.T), J_(c.J) {
    for (const std::uint32_t u : nodes) {
      if (c.vol[u] > Tick::zero()) steps_.push_back({0, c.vol[u], u});
    }
    below_.resize(steps_.size() + 1);
  }

  void set(const std::vector<std::int64_t>& F) {
    at_zero_ = Tick::zero();
    most_jobs_ = 0;
    last_end_ = 0;
    for (Step& step : steps_) {
      const std::int64_t jobs = jobs_in(F[step.u] + J_, T_);
      step.last = jobs * T_ - F[step.u] - J_;
      at_zero_ += jobs * step.work;
      most_jobs_ = std::max(most_jobs_, jobs);
      last_end_ = std::max(last_end_, F[step.u]);
    }
    std::sort(steps_.begin(), steps_.end(), [](const Step& a, const Step& b) { return a.last < b.last; });
    for (std::size_t i = 0; i < steps_.size(); ++i) below_[i + 1] = below_[i] + steps_[i].work;
    F_ = &F;
  }

  /// Adds `copies` times the work at min(x, cap) for the sorted points x >= 0, as differences (the work at points[i] is the sum of
  /// differences[0 .. i]).
  void add(std::int64_t copies, std::span<const std::int64_t> points, std::int64_t cap, std::span<Tick> differences) const {
    if (cap <= -last_end_) return;  // no job precedes
    const std::int64_t x = std::min(points[0], cap);
    differences[0] += copies * at(x);
    const std::int64_t end = std::min(cap, points.back());
    if (x >= end || steps_.empty()) return;
    if ((end - x) / T_ >= many_steps * static_cast<std::int64_t>(points.size() / steps_.size() + 1)) {
      return add_points(copies, points, end, differences);
    }
    std::int64_t period = floor(x);
    std::size_t i = first_from(x - period);
    for (std::size_t to = 0;; ++i) {
      if (i == steps_.size()) {
        i = 0;
        period += T_;
      }
      const std::int64_t last = steps_[i].last + period;  // the count rises beyond it
      if (last >= end) return;
      while (points[to] <= last) ++to;
      if (points.size() - to == 1) {  // all further steps up to the cap rise at the last point
        differences[to] += copies * (at(end) - at(last));
        return;
      }
      differences[to] += copies * steps_[i].work;
    }
  }

  [[nodiscard]] std::int64_t T() const { return T_; }

  /// No more than the sum at 0 of (F_u + x + J)/T vol_u, and than what that rises by for every ns, 2^-line_bits ticks.
  static constexpr unsigned line_bits = 32;
  [[nodiscard]] Wide line_at_0() const {
    Wide sum = 0;
    for (const Step& step : steps_) sum += Wide{(*F_)[step.u] + J_} * step.work.count();
    return sum / T_;
  }
  [[nodiscard]] Wide line_rate() const { return (Wide{below_.back().count()} << line_bits) / T_; }

  /// Where it rises, one after the other: the first time with last >= from, from >= 0. Ends and staircase must stay as they are.
  class Rises {
   public:
    Rises(const Staircase& stairs, std::int64_t from)
        : stairs_(&stairs), period_(stairs.floor(from)), i_(stairs.first_from(from - period_)) {
      if (!stairs.steps_.empty()) wrap();
    }
    /// From beyond it on it is more by `work`; `no_bound` where it never rises.
    [[nodiscard]] std::int64_t last() const { return stairs_->steps_.empty() ? no_bound : stairs_->steps_[i_].last + period_; }
    [[nodiscard]] Tick work() const { return stairs_->steps_[i_].work; }
    void next() {
      ++i_;
      wrap();
    }

   private:
    void wrap() {
      if (i_ < stairs_->steps_.size()) return;
      i_ = 0;
      period_ += stairs_->T_;
    }

    const Staircase* stairs_;
    std::int64_t period_;
    std::size_t i_;
  };

  /// What it is at x.
  [[nodiscard]] Tick at(std::int64_t x) const {
    const std::int64_t period = floor(x);
    if (period < -T_ || (period < 0 && J_ > 0)) {  // counts may be cut off at 0
      if (most_jobs_ <= 1 && J_ == 0) return Tick::zero();
      Tick sum;
      for (const Step& step : steps_) sum += late_jobs_in((*F_)[step.u] + x, T_, J_) * step.work;
      return sum;
    }
    if (period == 0) return at_zero_ + below_[first_from(x)];
    return at_zero_ + period / T_ * below_.back() + below_[first_from(x - period)];
  }

 private:
  static constexpr std::int64_t many_steps = 2;  // for each point

  struct Step {
    std::int64_t last;  // the largest x in [0, T) before the count rises
    Tick work;
    std::uint32_t u;
  };

  /// Takes time in the number of points, not of the steps.
  void add_points(std::int64_t copies, std::span<const std::int64_t> points, std::int64_t end, std::span<Tick> differences) const {
    Tick before = at(points[0]);
    for (std::size_t to = 1; to < points.size(); ++to) {
      const Tick here = at(std::min(points[to], end));
      differences[to] += copies * (here - before);
      before = here;
      if (points[to] >= end) return;
    }
  }

  /// The largest multiple of T that is <= x.
  [[nodiscard]] std::int64_t floor(std::int64_t x) const {
    if (x < T_ && x >= -T_) return x < 0 ? -T_ : 0;
    const std::int64_t rest = x % T_;
    return x - rest - (rest < 0 ? T_ : 0);
  }

  [[nodiscard]] std::size_t first_from(std::int64_t y) const {
    return static_cast<std::size_t>(std::partition_point(steps_.begin(), steps_.end(), [&](const Step& s) { return s.last < y; }) -
                                    steps_.begin());
  }

  std::int64_t T_ = 0;
  std::int64_t J_ = 0;
  std::int64_t last_end_ = 0;  // of all nodes
  const std::vector<std::int64_t>* F_ = nullptr;
  std::vector<Step> steps_;  // sorted by `last`
  std::vector<Tick> below_;
  Tick at_zero_;
  std::int64_t most_jobs_ = 0;
};

}  // namespace rta::analysis::path
