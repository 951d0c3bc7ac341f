#include "windows_state.hpp"

#include <algorithm>
#include <bit>
#include <set>

namespace rta::static_order {

WindowsState::WindowsState(const Problem& problem)
    : problem_(problem),
      contention_(problem),
      start_(problem.size()),
      end_(problem.size()),
      options_(problem.options.size()),
      queued_(problem.size(), 0),
      dirty_machine_(problem.machines.size(), 0) {}

bool WindowsState::interchangeable(ChoiceId choice, std::uint32_t a, std::uint32_t b) const {
  if (a == b) return true;
  // All needs of the choice must have each of the two machines to itself alone or together with the same others.
  for (const std::uint32_t of : problem_.needs_on(choice)) {
    const MachineId first = problem_.needs[of].machine[a];
    const MachineId second = problem_.needs[of].machine[b];
    if (first == second) continue;
    if (problem_.follower[first] != none || problem_.machines[first].follows != none || problem_.follower[second] != none ||
        problem_.machines[second].follows != none)
      return false;
    if (contention_.needs_of_machine[first] != contention_.needs_of_machine[second]) return false;
    for (const std::uint32_t need : contention_.needs_of_machine[first]) {
      const std::uint64_t left = possible(need);
      bool takes_first = false;
      bool takes_second = false;
      for (std::uint32_t o = 0; o < problem_.needs[need].machine.size(); ++o) {
        if ((left >> o & 1U) == 0) continue;
        takes_first = takes_first || problem_.needs[need].machine[o] == first;
        takes_second = takes_second || problem_.needs[need].machine[o] == second;
      }
      if (takes_first != takes_second) return false;
      // A choice that other needs hang on could tell them apart.
      if (problem_.needs[need].choice == none || problem_.needs_on(problem_.needs[need].choice).size() > 1) return false;
    }
  }
  return true;
}

bool WindowsState::reset(std::span<const Ns> due) {
  trail_.clear();
  side_ = contention_.given;
  for (ChoiceId c = 0; c < options_.size(); ++c) {
    const std::uint32_t count = problem_.options[c];
    options_[c] = count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
  }
  for (TaskId t = 0; t < problem_.size(); ++t) {
    start_[t] = problem_.tasks[t].release;
    end_[t] = std::min(due[t], never);
  }
  for (TaskId t = 0; t < problem_.size(); ++t) {
    if (start_[t] + problem_.tasks[t].length > end_[t]) return fail(t);
    touch(t);
  }
  return propagate();
}

void WindowsState::back_to(Level level) {
  while (trail_.size() > level) {
    const Change& change = trail_.back();
    switch (change.kind) {
      case Kind::start: start_[change.index] = change.old; break;
      case Kind::end: end_[change.index] = change.old; break;
      case Kind::side: side_[change.index] = static_cast<Side>(change.old); break;
      case Kind::options: options_[change.index] = static_cast<std::uint64_t>(change.old); break;
    }
    trail_.pop_back();
  }
  for (const TaskId t : queue_) queued_[t] = 0;
  for (const MachineId m : dirty_machines_) dirty_machine_[m] = 0;
  queue_.clear();
  dirty_machines_.clear();
  groups_dirty_ = false;
}

bool WindowsState::decide(std::uint32_t pair, Side side) { return set_side(pair, side) && propagate(); }

bool WindowsState::keep_only(ChoiceId choice, std::uint32_t option) {
  return set_options(choice, std::uint64_t{1} << option) && propagate();
}

bool WindowsState::drop(ChoiceId choice, std::uint64_t options) { return set_options(choice, options_[choice] & ~options) && propagate(); }

bool WindowsState::fail(TaskId t) {
  culprit_ = t;
  return false;
}

void WindowsState::touch(TaskId t) {
  groups_dirty_ = true;
  if (queued_[t] == 0) {
    queued_[t] = 1;
    queue_.push_back(t);
  }
  for (std::uint32_t need = problem_.first_need[t]; need < problem_.first_need[t + 1]; ++need) {
    const std::uint64_t left = possible(need);
    if (!std::has_single_bit(left)) continue;
    const MachineId m = problem_.needs[need].machine[static_cast<std::size_t>(std::countr_zero(left))];
    if (dirty_machine_[m] != 0) continue;
    dirty_machine_[m] = 1;
    dirty_machines_.push_back(m);
  }
}

std::uint64_t WindowsState::possible(std::uint32_t need) const {
  const ChoiceId choice = problem_.needs[need].choice;
  return choice == none ? 1 : options_[choice];
}

bool WindowsState::bound_to(std::uint32_t need, MachineId m) const {
  std::uint64_t left = possible(need);
  for (; left != 0; left &= left - 1) {
    if (problem_.needs[need].machine[static_cast<std::size_t>(std::countr_zero(left))] != m) return false;
  }
  return true;
}

bool WindowsState::start_at(TaskId t, Ns time) {
  if (time <= start_[t]) return true;
  if (time + problem_.tasks[t].length > end_[t]) return fail(t);
  trail_.push_back({Kind::start, t, start_[t]});
  start_[t] = time;
  touch(t);
  return true;
}

bool WindowsState::end_at(TaskId t, Ns time) {
  if (time >= end_[t]) return true;
  if (start_[t] + problem_.tasks[t].length > time) return fail(t);
  trail_.push_back({Kind::end, t, end_[t]});
  end_[t] = time;
  touch(t);
  return true;
}

bool WindowsState::set_side(std::uint32_t pair, Side side) {
  if (side_[pair] == side) return true;
  const auto [a, b, twin] = contention_.pairs[pair];
  if (side_[pair] != Side::open) return fail(a);
  trail_.push_back({Kind::side, pair, static_cast<std::int64_t>(side_[pair])});
  side_[pair] = side;
  const TaskId first = side == Side::a_first ? a : b;
  const TaskId second = side == Side::a_first ? b : a;
  if (!start_at(second, start_[first] + problem_.tasks[first].length)) return false;
  if (!end_at(first, end_[second] - problem_.tasks[second].length)) return false;
  return twin == none || settle_twin(pair);
}

// Submitters on one stream and their submittees have the same order, once it is known that they share a stream.
bool WindowsState::settle_twin(std::uint32_t pair) {
  if (!share_stream(pair)) return true;
  const auto [a, b, twin] = contention_.pairs[pair];
  const TaskId first = side_[pair] == Side::a_first ? a : b;
  const bool submitters =
      problem_.tasks[a].submittee == contention_.pairs[twin].a || problem_.tasks[a].submittee == contention_.pairs[twin].b;
  const TaskId first_twin = submitters ? problem_.tasks[first].submittee : problem_.submitter[first];
  return set_side(twin, contention_.pairs[twin].a == first_twin ? Side::a_first : Side::b_first);
}

bool WindowsState::set_options(ChoiceId choice, std::uint64_t options) {
  if (options == options_[choice]) return true;
  if (options == 0) return fail(problem_.needs[problem_.needs_on(choice).front()].task);
  trail_.push_back({Kind::options, choice, static_cast<std::int64_t>(options_[choice])});
  options_[choice] = options;
  for (const std::uint32_t need : problem_.needs_on(choice)) touch(problem_.needs[need].task);
  return true;
}

bool WindowsState::propagate() {
  constexpr std::uint32_t suspicious = 64;
  visits_.assign(problem_.size(), 0);
  for (;;) {
    while (!queue_.empty()) {
      const TaskId t = queue_.back();
      queue_.pop_back();
      queued_[t] = 0;
      // Tasks that push one another round and round would do so until a window is empty.
      if (++visits_[t] % suspicious == 0 && order().size() < problem_.size()) return fail(t);
      if (!propagate_task(t)) return false;
    }
    if (!dirty_machines_.empty()) {
      const MachineId m = dirty_machines_.back();
      dirty_machines_.pop_back();
      dirty_machine_[m] = 0;
      if (!propagate_machine(m)) return false;
      continue;
    }
    if (!groups_dirty_) return true;
    groups_dirty_ = false;
    for (const MachineGroup& group : contention_.groups) {
      if (!fits(group)) return false;
    }
    return true;
  }
}

std::vector<TaskId> WindowsState::order() const {
  std::vector<std::vector<TaskId>> next(problem_.size());
  std::vector<std::uint32_t> waits(problem_.size(), 0);
  for (const Arc& arc : problem_.arcs) next[arc.from].push_back(arc.to);
  for (std::uint32_t p = 0; p < contention_.pairs.size(); ++p) {
    if (side_[p] == Side::a_first) next[contention_.pairs[p].a].push_back(contention_.pairs[p].b);
    if (side_[p] == Side::b_first) next[contention_.pairs[p].b].push_back(contention_.pairs[p].a);
  }
  for (const auto& behind : next) {
    for (const TaskId t : behind) ++waits[t];
  }
  std::set<std::pair<Ns, TaskId>> ready;
  for (TaskId t = 0; t < problem_.size(); ++t) {
    if (waits[t] == 0) ready.emplace(start_[t], t);
  }
  std::vector<TaskId> order;
  while (!ready.empty()) {
    const TaskId first = ready.begin()->second;
    ready.erase(ready.begin());
    order.push_back(first);
    for (const TaskId t : next[first]) {
      if (--waits[t] == 0) ready.emplace(start_[t], t);
    }
  }
  return order;
}

bool WindowsState::propagate_task(TaskId t) {
  for (const Arc& arc : problem_.outof(t)) {
    ++steps_;
    if (!start_at(arc.to, start_[t] + lag(problem_, arc))) return false;
  }
  for (const Arc& arc : problem_.into(t)) {
    ++steps_;
    // `from` must start in time for t to start by its latest start.
    const Ns latest = end_[t] - problem_.tasks[t].length - lag(problem_, arc);
    if (!end_at(arc.from, latest + problem_.tasks[arc.from].length)) return false;
  }
  for (const std::uint32_t pair : contention_.pairs_of_task[t]) {
    ++steps_;
    if (!propagate_pair(pair)) return false;
  }
  return true;
}

bool WindowsState::propagate_pair(std::uint32_t pair) {
  const auto [a, b, twin] = contention_.pairs[pair];
  const Ns length_a = problem_.tasks[a].length;
  const Ns length_b = problem_.tasks[b].length;
  if (side_[pair] != Side::open && twin != none && !settle_twin(pair)) return false;
  switch (side_[pair]) {
    case Side::a_first: return start_at(b, start_[a] + length_a) && end_at(a, end_[b] - length_b);
    case Side::b_first: return start_at(a, start_[b] + length_b) && end_at(b, end_[a] - length_a);
    case Side::open: break;
  }
  const bool a_first = start_[a] + length_a <= end_[b] - length_b;
  const bool b_first = start_[b] + length_b <= end_[a] - length_a;
  if (a_first && b_first) return true;
  if (share_for_sure(a, b)) {
    if (!a_first && !b_first) return fail(a);
    return set_side(pair, a_first ? Side::a_first : Side::b_first);
  }
  return a_first || b_first || part(a, b);
}

// The two cannot share a machine: where one is bound to it, the other cannot take it.
bool WindowsState::part(TaskId a, TaskId b) {
  for (const auto& [bound, free] : {std::pair{a, b}, std::pair{b, a}}) {
    for (std::uint32_t need = problem_.first_need[bound]; need < problem_.first_need[bound + 1]; ++need) {
      if (!std::has_single_bit(possible(need))) continue;
      const MachineId m = problem_.needs[need].machine[static_cast<std::size_t>(std::countr_zero(possible(need)))];
      for (std::uint32_t at = problem_.first_need[free]; at < problem_.first_need[free + 1]; ++at) {
        const Need& n = problem_.needs[at];
        if (n.choice == none) continue;
        std::uint64_t left = options_[n.choice];
        for (std::uint32_t o = 0; o < n.machine.size(); ++o) {
          if (n.machine[o] == m) left &= ~(std::uint64_t{1} << o);
        }
        if (!set_options(n.choice, left)) return false;
      }
    }
  }
  return true;
}

bool WindowsState::share_for_sure(TaskId a, TaskId b) const {
  for (std::uint32_t need = problem_.first_need[a]; need < problem_.first_need[a + 1]; ++need) {
    const std::uint64_t left = possible(need);
    if (!std::has_single_bit(left)) continue;
    const MachineId m = problem_.needs[need].machine[static_cast<std::size_t>(std::countr_zero(left))];
    for (std::uint32_t at = problem_.first_need[b]; at < problem_.first_need[b + 1]; ++at) {
      if (bound_to(at, m)) return true;
    }
  }
  return false;
}

// Whether both tasks of a pair are bound to one stream, as submitters or as submittees.
bool WindowsState::share_stream(std::uint32_t pair) const {
  const auto [a, b, twin] = contention_.pairs[pair];
  for (std::uint32_t need = problem_.first_need[a]; need < problem_.first_need[a + 1]; ++need) {
    const std::uint64_t left = possible(need);
    if (!std::has_single_bit(left)) continue;
    const MachineId m = problem_.needs[need].machine[static_cast<std::size_t>(std::countr_zero(left))];
    if (problem_.follower[m] == none && problem_.machines[m].follows == none) continue;
    for (std::uint32_t at = problem_.first_need[b]; at < problem_.first_need[b + 1]; ++at) {
      if (bound_to(at, m)) return true;
    }
  }
  return false;
}

bool WindowsState::contended(std::uint32_t pair) const {
  return side_[pair] == Side::open && share_for_sure(contention_.pairs[pair].a, contention_.pairs[pair].b);
}

bool WindowsState::propagate_machine(MachineId m) {
  windows_.clear();
  for (const std::uint32_t need : contention_.needs_of_machine[m]) {
    if (!bound_to(need, m)) continue;
    const TaskId t = problem_.needs[need].task;
    windows_.push_back({t, start_[t], end_[t], problem_.tasks[t].length});
  }
  if (windows_.size() < 2) return true;
  steps_ += windows_.size() * 16;
  if (!filter_.narrow(windows_)) return fail(windows_[steps_ % windows_.size()].task);
  return std::ranges::all_of(windows_, [&](const Window& w) { return start_at(w.task, w.start) && end_at(w.task, w.end); });
}

// The tasks of several machines have room for their lengths between every release and every due time.
bool WindowsState::fits(const MachineGroup& group) {
  window_order_.assign(group.tasks.begin(), group.tasks.end());
  std::ranges::sort(window_order_, {}, [&](TaskId t) { return start_[t]; });
  by_end_.assign(group.tasks.begin(), group.tasks.end());
  std::ranges::sort(by_end_, {}, [&](TaskId t) { return end_[t]; });
  steps_ += group.tasks.size() * group.tasks.size() / 4;
  for (const TaskId first : window_order_) {
    const Ns from = start_[first];
    Ns work = 0;
    for (const TaskId t : by_end_) {
      if (start_[t] < from) continue;
      work += problem_.tasks[t].length;
      if (work > (end_[t] - from) * static_cast<Ns>(group.machines)) return fail(t);
    }
  }
  return true;
}

}  // namespace rta::static_order
