#include "bounds.hpp"

#include <algorithm>
#include <map>
#include <queue>

namespace rta::static_order {
namespace {

constexpr std::size_t most_thresholds = 400;  // heads that subsets are tried with

// Tasks that take one of the same machines each.
struct Group {
  std::vector<MachineId> machines;
  std::vector<TaskId> tasks;
};

// Every set of machines that some need chooses from, with the tasks that need one of it.
std::vector<Group> groups_of(const Problem& problem) {
  std::map<std::vector<MachineId>, std::vector<TaskId>> by_machines;
  for (const Need& need : problem.needs) {
    std::vector<MachineId> machines = need.machine;
    std::ranges::sort(machines);
    machines.erase(std::unique(machines.begin(), machines.end()), machines.end());
    const bool alone = std::ranges::all_of(machines, [&](MachineId m) { return problem.machines[m].capacity == 1; });
    if (alone) by_machines[machines].push_back(need.task);
  }
  std::vector<Group> groups;
  for (const auto& [machines, tasks] : by_machines) {
    Group group{machines, tasks};
    for (const auto& [within, more] : by_machines) {
      if (within.size() < machines.size() && std::ranges::includes(machines, within))
        group.tasks.insert(group.tasks.end(), more.begin(), more.end());
    }
    std::ranges::sort(group.tasks);
    group.tasks.erase(std::unique(group.tasks.begin(), group.tasks.end()), group.tasks.end());
    groups.push_back(std::move(group));
  }
  return groups;
}

LowerBound longest_chain(const Problem& problem, const HeadsAndTails& times, std::span<const Ns> due) {
  LowerBound bound;
  TaskId at = none;
  for (TaskId t = 0; t < problem.size(); ++t) {
    const Ns lateness = times.head[t] + times.tail[t];
    if (times.head[t] != problem.tasks[t].release || lateness <= bound.lateness) continue;
    bound.lateness = lateness;
    at = t;
  }
  if (at == none) return bound;
  bound.from = times.head[at];
  for (;;) {
    bound.tasks.push_back(at);
    if (times.tail[at] == problem.tasks[at].length - due[at]) break;
    const auto arcs = problem.outof(at);
    at = std::ranges::find_if(arcs, [&](const Arc& arc) { return lag(problem, arc) + times.tail[arc.to] == times.tail[at]; })->to;
  }
  bound.work = times.head[at] + problem.tasks[at].length - bound.from;
  return bound;
}

// Whoever is ready and has the longest tail runs, and may be interrupted.
Ns preemptive(const Problem& problem, const HeadsAndTails& times, std::vector<TaskId>& tasks) {
  std::ranges::sort(tasks, {}, [&](TaskId t) { return times.head[t]; });
  struct Job {
    Ns tail;
    Ns left;
    bool operator<(const Job& other) const { return tail < other.tail; }
  };
  std::priority_queue<Job> ready;
  Ns now = -never;
  Ns lateness = -never * 4;
  for (std::size_t next = 0; next < tasks.size() || !ready.empty();) {
    if (ready.empty()) now = std::max(now, times.head[tasks[next]]);
    for (; next < tasks.size() && times.head[tasks[next]] <= now; ++next) {
      const TaskId t = tasks[next];
      ready.push({times.tail[t] - problem.tasks[t].length, problem.tasks[t].length});
    }
    Job job = ready.top();
    ready.pop();
    const Ns until = next < tasks.size() ? times.head[tasks[next]] : now + job.left;
    const Ns part = std::min(job.left, until - now);
    now += part;
    job.left -= part;
    if (job.left > 0) {
      ready.push(job);
    } else {
      lateness = std::max(lateness, now + job.tail);
    }
  }
  return lateness;
}

// Tasks as (head, work, tail after the work); `width` of them at once. The largest of (work + least heads + least tails)/width.
struct Piece {
  TaskId task;
  Ns head;
  Wide work;
  Ns tail;
};

struct Subset {
  Ns lateness = -never * 4;
  Ns head = 0;
  Ns tail = 0;
};

// Of the sums of the `width` least values among those seen.
class LeastSum {
 public:
  explicit LeastSum(std::size_t width) : width_(width) {}
  void add(Ns value) {
    largest_.push(value);
    sum_ += value;
    if (largest_.size() <= width_) return;
    sum_ -= largest_.top();
    largest_.pop();
  }
  [[nodiscard]] bool full() const { return largest_.size() == width_; }
  [[nodiscard]] Wide sum() const { return sum_; }

