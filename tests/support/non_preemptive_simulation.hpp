// An exact GEL schedule of a few jobs that run to their ends once they have started, for tests.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <tuple>
#include <vector>

#include "support/gel_simulation.hpp"

namespace rta::test {

/// Response times on `m` processors. At an instant jobs that end leave first, then jobs are released, then the earliest priority points
/// start; a job `in_front` starts before what is released at the same instant. `sequential`: a job waits for its task's previous one.
inline std::vector<std::int64_t> simulate_non_preemptive(std::span<const GelJob> jobs, std::size_t m, bool sequential,
                                                         const std::vector<bool>& in_front) {
  constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
  std::vector<std::size_t> order(jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return std::tuple(jobs[a].priority_point, a) < std::tuple(jobs[b].priority_point, b); });
  std::vector<std::int64_t> end(jobs.size(), never);
  std::int64_t t = 0;
  for (const GelJob& job : jobs) t = std::min(t, job.release);
  for (;;) {
    std::size_t busy = 0;
    for (const std::int64_t e : end) busy += e != never && e > t ? 1 : 0;
    const auto start = [&](bool early) {
      for (const std::size_t i : order) {
        if (busy == m) return;
        if (end[i] != never || jobs[i].release > t || (early && !in_front[i] && jobs[i].release == t)) continue;
        bool waits = false;
        for (std::size_t j = 0; sequential && j < i; ++j) waits |= jobs[j].task == jobs[i].task && (end[j] == never || end[j] > t);
        if (waits) continue;
        end[i] = t + jobs[i].C;
        if (jobs[i].C > 0) ++busy;
      }
    };
    start(true);
    start(false);
    std::int64_t next = never;
    bool open = false;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      open |= end[i] == never;
      if (end[i] != never && end[i] > t) next = std::min(next, end[i]);
      if (end[i] == never && jobs[i].release > t) next = std::min(next, jobs[i].release);
    }
    if (!open) break;
    t = next;
  }
  std::vector<std::int64_t> response;
  response.reserve(jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i) response.push_back(end[i] - jobs[i].release);
  return response;
}

}  // namespace rta::test
