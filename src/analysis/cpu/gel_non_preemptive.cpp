// T1b, T1be and T1bn, repeated until nothing improves.
#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "analysis/cpu/gel_blocking.hpp"
#include "analysis/cpu/gel_demand.hpp"
#include "analysis/cpu/gel_refinement.hpp"
#include "analysis/cpu/gel_release.hpp"
#include "analysis/cpu/priority_order.hpp"
#include "rta/model/error.hpp"

namespace rta::analysis::gel {
namespace {

class NonPreemptive {
 public:
  NonPreemptive(std::span<const Task> tasks, std::uint32_t processors, const Utilization& U, Refinement refinement, Bounds& bounds)
      : tasks_(tasks), m_(processors), refinement_(refinement), bounds_(bounds), all_(tasks), later_(tasks), points_(tasks) {
    const Wide first = bounds.terms.c;
    for (Wide c = first; c <= m_ && c < first + most_choices; ++c) choices_.push_back(c);
    if (choices_.back() + 1 < m_) {
      bounds.left_out.push_back({.what = LeftOut::What::coarser,
                                 .theorems = {Theorem::T1b},
                                 .limit = LeftOut::Limit::choices,
                                 .most = choices_.size() + 1,
                                 .found = static_cast<std::size_t>(m_ - first + 1),
                                 .where = {}});
    }
    if (choices_.back() != m_) choices_.push_back(m_);
    point_by_point_ = points_.distinct.size() <= most_pairs / 4 / tasks.size();
    if (!point_by_point_) leave_out(LeftOut::What::coarser, Theorem::T1b, LeftOut::Limit::pairs, most_pairs / 4);
    set_linear();
    carry_.assign(points_.distinct.size(), std::vector<Wide>(choices_.size()));
    blocked_.resize(tasks.size());
    count({});
    lower_by_linear();
    if (refinement_ != Refinement::none && refinement_ != Refinement::carry) walk(U);
  }

  void refine() {
    if (refinement_ == Refinement::none || refinement_ == Refinement::demand) return;
    bool settled = false;
    for (int round = 0; round < most_rounds && !settled && spend(); ++round) {
      const std::vector<Time> before = bounds_.R;
      count(bounds_.R);
      lower_by_linear();
      for (std::size_t i = 0; i < exact_.size(); ++i) lower_by(i);
      if (refinement_ != Refinement::carry) bounds_.R = bounds_from_proven(tasks_, processors(), bounds_.R, pairs_, blocked_);
      settled = before == bounds_.R;
    }
    const bool spent = pairs_ < tasks_.size();
    if (!settled || spent)
      leave_out(LeftOut::What::coarser, Theorem::T1bn, spent ? LeftOut::Limit::pairs : LeftOut::Limit::rounds,
                spent ? most_pairs : most_rounds);
  }

  /// Which theorem is behind each bound, and with which c.
  void set_origins() {
    if (refinement_ != Refinement::none && refinement_ != Refinement::demand) count(bounds_.R);
    for (std::size_t k = 0; k < tasks_.size(); ++k) {
      const auto origin = origin_of(k);
      bounds_.theorem[k] = origin ? origin->first : Theorem::T1bn;
      bounds_.c[k] = origin ? origin->second : 0;
    }
  }

 private:
  static constexpr int most_rounds = 100;
  static constexpr std::size_t most_pairs = 40'000'000;  // of tasks and points that are looked at in all rounds: tenths of a second
  static constexpr Wide most_choices = 8;                // of c, counted from ceil(U); m is always one
  static constexpr int most_in_vain = 2;                 // walks of T1be

  [[nodiscard]] std::uint32_t processors() const { return static_cast<std::uint32_t>(m_); }

  void leave_out(LeftOut::What what, Theorem theorem, LeftOut::Limit limit, std::size_t most) {
    bounds_.left_out.push_back({.what = what, .theorems = {theorem}, .limit = limit, .most = most, .where = {}});
  }

  /// A round's steps; false where they are too many.
  [[nodiscard]] bool spend() {
    const std::size_t steps = tasks_.size() * (point_by_point_ ? points_.distinct.size() : 1);
    if (pairs_ < steps) return false;
    pairs_ -= steps;
    return true;
  }

  /// sum C_i max(0, 1 - (Y_i - Y)/T_i) per point; from the least one on it grows by U at most.
  void set_linear() {
    const FineTime least = point_by_point_ ? FineTime{} : released_demand(tasks_, points_.distinct.front());
    for (const Time Y : points_.distinct) {
      if (point_by_point_) {
        FineTime demand;
        for (const Task& task : tasks_) demand += carried_demand(task, Y);
        linear_.push_back(demand);
      } else {
        const Wide ahead = checked_mul(Wide{Y.count()} - points_.distinct.front().count(), bounds_.terms.c);
        linear_.push_back(least + FineTime(checked_mul(ahead, Wide{1} << fine_bits)));
      }
    }
  }

  /// The carry for every point and choice of c, and what blocks. Without `R` nothing is proven yet.
  void count(std::span<const Time> R) {
    if (R.empty()) {
      all_.count(m_);
    } else {
      all_.count(tasks_, R);
    }
    std::vector<Wide> blocked(points_.distinct.size());
    for (std::size_t i = 0; i < points_.distinct.size(); ++i) {
      if (i == 0 || point_by_point_) {
        later_.count(tasks_, blocking_lengths(tasks_, points_.distinct[i], R));
      }
      blocked[i] = later_.longest(m_);
      for (std::size_t j = 0; j < choices_.size(); ++j) carry_[i][j] = blocked_carry(all_, later_, m_, choices_[j]);
    }
    for (std::size_t k = 0; k < tasks_.size(); ++k) blocked_[k] = blocked[points_.of[k]];
  }

