// Adversarial random search: small GPU systems near full load, releases and block lengths chosen at random, every response time against
// every bound.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "rta/analysis/gpu/fifo_bounds.hpp"
#include "support/fifo_simulation.hpp"
#include "support/kernels.hpp"

namespace rta::test {

/// Launches of `jobs` jobs per task: [jT, jT + J] from a random start (or all at 0), sometimes later than that.
inline std::vector<Launch> random_launches(const std::vector<analysis::fifo::Task>& tasks, int jobs, std::mt19937& random) {
  const auto in = [&](std::int64_t low, std::int64_t high) { return std::uniform_int_distribution<std::int64_t>(low, high)(random); };
  const bool together = in(0, 2) == 0;
  const bool sporadic = in(0, 3) == 0;
  std::vector<std::size_t> order(tasks.size());
  std::iota(order.begin(), order.end(), 0U);
  std::shuffle(order.begin(), order.end(), random);
  std::vector<Launch> launches;
  for (const std::size_t i : order) {
    const std::int64_t T = tasks[i].T.count();
    std::int64_t release = together ? 0 : in(0, 2 * T);
    const std::int64_t last = in(1, jobs);
    std::int64_t previous = release;
    for (std::int64_t j = 0; j < last; ++j) {
      const std::int64_t at = release + (tasks[i].J > Time::zero() && in(0, 1) == 0 ? in(0, tasks[i].J.count()) : 0);
      previous = std::max(previous, at);
      launches.push_back({previous, i});
      release += T + (sporadic ? in(0, 3) : 0);
    }
  }
  std::stable_sort(launches.begin(), launches.end(), [](const Launch& a, const Launch& b) { return a.at < b.at; });
  return launches;
}

/// The largest response time of each task in one random schedule.
inline std::vector<std::int64_t> worst_responses(const SmallGpu& s, std::mt19937& random) {
  const auto launches = random_launches(s.tasks, 1 + static_cast<int>(random() % 12), random);
  const auto placement = static_cast<Placement>(random() % 5);
  const bool full = random() % 3 > 0;
  const auto length = [&](std::size_t launch, std::uint64_t) {
    const std::int64_t L = s.tasks[launches[launch].task].L.count();
    return full || random() % 2 == 0 ? L : static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(L + 1));
  };
  const auto response = simulate_fifo(s.tasks, s.gpu, launches, placement, random() % 2 == 0, random, length);
  std::vector<std::int64_t> worst(s.tasks.size(), 0);
  for (std::size_t l = 0; l < launches.size(); ++l) worst[launches[l].task] = std::max(worst[launches[l].task], response[l]);
  return worst;
}

inline std::string in_text(const SmallGpu& s) {
  std::string text = "g " + std::to_string(s.gpu.sms) + " m " + std::to_string(s.gpu.sm.threads) + " slots " +
                     std::to_string(s.gpu.sm.blocks) + " shared " + std::to_string(s.gpu.sm.shared_memory.value_or(0)) + " registers " +
                     std::to_string(s.gpu.sm.registers.value_or(0)) + " in " + std::to_string(s.gpu.allocation.register_parts);
  for (const auto& t : s.tasks) {
    text += "; L " + std::to_string(t.L.count()) + " T " + std::to_string(t.T.count()) + " B " + std::to_string(t.B) + " H " +
            std::to_string(t.H) + " shared " + std::to_string(t.shared_memory) + " registers " + std::to_string(t.registers_per_thread) +
            " J " + std::to_string(t.J.count()) + " priority " + std::to_string(t.priority);
  }
  return text;
}

struct SearchCounts {
  int systems = 0;
  int schedules = 0;
  double tightest = 0;  // largest response / bound seen
  int wrong = 0;        // systems in which bounds that count registers as one amount were exceeded
};

/// This system, its periods stretched until it has a bound, in `schedules` random schedules.
inline void search(SmallGpu s, std::mt19937& random, int schedules, SearchCounts& counts) {
  using analysis::fifo::Bound;
  if (random() % 4 == 0) {
    for (auto& t : s.tasks) t.J = Time(static_cast<std::int64_t>(random() % 30));
  }
  if (random() % 4 == 0) {
    const auto levels = static_cast<StreamPriority>(2 + random() % 4);
    for (auto& t : s.tasks) t.priority = static_cast<StreamPriority>(random() % levels);
  }
  std::vector<analysis::fifo::Options> all(4);
  all[0].feed_back = random() % 2 == 0;
  all[1].bound = Bound::T6b;
  all[2].bound = Bound::T6a;
  all[3].bound = Bound::T5;
  auto best = analysis::fifo::gpu_bounds(s.tasks, s.gpu, all[0]);
  for (int tries = 0; !best && tries < 200; ++tries) {
    for (auto& t : s.tasks) t.T = Time(t.T.count() + 1 + static_cast<std::int64_t>(random() % 4));
    best = analysis::fifo::gpu_bounds(s.tasks, s.gpu, all[0]);
  }
  if (!best) return;
  std::vector<std::int64_t> worst(s.tasks.size(), 0);
  for (int i = 0; i < schedules; ++i) {
    const auto seen = worst_responses(s, random);
    for (std::size_t k = 0; k < worst.size(); ++k) worst[k] = std::max(worst[k], seen[k]);
  }
  CAPTURE(in_text(s));
  if (s.gpu.allocation.register_parts > 1) {
    GpuPool one_amount = s.gpu;
    one_amount.allocation.register_parts = 1;
    const auto bounds = analysis::fifo::gpu_bounds(s.tasks, one_amount, all[0]);
    bool exceeded = false;
    for (std::size_t k = 0; k < worst.size(); ++k) exceeded = exceeded || (bounds && bounds->R[k] && worst[k] > bounds->R[k]->count());
    counts.wrong += exceeded ? 1 : 0;
  }
  for (const auto& options : all) {
    const auto bounds = &options == all.data() ? best : analysis::fifo::gpu_bounds(s.tasks, s.gpu, options);
    if (!bounds) continue;
    for (std::size_t k = 0; k < worst.size(); ++k) {
      if (!bounds->R[k]) continue;
      CAPTURE(k);
      CAPTURE(to_string(bounds->basis[k].theorem));
      REQUIRE(worst[k] <= bounds->R[k]->count());
      if (bounds->R[k]->count() > 0 && worst[k] > 0) {
        counts.tightest = std::max(counts.tightest, static_cast<double>(worst[k]) / static_cast<double>(bounds->R[k]->count()));
      }
    }
  }
  ++counts.systems;
  counts.schedules += schedules;
}

/// One random system.
inline void search_one(std::mt19937& random, int schedules, SearchCounts& counts) { search(small_gpu(random), random, schedules, counts); }

}  // namespace rta::test
