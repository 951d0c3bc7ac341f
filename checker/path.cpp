// docs/theory/path.md
#include "path.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "kernels.hpp"
#include "staircase.hpp"

namespace checker {
namespace {

enum class Order : std::uint8_t { fifo, gel, gel_non_preemptive };

constexpr Int most_multiple = Int(1) * (std::int64_t{1} << 40);
constexpr Int parts = Int(1) * (std::int64_t{1} << 20);
constexpr std::size_t most_nodes_with_descendants = 40'000;  // of a DAG; in larger ones strict descendants are counted too, which is safe
constexpr std::size_t most_pool_sets = 4096;                 // beyond, a path pays for all pools of the DAG, which is safe

/// A CPU pool, a GPU, workers, or the copies of one direction; it does `cap` units of counted work per ns while a node waits for it.
struct Queue {
  Order order = Order::fifo;
  Int processors = 1;
  Int cap = 1;
  bool kernels = false;
};

/// "Counted work": e, s and vol of a node; what it may be kept waiting by.
struct Item {
  const Claim* claim = nullptr;
  bool sequential = false;
  std::size_t queue = 0;
  Int e = 0, s = 0, vol = 0;
  Int weight = 0;  // of a block, in units of counted work per ns
  Int B = 1;
  Int Y = 0;
  std::vector<std::size_t> before;  // predecessors within the job
};

/// A DAG, or a segment of one, which is released by itself. An item follows its predecessors.
struct Job {
  Int T = 1;
  std::vector<Item> items;
  std::vector<std::size_t> queues;  // visited, in increasing order
  std::vector<Int> F, A, longest;   // of each item: its claimed end, its latest ready time, the longest sum of e up to its end
  std::vector<std::vector<std::uint64_t>> below;  // item -> bits of its strict descendants
  [[nodiscard]] std::size_t local(std::size_t queue) const {
    return static_cast<std::size_t>(std::lower_bound(queues.begin(), queues.end(), queue) - queues.begin());
  }
  /// False where it is not known: then u is counted, which is safe.
  [[nodiscard]] bool is_below(std::size_t u, std::size_t v) const { return !below.empty() && (below[v][u / 64] >> (u % 64) & 1U) != 0; }
};

/// While q waits, releases of u up to `until` (FIFO: A_q; GEL: F_q, but no later than Y - Y_u) may go before it.
struct Limit {
  Int until = 0;
  std::optional<Int> Y;  // of q; none: FIFO
};
using Limits = std::vector<Limit>;

Int lim(const Limits& limits, Int Y_u) {
  std::optional<Int> most;
  for (const Limit& limit : limits) {
    const Int here = limit.Y ? std::min(limit.until, *limit.Y - Y_u) : limit.until;
    most = std::max(most.value_or(here), here);
  }
  return *most;
}

/// Drops what another limit makes void, whatever Y_u is.
void add(Limits& limits, const Limit& added) {
  const auto covers = [](const Limit& a, const Limit& b) { return a.until >= b.until && (!a.Y || *a.Y >= *b.Y); };
  if (std::any_of(limits.begin(), limits.end(), [&](const Limit& other) { return covers(other, added); })) return;
  std::erase_if(limits, [&](const Limit& other) { return covers(added, other); });
  limits.push_back(added);
}

/// The longest path that visits no other queues than these (bits of local queues).
struct PoolSet {
  std::uint64_t mask = 0;
  Int length = 0;
};

void add(std::vector<PoolSet>& sets, PoolSet added) {
  const auto covers = [](const PoolSet& a, const PoolSet& b) { return (b.mask & ~a.mask) == 0 && a.length >= b.length; };
  if (std::any_of(sets.begin(), sets.end(), [&](const PoolSet& other) { return covers(other, added); })) return;
  std::erase_if(sets, [&](const PoolSet& other) { return covers(added, other); });
  sets.push_back(added);
  if (sets.size() <= most_pool_sets) return;
  for (const PoolSet& other : sets) {
    added.mask |= other.mask;
    added.length = std::max(added.length, other.length);
  }
  sets.assign(1, added);
}

std::uint64_t bit(std::size_t local) { return std::uint64_t{1} << std::min<std::size_t>(local, 63); }

/// "Counted work", GPU: a block of class c weighs threads_c density_c / unit.
struct GpuWeights {
  Classes classes;
  const Weights* weights = nullptr;
};

std::map<std::size_t, GpuWeights> gpu_weights(const TaskSet& set, const Certificate& certificate, const std::vector<std::size_t>& dags) {
  std::map<std::size_t, std::vector<Task>> kernels;
  for (const std::size_t d : dags) {
    const Dag& dag = set.dags[d];
    for (const Node& node : dag.nodes) {
      if (set.pools[node.pool].kind == Kind::gpu) kernels[node.pool].push_back({&node, dag.T, nullptr, 0});
    }
  }
  std::map<std::size_t, GpuWeights> all;
  for (const auto& [p, tasks] : kernels) {
    const auto weights = certificate.counted.find(p);
    need(weights != certificate.counted.end(), "the work of a GPU is counted with no weights");
    need(weights->second->pool == p && weights->second->level == Level::only, "the weights are of another GPU, or of one priority");
    for (const Task& task : tasks) need(task.node->high == tasks.front().node->high, "T10 is for one FIFO of kernels");
    check_weights(*weights->second, tasks, set.pools[p]);
    all.emplace(p, GpuWeights{classes_of(tasks, set.pools[p]), weights->second});
  }
  return all;
}

bool visited(const TaskSet& set, const std::vector<std::size_t>& dags, std::size_t p) {
  return std::any_of(dags.begin(), dags.end(), [&](std::size_t d) {
    const auto& nodes = set.dags[d].nodes;
    return std::any_of(nodes.begin(), nodes.end(), [&](const Node& node) { return node.pool == p; });
  });
}

}  // namespace

struct Paths::System {
  struct Falling {
    Int end, vol, product;  // sums of vol and of vol end over the nodes from here on
  };
  struct Blocking {
    Int C, F, T, Y;
    std::size_t job;
  };
  std::vector<Queue> queues;
  std::vector<Job> jobs;
  std::vector<std::vector<std::pair<std::size_t, std::size_t>>> place;  // DAG, node -> job, item
  Int grid = 1;                                                         // lengths of time are in 1/grid ns, rounded up
  std::vector<Load> load;                                               // of each queue
  std::vector<std::map<std::pair<Int, Int>, Staircase>> all;            // queue -> by T and Y
  std::vector<std::optional<Int>> late;  // FIFO: T10j's carry + sum vol (1 + A/T); GEL: T10g's carry. None: they do not apply
  std::vector<std::map<Int, std::vector<Falling>>> falling;  // queue, T -> T10g's terms by A_v - Y_v, from which on they are 0
  std::vector<std::vector<Blocking>> blocking;               // queue without preemption -> pieces, longest first
  std::vector<std::vector<Limits>> limits;                   // job -> item * queues + local queue
  std::vector<std::vector<std::vector<PoolSet>>> paths;      // job, item -> of the paths that end in it

