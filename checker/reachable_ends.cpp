#include "reachable_ends.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "kernel_blocks.hpp"

namespace checker {
namespace {

constexpr std::size_t most_states = 100'000;
constexpr std::size_t most_looks = 60'000'000;  // at jobs
constexpr std::int64_t far = std::int64_t{1} << 61;
const Int never = Int(1) * far;
const Int unknown = -never;

const Int most_in_rows = 1'000;  // of a job that is followed

/// Whether some node of the pool has several items, or more than so many.
bool has_more_items(const TaskSet& set, std::size_t pool, Int than) {
  return std::any_of(set.dags.begin(), set.dags.end(), [&](const Dag& dag) {
    return std::any_of(dag.nodes.begin(), dag.nodes.end(), [&](const Node& node) { return node.pool == pool && node.B > than; });
  });
}

bool by_ready(const Pool& pool) { return pool.kind != Kind::cpu || pool.scheduler == "FIFO"; }

}  // namespace

void need_to_follow(const TaskSet& set, std::size_t pool) {
  if (set.pools[pool].kind == Kind::gpu) {
    need(runs_in_turn(set, pool), "the kernels of the GPU do not run in turn");
  } else {
    need(set.pools[pool].kind == Kind::workers && has_more_items(set, pool, 1),
         "a GPU, or workers with jobs of several items, is expected");
    need(!has_more_items(set, pool, most_in_rows), "a job has too many items to follow");
  }
}

ReachableEnds::ReachableEnds(const TaskSet& set, const Certificate& certificate)
    : set_(set), certificate_(certificate), latest_(set.dags.size()), looks_(most_looks) {
  need(certificate.release == "completion" && !certificate.grouped, "the theorem is for nodes on completion");
  for (const Dag& dag : set.dags) {
    need(dag.periodic && dag.phase, "the theorem is for periodic DAGs");
    const Int T = dag.T + dag.J;
    H_ = floor_div(H_, gcd(H_, T)) * T;
    need(H_ < Int(1) * (std::int64_t{1} << 50), "the hyperperiod is out of range");
  }
  add_queues();
  add_jobs();
  link();
  explore();
}

void ReachableEnds::check(std::size_t d, std::size_t v) const {
  const auto& stated = certificate_.reached[d][v];
  const auto& latest = latest_[d][v];
  need(stated.size() == latest.size(), "an end for each job of a hyperperiod is expected");
  for (std::size_t n = 0; n < stated.size(); ++n) {
    if (stated[n] * 2 < latest[n])
      throw Refused("job " + std::to_string(n) + " may end as late as " + to_string(floor_div(latest[n] + 1, 2)) +
                    " ns after its nominal release");
  }
}

// ---- the jobs ----

/// Those whose dispatches are followed: nothing is preempted, and the order is known; kernels in turn and jobs of several items where the
/// certificate says so.
void ReachableEnds::add_queues() {
  for (std::size_t p = 0; p < set_.pools.size(); ++p) {
    const Pool& pool = set_.pools[p];
    if (pool.kind == Kind::cpu && pool.preemptive && pool.scheduler != "FIFO") continue;
    const bool stated = certificate_.followed.count(p) > 0;
    if (stated) need_to_follow(set_, p);
    if (!stated && (pool.kind == Kind::gpu || (pool.kind == Kind::workers && has_more_items(set_, p, 1)))) continue;
    std::set<bool> directions;
    for (const Dag& dag : set_.dags) {
      for (const Node& node : dag.nodes) {
        if (node.pool != p) continue;
        directions.insert(pool.kind == Kind::engines && pool.size > 1 && node.d2h);
      }
    }
    need(pool.size <= Int(10'000), "there are too many servers to follow");
    for (const bool second : directions) {
      const bool one = pool.kind == Kind::engines || pool.kind == Kind::gpu;
      queues_.push_back({p, second, one ? 1 : static_cast<std::size_t>(pool.size.raw()), pool.kind == Kind::gpu});
    }
  }
}

void ReachableEnds::add_jobs() {
  for (std::size_t d = 0; d < set_.dags.size(); ++d) {
    const Dag& dag = set_.dags[d];
    const Int T = dag.T + dag.J;
    const Int each = floor_div(H_, T);
    need(each * static_cast<Int::Raw>(dag.nodes.size()) + static_cast<Int::Raw>(jobs_.size()) <= Int(static_cast<Int::Raw>(most_states)),
         "there are too many jobs to follow");
    std::vector<Int> from(dag.nodes.size());
    std::vector<std::size_t> depth(dag.nodes.size());
    latest_[d].resize(dag.nodes.size());
    for (const std::size_t v : dag.order) {
      const Node& node = dag.nodes[v];
      for (const std::size_t u : node.before) {
        from[v] = std::max(from[v], from[u] + dag.nodes[u].least * 2);
        depth[v] = std::max(depth[v], depth[u] + 1);
      }
      const Pool& pool = set_.pools[node.pool];
      std::optional<std::size_t> queue;
      for (std::size_t q = 0; q < queues_.size(); ++q) {
        const bool second = pool.kind == Kind::engines && pool.size > 1 && node.d2h;
        if (queues_[q].pool == node.pool && queues_[q].second == second) queue = q;
      }
      const Claim& claim = certificate_.claims[d][v];
      if (queue && pool.kind == Kind::cpu && !by_ready(pool) && pool.scheduler != "FP")
        need(claim.Y.has_value(), "a node has no priority point");
      const auto& windows = certificate_.windows[d][v];
      need(windows.empty() || Int(static_cast<Int::Raw>(windows.size())) == each, "no end is stated for each job of a hyperperiod");
      need(queue || !windows.empty() || claim.by != nullptr, "a node whose dispatches are not followed has no bound");
      latest_[d][v].assign(static_cast<std::size_t>(each.raw()), unknown);
      const Int skipped = floor_div(*dag.phase * 2 + from[v], T * 2);
      for (Int i = 0; i < each; i += 1) {
        Job job;
        job.dag = d;
        job.node = v;
        job.number = i - skipped;
        job.nominal = (*dag.phase + job.number * T) * 2;
        job.earliest = job.nominal + from[v];
        job.depth = depth[v];
        job.queue = queue;
        job.stated = never;
        if (!windows.empty()) {
          const Int n = job.number - floor_div(job.number, each) * each;
          job.stated = job.nominal + windows[static_cast<std::size_t>(n.raw())] * 2;
        } else if (claim.by != nullptr && claim.offset) {
          job.stated = job.nominal + (dag.J + *claim.offset + claim.R) * 2;
        }
        need(queue || job.stated < never, "a node whose dispatches are not followed has no bound");
        jobs_.push_back(job);
      }
    }
  }
  N_ = static_cast<Place>(jobs_.size());
}

/// Which jobs wait for which.
void ReachableEnds::link() {
  std::sort(jobs_.begin(), jobs_.end(), [](const Job& a, const Job& b) {
    return std::tie(a.earliest, a.dag, a.depth, a.node) < std::tie(b.earliest, b.dag, b.depth, b.node);
  });
  std::map<std::tuple<std::size_t, std::size_t, Int>, Place> place;
  for (Place x = 0; x < N_; ++x)
    place[{jobs_[static_cast<std::size_t>(x)].dag, jobs_[static_cast<std::size_t>(x)].node, jobs_[static_cast<std::size_t>(x)].number}] = x;
  const auto find = [&](std::size_t d, std::size_t v, Int number) {
    const Int each = static_cast<Int::Raw>(latest_[d][v].size());
    Place rounds = 0;
    while (place.count({d, v, number}) == 0) {  // of a hyperperiod before
      number += each;
      --rounds;
      need(rounds > -N_ - 2, "the jobs of a node follow one another");
    }
    return place.at({d, v, number}) + rounds * N_;
  };
  // A successor starts no sooner, perhaps in a later hyperperiod: so predecessors stand in this one or before.
  for (Place x = 0; x < N_; ++x) {
    Job& job = jobs_[static_cast<std::size_t>(x)];
    std::vector<Place> before;
    for (const std::size_t u : node(job).before) before.push_back(find(job.dag, u, job.number));
    if (node(job).sequential) before.push_back(find(job.dag, job.node, job.number - 1));
    for (const Place y : before) {
      need(y < x, "a job stands after those that make it ready");
      job.before.push_back(y - x);
      Job& waited_for = jobs_[static_cast<std::size_t>(((y % N_) + N_) % N_)];
      waited_for.after.push_back(x - y);
    }
  }
}

const ReachableEnds::Job& ReachableEnds::at(Place job) const { return jobs_[static_cast<std::size_t>(((job % N_) + N_) % N_)]; }

/// Of its hyperperiod.
Int ReachableEnds::begin(Place job) const { return floor_div(Int(job), Int(N_)) * H_ * 2; }

/// Of an item, or of a kernel alone.
Int ReachableEnds::length(const Job& job) const {
  const Pool& pool = set_.pools[node(job).pool];
  return (pool.kind == Kind::gpu ? duration_alone(node(job), pool).value_or(0) : node(job).L) * 2;
}

/// How many of the servers a job may hold at once.
std::size_t ReachableEnds::at_once(const Job& job) const {
  const Int items = set_.pools[node(job).pool].kind == Kind::workers ? node(job).B : Int(1);
  return static_cast<std::size_t>(std::min(items, Int(static_cast<Int::Raw>(queues_[*job.queue].servers))).raw());
}

// ---- the states ----

void ReachableEnds::explore() {
  need(N_ > 0 && !queues_.empty(), "there is no pool to follow");
  std::vector<State> now{first_state()};
  std::vector<State> before = now;
  std::size_t states = 1;
  for (Place dispatched = 1;; ++dispatched) {
    next_.clear();
    same_cut_.clear();
    for (const State& state : now) {
      follow(state);
      need(states + next_.size() <= most_states, "there are too many orders to follow");
    }
    need(!next_.empty(), "no schedule goes on");
    states += next_.size();
    now = next_;
    if (dispatched % N_ != 0) continue;
    std::map<Cut, std::vector<const State*>> old;
    for (const State& state : before) old[state.cut].push_back(&state);
    const bool repeated = std::all_of(now.begin(), now.end(), [&](const State& state) {
      Cut cut = state.cut;
      cut.first -= N_;
      for (Place& job : cut.taken) job -= N_;
      const auto found = old.find(cut);
      return found != old.end() &&
             std::any_of(found->second.begin(), found->second.end(), [&](const State* a) { return contains(*a, state); });
    });
    if (repeated) return;
    before = now;
  }
}

/// Nothing is there; jobs that phases leave out are taken for dispatched.
ReachableEnds::State ReachableEnds::first_state() const {
  State state;
  std::set<Place> absent;
  for (Place x = 0; x < N_; ++x) {
    const Job& job = at(x);
    const Int each = static_cast<Int::Raw>(latest_[job.dag][job.node].size());
    Place y = x;
    for (Int number = job.number; number < 0; number += each, y += N_) absent.insert(y);
  }
  while (absent.erase(state.cut.first) > 0) ++state.cut.first;
  state.cut.taken.assign(absent.begin(), absent.end());
  for (const Queue& queue : queues_) state.free.emplace_back(queue.servers);
  state.ended.assign(queues_.size(), 0);
  state.queued.assign(queues_.size(), unknown);
  forget(state);
  return state;
}

void ReachableEnds::look(std::size_t jobs) {
  need(jobs < looks_, "there are too many orders to follow");
  looks_ -= jobs;
}

/// All that may be dispatched next.
void ReachableEnds::follow(const State& state) {
  const Place first = state.cut.first;
  const auto taken = [&](Place job) { return job < first || std::binary_search(state.cut.taken.begin(), state.cut.taken.end(), job); };
  const auto latest_start = [&](std::size_t q) {
    return queues_[q].in_turn ? first_ready_[q] : std::max(state.free[q].front().to, first_ready_[q]);
  };
  struct Unknown {
    std::size_t queue;
    Int ready;
    std::set<std::size_t> behind;
  };
  std::vector<Unknown> unknowns;
  std::map<Place, std::pair<Int, std::set<std::size_t>>> open;  // ready at the earliest; queues of those before
  ready_.clear();
  first_ready_.assign(queues_.size(), never);
  Int until = never;
  for (Place x = first; at(x).earliest + begin(x) <= until; ++x) {
    look(1);
    if (taken(x)) continue;
    const Job& job = at(x);
    Span ready{job.earliest + begin(x), unknown};
    if (node(job).before.empty()) ready.to = ready.from + set_.dags[job.dag].J * 2;
    Int unseen = unknown;  // ends of what may take no time
    std::set<std::size_t> behind;
    bool known = true;
    for (const Place away : job.before) {
      const Place y = x + away;
      if (taken(y)) {
        const auto end = state.ends.find(y);
        if (end == state.ends.end()) continue;  // there is no such job
        ready.from = std::max(ready.from, end->second.from);
        ready.to = std::max(ready.to, end->second.to);
        if (node(at(y)).least <= 0) unseen = std::max(unseen, end->second.to);
        continue;
      }
      known = false;
      const auto& [from, queues] = open.at(y);
      Int starts = from;
      behind.insert(queues.begin(), queues.end());
      if (at(y).queue) {
        starts = std::max(starts, state.free[*at(y).queue].front().from);
        behind.insert(*at(y).queue);
      }
      ready.from = std::max(ready.from, starts + least(at(y)));
    }
    if (known && !job.queue) return end_alone(state, {x, ready, unknown});
    open[x] = {ready.from, behind};
    if (known) {
      const bool sees_first = set_.pools[queues_[*job.queue].pool].sees_first;
      ready_.push_back({x, ready, sees_first ? std::max(unseen, ceil_div(ready.to, 2) * 2 - 1) : ready.to});
      first_ready_[*job.queue] = std::min(first_ready_[*job.queue], ready.to);
      until = std::min(until, latest_start(*job.queue));
    } else if (job.queue) {
      unknowns.push_back({*job.queue, ready.from, behind});
    }
  }
  std::vector<bool> asked(queues_.size());
  for (std::size_t q = 0; q < queues_.size(); ++q) {
    if (latest_start(q) != until) continue;
    asked[q] = true;
    break;
  }
  for (bool more = true; more;) {
    more = false;
    for (const Unknown& job : unknowns) {
      if (job.ready > until || !asked[job.queue]) continue;
      if (std::any_of(job.behind.begin(), job.behind.end(), [&](std::size_t q) { return asked[q]; })) continue;
      need(!job.behind.empty(), "a job waits for what has ended");
      asked[*job.behind.begin()] = true;
      more = true;
    }
  }
  for (const Ready& i : ready_) {
    const Job& job = at(i.job);
    if (!asked[*job.queue]) continue;
    const Int earliest = std::max(i.at.from, state.free[*job.queue].front().from);
    Int last = std::min(until, job.stated + begin(i.job) - least(job));
    if (stays_behind(state, i, last) || earliest > last) continue;
    start(state, i, {earliest, last}, asked);
  }
}

/// Whether o goes first whenever both are there.
bool ReachableEnds::is_ahead(const Ready& o, const Ready& i) const {
  const Job& a = at(o.job);
  const Job& b = at(i.job);
  const Pool& pool = set_.pools[queues_[*a.queue].pool];
  if (pool.scheduler == "FP") return node(a).fixed_priority > node(b).fixed_priority;
  return a.nominal + begin(o.job) + (set_.dags[a.dag].J + *certificate_.claims[a.dag][a.node].Y) * 2 <
         b.nominal + begin(i.job) + *certificate_.claims[b.dag][b.node].Y * 2;
}

/// Rules 3 and 6: whether another goes first for certain; else `last` is no later than when that begins.
bool ReachableEnds::stays_behind(const State& state, const Ready& i, Int& last) {
  const std::size_t q = *at(i.job).queue;
  const Pool& pool = set_.pools[queues_[q].pool];
  if (by_ready(pool)) return std::max(i.at.from, state.queued[q]) > first_ready_[q];
  look(1 + ready_.size() / 4);
  for (const Ready& o : ready_) {
    if (at(o.job).queue != q || o.job == i.job) continue;
    if (is_ahead(o, i)) last = std::min(last, o.seen);
    const bool equal = pool.scheduler == "FP" && node(at(o.job)).fixed_priority == node(at(i.job)).fixed_priority;
    if (equal && !pool.equals_any() && o.at.to < i.at.from) return true;
  }
  return false;
}

/// Its items start one after another, the first one at `when`; the end of the last one.
ReachableEnds::Span ReachableEnds::serve(State& after, const Ready& i, Span when) {
  const Job& job = at(i.job);
  std::vector<Span>& free = after.free[*job.queue];
  const Int stated = job.stated + begin(i.job);
  const Int items = set_.pools[node(job).pool].kind == Kind::workers ? node(job).B : Int(1);
  look(static_cast<std::size_t>(items.raw()));
  Span end;
  for (Int item = 0; item < items; item += 1) {
    if (item > 0) {
      when = {std::max(when.from, free.front().from), std::min(std::max(when.to, free.front().to), stated - least(job))};
      for (Span& one : free) one = {std::max(one.from, when.from), std::max(one.to, when.from)};
    }
    end = {when.from + least(job), std::min(when.to + length(job), stated)};
    if (end.from > end.to) return end;
    free.front() = end;
    std::vector<Int> from, to;
    for (const Span& one : free) {
      from.push_back(one.from);
      to.push_back(one.to);
    }
    std::sort(from.begin(), from.end());
    std::sort(to.begin(), to.end());
    for (std::size_t x = 0; x < from.size(); ++x) free[x] = {from[x], to[x]};
  }
  return end;
}

/// The kernel is ready within `when`, the next one no sooner, and all have ended by the later side.
ReachableEnds::Span ReachableEnds::serve_in_turn(State& after, const Ready& i, Span when) const {
  const Job& job = at(i.job);
  Span& free = after.free[*job.queue].front();
  const Int latest = std::max(when.to, free.to) + length(job);
  const Int stated = job.stated + begin(i.job);
  free.to = std::min(latest, std::max(free.to, stated));
  return {when.from + least(job), std::min(latest, stated)};
}

/// The state after the job's start; nothing was dispatched before on the queues that were asked.
void ReachableEnds::start(const State& state, const Ready& i, Span when, const std::vector<bool>& asked) {
  const Job& job = at(i.job);
  const std::size_t q = *job.queue;
  look(16 + state.ends.size() + state.cut.taken.size());
  State after = state;
  for (std::size_t p = 0; p < queues_.size(); ++p) {
    if (!asked[p]) continue;
    for (Span& free : after.free[p]) free = {std::max(free.from, when.from), std::max(free.to, when.from)};
  }
  const Span end = queues_[q].in_turn ? serve_in_turn(after, i, when) : serve(after, i, when);
  if (end.from > end.to) return;  // no schedule
  note(i.job, end.to);
  after.queued[q] = std::max(after.queued[q], i.at.from);
  std::set<std::size_t> changed{q};
  for (const Place away : job.before) {
    const auto before = after.ends.find(i.job + away);
    if (before == after.ends.end() || before->second.to <= when.to) continue;
    before->second.to = when.to;
    if (at(before->first).queue) changed.insert(*at(before->first).queue);
  }
  dispatch(after, i.job, end);
  for (const std::size_t p : changed) count(after, p);
  forget(after);
  keep(std::move(after));
}

/// A job on a pool that nobody follows.
void ReachableEnds::end_alone(const State& state, const Ready& i) {
  const Job& job = at(i.job);
  const Span end{i.at.from + least(job), job.stated + begin(i.job)};
  if (end.from > end.to) return;  // no schedule
  note(i.job, end.to);
  State after = state;
  dispatch(after, i.job, end);
  forget(after);
  keep(std::move(after));
}

void ReachableEnds::note(Place place, Int end) {
  const Job& job = at(place);
  auto& latest = latest_[job.dag][job.node];
  const Int each = static_cast<Int::Raw>(latest.size());
  const Int n = job.number - floor_div(job.number, each) * each;
  Int& of_job = latest[static_cast<std::size_t>(n.raw())];
  of_job = std::max(of_job, end - begin(place) - job.nominal);
}

void ReachableEnds::dispatch(State& state, Place job, Span end) const {
  state.ends[job] = end;
  Cut& cut = state.cut;
  cut.taken.insert(std::lower_bound(cut.taken.begin(), cut.taken.end(), job), job);
  std::size_t passed = 0;
  while (passed < cut.taken.size() && cut.taken[passed] == cut.first) {
    ++passed;
    ++cut.first;
  }
  cut.taken.erase(cut.taken.begin(), cut.taken.begin() + static_cast<std::ptrdiff_t>(passed));
}

/// The x-th server is done when all but m - x of the jobs that may run have ended, and not before all but m - x can have.
void ReachableEnds::count(State& state, std::size_t q) const {
  std::vector<Int> from, to;
  for (const auto& [job, end] : state.ends) {
    if (at(job).queue != q) continue;
    if (!queues_[q].in_turn) from.push_back(end.from);  // the next kernel may be ready before this one ends
    to.insert(to.end(), at_once(at(job)), end.to);
  }
  std::sort(from.begin(), from.end(), std::greater<>());
  std::sort(to.begin(), to.end(), std::greater<>());
  const std::size_t m = queues_[q].servers;
  for (std::size_t x = 0; x < m; ++x) {
    Span& free = state.free[q][x];
    const std::size_t running = m - 1 - x;
    Int done = state.ended[q];
    if (running < to.size()) {
      done = std::max(done, to[running]);
      if (running < from.size()) free.from = std::max(free.from, from[running]);
    }
    free.to = std::max(free.from, std::min(free.to, done));
  }
}

/// No server is asked before a job of its queue can be ready; an end matters while others wait for it, or the job may run.
void ReachableEnds::forget(State& state) const {
  const auto taken = [&](Place job) {
    return job < state.cut.first || std::binary_search(state.cut.taken.begin(), state.cut.taken.end(), job);
  };
  for (std::size_t q = 0; q < queues_.size(); ++q) {
    Place x = state.cut.first;
    while (taken(x) || at(x).queue != q) ++x;
    const Int low = std::max(at(x).earliest + begin(x), state.free[q].front().from);
    for (Span& free : state.free[q]) free = {std::max(free.from, low), std::max(free.to, low)};
  }
  for (auto one = state.ends.begin(); one != state.ends.end();) {
    const Job& job = at(one->first);
    Int waits = never;
    for (const Place away : job.after) {
      if (!taken(one->first + away)) waits = std::min(waits, at(one->first + away).earliest + begin(one->first + away));
    }
    Span& end = one->second;
    if (waits < never) {
      if (end.from <= waits) end = {unknown, std::max(end.to, waits)};
      ++one;
    } else if (!job.queue) {
      one = state.ends.erase(one);
    } else if (queues_[*job.queue].servers == 1 || end.to <= state.free[*job.queue].front().from) {
      state.ended[*job.queue] = std::max(state.ended[*job.queue], end.to);
      one = state.ends.erase(one);
    } else {
      ++one;
    }
  }
}

/// With the first state of the same cut that it overlaps, or by itself.
void ReachableEnds::keep(State state) {
  const auto overlap = [](const Span& a, const Span& b) { return a.from <= b.to && b.from <= a.to; };
  const auto all_overlap = [&](const State& a) {
    for (std::size_t q = 0; q < queues_.size(); ++q) {
      if (!std::equal(a.free[q].begin(), a.free[q].end(), state.free[q].begin(), overlap)) return false;
    }
    return std::all_of(a.ends.begin(), a.ends.end(), [&](const auto& end) {
      const auto own = state.ends.find(end.first);
      return own == state.ends.end() || overlap(end.second, own->second);
    });
  };
  std::vector<std::size_t>& same = same_cut_[state.cut];
  for (const std::size_t i : same) {
    look(4 + state.ends.size());
    if (!all_overlap(next_[i])) continue;
    join(next_[i], state);
    return;
  }
  same.push_back(next_.size());
  next_.push_back(std::move(state));
}

/// a becomes what holds of either.
void ReachableEnds::join(State& a, const State& b) const {
  for (std::size_t q = 0; q < queues_.size(); ++q) {
    for (std::size_t x = 0; x < a.free[q].size(); ++x) {
      a.free[q][x] = {std::min(a.free[q][x].from, b.free[q][x].from), std::max(a.free[q][x].to, b.free[q][x].to)};
    }
  }
  for (auto& [job, end] : a.ends) {
    const auto other = b.ends.find(job);
    if (other != b.ends.end()) {
      end = {std::min(end.from, other->second.from), std::max(end.to, other->second.to)};
    } else {
      need(at(job).queue.has_value(), "an end is known in one state alone");
      end = {unknown, std::max(end.to, b.ended[*at(job).queue])};
    }
  }
  for (const auto& [job, end] : b.ends) {
    if (a.ends.count(job) > 0) continue;
    need(at(job).queue.has_value(), "an end is known in one state alone");
    a.ends[job] = {unknown, std::max(end.to, a.ended[*at(job).queue])};
  }
  for (std::size_t q = 0; q < queues_.size(); ++q) {
    a.ended[q] = std::max(a.ended[q], b.ended[q]);
    a.queued[q] = std::min(a.queued[q], b.queued[q]);
  }
}

/// Whether all that `later` stands for is, a hyperperiod before, in a.
bool ReachableEnds::contains(const State& a, const State& later) const {
  const Int H = H_ * 2;
  const auto within = [&](const Span& own, const Span& of) {
    return own.to <= of.to + H && (of.from == unknown || own.from >= of.from + H);
  };
  for (std::size_t q = 0; q < queues_.size(); ++q) {
    if (!std::equal(later.free[q].begin(), later.free[q].end(), a.free[q].begin(), within)) return false;
    if (later.ended[q] > a.ended[q] + H || (a.queued[q] != unknown && later.queued[q] < a.queued[q] + H)) return false;
  }
  for (const auto& [job, end] : later.ends) {
    const auto of = a.ends.find(job - N_);
    const std::optional<std::size_t>& q = at(job).queue;
    if (of != a.ends.end() ? !within(end, of->second) : !q || end.to > a.ended[*q] + H) return false;
  }
  return std::all_of(a.ends.begin(), a.ends.end(), [&](const auto& of) {
    if (later.ends.count(of.first + N_) > 0) return true;
    const std::optional<std::size_t>& q = at(of.first).queue;
    return q && within({unknown, later.ended[*q]}, of.second);
  });
}

}  // namespace checker
