// Kernels of which the duration is known, on schedules that can be drawn by hand.
#include "rta/model/kernel_time.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <set>

#include "rta/simulate/search.hpp"
#include "simulate/random.hpp"
#include "simulate/scene.hpp"

using namespace rta;
using namespace scene;
using Where = std::vector<std::tuple<std::uint32_t, std::int64_t, std::int64_t>>;

namespace {

/// B blocks of H G-threads that take `time` together where nothing else runs.
GpuDemand kernel_of(std::uint64_t B, std::uint32_t H, std::int64_t time, std::optional<std::int64_t> L = std::nullopt) {
  GpuDemand demand = kernel(B, H, L.value_or(time));
  demand.time = Time(time);
  return demand;
}
GpuDemand whole_gpu(std::int64_t time, const Pool& pool) { return kernel_by_time(Time(time), std::get<GpuPool>(pool.resource)); }

Recorder observe(const TaskSet& set, simulate::BlockTimes block_times, std::int64_t ns = 1) {
  Recorder seen;
  simulate::Options options = for_time(ns);
  options.block_times = block_times;
  (void)simulate::simulate(set, at_once(set), options, &seen);
  return seen;
}
constexpr auto both = {simulate::BlockTimes::even, simulate::BlockTimes::long_first};

}  // namespace

TEST_CASE("Kernels with blocks for many waves take their durations, one after the other") {
  // 16 SMs hold 96 blocks of 256 threads: 13 waves of 1200 blocks. Twice 4 ms, where each block for 4 ms would make 104.
  std::vector<Node> nodes{node("conv1", 0, kernel_of(1200, 256, 4'000'000)), node("conv2", 0, kernel_of(1200, 256, 4'000'000))};
  const TaskSet set{"conv", {gpu(16, 1536)}, {Dag("net", Time(33'000'000), std::nullopt, nodes, {{0, 1}})}};
  simulate::Options options = for_time(1);
  for (const auto how : both) {
    options.block_times = how;
    CHECK(simulate::simulate(set, rta::Schedule{{std::vector<NodeSchedule>(2)}}, options).dags[0].response.max() == Time(8'000'000));
  }
}

TEST_CASE("Waves last equally long, or the first ones as long as a block may") {
  // An SM of 2048 holds 2 blocks: two waves share 15 as 8 + 7; with L = 15 the first takes all, with L = 10 it leaves 5.
  const TaskSet free{"free", {gpu(1)}, {task("k", 0, kernel_of(4, 1024, 15), 1000)}};
  CHECK(observe(free, simulate::BlockTimes::even).blocks_of(0) == Where{{0, 0, 8}, {0, 0, 8}, {0, 8, 15}, {0, 8, 15}});
  CHECK(observe(free, simulate::BlockTimes::long_first).blocks_of(0) == Where{{0, 0, 15}, {0, 0, 15}, {0, 15, 15}, {0, 15, 15}});
  const TaskSet limited{"limited", {gpu(1)}, {task("k", 0, kernel_of(4, 1024, 15, 10), 1000)}};
  CHECK(observe(limited, simulate::BlockTimes::even).blocks_of(0) == Where{{0, 0, 8}, {0, 0, 8}, {0, 8, 15}, {0, 8, 15}});
  CHECK(observe(limited, simulate::BlockTimes::long_first).blocks_of(0) == Where{{0, 0, 10}, {0, 0, 10}, {0, 10, 15}, {0, 10, 15}});
  // Blocks of at most 5 never take 15: each has its L.
  const TaskSet less{"less", {gpu(1)}, {task("k", 0, kernel_of(4, 1024, 15, 5), 1000)}};
  for (const auto how : both) CHECK(observe(less, how).blocks_of(0) == Where{{0, 0, 5}, {0, 0, 5}, {0, 5, 10}, {0, 5, 10}});
}

