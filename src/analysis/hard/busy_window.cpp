#include "analysis/hard/busy_window.hpp"

#include <algorithm>
#include <functional>

namespace rta::analysis::hard {
namespace {

/// Longest A to look at.
constexpr std::int64_t most_busy = std::int64_t{1} << 55U;

}  // namespace

std::int64_t BusyWindow::ahead(std::size_t i, std::size_t k) const {
  return i == k ? -tasks_[k].T.count() : checked_sub(tasks_[k].Y.count(), tasks_[i].Y.count());
}

// The work of the jobs that count is at most U A + K, so that from A = (K - m wait)/(m - U) on there is too little of it.
std::int64_t BusyWindow::horizon(std::size_t k, std::int64_t wait) const {
  constexpr Wide one = Wide{1} << 32U;
  Wide U = 0;
  Wide K = 0;
  std::vector<std::int64_t> pieces;
  pieces.reserve(tasks_.size());
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    const Wide C = tasks_[i].C.count();
    const Wide T = tasks_[i].T.count();
    const Wide ahead = i == k ? -T : Wide{tasks_[k].Y.count()} - tasks_[i].Y.count();
    U += ceil_div(C * one, T);
    K += std::max<Wide>(0, C + ceil_div(checked_mul(C, ahead), T));
    pieces.push_back(tasks_[i].C.count());
  }
  const std::size_t carriers = std::min<std::size_t>(m_ - 1, pieces.size());
  std::ranges::partial_sort(pieces, pieces.begin() + static_cast<std::ptrdiff_t>(carriers), std::greater<>());
  for (std::size_t i = 0; i < carriers; ++i) K += pieces[i];
  const Wide spare = Wide{m_} * one - U;
  if (spare <= 0) return never;
  const Wide rest = K - Wide{m_} * wait;
  if (rest < 0) return 0;
  const Wide A = ceil_div(checked_mul(rest, one), spare) + 1;
  return A > most_busy ? never : static_cast<std::int64_t>(A);
}

bool BusyWindow::allows(std::size_t k, Time x) {
  const std::int64_t wait = x.count() - std::max<std::int64_t>(1, tasks_[k].C.count());
  const std::int64_t last = horizon(k, wait);
  if (last == never) return false;
  // Between two instants at which some task has one more job, work grows without jumps.
  std::int64_t A = 0;
  while (A <= last) {
    if (terms_ < tasks_.size()) return false;
    terms_ -= tasks_.size();
    std::int64_t next = last + 1;
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      const std::int64_t T = tasks_[i].T.count();
      const std::int64_t y = checked_add(A, ahead(i, k));
      const std::int64_t until = y < 0 ? -y : T - y % T;
      next = std::min(next, checked_add(A, until));
    }
    if (!allows_from(k, x.count(), A, next)) return false;
    A = next;
  }
  return true;
}

std::span<const Work> BusyWindow::work(std::size_t k, std::int64_t x, std::int64_t first, std::int64_t last) {
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    const Task& task = tasks_[i];
    const std::int64_t F = F_[i].count();
    const std::int64_t y = ahead(i, k);
    const std::int64_t length = i == k ? last : checked_add(last, x);
    const std::int64_t fresh = released_work(task, checked_add(first, y));
    const std::int64_t carried = std::max(fresh, released_work_with_carry(task, F, checked_add(last, y)));
    work_[i] = {std::min(fresh, work_without_carry(task, length)), std::min(carried, work_with_carry(task, F, length))};
  }
  return work_;
}

/// For A in [first, last): with the jobs of the first, and otherwise with the work of the last; halved where that is too much.
bool BusyWindow::allows_from(std::size_t k, std::int64_t x, std::int64_t first, std::int64_t last) {
  if (terms_ < 3 * tasks_.size()) return false;
  terms_ -= 3 * tasks_.size();
  const std::int64_t wait = x - std::max<std::int64_t>(1, tasks_[k].C.count());
  if (excludes(work(k, x, first, last), m_ - 1, m_, checked_add(first, wait), scratch_)) return true;
  if (last - first == 1) return false;
  const std::int64_t middle = first + (last - first) / 2;
  return allows_from(k, x, first, middle) && allows_from(k, x, middle, last);
}

Time BusyWindow::least(std::size_t k, Time most) {
  constexpr int steps = 8;
  std::int64_t low = std::max<std::int64_t>(1, tasks_[k].C.count());
  std::int64_t high = most.count();
  for (int step = 0; step < steps && low < high; ++step) {
    const std::int64_t middle = low + (high - low) / 2;
    if (allows(k, Time(middle))) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return Time(high);
}

}  // namespace rta::analysis::hard
