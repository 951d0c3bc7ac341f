// docs/theory/path.md, docs/theory/fixed-priority.md
#include "path.hpp"

#include <algorithm>
#include <utility>

#include "content.hpp"
#include "keep.hpp"
#include "own_order.hpp"

namespace checker {
Paths::Content::Content(const TaskSet& of, const Certificate& from, const std::vector<std::size_t>& dags, bool in_turn)
    : set(of),
      certificate(from),
      system(of, from, dags, in_turn),
      ends_(system.kinds.size()),
      limits_(system.kinds.size()),
      ready_(system.kinds.size()),
      visits_(system.kinds.size()) {
  for (std::size_t kind = 0; kind < system.kinds.size(); ++kind) {
    const std::size_t k = system.kinds[kind].job;
    const Job& job = system.jobs[k];
    std::map<std::size_t, std::vector<std::size_t>> chains;
    for (const std::size_t q : job.queues) chains.emplace(q, job.chains(q));
    for (std::size_t u = 0; u < job.items.size(); ++u) {
      const Item& item = job.items[u];
      if (item.vol > 0) ends_[kind][item.queue].add(job.F[u], item.part, system.in_grid(item.vol, item.queue), chains[item.queue][u]);
    }
    for (auto& [queue, ends] : ends_[kind]) ends.finish();
    set_limits(k);
    ways_.push_back(ways_of(k, true));
    const bool priorities = system.visits(job, Order::fp_non_preemptive) || system.visits(job, Order::fp_kernels);
    const bool choice = system.visits(job, Order::gel_non_preemptive) && !priorities;
    started_.push_back(choice ? ways_of(k, false) : std::vector<std::vector<Way>>{});
  }
}

/// m Blk_q, where nothing is preempted: the m longest pieces that may have started before q.
/// GEL: of u max(0, ceil((A_q - max(Y_k - Y_d, -F_u))/T_d)) of another DAG, floor(A_q/T_k) of its own.
/// T11b: pi_u < pi_q; ceil((F_u + A_q)/T_d), or [u is parallel to q] + max(0, ceil(F_u/T_k) - 1) + floor(A_q/T_k).
Int Paths::Content::blocked(std::size_t k, std::size_t v) const {
  const Job& job = system.jobs[k];
  const Item& item = job.items[v];
  const Queue& queue = system.queues[item.queue];
  if (queue.order == Order::fp_kernels) return blocks_there(k, v);
  const Int A = job.A[v];
  Int left = queue.processors;
  Int sum = 0;
  for (const System::Blocking& piece : system.blocking[item.queue]) {
    if (left <= 0) break;
    const bool own = piece.job == k;
    Int times = 0;
    if (queue.order == Order::gel_non_preemptive) {
      times = own ? floor_div(A, piece.T) : jobs_in(A - std::max(item.key - piece.key, -piece.F), piece.T);
    } else if (piece.key < item.key) {
      const bool parallel = own && !job.is_below(piece.item, v) && !job.is_below(v, piece.item);
      times = own ? Int(parallel ? 1 : 0) + jobs_in(piece.F - piece.T, piece.T) + floor_div(A, piece.T) : jobs_in(piece.F + A, piece.T);
    }
    times = std::min(left, times);
    sum += times * piece.C;
    left -= times;
  }
  return sum;
}

/// T11g: g Blk_q, the lesser of g K_q and the work of all blocks that count, of kernels u with pi_u < pi_q and N_u > 0 as in T11b.
Int Paths::Content::blocks_there(std::size_t k, std::size_t v) const {
  const Job& job = system.jobs[k];
  const Item& item = job.items[v];
  const Queue& queue = system.queues[item.queue];
  const Int A = job.A[v];
  Int all = 0;
  std::vector<Int> largest(queue.sm->demand.size(), 0);  // block of each class
  for (const System::Blocking& piece : system.blocking[item.queue]) {
    if (piece.key >= item.key) continue;
    const bool own = piece.job == k;
    const bool parallel = own && !job.is_below(piece.item, v) && !job.is_below(v, piece.item);
    const Int N = own ? Int(parallel ? 1 : 0) + jobs_in(piece.F - piece.T, piece.T) + floor_div(A, piece.T) : jobs_in(piece.F + A, piece.T);
    if (N <= 0) continue;
    const Item& u = system.jobs[piece.job].items[piece.item];
    all += N * u.vol;
    largest[u.block] = std::max(largest[u.block], u.s);
  }
  if (all == Int(0)) return 0;
  const auto [at, fresh] = on_an_sm_.try_emplace({item.queue, largest}, 0);
  if (fresh) at->second = most(*queue.sm, largest, false);
  return std::min(all, queue.processors * at->second);
}

/// Drops what another limit makes void, whatever u is.
void add(Limits& limits, const Limit& added, Order order) {
  const auto covers = [&](const Limit& a, const Limit& b) {
    if (a.until < b.until || order == Order::fifo) return a.until >= b.until;
    return by_priority(order) ? a.key < b.key || (a.key == b.key && a.equals >= b.equals) : a.key >= b.key;
  };
  keep(limits, added, covers);
}

/// Of q, with nothing later than `last`.
Limit Paths::Content::limit_of(const Job& job, std::size_t q, const std::optional<Int>& last) const {
  const Item& item = job.items[q];
  const Queue& queue = system.queues[item.queue];
  const Int F = std::min(job.F[q], last.value_or(job.F[q]));
  const Int A = std::min(job.A[q], last.value_or(job.A[q]));
  if (queue.order == Order::fifo) return {A, 0, 0};
  if (by_priority(queue.order)) return {std::max(F, A), queue.equals_any ? std::max(F, A) : A, item.key};
  return {F, 0, item.key};
}

/// While nodes of v's queue that do not follow it wait, up to v's end.
Limits Paths::Content::limits_beside(std::size_t k, std::size_t v) const {
  const Job& job = system.jobs[k];
  Limits limits;
  for (std::size_t q = 0; q < job.items.size(); ++q) {
    if (job.items[q].queue == job.items[v].queue && !job.is_below(q, v))
      checker::add(limits, limit_of(job, q, job.F[v]), system.queues[job.items[v].queue].order);
  }
  return limits;
}

void Paths::Content::set_limits(std::size_t k) {
  const Job& job = system.jobs[k];
  const std::size_t n = job.queues.size();
  auto& limits = limits_[job.kind];
  auto& ready = ready_[job.kind];
  limits.resize(job.items.size() * n);
  ready.resize(job.items.size() * n);
  auto& visits = visits_[job.kind];
  visits.resize(job.items.size() * n);
  for (std::size_t v = 0; v < job.items.size(); ++v) {
    const Item& item = job.items[v];
    const Queue& queue = system.queues[item.queue];
    const std::size_t own = v * n + item.local;
    const Limit limit = limit_of(job, v, std::nullopt);
    ready[own] = job.A[v];
    checker::add(limits[own], limit, queue.order);
    for (const std::size_t u : item.before) {
      for (std::size_t i = 0; i < n; ++i) {
        ready[v * n + i] = std::max(ready[v * n + i], ready[u * n + i]);
        visits[v * n + i] = std::max(visits[v * n + i], visits[u * n + i]);
        for (const Limit& other : limits[u * n + i]) checker::add(limits[v * n + i], other, system.queues[job.queues[i]].order);
      }
    }
    ++visits[own];
  }
}

/// (2) and T11: the sum of n_u vol_u over a slot, while nodes of a path to v wait there.
/// d != k: n_u = max(0, ceil((F_u + lim_u)/T)); d = k: n_u = [u is no strict descendant of v and lim_u >= 0]
/// + max(0, ceil((F_u + min(lim_u, -T))/T)) + [lim_u >= 0] floor(lim_u/T); without the job itself, the first term is 0.
Paths::Content::Waiting Paths::Content::waiting_at(std::size_t k, std::size_t v, std::size_t slot) const {
  const Job& job = system.jobs[k];
  const Slot& of = job.slots[slot];
  const std::size_t q = job.queues[of.local];
  return {of, q, system.queues[q].order, limits_[job.kind][v * job.queues.size() + of.local]};
}

Int Paths::Content::waiting(std::size_t k, std::size_t v, std::size_t slot, bool with_itself) const {
  const Job& job = system.jobs[k];
  const Waiting wait = waiting_at(k, v, slot);
  Int sum = 0;
  for (const auto& [key, stairs] : system.all[wait.queue]) {
    const auto until = wait.until(key.second);
    if (until) sum += stairs(*until);
  }
  for (std::size_t u = 0; u < job.items.size(); ++u) {
    const Item& item = job.items[u];
    const auto until = wait.until(item);
    if (!until) continue;
    Int n = jobs_in(job.F[u] + std::min(*until, -job.T), job.T);
    if (*until >= 0) n += floor_div(*until, job.T) + Int(job.is_below(u, v) || !with_itself ? 0 : 1);
    sum += item.vol * (n - jobs_in(job.F[u] + *until, job.T));
  }
  return sum;
}

/// T10c: W less v's strict descendants; none where it says nothing of the queue.
std::optional<Int> Paths::Content::carried(std::size_t k, std::size_t v, std::size_t local) {
  const Job& job = system.jobs[k];
  const std::size_t q = job.queues[local];
  const Queue& queue = system.queues[q];
  if (queue.order != Order::gel || !queue.by_dag || !system.late[q]) return std::nullopt;
  Int after = 0;
  Int Y = 0;
  Int b = 0;
  for (std::size_t u = 0; u < job.items.size(); ++u) {
    if (job.items[u].queue != q) continue;
    Y = job.items[u].key;
    b = std::max(b, job.F[u]);
    if (job.is_below(u, v)) after += job.items[u].vol;
  }
  return backlogs_.try_emplace(q, system, q).first->second.left(Y, b) + ceil_mul_div(-after, system.grid, queue.cap);
}

/// T10n, T11: F_v >= sum over x of a path to v of (e_x - s_x/cap) + sum over the slots that it pays for of (1/cap_p) sum n_u vol_u.
/// T10c: on some queues what is left at the release, where that is less.
Int Paths::Content::T10n(std::size_t k, std::size_t v, bool with_carried) {
  const Job& job = system.jobs[k];
  const auto wait = [&](std::size_t slot) {
    const Int counted = system.in_grid(waiting(k, v, slot), job.queues[job.slots[slot].local]);
    const auto left = with_carried ? carried(k, v, job.slots[slot].local) : std::nullopt;
    return left ? std::min(counted, *left) : counted;
  };
  return ceil_div(longest(k, v, wait), system.grid);
}

namespace {

/// Rules that take it that all before the node ended by A_v.
bool counts_from_ready(std::string_view rule) {
  return rule == "T10j" || rule == "T10g" || rule == "T11j" || rule == "T12j" || rule == "T14j" || rule == "T23" || rule == "T24";
}

/// T29: rules that take T10n's sums of a mixed GPU, or look at the node's own queue alone, which is `mixed` or not.
bool is_beside_turns(std::string_view rule, bool mixed) {
  constexpr std::string_view sums[]{"T10", "T10n", "T10p", "T10c", "T11"};
  constexpr std::string_view local[]{"T10g", "T10j", "T11j", "T23", "T24"};
  if (std::find(std::begin(sums), std::end(sums), rule) != std::end(sums)) return true;
  return !mixed && std::find(std::begin(local), std::end(local), rule) != std::end(local);
}

Int urgent_end(Urgent& urgent, std::size_t k, std::size_t v, const Statement& by) {
  constexpr std::size_t first = 7;  // word
  if (by.words.size() <= first) return urgent.linear(k, v);
  std::vector<Int> z;
  for (std::size_t i = first; i < by.words.size(); ++i) z.push_back(by.number(i));
  return urgent.busy(k, v, z);
}

}  // namespace

Int Paths::Content::T11j(std::size_t k, std::size_t v) {
  const Item& item = system.jobs[k].items[v];
  return urgent_end(urgent_.try_emplace(item.queue, system, item.queue).first->second, k, v, *item.claim->by);
}

Int Paths::Content::T12j(std::size_t k, std::size_t v) {
  const Item& item = system.jobs[k].items[v];
  if (!nominal_) nominal_ = system.since_nominal();
  const Order order = system.queues[item.queue].order;
  if (order == Order::fifo) return checker::T10j(*nominal_, k, v);
  if (order == Order::gel) return checker::T10g(*nominal_, k, v);
  return urgent_end(late_.try_emplace(item.queue, *nominal_, item.queue).first->second, k, v, *item.claim->by);
}

Int Paths::Content::least(std::size_t k, std::size_t v, std::string_view rule) {
  const Job& job = system.jobs[k];
  const std::size_t first = system.kinds[job.kind].job;
  std::vector<Given> given;
  if (rule == "T10v") given = given_to(k);
  need((rule != "T10v" && rule != "T10") || !system.is_sliced(), "T10 and T10v are for systems without time slices");
  need(!system.is_mixed() || is_beside_turns(rule, system.queues[job.items[v].queue].mixed),
       "no such rule is for kernels in turn beside others by their blocks");
  const std::tuple key{job.kind, v, std::string(rule), given};
  if (const auto known = known_.find(key); known != known_.end()) return known->second;
  const bool over_path = rule != "T10j" && rule != "T10g" && rule != "T14" && rule != "T14j" && rule != "T23" && rule != "T24";
  need(!over_path || !has_slices_before(first, v), "the path has a kernel of a GPU with time slices");
  Int least = 0;
  const bool by_sum = rule == "T10n" || rule == "T11" || rule == "T11g";
  if (by_sum || rule == "T10") {  // F_v = R_d for all nodes of d satisfies (2) whenever R satisfies T10's (1)
    least = T10n(first, v, false);
  } else if (rule == "T10c") {
    least = T10n(first, v, true);
  } else if (rule == "T10a" || rule == "T10v") {
    least = T10a(first, v, false, given);
    if (!started_[job.kind].empty()) least = std::min(least, T10a(first, v, true, given));
  } else if (rule == "T10f") {
    least = T10f(first, v);
  } else if (rule == "T10p") {
    least = T10p(first, v);
  } else if (rule == "T10d" || rule == "T12d") {
    least = T10d(first, v, rule == "T12d");
  } else if (rule == "T12") {
    least = T12(first, v);
  } else if (rule == "T14") {
    least = T14(first, v);
  } else if (rule == "T14j") {
    least = T14j(system, first, v);
  } else if (rule == "T10j") {
    least = T10j(system, first, v);
  } else if (rule == "T10g") {
    least = T10g(system, first, v);
  } else if (rule == "T23") {
    least = T23(system, first, v);
  } else if (rule == "T24") {
    least = T24(system, first, v);
  } else {
    job.items[v].claim->by->fail(
        "no such rule for bounds on completion: T10, T10n, T10a, T10v, T10c, T10f, T10j, T10g, T11, T11g, T11j, T12, T12j, T12d, T12w, "
        "T12m, "
        "T14, "
        "T14j, T10p, T10d, T10w, T10m, T23, T24, T39, before");
  }
  return known_.emplace(key, least).first->second;
}

Paths::Paths(const TaskSet& set, const Certificate& certificate, const std::vector<std::size_t>& dags, bool in_turn)
    : content_(std::make_unique<Content>(set, certificate, dags, in_turn)) {}
Paths::~Paths() = default;

void Paths::check_lanes(std::size_t d) {
  for (const auto& [k, item] : content_->system.place[d]) content_->check_lanes(k);
}

void Paths::check_families(std::size_t d) {
  for (const auto& [k, item] : content_->system.place[d]) content_->check_families(k);
}

void Paths::check(const GivenStrands& given) { content_->check(content_->job_of(given.dag, given.segment), given.shares); }

void Paths::check(std::size_t d, std::size_t v) {
  const System& system = content_->system;
  const auto [k, i] = system.place[d][v];
  const Job& job = system.jobs[k];
  const Item& item = job.items[i];
  need(job.F[i] >= job.longest[i], "the bound is below the longest path to the node");
  need(!item.sequential || job.F[i] <= job.T || in_own_order(content_->set, content_->set.dags[d], v),
       "a sequential node may still run when its next job is ready");
  Int least = 0;
  if (item.claim->rule == "before") {  // it ends before a successor does
    const auto [l, j] = system.place[d][item.claim->by->index(7, system.place[d].size())];
    const Item& after = system.jobs[l].items[j];
    need(l == k && std::find(after.before.begin(), after.before.end(), i) != after.before.end(), "the other node is no successor of it");
    need(!counts_from_ready(after.claim->rule), "the successor's bound rests on this one");
    least = job.F[j];
  } else if (item.claim->rule == "T11j") {
    least = content_->T11j(k, i);
  } else if (item.claim->rule == "T12j") {
    need(!system.is_mixed(), "T12j is not for kernels in turn beside others by their blocks");
    least = content_->T12j(k, i);
  } else if (item.claim->rule == "T10w" || item.claim->rule == "T12w") {
    need(!system.is_mixed(), "T10w is not for kernels in turn beside others by their blocks");
    least = content_->T10w(k, i, item.claim->rule == "T12w");
  } else if (item.claim->rule == "T39") {
    least = content_->T39(k, i);
  } else if (item.claim->rule == "T10m" || item.claim->rule == "T12m") {
    need(!system.is_mixed(), "T10m is not for kernels in turn beside others by their blocks");
    least = content_->T10m(d, k, i, item.claim->rule == "T12m");
  } else {
    least = content_->least(k, i, item.claim->rule);
  }
  const std::string of = system.unit == Int(1) ? "" : "/" + to_string(system.unit);
  if (job.F[i] < least) throw Refused("the theorem gives no less than " + to_string(least) + of);
}

}  // namespace checker