TEST_CASE("Behind a kernel whose blocks end one by one a kernel ends its duration after the last of them") {
  // k has one place at 0, the other at 3: its waves of 5 end at 5, 8, 10 and 13 = 3 + 10. In one wave of three places it would begin at 0.
  const TaskSet set{"staggered", {gpu(1)}, {task("first", 0, kernel(1, 1024, 3), 1000), task("k", 0, kernel_of(4, 1024, 10), 1000)}};
  CHECK(observe(set, simulate::BlockTimes::even).blocks_of(1) == Where{{0, 0, 5}, {0, 3, 8}, {0, 5, 10}, {0, 8, 13}});
  CHECK(observe(set, simulate::BlockTimes::long_first).response(1, 0) == 13);
}

TEST_CASE("Blocks of two waves that start at one instant last as long as their waves") {
  // 'first' has 2 of 4 places until 4, when 'k', 3 blocks of 512 as long as 2, 2 and 1 (B = 6, P = 4: 7 = 4 + 3), goes on.
  const TaskSet set{"batch", {gpu(1)}, {task("first", 0, kernel(1, 1024, 2), 1000), task("k", 0, kernel_of(6, 512, 7), 1000)}};
  // 0: two blocks of the first wave until 4; 2: two more, until 6; 4: two of the second, until 7.
  CHECK(observe(set, simulate::BlockTimes::even).blocks_of(1) == Where{{0, 0, 4}, {0, 0, 4}, {0, 2, 6}, {0, 2, 6}, {0, 4, 7}, {0, 4, 7}});
  // 'wide' needs the whole SM: all six places are not there, four blocks start at 3, and two when these end.
  const TaskSet all{"all", {gpu(2)}, {task("wide", 0, kernel(2, 2048, 3), 1000), task("k", 0, kernel_of(10, 512, 7), 1000)}};
  CHECK(observe(all, simulate::BlockTimes::even).response(1, 0) == 10);
}

TEST_CASE("A kernel of unknown blocks has the GPU for itself") {
  const Pool two = gpu(2);
  // 'small' holds a part of SM 0 until 4; the kernel begins on SM 1 at 0 and ends at 14 = 4 + 10; 'after' waits until SM 1 is free at 10.
  const TaskSet set{
      "whole",
      {two},
      {task("small", 0, kernel(1, 32, 4), 1000), task("whole", 0, whole_gpu(10, two), 1000), task("after", 0, kernel(1, 32, 1), 1000)}};
  for (const auto how : both) {
    const auto seen = observe(set, how);
    CHECK(seen.blocks_of(1) == Where{{1, 0, 10}, {0, 4, 14}});
    CHECK(seen.blocks_of(2) == Where{{1, 10, 11}});
  }
}

TEST_CASE("A kernel's duration is drawn once for all of its blocks") {
  TaskSet set{"drawn", {gpu(1)}, {task("k", 0, kernel_of(4, 1024, 100), 200)}};
  std::vector<Dag> dags(set.dags().begin(), set.dags().end());
  Node varies = dags[0].nodes()[0];
  varies.variation = Variation{Time(20), Time(60)};
  set = TaskSet("drawn", {gpu(1)}, {Dag("k", Time(200), std::nullopt, {varies}, {})});
  simulate::Options options = for_time(2000);
  options.vary = true;
  Recorder seen;
  (void)simulate::simulate(set, at_once(set), options, &seen);
  std::set<std::int64_t> lengths;
  for (std::uint64_t j = 0; j < 10; ++j) {
    const Where blocks = seen.blocks_of(0, 0, j);
    REQUIRE(blocks.size() == 4);
    const std::int64_t length = seen.response(0, j);
    CHECK(std::get<2>(blocks[0]) == std::get<2>(blocks[1]));
    CHECK(std::get<2>(blocks[0]) - std::get<1>(blocks[0]) == (length + 1) / 2);
    CHECK(length >= 20);
    CHECK(length <= 100);
    lengths.insert(length);
  }
  CHECK(lengths.size() > 3);
}

