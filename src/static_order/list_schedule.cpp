#include "list_schedule.hpp"

#include <algorithm>

namespace rta::static_order {
namespace {

class Builder {
 public:
  Builder(const Problem& problem, const ListRule& rule)
      : problem_(problem),
        rule_(rule),
        order_(problem),
        waits_(problem.size()),
        end_(problem.size()),
        start_(problem.size()),
        free_(problem.machines.size(), -never),
        units_(problem.machines.size()),
        queue_(problem.machines.size()) {
    for (MachineId m = 0; m < problem.machines.size(); ++m) {
      if (problem.machines[m].capacity > 1) units_[m].push_back({-never, problem.machines[m].capacity});
    }
    for (ChoiceId c = 0; rule.options != nullptr && c < problem.options.size(); ++c) {
      if (rule.options->option(c) != none) order_.choose(problem, c, rule.options->option(c));
    }
  }

  std::optional<Order> run() {
    for (TaskId t = 0; t < problem_.size(); ++t) {
      waits_[t] = problem_.first_in[t + 1] - problem_.first_in[t];
      if (waits_[t] == 0) ready_.push_back(t);
    }
    for (std::size_t placed = 0; placed < problem_.size(); ++placed) {
      const std::optional<std::size_t> at = pick();
      if (!at) return std::nullopt;
      const TaskId t = ready_[*at];
      ready_[*at] = ready_.back();
      ready_.pop_back();
      place(t);
    }
    return std::move(order_);
  }

 private:
  struct Units {
    Ns at;
    Ns amount;
  };

  // Submittees follow the order of their submitters.
  [[nodiscard]] bool may_go(TaskId t) const {
    for (std::uint32_t need = problem_.first_need[t]; need < problem_.first_need[t + 1]; ++need) {
      const MachineId m = order_.machine(need);
      if (m == none || problem_.machines[m].follows == none) continue;
      const auto& queue = queue_[problem_.machines[m].follows];
      if (queue.first == queue.tasks.size() || queue.tasks[queue.first] != t) return false;
    }
    return true;
  }

  [[nodiscard]] Ns ready_at(TaskId t) const {
    Ns at = problem_.tasks[t].release;
    for (const Arc& arc : problem_.into(t)) at = std::max(at, arc.from_start ? start_[arc.from] : end_[arc.from]);
    return at;
  }

  [[nodiscard]] Ns free_at(MachineId m, Ns demand) const {
    if (problem_.machines[m].capacity == 1) return free_[m];
    Ns amount = 0;
    for (const Units& u : units_[m]) {
      amount += u.amount;
      if (amount >= demand) return u.at;
    }
    return never;
  }

  // The first instant at which the task could start.
  [[nodiscard]] Ns earliest(TaskId t, Ns ready) const {
    for (std::uint32_t i = problem_.first_need[t]; i < problem_.first_need[t + 1]; ++i) {
      const Need& need = problem_.needs[i];
      if (order_.machine(i) != none) {
        ready = std::max(ready, free_at(order_.machine(i), need.demand));
        continue;
      }
      Ns best = never;
      for (const MachineId m : need.machine) best = std::min(best, free_at(m, need.demand));
      ready = std::max(ready, best);
    }
    return ready;
  }

  [[nodiscard]] bool before(TaskId a, TaskId b) const {
    if (rule_.key[a] != rule_.key[b]) return rule_.key[a] < rule_.key[b];
    if (problem_.tasks[a].priority != problem_.tasks[b].priority) return problem_.tasks[a].priority < problem_.tasks[b].priority;
    return a < b;
  }

  std::optional<std::size_t> pick() {
    std::optional<std::size_t> best;
    if (rule_.patience > 100) {
      for (std::size_t i = 0; i < ready_.size(); ++i) {
        if ((!best || before(ready_[i], ready_[*best])) && may_go(ready_[i])) best = i;
      }
      return best;
    }
    Ns first = never;
    Ns first_end = never;
    earliest_.resize(ready_.size());
    for (std::size_t i = 0; i < ready_.size(); ++i) {
      earliest_[i] = may_go(ready_[i]) ? earliest(ready_[i], ready_at(ready_[i])) : never;
      first = std::min(first, earliest_[i]);
      if (earliest_[i] < never) first_end = std::min(first_end, earliest_[i] + problem_.tasks[ready_[i]].length);
    }
    if (first == never) return std::nullopt;
    const Ns limit = first + (first_end - first) / 100 * rule_.patience + (first_end - first) % 100 * rule_.patience / 100;
    for (std::size_t i = 0; i < ready_.size(); ++i) {
      if (earliest_[i] > limit || (earliest_[i] == limit && limit > first)) continue;
      if (!best || before(ready_[i], ready_[*best])) best = i;
    }
    return best;
  }

