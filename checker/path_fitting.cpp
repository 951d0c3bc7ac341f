// docs/theory/path.md, T10p and T10w, and docs/theory/jitter.md, T12w
#include <algorithm>
#include <map>

#include "content.hpp"
#include "fitting.hpp"
#include "late_releases.hpp"

namespace checker {
namespace {

constexpr Int most_jobs = 32;  // that are looked at one by one; beyond, all are counted whole, which is safe

}  // namespace

/// A lane's items follow their predecessors, so each is to follow the one before it on its queue.
void Paths::Content::check_lanes(std::size_t k) const {
  const Job& job = system.jobs[k];
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> last;
  for (std::size_t v = 0; v < job.items.size(); ++v) {
    const auto [at, fresh] = last.try_emplace({job.items[v].queue, job.items[v].lane}, v);
    need(fresh || job.is_below(v, at->second), "two nodes of a lane are neither before nor after each other");
    at->second = v;
  }
}

const Parallel& Paths::Content::parallel(std::size_t k, std::optional<std::size_t> only) {
  const Job& job = system.jobs[k];
  return parallel_.try_emplace({job.kind, only}, system, job, only).first->second;
}

void Paths::Content::need_parallel(const Job& job) const {
  need(!system.visits_non_preemptive(job), "the theorem is for preemptive pools");
}

/// T10p: (2), where the job itself counts what is parallel to some node of the path, and the path's nodes.
Int Paths::Content::T10p(std::size_t k, std::size_t v) {
  const Job& job = system.jobs[k];
  need_parallel(job);
  const Parallel& counted = parallel(k, std::nullopt);
  std::optional<Int> most;
  for (const Way& way : counted.ways(v)) {
    Int length = way.length;
    for (std::size_t i = 0; i < job.slots.size(); ++i) {
      const std::size_t local = job.slots[i].local;
      if ((way.mask & bit(i)) == 0 || limits_[job.kind][v * job.queues.size() + local].empty()) continue;
      length += system.in_grid(waiting(k, v, i, false), job.queues[local]);
    }
    most = std::max(most.value_or(length), length);
  }
  return ceil_div(*most, system.grid);
}

/// A preemptive or FIFO queue, or one under fixed priorities, on which every node takes e = s = vol.
bool Paths::Content::fits(std::size_t queue) const {
  const Queue& q = system.queues[queue];
  if ((non_preemptive(q.order) && !runs_to_end(q.order)) || q.cap != q.processors || q.gap > 0) return false;
  for (const System::Alike& kind : system.kinds) {
    for (const Item& item : system.jobs[kind.job].items) {
      if (item.queue == queue && (item.s != item.e || item.vol != item.e || item.part != item.e)) return false;
    }
  }
  return true;
}

/// I_d, or the sum of n_u min(C_u, w), of one DAG; of the own DAG, without the job itself. Halves of a ns.
Int Paths::Content::work_of_jobs(const Asked& of, std::size_t kind, bool own, Int w) const {
  const Job& job = system.jobs[of.k];
  const Job& other = system.jobs[system.kinds[kind].job];
  const std::size_t q = job.queues[of.local];
  const Order order = system.queues[q].order;
  const Limits& limits = of.limits != nullptr ? *of.limits : limits_[job.kind][of.v * job.queues.size() + of.local];
  const Int window = job.F[of.v];
  const Int J = of.late ? other.J : Int(0);
  const Int T = other.T + J;
  std::vector<Fitting::Node> nodes;
  Int counted = 0;
  bool fit = true;
  for (std::size_t u = 0; u < other.items.size(); ++u) {
    const Item& item = other.items[u];
    if (item.queue != q || item.vol == Int(0) || (by_priority(order) && item.key < of.least_priority)) continue;
    const auto until = lim(order, limits, item.key);
    if (!until) continue;
    const Int n = own ? other_late_jobs(*until, other.F[u], T, J) : late_jobs(other.F[u] + *until, T, J);
    counted += n * std::min(2 * item.vol, w);
    fit = fit && *until >= 0 && floor_div(other.F[u] + J + window, T) < most_jobs;
    nodes.push_back({2 * item.vol, 2 * other.F[u], 2 * *until, item.lane});
  }
  if (nodes.empty() || !fit) return counted;
  const Fitting fitting(std::move(nodes), {2 * T, 2 * J}, 2 * window, system.queues[q].processors);
  return std::min(counted, own ? fitting.most_of_others(w) : fitting.most(w));
}

/// Of all jobs but the one in question.
Int Paths::Content::work_of_all_jobs(const Asked& of, Int w) const {
  const std::size_t own = system.jobs[of.k].kind;
  Int sum = 0;
  for (std::size_t kind = 0; kind < system.kinds.size(); ++kind) {
    const Int copies = system.kinds[kind].copies - Int(kind == own ? 1 : 0);
    if (copies > 0) sum += copies * work_of_jobs(of, kind, false, w);
    if (kind == own) sum += work_of_jobs(of, kind, true, w);
  }
  return sum;
}

/// Of the job itself: what is parallel to some path, lane by lane, cut at w; but no more than is on one path (unless `at_all`).
Int Paths::Content::work_of_job(const Asked& of, Int w, bool at_all) {
  const Job& job = system.jobs[of.k];
  const Parallel& counted = parallel(of.k, std::nullopt);
  const bool fixed = by_priority(system.queues[job.queues[of.local]].order);
  std::map<std::size_t, Int> lanes;
  for (std::size_t u = 0; u < job.items.size(); ++u) {
    const Item& item = job.items[u];
    if (item.local != of.local || item.vol == Int(0)) continue;
    bool runs = false;
    for (std::size_t q = 0; q < job.items.size() && !runs; ++q) {
      const bool on_path = job.items[q].local == of.local && (q == of.v || job.is_below(of.v, q));
      runs = on_path && (!fixed || job.items[q].key >= of.least_priority) && counted.meanwhile(u, q);
    }
    if (runs) lanes[item.lane] += 2 * item.vol;
  }
  Int sum = 0;
  for (const auto& [lane, work] : lanes) sum += std::min(work, w);
  if (at_all) return sum;
  Int most = 0;
  for (const Way& way : parallel(of.k, of.local).ways(of.v)) {
    if ((way.mask & bit(of.local)) != 0) most = std::max(most, 2 * way.length);
  }
  return std::min(sum, most);
}

/// m w > G(w) at the cut w, so that paths wait for less: the work of others and of the job itself, cut there. A cut of 0: they wait for
/// nothing, as G(1/2 ns) < m/2.
std::pair<Int, Int> Paths::Content::fitting(const Asked& of, Int cut) {
  const Job& job = system.jobs[of.k];
  const Int w = std::max(cut, Int(1));
  const Int others = work_of_all_jobs(of, w);
  const Int itself = work_of_job(of, w, cut == Int(0));
  need(others + itself < system.queues[job.queues[of.local]].processors * w, "paths may wait for as long as their waiting is cut at");
  return cut == Int(0) ? std::pair{Int(0), Int(0)} : std::pair{others, itself};
}

/// The longest ways: e on queues that fit, e - s/cap elsewhere.
std::vector<Way> Paths::Content::ways_of_waiting(std::size_t k, std::size_t v) const {
  const Job& job = system.jobs[k];
  std::vector<std::vector<Way>> ways(job.items.size());
  for (std::size_t u = 0; u <= v; ++u) {
    const Item& item = job.items[u];
    Int length = item.e * system.grid;
    if (!fits(item.queue)) length += ceil_mul_div(-item.s, system.grid, system.queues[item.queue].cap);
    if (item.before.empty()) ways[u].push_back({item.pays, length, 0});
    for (const std::size_t x : item.before) {
      for (const Way& way : ways[x]) add(ways[u], {way.mask | item.pays, way.length + length, 0}, std::nullopt);
    }
  }
  return ways[v];
}

/// T10w: E + the sum of the waiting on all queues of the path; in its own words the claim says, after the rule, for each queue and least
/// priority there: pool, 1 for the second of two copy engines, priority, cut in halves of a ns. The lesser of two sums: all work of the
/// job itself that is parallel to some path, or T10p's own work of each path. A node of length 0 counts as the least unit of time.
Int Paths::Content::within_cuts(std::size_t k, std::size_t v, bool late) {
  constexpr std::size_t first = 7;  // word
  constexpr std::size_t words = 4;  // of each cut
  const Job& job = system.jobs[k];
  need_parallel(job);
  need(!system.is_sliced(), "T10w is for systems without time slices");
  const Statement& by = *job.items[v].claim->by;
  std::map<std::pair<std::size_t, Int>, std::pair<Int, Int>> waits;  // local queue, least priority -> others, itself; halves of a ns
  for (std::size_t i = first; i < by.words.size(); i += words) {
    const std::size_t queue = by.index(i, system.queues.size() / 2) + by.index(i + 1, 2) * system.queues.size() / 2;
    const auto at = std::find(job.queues.begin(), job.queues.end(), queue);
    need(at != job.queues.end() && fits(queue), "the pool is none of processors that the DAG visits");
    need(by.number(i + 3) >= 0, "a cut is below 0");
    const Asked of{k, v, static_cast<std::size_t>(at - job.queues.begin()), by.number(i + 2), late};
    waits.emplace(std::pair{of.local, of.least_priority}, fitting(of, by.number(i + 3)));
  }
  const auto paid = [&](const Way& way, bool with_itself) {
    Int sum = way.length;
    for (std::size_t local = 0; local < job.queues.size(); ++local) {
      if ((way.mask & bit(local)) == 0) continue;
      const std::size_t q = job.queues[local];
      std::optional<Int> least;  // the lowest priority of the path's nodes there
      for (std::size_t i = 0; i < job.slots.size(); ++i) {
        if (job.slots[i].local != local || (way.mask & bit(i)) == 0) continue;
        if (job.slots[i].from) least = std::min(least.value_or(*job.slots[i].from), *job.slots[i].from);
        if (!fits(q)) sum += system.in_grid(late ? late_releases(k, v, i, with_itself) : waiting(k, v, i, with_itself), q);
      }
      if (!fits(q)) continue;
      const auto found = waits.find({local, least.value_or(0)});
      need(found != waits.end(), "a path waits on a pool for which no cut is given");
      const auto& [others, itself] = found->second;
      sum += ceil_mul_div(others + (with_itself ? itself : Int(0)), system.grid, 2 * system.queues[q].processors);
    }
    return sum;
  };
  Int all = 0;
  for (const Way& way : ways_of_waiting(k, v)) all = std::max(all, paid(way, true));
  Int others = 0;
  for (const Way& way : parallel(k, std::nullopt).ways(v)) others = std::max(others, paid(way, false));
  return ceil_div(std::min(all, others) + Int(job.items[v].e == Int(0) ? 1 : 0), system.grid);
}

Int Paths::Content::T10w(std::size_t k, std::size_t v, bool late) {
  const Job& job = system.jobs[k];
  const std::string_view by = job.items[v].claim->by->text;
  const std::tuple key{job.kind, v, std::string(by.substr(by.find(late ? " T12w" : " T10w"))), std::vector<Given>{}};
  if (const auto known = known_.find(key); known != known_.end()) return known->second;
  return known_.emplace(key, within_cuts(k, v, late)).first->second;
}

}  // namespace checker
