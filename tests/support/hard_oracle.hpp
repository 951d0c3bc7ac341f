// T16 to T18 by the letter, instant by instant and alignment by alignment, for small numbers; and variants that are wrong.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "analysis/hard/load.hpp"
#include "rta/analysis/hard/hard.hpp"

namespace rta::test {

enum class HardMutant : std::uint8_t {
  none,
  no_carry,        // nothing is left over from before the window
  fewer_carriers,  // of m - 2 tasks
  whole_jobs,      // parts of jobs do not count: floor in place of ceil
  released_now,    // the processors become busy when the job is released
  density_of_all,  // T17 without (m-1) delta_max
  full_rate        // T18 with m in place of m - (m-1) sigma
};
inline constexpr std::size_t hard_mutants = 7;

class HardOracle {
 public:
  using Task = analysis::hard::Task;
  using Order = analysis::hard::Order;

  HardOracle(std::span<const Task> tasks, std::uint32_t m, Order order, HardMutant mutant = HardMutant::none)
      : tasks_(tasks), m_(m), order_(order), mutant_(mutant) {}

  /// T16: whether x bounds task k while all others keep F; by the window from the release (all may carry work in), or by the busy one.
  [[nodiscard]] bool by_release(std::size_t k, std::int64_t x, std::span<const std::int64_t> F) const {
    if (order_ == Order::fixed) return false;
    return excludes(k, x, 0, F, tasks_.size());
  }
  [[nodiscard]] bool by_busy(std::size_t k, std::int64_t x, std::span<const std::int64_t> F) const {
    const std::size_t carriers = mutant_ != HardMutant::fewer_carriers ? m_ - 1U : m_ < 2 ? 0U : m_ - 2U;
    const bool now = order_ == Order::fixed || mutant_ == HardMutant::released_now;
    for (std::int64_t A = 0; A <= (now ? 0 : longest); ++A) {
      if (!excludes(k, x, A, F, carriers)) return false;
    }
    return true;
  }

  /// T18 for task k with sigma/2^20.
  [[nodiscard]] bool by_load(std::size_t k, Wide sigma) const {
    const Wide one = Wide{1} << analysis::hard::Density::bits;
    const Wide rate = m_ * one - (mutant_ == HardMutant::full_rate ? 0 : (Wide{m_} - 1) * sigma);
    for (std::int64_t t = tasks_[k].Y.count(); t <= longest; ++t) {
      Wide sum = 0;
      for (const Task& task : tasks_) sum += std::min<Wide>(load(task, t, sigma), t * one);
      if (sum > rate * t) return false;
    }
    return true;
  }

  [[nodiscard]] bool by_density() const {
    constexpr std::int64_t unit = 2520;  // a multiple of all Y up to 10
    std::int64_t sum = 0;
    std::int64_t largest = 0;
    for (const Task& task : tasks_) {
      const std::int64_t delta = task.C.count() * (unit / task.Y.count());
      sum += delta;
      largest = std::max(largest, delta);
    }
    const std::int64_t rest = mutant_ == HardMutant::density_of_all ? 0 : (m_ - 1) * largest;
    return sum <= m_ * unit - rest;
  }

  /// Bounds from the deadlines downwards, one task after the other, until nothing changes; whether all of them are proven.
  [[nodiscard]] bool accepts(bool windows) const {
    if (order_ == Order::points && by_density()) return true;
    std::vector<std::int64_t> F;
    for (const Task& task : tasks_) F.push_back(task.D.count());
    std::vector<bool> proven(tasks_.size());
    for (bool again = windows; again;) {
      again = false;
      for (std::size_t k = 0; k < tasks_.size(); ++k) {
        for (std::int64_t x = std::max<std::int64_t>(1, tasks_[k].C.count()); x <= F[k] - (proven[k] ? 1 : 0); ++x) {
          if (!by_release(k, x, F) && !by_busy(k, x, F)) continue;
          F[k] = x;
          again = proven[k] = true;
          break;
        }
      }
    }
    for (std::size_t k = 0; k < tasks_.size(); ++k) {
      if (!proven[k] && (order_ == Order::fixed || !some_load(k))) return false;
    }
    return true;
  }

