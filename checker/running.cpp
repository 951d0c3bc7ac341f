// docs/theory/path.md, T24: how many nodes run at once while a node waits on processors with preemption.
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "system.hpp"

namespace checker {
namespace {

/// What may run of one DAG's jobs: at most `at_once` w, and the sum of n min(C, w).
struct Jobs {
  Int at_once = 0;
  std::vector<std::pair<Int, Int>> counted;  // n, C
};

class Running {
 public:
  Running(const System& system, std::size_t k, std::size_t v)
      : queue_(system.queues[system.jobs[k].items[v].queue]), own_(system.jobs[k]), item_(own_.items[v]), v_(v) {
    const bool fixed = queue_.order == Order::fp;
    need(fixed || (queue_.order == Order::gel && queue_.by_dag),
         "T24 needs a preemptive pool with a point per DAG or under fixed priorities");
    for (std::size_t d = 0; d < system.jobs.size(); ++d) {
      const Job& job = system.jobs[d];
      if (std::find(job.queues.begin(), job.queues.end(), item_.queue) == job.queues.end()) continue;
      std::map<std::size_t, std::vector<std::size_t>> chains;
      const auto chain_of = job.chains(item_.queue);
      for (std::size_t u = 0; u < job.items.size(); ++u) {
        const Item& item = job.items[u];
        if (item.queue == item_.queue && item.e > 0 && (!fixed || item.key >= item_.key)) chains[chain_of[u]].push_back(u);
      }
      for (const auto& [at, chain] : chains) add_beside(d == k, chain);
      Jobs jobs;
      for (const auto& [at, chain] : chains) d == k ? add_own(chain, jobs) : add_others(job, chain, jobs);
      jobs_.push_back(std::move(jobs));
    }
  }

  /// The largest w with m w <= G(w), rounded up; G is concave and 0 at 0, so m w meets its tangent no sooner.
  [[nodiscard]] Int waiting() const {
    if (passes(1)) return 0;
    Int all = 1;
    for (const Jobs& jobs : jobs_) {
      for (const auto& [n, C] : jobs.counted) all += n * C;
    }
    for (const Int C : beside_) all += C;
    Int from = 1;
    Int to = all;  // m w > G(w)
    while (to - from > 1) {
      const Int middle = floor_div(from + to, 2);
      (passes(middle) ? to : from) = middle;
    }
    const Int slope = slope_beyond(to);
    return std::min(ceil_div(work(to), queue_.processors), ceil_div(work(to) - slope * to, queue_.processors - slope));
  }

 private:
  [[nodiscard]] bool is_late(const Item& u) const { return queue_.order == Order::fp && (u.key > item_.key || queue_.equals_any); }

  void add_beside(bool own, const std::vector<std::size_t>& chain) {
    Int sum = 0;
    for (const std::size_t u : chain) {
      if (own && u != v_ && !own_.is_below(u, v_) && !own_.is_below(v_, u)) sum += own_.items[u].e;
    }
    if (sum > 0) beside_.push_back(sum);
  }

  void add_others(const Job& job, const std::vector<std::size_t>& chain, Jobs& jobs) const {
    const Int within = own_.F[v_] - own_.A[v_];
    Int last = 0;
    Int since = 0;
    for (const std::size_t u : chain) {
      const Item& item = job.items[u];
      const Int point = queue_.order == Order::gel ? std::min(within, item_.key - item.key - own_.A[v_]) : Int(0);
      const Int n = jobs_in(job.F[u] + (is_late(item) ? within : point), job.T);
      if (n <= 0) continue;
      jobs.counted.emplace_back(n, item.e);
      last = std::max(last, job.F[u]);
      since = std::max<Int>(0, -point);  // of all of the DAG the same
    }
    jobs.at_once += jobs_in(last - since, job.T);
  }

  void add_own(const std::vector<std::size_t>& chain, Jobs& jobs) const {
    const Int A = own_.A[v_];
    const auto before = [&](Int length) { return std::max<Int>(0, jobs_in(length, own_.T) - 1); };
    Int last = 0;
    Int most_later = 0;
    for (const std::size_t u : chain) {
      Int later = 0;
      if (queue_.order == Order::fp) later = is_late(own_.items[u]) ? before(own_.F[v_]) : floor_div(A, own_.T);
      most_later = std::max(most_later, later);
      const Int n = before(own_.F[u] - A) + later;
      if (n <= 0) continue;
      jobs.counted.emplace_back(n, own_.items[u].e);
      last = std::max(last, own_.F[u]);
    }
    jobs.at_once += before(last - A) + std::min(most_later, jobs_in(last, own_.T));
  }

  [[nodiscard]] Int work(Int w) const {
    Int sum = 0;
    for (const Int C : beside_) sum += std::min(C, w);
    for (const Jobs& jobs : jobs_) {
      Int counted = 0;
      for (const auto& [n, C] : jobs.counted) counted += n * std::min(C, w);
      sum += std::min(counted, jobs.at_once * w);
    }
    return sum;
  }
  /// How much more that is for each unit of time beyond w at first, or more.
  [[nodiscard]] Int slope_beyond(Int w) const {
    Int sum = 0;
    for (const Int C : beside_) sum += C > w ? 1 : 0;
    for (const Jobs& jobs : jobs_) {
      Int counted = 0;
      Int slope = 0;
      for (const auto& [n, C] : jobs.counted) {
        counted += n * std::min(C, w);
        slope += C > w ? n : Int(0);
      }
      sum += jobs.at_once * w < counted ? jobs.at_once : slope;
    }
    return sum;
  }
  [[nodiscard]] bool passes(Int w) const { return queue_.processors * w > work(w); }

  const Queue& queue_;
  const Job& own_;
  const Item& item_;
  std::size_t v_;
  std::vector<Int> beside_;  // of the job itself, per chain
  std::vector<Jobs> jobs_;
};

}  // namespace

/// F_v >= A_v + w + e_v, e_v at least the least unit of time.
Int T24(const System& system, std::size_t k, std::size_t v) {
  const Job& job = system.jobs[k];
  return job.A[v] + Running(system, k, v).waiting() + std::max<Int>(1, job.items[v].e);
}

}  // namespace checker
