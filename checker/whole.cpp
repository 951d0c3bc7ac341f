#include "whole.hpp"

#include <functional>
#include <utility>

namespace checker {
namespace {

struct Line {
  Int rate, at_0;  // in halves of a ns
};
/// t/of halves of a ns.
struct Instant {
  Int t, of;
};

Instant meeting(const Line& a, const Line& b) {
  if (a.rate > b.rate) return {b.at_0 - a.at_0, a.rate - b.rate};
  return {a.at_0 - b.at_0, b.rate - a.rate};
}

/// `within` as the least of lines, in any order.
std::vector<Line> lines_of(const Whole& whole) {
  Int all = 0;
  std::vector<Int> lanes;
  for (const auto& [lane, work] : whole.lanes) {
    all += 2 * work;
    lanes.push_back(2 * work);
  }
  std::sort(lanes.begin(), lanes.end(), std::greater<>());
  std::vector<Line> lines{{whole.m, 0}, {0, all}, {1, all - 2 * whole.longest}};
  Int rest = all;
  Int rate = 0;
  for (const Int work : lanes) {
    rest -= work;
    rate += 1;
    lines.push_back({rate, rest});
  }
  for (const Whole::Family& family : whole.families) lines.push_back({Int(family.chains.size()), all - 2 * family.work});
  return lines;
}

/// Where the least of the lines changes.
std::vector<Instant> corners_of(const std::vector<Line>& lines) {
  std::vector<Instant> corners;
  const auto lower = [](const Line& a, const Line& b) { return std::pair(a.at_0, a.rate) < std::pair(b.at_0, b.rate); };
  const Line* at = &*std::min_element(lines.begin(), lines.end(), lower);
  for (const Line* next = at; next != nullptr;) {
    next = nullptr;
    Instant first{0, 1};
    for (const Line& line : lines) {
      if (line.rate >= at->rate) continue;
      const Instant here = meeting(*at, line);
      const Int difference = here.t * first.of - first.t * here.of;
      if (next != nullptr && (difference > 0 || (difference == 0 && line.rate >= next->rate))) continue;
      next = &line;
      first = here;
    }
    if (next == nullptr) break;
    corners.push_back(first);
    at = next;
  }
  return corners;
}

}  // namespace

/// Both are concave in the time of the first wherever what it has left grows evenly, so most at an end of such a time, at a corner of the
/// work of either, or where what is left and `within` are equal.
Int Whole::of_two(Int both, Int latest) const {
  std::vector<Line> lines = lines_of(*this);
  std::vector<Instant> corners = corners_of(lines);
  const Int end = std::min(2 * L, 2 * F);
  const auto most_at = [&](const Instant& at) {
    const Int t = std::max(Int(0), std::min(at.t, end * at.of));
    Int most = lines.front().rate * t + lines.front().at_0 * at.of;
    for (const Line& line : lines) most = std::min(most, line.rate * t + line.at_0 * at.of);
    return t == Int(0) ? Int(0) : most;
  };
  corners.push_back({end, 1});
  const Int shift = left->E - 2 * F;
  const auto work_at = [&](const Instant& at) {
    const Int first = std::min(most_at(at), left->at(at.t + shift * at.of, at.of));
    return ceil_div(first + most_at({2 * both * at.of - at.t, at.of}), at.of);
  };
  const Int last_instant = std::min(latest, 2 * both);
  std::vector<Int> even{0, last_instant};  // between these what is left grows evenly
  for (const Left::Item& item : left->items) {
    for (const Int y : {2 * (left->longest - item.end), 2 * (left->longest - item.end + item.C)}) {
      if (y - shift > 0 && y - shift < last_instant) even.push_back(y - shift);
    }
  }
  std::sort(even.begin(), even.end());
  Int most = 0;
  for (const Int t : even) most = std::max(most, work_at({t, 1}));
  for (const Instant& corner : corners) {
    for (const Instant& at : {corner, Instant{2 * both * corner.of - corner.t, corner.of}}) {
      if (at.t >= 0 && at.t <= last_instant * at.of) most = std::max(most, work_at(at));
    }
  }
  lines.push_back({0, most_at({end, 1})});
  for (std::size_t i = 0; i + 1 < even.size(); ++i) {
    if (even[i] == even[i + 1]) continue;
    const Int from = left->at(even[i] + shift, 1);
    const Int rate = floor_div(left->at(even[i + 1] + shift, 1) - from, even[i + 1] - even[i]);
    const Line grows{rate, from - rate * even[i]};
    for (const Line& line : lines) {
      if (line.rate == grows.rate) continue;
      const Instant at = meeting(grows, line);
      if (at.t >= even[i] * at.of && at.t <= even[i + 1] * at.of) most = std::max(most, work_at(at));
    }
  }
  return most;
}

}  // namespace checker
