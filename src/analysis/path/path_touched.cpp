#include "analysis/path/path_touched.hpp"

#include <algorithm>

#include "analysis/path/system/table.hpp"

namespace rta::analysis::path {
namespace {

bool some_release_in(std::int64_t first, std::int64_t T, std::int64_t from, std::int64_t to) {
  if (first >= from || first >= to) return first < to;
  const std::int64_t beyond = (from - first) % T;
  return from + (beyond == 0 ? 0 : T - beyond) < to;
}

}  // namespace

Touched::Touched(const Ticks& ticks)
    : ticks_(ticks), neighbours_(ticks.classes.size()), rises_(ticks.classes.size()), stale_(ticks.classes.size(), true) {
  for (std::size_t k = 0; k < ticks.classes.size(); ++k) {
    const Class& c = ticks.classes[k];
    points_.emplace_back(c.pools.size());
    applies_.push_back(std::ranges::all_of(c.pools, [&](std::size_t p) {
      const Pool& pool = ticks.system->pools[p];
      return (pool.order == Order::fifo && !pool.slices) || pool.order == Order::gel;
    }));
    auto& neighbours = neighbours_[k];
    for (const std::size_t p : c.pools) neighbours.insert(neighbours.end(), ticks.users[p].begin(), ticks.users[p].end());
    std::ranges::sort(neighbours);
    neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
    std::erase(neighbours, k);
  }
}

void Touched::begin_round() {
  ++round_;
  for (Rises& rises : rises_) {
    std::swap(rises.before, rises.now);
    rises.now.clear();
  }
}

void Touched::rises(std::size_t k, std::size_t v, std::int64_t from, std::int64_t to) {
  rises_[k].now.push_back({from - ticks_.whole_ns(ticks_.classes[k].e[v]), to});
  stale_[k] = true;
}

bool Touched::is_due(std::size_t k, std::span<const std::int64_t> reach) {
  if (round_ == 1 || !applies_[k] || !rises_[k].before.empty()) return true;
  if (stale_[k]) set_points(k, reach);
  return std::ranges::any_of(neighbours_[k], [&](std::size_t d) { return is_touched(k, d); });
}

void Touched::set_points(std::size_t k, std::span<const std::int64_t> reach) {
  stale_[k] = false;
  const std::size_t P = points_[k].size();
  for (std::size_t i = 0; i < P; ++i) {
    std::vector<std::int64_t> points;
    for (std::size_t at = i; at < reach.size(); at += P) {
      if (reach[at] >= 0) points.push_back(reach[at]);
    }
    points_[k][i] = sorted_without_repeats(std::move(points));
  }
}

bool Touched::is_touched(std::size_t k, std::size_t d) const {
  const Rises& rises = rises_[d];
  if (rises.before.size() + rises.now.size() > most_rises) return true;
  const auto touches = [&](const Rise& rise) { return is_touched(k, d, rise); };
  return std::ranges::any_of(rises.before, touches) || std::ranges::any_of(rises.now, touches);
}

bool Touched::is_touched(std::size_t k, std::size_t d, const Rise& rise) const {
  const Class& c = ticks_.classes[k];
  const std::int64_t T = ticks_.classes[d].T;
  const std::int64_t J = ticks_.classes[d].J;
  const std::int64_t later = c.Y - ticks_.classes[d].Y;
  for (std::size_t i = 0; i < c.pools.size(); ++i) {
    const bool fifo = ticks_.system->pools[c.pools[i]].order == Order::fifo;
    if (fifo && !points_[k][i].empty() && rise.from <= T && T < rise.to) return true;
    for (const std::int64_t point : points_[k][i]) {
      const std::int64_t first = -(fifo ? point : std::min(point, later));
      if (some_release_in(first - J, T, rise.from, rise.to) || (J > 0 && rise.from <= first && first < rise.to)) return true;
      if (!fifo && point >= later) break;  // so are all further ones
    }
  }
  // T10v: up to some release that is so many periods later jobs may lose work.
  return c.pools.size() > 1 && some_release_in(std::max<std::int64_t>(0, -later), T, rise.from, rise.to);
}

}  // namespace rta::analysis::path
