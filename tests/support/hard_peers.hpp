// Published acceptance tests for sporadic sequential tasks under G-EDF and global fixed priorities, by the letter of their papers
// (docs/theory/hard.md): to see whether one of them accepts a set that T16 to T18 refuse.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <set>
#include <span>
#include <vector>

#include "rta/analysis/hard/hard.hpp"

namespace rta::test {

class HardPeers {
 public:
  /// Of tasks with 0 < C <= D <= T. `Y` is not read: under EDF it is D.
  HardPeers(std::span<const analysis::hard::Task> tasks, std::uint32_t m) : m_(m) {
    for (const auto& task : tasks) tasks_.push_back({task.C.count(), task.D.count(), task.T.count(), task.priority});
  }

  /// Goossens, Funk, Baruah: sum of densities <= m - (m-1) of the largest.
  [[nodiscard]] bool gfb() const {
    long double sum = 0;
    long double largest = 0;
    for (const Task& task : tasks_) {
      sum += density(task);
      largest = std::max(largest, density(task));
    }
    return sum <= m_ - (m_ - 1) * largest;
  }

  /// Baker: for every k, with lambda = C_k/D_k: sum of min(1, beta_i) <= m (1 - lambda) + lambda.
  [[nodiscard]] bool bak() const {
    return std::ranges::all_of(tasks_, [&](const Task& k) {
      const long double lambda = density(k);
      long double sum = 0;
      for (const Task& i : tasks_) {
        const long double u = static_cast<long double>(i.C) / i.T;
        long double beta = u * (1 + static_cast<long double>(i.T - i.D) / k.D);
        if (lambda < u) beta += (i.C - lambda * i.T) / k.D;
        sum += std::min<long double>(1, beta);
      }
      return sum <= m_ * (1 - lambda) + lambda;
    });
  }

  /// Baruah: for every k and every A at which some demand grows, up to where there is too little of it.
  [[nodiscard]] bool bar() const {
    return std::ranges::all_of(tasks_, [&](const Task& k) {
      std::set<std::int64_t> points;
      const std::int64_t last = bar_horizon(k);
      if (last < 0) return last == -1;
      for (const Task& i : tasks_) {
        for (std::int64_t A = i.D - k.D; A <= last; A += i.T) {
          if (A >= 0) points.insert(A);
        }
      }
      return std::ranges::all_of(points, [&](std::int64_t A) { return bar_at(k, A); });
    });
  }

  /// Baruah, Bonifaci, Marchetti-Spaccamela, Stiller: some sigma from the largest density on, in steps of `step`, with
  /// sum ff-dbf(t, sigma) <= (m - (m-1) sigma) t for all t.
  [[nodiscard]] bool ff_dbf(long double step) const {
    constexpr long double room = .1L;  // beside U, so that there is an end of t
    long double sigma = 0;
    long double U = 0;
    long double C = 0;
    long double soon = 0;
    for (const Task& task : tasks_) {
      sigma = std::max(sigma, density(task));
      U += static_cast<long double>(task.C) / task.T;
      C += task.C;
      soon = std::max<long double>(soon, task.T);
    }
    for (; sigma <= 1 && U + room <= m_ - (m_ - 1) * sigma; sigma += step) {
      const long double rate = m_ - (m_ - 1) * sigma;
      // Most violations are early.
      if (ff_dbf_until(soon, sigma, rate) && ff_dbf_until(C / (rate - U), sigma, rate)) return true;
    }
    return false;
  }

  /// Bertogna, Cirinei: response times under EDF from slacks, all again until none changes.
  [[nodiscard]] bool bertogna() const {
    std::vector<std::int64_t> slack(tasks_.size(), 0);
    for (bool again = true; again;) {
      again = false;
      bool all = true;
      for (std::size_t k = 0; k < tasks_.size(); ++k) {
        const std::int64_t R = response(k, slack);
        all = all && R <= tasks_[k].D;
        if (R > tasks_[k].D || tasks_[k].D - R <= slack[k]) continue;
        slack[k] = tasks_[k].D - R;
        again = true;
      }
      if (all) return true;
    }
    return false;
  }

  /// Guan, Stigge, Yi, Yu: fixed priorities, from the most urgent on, at most m - 1 tasks carry work in.
  [[nodiscard]] bool guan() const {
    std::vector<std::size_t> order(tasks_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return tasks_[i].priority; });
    std::vector<std::int64_t> R(tasks_.size(), 0);
    for (std::size_t place = 0; place < order.size(); ++place) {
      const Task& k = tasks_[order[place]];
      std::int64_t x = k.C;
      for (std::int64_t before = 0; x != before && x <= k.D;) {
        before = x;
        Interference work(carriers(), x - k.C + 1);
        for (std::size_t j = 0; j < place; ++j) {
          const Task& i = tasks_[order[j]];
          work.add(jobs(i, x), jobs(i, std::max<std::int64_t>(0, x + R[order[j]] - i.C)));
        }
        x = k.C + work.sum() / m_;
      }
      if (x > k.D) return false;
      R[order[place]] = x;
    }
    return true;
  }

