// Processes that a driver serves by priority: kernels as jobs of a processor under FP, held against a GPU that is played tick by tick; and
// costs of switches that are too low, which schedules exceed.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "rta/analysis/analyze.hpp"
#include "rta/io/task_set_file.hpp"

using namespace rta;

namespace {

/// A process with one kernel; the first is the most urgent.
struct Process {
  std::int64_t D = 1, T = 1;
};

/// What the jobs of a kernel count, and the node behind it.
struct Cost {
  const char* name;
  int switches;  // in C of the kernel
  bool away;
};
constexpr Cost proven{"D + 2 theta, and theta behind it", 2, true};

std::vector<std::optional<std::int64_t>> bounds(const std::vector<Process>& processes, std::int64_t theta, const Cost& cost) {
  std::string text = "time_unit: ns\nplatform: {gpu_by_priority: {processors: 1, scheduler: FP}}\ndags:\n";
  for (std::size_t i = 0; i < processes.size(); ++i) {
    const auto C = processes[i].D + cost.switches * theta;
    text += fmt::format(
        "  - {{name: p{}, T: {}, priority: {}, nodes: {{kernel: {{on: cpu, C: {}}}, away: {{on: cpu, C: {}}}}}, edges: [kernel -> "
        "away]}}\n",
        i, processes[i].T, processes.size() - i, C, cost.away ? theta : 0);
  }
  analysis::Options options;
  options.release = Release::completion;
  const auto made = analysis::analyze(std::make_shared<const TaskSet>(io::parse_task_set(text, "set.yaml").task_set), options);
  std::vector<std::optional<std::int64_t>> R;
  for (const auto& dag : made.proof.dags) {
    const auto& bound = dag.nodes[0].bound;
    R.push_back(bound ? std::optional(bound->R.count()) : std::nullopt);
  }
  return R;
}

/// The largest response times on the GPU. `first`: the releases of the first jobs; later ones are T apart, or up to `loose` more.
std::vector<std::int64_t> played(const std::vector<Process>& processes, std::int64_t theta, std::vector<std::int64_t> next,
                                 std::int64_t loose, std::mt19937& random) {
  struct Job {
    std::int64_t release, left;
  };
  std::vector<std::deque<Job>> waiting(processes.size());
  std::vector<std::int64_t> most(processes.size(), 0);
  std::size_t served = processes.size(), target = 0;  // at first none of them
  std::int64_t switching = 0;
  for (std::int64_t now = 0; now < 2'000; ++now) {
    for (std::size_t i = 0; i < processes.size(); ++i) {
      if (next[i] != now) continue;
      waiting[i].push_back({now, processes[i].D});
      next[i] += processes[i].T + std::uniform_int_distribution<std::int64_t>(0, loose)(random);
    }
    const auto pending = std::find_if(waiting.begin(), waiting.end(), [](const auto& jobs) { return !jobs.empty(); });
    if (switching == 0 && pending != waiting.end() && static_cast<std::size_t>(pending - waiting.begin()) != served) {
      target = static_cast<std::size_t>(pending - waiting.begin());
      switching = theta;
    }
    if (switching > 0) {  // to its end, whatever comes meanwhile
      if (--switching == 0) served = target;
    } else if (pending != waiting.end() && --pending->front().left == 0) {
      most[served] = std::max(most[served], now + 1 - pending->front().release);
      pending->pop_front();
    }
  }
  return most;
}

bool exceeded(const std::vector<std::int64_t>& seen, const std::vector<std::optional<std::int64_t>>& R) {
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (R[i] && seen[i] > *R[i]) return true;
  }
  return false;
}

}  // namespace

TEST_CASE(
    "kernels of 4 and 10, switches of 2: bounds of 8 and 24, of which 7 and 20 occur where the first comes during a switch to the second") {
  const std::vector<Process> two{{4, 100}, {10, 100}};
  std::mt19937 random(1);
  // To the second from 0 to 2, to the first until 4, its kernel until 8: 7 after it came at 1.
  CHECK(played(two, 2, {1, 0}, 0, random)[0] == 7);
  // Back to the second until 10, its kernel until 20.
  CHECK(played(two, 2, {1, 0}, 0, random)[1] == 20);
  // 4 + 2 x 2; for the second 10 + 2 x 2, and 4 + 3 x 2 of the first.
  CHECK(bounds(two, 2, proven)[0] == 8);
  CHECK(bounds(two, 2, proven)[1] == 24);
}

TEST_CASE("no schedule exceeds the bounds, and costs that are too low are exceeded") {
  const std::vector<Cost> wrong{{"D alone", 0, false}, {"D + theta", 1, false}, {"D + theta, and theta behind it", 1, true}};
  std::vector<int> caught(wrong.size(), 0);
  int bounded = 0;
  for (unsigned seed = 1; seed <= 400; ++seed) {
    std::mt19937 random(seed);
    const auto draw = [&](std::int64_t least, std::int64_t most) {
      return std::uniform_int_distribution<std::int64_t>(least, most)(random);
    };
    std::vector<Process> processes(static_cast<std::size_t>(draw(2, 4)));
    for (Process& one : processes) one = {draw(1, 8), draw(20, 90)};
    const std::int64_t theta = draw(1, 4);
    const auto R = bounds(processes, theta, proven);
    bounded += static_cast<int>(std::count_if(R.begin(), R.end(), [](const auto& bound) { return bound.has_value(); }));
    std::vector<std::vector<std::optional<std::int64_t>>> lower;
    for (const Cost& cost : wrong) lower.push_back(bounds(processes, theta, cost));
    for (int run = 0; run < 30; ++run) {
      std::vector<std::int64_t> first;
      for (std::size_t i = 0; i < processes.size(); ++i) first.push_back(draw(0, 12));
      const auto seen = played(processes, theta, first, run % 3 == 0 ? 0 : draw(0, 20), random);
      REQUIRE_MESSAGE(!exceeded(seen, R), "seed " << seed << ", run " << run);
      for (std::size_t w = 0; w < wrong.size(); ++w) caught[w] += exceeded(seen, lower[w]) ? 1 : 0;
    }
  }
  CHECK(bounded > 400);
  for (std::size_t w = 0; w < wrong.size(); ++w) CHECK_MESSAGE(caught[w] > 0, wrong[w].name);
}
