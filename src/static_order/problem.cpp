#include "problem.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace rta::static_order {
namespace {

// Rows of `arcs` by the task that `at` names: first[t] .. first[t + 1].
template <class At>
void sort_into_rows(const std::vector<Arc>& arcs, std::size_t tasks, At at, std::vector<Arc>& rows, std::vector<std::uint32_t>& first) {
  first.assign(tasks + 1, 0);
  for (const Arc& arc : arcs) ++first[at(arc) + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  rows.resize(arcs.size());
  std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
  for (const Arc& arc : arcs) rows[next[at(arc)]++] = arc;
}

// An arc from the end says more than one from the start of the same task.
void drop_double(std::vector<Arc>& arcs) {
  const auto key = [](const Arc& a) { return std::tuple(a.from, a.to, a.from_start); };
  std::ranges::sort(arcs, {}, key);
  const auto same = [](const Arc& a, const Arc& b) { return a.from == b.from && a.to == b.to; };
  arcs.erase(std::unique(arcs.begin(), arcs.end(), same), arcs.end());
}

}  // namespace

bool Problem::index() {
  const std::size_t n = tasks.size();
  std::ranges::stable_sort(needs, {}, &Need::task);
  first_need.assign(n + 1, 0);
  for (const Need& need : needs) ++first_need[need.task + 1];
  std::partial_sum(first_need.begin(), first_need.end(), first_need.begin());

  drop_double(arcs);
  sort_into_rows(
      arcs, n, [](const Arc& a) { return a.to; }, in, first_in);
  sort_into_rows(
      arcs, n, [](const Arc& a) { return a.from; }, out, first_out);

  first_of_choice.assign(options.size() + 1, 0);
  for (const Need& need : needs) {
    if (need.choice != none) ++first_of_choice[need.choice + 1];
  }
  std::partial_sum(first_of_choice.begin(), first_of_choice.end(), first_of_choice.begin());
  needs_of_choice.resize(first_of_choice.back());
  std::vector<std::uint32_t> next(first_of_choice.begin(), first_of_choice.end() - 1);
  for (std::uint32_t i = 0; i < needs.size(); ++i) {
    if (needs[i].choice != none) needs_of_choice[next[needs[i].choice]++] = i;
  }

  submitter.assign(n, none);
  for (TaskId t = 0; t < n; ++t) {
    if (tasks[t].submittee != none) submitter[tasks[t].submittee] = t;
  }
  follower.assign(machines.size(), none);
  for (MachineId m = 0; m < machines.size(); ++m) {
    if (machines[m].follows != none) follower[machines[m].follows] = m;
  }
  starts_others.assign(n, false);
  for (const Arc& arc : arcs) {
    if (arc.from_start) starts_others[arc.from] = true;
  }

  std::vector<std::uint32_t> waits(n);
  order.clear();
  for (TaskId t = 0; t < n; ++t) {
    waits[t] = first_in[t + 1] - first_in[t];
    if (waits[t] == 0) order.push_back(t);
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const Arc& arc : outof(order[i])) {
      if (--waits[arc.to] == 0) order.push_back(arc.to);
    }
  }
  return order.size() == n;
}

Problem reversed(const Problem& problem, std::span<const Ns> due) {
  Problem back = problem;
  const Ns horizon = *std::ranges::max_element(due);
  for (TaskId t = 0; t < problem.size(); ++t) {
    Task& task = back.tasks[t];
    task.release = horizon - due[t];
    task.due = horizon - problem.tasks[t].release;
    task.submittee = problem.submitter[t];
  }
  for (MachineId m = 0; m < problem.machines.size(); ++m) back.machines[m].follows = none;
  for (MachineId m = 0; m < problem.machines.size(); ++m) {
    if (problem.machines[m].follows != none) back.machines[problem.machines[m].follows].follows = m;
  }
  for (Arc& arc : back.arcs) std::swap(arc.from, arc.to);
  static_cast<void>(back.index());
  return back;
}

}  // namespace rta::static_order
