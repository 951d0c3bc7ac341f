// docs/theory/path.md, T10d, and docs/theory/jitter.md, T12d
#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "content.hpp"
#include "late_releases.hpp"
#include "whole.hpp"

namespace checker {
namespace {

/// The longest sum of e over the items on one queue of a path; items follow their predecessors.
Int longest_on(const Job& job, std::size_t queue) {
  std::vector<Int> longest(job.items.size(), 0);
  Int most = 0;
  for (std::size_t v = 0; v < longest.size(); ++v) {
    for (const std::size_t u : job.items[v].before) longest[v] = std::max(longest[v], longest[u]);
    if (job.items[v].queue == queue) longest[v] += job.items[v].e;
    most = std::max(most, longest[v]);
  }
  return most;
}

}  // namespace

void Paths::Content::check_families(std::size_t k) const {
  const Job& job = system.jobs[k];
  for (const auto& family : job.families) {
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> last;  // queue and chain
    for (std::size_t v = 0; v < family.size(); ++v) {
      if (family[v] == 0) continue;
      const auto [at, fresh] = last.try_emplace({job.items[v].queue, family[v]}, v);
      need(fresh || job.is_below(v, at->second), "two nodes of a chain are neither before nor after each other");
      at->second = v;
    }
  }
}

/// Counted items of one DAG, and what fits of them.
struct Paths::Content::WholeOf {
  Whole whole;
  std::optional<Int> last = {};
  Int counted = 0;
  bool all = true;

