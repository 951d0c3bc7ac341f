#include "rta/analysis/path/one_pool.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace rta::analysis::path {
namespace {

constexpr int most_rounds_of_whole_dags = 8;
constexpr std::int64_t always = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t largest_time = std::int64_t{1} << 57;
constexpr long double largest_sum = 2305843009213693952.0L;  // 2^61, as for ticks
constexpr long double most_load = 0.999999L;                 // nearer to the capacity than this, load is decided exactly elsewhere

}  // namespace

void OnePool::clear(std::uint32_t m, Order order) {
  m_ = m;
  order_ = order;
  in_range_ = m > 0;
  dags_.clear();
  for (auto* const row : {&C_, &F_, &base_, &reach_, &others_}) row->clear();
  remainders_.clear();
  is_last_.clear();
  predecessors_.clear();
  first_predecessor_.assign(1, 0);
}

void OnePool::add(const Sporadic& sporadic, std::span<const std::int64_t> C, std::span<const Precedence> edges) {
  Dag& dag = dags_.emplace_back();
  dag.sporadic = sporadic;
  dag.first = C_.size();
  dag.end = dag.first + C.size();
  C_.insert(C_.end(), C.begin(), C.end());
  for (auto* const row : {&F_, &base_, &reach_, &others_}) row->resize(dag.end);
  remainders_.resize(dag.end);
  is_last_.resize(dag.end, 1);
  auto edge = edges.begin();
  for (std::size_t v = 0; v < C.size(); ++v) {
    for (; edge != edges.end() && edge->to == v; ++edge) {
      predecessors_.push_back(static_cast<std::uint32_t>(dag.first + edge->from));
      is_last_[predecessors_.back()] = 0;
    }
    first_predecessor_.push_back(predecessors_.size());
  }
  const Wide volume = std::accumulate(C.begin(), C.end(), Wide{0});
  in_range_ = in_range_ && !C.empty() && sporadic.T > 0 && sporadic.T < largest_time && volume * m_ < largest_time;
  if (!in_range_) return;
  dag.volume = static_cast<std::int64_t>(volume);
  set_lengths(dag, edges);
}

/// The longest paths, from which ends rise, and the least that each node has to wait for.
void OnePool::set_lengths(const Dag& dag, std::span<const Precedence> edges) {
  const std::size_t n = dag.end - dag.first;
  const std::size_t words = (n + 63) / 64;
  below_.assign(n * words, 0);
  for (auto edge = edges.rbegin(); edge != edges.rend(); ++edge) {
    std::uint64_t* const from = &below_[edge->from * words];
    const std::uint64_t* const to = &below_[edge->to * words];
    for (std::size_t i = 0; i < words; ++i) from[i] |= to[i];
    from[edge->to / 64] |= std::uint64_t{1} << (edge->to % 64);
  }
  for (std::size_t v = dag.first; v < dag.end; ++v) {
    std::int64_t before = 0;
    for (std::size_t i = first_predecessor_[v]; i < first_predecessor_[v + 1]; ++i) before = std::max(before, F_[predecessors_[i]]);
    F_[v] = before + C_[v];
    std::int64_t rest = dag.volume;
    for (std::size_t i = 0; i < words; ++i) {
      for (std::uint64_t bits = below_[(v - dag.first) * words + i]; bits != 0; bits &= bits - 1) {
        rest -= C_[dag.first + i * 64 + static_cast<std::size_t>(__builtin_ctzll(bits))];
      }
    }
    base_[v] = std::int64_t{m_ - 1} * F_[v] + rest;
  }
}

void OnePool::set_remainders(Dag& dag) {
  const std::int64_t T = dag.sporadic.T;
  dag.whole_jobs = dag.earlier = dag.latest = 0;
  Remainder* const sorted = &remainders_[dag.first];
  std::size_t n = 0;
  for (std::size_t v = dag.first; v < dag.end; ++v, ++n) {
    const std::int64_t F = F_[v];
    dag.latest = std::max(dag.latest, F);
    const std::int64_t jobs = F > T ? (F - 1) / T : F > 0 ? 0 : -1;  // ceil(F/T) - 1
    dag.whole_jobs += jobs * C_[v];
    dag.earlier += std::max<std::int64_t>(0, jobs) * C_[v];
    const Remainder own{.time = F - jobs * T, .work = C_[v]};
    std::size_t at = n;
    for (; at > 0 && sorted[at - 1].time < own.time; --at) sorted[at] = sorted[at - 1];
    sorted[at] = own;
  }
  for (std::size_t i = 1; i < n; ++i) sorted[i].work += sorted[i - 1].work;
}

