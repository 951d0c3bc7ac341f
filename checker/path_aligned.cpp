// docs/theory/path.md, T10a and T10v
#include <algorithm>

#include "content.hpp"

namespace checker {
namespace {

constexpr Int most_earlier_releases = 1024;  // beyond, all are counted whole, which is safe

}  // namespace

/// What T10a takes for node v of job k: of its inequality for every path.
struct Paths::Content::Aligned {
  std::size_t k, v;
  bool started;                         // what may have started before counts, and nothing blocks
  bool in_turns = true;                 // on FIFO queues of each chain as many nodes count as a path has turns
  const UnderWay* under_way = nullptr;  // T10f
  bool in_full = false;                 // T10f: of FIFO queues' nodes paths count e, and the job's own work is as it says
};

/// T10a: the sum of min(1, (F_u - j T_k)/e_u) vol_u over j = 1, 2 ... with j T_k < F_u.
Int Paths::Content::earlier(const Job& job, std::size_t u) const {
  const Item& item = job.items[u];
  const Int share = system.in_grid(item.vol, item.queue);
  const Int jobs = jobs_in(job.F[u] - job.T, job.T);
  if (jobs > most_earlier_releases) return jobs * share;
  Int sum = 0;
  for (Int j = 1; j <= jobs; j += 1) {
    const Int left = job.F[u] - j * job.T;
    sum += left >= item.part ? share : ceil_mul_div(share, left, item.part);
  }
  return sum;
}

/// How many nodes on a FIFO queue a path to v has at most.
std::size_t Paths::Content::turns(const Aligned& of, std::size_t local) const {
  const Job& job = system.jobs[of.k];
  const Queue& queue = system.queues[job.queues[local]];
  if (!of.in_turns || queue.order != Order::fifo || queue.gap > 0) return SIZE_MAX;
  return visits_[job.kind][of.v * job.queues.size() + local];
}

/// Of each chain on a FIFO queue so many of the largest: of the job itself those that are not below v, of `later` jobs all, of earlier ones
/// what is left.
Paths::Content::OwnJobs Paths::Content::in_turns(const Aligned& of, std::size_t local, std::size_t turns, Int later) const {
  const Job& job = system.jobs[of.k];
  const std::vector<std::size_t> chain = job.chains(job.queues[local]);
  Ends itself, all;
  for (std::size_t u = 0; u < job.items.size(); ++u) {
    const Item& item = job.items[u];
    if (item.local != local || item.vol == Int(0)) continue;
    const Int share = system.in_grid(item.vol, item.queue);
    all.add(1, 0, share, chain[u]);
    if (!job.is_below(u, of.v)) itself.add(1, 0, share, chain[u]);
  }
  if (all.empty()) return {};
  itself.finish();
  all.finish();
  OwnJobs own{itself.empty() ? Int(0) : itself.after(0, turns), later * all.after(0, turns)};
  const Ends& ends = ends_[job.kind].at(job.queues[local]);
  if (jobs_in(ends.last() - job.T, job.T) > most_earlier_releases) {
    for (std::size_t u = 0; u < job.items.size(); ++u) {
      if (job.items[u].local == local) own.others += earlier(job, u);
    }
    return own;
  }
  for (Int x = job.T; x < ends.last(); x += job.T) own.others += ends.after(x, turns);
  return own;
}

/// The job itself and others of its DAG in a slot; where T10a says nothing of the queue, all jobs there.
Int Paths::Content::own(const Aligned& of, std::size_t slot) const {
  const Job& job = system.jobs[of.k];
  const std::size_t local = job.slots[slot].local;
  const Queue& queue = system.queues[job.queues[local]];
  const std::size_t at = of.v * job.queues.size() + local;
  if (limits_[job.kind][at].empty()) return 0;
  if (!queue.aligned()) return system.in_grid(waiting(of.k, of.v, slot), job.queues[local]);
  Int later = queue.order == Order::fifo ? limits_[job.kind][at].front().until : Int(0);
  if (queue.order == Order::gel_non_preemptive && of.started) later = ready_[job.kind][at];
  if (const std::size_t turns = this->turns(of, local); turns != SIZE_MAX) {
    const OwnJobs own = in_turns(of, local, turns, floor_div(later, job.T));
    const AtOnceOnPaths* at_once = of.under_way == nullptr ? nullptr : of.under_way->on(of.v, local);
    if (at_once == nullptr) return own.itself + own.others;
    return (of.in_full ? at_once->itself : own.itself) + std::min(own.others, at_once->jobs[of.k]);
  }
  Int sum = 0;
  for (std::size_t u = 0; u < job.items.size(); ++u) {
    const Item& item = job.items[u];
    if (item.local != local || item.vol == Int(0)) continue;
    const Int n = floor_div(later, job.T) + Int(job.is_below(u, of.v) ? 0 : 1);
    sum += n * system.in_grid(item.vol, item.queue) + earlier(job, u);
  }
  return sum;
}

/// -lim_u <= x < F_u counts: lim_u = a on FIFO queues, min(b, Y_k - Y_d) on GEL queues, there the larger of this and a where what has
/// started before counts.
std::vector<Window> Paths::Content::windows(const Aligned& of, std::uint64_t mask, std::size_t kind) const {
  const Job& job = system.jobs[of.k];
  const Job& other = system.jobs[system.kinds[kind].job];
  std::vector<Window> windows;
  for (std::size_t i = 0; i < job.queues.size(); ++i) {
    const Queue& queue = system.queues[job.queues[i]];
    const auto ends = ends_[kind].find(job.queues[i]);
    const std::size_t at = of.v * job.queues.size() + i;
    if ((mask & bit(i)) == 0 || !queue.aligned() || ends == ends_[kind].end() || limits_[job.kind][at].empty()) continue;
    const auto first = std::find_if(other.items.begin(), other.items.end(), [&](const Item& u) { return u.queue == job.queues[i]; });
    Int until = *lim(queue.order, limits_[job.kind][at], first->key);
    if (queue.order == Order::gel_non_preemptive && of.started) until = std::max(until, ready_[job.kind][at]);
    windows.push_back({&ends->second, -until, queue.order == Order::fifo, turns(of, i)});
    const AtOnceOnPaths* at_once = of.under_way == nullptr ? nullptr : of.under_way->on(of.v, i);
    if (at_once != nullptr) windows.back().most = at_once->jobs[another(kind, of.k)];
  }
  return windows;
}

Int Paths::Content::interference(const Aligned& of, std::uint64_t mask, std::size_t kind) const {
  const auto of_queues = windows(of, mask, kind);
  return of_queues.empty() ? Int(0) : least_aligned(of_queues, system.jobs[system.kinds[kind].job].T);
}

const Strands& Paths::Content::strands(std::size_t kind, std::size_t queue) {
  const auto [at, fresh] = strands_.try_emplace({kind, queue});
  if (fresh) at->second = strands_of(system, system.jobs[system.kinds[kind].job], queue);
  return at->second;
}

/// T10v: what the strands that are given out take off T10a's sum, for a path with this E that visits both queues.
Int Paths::Content::saved(const Aligned& of, const Way& way, const Given& given) {
  const Job& job = system.jobs[of.k];
  const auto overlap = system.overlap_of(job);
  if (!overlap || (way.mask & bit(overlap->queue)) == 0 || (way.mask & bit(overlap->cpu)) == 0) return 0;
  Int sum = 0;
  Int all = 0;
  for (const auto& [kind, from, jobs, n] : given) all += jobs * n;
  for (const auto& [kind, from, jobs, n] : given) {
    const Job& other = system.jobs[system.kinds[kind].job];
    const Strands& of_job = strands(kind, job.queues[overlap->queue]);
    const auto of_queues = windows(of, way.mask, kind);
    if (of_queues.empty()) continue;
    Early early;
    early.from = from;
    early.to = from + jobs * other.T;
    early.less = floor_div(std::max(Int(0), way.before - of_job.GC * system.grid), overlap->m);
    early.further = floor_div(std::max(Int(0), way.before - (of_job.GC + of_job.C) * system.grid), overlap->m);
    early.n = n;
    early.given = all;
    early.m = overlap->m;
    early.strands = &of_job;
    sum += most_aligned(of_queues, other.T, {}) - most_aligned(of_queues, other.T, early);
  }
  return sum;
}

Int Paths::Content::waits_of(const Aligned& of, std::uint64_t mask) const {
  const Job& job = system.jobs[of.k];
  Int sum = 0;
  for (std::size_t slot = 0; slot < job.slots.size(); ++slot) {
    if ((mask & bit(slot)) != 0) sum += own(of, slot);
  }
  for (std::size_t kind = 0; kind < system.kinds.size(); ++kind) {
    const Int copies = system.kinds[kind].copies - Int(kind == job.kind ? 1 : 0);
    if (copies > 0) sum += copies * interference(of, mask, kind);
  }
  return sum;
}

/// T10a: (2) with I_d = max of f_d(x_1) + f_d(x_2) + ... in place of the sum over the nodes of d; T10v: without turns, less what the best
/// of the ways to give out strands takes off.
Int Paths::Content::T10a(std::size_t k, std::size_t v, bool started, const std::vector<Given>& given) {
  const Aligned of{k, v, started};
  const Aligned whole{k, v, started, false};
  const Job& job = system.jobs[k];
  std::map<std::uint64_t, std::pair<Int, Int>> waits;  // mask -> work for which such a path waits, in turns and without
  std::optional<Int> most;
  for (const Way& way : (started ? started_ : ways_)[job.kind][v]) {
    const auto [at, fresh] = waits.try_emplace(way.mask);
    if (fresh) at->second = {waits_of(of, way.mask), given.empty() ? Int(0) : waits_of(whole, way.mask)};
    Int length = at->second.first;
    for (const Given& strands : given) length = std::min(length, at->second.second - saved(whole, way, strands));
    length += way.length;
    most = std::max(most.value_or(length), length);
  }
  return ceil_div(*most, system.grid);
}

/// Some job of a kind but k.
std::size_t Paths::Content::another(std::size_t kind, std::size_t k) const {
  std::size_t d = system.kinds[kind].job;
  while (d == k || system.jobs[d].kind != kind) ++d;
  return d;
}

const Paths::Content::UnderWay& Paths::Content::under_way(std::size_t k) {
  const auto [known, fresh] = under_way_.try_emplace(k);
  UnderWay& of = known->second;
  if (!fresh) return of;
  const Job& job = system.jobs[k];
  const std::size_t n = job.queues.size();
  of.queues = n;
  of.at.resize(job.items.size() * n);
  std::vector<bool> asked(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Queue& queue = system.queues[job.queues[i]];
    const bool suits = queue.order == Order::fifo || queue.order == Order::gel || queue.order == Order::fp;
    need(suits && queue.gap == Int(0), "T10f is for pools that are FIFO or preemptive, without time slices");
    asked[i] = queue.order == Order::fifo && has_no_switches(system, job.queues[i]);
  }
  const auto in_time = [&](Int work, std::size_t i) { return system.in_grid(work, job.queues[i]); };
  std::vector<std::vector<std::optional<AtOnce>>> sums(job.items.size(), std::vector<std::optional<AtOnce>>(n));  // the most of all paths
  std::vector<std::vector<bool>> beside(job.items.size() * n, std::vector<bool>(job.items.size(), false));
  for (std::size_t v = 0; v < job.items.size(); ++v) {
    const Item& item = job.items[v];
    for (std::size_t i = 0; i < n; ++i) {
      if (!asked[i]) continue;
      AtOnce sum{std::vector<Int>(system.jobs.size(), 0), 0, 0};
      auto& parallel = beside[v * n + i];
      for (const std::size_t u : item.before) {
        const AtOnce& before = *sums[u][i];
        for (std::size_t d = 0; d < sum.jobs.size(); ++d) sum.jobs[d] = std::max(sum.jobs[d], before.jobs[d]);
        sum.beside = std::max(sum.beside, before.beside);
        sum.own = std::max(sum.own, before.own);
        for (std::size_t w = 0; w < parallel.size(); ++w) parallel[w] = parallel[w] || beside[u * n + i][w];
      }
      if (item.local == i) {
        const AtOnce here = at_once(system, k, v);
        for (std::size_t d = 0; d < sum.jobs.size(); ++d) sum.jobs[d] += here.jobs[d];
        sum.beside += here.beside;
        sum.own += here.own;
        for (std::size_t w = 0; w < parallel.size(); ++w) {
          const bool is = w != v && job.items[w].local == i && !job.is_below(w, v) && !job.is_below(v, w);
          parallel[w] = parallel[w] || is;
        }
      }
      AtOnceOnPaths& on_paths = of.at[v * n + i].emplace();
      for (const Int& work : sum.jobs) on_paths.jobs.push_back(in_time(work, i));
      Int all = 0;
      for (std::size_t w = 0; w < parallel.size(); ++w) {
        if (parallel[w] && w != v && !job.is_below(w, v)) all += in_time(job.items[w].vol, i);
      }
      on_paths.itself = std::min(all, in_time(sum.beside, i)) + in_time(sum.own, i);
      sums[v][i] = std::move(sum);
    }
  }
  of.ways = ways_of(k, true, asked);
  return of;
}

/// T10f: T10a's inequality, with what can be ready at once on FIFO queues where that is less.
Int Paths::Content::T10f(std::size_t k, std::size_t v) {
  const UnderWay& under_way = this->under_way(k);
  const Job& job = system.jobs[k];
  const auto longest = [&](const std::vector<Way>& ways, bool in_full) {
    const Aligned of{k, v, false, true, &under_way, in_full};
    std::optional<Int> most;
    for (const Way& way : ways) {
      const Int length = way.length + waits_of(of, way.mask);
      most = std::max(most.value_or(length), length);
    }
    return *most;
  };
  const Int least = std::min(longest(ways_[job.kind][v], false), longest(under_way.ways[v], true));
  return ceil_div(least, system.grid) + Int(job.items[v].e == Int(0) ? 1 : 0);
}

/// T39: on the queues that the claim names, by P and Q, what they have left at the release; on others as T10a has it, or T10f where all
/// queues are FIFO.
Int Paths::Content::T39(std::size_t k, std::size_t v) {
  constexpr std::size_t first = 7;  // word
  const Job& job = system.jobs[k];
  const Statement& by = *job.items[v].claim->by;
  bool all_fifo = true;
  for (const std::size_t q : job.queues) {
    const Queue& queue = system.queues[q];
    need(!non_preemptive(queue.order) && queue.gap == Int(0) && !queue.mixed, "T39 is for pools that are FIFO or preemptive");
    all_fifo = all_fifo && queue.order == Order::fifo;
  }
  need(job.slots.size() < 63, "T39 is for DAGs on fewer pools");
  std::vector<std::optional<Int>> left(job.queues.size());
  std::uint64_t of = 0;
  for (std::size_t i = first; i < by.words.size(); i += 2) {
    const std::size_t queue = by.index(i, system.queues.size() / 2) + by.index(i + 1, 2) * system.queues.size() / 2;
    const auto local = static_cast<std::size_t>(std::find(job.queues.begin(), job.queues.end(), queue) - job.queues.begin());
    need(local < job.queues.size() && !left[local], "T39 names a pool twice, or one that the DAG does not visit");
    const Limits& limits = limits_[job.kind][v * job.queues.size() + local];
    need(!limits.empty(), "T39 names a pool that no path to the node visits");
    const Int W = upstream_.try_emplace(queue, system, queue).first->second.left(k, v, limits);
    left[local] = system.in_grid(W, queue);
    of |= bit(local);
  }
  const Aligned aligned{k, v, false};
  const Aligned at_once{k, v, false, true, all_fifo ? &under_way(k) : nullptr, false};
  std::optional<Int> most;
  for (const Way& way : ways_[job.kind][v]) {
    Int length = way.length;
    for (std::size_t i = 0; i < left.size(); ++i) length += left[i] && (way.mask & bit(i)) != 0 ? *left[i] : Int(0);
    const std::uint64_t rest = way.mask & ~of;
    Int waits = waits_of(aligned, rest);
    if (all_fifo) waits = std::min(waits, waits_of(at_once, rest));
    most = std::max(most.value_or(length + waits), length + waits);
  }
  return ceil_div(*most, system.grid) + Int(job.items[v].e == Int(0) ? 1 : 0);
}

std::size_t Paths::Content::job_of(std::size_t d, std::size_t segment) const {
  const auto& of = certificate.segment[d];
  const auto v = static_cast<std::size_t>(std::find(of.begin(), of.end(), segment) - of.begin());
  need(v < of.size() && !system.place[d].empty(), "there is no such segment on these pools");
  return system.place[d][v].first;
}

/// T10v: at most m - 1 strands, of jobs that are all on the two queues of k; early are x >= FROM >= max(0, Y_d - Y_k).
void Paths::Content::check(std::size_t k, const std::vector<Share>& shares) const {
  const Job& job = system.jobs[k];
  const auto overlap = system.overlap_of(job);
  need(overlap.has_value(), "T10v is for DAGs on one preemptive GEL pool and one FIFO pool");
  const auto on_cpu = [&](const Item& u) { return u.local == overlap->cpu; };
  const Int Y_k = std::find_if(job.items.begin(), job.items.end(), on_cpu)->key;
  Int strands = 0;
  std::vector<std::size_t> named{k};
  for (const Share& share : shares) {
    const std::size_t j = job_of(share.dag, share.segment);
    const Job& other = system.jobs[j];
    need(std::find(named.begin(), named.end(), j) == named.end(), "strands of a DAG are given out twice, or of the DAG itself");
    need(std::includes(job.queues.begin(), job.queues.end(), other.queues.begin(), other.queues.end()), "a DAG has nodes on other pools");
    need(!other.below.empty(), "a DAG is too large for its strands to be known");
    need(share.jobs >= 1 && share.strands >= 1, "a DAG is given no strand");
    const auto precedes = [&](const Item& u) { return u.queue != job.queues[overlap->cpu] || share.from >= u.key - Y_k; };
    need(share.from >= 0 && std::all_of(other.items.begin(), other.items.end(), precedes), "the jobs that are given strands are not early");
    named.push_back(j);
    strands += share.jobs * share.strands;
  }
  need(strands <= overlap->m - 1, "more strands are given out than there are other processors");
}

/// By kinds: equal DAGs lose alike.
std::vector<Paths::Content::Given> Paths::Content::given_to(std::size_t k) const {
  std::vector<Given> all;
  for (const GivenStrands& given : certificate.strands) {
    if (system.place[given.dag].empty() || job_of(given.dag, given.segment) != k) continue;
    check(k, given.shares);
    Given& of = all.emplace_back();
    for (const Share& share : given.shares) {
      of.emplace_back(system.jobs[job_of(share.dag, share.segment)].kind, share.from, share.jobs, share.strands);
    }
    std::sort(of.begin(), of.end());
  }
  return all;
}

}  // namespace checker
