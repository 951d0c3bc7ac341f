// The states that a system can be in after each number of dispatches, by T36's rules, which tests break one by one.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/periodic/job_sequence.hpp"
#include "analysis/periodic/state.hpp"
#include "rta/analysis/periodic/reachable_ends.hpp"
#include "rta/model/error.hpp"

namespace rta::analysis::periodic {

/// The theorem's.
struct Rules {
  static constexpr bool wait_for_ready = true;      // a server may wait for the job that is ready first
  static constexpr bool later_hyperperiods = true;  // their jobs compete, too
  static constexpr bool until_repetition = true;    // not for one hyperperiod alone
  static constexpr bool known_urgent_alone = true;  // who goes first for certain is in the queue for certain
  static constexpr bool ties_either_way = true;     // what is ready at the instant of a dispatch may go first or not, unless that is seen
  static constexpr bool between_instants = true;    // time is dense: there is none that is the last before another
  static constexpr bool zero_unseen = true;         // what takes no time may make another ready at the instant at which it starts
  static constexpr bool late_points = true;         // points move with the jitter
  static constexpr bool fifo_ties = true;           // those that were ready together go in any order
  static constexpr bool all_pools_asked = true;     // the pools of those that may come into a queue by then are looked at together
  static constexpr bool kernels_overlap = true;     // a kernel may end while the one before it runs
  static constexpr bool items_in_rows = true;       // items of a job start one after another as servers are free
  static constexpr bool items_counted = true;       // as many of a job's items may run as there are servers
};

template <class R>
class Exploration {
 public:
  static constexpr std::size_t most_pools = 64;
  enum class Outcome : std::uint8_t { repeated, states, steps, memory, stopped };
  /// A dispatch, and the state in which it happens.
  struct Step {
    std::size_t from = 0;
    std::int64_t job = 0;
    Interval start;
    std::int64_t end = 0;
  };

  Exploration(const JobSequence& sequence, const ReachLimits& limits)
      : sequence_(sequence), limits_(limits), N_(sequence.size()), H_(sequence.hyperperiod()) {
    require(sequence.queues().size() <= most_pools, "a set of pools is a word");
    latest_.assign(sequence.jobs().size(), unknown);
    worst_.resize(sequence.jobs().size());
  }

  Outcome run() {
    std::vector<State> now{beginning()};
    std::vector<State> before = now;  // a hyperperiod ago
    states_ = 1;
    made_by_.resize(1);
    std::uint64_t kept = 2 * now.front().bytes();
    std::uint64_t of_before = now.front().bytes();
    while (true) {
      next_.clear();
      bytes_ = 0;
      by_cut_.clear();
      for (const State& state : now) {
        expand(state);
        if (next_.size() + states_ > limits_.states) return Outcome::states;
        if (steps_ > limits_.steps) return Outcome::steps;
        if (bytes_ + kept > limits_.bytes) return Outcome::memory;
        if (limits_.stop && steps_ >= asked_ + steps_between) {
          asked_ = steps_;
          if (limits_.stop()) return Outcome::stopped;
        }
      }
      states_ += next_.size();
      require(!next_.empty(), "some schedule goes on");
      now.swap(next_);
      kept = bytes_ + of_before;
      ++dispatches_;
      if (dispatches_ % static_cast<std::size_t>(N_) != 0) continue;
      if (!R::until_repetition || std::ranges::all_of(now, [&](const State& state) { return is_within(state, before); }))
        return Outcome::repeated;
      before = now;
      of_before = bytes_;
      kept = 2 * bytes_;
    }
  }

  /// The latest end of each job of the sequence's hyperperiod, and of those whole hyperperiods later, as if it were that one.
  [[nodiscard]] const std::vector<std::int64_t>& latest() const { return latest_; }
  /// The dispatches that lead to the latest end of the job at this place, no more than so many of them, and its own.
  [[nodiscard]] std::vector<Step> led_to(std::int64_t place, std::size_t most) const {
    std::vector<Step> steps{worst_[static_cast<std::size_t>(place)]};
    while (steps.size() <= most && steps.back().from != 0) steps.push_back(made_by_[steps.back().from]);
    std::ranges::reverse(steps);
    return steps;
  }
  /// Of each state, by number, the dispatch that led to it first; the first has none.
  [[nodiscard]] const std::vector<Step>& made_by() const { return made_by_; }
  /// The dispatch with the latest end of the job at this place.
  [[nodiscard]] const Step& worst(std::int64_t place) const { return worst_[static_cast<std::size_t>(place)]; }
  [[nodiscard]] std::size_t states() const { return states_; }
  [[nodiscard]] std::size_t dispatches() const { return dispatches_; }
  [[nodiscard]] std::uint64_t steps() const { return steps_; }

