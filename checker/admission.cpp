// docs/theory/in-flight.md
#include "admission.hpp"

#include <algorithm>
#include <optional>

namespace checker {
namespace {

/// H + J <= N T, by the period of nominal releases.
bool keeps_up(const Dag& dag, const Int& H) { return H + dag.J <= dag.in_flight * (dag.T + dag.J); }

/// A job ends with the last of its nodes that none follows.
bool may_wait(const Certificate& certificate, const TaskSet& set, std::size_t d) {
  const Dag& dag = set.dags[d];
  if (dag.in_flight == Int(0)) return false;
  std::vector<bool> followed(dag.nodes.size());
  for (const Node& node : dag.nodes) {
    for (const std::size_t u : node.before) followed[u] = true;
  }
  for (std::size_t v = 0; v < dag.nodes.size(); ++v) {
    const Claim& claim = certificate.claims[d][v];
    if (!followed[v] && (claim.by == nullptr || !claim.offset || !keeps_up(dag, *claim.offset + claim.R))) return true;
  }
  return false;
}

/// T40: that the claims do not let x of the job `jobs` before end by when v can be ready. A job that is admitted alone finds all over.
bool may_delay(const Certificate& certificate, const TaskSet& set, std::size_t d, const HistoryEdge& edge) {
  const Dag& dag = set.dags[d];
  if (dag.in_flight == Int(1)) return false;
  const Claim& from = certificate.claims[d][edge.from];
  const Claim& to = certificate.claims[d][edge.to];
  if (from.by == nullptr || !from.offset) return true;
  const bool after_offset = certificate.release == "offsets" || certificate.release == "segments";
  const Int ready = after_offset && to.by != nullptr && to.offset ? *to.offset : Int(0);
  return *from.offset + from.R + dag.J > edge.jobs * (dag.T + dag.J) + ready;
}

bool some_may_delay(const Certificate& certificate, const TaskSet& set, std::size_t d) {
  const auto& history = set.dags[d].history;
  return std::any_of(history.begin(), history.end(), [&](const HistoryEdge& edge) { return may_delay(certificate, set, d, edge); });
}

/// Whether `d` is less urgent than `e` on all pools of both, and these are processors under fixed priorities with preemption.
bool spares(const TaskSet& set, std::size_t d, std::size_t e) {
  for (const Node& node : set.dags[d].nodes) {
    const Pool& pool = set.pools[node.pool];
    const bool by_urgency = pool.kind == Kind::cpu && pool.scheduler == "FP" && pool.preemptive && !pool.publishes_early();
    for (const Node& other : set.dags[e].nodes) {
      if (other.pool == node.pool && (!by_urgency || node.fixed_priority >= other.fixed_priority)) return false;
    }
  }
  return true;
}

/// Claims of R = 0 in place of those that there are not, for what is not read of them.
Certificate with_all_claims(const Certificate& certificate, const std::vector<std::size_t>& dags) {
  Certificate all = certificate;
  const Statement* some = nullptr;
  for (const std::size_t d : dags) {
    for (const Claim& claim : certificate.claims[d]) some = claim.by != nullptr ? claim.by : some;
  }
  for (const std::size_t d : dags) {
    for (Claim& claim : all.claims[d]) {
      if (claim.by != nullptr) continue;
      claim = Claim{};
      claim.by = some;
      claim.offset = Int(0);
      claim.Y = Int(0);
    }
  }
  return all;
}

}  // namespace

void need_no_waiting(const TaskSet& set, const Certificate& certificate, const std::vector<std::size_t>& dags) {
  std::vector<std::size_t> waiting, others;
  for (const std::size_t d : dags) {
    const bool delayed = some_may_delay(certificate, set, d);
    const auto& claims = certificate.claims[d];
    need(!delayed || std::all_of(claims.begin(), claims.end(), [](const Claim& claim) { return claim.by == nullptr; }),
         "a node of a DAG with a bound may wait for one of an earlier job: F is more than k T");
    (delayed || may_wait(certificate, set, d) ? waiting : others).push_back(d);
  }
  for (const std::size_t d : waiting) {
    for (const Claim& claim : certificate.claims[d])
      need(claim.by == nullptr, "jobs of a DAG with a bound may wait for its limit of jobs under way: F is more than N T");
    for (const std::size_t e : others)
      need(spares(set, d, e),
           "a DAG may have jobs that wait for its limit of jobs under way or for earlier ones, and may delay others after that");
    for (const std::size_t e : dags)
      need(set.dags[e].threads == Int(0), "beside threads no job may wait for a limit of jobs under way or for earlier ones");
  }
}

Admission::Admission(const TaskSet& set, const Certificate& certificate, const std::vector<std::size_t>& dags)
    : read_(with_all_claims(certificate, dags)),
      system_(set, read_, dags, false),
      jobs_(system_.jobs.size(), Int(1)),
      chains_(system_.jobs.size()),
      fronts_(system_.jobs.size()),
      places_(system_.queues.size()) {
  need(certificate.release == "completion", "T38 is for nodes on completion");
  need(system_.unit == Int(1), "bounds by T38 are whole ns");
  for (const std::size_t d : dags) {
    const Dag& dag = set.dags[d];
    need(dag.threads == Int(0), "T38 is not for DAGs on threads");
    need(!some_may_delay(certificate, set, d), "T38 is not for nodes that may wait for an earlier job");
    const std::size_t k = system_.place[d].front().first;
    const auto& claims = certificate.claims[d];
    const bool bounded = std::all_of(claims.begin(), claims.end(), [](const Claim& claim) { return claim.by != nullptr; });
    need(bounded || dag.in_flight > 0, "a DAG without a limit of jobs under way has a node without a bound");
    if (bounded) {
      Int F = 0;
      for (const Claim& claim : claims) F = std::max(F, claim.R);
      jobs_[k] = floor_div(F + dag.J, dag.T + dag.J) + 1;
    }
    if (dag.in_flight > 0 && (!bounded || jobs_[k] > dag.in_flight)) jobs_[k] = dag.in_flight;
    for (const Claim& claim : certificate.claims[d])
      need(claim.by == nullptr || claim.rule == "T38", "T38 needs it of all DAGs that share pools");
    for (const Node& node : dag.nodes) {
      need(!node.sequential || jobs_[k] == Int(1), "a sequential node may wait for its job before");
      const Pool& pool = set.pools[node.pool];
      need(!pool.publishes_early() && !pool.in_reservation(), "T38 is not for executors");
    }
    set_chains(k);
  }
  for (std::size_t q = 0; q < system_.queues.size(); ++q) {
    const Queue& queue = system_.queues[q];
    const bool engines = q >= set.pools.size() || set.pools[q].kind == Kind::engines;
    const bool processors = !engines && set.pools[q].kind == Kind::cpu;
    if (engines || processors) places_[q] = queue.processors;
    Int items = 0;
    for (std::size_t k = 0; k < jobs_.size(); ++k) items += jobs_[k] * fronts_[k][q].items;
    if (items == Int(0)) continue;
    need(queue.order == Order::fifo || (processors && items <= queue.processors), "nodes may wait on processors, and not in a FIFO");
    need(queue.gap == Int(0), "T38 is not for time slices");
    need(!queue.mixed, "T38 is not for kernels in turn beside others by their blocks");
  }
}

template <class Counts>
Admission::Front Admission::front(const Job& job, std::size_t queue, const std::vector<std::size_t>& chains, const Counts& counts) const {
  std::vector<std::optional<Int>> most(job.items.size());
  for (std::size_t u = 0; u < job.items.size(); ++u) {
    if (job.items[u].queue != queue || !counts(u)) continue;
    std::optional<Int>& of = most[chains[u]];
    of = std::max(of.value_or(Int(0)), job.items[u].vol);
  }
  Front front;
  for (const std::optional<Int>& of : most) {
    if (!of) continue;
    front.work += *of;
    front.items += 1;
  }
  return front;
}

void Admission::set_chains(std::size_t k) {
  const Job& job = system_.jobs[k];
  chains_[k].resize(system_.queues.size());
  fronts_[k].resize(system_.queues.size());
  for (const std::size_t q : job.queues) {
    chains_[k][q] = job.chains(q);
    fronts_[k][q] = front(job, q, chains_[k][q], [](std::size_t) { return true; });
  }
}

Admission::Front Admission::ahead(std::size_t k, std::size_t v) const {
  const Job& job = system_.jobs[k];
  const std::size_t q = job.items[v].queue;
  Front all = front(job, q, chains_[k][q], [&](std::size_t u) { return u != v && !job.is_below(u, v) && !job.is_below(v, u); });
  for (std::size_t e = 0; e < jobs_.size(); ++e) {
    const Int others = jobs_[e] - (e == k ? Int(1) : Int(0));
    all.work += others * fronts_[e][q].work;
    all.items += others * fronts_[e][q].items;
  }
  return all;
}

void Admission::check(std::size_t d, std::size_t v) const {
  const auto [k, last] = system_.place[d][v];
  const Job& job = system_.jobs[k];
  std::vector<Int> ends(job.items.size());  // in the grid
  Int H = 0;
  for (std::size_t i = 0; i < job.items.size(); ++i) {
    const Item& item = job.items[i];
    for (const std::size_t u : item.before) ends[i] = std::max(ends[i], ends[u]);
    const Front front = ahead(k, i);
    const bool waits = !places_[item.queue] || front.items >= *places_[item.queue];
    ends[i] += item.e * system_.grid + system_.in_grid(item.vol - item.s + (waits ? front.work : Int(0)), item.queue);
    H = std::max(H, ends[i]);
  }
  need(ceil_div(H, system_.grid) + job.J <= jobs_[k] * (job.T + job.J), "jobs may wait to be admitted: H is more than N T");
  const Int least = ceil_div(ends[last], system_.grid);
  if (job.F[last] < least) throw Refused("the theorem gives no less than " + to_string(least));
}

}  // namespace checker