  [[nodiscard]] Time bound(std::size_t k, std::size_t choice, FineTime demand) const {
    return bound_from_release(tasks_[k], fine(to_time(carry_[points_.of[k]][choice])), demand, processors());
  }
  [[nodiscard]] Time linear(std::size_t k, std::size_t choice) const { return bound(k, choice, linear_[points_.of[k]]); }
  [[nodiscard]] Time exact(std::size_t k, std::size_t i) const {
    return bound(k, exact_[i].choice, FineTime(checked_mul(exact_[i].demands[points_.of[k]], Wide{1} << fine_bits)));
  }

  void lower_by_linear() {
    for (std::size_t k = 0; k < tasks_.size(); ++k) {
      const auto& carry = carry_[points_.of[k]];
      const auto least = static_cast<std::size_t>(std::ranges::min_element(carry) - carry.begin());
      bounds_.R[k] = std::min(bounds_.R[k], linear(k, least));
    }
  }

  bool lower_by(std::size_t i) {
    bool lowered = false;
    for (std::size_t k = 0; k < tasks_.size(); ++k) {
      const Time bound = exact(k, i);
      lowered |= bound < bounds_.R[k];
      bounds_.R[k] = std::min(bounds_.R[k], bound);
    }
    return lowered;
  }

  /// T1be's demands, for c upwards until two in a row lower nothing, and for m. Close to U a walk may take all steps there are: that c
  /// comes last.
  void walk(const Utilization& U) {
    FineTime V;
    for (const Task& task : tasks_) V += carried_demand(task, points_.distinct.front());
    ExactDemand ahead(tasks_, points_.distinct.front(), U, V);
    const std::vector<Wide> shifted = points_.from_least();
    int in_vain = 0;
    std::vector<std::size_t> order(choices_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    constexpr Wide close = 32;  // of 1
    if (U.ceil_times(close) + 1 > choices_.front() * close) std::rotate(order.begin(), order.begin() + 1, order.end());
    for (const std::size_t choice : order) {
      if (in_vain >= most_in_vain && choices_[choice] != m_) continue;
      auto demands = ahead.beyond(choices_[choice], shifted);
      if (!demands) {
        leave_out(LeftOut::What::theorems, Theorem::T1be, LeftOut::Limit::steps, ahead.most_steps_beyond());
        break;
      }
      for (std::size_t i = 0; i < shifted.size(); ++i) {
        (*demands)[i] = checked_add((*demands)[i], checked_mul(choices_[choice], shifted[i]));
      }
      exact_.push_back({choice, *std::move(demands)});
      in_vain = lower_by(exact_.size() - 1) ? 0 : in_vain + 1;
    }
  }

  [[nodiscard]] std::optional<std::pair<Theorem, Wide>> origin_of(std::size_t k) {
    for (std::size_t j = 0; j < choices_.size(); ++j) {
      if (linear(k, j) <= bounds_.R[k]) return std::pair(Theorem::T1b, choices_[j]);
    }
    for (std::size_t i = 0; i < exact_.size(); ++i) {
      if (exact(k, i) <= bounds_.R[k]) return std::pair(Theorem::T1be, choices_[exact_[i].choice]);
    }
    return std::nullopt;
  }

  struct Exact {
    std::size_t choice;
    std::vector<Wide> demands;  // ns, per point
  };

  std::span<const Task> tasks_;
  Wide m_;
  Refinement refinement_;
  Bounds& bounds_;
  Pieces all_, later_;
  bool point_by_point_ = true;  // else what blocks the earliest point is taken for all
  std::size_t pairs_ = most_pairs;
  Points points_;
  std::vector<Wide> choices_;     // of c
  std::vector<FineTime> linear_;  // per point
  std::vector<Exact> exact_;
  std::vector<std::vector<Wide>> carry_;  // point, choice
  std::vector<Wide> blocked_;             // per task
};

}  // namespace

Result<Bounds> non_preemptive_bounds(std::span<const Task> tasks, std::uint32_t processors, Refinement refinement) {
  require(processors > 0, "T1b needs at least one processor");
  require(refinement != Refinement::early, "T1b is for jobs that are released at their offsets");
  if (tasks.empty()) return Bounds{};
  const Utilization U = utilization(tasks);
  if (U.compare(processors) > 0) return reason::Overload{PoolKind::cpu, U, processors};

  Bounds bounds;
  bounds.terms.shift = least_Y(tasks);
  bounds.terms.ceil_U = U.ceil();
  bounds.terms.c = std::max<Wide>(1, bounds.terms.ceil_U);
  bounds.terms.C_max = std::ranges::max(tasks, {}, &Task::C).C;
  bounds.R.assign(tasks.size(), Time(std::numeric_limits<std::int64_t>::max()));
  bounds.theorem.assign(tasks.size(), Theorem::T1b);
  bounds.c.resize(tasks.size());
  if (bounds.terms.ceil_U == 0) {  // no task has any work
    bounds.R.assign(tasks.size(), Time{});
    bounds.c.assign(tasks.size(), 1);
    return bounds;
  }
  NonPreemptive search(tasks, processors, U, refinement, bounds);
  search.refine();
  search.set_origins();
  return bounds;
}

}  // namespace rta::analysis::gel
