#include "list_schedule.hpp"

#include <algorithm>
#include <utility>

namespace rta::static_order {
namespace {

class Builder {
 public:
  Builder(const Problem& problem, const ListRule& rule)
      : problem_(problem),
        rule_(rule),
        order_(problem),
        waits_(problem.size()),
        ready_at_(problem.size()),
        blocked_(problem.size(), false),
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

  std::optional<Order> run(const std::function<bool()>& enough) {
    constexpr std::size_t asks_every = 1000;
    for (TaskId t = 0; t < problem_.size(); ++t) {
      waits_[t] = problem_.first_in[t + 1] - problem_.first_in[t];
      if (waits_[t] == 0) arrive(t);
    }
    for (std::size_t placed = 0; placed < problem_.size(); ++placed) {
      if (placed % asks_every == asks_every - 1 && enough && enough()) return std::nullopt;
      const std::optional<TaskId> t = strictly_by_key() ? pick_by_key() : pick();
      if (!t) return std::nullopt;
      place(*t);
    }
    return std::move(order_);
  }

 private:
  struct Units {
    Ns at;
    Ns amount;
  };

  struct Queue {  // what submitters have put onto a stream
    std::vector<TaskId> tasks;
    std::size_t first = 0;
  };

  // Whatever became the first of its queue may go where nothing else holds it back.
  void unblock_first(const Queue& queue) {
    if (queue.first >= queue.tasks.size()) return;
    const TaskId t = queue.tasks[queue.first];
    if (!blocked_[t]) return;
    blocked_[t] = false;
    arrive(t);
  }

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

  [[nodiscard]] bool strictly_by_key() const { return rule_.patience > 100; }
  [[nodiscard]] auto later_key() const {
    return [this](TaskId a, TaskId b) { return before(b, a); };
  }
  [[nodiscard]] auto later_ready() const {
    return [this](TaskId a, TaskId b) { return std::pair(ready_at_[a], a) > std::pair(ready_at_[b], b); };
  }

  /// All that it waits for is placed.
  void arrive(TaskId t) {
    ready_at_[t] = ready_at(t);
    waiting_.push_back(t);
    if (strictly_by_key()) {
      std::ranges::push_heap(waiting_, later_key());
    } else {
      std::ranges::push_heap(waiting_, later_ready());
    }
  }

  std::optional<TaskId> pick_by_key() {
    while (!waiting_.empty()) {
      std::ranges::pop_heap(waiting_, later_key());
      const TaskId t = waiting_.back();
      waiting_.pop_back();
      if (may_go(t)) return t;
      blocked_[t] = true;
    }
    return std::nullopt;
  }

  std::optional<TaskId> pick() {
    Ns first = never;
    Ns first_end = never;
    earliest_.clear();
    // What is released after the first of them would have ended neither goes now nor decides who does.
    while (earliest_.size() < ready_.size() || (!waiting_.empty() && ready_at_[waiting_.front()] <= first_end)) {
      const std::size_t i = earliest_.size();
      if (i == ready_.size()) {
        std::ranges::pop_heap(waiting_, later_ready());
        ready_.push_back(waiting_.back());
        waiting_.pop_back();
      }
      const TaskId t = ready_[i];
      if (!may_go(t)) {
        blocked_[t] = true;
        ready_[i] = ready_.back();
        ready_.pop_back();
        continue;
      }
      earliest_.push_back(earliest(t, ready_at_[t]));
      first = std::min(first, earliest_[i]);
      first_end = std::min(first_end, earliest_[i] + problem_.tasks[t].length);
    }
    if (first == never) return std::nullopt;
    const Ns limit = first + (first_end - first) / 100 * rule_.patience + (first_end - first) % 100 * rule_.patience / 100;
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < ready_.size(); ++i) {
      if (earliest_[i] > limit || (earliest_[i] == limit && limit > first)) continue;
      if (!best || before(ready_[i], ready_[*best])) best = i;
    }
    if (!best) return std::nullopt;
    const TaskId t = ready_[*best];
    ready_[*best] = ready_.back();
    ready_.pop_back();
    return t;
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
    Ns start = earliest(t, ready_at_[t]);
    const std::uint32_t end = problem_.first_need[t + 1];
    for (std::uint32_t i = problem_.first_need[t]; i < end; ++i) {
      if (order_.machine(i) == none) order_.choose(problem_, problem_.needs[i].choice, best_option(problem_.needs[i], start));
      start = std::max(start, free_at(order_.machine(i), problem_.needs[i].demand));
    }
    start_[t] = start;
    end_[t] = start + problem_.tasks[t].length;
    for (std::uint32_t i = problem_.first_need[t]; i < end; ++i) occupy(i, t);
    for (const Arc& arc : problem_.outof(t)) {
      if (--waits_[arc.to] == 0) arrive(arc.to);
    }
  }

  void occupy(std::uint32_t need, TaskId t) {
    const MachineId m = order_.machine(need);
    order_.insert(need, order_.last(m));
    free_[m] = end_[t];
    if (problem_.tasks[t].submittee != none) {
      queue_[m].tasks.push_back(problem_.tasks[t].submittee);
      unblock_first(queue_[m]);
    }
    if (const MachineId follows = problem_.machines[m].follows; follows != none) {
      ++queue_[follows].first;
      unblock_first(queue_[follows]);
    }
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

  const Problem& problem_;
  const ListRule& rule_;
  Order order_;
  std::vector<std::uint32_t> waits_;
  std::vector<Ns> ready_at_;     // of those whose predecessors are placed
  std::vector<TaskId> waiting_;  // a heap: by key, or by when they are ready
  std::vector<TaskId> ready_;    // out of it
  std::vector<bool> blocked_;    // out of both until they are the first of their queue
  std::vector<Ns> end_, start_, free_, earliest_;
  std::vector<std::vector<Units>> units_;
  std::vector<Queue> queue_;
};

}  // namespace

std::optional<Order> list_schedule(const Problem& problem, const ListRule& rule, const std::function<bool()>& enough) {
  return Builder(problem, rule).run(enough);
}

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
