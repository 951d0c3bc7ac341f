// T9: the dissertation's negative results, as schedules.
#include <doctest/doctest.h>

#include "simulate/scene.hpp"

using namespace rta;
using namespace scene;

namespace {

// One time unit of the examples, in ns.
constexpr std::int64_t unit = 1000;
constexpr std::int64_t eps = 100;  // epsilon = 0.1

// Theorem 4.1 with g = 2, m = 2048, H_max = 1024, h = 512, so Z = 4 and K = 2.
TaskSet theorem_4_1() {
  return {"theorem-4.1",
          {gpu(2)},
          {task("tau1", 0, kernel(1, 512, unit), unit), task("tau2", 0, kernel(1, 1024, 2 * eps), unit + eps),
           task("tau3", 0, kernel(2 * 4 - 2, 512, 2 * eps), unit + eps)}};
}

// Theorem 4.2 with g = 2, m = 2048 = P H_max + Q; tau2 exists where Q > 0. tau3 has g (Z - K + 1) blocks, Z = m/h, K = H_max/h.
TaskSet theorem_4_2(std::uint32_t H_max, std::uint32_t h) {
  const std::uint32_t m = 2048, P = m / H_max, Q = m % H_max;
  std::vector<Dag> tasks{task("tau1", 0, kernel(2 * P, H_max, eps), unit)};
  if (Q > 0) tasks.push_back(task("tau2", 0, kernel(2, Q, eps), unit));
  tasks.push_back(task("tau3", 0, kernel(2 * (m / h - H_max / h + 1), h, unit), unit));
  return {"theorem-4.2", {gpu(2)}, tasks};
}

// Example 4.4: (C, T, B, H) = (1216, 8, 1, 608), (1920, 8, 6, 480), (1536, 8, 1, 768); g = 2, releases at 0, 1, 2.
std::int64_t example_4_4(std::uint32_t m) {
  const TaskSet set{"example-4.4",
                    {gpu(2, m)},
                    {task("tau1", 0, kernel(1, 608, 2 * unit), 8 * unit), task("tau2", 0, kernel(6, 480, 4 * unit), 8 * unit),
                     task("tau3", 0, kernel(1, 768, 2 * unit), 8 * unit)}};
  auto options = for_time(3 * unit);
  options.releases.phases = {Time(0), Time(unit), Time(2 * unit)};
  options.placement = simulate::Placement::first_fit;
  return simulate::simulate(set, at_once(set), options).dags[2].response.max().count();
}

}  // namespace

TEST_CASE("Theorem 4.1: with per-task streams the response time of tau1 grows by epsilon with every job") {
  const TaskSet set = theorem_4_1();
  auto options = for_time(200 * unit);
  options.releases.phases = {Time(0), Time(unit - eps), Time(unit - eps)};
  options.streams = simulate::Streams::per_task;
  Recorder seen;
  (void)simulate::simulate(set, at_once(set), options, &seen);
  // tau1's job j runs in [j (1 + eps), j (1 + eps) + 1): it waits for the last block of tau3 that started when job j - 1 ended.
  // Its response time, counted from its issue at j, is 1 + j eps.
  for (std::uint64_t j = 0; j < 150; ++j) CHECK(seen.response(0, j) == unit + static_cast<std::int64_t>(j) * eps);
}

TEST_CASE("Theorem 4.1: with per-job streams the same system stays bounded") {
  const TaskSet set = theorem_4_1();
  auto options = for_time(2000 * unit);
  options.releases.phases = {Time(0), Time(unit - eps), Time(unit - eps)};
  const auto seen = simulate::simulate(set, at_once(set), options);
  // T5: (L_max (g m - H_max) + sum B C - C_1) / (g (m - H_max + h)) + L_1
  //   = (1000 * 3072 + (512000 + 204800 + 614400) - 512000) / 3072 + 1000 = 2266.67
  CHECK(seen.dags[0].response.max().count() <= 2267);
}

TEST_CASE("Theorem 4.2: with even distribution every response time grows by epsilon with every job") {
  const TaskSet set = theorem_4_2(768, 256);
  for (const auto placement : {simulate::Placement::most_free, simulate::Placement::round_robin}) {
    auto options = for_time(200 * unit);
    options.placement = placement;
    Recorder seen;
    (void)simulate::simulate(set, at_once(set), options, &seen);
    // Round j runs in [j (1 + eps), (j + 1) (1 + eps)): tau1 and tau2 fill both SMs for eps, then six blocks of tau3 on each SM run for 1.
    for (std::uint64_t j = 0; j < 150; ++j) {
      const auto late = static_cast<std::int64_t>(j) * eps;
      CHECK(seen.response(0, j) == eps + late);
      CHECK(seen.response(1, j) == eps + late);
      CHECK(seen.response(2, j) == eps + unit + late);
    }
  }
}

TEST_CASE("Theorem 4.2: first-fit placement can keep the same system bounded, but not always") {
  const auto growth = [](std::uint32_t H_max, std::uint32_t h, simulate::Placement placement) {
    const TaskSet set = theorem_4_2(H_max, h);
    auto options = for_time(1000 * unit);
    options.placement = placement;
    const auto short_run = simulate::simulate(set, at_once(set), options);
    options.duration = Time(4000 * unit);
    return simulate::simulate(set, at_once(set), options).dags[0].response.max().count() - short_run.dags[0].response.max().count();
  };
  CHECK(growth(1024, 512, simulate::Placement::most_free) == 3000 * eps);
  CHECK(growth(1024, 512, simulate::Placement::first_fit) == 0);
  CHECK(growth(512, 128, simulate::Placement::first_fit) == 0);
  // With H_max = 768 and h = 256 the blocks of tau1 that find room at time 1 do not help: the last ones wait until 1 + eps all the same.
  CHECK(growth(768, 256, simulate::Placement::first_fit) == 3000 * eps);
}

TEST_CASE("Example 4.4: more G-threads per SM make tau3 slower") {
  CHECK(example_4_4(2016) == 2 * unit);
  CHECK(example_4_4(2048) == 5 * unit);
}