 private:
  using Job = JobSequence::Job;
  using Queue = JobSequence::Queue;
  static constexpr std::int64_t unknown = -JobSequence::never;
  static constexpr std::uint64_t steps_between = 1'000'000;

  /// A job whose predecessors have all been dispatched.
  struct Known {
    std::int64_t job = 0;
    const Job* of = nullptr;
    std::int64_t begin = 0;  // of its hyperperiod
    Interval ready;
    std::int64_t ahead = 0;  // what is below it starts no later, on its pool
  };
  struct Waiting {
    std::size_t pool = 0;
    std::int64_t ready = 0;    // at the earliest
    std::uint64_t behind = 0;  // pools of those before it that have not been dispatched
  };

  [[nodiscard]] std::int64_t round(std::int64_t job) const { return job >= 0 ? job / N_ : -((N_ - 1 - job) / N_); }
  [[nodiscard]] const Job& at(std::int64_t job) const { return sequence_.at(job - round(job) * N_); }
  [[nodiscard]] std::int64_t earliest(std::int64_t job) const { return at(job).earliest + round(job) * H_; }

  [[nodiscard]] State beginning() const {
    State state;
    for (std::int64_t x = 0; x < N_; ++x) {  // what the phases leave out
      const Job& job = sequence_.at(x);
      for (std::int64_t n = job.number, y = x; n < 0; n += job.numbers, y += N_) state.cut.set(y);
    }
    state.cut.settle();
    state.free.resize(sequence_.servers());
    state.ended.resize(sequence_.queues().size());
    state.queued.assign(sequence_.queues().size(), unknown);
    tidy(state);
    return state;
  }

  // ---- who may be dispatched next ----

  void expand(const State& s) {
    if (!look(s)) return;
    const auto& queues = sequence_.queues();
    std::uint64_t asked = 0;
    for (std::size_t q = 0; q < queues.size() && asked == 0; ++q) {
      if (latest_start(s, q) == until_) asked = std::uint64_t{1} << q;
    }
    // Rule 1: until nobody else can be first in these queues.
    for (bool more = R::all_pools_asked; more;) {
      more = false;
      for (const Waiting& job : waiting_) {
        if (job.ready > until_ || (asked >> job.pool & 1U) == 0 || (job.behind & asked) != 0) continue;
        asked |= job.behind & (~job.behind + 1);
        more = true;
      }
    }
    for (const Known& i : known_) {
      const std::size_t q = i.of->pool;
      if ((asked >> q & 1U) == 0) continue;
      const std::int64_t first = std::max(i.ready.low, s.free[queues[q].first].low);
      std::int64_t last = std::min(until_, i.of->proven + i.begin - i.of->least);
      if (first > last || !may_be_next(s, i, last) || first > last) continue;
      dispatch(s, i, {first, last}, asked);
    }
  }

  /// Kernels in turn: dispatched when they are ready.
  [[nodiscard]] static bool overlaps(const Queue& queue) { return R::kernels_overlap && queue.in_turn; }
  /// By when the pool dispatches something.
  [[nodiscard]] std::int64_t latest_start(const State& s, std::size_t q) const {
    const Queue& queue = sequence_.queues()[q];
    if (overlaps(queue)) return first_ready_[q];
    const std::int64_t free = s.free[queue.first].high;
    return R::wait_for_ready ? std::max(free, first_ready_[q]) : free;
  }

