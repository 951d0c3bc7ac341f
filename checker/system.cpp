#include "system.hpp"

#include <algorithm>

#include "kernel_blocks.hpp"
#include "kernels.hpp"

namespace checker {
namespace {

constexpr Int most_multiple = Int(1) * (std::int64_t{1} << 40);
constexpr Int parts = Int(1) * (std::int64_t{1} << 20);
constexpr std::size_t most_nodes_in_chains = 1024;           // of a DAG
constexpr std::size_t most_nodes_with_descendants = 40'000;  // of a DAG; in larger ones strict descendants are counted too, which is safe

Order order_of(const Pool& pool) {
  if (pool.kind != Kind::cpu || pool.scheduler == "FIFO") return Order::fifo;
  if (pool.scheduler == "wait-set") return Order::wait_set;
  if (pool.multi_threaded()) return Order::multi_threaded;
  if (pool.scheduler == "FP") return pool.preemptive ? Order::fp : Order::fp_non_preemptive;
  return pool.preemptive ? Order::gel : Order::gel_non_preemptive;
}

}  // namespace

std::optional<Int> lim(Order order, const Limits& limits, Int key_of_u) {
  std::optional<Int> most;
  for (const Limit& limit : limits) {
    if (by_priority(order) && key_of_u < limit.key) continue;
    Int here = limit.until;
    if (order == Order::gel || order == Order::gel_non_preemptive) here = std::min(here, limit.key - key_of_u);
    if (by_priority(order) && key_of_u == limit.key) here = limit.equals;
    most = std::max(most.value_or(here), here);
  }
  return most;
}

bool System::visits(const Job& job, Order order) const {
  return std::any_of(job.queues.begin(), job.queues.end(), [&](std::size_t q) { return queues[q].order == order; });
}

bool System::visits_non_preemptive(const Job& job) const {
  return std::any_of(job.queues.begin(), job.queues.end(), [&](std::size_t q) { return non_preemptive(queues[q].order); });
}

bool System::is_mixed() const {
  return std::any_of(jobs.begin(), jobs.end(), [&](const Job& job) {
    return std::any_of(job.queues.begin(), job.queues.end(), [&](std::size_t q) { return queues[q].mixed; });
  });
}

bool System::is_sliced() const {
  return std::any_of(jobs.begin(), jobs.end(), [&](const Job& job) {
    return std::any_of(job.queues.begin(), job.queues.end(), [&](std::size_t q) { return queues[q].gap > 0; });
  });
}

std::optional<Overlap> System::overlap_of(const Job& job) const {
  if (job.queues.size() != 2 || job.below.empty()) return std::nullopt;
  const std::size_t cpu = queues[job.queues[0]].order == Order::gel ? 0 : 1;
  const Queue& p = queues[job.queues[cpu]];
  if (p.order != Order::gel || !p.by_dag || queues[job.queues[1 - cpu]].order != Order::fifo) return std::nullopt;
  return Overlap{cpu, 1 - cpu, p.processors};
}

namespace {

/// T27, T33: one FIFO, and each kernel has a duration.
void need_turns(const std::vector<Task>& tasks, const Pool& gpu) {
  for (const Task& task : tasks) {
    need(task.node->priority == tasks.front().node->priority, "kernels of several stream priorities are not served in turn");
    need(duration_alone(*task.node, gpu).has_value(), "it is not known how long a kernel takes alone");
  }
}

}  // namespace

/// A block of class c weighs threads_c density_c / unit.
struct System::Counted {
  Classes classes;
  const Weights* weights = nullptr;
  std::optional<Int> resident;  // of kernels of one priority
  std::optional<Sm> sm;         // of several
  std::optional<Int> tail;      // T29: the longest block, where some kernels have none
};

/// T29: weights of the kernels with blocks, whatever the others do.
System::Counted System::beside_turns(const std::vector<Task>& tasks, const Weights& weights, std::size_t p, const Pool& gpu) {
  need_turns(tasks, gpu);
  need(!gpu.pauses, "kernels in turn beside others are for GPUs without time slices");
  need(!gpu.switches, "kernels in turn beside others are for GPUs without kernel switches");
  need(weights.pool == p && !weights.level, "the weights are of another GPU, or not for all of its kernels");
  std::vector<Task> others;
  Int tail = 0;
  for (const Task& task : tasks) {
    if (!task.node->by_blocks()) continue;
    others.push_back(task);
    tail = std::max(tail, task.node->L);
  }
  check_weights(weights, others, gpu);
  return {classes_of(others, gpu), &weights, std::nullopt, std::nullopt, tail};
}

std::map<std::size_t, System::Counted> System::counted(const TaskSet& set, const Certificate& certificate,
                                                       const std::vector<std::size_t>& dags, bool in_turn) {
  std::map<std::size_t, std::vector<Task>> kernels;
  for (const std::size_t d : dags) {
    const Dag& dag = set.dags[d];
    for (const Node& node : dag.nodes) {
      if (set.pools[node.pool].kind == Kind::gpu) kernels[node.pool].push_back({&node, dag.T, nullptr, 0, true});
    }
  }
  std::map<std::size_t, Counted> all;
  for (const auto& [p, tasks] : kernels) {
    if (certificate.in_turn.count(p) > 0 && (in_turn || certificate.counted.count(p) == 0)) {
      need_turns(tasks, set.pools[p]);
      continue;
    }
    const auto weights = certificate.counted.find(p);
    need(weights != certificate.counted.end(), "the work of a GPU is counted with no weights");
    const Pool& gpu = set.pools[p];
    const auto by_blocks = [](const Task& task) { return task.node->by_blocks(); };
    if (!std::all_of(tasks.begin(), tasks.end(), by_blocks)) {
      all.emplace(p, beside_turns(tasks, *weights->second, p, gpu));
      continue;
    }
    Int least = tasks.front().node->priority;
    for (const Task& task : tasks) least = std::min(least, task.node->priority);
    const bool one = std::all_of(tasks.begin(), tasks.end(), [&](const Task& t) { return t.node->priority == least; });
    const Level level = one ? std::nullopt : Level(least);  // for whichever kernel waits
    need(weights->second->pool == p && weights->second->level == level, "the weights are of another GPU, or not for all of its kernels");
    need(one || gpu.gap == Int(0), "no theorem covers time slices and kernels of several priorities");
    check_weights(*weights->second, tasks, gpu);
    Counted& counted =
        all.emplace(p, Counted{classes_of(tasks, gpu), weights->second, std::nullopt, std::nullopt, std::nullopt}).first->second;
    if (one) counted.resident = most_resident(*weights->second, tasks, gpu);
    if (!one) counted.sm = sm_of(tasks, gpu, counted.classes, level);
  }
  return all;
}

System::System(const TaskSet& set, const Certificate& certificate, const std::vector<std::size_t>& dags, bool in_turn)
    : queues(2 * set.pools.size()), place(set.dags.size()) {
  const auto weights = counted(set, certificate, dags, in_turn);
  set_unit(certificate, dags);
  for (std::size_t p = 0; p < set.pools.size(); ++p) {  // the second half of the queues: copies of the other direction
    const Pool& pool = set.pools[p];
    Queue& queue = queues[p];
    if (pool.kind != Kind::engines) queue.processors = queue.cap = pool.size;
    queue.order = order_of(pool);
    queue.runtime = pool.runtime;
    queue.period = pool.period;
    queue.equals_any = pool.equals_any();
    queue.kernels = pool.kind == Kind::gpu;
    queue.slice = pool.slice * unit;
    queue.gap = pool.gap * unit;
    const auto found = weights.find(p);
    if (found == weights.end()) {
      if (pool.kind != Kind::gpu) continue;
      queue.processors = queue.cap = 1;  // T27, as an engine
      queue.kernels = false;
      queue.in_turn = true;
      if (queue.gap > 0) queue.resident = Int(0);
      continue;
    }
    queue.cap = pool.size * found->second.weights->unit;
    queue.mixed = found->second.tail.has_value();
    if (found->second.resident) queue.resident = *found->second.resident * unit;
    queue.sm = found->second.sm;
    if (!queue.sm) continue;
    queue.order = Order::fp_kernels;
    queue.equals_any = false;
  }
  for (const std::size_t d : dags) add_jobs(set, certificate, d, weights);
  set_kinds();
  set_work();
}

/// The theorems know no unit: times in 1/q ns are whole times, too.
void System::set_unit(const Certificate& certificate, const std::vector<std::size_t>& dags) {
  for (const std::size_t d : dags) {
    for (const Claim& claim : certificate.claims[d]) {
      unit = floor_div(unit, gcd(unit, claim.unit)) * claim.unit;
      need(unit <= most_multiple, "the bounds of DAGs that share pools have too many denominators");
    }
  }
}

void System::add_jobs(const TaskSet& set, const Certificate& certificate, std::size_t d, const std::map<std::size_t, Counted>& weights) {
  const Dag& dag = set.dags[d];
  std::map<std::size_t, std::size_t> job_of;
  place[d].resize(dag.nodes.size());
  for (const std::size_t v : dag.order) {
    const auto [at, fresh] = job_of.emplace(certificate.segment[d][v], jobs.size());
    if (fresh) jobs.emplace_back();
    Job& job = jobs[at->second];
    job.T = dag.T * unit;
    job.J = dag.J * unit;
    place[d][v] = {at->second, job.items.size()};
    const Node& node = dag.nodes[v];
    const Pool& pool = set.pools[node.pool];
    Item& item = job.items.emplace_back();
    item.claim = &certificate.claims[d][v];
    need(item.claim->by != nullptr && item.claim->offset, "a node of the set has no bound");
    item.node = v;
    item.sequential = node.sequential;
    item.lane = certificate.lanes[d][v];
    job.families.resize(certificate.families[d].size());
    for (std::size_t f = 0; f < job.families.size(); ++f) job.families[f].push_back(certificate.families[d][f][v]);
    item.queue = node.pool + (pool.kind == Kind::engines && pool.size > 1 && node.d2h ? set.pools.size() : 0);
    item.e = item.s = node.L * unit;
    item.part = pool.switches ? Int(0) : item.e;
    item.B = node.B;
    item.weight = 1;
    Int places = pool.size;
    if (pool.kind == Kind::gpu && weights.count(node.pool) == 0) {
      item.e = item.s = item.part = *duration_alone(node, pool) * unit;
      item.B = places = 1;
    } else if (pool.kind == Kind::gpu && !node.by_blocks()) {
      item.e = item.part = (*duration_alone(node, pool) + *weights.at(node.pool).tail) * unit;
      item.s = item.e * queues[node.pool].cap;
      item.B = places = 1;
    } else if (pool.kind == Kind::gpu) {
      const Counted& gpu = weights.at(node.pool);
      const Amounts demand = block_demand(node, pool);
      const Int density = gpu.weights->density[gpu.classes.of(demand)];
      item.s = density * node.C * unit;
      item.weight = density * demand[threads];
      item.block = gpu.classes.of(demand);
      places = places * blocks_per_sm(demand, pool);
    }
    item.alone = item.e * ceil_div(item.B, places);
    item.vol = item.s * item.B;
    const bool cut = pool.kind == Kind::gpu && pool.pauses && node.by_blocks() && weights.count(node.pool) > 0 && node.B < node.blocks;
    if (cut) item.vol += 1;  // T28: a block that does not count may be left, with length 0, when a slice ends
    const Order order = queues[item.queue].order;
    if (order == Order::fp_kernels) {
      item.key = node.priority;
    } else if (by_priority(order)) {
      item.key = node.fixed_priority;
    } else if (order == Order::multi_threaded) {
      if (node.group != "reentrant") item.group = node.group;
    } else if (order != Order::fifo && order != Order::wait_set) {
      need(item.claim->Y.has_value(), "a node has no priority point");
      item.key = *item.claim->Y * unit;
    }
    for (const std::size_t u : node.before) {
      if (place[d][u].first == at->second) item.before.push_back(place[d][u].second);
    }
  }
  for (const auto& [segment, k] : job_of) {
    set_ends(jobs[k]);
    set_slots(jobs[k]);
  }
}

void System::set_ends(Job& job) const {
  const std::size_t n = job.items.size();
  const bool descendants = n <= most_nodes_with_descendants;
  job.below.assign(descendants ? n : 0, std::vector<std::uint64_t>((n + 63) / 64));
  for (std::size_t v = 0; v < n; ++v) {
    const Item& item = job.items[v];
    job.queues.push_back(item.queue);
    job.F.push_back(item.claim->parts * floor_div(unit, item.claim->unit));
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

std::vector<std::size_t> Job::chains(std::size_t queue, bool with_work) const {
  const bool known = items.size() <= most_nodes_in_chains;
  std::vector<std::tuple<std::size_t, std::size_t, std::size_t>> order;  // ancestors, node of the DAG, item
  for (std::size_t v = 0; v < items.size(); ++v) {
    if (items[v].queue != queue || (with_work && (items[v].e <= 0 || items[v].vol <= 0))) continue;
    std::size_t ancestors = 0;
    for (std::size_t u = 0; known && u < v; ++u) ancestors += is_below(v, u) ? 1 : 0;
    order.emplace_back(ancestors, items[v].node, v);
  }
  std::sort(order.begin(), order.end());
  std::vector<std::size_t> chain(items.size());
  std::vector<std::size_t> last;  // of each chain
  for (const auto& next : order) {
    const std::size_t v = std::get<2>(next);
    const auto at = std::find_if(last.begin(), last.end(), [&](std::size_t u) { return known && is_below(v, u); });
    chain[v] = static_cast<std::size_t>(at - last.begin());
    if (at == last.end()) last.push_back(v);
    last[chain[v]] = v;
  }
  return chain;
}

/// T11: a path pays only for what is at least as urgent as its least urgent node on the queue.
void System::set_slots(Job& job) const {
  std::vector<std::vector<Int>> levels(job.queues.size());  // local queue -> the job's priorities there
  for (Item& item : job.items) {
    item.local = static_cast<std::size_t>(std::lower_bound(job.queues.begin(), job.queues.end(), item.queue) - job.queues.begin());
    if (by_priority(queues[item.queue].order)) levels[item.local].push_back(item.key);
  }
  for (std::size_t i = 0; i < job.queues.size(); ++i) job.slots.push_back({i, std::nullopt, std::nullopt});
  for (std::size_t i = 0; i < job.queues.size(); ++i) {
    std::sort(levels[i].begin(), levels[i].end());
    levels[i].erase(std::unique(levels[i].begin(), levels[i].end()), levels[i].end());
    if (!levels[i].empty()) job.slots[i].from = levels[i].back();
    for (std::size_t l = 0; l + 1 < levels[i].size(); ++l) job.slots.push_back({i, levels[i][l], levels[i][l + 1]});
  }
  for (Item& item : job.items) {
    for (std::size_t slot = 0; slot < job.slots.size(); ++slot) {
      if (job.slots[slot].local == item.local && (!job.slots[slot].from || *job.slots[slot].from >= item.key)) item.pays |= bit(slot);
    }
  }
}

void System::set_kinds() {
  std::map<std::vector<Int>, std::size_t> known;
  for (std::size_t k = 0; k < jobs.size(); ++k) {
    std::vector<Int> says{jobs[k].T, jobs[k].J};
    const auto add = [&](std::size_t number) { says.emplace_back(static_cast<std::int64_t>(number)); };
    for (std::size_t v = 0; v < jobs[k].items.size(); ++v) {
      const Item& item = jobs[k].items[v];
      add(item.queue);
      add(item.lane);
      add(item.node);
      says.insert(says.end(), {jobs[k].F[v], item.e, item.s, item.vol, item.weight, item.B, item.key});
      add(item.block);
      add(item.before.size());
      for (const std::size_t u : item.before) add(u);
    }
    for (const auto& family : jobs[k].families) {
      for (const std::size_t chain : family) add(chain);
    }
    const auto [at, fresh] = known.emplace(std::move(says), kinds.size());
    if (fresh) kinds.push_back({k, 0});
    jobs[k].kind = at->second;
    kinds[at->second].copies += 1;
  }
}

void System::set_work() {
  load.assign(queues.size(), {});
  all.assign(queues.size(), {});
  falling.assign(queues.size(), {});
  late.assign(queues.size(), {});
  sliced.assign(queues.size(), {});
  blocking.assign(queues.size(), {});
  for (std::size_t k = 0; k < jobs.size(); ++k) {
    const Job& job = jobs[k];
    std::map<std::size_t, Int> point;
    for (std::size_t v = 0; v < job.items.size(); ++v) {
      const Item& item = job.items[v];
      Queue& queue = queues[item.queue];
      load[item.queue].add(item.vol, job.T);
      all[item.queue].try_emplace({job.T, item.key}, job.T).first->second.add(job.F[v], item.vol);
      queue.by_dag = queue.by_dag && item.key == point.emplace(item.queue, item.key).first->second;
      need(queue.by_dag || queue.order != Order::gel_non_preemptive, "without preemption a DAG has one priority point");
      if (item.vol > 0 && non_preemptive(queue.order)) {
        blocking[item.queue].push_back({item.vol, job.F[v], job.T, item.key, k, v});
      }
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
    if (nominal && queues[q].gap > 0) continue;  // T12 knows no slices
    const bool jittery = queues[q].order == Order::fifo || queues[q].order == Order::gel;
    if (all[q].empty() || !jittery || !load[q].at_most(queues[q].cap)) continue;
    if (queues[q].gap > 0) {
      set_sliced(q);
    } else {
      set_late(q);
    }
  }
}

System System::since_nominal() const {
  System system = *this;
  system.nominal = true;
  for (Job& job : system.jobs) {
    job.T += job.J;
    for (Int& F : job.F) F += job.J;
    for (Int& A : job.A) A += job.J;
  }
  system.set_work();
  return system;
}

}  // namespace checker