 private:
  struct Task {
    std::int64_t C, D, T;
    FixedPriority priority;
  };

  /// sum min(fresh, most), and the largest of what min(carried, most) has more.
  class Interference {
   public:
    Interference(std::size_t carriers, std::int64_t most) : carriers_(carriers), most_(most) {}
    void add(std::int64_t fresh, std::int64_t carried) {
      sum_ += std::min(fresh, most_);
      more_.push_back(std::min(carried, most_) - std::min(fresh, most_));
    }
    [[nodiscard]] std::int64_t sum() {
      std::ranges::sort(more_, std::greater<>());
      const auto counted = static_cast<std::ptrdiff_t>(std::min(carriers_, more_.size()));
      return std::accumulate(more_.begin(), more_.begin() + counted, sum_);
    }

   private:
    std::size_t carriers_;
    std::int64_t most_;
    std::int64_t sum_ = 0;
    std::vector<std::int64_t> more_;
  };

  static long double density(const Task& task) { return static_cast<long double>(task.C) / task.D; }
  static std::int64_t demand(const Task& task, std::int64_t t) { return t < task.D ? 0 : ((t - task.D) / task.T + 1) * task.C; }
  static std::int64_t jobs(const Task& task, std::int64_t t) { return t / task.T * task.C + std::min(task.C, t % task.T); }

  /// -1: nothing to look at; -2: no end of it.
  [[nodiscard]] std::int64_t bar_horizon(const Task& k) const {
    long double U = 0;
    long double sum = 0;
    std::vector<std::int64_t> C;
    for (const Task& i : tasks_) {
      U += static_cast<long double>(i.C) / i.T;
      sum += static_cast<long double>(i.T - i.D) * i.C / i.T;
      C.push_back(i.C);
    }
    std::ranges::sort(C, std::greater<>());
    for (std::size_t i = 0; i < std::min(carriers(), C.size()); ++i) sum += C[i];
    if (U >= m_) return -2;
    return std::max<std::int64_t>(-1, static_cast<std::int64_t>((sum - k.D * (m_ - U) + static_cast<long double>(m_) * k.C) / (m_ - U)));
  }

  [[nodiscard]] bool bar_at(const Task& k, std::int64_t A) const {
    const std::int64_t t = A + k.D;
    const std::int64_t most = t - k.C;
    std::int64_t sum = 0;
    std::vector<std::int64_t> more;
    for (const Task& i : tasks_) {
      const bool same = &i == &k;
      const std::int64_t cap = same ? A : most + 1;
      const std::int64_t fresh = std::min(demand(i, t) - (same ? k.C : 0), cap);
      const std::int64_t carried = std::min(jobs(i, t) - (same ? k.C : 0), cap);
      sum += fresh;
      more.push_back(std::max<std::int64_t>(0, carried - fresh));
    }
    std::ranges::sort(more, std::greater<>());
    for (std::size_t i = 0; i < std::min(carriers(), more.size()); ++i) sum += more[i];
    return sum <= m_ * most;
  }

  /// At every t at which some ff-dbf begins or ends to grow, and just before where it jumps.
  [[nodiscard]] bool ff_dbf_until(long double last, long double sigma, long double rate) const {
    std::set<long double> points;
    for (const Task& i : tasks_) {
      for (long double t = i.D; t - i.C / sigma <= last; t += i.T) {
        points.insert(t);
        if (t - i.C / sigma > 0) points.insert(t - i.C / sigma);
      }
    }
    return std::ranges::all_of(points, [&](long double t) {
      long double sum = 0;
      for (const Task& i : tasks_) {
        const auto q = static_cast<std::int64_t>(t / i.T);
        const long double r = t - static_cast<long double>(q) * i.T;
        sum += static_cast<long double>(q) * i.C;
        sum += std::clamp<long double>(i.C - (i.D - r) * sigma, 0, i.C);
      }
      return sum <= rate * t * (1 + 1e-15L);
    });
  }

  [[nodiscard]] std::int64_t response(std::size_t at, std::span<const std::int64_t> slack) const {
    const Task& k = tasks_[at];
    std::int64_t x = k.C;
    for (std::int64_t before = 0; x != before && x <= k.D;) {
      before = x;
      std::int64_t sum = 0;
      for (std::size_t j = 0; j < tasks_.size(); ++j) {
        if (j == at) continue;
        const Task& i = tasks_[j];
        const std::int64_t rest = std::max<std::int64_t>(0, k.D % i.T - slack[j]);
        const std::int64_t by_deadlines = k.D / i.T * i.C + std::min(i.C, rest);
        sum += std::min({by_deadlines, jobs(i, x + i.D - i.C - slack[j]), x - k.C + 1});
      }
      x = k.C + sum / m_;
    }
    return x;
  }

  /// At most so many other tasks carry work into a busy interval.
  [[nodiscard]] std::size_t carriers() const { return static_cast<std::size_t>(m_ - 1); }

  std::int64_t m_;
  std::vector<Task> tasks_;
};

}  // namespace rta::test