  /// Goes through the jobs that can matter. False: one whose pool is not followed has been dispatched, or there are too many steps.
  bool look(const State& s) {
    const auto& queues = sequence_.queues();
    known_.clear();
    known_urgent_.clear();
    waiting_.clear();
    lower_.clear();
    behind_.clear();
    first_ready_.assign(queues.size(), JobSequence::never);
    until_ = JobSequence::never;
    const std::int64_t base = s.cut.base;
    std::int64_t place = base % N_;
    std::int64_t begin = base / N_ * H_;
    const std::int64_t last = R::later_hyperperiods ? JobSequence::never : (base / N_ + 1) * N_;
    for (std::int64_t x = base; x < last; ++x) {
      const Job& job = sequence_.at(place);
      if (job.earliest + begin > until_) break;
      if (++steps_ > limits_.steps) return false;
      std::int64_t low = job.earliest + begin;
      std::int64_t high = job.source ? job.latest_release + begin : unknown;
      std::int64_t zero = unknown;  // by when those before it have ended that may take no time
      std::uint64_t behind = 0;
      bool known = true;
      if (!s.cut.has(x)) {
        for (const std::int64_t away : job.before) {
          const std::int64_t y = x + away;
          if (!s.cut.has(y)) {
            const auto i = static_cast<std::size_t>(y - base);
            const Job& before = at(y);
            const bool followed = before.pool != JobSequence::nowhere;
            const std::int64_t free = followed ? s.free[queues[before.pool].first].low : unknown;
            low = std::max(low, std::max(lower_[i], free) + before.least);
            behind |= behind_[i] | (followed ? std::uint64_t{1} << before.pool : 0);
            known = false;
          } else if (const auto* ended = s.find(y)) {
            low = std::max(low, ended->end.low);
            high = std::max(high, ended->end.high);
            if (at(y).least == 0 && R::zero_unseen) zero = std::max(zero, ended->end.high);
          }
        }
        if (known) {
          const bool sees_first = !R::ties_either_way || (job.pool != JobSequence::nowhere && queues[job.pool].sees_first);
          const Known found{
              x, &job, begin, {low, high}, sees_first ? std::max(zero, R::between_instants ? just_before(high) : high - 2) : high};
          if (job.pool == JobSequence::nowhere) {
            dispatch_alone(s, found);
            return false;
          }
          known_.push_back(found);
          first_ready_[job.pool] = std::min(first_ready_[job.pool], high);
          until_ = std::min(until_, latest_start(s, job.pool));
        } else if (job.pool != JobSequence::nowhere) {
          waiting_.push_back({job.pool, low, behind});
          if (!R::known_urgent_alone) known_urgent_.push_back({x, &job, begin, {low, low}, low});
        }
      }
      lower_.push_back(low);
      behind_.push_back(behind);
      if (++place == N_) {
        place = 0;
        begin += H_;
      }
    }
    return true;
  }

  /// Rules 3 and 6; `last` becomes earlier where a more urgent job is in the queue from then on.
  [[nodiscard]] bool may_be_next(const State& s, const Known& i, std::int64_t& last) {
    const std::size_t q = i.of->pool;
    const Queue& queue = sequence_.queues()[q];
    if (queue.order == Order::ready) {
      const std::int64_t ready = std::max(i.ready.low, s.queued[q]);
      return R::fifo_ties ? ready <= first_ready_[q] : ready < first_ready_[q] || i.ready.high == first_ready_[q];
    }
    const auto ask = [&](const Known& o) {
      if (o.of->pool != q || o.job == i.job) return true;
      bool urgent = false;
      if (queue.order == Order::fixed) {
        urgent = o.of->priority > i.of->priority;
        if (queue.equals_by_ready && o.of->priority == i.of->priority && o.ready.high < i.ready.low) return false;
      } else {
        urgent = (R::late_points ? o.of->last_point : o.of->first_point) + o.begin < i.of->first_point + i.begin;
      }
      if (urgent) last = std::min(last, o.ahead);
      return true;
    };
    steps_ += known_.size() / 4;
    for (const Known& o : known_) {
      if (!ask(o)) return false;
    }
    if (!R::known_urgent_alone) {
      for (const Known& o : known_urgent_) {
        if (!ask(o)) return false;
      }
    }
    return true;
  }

  // ---- the state after a dispatch ----

  void note(const State& from, const Known& i, Interval start, std::int64_t end) {
    step_ = {from.number, i.job, start, end};
    const auto place = static_cast<std::size_t>(i.job % N_);
    if (end - i.begin <= latest_[place]) return;
    latest_[place] = end - i.begin;
    worst_[place] = step_;
  }

  void list(State& s, std::int64_t job, Interval end) const {
    const auto place = std::ranges::lower_bound(s.listed, job, {}, &State::Dispatched::job);
    s.listed.insert(place, {job, end});
    s.cut.set(job);
    s.cut.settle();
  }

