// docs/theory/path.md, T10d
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "content.hpp"

namespace checker {
namespace {

const Int most_jobs = 100'000;  // of a DAG that are looked at one by one

/// Jobs of a DAG at least T apart, each of which does its work between its release and F later, on m processors, beside the window [0, L).
/// Times in ns, work and the times of `within` in halves of them.
struct Whole {
  Int F, T, L, m;
  Int last = 0;                           // of jobs released later nothing counts
  std::map<std::size_t, Int> lanes = {};  // work; one item of each runs at a time
  Int longest = 0;                        // of all paths of these items; 0: not known
  struct Family {
    std::set<std::size_t> chains;
    Int work = 0;
    void add(std::size_t chain, const Int& vol) {
      if (chain == 0) return;
      chains.insert(chain);
      work += vol;
    }
  };
  std::vector<Family> families = {};  // of some of these items

  /// The most that one job does in a time of t.
  [[nodiscard]] Int within(Int t) const {
    t = std::max(Int(0), std::min({t, 2 * L, 2 * F}));
    Int all = 0;
    Int one_each = 0;
    for (const auto& [lane, work] : lanes) {
      all += 2 * work;
      one_each += std::min(2 * work, t);
    }
    Int most = std::min({one_each, m * t, all - std::max(Int(0), 2 * longest - t)});
    for (const Family& family : families) most = std::min(most, Int(family.chains.size()) * t + all - 2 * family.work);
    return most;
  }
  /// n + 1 jobs meet the window, the first for `first` at most, the first and the last for `both`: concave, so most with equal shares.
  [[nodiscard]] Int most() const {
    if (last + F <= 0) return 0;
    Int most = within(2 * (last + F));
    for (Int n = 1; L + F - n * T > 0 && last + F - n * T > 0; n += 1) {
      const Int both = L + F - n * T;
      const Int first = std::min(both, 2 * (last + F - n * T));
      most = std::max(most, (n - 1) * within(2 * L) + within(first) + within(2 * both - first));
    }
    return most;
  }
  /// Released at all multiples of T but 0.
  [[nodiscard]] Int at_periods() const {
    Int sum = 0;
    for (Int x = T; x < F; x += T) sum += within(2 * (F - x));
    for (Int x = T; x < L && x <= last; x += T) sum += within(2 * (L - x));
    return sum;
  }
};

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

/// Of other jobs in a slot of paths to v, in ns: per DAG what T10n counts or what fits, whichever is less.
Int Paths::Content::whole(std::size_t k, std::size_t v, std::size_t slot) const {
  const Job& job = system.jobs[k];
  const Waiting wait = waiting_at(k, v, slot);
  const auto work = [&](const Job& other, bool own) {
    Whole whole{0, other.T, job.F[v], system.queues[wait.queue].processors};
    whole.families.resize(other.families.size());
    std::optional<Int> last;
    Int counted = 0;
    bool all = true;
    for (std::size_t u = 0; u < other.items.size(); ++u) {
      const Item& item = other.items[u];
      const auto until = wait.until(item);
      Int n = 0;
      if (until) n = jobs_in(other.F[u] + *until, other.T);
      if (until && own) n = jobs_in(other.F[u] + std::min(*until, -other.T), other.T) + std::max(Int(0), floor_div(*until, other.T));
      all = all && (n > 0 || item.queue != wait.queue || item.vol == Int(0));
      if (n == Int(0)) continue;
      counted += n * item.vol;
      whole.lanes[item.lane] += item.vol;
      for (std::size_t f = 0; f < whole.families.size(); ++f) whole.families[f].add(other.families[f][u], item.vol);
      whole.F = std::max(whole.F, other.F[u]);
      last = std::max(last.value_or(*until), *until);
    }
    if (!last || floor_div(whole.F + whole.L, whole.T) > most_jobs) return counted;
    whole.last = *last;
    if (all) whole.longest = longest_on(other, wait.queue);
    return std::min(counted, ceil_div(own ? whole.at_periods() : whole.most(), 2));
  };
  Int sum = 0;
  for (std::size_t kind = 0; kind < system.kinds.size(); ++kind) {
    const Int copies = system.kinds[kind].copies - Int(kind == job.kind ? 1 : 0);
    if (copies > 0) sum += copies * work(system.jobs[system.kinds[kind].job], false);
  }
  return sum + work(job, true);
}

/// T10p, with what fits of the other jobs of each DAG in place of what is counted. A node of length 0 counts as the least unit of time.
Int Paths::Content::T10d(std::size_t k, std::size_t v) {
  const Job& job = system.jobs[k];
  need_parallel(job);
  need(!system.is_sliced(), "T10d is for systems without time slices");
  std::optional<Int> most;
  for (const Way& way : parallel(k, std::nullopt).ways(v)) {
    Int length = way.length;
    for (std::size_t i = 0; i < job.slots.size(); ++i) {
      const std::size_t queue = job.queues[job.slots[i].local];
      if ((way.mask & bit(i)) == 0 || limits_[job.kind][v * job.queues.size() + job.slots[i].local].empty()) continue;
      const Int counted = waiting(k, v, i, false);
      length += system.in_grid(fits(queue) ? std::min(counted, whole(k, v, i)) : counted, queue);
    }
    most = std::max(most.value_or(length), length);
  }
  return ceil_div(*most + Int(job.items[v].e == Int(0) ? 1 : 0), system.grid);
}

}  // namespace checker
