#include "job_windows.hpp"

#include <algorithm>
#include <functional>

#include "kernel_blocks.hpp"

namespace checker {
namespace {

constexpr std::size_t most_jobs_looked_at = 1'000'000'000;  // for all bounds

bool starts_for_good(const Pool& pool) { return pool.kind != Kind::cpu || !pool.preemptive || pool.scheduler == "FIFO"; }
/// Each copy engine is a queue; kernels are served in turn.
Int servers_of(const Pool& pool) { return pool.kind == Kind::engines || pool.kind == Kind::gpu ? Int(1) : pool.size; }
bool by_ready_time(const Pool& pool) { return pool.kind != Kind::cpu || pool.scheduler == "FIFO"; }

}  // namespace

JobWindows::JobWindows(const TaskSet& set, const Certificate& certificate)
    : set_(set), certificate_(certificate), work_(set.dags.size()), on_(2 * set.pools.size()), terms_(most_jobs_looked_at) {
  need(certificate.release == "completion" && !certificate.grouped, "the theorem is for nodes on completion");
  Int H = 1;
  for (const Dag& dag : set.dags) {
    need(dag.periodic && dag.phase, "the theorem is for periodic DAGs");
    const Int T = dag.T + dag.J;
    H = floor_div(H, gcd(H, T)) * T;
    need(H < Int(1) * (std::int64_t{1} << 60), "the hyperperiod is out of range");
  }
  for (std::size_t d = 0; d < set.dags.size(); ++d) {
    const Dag& dag = set.dags[d];
    work_[d].resize(dag.nodes.size());
    for (const std::size_t v : dag.order) {
      const Node& node = dag.nodes[v];
      const Pool& pool = set.pools[node.pool];
      const Claim& claim = certificate.claims[d][v];
      Work& work = work_[d][v];
      work = {d,
              v,
              &certificate.windows[d][v],
              {node.pool, pool.kind == Kind::engines && pool.size > 1 && node.d2h},
              dag.T + dag.J,
              dag.J,
              *dag.phase,
              0,
              pool.kind == Kind::gpu ? duration_alone(node, pool).value_or(0) : node.L,  // in turn
              pool.kind == Kind::workers ? node.B : Int(1),
              0};
      need(claim.by != nullptr && Int(static_cast<Int::Raw>(work.ends->size())) == floor_div(H, work.T),
           "some node has no bound, or no end for each job of a hyperperiod");
      for (const Int E : *work.ends) {
        need(E >= 0 && E < Int(1) * (std::int64_t{1} << 60), "the end of a job is out of range");
        work.longest = std::max(work.longest, E);
      }
      for (const std::size_t u : node.before) work.from = std::max(work.from, work_[d][u].from + dag.nodes[u].least);
      if (pool.kind == Kind::cpu && pool.scheduler == "FP") work.key = node.fixed_priority;
      if (!by_ready_time(pool) && pool.scheduler != "FP") {
        need(claim.Y.has_value(), "a node has no priority point");
        work.key = *claim.Y;
      }
    }
  }
  for (const auto& of_dag : work_) {
    for (const Work& work : of_dag) on_[work.queue.first + (work.queue.second ? set.pools.size() : 0)].push_back(&work);
  }
}

/// l of the n-th job, which may be of a hyperperiod before.
Int JobWindows::end(std::size_t d, std::size_t v, Int n) const {
  const Work& work = work_[d][v];
  const Int jobs = static_cast<Int::Raw>(work.ends->size());
  const Int place = n - floor_div(n, jobs) * jobs;
  return work.phase + n * work.T + (*work.ends)[static_cast<std::size_t>(place.raw())];
}

/// rho: the release at the latest, or the ends of the predecessors, and of the job before.
Int JobWindows::ready(const Work& work, Int n, Int release) const {
  const Node& node = set_.dags[work.dag].nodes[work.node];
  Int rho = release + work.J;
  for (std::size_t i = 0; i < node.before.size(); ++i) {
    const Int l = end(work.dag, node.before[i], n);
    rho = i == 0 ? l : std::max(rho, l);
  }
  return node.sequential ? std::max(rho, end(work.dag, work.node, n - 1)) : rho;
}

/// Whether a bound of another theorem says so.
bool JobWindows::known(const Work& work, Int end_after_release) const {
  const Claim& claim = certificate_.claims[work.dag][work.node];
  return claim.rule != "T35" && end_after_release >= work.J + claim.R;
}

/// Nodes before v and after it.
std::vector<bool> JobWindows::related(std::size_t d, std::size_t v) const {
  const Dag& dag = set_.dags[d];
  std::vector<bool> before(dag.nodes.size()), after(dag.nodes.size());
  before[v] = true;
  after[v] = true;
  for (auto w = dag.order.rbegin(); w != dag.order.rend(); ++w) {
    for (const std::size_t u : dag.nodes[*w].before) before[u] = before[u] || before[*w];
  }
  for (const std::size_t w : dag.order) {
    for (const std::size_t u : dag.nodes[w].before) after[w] = after[w] || after[u];
  }
  for (std::size_t w = 0; w < after.size(); ++w) after[w] = after[w] || before[w];
  return after;
}

/// The least, over i < m, of what all but the i longest pieces keep m - i servers busy for.
Int JobWindows::longest_wait(std::vector<std::pair<Int, Int>> lengths, Int servers, bool up) {
  std::sort(lengths.begin(), lengths.end(), std::greater<>());
  Int work = 0;
  for (const auto& [length, pieces] : lengths) work += length * pieces;
  const auto quotient = [&] { return up ? ceil_div(work, servers) : floor_div(work, servers); };
  Int least = quotient();
  for (const auto& [length, pieces] : lengths) {  // between two lengths the quotient rises or falls with i
    const Int aside = std::min(pieces, servers - 1);
    work -= aside * length;
    servers -= aside;
    least = std::min(least, quotient());
  }
  return least;
}

/// The pieces that count, length and number, up to x. Under preemption x is the job's end, else the instant at which it has started.
std::vector<std::pair<Int, Int>> JobWindows::interference(const Job& job, const std::vector<bool>& related, Int x) {
  const Work& j = *job.work;
  const Pool& pool = set_.pools[j.queue.first];
  const bool for_good = starts_for_good(pool);
  const bool sequential = set_.dags[j.dag].nodes[j.node].sequential;
  std::vector<std::pair<Int, Int>> lengths{{j.C, j.pieces - 1}};
  std::vector<Int> started;
  for (const Work* k : on_[j.queue.first + (j.queue.second ? set_.pools.size() : 0)]) {
    if (k == &j && sequential) continue;
    Int n = floor_div(job.ready - k->phase - k->longest, k->T);
    for (; k->phase + n * k->T + k->from <= x; n += 1) {
      need(terms_ > 0, "the ends of jobs take too long to check");
      --terms_;
      const Int release = k->phase + n * k->T;
      const Int begins = release + k->from;
      const Int left = end(k->dag, k->node, n) - job.ready;
      if (left <= 0 || (!for_good && begins == x)) continue;
      if (k->dag == j.dag && n == job.number && related[k->node]) continue;
      const Int counted = std::min(k->C, left);
      bool less_urgent = false;
      if (by_ready_time(pool)) {
        if (begins > job.ready) continue;
      } else if (pool.scheduler == "FP") {
        less_urgent = k->key < j.key;
        if (k->key == j.key && !pool.equals_any() && begins > job.ready) continue;
      } else {
        less_urgent = release + k->key > job.release + j.J + j.key;
      }
      if (!less_urgent) {
        lengths.emplace_back(counted, k->pieces);
      } else if (for_good && begins <= job.ready) {
        started.push_back(counted);
      }
    }
  }
  std::sort(started.begin(), started.end(), std::greater<>());
  for (std::size_t i = 0; i < started.size() && Int(static_cast<Int::Raw>(i)) < servers_of(pool); ++i) {
    lengths.emplace_back(started[i], 1);
  }
  return lengths;
}

/// x + C with the least x >= rho + w(x); under preemption the least x >= rho + C + w(x). Refused where it is above `most`.
Int JobWindows::least_end(const Job& job, const std::vector<bool>& related, Int most) {
  const Pool& pool = set_.pools[job.work->queue.first];
  const Int m = servers_of(pool);
  const bool for_good = starts_for_good(pool);
  const Int C = for_good ? job.work->C : std::max<Int>(1, job.work->C);
  Int x = for_good ? job.ready : job.ready + C;
  while (true) {
    const Int least = for_good ? x + C : x;
    if (least > most) throw Refused("a job may end later: " + to_string(least - job.release) + " ns after its nominal release or more");
    const Int w = longest_wait(interference(job, related, x), m, !for_good);
    const Int next = for_good ? job.ready + w : job.ready + C + w;
    if (next <= x) return least;
    x = next;
  }
}

void JobWindows::check_ends(std::size_t d, std::size_t v) {
  const Work& work = work_[d][v];
  const bool ordered = set_.pools[work.queue.first].kind != Kind::gpu || runs_in_turn(set_, work.queue.first);
  const std::vector<bool> relatives = related(d, v);
  for (std::size_t i = 0; i < work.ends->size(); ++i) {
    const Int n = static_cast<Int::Raw>(i);
    const Int E = (*work.ends)[i];
    if (known(work, E)) continue;
    need(ordered, "the order of kernels is not known, and a bound of another theorem is larger");
    const Int release = work.phase + n * work.T;
    const Job job{&work, n, release, ready(work, n, release)};
    static_cast<void>(least_end(job, relatives, release + E));
  }
}

void JobWindows::check_bound(std::size_t d, std::size_t v) const {
  const Work& work = work_[d][v];
  if (certificate_.claims[d][v].R < work.longest) throw Refused("the theorem gives no less than " + to_string(work.longest));
}

}  // namespace checker
