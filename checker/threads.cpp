// docs/theory/threads.md
#include "threads.hpp"

#include <algorithm>
#include <iterator>

namespace checker {

Threads::Threads(const TaskSet& set, const Certificate& certificate, const std::vector<std::size_t>& dags)
    : set_(set), system_(set, certificate, dags, false), bodies_(system_.jobs.size()), on_(system_.queues.size(), Int(0)) {
  for (const std::size_t d : dags) {
    const Dag& dag = set.dags[d];
    need(dag.threads > 0, "a DAG that shares pools with it has no threads");
    const std::size_t k = system_.place[d].front().first;
    const Job& job = system_.jobs[k];
    Body& body = bodies_[k];
    body.threads = dag.threads;
    body.spins = dag.spins;
    body.processors = job.items.front().queue;
    body.longest.assign(system_.queues.size(), Int(0));
    Int run = 0;
    for (std::size_t i = 0; i < job.items.size(); ++i) {
      const Item& item = job.items[i];
      need(!item.sequential, "a node that a thread plays is not sequential");
      if (i > 0) need(std::find(item.before.begin(), item.before.end(), i - 1) != item.before.end(), "the nodes do not follow one another");
      if (dag.spins && is_cpu(item.queue)) {
        need(item.queue == body.processors, "a thread spins on one pool");
        continue;
      }
      run = goes_on(job, i) ? run + item.vol : item.vol;
      body.longest[item.queue] = std::max(body.longest[item.queue], run);
    }
    need(!dag.spins || is_cpu(body.processors), "a thread that spins does so from its first node on");
    for (const std::size_t q : job.queues) on_[q] += body.threads;
  }
  std::vector<Int> times;
  for (std::size_t k = 0; k < bodies_.size(); ++k) times.push_back(bodies_[k].spins ? kept(k) : Int(0));
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    if (bodies_[k].spins) bodies_[k].longest[bodies_[k].processors] = times[k];
  }
  for (std::size_t q = 0; q < system_.queues.size(); ++q) {
    if (on_[q] == Int(0)) continue;
    const Queue& queue = system_.queues[q];
    need(queue.order == Order::fifo || (is_cpu(q) && on_[q] <= queue.processors), "more threads than processors, and no FIFO of them");
    need(queue.gap == Int(0), "T21h is not for time slices");
    need(!queue.mixed, "T21h is not for kernels in turn beside others by their blocks");
  }
}

bool Threads::spin() const {
  return std::any_of(bodies_.begin(), bodies_.end(), [](const Body& body) { return body.spins; });
}

bool Threads::is_cpu(std::size_t q) const { return q < set_.pools.size() && set_.pools[q].kind == Kind::cpu; }

bool Threads::nobody_waits(std::size_t q) const {
  const bool places = q >= set_.pools.size() || set_.pools[q].kind == Kind::cpu || set_.pools[q].kind == Kind::engines;
  return places && on_[q] <= system_.queues[q].processors;
}

bool Threads::goes_on(const Job& job, std::size_t i) const {
  const std::size_t q = job.items[i].queue;
  return i > 0 && is_cpu(q) && job.items[i - 1].queue == q;
}

Int Threads::ahead(std::size_t k, std::size_t q) const {
  Int work = 0;
  if (nobody_waits(q)) return work;
  std::vector<std::vector<Int>> spinning(system_.queues.size());  // pool of processors -> what those have here that spin on it
  for (std::size_t y = 0; y < bodies_.size(); ++y) {
    const Body& body = bodies_[y];
    const Int others = body.threads - (y == k ? Int(1) : Int(0));
    if (!body.spins || is_cpu(q)) {
      work += others * body.longest[q];
      continue;
    }
    const Int most = std::min(others, system_.queues[body.processors].processors);
    for (Int i = 0; i < most; i += 1) spinning[body.processors].push_back(body.longest[q]);
  }
  for (std::size_t p = 0; p < spinning.size(); ++p) {
    std::sort(spinning[p].begin(), spinning[p].end());
    Int left = system_.queues[p].processors - (bodies_[k].spins && bodies_[k].processors == p ? Int(1) : Int(0));
    for (; !spinning[p].empty() && left > 0; left -= 1) {
      work += spinning[p].back();
      spinning[p].pop_back();
    }
  }
  return work;
}