  /// n jobs of item u count, those released by `until`.
  void add(const Job& job, std::size_t u, Int n, Int until) {
    const Item& item = job.items[u];
    counted += n * item.vol;
    whole.lanes[item.lane] += item.vol;
    whole.families.resize(job.families.size());
    for (std::size_t f = 0; f < whole.families.size(); ++f) whole.families[f].add(job.families[f][u], item.vol);
    whole.F = std::max(whole.F, job.F[u]);
    last = std::max(last.value_or(until), until);
  }
  [[nodiscard]] Int work(const Job& job, std::size_t queue, bool own) {
    if (!last || !whole.is_short()) return counted;
    whole.last = *last;
    if (all) whole.longest = longest_on(job, queue);
    return std::min(counted, ceil_div(own ? whole.at_periods() : whole.most(), 2));
  }
};

/// L: on a non-preemptive queue nothing but v itself matters from the last instant on at which it has to start.
Int Paths::Content::window(std::size_t k, std::size_t v) const {
  const Job& job = system.jobs[k];
  const Item& item = job.items[v];
  if (!runs_to_end(system.queues[item.queue].order)) return job.F[v];
  return job.F[v] - std::max(item.e, Int(1)) + 1;
}

/// Of other jobs, in ns: per DAG what T10n counts or what fits on so many processors, whichever is less.
Int Paths::Content::whole(const Beside& beside) {
  const Job& job = beside.job;
  const Waiting& wait = beside.wait;
  const auto work = [&](const Job& other, bool own) {
    const Int J = beside.late ? other.J : Int(0);
    const Int T = other.T + J;
    WholeOf of{{0, T, J, beside.L, beside.processors}};
    const bool more_urgent = by_priority(wait.order) && other.items.front().key > job.items.front().key;
    if (!own && (!beside.of_urgent || more_urgent)) of.whole.left = left(other.kind, beside.late);
    for (std::size_t u = 0; u < other.items.size(); ++u) {
      const Item& item = other.items[u];
      const auto until = wait.until(item);
      Int n = 0;
      if (until) n = own ? other_late_jobs(*until, other.F[u], T, J) : late_jobs(other.F[u] + *until, T, J);
      of.all = of.all && (n > 0 || item.queue != wait.queue || item.vol == Int(0));
      if (n > 0) of.add(other, u, n, *until);
    }
    return of.work(other, wait.queue, own);
  };
  Int sum = 0;
  for (std::size_t kind = 0; kind < system.kinds.size(); ++kind) {
    const Int copies = system.kinds[kind].copies - Int(kind == job.kind ? 1 : 0);
    if (copies > 0) sum += copies * work(system.jobs[system.kinds[kind].job], false);
  }
  return sum + work(job, true);
}

/// In a slot of paths to v.
Int Paths::Content::whole(std::size_t k, std::size_t v, std::size_t slot, Int processors, bool late) {
  return whole({system.jobs[k], waiting_at(k, v, slot), window(k, v), processors, late});
}

/// None of DAGs on several queues, or whose items do not wait for one another in one order.
std::optional<Left> Paths::Content::left(std::size_t kind, bool late) {
  const auto [known, fresh] = left_.try_emplace({kind, late});
  if (!fresh) return known->second;
  const std::size_t k = system.kinds[kind].job;
  const Job& job = system.jobs[k];
  const std::size_t q = job.queues.front();
  const Queue& queue = system.queues[q];
  if (job.slots.size() != 1 || runs_to_end(queue.order) || !fits(q)) return std::nullopt;
  Left left{{}, 0, 0};
  Limits limits;
  Int V = 0;
  for (std::size_t v = 0; v < job.items.size(); ++v) {
    const Item& item = job.items[v];
    left.items.push_back({job.longest[v], item.e});
    left.longest = std::max(left.longest, job.longest[v]);
    V += item.e;
    limits.push_back(limit_of(job, v, std::nullopt));
  }
  const Int L = *std::max_element(job.F.begin(), job.F.end());
  const Waiting wait{job.slots.front(), q, queue.order, limits};
  Int work = V - left.longest;
  // Of others the same is asked: of those alone that do not ask it of this one.
  work += whole({job, wait, L, queue.processors, late, true});
  left.E = 2 * left.longest + ceil_div(2 * work, queue.processors);
  if (V > 0) left_[{kind, late}] = left;
  return left_[{kind, late}];
}

/// Pieces of less urgent work that items of paths to v may find started on a queue: how many of which length, longest first.
struct Paths::Content::Pieces {
  std::vector<std::pair<Int, Int>> all;
  [[nodiscard]] Int longest(Int n) const {
    Int sum = 0;
    for (const auto& [length, count] : all) {
      sum += std::min(n, count) * length;
      n -= std::min(n, count);
    }
    return sum;
  }
};

/// Those less urgent than some item of the paths, of jobs released by when the last of these is ready; of another DAG no more than fits.
/// By points later jobs are less urgent, of another DAG as many as are released later than those that precede, and they do no more than
/// fits beside what these do on so many processors.
Paths::Content::Pieces Paths::Content::started(std::size_t k, std::size_t v, std::size_t local, Int processors) const {
  const Job& job = system.jobs[k];
  const std::size_t queue = job.queues[local];
  const Int ready = ready_[job.kind][v * job.queues.size() + local];
  const bool by_point = system.queues[queue].order == Order::gel_non_preemptive;
  std::vector<std::size_t> waits;
  Int most_urgent = 0;
  for (std::size_t q = 0; q < job.items.size(); ++q) {
    if (job.items[q].queue != queue || (q != v && !job.is_below(v, q))) continue;
    most_urgent = waits.empty() ? job.items[q].key : std::max(most_urgent, job.items[q].key);
    waits.push_back(q);
  }
  Pieces pieces;
  if (waits.empty()) return pieces;
  const Int waited_key = job.items[waits.front()].key;  // by points that of all
  Int last = 0;
  for (const std::size_t q : waits) last = std::max(last, job.F[q]);
  for (std::size_t u = 0; u < job.items.size(); ++u) {
    const Item& item = job.items[u];
    if (item.queue != queue || item.vol == Int(0)) continue;
    if (by_point) pieces.all.emplace_back(item.vol, floor_div(ready, job.T));
    if (by_point || item.key >= most_urgent) continue;
    const bool beside = std::any_of(waits.begin(), waits.end(), [&](std::size_t q) {
      return u != q && item.key < job.items[q].key && !job.is_below(u, q) && !job.is_below(q, u);
    });
    pieces.all.emplace_back(item.vol, jobs_in(job.F[u] - job.T, job.T) + floor_div(ready, job.T) + Int(beside ? 1 : 0));
  }
  for (std::size_t kind = 0; kind < system.kinds.size(); ++kind) {
    const Int copies = system.kinds[kind].copies - Int(kind == job.kind ? 1 : 0);
    if (copies <= 0) continue;
    const Job& other = system.jobs[system.kinds[kind].job];
    WholeOf of{{0, other.T, 0, window(k, v), system.queues[queue].processors}};
    WholeOf preceding{{0, other.T, 0, window(k, v), processors}};
    std::vector<std::pair<Int, Int>> own;
    for (std::size_t u = 0; u < other.items.size(); ++u) {
      const Item& item = other.items[u];
      if (item.queue != queue || item.vol == Int(0)) continue;
      if (by_point) {
        const Int later = waited_key - item.key;
        const Int until = std::min(last, later);
        const Int before = jobs_in(other.F[u] + until, other.T);
        preceding.all = preceding.all && before > 0;
        if (before > 0) preceding.add(other, u, before, until);
        if (later >= ready) continue;
      }
      Int n = by_point || item.key < most_urgent ? jobs_in(other.F[u] + ready, other.T) : Int(0);
      of.all = of.all && n > 0;
      if (n == Int(0)) continue;
      of.add(other, u, n, ready);
      if (by_point) n = std::min(n, jobs_in(ready - (waited_key - item.key), other.T));
      own.emplace_back(item.vol, n);
    }
    Int left = of.work(other, queue, false);
    if (by_point) left = std::max(Int(0), left - preceding.work(other, queue, false));
    std::sort(own.rbegin(), own.rend());
    for (const auto& [length, count] : own) {
      const Int whole = std::min(count, floor_div(left, length));
      pieces.all.emplace_back(length, copies * whole);
      left -= whole * length;
      if (whole == count) continue;
      pieces.all.emplace_back(left, copies);
      break;
    }
  }
  std::sort(pieces.all.rbegin(), pieces.all.rend());
  return pieces;
}

/// How many of them a path to v may find.
Int Paths::Content::most_pieces(const Job& job, std::size_t v, std::size_t local) const {
  std::vector<Int> most(v + 1, 0);
  for (std::size_t w = 0; w <= v; ++w) {  // an item follows its predecessors
    const Item& item = job.items[w];
    const bool here = item.local == local;
    const Int m = system.queues[item.queue].processors;
    if (here) most[w] = item.before.empty() ? m : Int(0);
    for (const std::size_t u : item.before) {
      const Int found = job.items[u].local == local ? m - 1 : m;
      most[w] = std::max(most[w], most[u] + (here ? found : Int(0)));
    }
  }
  return most[v];
}

/// j < m of the only queue of v and what is before it, in the grid; the first sum that is enough, else the least.
std::optional<Int> Paths::Content::on_fewer(std::size_t k, std::size_t v, Int enough) {
  const Int most_tried = 32;
  const Job& job = system.jobs[k];
  const std::size_t local = job.items[v].local;
  const std::size_t queue = job.queues[local];
  const Queue& q = system.queues[queue];
  if (!runs_to_end(q.order)) return std::nullopt;
  std::vector<std::size_t> waits{v};
  for (std::size_t u = 0; u < job.items.size(); ++u) {
    if (!job.is_below(v, u)) continue;
    if (job.items[u].local != local) return std::nullopt;
    waits.push_back(u);
  }
  const Parallel& beside = parallel(k, std::nullopt);
  Int own = 0;
  for (std::size_t u = 0; u < job.items.size(); ++u) {
    const bool counts = std::any_of(waits.begin(), waits.end(), [&](std::size_t w) { return w == u || beside.meanwhile(u, w); });
    if (counts) own += job.items[u].e;
  }
  const Int m = q.processors;
  std::optional<Int> least;
  for (Int j = std::min(m - 1, most_tried); j > 0 && least.value_or(enough + 1) > enough; j -= 1) {
    const Pieces pieces = started(k, v, local, j);
    const Int X = pieces.longest(m);
    const Int Y = pieces.longest(most_pieces(job, v, local)) - X;
    Int work = own - job.longest[v];
    for (std::size_t i = 0; i < job.slots.size(); ++i) {
      const bool waited = job.slots[i].local == local && !limits_[job.kind][v * job.queues.size() + local].empty();
      if (waited) work += whole(k, v, i, j, false);
    }
    const Int sum = job.longest[v] * system.grid + ceil_mul_div(work, system.grid, j) + ceil_mul_div(X, system.grid, m) +
                    ceil_mul_div((j - 1) * Y, system.grid, j * (m - 1));
    least = std::min(least.value_or(sum), sum);
  }
  return least;
}

/// Less urgent work that has started may be counted on queues of processors.
void Paths::Content::need_started(const Job& job) const {
  for (const std::size_t q : job.queues) {
    const bool blocks = non_preemptive(system.queues[q].order);
    need(!blocks || (runs_to_end(system.queues[q].order) && fits(q)), "the theorem is not for such a pool without preemption");
  }
}

/// T10p, with what fits of the other jobs of each DAG in place of what is counted, and with the longest pieces that may have started. A
/// node of length 0 counts as the least unit of time. `late`: T12d, for preemptive pools.
Int Paths::Content::T10d(std::size_t k, std::size_t v, bool late) {
  const Job& job = system.jobs[k];
  if (late) need_parallel(job);
  need_started(job);
  need(!system.is_sliced(), "T10d is for systems without time slices");
  const Parallel& beside = parallel(k, std::nullopt);
  std::map<std::size_t, Pieces> blocking;  // local queue
  for (std::size_t i = 0; i < job.queues.size(); ++i) {
    if (runs_to_end(system.queues[job.queues[i]].order)) blocking.emplace(i, started(k, v, i, system.queues[job.queues[i]].processors));
  }
  std::optional<Int> most;
  for (const Way& way : beside.ways(v)) {
    Int length = way.length;
    for (std::size_t i = 0; i < job.slots.size(); ++i) {
      const std::size_t queue = job.queues[job.slots[i].local];
      if ((way.mask & bit(i)) == 0 || limits_[job.kind][v * job.queues.size() + job.slots[i].local].empty()) continue;
      const Int counted = late ? late_releases(k, v, i, false) : waiting(k, v, i, false);
      length += system.in_grid(fits(queue) ? std::min(counted, whole(k, v, i, system.queues[queue].processors, late)) : counted, queue);
    }
    for (const auto& [local, pieces] : blocking) {
      const Int n = beside.pieces_queue() == local ? way.pieces : most_pieces(job, v, local);
      length += system.in_grid(pieces.longest(n), job.queues[local]);
    }
    most = std::max(most.value_or(length), length);
  }
  const Int enough = job.F[v] * system.grid - 1;
  if (*most > enough) {
    if (const auto fewer = on_fewer(k, v, enough)) most = std::min(*most, *fewer);
  }
  return ceil_div(*most + Int(job.items[v].e == Int(0) ? 1 : 0), system.grid);
}

}  // namespace checker
