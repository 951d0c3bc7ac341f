// The ways to each node of a DAG: what its paths take themselves, and which slots they pay for (docs/theory/path.md).
#include <algorithm>

#include "content.hpp"
#include "keep.hpp"

namespace checker {
namespace {

constexpr std::size_t most_ways = 4096;  // beyond, a path pays for all slots of the DAG, which is safe

}  // namespace

/// Drops what another way never pays less than. T10v takes off at most (m - 1)/m of E more where E is larger.
void Paths::Content::add(std::vector<Way>& ways, Way added, const std::optional<Overlap>& overlap) const {
  const Int m = overlap ? overlap->m : Int(1);
  const Int rounding = floor_div(system.grid, m) * m == system.grid ? Int(0) : m;
  const auto covers = [&](const Way& a, const Way& b) {
    if ((b.mask & ~a.mask) != 0 || a.length < b.length) return false;
    return a.before <= b.before || m * (a.length - b.length - rounding) >= (m - 1) * (a.before - b.before);
  };
  if (!keep(ways, added, covers) || ways.size() <= most_ways) return;
  for (const Way& other : ways) {
    added = {added.mask | other.mask, std::max(added.length, other.length), std::min(added.before, other.before)};
  }
  ways.assign(1, added);
}

/// Of every node, the paths that end in it.
std::vector<std::vector<Way>> Paths::Content::ways_of(std::size_t k, bool with_blocking, const std::vector<bool>& in_full) const {
  const Job& job = system.jobs[k];
  const auto overlap = in_full.empty() ? system.overlap_of(job) : std::nullopt;
  std::vector<std::vector<Way>> ways(job.items.size());
  for (std::size_t v = 0; v < job.items.size(); ++v) {
    const Item& item = job.items[v];
    const bool all = !in_full.empty() && in_full[item.local];
    const Int last_piece = all ? Int(0) : -ceil_mul_div(-item.s, system.grid, system.queues[item.queue].cap);  // rounded down
    const Int Blk = with_blocking ? system.in_grid(blocked(k, v), item.queue) : Int(0);
    const Int length = item.e * system.grid - last_piece + Blk;
    const Int E = overlap && item.local == overlap->cpu ? item.e * system.grid : Int(0);
    if (item.before.empty()) ways[v].push_back({item.pays, length, E});
    for (const std::size_t u : item.before) {
      for (const Way& way : ways[u]) {
        const bool waited = overlap && (way.mask & bit(overlap->queue)) != 0;
        add(ways[v], {way.mask | item.pays, way.length + length, way.before + (waited ? Int(0) : E)}, overlap);
      }
    }
  }
  return ways;
}

Int Paths::Content::longest(std::size_t k, std::size_t v, const std::function<Int(std::size_t slot)>& wait) const {
  const Job& job = system.jobs[k];
  std::vector<std::optional<Int>> waits(job.slots.size());
  std::optional<Int> most;
  for (const Way& way : ways_[job.kind][v]) {
    Int length = way.length;
    for (std::size_t i = 0; i < waits.size(); ++i) {
      if ((way.mask & bit(i)) == 0 || limits_[job.kind][v * job.queues.size() + job.slots[i].local].empty()) continue;
      if (!waits[i]) waits[i] = wait(i);
      length += *waits[i];
    }
    most = std::max(most.value_or(length), length);
  }
  return *most;
}

}  // namespace checker
