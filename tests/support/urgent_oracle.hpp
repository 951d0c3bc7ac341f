// T11j by the letter of docs/theory/fixed-priority.md, and classic response-time analysis of one processor.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

#include "rta/model/quantity.hpp"

namespace rta::test {

/// A node of the pool as a sporadic task with jitter, ns.
struct UrgentTask {
  std::int64_t C = 0;
  std::int64_t T = 1;
  std::int64_t A = 0;
  std::int64_t F = 0;
  std::uint32_t priority = 0;
  bool late = false;  // T12j: its own releases may come closer than T; A and F count from nominal ones
};

struct UrgentMutants {
  bool no_jitter = false;     // nodes are taken to be ready when their DAG is released
  bool no_carry = false;      // nothing is left from before
  bool x_0_only = false;      // the interval begins when v is ready
  bool own_in_order = false;  // equals in any order: v's own jobs count as if they ran by ready time
};

class UrgentOracle {
 public:
  UrgentOracle(std::vector<UrgentTask> tasks, std::int64_t m, bool equals_any, UrgentMutants mutants = {})
      : tasks_(std::move(tasks)), m_(m), equals_any_(equals_any), mutants_(mutants) {
    if (!mutants.no_jitter) return;
    for (UrgentTask& task : tasks_) task.A = 0;
  }

  /// What task v takes from its ready time on at the most; nothing where T11j says nothing.
  [[nodiscard]] std::optional<std::int64_t> length(std::size_t v) const {
    const auto first = linear(v);
    const auto second = m_ == 1 ? busy(v) : std::nullopt;
    if (!first || !second) return first ? first : second;
    return std::min(*first, *second);
  }

 private:
  [[nodiscard]] bool higher(std::size_t u, std::size_t v) const {
    if (equals_any_ && mutants_.own_in_order && u == v) return false;
    return tasks_[u].priority > tasks_[v].priority || (equals_any_ && tasks_[u].priority == tasks_[v].priority);
  }
  [[nodiscard]] bool counts(std::size_t u, std::size_t v) const { return tasks_[u].priority >= tasks_[v].priority; }

  [[nodiscard]] std::optional<std::int64_t> linear(std::size_t v) const {
    std::int64_t common = 1;
    for (const UrgentTask& task : tasks_) common = std::lcm(common, task.T);
    Wide U = 0;  // times common
    Wide above = 0;
    Wide work = 0;
    std::vector<std::int64_t> pieces;
    for (std::size_t u = 0; u < tasks_.size(); ++u) {
      if (!counts(u, v)) continue;
      const auto& [C, T, A, F, priority, late] = tasks_[u];
      U += Wide{C} * (common / T);
      if (higher(u, v)) above += Wide{C} * (common / T);
      work += Wide{C} * common + Wide{C} * (u == v && !equals_any_ && !late ? A / T * T : A) * (common / T);
      pieces.insert(pieces.end(), static_cast<std::size_t>(std::min(m_, (F + T - 1) / T)), C);
    }
    if (U > Wide{m_} * common || above >= Wide{m_} * common) return std::nullopt;
    std::sort(pieces.rbegin(), pieces.rend());
    const auto left = static_cast<std::size_t>(std::max<Wide>(1, ceil_div(U, Wide{common})) - 1);
    for (std::size_t i = 0; i < std::min(left, pieces.size()) && !mutants_.no_carry; ++i) work += Wide{pieces[i]} * common;
    work += Wide{m_ - 1} * tasks_[v].C * common;
    return static_cast<std::int64_t>(ceil_div(work, Wide{m_} * common - above));
  }

  [[nodiscard]] std::optional<std::int64_t> busy(std::size_t v) const {
    constexpr std::int64_t longest = 200'000;
    const auto jobs_in = [](std::int64_t length, std::int64_t T) { return length <= 0 ? 0 : (length + T - 1) / T; };
    const auto length = [&](std::int64_t x) -> std::optional<std::int64_t> {
      for (std::int64_t y = std::max<std::int64_t>(1, tasks_[v].C); y < longest;) {
        std::int64_t work = tasks_[v].C == 0 ? 1 : 0;
        for (std::size_t u = 0; u < tasks_.size(); ++u) {
          const auto& [C, T, A, F, priority, late] = tasks_[u];
          if (counts(u, v)) work += (higher(u, v) ? jobs_in(x + y + A, T) : (x + (u == v && !late ? A / T * T : A)) / T + 1) * C;
        }
        if (x + y >= work) return y;
        y = work - x;
      }
      return std::nullopt;
    };
    std::int64_t period = 0;
    for (std::int64_t X = 1; X != period;) {
      period = X;
      X = 0;
      for (std::size_t u = 0; u < tasks_.size(); ++u) {
        if (counts(u, v)) X += jobs_in(period + tasks_[u].A, tasks_[u].T) * tasks_[u].C;
      }
      X = std::max<std::int64_t>(X, 1);
      if (X > longest) return std::nullopt;
    }
    auto most = length(0);
    for (std::size_t u = 0; u < tasks_.size() && most && !mutants_.x_0_only; ++u) {
      if (!counts(u, v) || higher(u, v)) continue;
      const std::int64_t since = u == v && !tasks_[u].late ? 0 : tasks_[u].A % tasks_[u].T;
      for (std::int64_t x = tasks_[u].T - since; x < period + tasks_[v].A && most; x += tasks_[u].T) {
        const auto here = length(x);
        most = here ? std::optional(std::max(*most, *here)) : std::nullopt;
      }
    }
    return most;
  }

  std::vector<UrgentTask> tasks_;
  std::int64_t m_;
  bool equals_any_;
  UrgentMutants mutants_;
};

/// Tindell's analysis of one processor under different priorities, for any deadlines: job q of the task in a level-i busy period that
/// begins with the latest release of everything. Nothing where that does not seem to end, at full load with jitter.
[[nodiscard]] inline std::optional<std::int64_t> classic_response_time(const std::vector<UrgentTask>& tasks, std::size_t k) {
  const UrgentTask& own = tasks[k];
  std::int64_t worst = 0;
  for (std::int64_t q = 0; q < 500; ++q) {
    std::int64_t w = (q + 1) * own.C;
    for (std::int64_t before = 0; before != w;) {
      before = w;
      w = (q + 1) * own.C;
      for (const UrgentTask& other : tasks) {
        if (other.priority > own.priority) w += (before + other.A + other.T - 1) / other.T * other.C;
      }
    }
    worst = std::max(worst, w - q * own.T + own.A);
    if (w + own.A <= (q + 1) * own.T) return worst;
  }
  return std::nullopt;
}

}  // namespace rta::test