TEST_CASE("The search lets the first blocks be long, and its run shows that again") {
  // 3 blocks on 2 places: even, [0, 5) twice and [5, 10), so that 'q' starts at 5 and ends at 6; long ones first, at 10 and 11.
  const TaskSet set{"search", {gpu(1)}, {task("k", 0, kernel_of(3, 1024, 10), 1000), task("q", 0, kernel(1, 1024, 1), 1000)}};
  CHECK(observe(set, simulate::BlockTimes::even).response(1, 0) == 6);
  CHECK(observe(set, simulate::BlockTimes::long_first).response(1, 0) == 11);
  simulate::SearchOptions options;
  options.base = for_time(1000);
  options.max_runs = 400;
  const auto found = simulate::search(set, at_once(set), options);
  REQUIRE(found.dags[1]);
  CHECK(found.dags[1]->response == Time(11));
  const simulate::Options& run = found.runs[found.dags[1]->run];
  CHECK(run.block_times == simulate::BlockTimes::long_first);
  CHECK(simulate::simulate(set, at_once(set), run).dags[1].response.max() == Time(11));
}

namespace {

/// A kernel of any kind: by its blocks, by its duration or by both, or without blocks.
GpuDemand any_kernel(const Pool& pool, const auto& roll) {
  constexpr std::array<std::uint32_t, 7> sizes{32, 256, 384, 512, 1024, 1536, 2048};
  if (roll(5) == 0) return whole_gpu(1 + roll(20), pool);
  GpuDemand demand = kernel(static_cast<std::uint64_t>(1 + roll(24)), sizes[static_cast<std::size_t>(roll(7))], 1 + roll(12));
  if (roll(3) == 0) return demand;
  const std::int64_t most = duration_alone(demand, std::get<GpuPool>(pool.resource)).count();
  demand.time = Time(demand.L.count() + roll(most - demand.L.count() + 1));
  return demand;
}

}  // namespace

TEST_CASE("A kernel ends its duration after all that was before it has ended, at the latest, and needs that alone") {
  std::size_t alone = 0, reached = 0, kernels = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    std::uint64_t rolls = 0;
    const auto roll = [&](std::int64_t n) { return simulate::between(simulate::draw(seed, simulate::Draw::tie, ++rolls), 0, n - 1); };
    const Pool pool = gpu(static_cast<std::uint32_t>(1 + roll(4)), 2048, roll(2) == 0 ? 32 : 3);
    std::vector<Dag> dags;
    simulate::Options options = for_time(1'000'000);
    for (std::int64_t k = 1 + roll(6); k > 0; --k) {
      dags.push_back(task("k" + std::to_string(dags.size()), 0, any_kernel(pool, roll), 1'000'000));
      options.releases.phases.emplace_back(roll(40));
    }
    const TaskSet set{"law", {pool}, dags};
    options.block_times = roll(2) == 0 ? simulate::BlockTimes::even : simulate::BlockTimes::long_first;
    options.placement = static_cast<simulate::Placement>(roll(5));
    const bool worst = roll(2) == 0;
    if (!worst) options.execution = {static_cast<simulate::PartsPerMillion>(roll(2) * 500'000), simulate::whole};
    options.seed = seed;
    Recorder seen;
    (void)simulate::simulate(set, at_once(set), options, &seen);
    REQUIRE(seen.jobs.size() == dags.size());
    std::ranges::sort(seen.jobs, {}, [](const Recorder::Job& job) { return std::pair(job.release, job.dag); });
    std::int64_t ended = 0;
    for (const Recorder::Job& job : seen.jobs) {
      const auto& demand = std::get<GpuDemand>(dags[job.dag].nodes()[0].demand);
      const std::int64_t D = duration_alone(demand, std::get<GpuPool>(pool.resource)).count();
      CAPTURE(seed);
      REQUIRE(job.end <= std::max(job.release, ended) + D);
      if (worst && job.release >= ended) {
        REQUIRE(job.end == job.release + D);
        ++alone;
      }
      reached += static_cast<std::size_t>(job.release < ended && job.end == ended + D);
      ++kernels;
      ended = std::max(ended, job.end);
    }
  }
  CHECK(kernels > 10'000);
  CHECK(alone > 2'000);
  CHECK(reached > 1'000);
}