 private:
  static constexpr std::int64_t longest = 160;

  [[nodiscard]] bool some_load(std::size_t k) const {
    const Wide one = Wide{1} << analysis::hard::Density::bits;
    for (const Task& task : tasks_) {
      const Wide sigma = ceil_div(task.C.count() * one, task.Y.count());
      if (sigma * tasks_[k].Y.count() >= tasks_[k].C.count() * one && by_load(k, sigma)) return true;
    }
    return false;
  }

  /// The most that jobs released at `first`, `first` + T, ... up to `last` do in [0, L), each within F of its release.
  [[nodiscard]] std::int64_t work_at(const Task& task, std::int64_t F, std::int64_t first, std::int64_t last, std::int64_t L) const {
    std::int64_t sum = 0;
    for (std::int64_t release = first; release <= last && release < L; release += task.T.count()) {
      const std::int64_t room = std::min(L, release + F) - std::max<std::int64_t>(0, release);
      if (mutant_ == HardMutant::whole_jobs && release + F > L) break;
      sum += std::clamp<std::int64_t>(room, 0, task.C.count());
    }
    return sum;
  }

  struct Both {
    std::int64_t fresh = 0;
    std::int64_t carried = 0;
  };
  /// Over all alignments; past L nothing is due, so that jobs may run until then.
  [[nodiscard]] Both work(const Task& task, std::int64_t F, std::int64_t last, std::int64_t L) const {
    Both most;
    for (std::int64_t first = 0; first < std::max<std::int64_t>(1, L); ++first) {
      most.fresh = std::max(most.fresh, work_at(task, std::max(F, task.C.count()), first, last, L));
    }
    most.carried = most.fresh;
    if (mutant_ == HardMutant::no_carry) return most;
    for (std::int64_t first = 1 - F; first < 0; ++first) most.carried = std::max(most.carried, work_at(task, F, first, last, L));
    return most;
  }

  [[nodiscard]] bool excludes(std::size_t k, std::int64_t x, std::int64_t A, std::span<const std::int64_t> F, std::size_t carriers) const {
    const std::int64_t B = A + x - std::max<std::int64_t>(1, tasks_[k].C.count());
    std::vector<Both> of;
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      const Task& task = tasks_[i];
      if (order_ == Order::fixed) {
        if (i == k || task.priority < tasks_[k].priority) continue;
        of.push_back(work(task, F[i], x, x));
      } else if (i == k) {
        of.push_back(work(task, F[i], A - task.T.count(), A));
      } else {
        of.push_back(work(task, F[i], A + tasks_[k].Y.count() - task.Y.count(), A + x));
      }
    }
    const auto interference = [&](std::int64_t most) {
      std::int64_t sum = 0;
      std::vector<std::int64_t> more;
      for (const Both& both : of) {
        sum += std::min(both.fresh, most);
        more.push_back(std::min(both.carried, most) - std::min(both.fresh, most));
      }
      std::ranges::sort(more, std::greater<>());
      for (std::size_t i = 0; i < std::min(carriers, more.size()); ++i) sum += more[i];
      return sum;
    };
    return interference(B) <= m_ * B && interference(B + 1) < m_ * (B + 1);
  }

  /// Over all distances of the last deadline from the end of the interval.
  [[nodiscard]] Wide load(const Task& task, std::int64_t t, Wide sigma) const {
    const Wide one = Wide{1} << analysis::hard::Density::bits;
    Wide most = 0;
    for (std::int64_t shift = 0; shift <= task.T.count(); ++shift) {
      Wide sum = 0;
      for (std::int64_t deadline = t - shift; deadline > 0; deadline -= task.T.count()) {
        const std::int64_t release = deadline - task.Y.count();
        sum += std::max<Wide>(0, task.C.count() * one - sigma * std::max<std::int64_t>(0, -release));
      }
      most = std::max(most, sum);
    }
    return most;
  }

  std::span<const Task> tasks_;
  std::uint32_t m_;
  Order order_;
  HardMutant mutant_;
};

}  // namespace rta::test