/// x < 0: sum of max(0, ceil((F + x)/T)) C.
std::int64_t OnePool::before_release(const Dag& dag, std::int64_t x) const {
  if (dag.latest + x <= 0) return 0;
  std::int64_t sum = 0;
  for (std::size_t v = dag.first; v < dag.end; ++v) {
    if (F_[v] + x > 0) sum += ((F_[v] + x - 1) / dag.sporadic.T + 1) * C_[v];
  }
  return sum;
}

/// Sum of max(0, ceil((F + x)/T)) C for x = min(b, latest). With x = a T + r a node's term is ceil(F/T) + a, and 1 more where its remainder
/// is above T - r.
void OnePool::count(Work& work, std::int64_t b) const {
  const Dag& dag = *work.dag;
  const std::int64_t T = dag.sporadic.T;
  const std::int64_t x = std::min(b, work.latest);
  const std::int64_t a = x < T ? 0 : x / T;
  const std::int64_t r = x - a * T;
  const std::span<const Remainder> all(&remainders_[dag.first], dag.end - dag.first);
  std::size_t n = 0;
  while (n < all.size() && all[n].time > T - r) ++n;
  work.value = dag.whole_jobs + (a + 1) * dag.volume + (n > 0 ? all[n - 1].work : 0);
  work.to = x + (n < all.size() ? T - r - all[n].time : T - r + T - all.front().time);
  work.from = x - (n > 0 ? r - (T - all[n - 1].time + 1) : r + all.back().time - 1);
  if (work.to >= work.latest) work.to = always;
}

/// Until when after its own release a DAG's node may wait for jobs of another; before it below 0.
std::int64_t OnePool::latest_release(const Dag& own, const Dag& dag) const {
  return order_ == Order::fifo ? always : own.sporadic.Y - dag.sporadic.Y;
}

std::int64_t OnePool::constant_work(const Dag& own) const {
  std::int64_t sum = 0;
  for (const Dag& dag : dags_) {
    const std::int64_t latest = latest_release(own, dag);
    if (latest < 0) sum += before_release(dag, latest);
  }
  return sum;
}

void OnePool::set_others(Dag& own) {
  growing_.clear();
  for (const Dag& dag : dags_) {
    const std::int64_t latest = latest_release(own, dag);
    if (&dag != &own && latest >= 0) growing_.push_back({.dag = &dag, .latest = latest});
  }
  own.constant = constant_work(own);
  all_ = {};
}

/// What all other DAGs do while a node waits until b.
std::int64_t OnePool::others(const Dag& own, std::int64_t b) {
  if (all_.from <= b && b <= all_.to) return all_.value;
  Work all{.from = 0, .to = always, .value = own.constant};
  for (Work& work : growing_) {
    if (b < work.from || b > work.to) count(work, b);
    all.from = std::max(all.from, work.from);
    all.to = std::min(all.to, work.to);
    all.value += work.value;
  }
  all_ = all;
  return all.value;
}

/// The least end from F on, its predecessors' and all other DAGs' given. Sets how long it waits, and for what.
std::int64_t OnePool::raised(const Dag& dag, std::size_t v) {
  std::int64_t ready = 0;
  std::int64_t reach = 0;
  std::int64_t work = 0;  // of others within reach
  for (std::size_t i = first_predecessor_[v]; i < first_predecessor_[v + 1]; ++i) {
    const std::uint32_t w = predecessors_[i];
    ready = std::max(ready, F_[w]);
    reach = std::max(reach, reach_[w]);
    work = std::max(work, others_[w]);
  }
  const std::int64_t m = m_;
  std::int64_t own = base_[v] + dag.earlier + m - 1;
  std::int64_t F = F_[v];
  if (order_ == Order::fifo) {
    reach = std::max(reach, ready);
    own += reach / dag.sporadic.T * dag.volume;
    work = others(dag, reach);
    F = std::max(F, (own + work) / m);
  } else {
    if (reach == 0) work = others(dag, F);
    while (true) {
      F = std::max(F, (own + work) / m);
      if (F <= reach || F > dag.sporadic.limit) break;
      reach = F;
      work = others(dag, F);
    }
  }
  reach_[v] = reach;
  others_[v] = work;
  return F;
}

/// Whether the ends stay within the limit.
bool OnePool::raise(Dag& dag, bool& changed) {
  set_others(dag);
  for (std::size_t v = dag.first; v < dag.end; ++v) {
    const std::int64_t F = raised(dag, v);
    changed = changed || F > F_[v];
    F_[v] = F;
    if (F > dag.sporadic.limit) return false;
  }
  return true;
}

