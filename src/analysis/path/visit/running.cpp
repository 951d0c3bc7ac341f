#include "analysis/path/visit/running.hpp"

#include <algorithm>

#include "analysis/path/aligned/turns.hpp"

namespace rta::analysis::path {

bool RunningPool::applies(const Ticks& ticks, std::size_t pool) {
  const Pool& p = ticks.system->pools[pool];
  return (p.order == Order::gel || p.order == Order::fixed) && !p.slices;
}

RunningPool::RunningPool(const Ticks& ticks, std::size_t pool) : ticks_(ticks), use_of_(ticks.classes.size()) {
  const Pool& p = ticks.system->pools[pool];
  m_ = p.capacity;
  by_priority_ = p.order == Order::fixed;
  equals_any_ = p.equals_any;
  for (const std::size_t k : ticks.users[pool]) {
    const Class& c = ticks.classes[k];
    use_of_[k] = uses_.size();
    Use& use = uses_.emplace_back();
    use.k = k;
    const Ancestors ancestors(c);
    std::vector<std::uint32_t> nodes;
    for (std::uint32_t u = 0; u < c.size(); ++u) {
      if (c.pools[c.pool_of[u]] == pool) nodes.push_back(u);
    }
    use.chains = chains_of(ancestors, nodes);
    use.beside.resize(c.size());
    for (const std::uint32_t v : nodes) {
      for (const auto& chain : use.chains) {
        std::vector<std::uint32_t> beside;
        for (const std::uint32_t u : chain) {
          const bool urgent = !by_priority_ || c.priority[u] >= c.priority[v];
          if (u != v && urgent && c.e[u] > Tick::zero() && !ancestors.is_before(u, v) && !ancestors.is_before(v, u)) beside.push_back(u);
        }
        if (!beside.empty()) use.beside[v].push_back(std::move(beside));
      }
    }
  }
}

RunningPool::Work RunningPool::Parts::work(const Jobs& of, std::int64_t w) const {
  Work work;
  for (std::size_t i = of.first; i < of.last; ++i) {
    const auto& [n, C] = counted[i];
    work.sum += Wide{n} * std::min(C, w);
    work.slope += C > w ? n : 0;
  }
  Wide most = 0;  // of ends that are many periods long it may pass 128 bits, and is more than is counted then
  return !__builtin_mul_overflow(of.at_once, Wide{w}, &most) && most < work.sum ? Work{most, of.at_once} : work;
}

RunningPool::Work RunningPool::Parts::work(std::int64_t w) const {
  Work all;
  for (const std::int64_t C : beside) {
    all.sum += std::min(C, w);
    all.slope += C > w ? 1 : 0;
  }
  for (const Jobs& of : jobs) {
    const Work here = work(of, w);
    all.sum += of.copies * here.sum;
    all.slope += of.copies * here.slope;
  }
  return all;
}

/// Of a DAG of class use.k other than that of v.
void RunningPool::add_others(const Use& use, std::size_t k, std::size_t v, const Ends& F, std::int64_t A, Parts& parts) const {
  const Class& own = ticks_.classes[k];
  const Class& c = ticks_.classes[use.k];
  const std::int64_t T = Ticks::least_distance(c);
  const std::int64_t within = F[k][v] - A;  // what is released so long after r + A_v comes too late
  const std::int64_t lim = by_priority_ ? 0 : std::min(within, own.Y - c.Y - A);
  Jobs jobs;
  jobs.k = use.k;
  jobs.copies = c.copies - (use.k == k ? 1 : 0);
  jobs.first = parts.counted.size();
  for (const auto& chain : use.chains) {
    std::int64_t last = 0;
    for (const std::uint32_t u : chain) {
      if (c.e[u] == Tick::zero() || (by_priority_ && c.priority[u] < own.priority[v])) continue;
      const bool later = by_priority_ && (c.priority[u] > own.priority[v] || equals_any_);
      const std::int64_t n = jobs_in(F[use.k][u] + (later ? within : lim), T);
      if (n == 0) continue;
      parts.counted.emplace_back(n, ticks_.whole_ns(c.e[u]));
      last = std::max(last, F[use.k][u]);
    }
    jobs.at_once += jobs_in(last - std::max<std::int64_t>(0, -lim), T);
  }
  jobs.last = parts.counted.size();
  if (jobs.last > jobs.first) parts.jobs.push_back(jobs);
}

/// Of v's own DAG but for its job itself.
void RunningPool::add_own(const Use& use, std::size_t v, const Ends& F, std::int64_t A, Parts& parts) const {
  const Class& c = ticks_.classes[use.k];
  const std::int64_t T = Ticks::least_distance(c);
  const auto& ends = F[use.k];
  const auto before_end = [&](std::int64_t length) { return std::max<std::int64_t>(0, jobs_in(length, T) - 1); };
  Jobs jobs;
  jobs.k = use.k;
  jobs.of_itself = true;
  jobs.first = parts.counted.size();
  for (const auto& chain : use.chains) {
    std::int64_t last = 0;
    std::int64_t most_later = 0;
    for (const std::uint32_t u : chain) {
      if (c.e[u] == Tick::zero() || (by_priority_ && c.priority[u] < c.priority[v])) continue;
      std::int64_t later = 0;
      if (by_priority_) later = c.priority[u] > c.priority[v] || equals_any_ ? before_end(ends[v]) : A / T;
      most_later = std::max(most_later, later);
      const std::int64_t n = before_end(ends[u] - A) + later;
      if (n == 0) continue;
      parts.counted.emplace_back(n, ticks_.whole_ns(c.e[u]));
      last = std::max(last, ends[u]);
    }
    jobs.at_once += before_end(last - A) + std::min(most_later, jobs_in(last, T));
  }
  jobs.last = parts.counted.size();
  if (jobs.last > jobs.first) parts.jobs.push_back(jobs);
}

void RunningPool::set(Parts& parts, std::size_t k, std::size_t v, const Ends& F, std::int64_t A) const {
  parts.beside.clear();
  parts.jobs.clear();
  parts.counted.clear();
  const Class& c = ticks_.classes[k];
  const Use& own = uses_[use_of_[k]];
  for (const auto& chain : own.beside[v]) {
    std::int64_t sum = 0;
    for (const std::uint32_t u : chain) sum += ticks_.whole_ns(c.e[u]);
    parts.beside.push_back(sum);
  }
  for (const Use& use : uses_) {
    if (use.k != k || c.copies > 1) add_others(use, k, v, F, A, parts);
  }
  add_own(own, v, F, A, parts);
}

RunningPool::Parts RunningPool::parts(std::size_t k, std::size_t v, const Ends& F, std::int64_t A) const {
  Parts parts;
  set(parts, k, v, F, A);
  return parts;
}

/// The right-hand side is concave in w and 0 at 0, so wherever m w is above it, it meets its tangent no sooner than m w meets it.
std::int64_t RunningPool::waiting(std::size_t k, std::size_t v, const Ends& F, std::int64_t A, std::int64_t most,
                                  std::int64_t enough) const {
  set(asked_, k, v, F, A);
  const Wide m = m_;
  if (m > asked_.work(1).sum) return 0;  // all C are whole: nothing bends before
  if (enough > 0 && enough < most && m * (enough + 1) > asked_.work(enough + 1).sum) {
    const Wide w = ceil_div(asked_.work(enough + 1).sum, m);
    if (w <= enough) return static_cast<std::int64_t>(w);
  }
  const Wide in_all = asked_.work(no_bound - 1).sum / m + 1;
  auto w = static_cast<std::int64_t>(std::min<Wide>(most, std::min<Wide>(in_all, no_bound - 1)));
  if (w <= 1) return no_bound;
  for (bool first = true;; first = false) {
    const Work at = asked_.work(w);
    if (m * w <= at.sum) return first ? no_bound : w;
    const auto next = static_cast<std::int64_t>(ceil_div(at.sum - at.slope * w, m - at.slope));
    if (next >= w) return w;
    w = next;
  }
}

}  // namespace rta::analysis::path
