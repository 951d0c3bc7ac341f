// T10d on non-preemptive pools: what less urgent work had started before the path's nodes were ready.
#include <algorithm>
#include <functional>
#include <limits>

#include "analysis/path/priority/by_priority.hpp"
#include "analysis/path/system/started.hpp"
#include "analysis/path/whole/whole.hpp"

namespace rta::analysis::path {
namespace {

constexpr Wide most_ticks = Wide{1} << 60U;  // beyond, nothing is proven

}  // namespace

bool WholePaths::is_non_preemptive(std::size_t k, std::size_t local) const {
  return runs_to_end(ticks_.system->pools[ticks_.classes[k].pools[local]].order);
}

/// L: on a non-preemptive pool nothing but v itself matters from the last instant on at which it has to start.
std::int64_t WholePaths::window_of(std::size_t k, std::size_t v, const Ends& ends) const {
  const Class& c = ticks_.classes[k];
  if (!is_non_preemptive(k, c.pool_of[v])) return ends.F[k][v];
  return ends.F[k][v] - std::max<std::int64_t>(ticks_.whole_ns(c.e[v]), 1) + 1;
}

WholePaths::Started::Started(const Class& c, const System& system)
    : paths(c, system), most(c.size() * c.pools.size(), 0), longest(c.size(), 0), alone(c.size()) {}

void WholePaths::set_started(std::size_t k) {
  const Class& c = ticks_.classes[k];
  if (paths_[k] || !ParallelPaths::applies_beside_started(c, *ticks_.system)) return;
  const std::size_t P = c.pools.size();
  for (std::size_t i = 0; i < P; ++i) {
    if (is_non_preemptive(k, i) && !fits_[c.pools[i]]) return;
  }
  Started& started = started_[k].emplace(c, *ticks_.system);
  std::vector<bool> elsewhere(c.size(), false);  // whether the node or one before it is not on the pool of the first node
  for (const std::uint32_t v : c.order) {
    const std::size_t own = c.pool_of[v];
    const auto most = std::span(started.most).subspan(v * P, P);
    bool fresh = c.predecessors(v).empty();
    for (const std::uint32_t w : c.predecessors(v)) {
      for (std::size_t i = 0; i < P; ++i) most[i] = std::max(most[i], started.most[w * P + i]);
    }
    const std::int64_t m = ticks_.system->pools[c.pools[own]].capacity;
    std::int64_t here = fresh ? m : 0;
    // The processor that ended the predecessor is free for v.
    for (const std::uint32_t w : c.predecessors(v)) {
      here = std::max(here, started.most[w * P + own] + m - (c.pool_of[w] == own ? 1 : 0));
      elsewhere[v] = elsewhere[v] || elsewhere[w] || c.pool_of[w] != own;
    }
    most[own] = here;
    if (elsewhere[v] || !is_non_preemptive(k, own)) continue;
    for (const std::uint32_t w : c.predecessors(v)) started.longest[v] = std::max(started.longest[v], started.longest[w]);
    started.longest[v] += ticks_.whole_ns(c.e[v]);
    std::int64_t work = 0;
    const NodeBits all = beside_or_before(k, v);
    for (std::size_t u = 0; u < c.size(); ++u) work += all[u] ? ticks_.whole_ns(c.e[u]) : 0;
    started.alone[v] = work;
  }
}

NodeBits WholePaths::beside_or_before(std::size_t k, std::size_t v) const {
  NodeBits all = paths(k).parallel_to_paths(v, ticks_.classes[k].pool_of[v], 0);
  for (std::size_t u = 0; u < paths(k).size(); ++u) {
    if (u == v || paths(k).is_before(u, v)) all.set(u);
  }
  return all;
}

/// Of less urgent nodes: under fixed priorities those less urgent than some node of a path to v, of jobs released before the last of these
/// is ready.
WholePaths::Last WholePaths::last_started(std::size_t k, std::size_t v, std::size_t local, const Ends& ends) const {
  const Class& c = ticks_.classes[k];
  const bool by_priority = by_fixed_priority(ticks_.system->pools[c.pools[local]].order);
  Last last;
  for (std::size_t q = 0; q < c.size(); ++q) {
    if (c.pool_of[q] != local || (q != v && !paths(k).is_before(q, v))) continue;
    last.any = last.equals = std::max(last.any, ends.A[k][q]);
    last.next = by_priority ? std::max<std::uint64_t>(last.next, c.priority[q]) : std::numeric_limits<std::uint64_t>::max();
  }
  return last;
}

std::int64_t WholePaths::last_ready(std::size_t k, std::size_t v, std::size_t local, const Ends& ends) const {
  const bool by_point = ticks_.system->pools[ticks_.classes[k].pools[local]].order == Order::gel_non_preemptive;
  return by_point && v != all_nodes ? last_started(k, v, local, ends).any : std::numeric_limits<std::int64_t>::min();
}

/// Of the DAG's other jobs, and of the job itself what is beside a more urgent node of a path. By points later jobs alone are less urgent.
std::vector<WholePaths::Piece> WholePaths::own_started(std::size_t k, std::size_t v, std::size_t local, const Last& last,
                                                       const Ends& ends) const {
  const Class& c = ticks_.classes[k];
  const ParallelPaths& paths = this->paths(k);
  std::vector<Piece> pieces;
  const bool by_priority = by_fixed_priority(ticks_.system->pools[c.pools[local]].order);
  for (const Use& use : by_chains(k, local)) {
    if (!by_priority && last.any >= c.T) pieces.push_back({use.C, last.any / c.T});
    if (!by_priority || use.priority >= last.next) continue;
    bool beside = false;
    for (std::size_t q = 0; q < c.size() && !beside; ++q) {
      const bool waits = c.pool_of[q] == local && (q == v || paths.is_before(q, v)) && c.priority[q] > use.priority;
      beside = waits && q != use.u && !paths.is_before(q, use.u) && !paths.is_before(use.u, q);
    }
    const std::int64_t n = own_jobs_by_priority(last.any, ends.F[k][use.u], c.T, !beside);
    if (n > 0) pieces.push_back({use.C, n});
  }
  return pieces;
}

/// Of the part that is taken of a DAG's piece, of which `rest` is left.
WholePaths::Rise WholePaths::rise_of(const Jobs& jobs, Wide rest) {
  if (jobs.fits >= jobs.counted || jobs.rises.empty()) return {};
  Rise all{jobs.rises.front().rises_for, 0};
  for (const WholeWindow::Rise& rise : jobs.rises) {
    all.rises_for = std::min(all.rises_for, rise.rises_for);
    all.rate += rise.rate;
  }
  const Wide room = std::min(rest, jobs.counted - jobs.fits) / all.rate;
  return {static_cast<std::int64_t>(std::min<Wide>(all.rises_for, room)), all.rate};
}

WholePaths::Blocking WholePaths::blocking(std::size_t k, std::size_t v, std::size_t local, const Ends& ends,
                                          std::int64_t processors) const {
  const Class& c = ticks_.classes[k];
  const std::size_t p = c.pools[local];
  Blocking of;
  if (!started_[k] || !is_non_preemptive(k, local)) return of;
  const std::int64_t most = most_pieces(k, v, local);
  const Last last = last_started(k, v, local, ends);
  if (most == 0 || last.next == 0) return of;
  std::vector<Piece> all = own_started(k, v, local, last, ends);
  const std::int64_t m = ticks_.system->pools[p].capacity;
  const bool by_point = ticks_.system->pools[p].order == Order::gel_non_preemptive;
  const Last counted = by_point ? last_of(k, v, local, ends) : Last();
  Beside beside;
  beside.window.L = window_of(k, v, ends);
  std::vector<Piece> pieces;
  for (const std::size_t d : ticks_.users[p]) {
    if (by_point && c.Y - ticks_.classes[d].Y >= last.any) continue;  // all that may have started precedes the path
    pieces.clear();
    beside.m = m;
    const auto jobs = jobs_of(k, p, d, false, last, ends, beside, &pieces);
    if (!jobs) continue;
    // No more of a DAG than fits beside the path: whole pieces, and a part of one.
    std::ranges::sort(pieces, std::greater<>(), &Piece::length);
    Wide left = jobs->work();
    if (by_point) {
      beside.m = processors > 0 ? processors : m;
      if (const auto preceding = jobs_of(k, p, d, false, counted, ends, beside)) left = std::max<Wide>(0, left - preceding->work());
    }
    for (const Piece& piece : pieces) {
      const auto whole = static_cast<std::int64_t>(std::min<Wide>({Wide{piece.count}, left / piece.length, Wide{most}}));
      const auto times = [&](std::int64_t n) { return static_cast<std::int64_t>(std::min(Wide{n} * jobs->copies, Wide{most})); };
      all.push_back({piece.length, times(whole)});
      left -= Wide{whole} * piece.length;
      if (whole == piece.count) continue;
      if (left < piece.length) all.push_back({static_cast<std::int64_t>(left), times(1), rise_of(*jobs, piece.length - left)});
      break;
    }
  }
  std::ranges::sort(all, std::greater<>(), &Piece::length);
  of.pieces = std::move(all);
  return of;
}

Wide WholePaths::Blocking::longest(std::int64_t n) const {
  Wide sum = 0;
  for (const Piece& piece : pieces) {
    const std::int64_t count = std::min(n, piece.count);
    sum += Wide{count} * piece.length;
    n -= count;
    if (n == 0) break;
  }
  return sum;
}

void WholePaths::Blocking::add_rises(std::int64_t from, std::int64_t n, Wide times, std::vector<Rise>& rises) const {
  std::int64_t at = 0;
  for (const Piece& piece : pieces) {
    const std::int64_t counted = std::min(n, at + piece.count) - std::max(from, at);
    at += piece.count;
    if (counted > 0 && piece.rise.rises_for > 0) rises.push_back({piece.rise.rises_for, times * counted * piece.rise.rate});
    if (at >= n) return;
  }
}

Tick WholePaths::ticks_of(const Blocking& blocking, std::int64_t pieces, std::int64_t processors) const {
  return Tick::narrow(std::min(most_ticks, ceil_div(blocking.longest(pieces) * ticks_.Q, Wide{processors})));
}

void WholePaths::add_blocking(std::size_t k, std::size_t v, const Ends& ends, std::vector<Slot>& slots) const {
  const Class& c = ticks_.classes[k];
  for (std::size_t i = 0; i < c.pools.size(); ++i) {
    if (!is_non_preemptive(k, i) || i == paths(k).pieces_pool()) continue;
    const Tick blocked = ticks_of(blocking(k, v, i, ends, 0), most_pieces(k, v, i), ticks_.system->pools[c.pools[i]].capacity);
    slots[i].ticks = Tick::narrow(std::min(most_ticks, Wide{slots[i].ticks.count()} + blocked.count()));
  }
}

/// On j < m processors, where v and all before it are on one pool and that is less: of each DAG no more than j processors do counts.
void WholePaths::count_fewer(std::size_t k, std::size_t v, const Ends& ends, Decisive& most) const {
  const Class& c = ticks_.classes[k];
  const auto& alone = started_[k]->alone[v];
  const std::size_t local = c.pool_of[v];
  const std::int64_t m = ticks_.system->pools[c.pools[local]].capacity;
  if (!alone || m == 1 || ticks_.ns(most.total) <= ends.F[k][v]) return;
  const std::int64_t pieces = most_pieces(k, v, local);
  const Wide longest = Wide{started_[k]->longest[v]} * ticks_.Q;
  // Right-hand sides rise with F, so none is met before its value here: a solution is beyond the least of what each form excludes.
  const auto excluded = [&](Wide ticks, std::int64_t beyond) {
    return std::max(beyond, ticks_.ns(Tick::narrow(std::min(ticks, most_ticks))) - ends.F[k][v]);
  };
  most.beyond = excluded(most.total.count(), most.beyond);
  const bool by_point = ticks_.system->pools[c.pools[local]].order == Order::gel_non_preemptive;
  Blocking block = by_point ? Blocking() : blocking(k, v, local, ends, 0);
  for (std::int64_t j = std::min<std::int64_t>(m - 1, most_fewer_processors); j > 0; --j) {
    // By points no more blocks than what is not counted, which depends on j.
    if (by_point) block = blocking(k, v, local, ends, j);
    const Wide first = block.longest(m);
    const Wide later = block.longest(pieces) - first;
    Wide ticks = longest + ceil_div((Wide{*alone} * ticks_.Q - longest), Wide{j}) + ceil_div(first * ticks_.Q, Wide{m}) +
                 ceil_div(later * (j - 1) * ticks_.Q, Wide{j} * (m - 1));
    std::vector<Rise> rises;
    for (std::size_t slot = 0; slot < c.slot_pool.size(); ++slot) {
      if (c.slot_pool[slot] != local) continue;
      Slot of = waiting(k, v, slot, ends, j);
      ticks += of.ticks.count();
      rises.insert(rises.end(), of.rises.begin(), of.rises.end());
    }
    block.add_rises(0, m, ticks_.Q / m, rises);
    block.add_rises(m, pieces, Wide{j - 1} * ticks_.Q / (Wide{j} * (m - 1)), rises);
    // Each sum is rounded up by itself: together they may rise by a little less.
    const Wide rounded = ticks_.Q % (j * m * (m - 1)) == 0 ? 0 : static_cast<Wide>(3 + c.slot_pool.size());
    const Wide lacking = ticks - rounded - Wide{ends.F[k][v]} * ticks_.Q;
    most.beyond = std::min(most.beyond, excluded(ticks, until_met(std::move(rises), lacking, ticks_.Q)));
    if (ticks >= most.total.count()) continue;
    most.total = Tick::narrow(ticks);
    most.processors = j;
  }
}

}  // namespace rta::analysis::path