 private:
  std::size_t width_;
  Wide sum_ = 0;
  std::priority_queue<Ns> largest_;
};

std::vector<Ns> thresholds(const std::vector<Piece>& pieces) {
  std::vector<Ns> heads;
  heads.reserve(pieces.size());
  for (const Piece& piece : pieces) heads.push_back(piece.head);
  std::ranges::sort(heads);
  heads.erase(std::unique(heads.begin(), heads.end()), heads.end());
  if (heads.size() <= most_thresholds) return heads;
  std::vector<Ns> some;
  for (std::size_t i = 0; i < most_thresholds; ++i) some.push_back(heads[i * heads.size() / most_thresholds]);
  return some;
}

// `width` machines, or, with `capacity`, one thing of that capacity (width 1; work in its units).
Subset largest_subset(std::vector<Piece> pieces, std::size_t width, Wide capacity, const std::function<bool()>& enough) {
  std::ranges::sort(pieces, std::ranges::greater{}, &Piece::tail);
  Subset best;
  for (const Ns head : thresholds(pieces)) {
    if (enough()) break;
    LeastSum heads(width);
    LeastSum tails(width);
    Wide work = 0;
    for (const Piece& piece : pieces) {
      if (piece.head < head) continue;
      work += piece.work;
      heads.add(piece.head);
      tails.add(piece.tail);
      if (!heads.full()) continue;
      const Wide times = heads.sum() + tails.sum();
      const auto lateness =
          static_cast<Ns>(capacity > 0 ? times + ceil_div(work, capacity) : ceil_div(times + work, static_cast<Wide>(width)));
      if (lateness > best.lateness) best = {lateness, head, piece.tail};
    }
  }
  return best;
}

void offer(LowerBound& best, const std::vector<Piece>& pieces, const Subset& subset, LowerBound::Reason reason) {
  if (subset.lateness <= best.lateness) return;
  best = {};
  best.lateness = subset.lateness;
  best.reason = reason;
  best.from = never;
  for (const Piece& piece : pieces) {
    if (piece.head < subset.head || piece.tail < subset.tail) continue;
    best.tasks.push_back(piece.task);
    best.from = std::min(best.from, piece.head);
  }
  best.work = subset.lateness - subset.tail - best.from;
}

}  // namespace

HeadsAndTails heads_and_tails(const Problem& problem, std::span<const Ns> due) {
  HeadsAndTails times{std::vector<Ns>(problem.size()), std::vector<Ns>(problem.size())};
  for (const TaskId t : problem.order) {
    times.head[t] = problem.tasks[t].release;
    for (const Arc& arc : problem.into(t)) times.head[t] = std::max(times.head[t], times.head[arc.from] + lag(problem, arc));
  }
  for (std::size_t i = problem.size(); i-- > 0;) {
    const TaskId t = problem.order[i];
    times.tail[t] = problem.tasks[t].length - due[t];
    for (const Arc& arc : problem.outof(t)) times.tail[t] = std::max(times.tail[t], lag(problem, arc) + times.tail[arc.to]);
  }
  return times;
}

LowerBound lower_bound(const Problem& problem, std::span<const Ns> due, const std::function<bool()>& enough) {
  const HeadsAndTails times = heads_and_tails(problem, due);
  LowerBound best = longest_chain(problem, times, due);
  const auto piece_of = [&](TaskId t, Wide work) { return Piece{t, times.head[t], work, times.tail[t] - problem.tasks[t].length}; };
  for (Group& group : groups_of(problem)) {
    const std::size_t width = group.machines.size();
    if (width == 1 && preemptive(problem, times, group.tasks) <= best.lateness) continue;
    std::vector<Piece> pieces;
    for (const TaskId t : group.tasks) pieces.push_back(piece_of(t, problem.tasks[t].length));
    const Ns before = best.lateness;
    offer(best, pieces, largest_subset(pieces, width, 0, enough), width == 1 ? LowerBound::Reason::machine : LowerBound::Reason::machines);
    if (best.lateness > before) best.machines = group.machines;
  }
  for (std::size_t i = 0; i < problem.loads.size(); ++i) {
    std::vector<Piece> pieces;
    for (const auto& [task, work] : problem.loads[i].work) pieces.push_back(piece_of(task, work));
    const Ns before = best.lateness;
    offer(best, pieces, largest_subset(pieces, 1, problem.loads[i].capacity, enough), LowerBound::Reason::load);
    if (best.lateness > before) best.load = i;
  }
  return best;
}

bool has_energy(const Problem& problem, std::span<const Ns> due, std::size_t most_tasks) {
  const HeadsAndTails times = heads_and_tails(problem, due);
  struct Bar {
    Ns start, end, length;
  };
  for (const Group& group : groups_of(problem)) {
    if (group.machines.size() < 2 || group.tasks.size() > most_tasks) continue;
    std::vector<Bar> bars;
    std::vector<Ns> from;
    std::vector<Ns> to;
    for (const TaskId t : group.tasks) {
      const Ns length = problem.tasks[t].length;
      const Bar bar{times.head[t], length - times.tail[t], length};
      if (bar.start + length > bar.end) return false;
      bars.push_back(bar);
      from.insert(from.end(), {bar.start, bar.end - length});
      to.insert(to.end(), {bar.end, bar.start + length});
    }
    for (const Ns a : from) {
      for (const Ns b : to) {
        if (b <= a) continue;
        Wide energy = 0;
        for (const Bar& bar : bars) {
          const Ns part = std::min({bar.length, b - a, bar.start + bar.length - a, b - bar.end + bar.length});
          if (part > 0) energy += part;
        }
        if (energy > static_cast<Wide>(b - a) * static_cast<Wide>(group.machines.size())) return false;
      }
    }
  }
  return true;
}

}  // namespace rta::static_order