  System(const TaskSet& set, const Certificate& certificate, const std::vector<std::size_t>& dags);
  void add_jobs(const TaskSet& set, const Certificate& certificate, std::size_t d, const std::map<std::size_t, GpuWeights>& weights);
  void set_ends(Job& job) const;
  void set_work();
  void set_late(std::size_t q);
  void set_falling(std::size_t q);
  void set_paths(std::size_t k);
  [[nodiscard]] Int carry_of_pieces(std::size_t q) const;
  [[nodiscard]] Int carry_of_kernels(std::size_t q) const;
  [[nodiscard]] Int blocked(std::size_t k, std::size_t v) const;
  [[nodiscard]] Int others(const Limits& limits, std::size_t q) const;
  [[nodiscard]] Int waiting(std::size_t k, std::size_t v, std::size_t local) const;
  [[nodiscard]] Int T10n(std::size_t k, std::size_t v) const;
  [[nodiscard]] Int T10j(std::size_t k, std::size_t v) const;
  [[nodiscard]] Int T10g(std::size_t k, std::size_t v) const;
  [[nodiscard]] Int in_grid(Int work, std::size_t q) const { return ceil_mul_div(work, grid, queues[q].cap); }
  [[nodiscard]] Int longest_path(const std::vector<PoolSet>& sets, const std::vector<Int>& waits) const;
};

Paths::System::System(const TaskSet& set, const Certificate& certificate, const std::vector<std::size_t>& dags)
    : queues(2 * set.pools.size()), place(set.dags.size()) {
  const auto weights = gpu_weights(set, certificate, dags);
  for (std::size_t p = 0; p < set.pools.size(); ++p) {  // the second half of the queues: copies of the other direction
    const Pool& pool = set.pools[p];
    need(pool.kind != Kind::cpu || pool.scheduler != "FP" || !visited(set, dags, p), "no theorem here is for fixed priorities");
    if (pool.kind != Kind::engines) queues[p].processors = queues[p].cap = pool.size;
    if (pool.kind == Kind::cpu && pool.scheduler != "FIFO") queues[p].order = pool.preemptive ? Order::gel : Order::gel_non_preemptive;
    queues[p].kernels = pool.kind == Kind::gpu;
    if (const auto found = weights.find(p); found != weights.end()) queues[p].cap = pool.size * found->second.weights->unit;
  }
  for (const std::size_t d : dags) add_jobs(set, certificate, d, weights);
  set_work();
  limits.resize(jobs.size());
  paths.resize(jobs.size());
  for (std::size_t k = 0; k < jobs.size(); ++k) set_paths(k);
}

void Paths::System::add_jobs(const TaskSet& set, const Certificate& certificate, std::size_t d,
                             const std::map<std::size_t, GpuWeights>& weights) {
  const Dag& dag = set.dags[d];
  std::map<std::size_t, std::size_t> job_of;
  place[d].resize(dag.nodes.size());
  for (const std::size_t v : dag.order) {
    const auto [at, fresh] = job_of.emplace(certificate.segment[d][v], jobs.size());
    if (fresh) jobs.emplace_back().T = dag.T;
    Job& job = jobs[at->second];
    place[d][v] = {at->second, job.items.size()};
    const Node& node = dag.nodes[v];
    const Pool& pool = set.pools[node.pool];
    Item& item = job.items.emplace_back();
    item.claim = &certificate.claims[d][v];
    need(item.claim->by != nullptr && item.claim->offset, "a node of the set has no bound");
    item.sequential = node.sequential;
    item.queue = node.pool + (pool.kind == Kind::engines && pool.size > 1 && node.d2h ? set.pools.size() : 0);
    item.e = item.s = node.L;
    item.B = node.B;
    item.weight = 1;
    if (pool.kind == Kind::gpu) {
      const GpuWeights& gpu = weights.at(node.pool);
      const Amounts demand = block_demand(node, pool);
      const Int density = gpu.weights->density[gpu.classes.of(demand)];
      item.s = density * node.C;
      item.weight = density * demand[threads];
    }
    item.vol = item.s * node.B;
    if (queues[item.queue].order != Order::fifo) {
      need(item.claim->Y.has_value(), "a node has no priority point");
      item.Y = *item.claim->Y;
    }
    for (const std::size_t u : node.before) {
      if (place[d][u].first == at->second) item.before.push_back(place[d][u].second);
    }
  }
  for (const auto& [segment, k] : job_of) set_ends(jobs[k]);
}

void Paths::System::set_ends(Job& job) const {
  const std::size_t n = job.items.size();
  const bool descendants = n <= most_nodes_with_descendants;
  job.below.assign(descendants ? n : 0, std::vector<std::uint64_t>((n + 63) / 64));
  for (std::size_t v = 0; v < n; ++v) {
    const Item& item = job.items[v];
    job.queues.push_back(item.queue);
    job.F.push_back(item.claim->R);
    job.A.emplace_back(0);
    job.longest.push_back(item.e);
    for (const std::size_t u : item.before) {
      job.A[v] = std::max(job.A[v], job.F[u]);
      job.longest[v] = std::max(job.longest[v], job.longest[u] + item.e);
    }
  }
  std::sort(job.queues.begin(), job.queues.end());
  job.queues.erase(std::unique(job.queues.begin(), job.queues.end()), job.queues.end());
  for (std::size_t v = n; descendants && v-- > 0;) {
    for (const std::size_t u : job.items[v].before) {
      job.below[u][v / 64] |= std::uint64_t{1} << (v % 64);
      for (std::size_t w = 0; w < job.below[u].size(); ++w) job.below[u][w] |= job.below[v][w];
    }
  }
}

void Paths::System::set_work() {
  load.resize(queues.size());
  all.resize(queues.size());
  falling.resize(queues.size());
  late.resize(queues.size());
  blocking.resize(queues.size());
  for (std::size_t k = 0; k < jobs.size(); ++k) {
    const Job& job = jobs[k];
    std::map<std::size_t, Int> point;
    for (std::size_t v = 0; v < job.items.size(); ++v) {
      const Item& item = job.items[v];
      load[item.queue].add(item.vol, job.T);
      all[item.queue].try_emplace({job.T, item.Y}, job.T).first->second.add(job.F[v], item.vol);
      if (queues[item.queue].order != Order::gel_non_preemptive) continue;
      need(item.Y == point.emplace(item.queue, item.Y).first->second, "without preemption a DAG has one priority point");
      if (item.vol > 0) blocking[item.queue].push_back({item.vol, job.F[v], job.T, item.Y, k});
    }
  }
  Int common = 1;  // of all cap: then no share of a path is rounded
  for (std::size_t q = 0; q < queues.size(); ++q) {
    if (all[q].empty()) continue;
    if (common > 0) common = floor_div(queues[q].cap, gcd(queues[q].cap, common)) * common;
    if (common > most_multiple) common = 0;
    for (auto& [key, stairs] : all[q]) stairs.finish();
    std::stable_sort(blocking[q].begin(), blocking[q].end(), [](const Blocking& a, const Blocking& b) { return a.C > b.C; });
  }
  grid = (common > 0 ? common : parts) * parts;
  for (std::size_t q = 0; q < queues.size(); ++q) {
    if (!all[q].empty() && queues[q].order != Order::gel_non_preemptive && load[q].at_most(queues[q].cap)) set_late(q);
  }
}

/// T10j's and T10g's carry on processors, engines, workers: the ceil(U) - 1 longest pieces, of u at most ceil(F_u/T_u) for each of a job.
Int Paths::System::carry_of_pieces(std::size_t q) const {
  std::vector<Piece> pieces;
  for (const Job& job : jobs) {
    for (std::size_t u = 0; u < job.items.size(); ++u) {
      const Item& item = job.items[u];
      if (item.queue == q && item.vol > 0) pieces.push_back({item.s, jobs_in(job.F[u], job.T) * item.B});
    }
  }
  return in_grid(checker::longest(std::move(pieces), load[q].ceil_times(1) - 1), q);
}

/// T10j's carry on a GPU: the least over lambda in {0, L_1, L_2, ...} of lambda U_w + sum ceil(F_u/T_u) B_u w_u max(0, L_u - lambda).
Int Paths::System::carry_of_kernels(std::size_t q) const {
  struct Use {
    Int e, blocks, s, weight;
  };
  std::vector<Use> uses;
  for (const Job& job : jobs) {
    for (std::size_t u = 0; u < job.items.size(); ++u) {
      const Item& item = job.items[u];
      if (item.queue == q && item.vol > 0) uses.push_back({item.e, jobs_in(job.F[u], job.T) * item.B, item.s, item.weight});
    }
  }
  // From the longest length down: kernels no longer than lambda count nothing.
  std::sort(uses.begin(), uses.end(), [](const Use& a, const Use& b) { return a.e > b.e; });
  const Fraction U = load[q].rounded_up();
  Int work = 0;    // sum of N w L over the longer ones
  Int weight = 0;  // sum of N w
  std::optional<Int> least;
  for (std::size_t i = 0; i < uses.size();) {
    const Int lambda = uses[i].e;
    const Int value = ceil_mul_div(lambda * U.n, grid, U.d * queues[q].cap) + in_grid(work - lambda * weight, q);
    least = std::min(least.value_or(value), value);
    for (; i < uses.size() && uses[i].e == lambda; ++i) {
      work += uses[i].blocks * uses[i].s;
      weight += uses[i].blocks * uses[i].weight;
    }
  }
  const Int all_left = in_grid(work, q);  // lambda = 0
  return std::min(least.value_or(all_left), all_left);
}

void Paths::System::set_late(std::size_t q) {
  Int sum = queues[q].kernels ? carry_of_kernels(q) : carry_of_pieces(q);
  if (queues[q].order == Order::gel) {
    set_falling(q);
  } else {
    for (const Job& job : jobs) {
      for (std::size_t u = 0; u < job.items.size(); ++u) {
        const Item& item = job.items[u];
        if (item.queue == q) sum += in_grid(item.vol, q) + ceil_mul_div(item.vol * job.A[u], grid, queues[q].cap * job.T);
      }
    }
  }
  late[q] = sum;
}

void Paths::System::set_falling(std::size_t q) {
  for (const Job& job : jobs) {
    for (std::size_t u = 0; u < job.items.size(); ++u) {
      const Item& item = job.items[u];
      const Int end = job.T - item.Y + job.A[u];
      if (item.queue == q && item.vol > 0) falling[q][job.T].push_back({end, item.vol, item.vol * end});
    }
  }
  for (auto& [T, nodes] : falling[q]) {
    std::sort(nodes.begin(), nodes.end(), [](const Falling& a, const Falling& b) { return a.end < b.end; });
    for (std::size_t i = nodes.size() - 1; i-- > 0;) {
      nodes[i].vol += nodes[i + 1].vol;
      nodes[i].product += nodes[i + 1].product;
    }
  }
}

/// Blk_q (non-preemptive priority thread pools), m times it: the m longest pieces C_u that may have started before q, of u
/// max(0, ceil((A_q - max(Y_k - Y_d, -F_u))/T_d)) of another DAG, floor(A_q/T_k) of its own.
Int Paths::System::blocked(std::size_t k, std::size_t v) const {
  const Item& item = jobs[k].items[v];
  const Queue& queue = queues[item.queue];
  if (queue.order != Order::gel_non_preemptive) return 0;
  const Int A = jobs[k].A[v];
  Int left = queue.processors;
  Int sum = 0;
  for (const Blocking& piece : blocking[item.queue]) {
    if (left <= 0) break;
    const Int since = std::max(item.Y - piece.Y, -piece.F);
    const Int times = std::min(left, piece.job == k ? floor_div(A, piece.T) : jobs_in(A - since, piece.T));
    sum += times * piece.C;
    left -= times;
  }
  return sum;
}

/// The limits of every node and queue, and the paths that end in it: sum of e - s/cap (and Blk) by the queues visited.
void Paths::System::set_paths(std::size_t k) {
  const Job& job = jobs[k];
  const std::size_t n = job.queues.size();
  limits[k].resize(job.items.size() * n);
  paths[k].resize(job.items.size());
  for (std::size_t v = 0; v < job.items.size(); ++v) {
    const Item& item = job.items[v];
    const std::size_t own = job.local(item.queue);
    const bool fifo = queues[item.queue].order == Order::fifo;
    add(limits[k][v * n + own], fifo ? Limit{job.A[v], std::nullopt} : Limit{job.F[v], item.Y});
    for (const std::size_t u : item.before) {
      for (std::size_t i = 0; i < n; ++i) {
        for (const Limit& limit : limits[k][u * n + i]) add(limits[k][v * n + i], limit);
      }
    }
    const Int last_piece = -ceil_mul_div(-item.s, grid, queues[item.queue].cap);  // rounded down
    const Int length = item.e * grid - last_piece + in_grid(blocked(k, v), item.queue);
    if (item.before.empty()) paths[k][v].push_back({bit(own), length});
    for (const std::size_t u : item.before) {
      for (const PoolSet& set : paths[k][u]) add(paths[k][v], {set.mask | bit(own), set.length + length});
    }
  }
}

/// n_u vol_u over the nodes of a queue, as if all were of other DAGs: n_u = max(0, ceil((F_u + lim_u)/T)).
Int Paths::System::others(const Limits& limits_of_v, std::size_t q) const {
  Int sum = 0;
  for (const auto& [key, stairs] : all[q]) sum += stairs(lim(limits_of_v, key.second));
  return sum;
}

/// (2): the sum of n_u vol_u on one queue, while nodes of a path to v wait there. FIFO: lim_u = a; GEL: the largest min(F_q, Y_q - Y_u).
/// d = k: n_u = [no strict descendant of v and lim_u >= 0] + max(0, ceil((F_u + min(lim_u, -T))/T)) + [lim_u >= 0] floor(lim_u/T).
Int Paths::System::waiting(std::size_t k, std::size_t v, std::size_t local) const {
  const Job& job = jobs[k];
  const std::size_t q = job.queues[local];
  const Limits& limits_of_v = limits[k][v * job.queues.size() + local];
  Int sum = others(limits_of_v, q);
  for (std::size_t u = 0; u < job.items.size(); ++u) {
    const Item& item = job.items[u];
    if (item.queue != q || item.vol == Int(0)) continue;
    const Int until = lim(limits_of_v, item.Y);
    Int n = jobs_in(job.F[u] + std::min(until, -job.T), job.T);
    if (until >= 0) n += floor_div(until, job.T) + Int(job.is_below(u, v) ? 0 : 1);
    sum += item.vol * (n - jobs_in(job.F[u] + until, job.T));
  }
  return sum;
}

Int Paths::System::longest_path(const std::vector<PoolSet>& sets, const std::vector<Int>& waits) const {
  std::optional<Int> most;
  for (const PoolSet& set : sets) {
    Int length = set.length;
    for (std::size_t i = 0; i < waits.size(); ++i) {
      if ((set.mask & bit(i)) != 0) length += waits[i];
    }
    most = std::max(most.value_or(length), length);
  }
  return *most;
}

/// T10n: F_v >= sum over x of a path to v of (e_x - s_x/cap) + sum over the pools visited of (1/cap_p) sum n_u vol_u.
Int Paths::System::T10n(std::size_t k, std::size_t v) const {
  const Job& job = jobs[k];
  std::vector<Int> waits(job.queues.size(), 0);
  for (std::size_t i = 0; i < waits.size(); ++i) {
    if (!limits[k][v * waits.size() + i].empty()) waits[i] = in_grid(waiting(k, v, i), job.queues[i]);
  }
  return ceil_div(longest_path(paths[k][v], waits), grid);
}

/// T10j: if U <= cap, F_v >= A_v + (carry + sum vol_u (1 + A_u/T_u) - s_v)/cap + e_v.
Int Paths::System::T10j(std::size_t k, std::size_t v) const {
  const Item& item = jobs[k].items[v];
  need(queues[item.queue].order == Order::fifo && late[item.queue], "T10j needs a FIFO pool with U <= its capacity");
  return jobs[k].A[v] + item.e + ceil_div(*late[item.queue] + ceil_mul_div(-item.s, grid, queues[item.queue].cap), grid);
}

/// T10g: if U <= m, F_v >= A_v + (carry + sum C_u max(0, 1 - (Y_u - Y_v + A_v - A_u)/T_u))/m + (m-1)/m C_v.
Int Paths::System::T10g(std::size_t k, std::size_t v) const {
  const Item& item = jobs[k].items[v];
  const Queue& queue = queues[item.queue];
  need(queue.order == Order::gel && late[item.queue], "T10g needs a preemptive GEL pool with U <= m");
  const Int from = jobs[k].A[v] - item.Y;
  Int sum = *late[item.queue] + in_grid((queue.cap - 1) * item.e, item.queue);
  for (const auto& [T, nodes] : falling[item.queue]) {
    const auto first = std::upper_bound(nodes.begin(), nodes.end(), from, [](Int x, const Falling& node) { return x < node.end; });
    if (first != nodes.end()) sum += ceil_mul_div(first->product - from * first->vol, grid, queue.cap * T);
  }
  return jobs[k].A[v] + ceil_div(sum, grid);
}

Paths::Paths(const TaskSet& set, const Certificate& certificate, const std::vector<std::size_t>& dags)
    : system_(std::make_unique<System>(set, certificate, dags)) {}
Paths::~Paths() = default;

void Paths::check(std::size_t d, std::size_t v) const {
  const auto [k, i] = system_->place[d][v];
  const Job& job = system_->jobs[k];
  const Item& item = job.items[i];
  need(item.claim->R >= job.longest[i], "the bound is below the longest path to the node");
  need(!item.sequential || item.claim->R <= job.T, "a sequential node may still run when its next job is ready");
  const std::string_view rule = item.claim->rule;
  Int least = 0;
  if (rule == "T10n" || rule == "T10") {  // F_v = R_d for all nodes of d satisfies (2) whenever R satisfies T10's (1)
    least = system_->T10n(k, i);
  } else if (rule == "T10j") {
    least = system_->T10j(k, i);
  } else if (rule == "T10g") {
    least = system_->T10g(k, i);
  } else if (rule == "before") {  // it ends before a successor does
    const auto [l, j] = system_->place[d][item.claim->by->index(7, system_->place[d].size())];
    const auto& before = system_->jobs[l].items[j].before;
    need(l == k && std::find(before.begin(), before.end(), i) != before.end(), "the other node is no successor of it");
    least = job.F[j];
  } else {
    item.claim->by->fail("no such rule for bounds on completion: T10, T10n, T10j, T10g, before");
  }
  if (item.claim->R < least) throw Refused("the theorem gives no less than " + to_string(least));
}

}  // namespace checker
