// An exact GEL schedule of a few jobs, for tests: every instant is a whole number.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <tuple>
#include <vector>

namespace rta::test {

struct GelJob {
  std::size_t task = 0;
  std::int64_t release = 0;
  std::int64_t C = 0;               // execution time of this job
  std::int64_t priority_point = 0;  // ties: the job listed first runs first
};

/// Response time of each job on `m` processors: preemptive, with migration. `sequential`: a job waits for its task's previous one.
/// Jobs of one task are listed in the order of their releases.
inline std::vector<std::int64_t> simulate_gel(std::span<const GelJob> jobs, std::size_t m, bool sequential = false) {
  constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
  std::vector<std::int64_t> left, end(jobs.size(), never);
  std::vector<std::size_t> order(jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    left.push_back(jobs[i].C);
    order[i] = i;
  }
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return std::tuple(jobs[a].priority_point, a) < std::tuple(jobs[b].priority_point, b); });
  std::vector<std::size_t> running;
  std::size_t open = jobs.size();
  std::int64_t t = 0;
  for (const GelJob& job : jobs) t = std::min(t, job.release);
  while (open > 0) {
    running.clear();
    std::int64_t next = never;
    for (const std::size_t i : order) {
      if (end[i] != never) continue;
      if (jobs[i].release > t) {
        next = std::min(next, jobs[i].release);
        continue;
      }
      if (running.size() == m) continue;
      const auto blocks = [&](std::size_t j) { return j < i && jobs[j].task == jobs[i].task && end[j] == never; };
      bool ready = true;
      for (std::size_t j = 0; sequential && j < i; ++j) ready = ready && !blocks(j);
      if (!ready) continue;
      running.push_back(i);
      next = std::min(next, t + left[i]);
    }
    for (const std::size_t i : running) {
      left[i] -= next - t;
      if (left[i] == 0) {
        end[i] = next;
        --open;
      }
    }
    t = next;
  }
  std::vector<std::int64_t> response;
  for (std::size_t i = 0; i < jobs.size(); ++i) response.push_back(end[i] - jobs[i].release);
  return response;
}

}  // namespace rta::test
