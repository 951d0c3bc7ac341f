#include "tabu.hpp"

#include <algorithm>

#include "critical_path.hpp"

namespace rta::static_order {
namespace {

constexpr std::uint32_t machine_flag = 0x8000'0000U;  // in place of a second task: a machine
constexpr std::size_t long_block = 16;
constexpr std::size_t most_options = 64;  // rated in one iteration
constexpr std::size_t most_flows = 4;     // likewise; each is evaluated in full

}  // namespace

TabuSearch::TabuSearch(const Problem& problem) : problem_(problem), evaluate_(problem), mover_(problem, current_), tabu_(problem.size()) {
  std::size_t unary = 1;
  for (const Machine& m : problem.machines) unary += static_cast<std::size_t>(m.capacity == 1);
  tenure_ = static_cast<std::uint32_t>(10 + std::min<std::size_t>(15, problem.needs.size() / unary / unary));
}

void TabuSearch::begin(const Order& order, std::span<const Ns> due) {
  current_ = order;
  due_ = due;
  steps_ = 0;
  tabu_.clear();
  static_cast<void>(evaluate_(current_, due_, times_));
  best_ = current_;
  best_times_ = times_;
  best_lateness_ = times_.lateness;
}

bool TabuSearch::iterate(Random& random) {
  ++now_;
  steps_ += problem_.size();
  walk_critical_path(problem_, current_, times_, due_, random, path_);
  rate_moves(random);
  if (!try_best(random) || times_.lateness >= best_lateness_) return false;
  best_ = current_;
  best_times_ = times_;
  best_lateness_ = times_.lateness;
  return true;
}

// The machine on which b follows a at once; none: there is no such machine.
std::uint32_t TabuSearch::shared(TaskId a, TaskId b) const {
  for (std::uint32_t need = problem_.first_need[a]; need < problem_.first_need[a + 1]; ++need) {
    const std::uint32_t next = current_.next(need);
    if (next != none && problem_.needs[next].task == b && problem_.machines[current_.machine(need)].capacity == 1) return need;
  }
  return none;
}

void TabuSearch::rate_moves(Random& random) {
  moves_.clear();
  for (std::size_t i = 0; i + 1 < path_.size();) {
    std::uint32_t need = shared(path_[i], path_[i + 1]);
    if (need == none) {
      ++i;
      continue;
    }
    line_.assign(1, need);
    std::size_t last = i;
    while (last + 1 < path_.size() && current_.next(need) != none && problem_.needs[current_.next(need)].task == path_[last + 1]) {
      need = current_.next(need);
      line_.push_back(need);
      ++last;
    }
    rate_block(random);
    i = last;
  }
  rate_flows(random);
  std::size_t alternatives = 0;
  for (const TaskId t : path_) alternatives += count_options(t);
  if (alternatives == 0) return;
  const auto keep = static_cast<std::uint32_t>(std::min<std::size_t>(1000, most_options * 1000 / alternatives));
  for (const TaskId t : path_) {
    if (count_options(t) > 0 && random.below(1000) < std::max(keep, 1U)) rate_options(t);
  }
}

std::size_t TabuSearch::count_options(TaskId t) const {
  std::size_t count = 0;
  for (std::uint32_t need = problem_.first_need[t]; need < problem_.first_need[t + 1]; ++need)
    count += problem_.needs[need].machine.size() - 1;
  return count;
}

// The needs in `line_` follow one another on a machine, each as early as the one before lets it.
void TabuSearch::rate_block(Random& random) {
  block_ = line_;
  const std::size_t last = block_.size() - 1;
  rate_behind(block_[0], block_[1]);
  if (last == 1) return;
  rate_behind(block_[last - 1], block_[last]);
  const auto rate = [&](std::size_t i) {
    if (i > 0) rate_before(block_[i], block_[0]);
    if (i < last) rate_behind(block_[i], block_[last]);
    if (i > 1) rate_behind(block_[0], block_[i]);
    if (i + 1 < last) rate_before(block_[last], block_[i]);
  };
  if (block_.size() <= long_block) {
    for (std::size_t i = 0; i <= last; ++i) rate(i);
    return;
  }
  for (int k = 0; k < 4; ++k) {
    const std::size_t i = random.below(static_cast<std::uint32_t>(last));
    const std::size_t far = std::min(last, i + 1 + random.below(long_block));
    rate_behind(block_[i], block_[far]);
    rate_before(block_[far], block_[i]);
  }
}

Ns TabuSearch::head_without(TaskId t, MachineId m) const {
  Ns head = problem_.tasks[t].release;
  for (const Arc& arc : problem_.into(t)) head = std::max(head, times_.start[arc.from] + lag(problem_, arc));
  for (std::uint32_t need = problem_.first_need[t]; need < problem_.first_need[t + 1]; ++need) {
    const std::uint32_t before = current_.prev(need);
    if (before == none || current_.machine(need) == m || problem_.machines[current_.machine(need)].capacity > 1) continue;
    const TaskId from = problem_.needs[before].task;
    head = std::max(head, times_.start[from] + problem_.tasks[from].length);
  }
  return head;
}

Ns TabuSearch::tail_without(TaskId t, MachineId m) const {
  const Ns length = problem_.tasks[t].length;
  Ns tail = length - due_[t];
  for (const Arc& arc : problem_.outof(t)) tail = std::max(tail, times_.tail[arc.to] + lag(problem_, arc));
  for (std::uint32_t need = problem_.first_need[t]; need < problem_.first_need[t + 1]; ++need) {
    const std::uint32_t after = current_.next(need);
    if (after == none || current_.machine(need) == m || problem_.machines[current_.machine(need)].capacity > 1) continue;
    tail = std::max(tail, length + times_.tail[problem_.needs[after].task]);
  }
  return tail;
}

// From when a machine is free whose last task has this need.
Ns TabuSearch::end_of(std::uint32_t need) const {
  if (need == none) return -never;
  const TaskId t = problem_.needs[need].task;
  return times_.start[t] + problem_.tasks[t].length;
}

// Whether no arc leads from t on to `later`: t may then move behind it.
bool TabuSearch::may_follow(TaskId t, TaskId later) const {
  return std::ranges::none_of(
      problem_.outof(t), [&](const Arc& arc) { return arc.to == later || times_.tail[arc.to] - least_lag(arc.to) >= times_.tail[later]; });
}

bool TabuSearch::may_precede(TaskId t, TaskId earlier) const {
  return std::ranges::none_of(problem_.into(t), [&](const Arc& arc) {
    return arc.from == earlier || times_.start[arc.from] >= times_.start[earlier] + least_lag(earlier);
  });
}

void TabuSearch::rate_behind(std::uint32_t need, std::uint32_t other) {
  const MachineId m = current_.machine(need);
  const TaskId u = problem_.needs[need].task;
  if (!may_follow(u, problem_.needs[other].task)) return;
  bool tabu = false;
  line_.clear();
  Ns free = end_of(current_.prev(need));
  heads_.clear();
  for (std::uint32_t at = need; at != other;) {
    at = current_.next(at);
    const TaskId t = problem_.needs[at].task;
    line_.push_back(t);
    tabu = tabu || tabu_.forbidden(t, u, now_);
    heads_.push_back(std::max(head_without(t, m), free));
    free = heads_.back() + problem_.tasks[t].length;
  }
  line_.push_back(u);
  heads_.push_back(std::max(head_without(u, m), free));
  rate_line(m, current_.next(other), {Move::Kind::behind, need, other, none}, tabu);
}

void TabuSearch::rate_before(std::uint32_t need, std::uint32_t other) {
  const MachineId m = current_.machine(need);
  const TaskId u = problem_.needs[need].task;
  if (!may_precede(u, problem_.needs[other].task)) return;
  bool tabu = false;
  line_.assign(1, u);
  Ns free = end_of(current_.prev(other));
  heads_.assign(1, std::max(head_without(u, m), free));
  free = heads_.back() + problem_.tasks[u].length;
  for (std::uint32_t at = other; at != need; at = current_.next(at)) {
    const TaskId t = problem_.needs[at].task;
    line_.push_back(t);
    tabu = tabu || tabu_.forbidden(u, t, now_);
    heads_.push_back(std::max(head_without(t, m), free));
    free = heads_.back() + problem_.tasks[t].length;
  }
  rate_line(m, current_.next(need), {Move::Kind::before, need, other, none}, tabu);
}

// The tasks of `line_` in their new order, with their heads; `after` is the need behind them.
void TabuSearch::rate_line(MachineId m, std::uint32_t after, const Move& move, bool tabu) {
  steps_ += line_.size();
  Ns behind = after == none ? -never : times_.tail[problem_.needs[after].task];
  Ns lateness = -never * 4;
  for (std::size_t i = line_.size(); i-- > 0;) {
    const TaskId t = line_[i];
    const Ns tail = std::max(tail_without(t, m), problem_.tasks[t].length + behind);
    lateness = std::max(lateness, heads_[i] + tail);
    behind = tail;
  }
  moves_.push_back({move, lateness, tabu});
}

// Machines that hold several tasks: a pair of which one waits for the other's capacity changes places.
void TabuSearch::rate_flows(Random& random) {
  std::size_t rated = 0;
  const std::size_t from = path_.size() < 2 ? 0 : random.below(static_cast<std::uint32_t>(path_.size() - 1));
  for (std::size_t k = 0; k + 1 < path_.size() && rated < most_flows; ++k) {
    const std::size_t i = (from + k) % (path_.size() - 1);
    const TaskId a = path_[i];
    const TaskId b = path_[i + 1];
    for (std::uint32_t x = problem_.first_need[a]; x < problem_.first_need[a + 1]; ++x) {
      if (problem_.machines[current_.machine(x)].capacity == 1) continue;
      for (std::uint32_t y = problem_.first_need[b]; y < problem_.first_need[b + 1]; ++y) {
        if (current_.machine(x) != current_.machine(y) || !may_follow(a, b)) continue;
        for (const Move& move : {Move{Move::Kind::behind, x, y, none}, Move{Move::Kind::before, y, x, none}}) rate_exactly(move, a, b);
        ++rated;
      }
    }
  }
}

void TabuSearch::rate_exactly(const Move& move, TaskId first, TaskId second) {
  steps_ += problem_.size();
  if (!mover_.apply(move, times_)) return;
  if (evaluate_(current_, due_, trial_)) moves_.push_back({move, trial_.lateness, tabu_.forbidden(second, first, now_)});
  mover_.undo();
}

void TabuSearch::rate_options(TaskId t) {
  for (std::uint32_t need = problem_.first_need[t]; need < problem_.first_need[t + 1]; ++need) {
    const Need& n = problem_.needs[need];
    for (std::uint32_t o = 0; o < n.machine.size(); ++o) {
      if (n.machine[o] != current_.machine(need) && problem_.machines[n.machine[o]].follows == none) rate_option(need, o);
    }
  }
}

// Behind all that end before the task could start, and before all with shorter tails (Mastrolilli and Gambardella).
void TabuSearch::rate_option(std::uint32_t need, std::uint32_t option) {
  const TaskId t = problem_.needs[need].task;
  const MachineId m = problem_.needs[need].machine[option];
  const Ns head = head_without(t, current_.machine(need));
  const Ns tail = tail_without(t, current_.machine(need));
  const Ns length = problem_.tasks[t].length;
  std::uint32_t before = current_.last(m);
  Ns behind = -never;  // tail of what would follow
  Rated best{{Move::Kind::option, need, before, option}, never * 4, tabu_.forbidden(t, machine_flag | m, now_)};
  for (;; before = current_.prev(before)) {
    ++steps_;
    const Ns free = end_of(before);
    const Ns lateness = std::max(head, free) + std::max(tail, length + behind);
    if (lateness < best.lateness) {
      best.lateness = lateness;
      best.move.other = before;
    }
    if (before == none || free <= head) break;
    behind = times_.tail[problem_.needs[before].task];
  }
  moves_.push_back(best);
}

bool TabuSearch::try_best(Random& random) {
  while (!moves_.empty()) {
    const Rated* best = nullptr;
    std::uint32_t equal = 0;
    for (const Rated& rated : moves_) {
      if (rated.tabu && rated.lateness >= best_lateness_) continue;
      if (best != nullptr && rated.lateness > best->lateness) continue;
      if (best == nullptr || rated.lateness < best->lateness) equal = 0;
      if (random.below(++equal) == 0 || equal == 1) best = &rated;
    }
    if (best == nullptr) best = &moves_[random.below(static_cast<std::uint32_t>(moves_.size()))];
    const Move move = best->move;
    if (mover_.apply(move, times_)) {
      if (evaluate_(current_, due_, trial_)) {
        forbid(move, random);
        std::swap(times_, trial_);
        return true;
      }
      mover_.undo();
    }
    moves_[static_cast<std::size_t>(best - moves_.data())] = moves_.back();
    moves_.pop_back();
    steps_ += problem_.size();
  }
  return false;
}

// `times_` is still that of the order before the move.
void TabuSearch::forbid(const Move& move, Random& random) {
  const std::uint64_t until = now_ + random.between(tenure_, tenure_ + tenure_ / 2);
  const TaskId t = problem_.needs[move.need].task;
  if (move.kind == Move::Kind::option) {
    tabu_.remember(t, machine_flag | mover_.machine_before(move.need), until);
    return;
  }
  const bool behind = move.kind == Move::Kind::behind;
  // The moved need stands behind (or before) those that it has passed.
  std::uint32_t at = move.need;
  for (;;) {
    at = behind ? current_.prev(at) : current_.next(at);
    const TaskId passed = problem_.needs[at].task;
    const bool was_passed = behind ? times_.place[passed] > times_.place[t] : times_.place[passed] < times_.place[t];
    if (!was_passed) break;
    if (behind) {
      tabu_.remember(t, passed, until);
    } else {
      tabu_.remember(passed, t, until);
    }
    if ((behind ? current_.prev(at) : current_.next(at)) == none) break;
  }
}

}  // namespace rta::static_order
