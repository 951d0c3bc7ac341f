#include "analysis/cpu/gel_release.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "analysis/cpu/priority_order.hpp"

namespace rta::analysis::gel {
namespace {

/// Tasks of equal T, Y and J as one.
std::vector<Task> by_period_and_point(std::span<const Task> tasks) {
  std::vector<Task> kinds(tasks.begin(), tasks.end());
  const auto key = [](const Task& task) { return std::tuple(task.T, task.Y, task.J); };
  std::ranges::sort(kinds, {}, key);
  std::size_t last = 0;
  for (std::size_t i = 1; i < kinds.size(); ++i) {
    if (key(kinds[last]) == key(kinds[i])) {
      kinds[last].C = to_time(checked_add(Wide{kinds[last].C.count()}, Wide{kinds[i].C.count()}));
    } else {
      kinds[++last] = kinds[i];
    }
  }
  if (!kinds.empty()) kinds.resize(last + 1);
  return kinds;
}

FineTime demand_of(std::span<const Task> kinds, Time Y) {
  FineTime sum;
  for (const Task& kind : kinds) sum += carried_demand(kind, Y);
  return sum;
}

}  // namespace

FineTime released_demand(std::span<const Task> tasks, Time Y) { return demand_of(by_period_and_point(tasks), Y); }

Time bound_from_release(const Task& task, FineTime carry, FineTime demand, std::uint32_t processors) {
  const FineTime others = carry + demand - fine(task.C);
  return to_time(checked_add(Wide{task.C.count()}, ceil_div(others.count(), Wide{processors} << fine_bits)));
}

FromRelease::FromRelease(std::span<const Task> tasks, std::uint32_t processors, Wide ceil_U, std::size_t& pairs)
    : tasks_(tasks), m_(processors), ceil_U_(ceil_U), points_(tasks) {
  set_linear(pairs);
}

void FromRelease::walk(Wide last_c, ExactDemand& demand, const Pieces& pieces, std::span<const Time> R) {
  constexpr int most_in_vain = 2;
  const std::vector<Wide> shifted = points_.from_least();
  std::vector<Time> least(R.begin(), R.end());
  int in_vain = 0;
  for (Wide c = ceil_U_; c <= last_c && in_vain < most_in_vain; ++c) {
    auto ahead = demand.beyond(c, shifted);
    if (!ahead) break;
    for (std::size_t i = 0; i < shifted.size(); ++i) (*ahead)[i] = checked_add((*ahead)[i], checked_mul(c, shifted[i]));
    exact_.push_back({c, *std::move(ahead)});
    in_vain = lower_by(exact_.back(), pieces, least) ? 0 : in_vain + 1;
  }
}

void FromRelease::set_linear(std::size_t& pairs) {
  const std::vector<Task> kinds = by_period_and_point(tasks_);
  if (points_.distinct.size() > pairs / std::max<std::size_t>(1, kinds.size())) return;
  pairs -= points_.distinct.size() * kinds.size();
  linear_.reserve(points_.distinct.size());
  for (const Time Y : points_.distinct) linear_.push_back(demand_of(kinds, Y));
}

Time FromRelease::linear(std::size_t k, FineTime carry) const { return bound_from_release(tasks_[k], carry, linear_[points_.of[k]], m_); }

Time FromRelease::exact(std::size_t k, const Exact& by, FineTime carry) const {
  return bound_from_release(tasks_[k], carry, FineTime(checked_mul(by.demands[points_.of[k]], Wide{1} << fine_bits)), m_);
}

bool FromRelease::lower_by(const Exact& by, const Pieces& pieces, std::vector<Time>& R) const {
  const FineTime left = carry(pieces, by.c);
  bool lowered = false;
  for (std::size_t k = 0; k < R.size(); ++k) {
    const Time bound = exact(k, by, left);
    lowered |= bound < R[k];
    R[k] = std::min(R[k], bound);
  }
  return lowered;
}

bool FromRelease::lower(const Pieces& pieces, std::vector<Time>& R) const {
  bool lowered = false;
  if (!linear_.empty()) {
    const FineTime left = carry(pieces, ceil_U_);
    for (std::size_t k = 0; k < R.size(); ++k) {
      const Time bound = linear(k, left);
      lowered |= bound < R[k];
      R[k] = std::min(R[k], bound);
    }
  }
  for (const Exact& by : exact_) lowered |= lower_by(by, pieces, R);
  return lowered;
}

std::optional<FromRelease::Origin> FromRelease::origin(const Pieces& pieces, std::size_t k, Time R) const {
  if (!linear_.empty() && linear(k, carry(pieces, ceil_U_)) <= R) return Origin{Theorem::T1r, ceil_U_};
  for (const Exact& by : exact_) {
    if (exact(k, by, carry(pieces, by.c)) <= R) return Origin{Theorem::T1re, by.c};
  }
  return std::nullopt;
}

}  // namespace rta::analysis::gel
