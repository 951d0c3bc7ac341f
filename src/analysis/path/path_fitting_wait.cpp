// How long paths wait on one pool of processors, by T10w.
#include <algorithm>

#include "analysis/path/path_fitting.hpp"

namespace rta::analysis::path {

std::int64_t FittingPaths::Wait::Jobs::work(std::int64_t w) const {
  std::int64_t work = 0;
  if (fits) work = own ? fits->at_periods(w) : fits->most(w).work;
  for (const auto& [C, jobs] : counted) work += std::min(C, w) * jobs;
  return copies * work;
}

std::int64_t FittingPaths::Wait::Jobs::work_with_room(std::int64_t w, std::int64_t m) const {
  return work(w) + (fits && !own && !fits->is_one_job() ? copies * m : 0);
}

std::int64_t FittingPaths::Wait::work_of_others_with_room(std::int64_t w) const {
  std::int64_t sum = 0;
  for (const Jobs& of : jobs) sum += of.work_with_room(w, m);
  return sum;
}

std::int64_t FittingPaths::Wait::work_of_others(std::int64_t w) const {
  std::int64_t sum = 0;
  for (const Jobs& of : jobs) sum += of.work(w);
  return sum;
}

std::int64_t FittingPaths::Wait::work_of_own(std::int64_t w) const {
  std::int64_t sum = 0;
  for (const std::int64_t chain : own_chains) sum += std::min(chain, w);
  return std::min(sum, own_most);
}

/// G(w)/w never rises, and G is linear up to half a ns: all times are whole, so that what overlaps can overlap by half a ns at once.
bool FittingPaths::Wait::never_waits() const { return work_of_others(1) + static_cast<std::int64_t>(own_chains.size()) < m; }

/// The waiting w has m w <= G(w): it is less than any w' with m w' > G(w').
void FittingPaths::Wait::solve(std::int64_t candidate, Effort effort) {
  const auto work = [&](std::int64_t w) { return work_of_others(w) + work_of_own(w); };
  cut = candidate;
  std::int64_t last = candidate > 0 && effort != Effort::exact ? work(candidate) : m * candidate;
  if (last >= m * candidate) {
    if (effort == Effort::exact) return bisect();
    too_low = true;
  }
  constexpr int most_steps = 3;
  for (int step = 0; !too_low && effort == Effort::some && step < most_steps && last / m + 1 < cut; ++step) {
    const std::int64_t next = last / m + 1;
    const std::int64_t less = work(next);
    if (less > last) break;  // rounded up between kinks
    cut = next;
    last = less;
  }
  finish();
}

/// The least whole w'.
void FittingPaths::Wait::bisect() {
  const auto work = [&](std::int64_t w) { return work_of_others(w) + work_of_own(w); };
  std::int64_t too_little = 0;
  cut = work(FittingPaths::longest_time * 2) / m + 1;
  while (cut - too_little > 1) {
    const std::int64_t next = work(cut) / m + 1;
    const bool slowly = cut - next <= (cut - too_little) / 4;
    cut = std::min(cut, next);
    if (!slowly || cut - too_little <= 1) continue;
    const std::int64_t half = too_little + (cut - too_little) / 2;
    (work(half) < m * half ? cut : too_little) = half;
  }
  finish();
}

void FittingPaths::Wait::finish() {
  if (cut == 1 && !too_low && never_waits()) {
    cut = 0;
    return;
  }
  others = work_of_others(cut);
  own = work_of_own(cut);
}

}  // namespace rta::analysis::path
