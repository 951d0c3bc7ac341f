#include "analysis/cpu/gel_blocking.hpp"

#include <algorithm>
#include <limits>

namespace rta::analysis::gel {

std::vector<Time> blocking_lengths(std::span<const Task> tasks, Time Y, std::span<const Time> R) {
  constexpr Wide longest = std::numeric_limits<std::int64_t>::max();
  std::vector<Time> lengths;
  lengths.reserve(tasks.size());
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const Wide ahead = std::clamp<Wide>(Wide{tasks[i].Y.count()} - Y.count(), 0, longest);
    lengths.emplace_back(static_cast<std::int64_t>(R.empty() ? ahead : std::min<Wide>(ahead, R[i].count())));
  }
  return lengths;
}

Wide blocked_carry(const Pieces& all, const Pieces& later, Wide m, Wide c) {
  return std::min(checked_add(all.longest(c), later.longest(m - c)), checked_add(all.longest(c - 1), later.longest(m - c + 1)));
}

Blocking blocking(std::span<const Task> tasks, std::uint32_t processors, std::span<const Time> R, std::size_t k, Wide c) {
  Pieces all(tasks);
  Pieces later(tasks);
  all.count(tasks, R);
  later.count(tasks, blocking_lengths(tasks, tasks[k].Y, R));
  const auto of = [&](Wide any, Wide started) { return Blocking{any, started, all.longest(any), later.longest(started)}; };
  const Wide m = processors;
  if (c == 0) return of(0, m);
  const Blocking more = of(c, m - c);
  const Blocking less = of(c - 1, m - c + 1);
  return less.carry + less.work <= more.carry + more.work ? less : more;
}

Wide jobs_before_start(std::span<const Task> tasks, std::span<const Time> R, std::size_t k, std::size_t i) {
  const Wide ahead = std::min<Wide>((R[k] - tasks[k].C).count(), Wide{tasks[k].Y.count()} - tasks[i].Y.count());
  return releases_in(tasks[i], R[i].count() + ahead);
}

}  // namespace rta::analysis::gel
