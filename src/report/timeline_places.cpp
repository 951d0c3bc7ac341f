#include "timeline_places.hpp"

#include <algorithm>

namespace rta::report {

std::vector<std::size_t> lanes_of(const std::vector<Stretch>& stretches, std::size_t most) {
  std::vector<std::size_t> lanes;
  lanes.reserve(stretches.size());
  std::vector<double> taken_until;
  for (const Stretch& stretch : stretches) {
    const auto free = std::ranges::find_if(taken_until, [&](double until) { return until <= stretch.start; });
    const auto lane = static_cast<std::size_t>(free - taken_until.begin());
    if (free != taken_until.end()) {
      *free = stretch.end;
    } else if (lane < most) {
      taken_until.push_back(stretch.end);
    }
    lanes.push_back(lane);
  }
  return lanes;
}

std::vector<SmPlaces::Part> SmPlaces::place(std::uint64_t threads, Time start, Time end) {
  std::erase_if(residents_, [&](const Resident& r) { return r.end <= start; });
  auto need = static_cast<std::uint32_t>(std::min<std::uint64_t>(threads, threads_));
  std::vector<Part> gaps;
  std::uint32_t low = 0;
  for (const Resident& r : residents_) {
    if (r.part.first > low) gaps.emplace_back(low, r.part.first);
    low = std::max(low, r.part.second);
  }
  if (low < threads_) gaps.emplace_back(low, threads_);
  std::vector<Part> parts;
  const auto whole = std::ranges::find_if(gaps, [&](const Part& gap) { return gap.second - gap.first >= need; });
  if (whole != gaps.end()) {
    parts.emplace_back(whole->first, whole->first + need);
    need = 0;
  }
  for (const Part& gap : gaps) {
    if (need == 0) break;
    const std::uint32_t taken = std::min(need, gap.second - gap.first);
    parts.emplace_back(gap.first, gap.first + taken);
    need -= taken;
  }
  if (need > 0) parts.emplace_back(threads_ - need, threads_);
  for (const Part& part : parts) residents_.push_back({part, end});
  std::ranges::stable_sort(residents_, {}, [](const Resident& r) { return r.part; });
  return parts;
}

}  // namespace rta::report