Int Threads::kept(std::size_t k) const {
  const Job& job = system_.jobs[k];
  std::vector<Int> work(system_.queues.size(), Int(0));
  Int sum = 0;  // in the grid
  for (const Item& item : job.items) {
    sum += item.e * system_.grid;
    work[item.queue] += item.vol - item.s;
    if (!is_cpu(item.queue)) work[item.queue] += ahead(k, item.queue);
  }
  for (std::size_t q = 0; q < work.size(); ++q) sum += system_.in_grid(work[q], q);
  return ceil_div(sum, system_.grid);
}

void Threads::check(std::size_t d, std::size_t v) const {
  const auto [k, last] = system_.place[d][v];
  const Job& job = system_.jobs[k];
  std::vector<Int> work(system_.queues.size(), Int(0));
  Int H = 0, of_v = 0;  // in the grid
  for (std::size_t i = 0; i < job.items.size(); ++i) {
    const Item& item = job.items[i];
    H += item.e * system_.grid;
    work[item.queue] += item.vol - item.s;
    const bool keeps = bodies_[k].spins && i > 0 && is_cpu(item.queue);
    if (!keeps && !goes_on(job, i)) work[item.queue] += ahead(k, item.queue);
    if (i == last) {
      of_v = H;
      for (std::size_t q = 0; q < work.size(); ++q) of_v += system_.in_grid(work[q], q);
    }
  }
  for (std::size_t q = 0; q < work.size(); ++q) H += system_.in_grid(work[q], q);
  need(H <= bodies_[k].threads * job.T * system_.grid, "a job may hold its thread for more than k T");
  const Int least = ceil_div(of_v, system_.grid);
  if (job.F[last] < least) throw Refused("the theorem gives no less than " + to_string(least));
}

namespace {

/// Rules that count no less where a thread passes others that wait, as it goes on with its processor: T10n's counts, and what looks at
/// GPUs or later nodes alone.
bool knows_runs(std::string_view rule) {
  constexpr std::string_view rules[]{"T10", "T10n", "T11", "T11g", "T12", "T14", "before"};
  return std::find(std::begin(rules), std::end(rules), rule) != std::end(rules);
}

}  // namespace

void need_enough_threads(const TaskSet& set, const Certificate& certificate, const std::vector<std::size_t>& dags, std::string_view rule) {
  for (const std::size_t d : dags) {
    const Dag& dag = set.dags[d];
    if (dag.threads == Int(0)) continue;
    for (std::size_t i = 0; i < dag.order.size(); ++i) {
      const Node& node = dag.nodes[dag.order[i]];
      need(!node.sequential, "a node that a thread plays is not sequential");
      need(!dag.spins, "a thread that spins keeps its processor, which rules on completion do not know");
      need(certificate.claims[d][dag.order[i]].by != nullptr, "a node that a thread plays has no bound, so that jobs may wait for threads");
      need(certificate.claims[d][dag.order[i]].R <= dag.threads * dag.T, "a job may have to wait for a thread: F is more than k T");
      if (i == 0) continue;
      need(std::find(node.before.begin(), node.before.end(), dag.order[i - 1]) != node.before.end(), "the nodes do not follow one another");
      const Pool& pool = set.pools[node.pool];
      if (pool.kind != Kind::cpu || dag.nodes[dag.order[i - 1]].pool != node.pool) continue;
      const bool fifo = pool.scheduler == "FIFO";
      need(fifo || pool.preemptive, "a thread goes on from node to node on processors without preemption");
      const bool by_ready_time = fifo || (pool.scheduler == "FP" && !pool.equals_any());
      need(!by_ready_time || knows_runs(rule),
           "the rule is not for threads that go on from node to node on processors in order of arrival");
    }
  }
}

}  // namespace checker
