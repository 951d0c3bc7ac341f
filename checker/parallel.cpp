// docs/theory/path.md, T10p
#include "parallel.hpp"

#include <algorithm>

#include "keep.hpp"

namespace checker {
namespace {

constexpr std::size_t most_items = 512;
constexpr std::size_t most_parallel_ways = 256;  // beyond, one that counts the most and knows the least stands for all, which is safe

/// A path: what it pays for and counts, and of what it has counted that which is parallel to a node yet to come.
struct CountedWay {
  std::uint64_t mask = 0;
  Int length = 0;
  Int pieces = 0;
  Bits again;
};

bool covers(const CountedWay& a, const CountedWay& b) {
  if ((b.mask & ~a.mask) != 0 || a.length < b.length || a.pieces < b.pieces) return false;
  for (std::size_t w = 0; w < a.again.size(); ++w) {
    if ((a.again[w] & ~b.again[w]) != 0) return false;
  }
  return true;
}

void add(std::vector<CountedWay>& ways, CountedWay added) {
  if (!keep(ways, std::move(added), covers) || ways.size() <= most_parallel_ways) return;
  CountedWay all = ways.front();
  for (const CountedWay& way : ways) {
    all.mask |= way.mask;
    all.length = std::max(all.length, way.length);
    all.pieces = std::max(all.pieces, way.pieces);
    for (std::size_t w = 0; w < all.again.size(); ++w) all.again[w] &= way.again[w];
  }
  ways.assign(1, all);
}

}  // namespace

Parallel::Parallel(const System& system, const Job& job, std::optional<std::size_t> only)
    : job_(job), only_(only), ways_(job.items.size()) {
  need(!job.below.empty() && job.items.size() <= most_items, "the DAG is too large for what is parallel in it to be known");
  set_parallel(system);
  for (std::size_t i = job.queues.size(); i-- > 0;) {
    if (runs_to_end(system.queues[job.queues[i]].order)) pieces_queue_ = i;
  }
  set_ways(system);
}

/// Neither before nor after; under fixed priorities no less urgent, with points per node no later.
void Parallel::set_parallel(const System& system) {
  const std::size_t n = job_.items.size();
  parallel_.assign(n, Bits((n + 63) / 64, 0));
  for (std::size_t q = 0; q < n; ++q) {
    const Item& item = job_.items[q];
    const Queue& queue = system.queues[item.queue];
    for (std::size_t u = 0; u < n; ++u) {
      const Item& other = job_.items[u];
      if (u == q || other.local != item.local || other.vol == Int(0) || job_.is_below(u, q) || job_.is_below(q, u)) continue;
      if (by_priority(queue.order) && other.key < item.key) continue;
      if (!queue.by_dag && queue.order == Order::gel && other.key > item.key) continue;
      parallel_[q][u / 64] |= std::uint64_t{1} << (u % 64);
    }
  }
}

/// The first node of a path brings what is parallel to it, each further one what is parallel to it and not yet counted.
void Parallel::set_ways(const System& system) {
  const std::size_t n = job_.items.size();
  const std::size_t words = n / 64 + static_cast<std::size_t>(n % 64 != 0);
  std::vector<Bits> later(n, Bits(words, 0));  // parallel to some strict descendant
  for (std::size_t v = n; v-- > 0;) {
    for (const std::size_t u : job_.items[v].before) {
      for (std::size_t w = 0; w < words; ++w) later[u][w] |= later[v][w] | parallel_[v][w];
    }
  }
  const auto work = [&](std::size_t u) { return only_ ? job_.items[u].vol : system.in_grid(job_.items[u].vol, job_.items[u].queue); };
  std::vector<std::vector<CountedWay>> all(n);
  for (std::size_t v = 0; v < n; ++v) {
    const Item& item = job_.items[v];
    Int own = 0;
    if (!only_) {
      own = item.e * system.grid + ceil_mul_div(-item.s, system.grid, system.queues[item.queue].cap) + work(v);
    }
    const bool here = only_.value_or(item.local) == item.local;
    const bool found = pieces_queue_ == item.local;
    const Int m = system.queues[item.queue].processors;
    const auto extend = [&](CountedWay way, std::optional<std::size_t> last) {
      // The processor that ended the item before is free for this one.
      if (found) way.pieces += last && job_.items[*last].local == item.local ? m - 1 : m;
      way.mask |= item.pays;
      way.length += own;
      for (std::size_t u = 0; u < n && here; ++u) {
        if (meanwhile(u, v) && (way.again[u / 64] >> (u % 64) & 1U) == 0) way.length += work(u);
      }
      for (std::size_t w = 0; w < words; ++w) way.again[w] = (way.again[w] | parallel_[v][w]) & later[v][w];
      add(all[v], std::move(way));
    };
    if (item.before.empty()) extend({0, 0, 0, Bits(words, 0)}, std::nullopt);
    for (const std::size_t u : item.before) {
      for (const CountedWay& way : all[u]) extend(way, u);
    }
    for (const CountedWay& way : all[v]) ways_[v].push_back({way.mask, way.length, 0, way.pieces});
  }
}

}  // namespace checker
