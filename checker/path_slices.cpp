// docs/theory/time-slices.md, T14
#include <algorithm>

#include "content.hpp"

namespace checker {
namespace {

constexpr std::size_t most_sliced_ways = 1024;  // beyond, one way that has the most of all stands for them, which is safe

/// What a path has on one GPU with slices.
struct OnSlices {
  Int kernels = 0;
  Int length = 0;      // sum of e - s/g, in the grid
  bool empty = false;  // a kernel has length 0
};

/// A path, or several: the slots that they pay for and the most that they have.
struct SlicedWay {
  std::uint64_t mask = 0;
  Int length = 0;  // sum of e - s/cap (and Blk), in the grid
  std::vector<OnSlices> on;
};

bool covers(const SlicedWay& a, const SlicedWay& b) {
  if ((b.mask & ~a.mask) != 0 || a.length < b.length) return false;
  for (std::size_t i = 0; i < a.on.size(); ++i) {
    const OnSlices& x = a.on[i];
    const OnSlices& y = b.on[i];
    if (x.kernels < y.kernels || x.length < y.length || (y.empty && !x.empty)) return false;
  }
  return true;
}

void keep(std::vector<SlicedWay>& ways, SlicedWay added) {
  if (std::any_of(ways.begin(), ways.end(), [&](const SlicedWay& other) { return covers(other, added); })) return;
  std::erase_if(ways, [&](const SlicedWay& other) { return covers(added, other); });
  ways.push_back(std::move(added));
  if (ways.size() <= most_sliced_ways) return;
  SlicedWay all = ways.front();
  for (const SlicedWay& way : ways) {
    all.mask |= way.mask;
    all.length = std::max(all.length, way.length);
    for (std::size_t i = 0; i < all.on.size(); ++i) {
      all.on[i].kernels = std::max(all.on[i].kernels, way.on[i].kernels);
      all.on[i].length = std::max(all.on[i].length, way.on[i].length);
      all.on[i].empty = all.on[i].empty || way.on[i].empty;
    }
  }
  ways.assign(1, all);
}

}  // namespace

bool Paths::Content::has_slices_before(std::size_t k, std::size_t v) const {
  const Job& job = system.jobs[k];
  for (std::size_t i = 0; i < job.queues.size(); ++i) {
    const auto visits = [&](const Way& way) { return (way.mask & bit(i)) != 0; };
    const auto& ways = ways_[job.kind][v];
    if (system.queues[job.queues[i]].gap > 0 && std::any_of(ways.begin(), ways.end(), visits)) return true;
  }
  return false;
}

/// T14: (2), and (n - 1 + ceil(X/S)) G for every GPU with slices on which the path has n >= 1 kernels, (n + floor(X/S)) G where one of them
/// has length 0 or kernels are in turn (T33); X = sum of e + (sum n_u vol_u - sum of s)/g there.
Int Paths::Content::T14(std::size_t k, std::size_t v) const {
  const Job& job = system.jobs[k];
  std::vector<std::size_t> sliced;  // local queues
  for (std::size_t i = 0; i < job.queues.size(); ++i) {
    if (system.queues[job.queues[i]].gap > 0) sliced.push_back(i);
  }
  std::vector<std::vector<SlicedWay>> ways(job.items.size());
  for (std::size_t u = 0; u <= v; ++u) {  // items follow their predecessors
    const Item& item = job.items[u];
    const Int last_piece = -ceil_mul_div(-item.s, system.grid, system.queues[item.queue].cap);  // rounded down
    const Int length = item.e * system.grid - last_piece + system.in_grid(blocked(k, u), item.queue);
    const auto extend = [&](SlicedWay way) {
      way.mask |= item.pays;
      way.length += length;
      for (std::size_t i = 0; i < sliced.size(); ++i) {
        if (item.local != sliced[i]) continue;
        way.on[i].kernels += 1;
        way.on[i].length += length;
        way.on[i].empty = way.on[i].empty || item.e == Int(0) || system.queues[item.queue].in_turn;
      }
      keep(ways[u], std::move(way));
    };
    if (item.before.empty()) extend({0, 0, std::vector<OnSlices>(sliced.size())});
    for (const std::size_t w : item.before) {
      for (const SlicedWay& way : ways[w]) extend(way);
    }
  }
  std::vector<Int> waits(job.slots.size());
  for (std::size_t i = 0; i < waits.size(); ++i) {
    if (limits_[job.kind][v * job.queues.size() + job.slots[i].local].empty()) continue;
    waits[i] = system.in_grid(waiting(k, v, i), job.queues[job.slots[i].local]);
  }
  Int most = 0;
  for (const SlicedWay& way : ways[v]) {
    Int length = way.length;
    for (std::size_t i = 0; i < waits.size(); ++i) length += (way.mask & bit(i)) != 0 ? waits[i] : Int(0);
    Int bound = ceil_div(length, system.grid);
    for (std::size_t i = 0; i < sliced.size(); ++i) {
      const OnSlices& on = way.on[i];
      if (on.kernels == Int(0)) continue;
      const Queue& queue = system.queues[job.queues[sliced[i]]];
      const Int X = on.length + waits[sliced[i]];
      const Int S = queue.slice * system.grid;
      bound += (on.empty ? on.kernels + floor_div(X, S) : on.kernels - 1 + ceil_div(X, S)) * queue.gap;
    }
    most = std::max(most, bound);
  }
  return most;
}

}  // namespace checker
