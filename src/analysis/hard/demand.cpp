#include "analysis/hard/demand.hpp"

#include <algorithm>
#include <cstddef>

#include "rta/model/utilization.hpp"

namespace rta::analysis::hard {
namespace {

constexpr std::size_t most_demand_terms = 2'000'000;  // of sums over tasks
constexpr std::int64_t longest_demand = std::int64_t{1} << 60U;

/// All C are at most D, so that sums have far less than 128 bits.
class Demand {
 public:
  explicit Demand(std::span<const Task> tasks) : tasks_(tasks) {}

  /// From the longest interval that matters down: at t everything down to h(t) fits, for h never rises downwards (Zhang and Burns' QPA).
  [[nodiscard]] std::optional<bool> fits() {
    const auto last = horizon();
    if (!last) return std::nullopt;
    std::int64_t t = last_deadline_before(*last);
    while (t > 0) {
      if (!take()) return std::nullopt;
      const Wide demand = up_to(t);
      if (demand > t) return false;
      t = demand < t ? static_cast<std::int64_t>(demand) : last_deadline_before(t);
    }
    return true;
  }

 private:
  /// An instant before which the first violation is, if there is one: the end of the busy period, or (sum of C - u D)/(1 - U).
  [[nodiscard]] std::optional<std::int64_t> horizon() {
    const auto by_load = horizon_by_load();
    Wide length = 0;
    for (const Task& task : tasks_) length += task.C.count();
    while (length <= longest_demand && (!by_load || length < *by_load) && take()) {
      const auto L = static_cast<std::int64_t>(length);
      Wide next = 0;
      for (const Task& task : tasks_) next += Wide{(L - 1) / task.T.count() + 1} * task.C.count();
      if (next == length) return L;
      length = next;
    }
    return by_load;
  }

  [[nodiscard]] std::optional<std::int64_t> horizon_by_load() const {
    constexpr unsigned bits = 32;
    Wide spare = Wide{1} << bits;
    Wide rest = 0;
    for (const Task& task : tasks_) {
      const Wide u = (Wide{task.C.count()} << bits) / task.T.count();
      spare -= u + 1;
      rest += (Wide{task.C.count()} << bits) - u * task.D.count();
    }
    if (spare <= 0) return std::nullopt;
    const Wide last = std::max<Wide>(0, rest) / spare + 2;
    return last > longest_demand ? std::nullopt : std::optional(static_cast<std::int64_t>(last));
  }

  /// h(t): of all jobs whose releases and deadlines are within an interval of t, at most.
  [[nodiscard]] Wide up_to(std::int64_t t) const {
    Wide demand = 0;
    for (const Task& task : tasks_) {
      if (t < task.D.count()) continue;
      demand += Wide{(t - task.D.count()) / task.T.count() + 1} * task.C.count();
    }
    return demand;
  }

  /// 0: none.
  [[nodiscard]] std::int64_t last_deadline_before(std::int64_t t) const {
    std::int64_t last = 0;
    for (const Task& task : tasks_) {
      const std::int64_t since = t - 1 - task.D.count();
      if (since >= 0) last = std::max(last, t - 1 - since % task.T.count());
    }
    return last;
  }

  [[nodiscard]] bool take() {
    if (terms_ < tasks_.size()) return false;
    terms_ -= tasks_.size();
    return true;
  }

  std::span<const Task> tasks_;
  std::size_t terms_ = most_demand_terms;
};

}  // namespace

std::optional<bool> demand_fits(std::span<const Task> tasks) {
  Utilization load;
  load.reserve(tasks.size());
  for (const Task& task : tasks) {
    if (task.C > task.D) return false;
    load.add(task.C.count(), task.T.count());
  }
  if (load.compare(1, 1) > 0) return false;
  if (std::ranges::all_of(tasks, [](const Task& task) { return task.C == Time::zero() || task.D == task.T; })) return true;
  return Demand(tasks).fits();
}

}  // namespace rta::analysis::hard
