#include "moves.hpp"

#include <algorithm>

namespace rta::static_order {
namespace {

constexpr std::size_t most_pairs = 400;  // a move that drags more along is not worth trying

}  // namespace

void Mover::relocate(std::uint32_t need, std::uint32_t before) {
  steps_.push_back({need, order_.prev(need)});
  order_.remove(need);
  order_.insert(need, before);
}

void Mover::undo() {
  if (!choices_.empty()) {
    // Options move all needs of a choice out, change it, and move them in again.
    const std::size_t half = steps_.size() / 2;
    for (std::size_t i = steps_.size(); i-- > half;) order_.remove(steps_[i].need);
    order_.choose(problem_, choices_.front().choice, choices_.front().option);
    for (std::size_t i = half; i-- > 0;) order_.insert(steps_[i].need, steps_[i].before);
    return;
  }
  for (std::size_t i = steps_.size(); i-- > 0;) {
    order_.remove(steps_[i].need);
    order_.insert(steps_[i].need, steps_[i].before);
  }
}

bool Mover::apply(const Move& move, const Times& times) {
  steps_.clear();
  choices_.clear();
  pairs_.clear();
  if (move.kind == Move::Kind::option) {
    change_option(move, times);
    return true;
  }
  const bool behind = move.kind == Move::Kind::behind;
  const TaskId moved = problem_.needs[move.need].task;
  const TaskId other = problem_.needs[move.other].task;
  jump(move.need, move.other, behind);
  // What has ended before the other one starts (or starts after it has ended) stays on that side on the other machines, too.
  for (std::uint32_t need = problem_.first_need[moved]; need < problem_.first_need[moved + 1]; ++need) {
    if (need == move.need) continue;
    std::uint32_t until = none;
    for (std::uint32_t at = behind ? order_.next(need) : order_.prev(need); at != none; at = behind ? order_.next(at) : order_.prev(at)) {
      const TaskId t = problem_.needs[at].task;
      const bool beyond = behind ? times.start[t] + problem_.tasks[t].length <= times.start[other]
                                 : times.start[t] >= times.start[other] + problem_.tasks[other].length;
      if (!beyond) break;
      until = at;
    }
    if (until != none) jump(need, until, behind);
  }
  if (settle(behind)) return true;
  undo();
  return false;
}

// Moves a need past all that stand between it and `until`, and `until` itself.
void Mover::jump(std::uint32_t need, std::uint32_t until, bool behind) {
  for (std::uint32_t at = need; at != until;) {
    at = behind ? order_.next(at) : order_.prev(at);
    pairs_.push_back({problem_.needs[need].task, problem_.needs[at].task});
    follow(need, at);
  }
  relocate(need, behind ? until : order_.prev(until));
}

// The order of two submitters on a stream is that of their submittees, and the other way round.
void Mover::follow(std::uint32_t need, std::uint32_t other) {
  const TaskId moved = problem_.needs[need].task;
  const TaskId passed = problem_.needs[other].task;
  const MachineId m = order_.machine(need);
  if (problem_.follower[m] != none && problem_.tasks[moved].submittee != none && problem_.tasks[passed].submittee != none)
    pairs_.push_back({problem_.tasks[moved].submittee, problem_.tasks[passed].submittee});
  if (problem_.machines[m].follows != none) pairs_.push_back({problem_.submitter[moved], problem_.submitter[passed]});
}

bool Mover::settle(bool behind) {
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    if (pairs_.size() > most_pairs) return false;
    const Pair pair = pairs_[i];
    if (!settle_pair(pair, behind)) return false;
  }
  return true;
}

// On every machine that both have, and on the machines of the stream that they share.
bool Mover::settle_pair(const Pair& pair, bool behind) {
  constexpr int farthest = 200;
  for (std::uint32_t need = problem_.first_need[pair.moved]; need < problem_.first_need[pair.moved + 1]; ++need) {
    for (std::uint32_t other = problem_.first_need[pair.other]; other < problem_.first_need[pair.other + 1]; ++other) {
      if (order_.machine(need) != order_.machine(other)) continue;
      int steps = 0;
      std::uint32_t at = need;
      while (at != none && at != other && ++steps < farthest) at = behind ? order_.next(at) : order_.prev(at);
      if (steps >= farthest) return false;
      if (at == other) jump(need, other, behind);
    }
  }
  return true;
}

void Mover::change_option(const Move& move, const Times& times) {
  const ChoiceId choice = problem_.needs[move.need].choice;
  const auto needs = problem_.needs_on(choice);
  for (const std::uint32_t need : needs) {
    steps_.push_back({need, order_.prev(need)});
    order_.remove(need);
  }
  choices_.push_back({choice, order_.option(choice)});
  order_.choose(problem_, choice, move.option);
  for (const bool followers : {false, true}) {
    for (const std::uint32_t need : needs) {
      if ((problem_.machines[order_.machine(need)].follows != none) != followers) continue;
      steps_.push_back({need, none});
      if (need == move.need) {
        order_.insert(need, move.other);
      } else if (followers) {
        place_as_submitted(need);
      } else {
        place_by_time(need, times.start[problem_.needs[need].task], times);
      }
    }
  }
}

// The need of `task` on machine `m`.
std::uint32_t Mover::need_on(TaskId task, MachineId m) const {
  std::uint32_t need = problem_.first_need[task];
  while (order_.machine(need) != m) ++need;
  return need;
}

// Behind the submittee of the submitter before.
void Mover::place_as_submitted(std::uint32_t need) {
  const MachineId m = order_.machine(need);
  const TaskId submitter = problem_.submitter[problem_.needs[need].task];
  const std::uint32_t before = order_.prev(need_on(submitter, problem_.machines[m].follows));
  order_.insert(need, before == none ? none : need_on(problem_.tasks[problem_.needs[before].task].submittee, m));
}

// Behind all that start before it.
void Mover::place_by_time(std::uint32_t need, Ns start, const Times& times) {
  std::uint32_t before = order_.last(order_.machine(need));
  while (before != none && times.start[problem_.needs[before].task] > start) before = order_.prev(before);
  order_.insert(need, before);
}

}  // namespace rta::static_order