  /// On a pool that is not followed.
  void dispatch_alone(const State& s, const Known& i) {
    const std::int64_t proven = i.of->proven + i.begin;
    const std::int64_t least = i.ready.low + i.of->least;
    if (least > proven) return;  // no schedule
    note(s, i, i.ready, proven);
    State after = s;
    list(after, i.job, {least, proven});
    tidy(after);
    add(std::move(after));
  }

  void dispatch(const State& s, const Known& i, Interval start, std::uint64_t asked) {
    const auto& queues = sequence_.queues();
    steps_ += 8 + s.listed.size() + s.free.size() / 4;
    State after = s;
    const std::size_t q = i.of->pool;
    for (std::size_t p = 0; p < queues.size(); ++p) {
      if ((asked >> p & 1U) == 0) continue;
      raise(after, queues[p], start.low);
    }
    const Queue& queue = queues[q];
    const Interval end = overlaps(queue) ? serve_in_turn(after.free[queue.first], i, start) : serve(after, queue, i, start);
    if (end.low > end.high) return;  // no schedule
    if (end.high > JobSequence::never / 2) throw_overflow("instants of periodic releases");
    note(s, i, start, end.high);
    if (queue.order == Order::ready) after.queued[q] = std::max(after.queued[q], i.ready.low);
    std::uint64_t touched = std::uint64_t{1} << q;
    for (const std::int64_t away : i.of->before) {  // they have ended by now
      const auto place = std::ranges::lower_bound(after.listed, i.job + away, {}, &State::Dispatched::job);
      if (place == after.listed.end() || place->job != i.job + away || place->end.high <= start.high) continue;
      place->end.high = start.high;
      const std::size_t p = at(place->job).pool;
      if (p != JobSequence::nowhere) touched |= std::uint64_t{1} << p;
    }
    list(after, i.job, end);
    for (std::size_t p = 0; p < queues.size(); ++p) {
      if ((touched >> p & 1U) != 0) count(after, p);
    }
    tidy(after);
    add(std::move(after));
  }

  /// The job's items start one after another; its end is that of the last one.
  Interval serve(State& after, const Queue& queue, const Known& i, Interval start) {
    Interval* const free = &after.free[queue.first];
    const std::int64_t proven = i.of->proven + i.begin;
    Interval end;
    const std::uint64_t items = R::items_in_rows ? i.of->pieces : 1;
    steps_ += items / 4;
    for (std::uint64_t item = 0; item < items; ++item) {
      if (item > 0) {
        start = {std::max(start.low, free[0].low), std::min(std::max(start.high, free[0].high), proven - i.of->least)};
        raise(after, queue, start.low);
      }
      end = {start.low + i.of->least, std::min(start.high + i.of->C, proven)};
      if (end.low > end.high) break;
      free[0] = end;  // then in order, each side by itself
      for (std::size_t x = 1; x < queue.servers && free[x].low < free[x - 1].low; ++x) std::swap(free[x].low, free[x - 1].low);
      for (std::size_t x = 1; x < queue.servers && free[x].high < free[x - 1].high; ++x) std::swap(free[x].high, free[x - 1].high);
    }
    return end;
  }

  /// A kernel that is ready within `when`: it takes no more than C once all before it have ended, and may be shorter beside them.
  static Interval serve_in_turn(Interval& free, const Known& i, Interval when) {
    const std::int64_t latest = std::max(when.high, free.high) + i.of->C;
    const std::int64_t proven = i.of->proven + i.begin;
    free.high = std::min(latest, std::max(free.high, proven));
    return {when.low + i.of->least, std::min(latest, proven)};
  }

  static void raise(State& s, const Queue& queue, std::int64_t low) {
    for (std::size_t x = queue.first; x < queue.first + queue.servers; ++x) {
      s.free[x].low = std::max(s.free[x].low, low);
      s.free[x].high = std::max(s.free[x].high, low);
    }
  }

