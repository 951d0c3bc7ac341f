// What T1 and T3 share: priority points counted from the least one, and the work that they let pass.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rta/analysis/cpu/gel.hpp"
#include "rta/analysis/fine.hpp"

namespace rta::analysis::gel {

/// min Y. Requires at least one task.
[[nodiscard]] inline Time least_Y(std::span<const Task> tasks) {
  return std::min_element(tasks.begin(), tasks.end(), [](const Task& a, const Task& b) { return a.Y < b.Y; })->Y;
}

/// ceil(n / d) of numbers that mostly fit in 64 bits, which divide faster than 128. Requires d > 0.
[[nodiscard]] inline Wide ceil_div_narrow(Wide n, Wide d) {
  const auto a = static_cast<std::int64_t>(n);
  const auto b = static_cast<std::int64_t>(d);
  if (a != n || b != d) return ceil_div(n, d);
  const std::int64_t q = a / b;
  return q + static_cast<std::int64_t>(a - q * b > 0);
}

/// V_i = C_i max(0, 1 - (Y'_i - J_i)/T_i) with Y' = Y - shift, rounded up.
[[nodiscard]] inline FineTime carried_demand(const Task& task, Time shift) {
  const Wide room = Wide{task.T.count()} + task.J.count() - (Wide{task.Y.count()} - shift.count());
  return room <= 0 ? FineTime{} : fine_ceil(checked_mul(Wide{task.C.count()}, room), task.T.count());
}

/// Releases of the task that a half-open interval of this length holds at most: their nominal ones are in one that is J longer.
[[nodiscard]] inline Wide releases_in(const Task& task, Wide length) {
  return length <= 0 ? 0 : ceil_div(checked_add(length, Wide{task.J.count()}), Wide{task.T.count()});
}

/// The same of a closed interval.
[[nodiscard]] inline Wide releases_in_closed(const Task& task, Wide length) {
  return length < 0 ? 0 : checked_add(length, Wide{task.J.count()}) / task.T.count() + 1;
}

/// The different priority points of some tasks.
struct Points {
  explicit Points(std::span<const Task> tasks) {
    distinct.reserve(tasks.size());
    for (const Task& task : tasks) distinct.push_back(task.Y);
    std::ranges::sort(distinct);
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    of.reserve(tasks.size());
    for (const Task& task : tasks) of.push_back(static_cast<std::size_t>(std::ranges::lower_bound(distinct, task.Y) - distinct.begin()));
  }

  /// Y' = Y - shift with the least of them, ns.
  [[nodiscard]] std::vector<Wide> from_least() const {
    std::vector<Wide> shifted;
    shifted.reserve(distinct.size());
    for (const Time Y : distinct) shifted.push_back(Wide{Y.count()} - distinct.front().count());
    return shifted;
  }

  std::vector<Time> distinct;   // the earliest first
  std::vector<std::size_t> of;  // task -> its place there
};

}  // namespace rta::analysis::gel
