// docs/theory/executors.md
#include "executors.hpp"

#include <algorithm>
#include <limits>
#include <set>

namespace checker {
namespace {

constexpr std::size_t most_routes = 4096;
constexpr std::size_t most_for_pairs = 256;  // items of a job
constexpr std::size_t most_instants = 100'000;
const Int longest_time = std::numeric_limits<std::int64_t>::max();

}  // namespace

Executors::Executors(const TaskSet& set, const Certificate& certificate, const std::vector<std::size_t>& dags)
    : system_(set, certificate, dags, false), by_blocks_(system_.queues.size()) {
  for (const std::size_t d : dags) {
    need(set.dags[d].threads == Int(0), "T19 is not for DAGs on threads");
    need(system_.place[d].front().first == system_.place[d].back().first, "T19 is for whole DAGs");
  }
  need(system_.unit == Int(1), "T19 is in whole ns");
  for (const Job& job : system_.jobs) {
    need(!job.below.empty(), "a DAG has too many nodes for T19");
    for (const std::size_t q : job.queues) {
      const Queue& queue = system_.queues[q];
      const bool gpu = q < set.pools.size() && set.pools[q].kind == Kind::gpu;
      by_blocks_[q] = gpu;
      need(queue.gap == Int(0), "T19 is not for time slices");
      need(queue.order != Order::fp_kernels, "T19 is not for stream priorities");
      need(queue.order != Order::gel_non_preemptive, "T19 is not for points without preemption");
      need(queue.runtime == Int(0) || (queue.processors == Int(1) && (queue.order == Order::wait_set || queue.order == Order::fifo ||
                                                                      queue.order == Order::fp_non_preemptive)),
           "a reservation is an executor's, of one thread");
      need(queue.order != Order::multi_threaded || !set.pools[q].preemptive, "an executor preempts nothing");
      need(queue.order != Order::wait_set || (queue.processors == Int(1) && !set.pools[q].preemptive),
           "an executor has one processor, and preempts nothing");
    }
  }
}

bool Executors::leads(const Job& job, std::size_t u, std::size_t v) const {
  std::vector<bool> does(job.items.size());
  does[u] = job.items[u].queue == job.items[v].queue;
  for (std::size_t w = u + 1; w <= v; ++w) {
    if (job.items[w].queue != job.items[v].queue) continue;
    const auto& before = job.items[w].before;
    does[w] = std::any_of(before.begin(), before.end(), [&](std::size_t x) { return does[x]; });
  }
  return u < v && does[v];
}

/// Jobs come to v one after the other: all before it is on wait sets, in exclusive groups, or on single processors, workers and engines in
/// order.
bool Executors::keeps_order(const Job& job, std::size_t v) const {
  for (std::size_t u = 0; u < v; ++u) {
    if (!is_before(job, u, v)) continue;
    const std::size_t q = job.items[u].queue;
    const Queue& queue = system_.queues[q];
    const bool one = queue.order == Order::fifo && queue.processors == Int(1) && !by_blocks_[q];
    const bool in_group = !job.items[u].group.empty();
    if (!is_wait_set(q) && !one && !in_group) return false;
  }
  return true;
}

/// Blk of T11b, in the grid.
Int Executors::blocked(std::size_t k, std::size_t v) const {
  const Job& job = system_.jobs[k];
  const Item& item = job.items[v];
  const Queue& queue = system_.queues[item.queue];
  if (queue.order != Order::fp_non_preemptive) return 0;
  Int left = queue.processors, sum = 0;
  for (const System::Blocking& piece : system_.blocking[item.queue]) {
    if (piece.key >= item.key) continue;
    Int times = jobs_in(piece.F + job.A[v], piece.T);
    if (piece.job == k) {
      const bool parallel = !is_before(job, piece.item, v) && !is_before(job, v, piece.item) && piece.item != v;
      times = Int(parallel ? 1 : 0) + pending(job, piece.item) + floor_div(job.A[v], job.T);
    }
    times = std::min(times, left);
    sum += times * piece.C;
    left -= times;
  }
  return system_.in_grid(sum, item.queue);
}

Executors::Routes Executors::routes(std::size_t k, std::size_t v) const {
  const auto [at, fresh] = known_.try_emplace({k, v});
  if (!fresh) return at->second;
  const Job& job = system_.jobs[k];
  const Item& item = job.items[v];
  Routes all;
  const auto add = [&](std::uint64_t mask, Groups groups, Route route, bool goes_on) {
    mask |= bit(item.local);
    const bool reserved = system_.queues[item.queue].runtime > 0;
    if (reserved) {
      route.visits[item.local] += Int(goes_on ? 0 : 1);
      route.blocked[item.local] += blocked(k, v);
    }
    if (!item.group.empty()) {
      groups.emplace(item.queue, item.group);  // its own job counts in full
    } else if (is_wait_set(item.queue)) {
      route.M[item.local] += Int(goes_on ? 0 : 1) + 1 + pending(job, v);
    } else if (!reserved) {
      route.length += item.e * system_.grid + ceil_mul_div(-item.s, system_.grid, system_.queues[item.queue].cap) + blocked(k, v);
    }
    const auto [same, is_new] = all.try_emplace({mask, std::move(groups)}, route);
    if (is_new) return;
    same->second.length = std::max(same->second.length, route.length);
    for (std::size_t i = 0; i < route.M.size(); ++i) {
      same->second.M[i] = std::max(same->second.M[i], route.M[i]);
      same->second.visits[i] = std::max(same->second.visits[i], route.visits[i]);
      same->second.blocked[i] = std::max(same->second.blocked[i], route.blocked[i]);
    }
  };
  const std::vector<Int> none(job.queues.size(), Int(0));
  if (item.before.empty()) add(0, {}, {0, none, none, none}, false);
  for (const std::size_t u : item.before) {
    for (const auto& [visited, route] : routes(k, u)) add(visited.first, visited.second, route, job.items[u].queue == item.queue);
  }
  need(all.size() <= most_routes, "the paths of a DAG visit too many sets of pools and groups");
  known_[{k, v}] = all;
  return all;
}

/// By when what may go before a node of v's paths there is released; none: nothing of u does.
std::optional<Int> Executors::lim(std::size_t k, std::size_t v, std::size_t queue, const Item& u) const {
  const Job& job = system_.jobs[k];
  const Queue& of = system_.queues[queue];
  std::optional<Int> most;
  for (std::size_t q = 0; q <= v; ++q) {
    const Item& item = job.items[q];
    if (item.queue != queue || (q != v && !is_before(job, q, v))) continue;
    Int here = 0;
    if (of.order == Order::wait_set && of.runtime == Int(0)) {
      Int W = 0;
      for (const Job& other : system_.jobs) {
        for (const Item& w : other.items) W += w.queue == queue ? w.e : Int(0);
      }
      here = std::min(job.F[q], job.A[q] + (pending(job, q) + 1) * W);
    } else if (is_executor(queue)) {
      here = std::max(job.F[q], job.A[q]);
    } else if (of.order == Order::fifo) {
      here = job.A[q];
    } else if (of.order == Order::gel) {
      here = std::min(job.F[q], item.key - u.key);
    } else {
      if (u.key < item.key) continue;
      const Int F = std::max(job.F[q], job.A[q]);
      here = u.key > item.key || of.equals_any ? F : job.A[q];
    }
    most = std::max(most.value_or(here), here);
  }
  return most;
}

/// On an executor u, which precedes v or is v, or is neither before nor after some node of v's paths there.
bool Executors::meets_path(const Job& job, std::size_t u, std::size_t v, std::size_t queue) const {
  if (u == v || is_before(job, u, v)) return true;
  if (is_before(job, v, u)) return false;
  for (std::size_t q = 0; q <= v; ++q) {
    if (job.items[q].queue != queue || (q != v && !is_before(job, q, v))) continue;
    if (!is_before(job, q, u) && !is_before(job, u, q)) return true;
  }
  return false;
}

/// T20: every path to v has u, and none of u's group behind it; later jobs of u, which come in order, then run behind this one.
bool Executors::is_last_of_group(const Job& job, std::size_t u, std::size_t v) const {
  if (job.items.size() > most_for_pairs || !keeps_order(job, u) || (u != v && !is_before(job, u, v))) return false;
  for (std::size_t w = 0; w <= v; ++w) {
    if (w == u || (w != v && !is_before(job, w, v)) || is_before(job, w, u)) continue;
    if (!is_before(job, u, w)) return false;
    if (job.items[w].queue == job.items[u].queue && job.items[w].group == job.items[u].group) return false;
  }
  return true;
}

Int Executors::work(std::size_t k, std::size_t v, std::size_t queue, Int M, const Groups& groups) const {
  const Job& own = system_.jobs[k];
  const Queue& of = system_.queues[queue];
  Int sum = 0;
  for (std::size_t d = 0; d < system_.jobs.size(); ++d) {
    const Job& job = system_.jobs[d];
    for (std::size_t u = 0; u < job.items.size(); ++u) {
      const Item& item = job.items[u];
      if (item.queue != queue) continue;
      const auto until = lim(k, v, queue, item);
      if (!until) continue;
      Int n = jobs_in(job.F[u] + *until, job.T);
      Int later = 0;
      if (d == k && of.order == Order::gel) {
        n = jobs_in(job.F[u], job.T) - Int(is_before(own, v, u) ? 1 : 0);
      } else if (d == k) {
        const bool itself = is_executor(queue) ? meets_path(own, u, v, queue) : !is_before(own, v, u);
        const bool may_be_later = !(is_executor(queue) && u == v && keeps_order(own, v));
        n = Int(itself ? 1 : 0) + pending(job, u);
        later = may_be_later ? floor_div(*until, job.T) : Int(0);
      }
      const bool in_full = !item.group.empty() && groups.count({queue, item.group}) > 0;
      if (in_full && later > 0 && is_last_of_group(own, u, v)) {
        sum += later * system_.in_grid(item.vol, queue);
      } else {
        n += later;
      }
      if (is_wait_set(queue)) n = std::min(n, M);
      const Int vol = of.runtime > 0 ? std::max(item.vol, Int(1)) : item.vol;  // one of length 0 waits for its processor, too
      if (n > 0) sum += n * (in_full ? item.e * system_.grid : system_.in_grid(vol, queue));
    }
  }
  return sum;
}

Int Executors::by_path(std::size_t k, std::size_t v) const {
  const Job& job = system_.jobs[k];
  Int most = 0;
  for (const auto& [visited, route] : routes(k, v)) {
    Int end = route.length;
    for (std::size_t i = 0; i < job.queues.size(); ++i) {
      if ((visited.first & bit(i)) == 0) continue;
      const Queue& queue = system_.queues[job.queues[i]];
      const Int Y = work(k, v, job.queues[i], route.M[i], visited.second) + route.blocked[i];
      end += Y;
      if (queue.runtime == Int(0)) continue;
      // Held back in each of the visits, and as often as a budget is used up.
      end += (queue.period - queue.runtime) * system_.grid * (2 * route.visits[i] - 1 + ceil_div(Y, queue.runtime * system_.grid));
    }
    most = std::max(most, end);
  }
  return ceil_div(most, system_.grid);
}

/// A: nodes on other queues before v's visit have ended.
Int Executors::begin(const Job& job, std::size_t v) const {
  Int A = 0;
  for (std::size_t u = 0; u <= v; ++u) {
    if (u != v && !leads(job, u, v)) continue;
    for (const std::size_t w : job.items[u].before) {
      if (job.items[w].queue != job.items[v].queue) A = std::max(A, job.F[w]);
    }
  }
  return A;
}

Int Executors::windows(const Job& job, std::size_t v) const {
  Int most = 0;
  for (const std::size_t u : job.items[v].before) {
    if (job.items[u].queue == job.items[v].queue) most = std::max(most, windows(job, u) - 1);
  }
  return 1 + most + 1 + pending(job, v);
}

Int Executors::T19j(std::size_t k, std::size_t v) const {
  const Job& job = system_.jobs[k];
  const std::size_t queue = job.items[v].queue;
  need(is_wait_set(queue), "T19j is for nodes of executors under the wait-set rule");
  std::vector<Begin> all;
  for (std::size_t d = 0; d < system_.jobs.size(); ++d) {
    for (std::size_t u = 0; u < system_.jobs[d].items.size(); ++u) {
      if (system_.jobs[d].items[u].queue == queue) all.push_back({d, u, begin(system_.jobs[d], u)});
    }
  }
  const auto T = [&](const Begin& u) { return system_.jobs[u.job].T; };
  const Queue& on = system_.queues[queue];
  const bool reserved = on.runtime > 0;
  const auto C = [&](const Begin& u) { return std::max(system_.jobs[u.job].items[u.item].e, Int(reserved ? 1 : 0)); };
  // When so much has been executed at the latest, from an instant on from which there is something to do.
  const auto held = [&](const Int& y) { return reserved && y > 0 ? y + (on.period - on.runtime) * (ceil_div(y, on.runtime) + 1) : y; };
  need(system_.load[queue].at_most(1), "the executor has more to do than it can");
  Int B = 0;
  for (Int sum = 0;; B = sum) {
    sum = 0;
    for (const Begin& u : all) sum += C(u) * ceil_div(std::max(B, Int(1)) + u.A, T(u));
    sum = held(sum);
    need(sum < longest_time, "the executor may never be idle");
    if (sum <= B) break;
  }
  std::set<Int> instants{Int(0)};
  for (const Begin& u : all) {
    for (Int x = ceil_div(u.A, T(u)) * T(u) - u.A; x < B; x += T(u)) {
      instants.insert(x);
      if (x + 1 < B) instants.insert(x + 1);
      need(instants.size() <= most_instants, "too many instants to look at");
    }
  }
  // Each behind one other at most: then jobs come in the order in which their visits begin.
  bool one_way = true;
  for (std::size_t u = 0; u <= v; ++u) one_way = one_way && ((u != v && !leads(job, u, v)) || job.items[u].before.size() < 2);
  const bool ordered = one_way || keeps_order(job, v);
  const Int M = windows(job, v);
  Int most = 0;
  const Int own = std::max(job.items[v].e, Int(reserved ? 1 : 0));
  for (const Int x : instants) {
    Int S = x, sum = 0;
    for (Int starts = 0;; S = starts) {
      sum = 0;
      for (const Begin& u : all) {
        const bool itself = u.job == k && u.item == v;
        Int n = std::min(floor_div(S + u.A, T(u)) + 1, ceil_div(x + u.A, T(u)) + M) - Int(itself ? 1 : 0);
        if (itself && ordered) n = floor_div(x + u.A, T(u));
        sum += n * C(u);
      }
      starts = held(sum + 1) - 1;  // with the first instant of its own
      need(starts < longest_time, "a number is out of range");
      if (starts <= S) break;
    }
    most = std::max(most, (reserved ? held(sum + own) : S + own) - x);
  }
  return begin(job, v) + most;
}

void Executors::check(std::size_t d, std::size_t v) const {
  const auto [k, i] = system_.place[d][v];
  const Job& job = system_.jobs[k];
  const Item& item = job.items[i];
  need(job.F[i] >= job.longest[i], "the bound is below the longest path to the node");
  need(!item.sequential || job.F[i] <= job.T, "a sequential node may still run when its next job is ready");
  Int least = 0;
  if (item.claim->rule == "before") {
    const auto [l, j] = system_.place[d][item.claim->by->index(7, system_.place[d].size())];
    need(l == k && is_before(job, i, j), "the other node does not follow it");
    const std::string_view rule = job.items[j].claim->rule;
    need(rule == "T19" || rule == "T20" || rule == "T22" || (rule == "T19j" && leads(job, i, j)),
         "the other node's bound rests on this one");
    least = job.F[j];
  } else if (item.claim->rule == "T19" || item.claim->rule == "T20" || item.claim->rule == "T22") {
    least = by_path(k, i);
  } else if (item.claim->rule == "T19j") {
    least = T19j(k, i);
  } else {
    throw Refused("of DAGs beside executors T19, T19j, T20, T22 and `before` alone are verified");
  }
  if (job.F[i] < least) throw Refused("the theorem gives no less than " + to_string(least));
}

}  // namespace checker