  /// Of the jobs that may run so many have ended when all but the latest have, and no more before the others can have.
  void count(State& s, std::size_t p) {
    const Queue& queue = sequence_.queues()[p];
    lows_.clear();
    highs_.clear();
    for (const auto& [job, end] : s.listed) {
      if (at(job).pool != p) continue;
      if (!overlaps(queue)) lows_.push_back(end.low);  // the next kernel may be ready before
      const std::uint64_t items = R::items_counted ? at(job).pieces : 1;
      highs_.insert(highs_.end(), static_cast<std::size_t>(std::min<std::uint64_t>(items, queue.servers)), end.high);
    }
    for (auto* ends : {&lows_, &highs_}) {
      const auto most = static_cast<std::ptrdiff_t>(std::min(queue.servers, ends->size()));
      std::ranges::partial_sort(*ends, ends->begin() + most, std::ranges::greater{});
    }
    for (std::size_t x = 0; x < queue.servers; ++x) {
      Interval& free = s.free[queue.first + x];
      const std::size_t later = queue.servers - 1 - x;
      if (later < lows_.size()) free.low = std::max(free.low, lows_[later]);
      free.high = std::min(free.high, later < highs_.size() ? std::max(s.ended[p], highs_[later]) : s.ended[p]);
      free.high = std::max(free.high, free.low);
    }
  }

  /// Forgets what no longer matters.
  void tidy(State& s) const {
    const auto& queues = sequence_.queues();
    for (std::size_t q = 0; q < queues.size(); ++q) {
      std::int64_t x = s.cut.base;
      const auto following = [&](std::int64_t from) { return from + queues[q].next[static_cast<std::size_t>(from % N_)]; };
      for (x = following(x); s.cut.has(x);) x = following(x + 1);
      raise(s, queues[q], std::max(earliest(x), s.free[queues[q].first].low));
    }
    std::size_t kept = 0;
    for (State::Dispatched& one : s.listed) {
      const Job& job = at(one.job);
      std::int64_t first = JobSequence::never;  // that waits for it
      for (const std::int64_t away : job.after) {
        if (s.cut.has(one.job + away)) continue;
        first = earliest(one.job + away);
        break;
      }
      const bool followed = job.pool != JobSequence::nowhere;
      if (first == JobSequence::never) {
        if (!followed) continue;
        const Queue& queue = queues[job.pool];
        if (queue.servers == 1 || one.end.high <= s.free[queue.first].low) {
          s.ended[job.pool] = std::max(s.ended[job.pool], one.end.high);
          continue;
        }
      } else if (one.end.low <= first) {
        one.end = {unknown, std::max(one.end.high, first)};
      }
      s.listed[kept++] = one;
    }
    s.listed.resize(kept);
  }

  // ---- states with one cut ----

  [[nodiscard]] static std::size_t hash(const Cut& cut) {
    std::uint64_t value = static_cast<std::uint64_t>(cut.base) * 0x9E3779B97F4A7C15U;
    for (const std::uint64_t word : cut.taken) value = (std::rotl(value, 23) ^ word) * 0x9E3779B97F4A7C15U;
    return static_cast<std::size_t>(value ^ value >> 32);
  }

  void add(State&& s) {
    std::vector<std::size_t>& same = by_cut_[hash(s.cut)];
    for (const std::size_t i : same) {
      steps_ += 2 + s.listed.size() / 4;
      if (next_[i].cut != s.cut || !meet(next_[i], s)) continue;
      merge(next_[i], s);
      return;
    }
    same.push_back(next_.size());
    s.number = made_by_.size();
    made_by_.push_back(step_);
    bytes_ += s.bytes();
    next_.push_back(std::move(s));
  }

  [[nodiscard]] static bool overlap(const Interval& a, const Interval& b) { return a.low <= b.high && b.low <= a.high; }
  /// Calls `use(a's or null, b's or null)` for all that are listed.
  template <class A, class Use>
  static void pairs(A& a, const std::vector<State::Dispatched>& b, const Use& use) {
    auto x = a.begin();
    auto y = b.begin();
    while (x != a.end() || y != b.end()) {
      if (y == b.end() || (x != a.end() && x->job < y->job)) {
        use(&*x++, static_cast<const State::Dispatched*>(nullptr));
      } else if (x == a.end() || y->job < x->job) {
        use(decltype(&*x){nullptr}, &*y++);
      } else {
        use(&*x++, &*y++);
      }
    }
  }

  [[nodiscard]] static bool meet(const State& a, const State& b) {
    for (std::size_t x = 0; x < a.free.size(); ++x) {
      if (!overlap(a.free[x], b.free[x])) return false;
    }
    bool met = true;
    pairs(a.listed, b.listed, [&](const State::Dispatched* of_a, const State::Dispatched* of_b) {
      met = met && (of_a == nullptr || of_b == nullptr || overlap(of_a->end, of_b->end));
    });
    return met;
  }