bool OnePool::in_range() const {
  long double load = 0;
  long double sum = 0;
  std::int64_t limit = 0;
  std::int64_t first = largest_time;
  std::int64_t last = -largest_time;
  for (const Dag& dag : dags_) {
    limit = std::max(limit, dag.sporadic.limit);
    first = std::min(first, dag.sporadic.Y);
    last = std::max(last, dag.sporadic.Y);
  }
  if (limit >= largest_time || first <= -largest_time || last >= largest_time) return false;
  for (const Dag& dag : dags_) {
    const auto T = static_cast<long double>(dag.sporadic.T);
    const auto volume = static_cast<long double>(dag.volume);
    load += volume / T;
    sum += (2 * static_cast<long double>(limit) / T + 4) * volume + static_cast<long double>(m_) * volume;
  }
  return sum < largest_sum && load <= most_load * static_cast<long double>(m_);
}

/// Whether what a DAG waits for has changed since it was solved.
bool OnePool::reads_anew(const Dag& own) const {
  if (own.solved == 0) return true;
  bool constant = true;
  for (const Dag& dag : dags_) {
    if (dag.moved <= own.solved) continue;
    if (latest_release(own, dag) >= 0) return true;
    constant = false;
  }
  return !constant && constant_work(own) != own.constant;
}

/// What all other DAGs do while any node of a DAG waits.
std::int64_t OnePool::least_others(const Dag& own) const {
  std::int64_t sum = 0;
  for (const Dag& dag : dags_) {
    if (&dag == &own) continue;
    const std::int64_t length = dag.least_end + (order_ == Order::fifo ? 0 : std::min(own.least_end, latest_release(own, dag)));
    if (length > 0) sum += ((length - 1) / dag.sporadic.T + 1) * dag.volume;
  }
  return sum;
}

/// The least solution is no less than what DAGs of one node each, no longer than any of theirs, say: that saves rounds over nodes.
void OnePool::start_from_whole_dags() {
  const std::int64_t m = m_;
  for (Dag& dag : dags_) {
    dag.least_end = *std::min_element(&F_[dag.first], &F_[dag.first] + (dag.end - dag.first));
    dag.least_base = *std::min_element(&base_[dag.first], &base_[dag.first] + (dag.end - dag.first));
  }
  bool changed = true;
  for (int round = 0; round < most_rounds_of_whole_dags && changed; ++round) {
    changed = false;
    for (Dag& dag : dags_) {
      const std::int64_t end = std::min(dag.sporadic.limit, (dag.least_base + least_others(dag) + m - 1) / m);
      changed = changed || end > dag.least_end;
      dag.least_end = std::max(dag.least_end, end);
    }
  }
  for (Dag& dag : dags_) {
    const std::int64_t waits = least_others(dag);
    for (std::size_t v = dag.first; v < dag.end; ++v) F_[v] = std::max(F_[v], (base_[v] + waits + m - 1) / m);
    set_remainders(dag);
  }
}

/// Whether there is a solution within the limits; the less urgent wait for the more urgent, which are solved first.
bool OnePool::solve_all() {
  turns_.resize(dags_.size());
  std::iota(turns_.begin(), turns_.end(), std::size_t{0});
  std::ranges::sort(turns_, {}, [&](std::size_t k) { return dags_[k].sporadic.Y; });
  now_ = 0;
  for (bool again = true; again;) {
    again = false;
    for (const std::size_t k : turns_) {
      Dag& dag = dags_[k];
      if (!reads_anew(dag)) continue;
      dag.solved = ++now_;
      bool changed = false;
      if (!raise(dag, changed)) return false;
      if (!changed) continue;
      const std::int64_t earlier = dag.earlier;
      set_remainders(dag);
      dag.moved = ++now_;
      if (dag.earlier == earlier) dag.solved = now_;
      again = true;
    }
  }
  return true;
}

OnePool::Found OnePool::solve(std::vector<std::int64_t>& R) {
  if (!in_range_ || !in_range()) return Found::unknown;
  start_from_whole_dags();
  for (const Dag& dag : dags_) {
    if (dag.latest > dag.sporadic.limit) return Found::past_limit;
  }
  if (!solve_all()) return Found::past_limit;
  R.clear();
  for (const Dag& dag : dags_) {
    std::int64_t last = 0;
    for (std::size_t v = dag.first; v < dag.end; ++v) last = is_last_[v] != 0 ? std::max(last, F_[v]) : last;
    R.push_back(last);
  }
  return Found::bounds;
}

}  // namespace rta::analysis::path