  // Of the machines that are free in time the one that waits least, so that those free earlier stay for others.
  [[nodiscard]] std::uint32_t best_option(const Need& need, Ns ready) const {
    std::uint32_t best = 0;
    Ns best_free = free_at(need.machine[0], need.demand);
    for (std::uint32_t o = 1; o < need.machine.size(); ++o) {
      const Ns free = free_at(need.machine[o], need.demand);
      const bool better = best_free > ready ? free < best_free : free <= ready && free > best_free;
      if (!better) continue;
      best = o;
      best_free = free;
    }
    return best;
  }

  void place(TaskId t) {
    Ns start = earliest(t, ready_at(t));
    const std::uint32_t end = problem_.first_need[t + 1];
    for (std::uint32_t i = problem_.first_need[t]; i < end; ++i) {
      if (order_.machine(i) == none) order_.choose(problem_, problem_.needs[i].choice, best_option(problem_.needs[i], start));
      start = std::max(start, free_at(order_.machine(i), problem_.needs[i].demand));
    }
    start_[t] = start;
    end_[t] = start + problem_.tasks[t].length;
    for (std::uint32_t i = problem_.first_need[t]; i < end; ++i) occupy(i, t);
    for (const Arc& arc : problem_.outof(t)) {
      if (--waits_[arc.to] == 0) ready_.push_back(arc.to);
    }
  }

  void occupy(std::uint32_t need, TaskId t) {
    const MachineId m = order_.machine(need);
    order_.insert(need, order_.last(m));
    free_[m] = end_[t];
    if (problem_.tasks[t].submittee != none) queue_[m].tasks.push_back(problem_.tasks[t].submittee);
    if (problem_.machines[m].follows != none) ++queue_[problem_.machines[m].follows].first;
    if (problem_.machines[m].capacity == 1) return;
    Ns amount = problem_.needs[need].demand;
    auto& units = units_[m];
    std::size_t i = units.size();
    while (units[i - 1].at > start_[t]) --i;
    while (amount > 0) {
      Units& u = units[--i];
      const Ns part = std::min(amount, u.amount);
      u.amount -= part;
      amount -= part;
    }
    std::erase_if(units, [](const Units& u) { return u.amount == 0; });
    const Units back{end_[t], problem_.needs[need].demand};
    units.insert(std::ranges::upper_bound(units, back.at, {}, &Units::at), back);
  }

  struct Queue {  // what submitters have put onto a stream
    std::vector<TaskId> tasks;
    std::size_t first = 0;
  };

  const Problem& problem_;
  const ListRule& rule_;
  Order order_;
  std::vector<std::uint32_t> waits_;
  std::vector<TaskId> ready_;
  std::vector<Ns> end_, start_, free_, earliest_;
  std::vector<std::vector<Units>> units_;
  std::vector<Queue> queue_;
};

}  // namespace

std::optional<Order> list_schedule(const Problem& problem, const ListRule& rule) { return Builder(problem, rule).run(); }

std::vector<Ns> longest_tail_keys(const Problem& problem, std::span<const Ns> due) {
  std::vector<Ns> tail(problem.size());
  for (TaskId t = 0; t < problem.size(); ++t) tail[t] = problem.tasks[t].length - due[t];
  for (std::size_t i = problem.size(); i-- > 0;) {
    const TaskId t = problem.order[i];
    for (const Arc& arc : problem.outof(t)) tail[t] = std::max(tail[t], lag(problem, arc) + tail[arc.to]);
  }
  for (Ns& key : tail) key = -key;
  return tail;
}

std::vector<Ns> least_slack_keys(const Problem& problem, std::span<const Ns> due) {
  std::vector<Ns> keys = longest_tail_keys(problem, due);
  std::vector<Ns> head(problem.size());
  for (const TaskId t : problem.order) {
    head[t] = problem.tasks[t].release;
    for (const Arc& arc : problem.into(t)) head[t] = std::max(head[t], head[arc.from] + lag(problem, arc));
    keys[t] -= head[t];
  }
  return keys;
}

std::vector<Ns> work_behind_keys(const Problem& problem, std::span<const Ns> due) {
  std::vector<Ns> keys = longest_tail_keys(problem, due);
  std::vector<Ns> behind(problem.size(), 0);
  for (std::size_t i = problem.size(); i-- > 0;) {
    const TaskId t = problem.order[i];
    for (const Arc& arc : problem.outof(t)) behind[t] = std::min(never, behind[t] + behind[arc.to] / 2 + problem.tasks[arc.to].length);
    keys[t] -= behind[t] / 4;
  }
  return keys;
}

std::vector<Ns> shaken(std::vector<Ns> keys, std::uint32_t percent, Random& random) {
  const auto [least, most] = std::ranges::minmax(keys);
  const Ns unit = std::max<Ns>(1, (most - least) / 100 * percent / 1000);
  for (Ns& key : keys) key += unit * random.below(1001);
  return keys;
}

}  // namespace rta::static_order