  /// What holds of either.
  void merge(State& a, const State& b) {
    for (std::size_t x = 0; x < a.free.size(); ++x) {
      a.free[x] = {std::min(a.free[x].low, b.free[x].low), std::max(a.free[x].high, b.free[x].high)};
    }
    merged_.clear();
    pairs(a.listed, b.listed, [&](const State::Dispatched* of_a, const State::Dispatched* of_b) {
      if (of_a != nullptr && of_b != nullptr) {
        merged_.push_back({of_a->job, {std::min(of_a->end.low, of_b->end.low), std::max(of_a->end.high, of_b->end.high)}});
        return;
      }
      const State::Dispatched& one = of_a != nullptr ? *of_a : *of_b;
      const std::size_t p = at(one.job).pool;
      require(p != JobSequence::nowhere, "both states list the jobs for which others wait");
      const std::int64_t ended = (of_a != nullptr ? b : a).ended[p];
      merged_.push_back({one.job, {unknown, std::max(one.end.high, ended)}});
    });
    a.listed = merged_;
    for (std::size_t p = 0; p < a.ended.size(); ++p) {
      a.ended[p] = std::max(a.ended[p], b.ended[p]);
      a.queued[p] = std::min(a.queued[p], b.queued[p]);
    }
  }

  /// Whether it is, a hyperperiod later, no more than one of these.
  [[nodiscard]] bool is_within(const State& s, const std::vector<State>& before) {
    if (by_cut_before_.empty() || indexed_ != dispatches_) {
      by_cut_before_.clear();
      for (std::size_t i = 0; i < before.size(); ++i) by_cut_before_[hash(before[i].cut)].push_back(i);
      indexed_ = dispatches_;
    }
    Cut shifted = s.cut;
    shifted.base -= N_;
    const auto found = by_cut_before_.find(hash(shifted));
    return found != by_cut_before_.end() &&
           std::ranges::any_of(found->second, [&](std::size_t i) { return before[i].cut == shifted && is_within(s, before[i]); });
  }
  [[nodiscard]] bool is_within(const State& s, const State& of) const {
    for (std::size_t x = 0; x < s.free.size(); ++x) {
      if (s.free[x].low < of.free[x].low + H_ || s.free[x].high > of.free[x].high + H_) return false;
    }
    for (std::size_t p = 0; p < s.ended.size(); ++p) {
      if (s.ended[p] > of.ended[p] + H_ || (of.queued[p] != unknown && s.queued[p] < of.queued[p] + H_)) return false;
    }
    auto mine = s.listed;
    for (auto& one : mine) one.job -= N_;
    bool within = true;
    pairs(mine, of.listed, [&](const State::Dispatched* own, const State::Dispatched* other) {
      const std::size_t p = at(own != nullptr ? own->job : other->job).pool;
      const Interval end = own != nullptr ? own->end : Interval{unknown, p == JobSequence::nowhere ? unknown : s.ended[p]};
      const Interval allowed = other != nullptr ? other->end : Interval{unknown, p == JobSequence::nowhere ? unknown : of.ended[p]};
      within = within && end.high <= allowed.high + H_ && (allowed.low == unknown || end.low >= allowed.low + H_);
    });
    return within;
  }

  const JobSequence& sequence_;
  const ReachLimits& limits_;
  std::int64_t N_, H_;
  std::vector<std::int64_t> latest_;
  std::vector<Step> worst_;    // of each place
  std::vector<Step> made_by_;  // of each state: the dispatch that led to it first
  Step step_;
  std::size_t states_ = 0, dispatches_ = 0;
  std::uint64_t steps_ = 0, asked_ = 0;
  std::uint64_t bytes_ = 0;  // of `next_`, as it was found
  std::vector<State> next_;
  std::unordered_map<std::size_t, std::vector<std::size_t>> by_cut_, by_cut_before_;
  std::size_t indexed_ = 0;
  // Of one state.
  std::vector<Known> known_, known_urgent_;
  std::vector<Waiting> waiting_;
  std::vector<std::int64_t> lower_;    // from `base` on: when it is ready, at the earliest
  std::vector<std::uint64_t> behind_;  // likewise
  std::vector<std::int64_t> first_ready_;
  std::int64_t until_ = 0;
  std::vector<std::int64_t> lows_, highs_;
  std::vector<State::Dispatched> merged_;
};

}  // namespace rta::analysis::periodic
