#include "order.hpp"

#include <algorithm>

namespace rta::static_order {

Order::Order(const Problem& problem)
    : machine_(problem.needs.size(), none),
      option_(problem.options.size(), none),
      prev_(problem.needs.size(), none),
      next_(problem.needs.size(), none),
      first_(problem.machines.size(), none),
      last_(problem.machines.size(), none) {
  for (std::uint32_t i = 0; i < problem.needs.size(); ++i) {
    if (problem.needs[i].choice == none) machine_[i] = problem.needs[i].machine.front();
  }
}

void Order::choose(const Problem& problem, ChoiceId choice, std::uint32_t option) {
  option_[choice] = option;
  for (const std::uint32_t need : problem.needs_on(choice)) machine_[need] = problem.needs[need].machine[option];
}

void Order::insert(std::uint32_t need, std::uint32_t before) {
  const MachineId m = machine_[need];
  const std::uint32_t after = before == none ? first_[m] : next_[before];
  prev_[need] = before;
  next_[need] = after;
  (before == none ? first_[m] : next_[before]) = need;
  (after == none ? last_[m] : prev_[after]) = need;
}

void Order::remove(std::uint32_t need) {
  const MachineId m = machine_[need];
  const std::uint32_t before = prev_[need];
  const std::uint32_t after = next_[need];
  (before == none ? first_[m] : next_[before]) = after;
  (after == none ? last_[m] : prev_[after]) = before;
  prev_[need] = next_[need] = none;
}

Evaluation::Evaluation(const Problem& problem) : problem_(problem), waits_(problem.size()), units_(problem.machines.size()) {
  flows_ = std::ranges::any_of(problem.machines, [](const Machine& m) { return m.capacity > 1; });
}

bool Evaluation::operator()(const Order& order, std::span<const Ns> due, Times& times) {
  const std::size_t n = problem_.size();
  times.start.resize(n);
  times.place.resize(n);
  times.order.clear();
  times.flow.clear();
  times.first_flow.clear();
  for (MachineId m = 0; flows_ && m < problem_.machines.size(); ++m) {
    units_[m].clear();
    if (problem_.machines[m].capacity > 1) units_[m].push_back({-never, problem_.machines[m].capacity, none});
  }
  for (TaskId t = 0; t < n; ++t) {
    std::uint32_t waits = problem_.first_in[t + 1] - problem_.first_in[t];
    for (std::uint32_t need = problem_.first_need[t]; need < problem_.first_need[t + 1]; ++need) {
      waits += static_cast<std::uint32_t>(order.prev(need) != none);
    }
    waits_[t] = waits;
    if (waits == 0) times.order.push_back(t);
  }
  for (std::size_t i = 0; i < times.order.size(); ++i) {
    const TaskId t = times.order[i];
    times.place[t] = static_cast<std::uint32_t>(i);
    start_task(order, t, times);
    for (const Arc& arc : problem_.outof(t)) {
      if (--waits_[arc.to] == 0) times.order.push_back(arc.to);
    }
    for (std::uint32_t need = problem_.first_need[t]; need < problem_.first_need[t + 1]; ++need) {
      const std::uint32_t after = order.next(need);
      if (after == none) continue;
      const TaskId to = problem_.needs[after].task;
      if (--waits_[to] == 0) times.order.push_back(to);
    }
  }
  if (times.order.size() != n) return false;
  times.first_flow.push_back(static_cast<std::uint32_t>(times.flow.size()));
  tails(order, due, times);
  return true;
}

void Evaluation::start_task(const Order& order, TaskId t, Times& times) {
  Ns start = problem_.tasks[t].release;
  for (const Arc& arc : problem_.into(t)) start = std::max(start, times.start[arc.from] + lag(problem_, arc));
  const std::uint32_t end = problem_.first_need[t + 1];
  for (std::uint32_t need = problem_.first_need[t]; need < end; ++need) {
    const std::uint32_t before = order.prev(need);
    if (before == none || problem_.machines[order.machine(need)].capacity > 1) continue;
    const TaskId from = problem_.needs[before].task;
    start = std::max(start, times.start[from] + problem_.tasks[from].length);
  }
  times.first_flow.push_back(static_cast<std::uint32_t>(times.flow.size()));
  for (std::uint32_t need = problem_.first_need[t]; flows_ && need < end; ++need) {
    const MachineId m = order.machine(need);
    if (problem_.machines[m].capacity > 1) start = take(m, t, problem_.needs[need].demand, start, times);
  }
  times.start[t] = start;
}

// Capacity that is passed on from task to task: tasks that no path orders hold disjoint units, so they never hold more than there is.
Ns Evaluation::take(MachineId m, TaskId t, Ns demand, Ns ready, Times& times) {
  std::vector<Unit>& units = units_[m];
  std::ranges::sort(units, {}, [](const Unit& u) { return std::pair(u.at, u.from); });
  Ns amount = 0;
  Ns start = ready;
  for (std::size_t i = 0; amount < demand; ++i) {
    amount += units[i].amount;
    start = std::max(start, units[i].at);
  }
  // The units that became free last, so that others find the early ones.
  std::size_t i = units.size();
  while (units[i - 1].at > start) --i;
  amount = demand;
  taken_.clear();
  while (amount > 0) {
    Unit& unit = units[--i];
    const Ns part = std::min(amount, unit.amount);
    if (unit.from != none && part > 0) times.flow.push_back({unit.from, t, false});
    unit.amount -= part;
    amount -= part;
  }
  std::erase_if(units, [](const Unit& u) { return u.amount == 0; });
  units.push_back({start + problem_.tasks[t].length, demand, t});
  return start;
}

void Evaluation::tails(const Order& order, std::span<const Ns> due, Times& times) const {
  const std::size_t n = problem_.size();
  times.tail.resize(n);
  for (TaskId t = 0; t < n; ++t) times.tail[t] = problem_.tasks[t].length - due[t];
  Ns lateness = -never * 4;
  for (std::size_t i = n; i-- > 0;) {
    const TaskId t = times.order[i];
    const Ns tail = times.tail[t];
    lateness = std::max(lateness, times.start[t] + tail);
    for (const Arc& arc : problem_.into(t)) times.tail[arc.from] = std::max(times.tail[arc.from], tail + lag(problem_, arc));
    for (std::uint32_t need = problem_.first_need[t]; need < problem_.first_need[t + 1]; ++need) {
      const std::uint32_t before = order.prev(need);
      if (before == none || (flows_ && problem_.machines[order.machine(need)].capacity > 1)) continue;
      const TaskId from = problem_.needs[before].task;
      times.tail[from] = std::max(times.tail[from], tail + problem_.tasks[from].length);
    }
    for (std::uint32_t f = times.first_flow[i]; f < times.first_flow[i + 1]; ++f) {
      const TaskId from = times.flow[f].from;
      times.tail[from] = std::max(times.tail[from], tail + problem_.tasks[from].length);
    }
  }
  times.lateness = lateness;
}

Cost cost(const Problem& problem, const Times& times) {
  Cost cost{0, -never};
  for (TaskId t = 0; t < problem.size(); ++t) {
    const Task& task = problem.tasks[t];
    const Ns end = times.start[t] + task.length;
    cost.late = std::max(cost.late, end - task.due);
    cost.objective = std::max(cost.objective, end + task.weight);
  }
  return cost;
}

}  // namespace rta::static_order
