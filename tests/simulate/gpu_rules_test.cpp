// The GPU's rules, one by one, on schedules that can be drawn by hand. SM indices and times in the comments are what the rules give.
#include <doctest/doctest.h>

#include "simulate/scene.hpp"

using namespace rta;
using namespace scene;
using Where = std::vector<std::tuple<std::uint32_t, std::int64_t, std::int64_t>>;

namespace {

Recorder observe(const TaskSet& set, const simulate::Options& options) {
  Recorder seen;
  (void)simulate::simulate(set, at_once(set), options, &seen);
  return seen;
}

}  // namespace

TEST_CASE("X1: a kernel that would fit waits behind the head of the EE queue") {
  // m = 2048, g = 1. tau1 takes 1536 threads; tau2 needs 1024 and blocks; tau3's 256 threads would fit at once but start with tau2.
  const TaskSet set{
      "x1",
      {gpu(1)},
      {task("tau1", 0, kernel(1, 1536, 100), 1000), task("tau2", 0, kernel(1, 1024, 50), 1000), task("tau3", 0, kernel(1, 256, 10), 1000)}};
  const auto seen = observe(set, for_time(1));
  CHECK(seen.blocks_of(0) == Where{{0, 0, 100}});
  CHECK(seen.blocks_of(1) == Where{{0, 100, 150}});
  CHECK(seen.blocks_of(2) == Where{{0, 100, 110}});
}

TEST_CASE("G3: a fully dispatched kernel lets the next one in") {
  // tau1 needs 3 x 1024 threads on one SM of 2048: two blocks, then one; tau2's block fits beside the last.
  const TaskSet set{"g3", {gpu(1)}, {task("tau1", 0, kernel(3, 1024, 100), 1000), task("tau2", 0, kernel(1, 1024, 50), 1000)}};
  const auto seen = observe(set, for_time(1));
  CHECK(seen.blocks_of(0) == Where{{0, 0, 100}, {0, 0, 100}, {0, 100, 200}});
  CHECK(seen.blocks_of(1) == Where{{0, 100, 150}});
}

TEST_CASE("R2: a block does not spread over SMs") {
  // Two SMs with 1024 threads free each do not hold a block of 1536.
  const TaskSet set{"r2", {gpu(2)}, {task("tau1", 0, kernel(2, 1024, 100), 1000), task("tau2", 0, kernel(1, 1536, 10), 1000)}};
  CHECK(observe(set, for_time(1)).blocks_of(1) == Where{{0, 100, 110}});
}

TEST_CASE("Block slots limit small blocks") {
  // 4 slots per SM: of six blocks of 32 threads four start.
  const TaskSet set{"slots", {gpu(1, 2048, 4)}, {task("tau1", 0, kernel(6, 32, 100), 1000)}};
  const auto seen = observe(set, for_time(1));
  CHECK(seen.blocks_of(0) == Where{{0, 0, 100}, {0, 0, 100}, {0, 0, 100}, {0, 0, 100}, {0, 100, 200}, {0, 100, 200}});
}

TEST_CASE("R3: shared memory limits, rounded up and with the part that the system reserves") {
  // 64 KiB per SM. A block asks for 20 KiB + 1 byte; unit 256 bytes, 1 KiB reserved: 21 KiB + 256 bytes, so three would need 63.75 KiB.
  // With 22 KiB asked for, 23 KiB each: only two fit.
  for (const auto& [kib, together] : {std::pair{20, 3}, std::pair{22, 2}}) {
    Pool pool = gpu(1);
    auto& resource = std::get<GpuPool>(pool.resource);
    resource.sm.shared_memory = 64 * 1024;
    resource.allocation.shared_memory = 256;
    resource.allocation.reserved_shared_memory = 1024;
    GpuDemand d = kernel(4, 32, 100);
    d.shared_memory = static_cast<std::uint64_t>(kib) * 1024 + 1;
    const TaskSet set{"r3", {pool}, {task("tau1", 0, d, 1000)}};
    const auto blocks = observe(set, for_time(1)).blocks_of(0);
    CHECK(std::count(blocks.begin(), blocks.end(), std::tuple{0U, std::int64_t{0}, std::int64_t{100}}) == together);
  }
}

TEST_CASE("Registers limit, handed out by warp") {
  // 65536 registers per SM in units of 256 per warp. 70 registers x 32 lanes = 2240, rounded up to 2304 per warp; a block of 256 threads
  // has 8 warps: 18432. Three fit (55296), four do not (73728). Without the unit four would not fit either, so try 60: 1920 -> 2048 per
  // warp, 16384 per block: exactly four.
  for (const auto& [registers, together] : {std::pair{70U, 3}, std::pair{60U, 4}}) {
    Pool pool = gpu(1);
    auto& resource = std::get<GpuPool>(pool.resource);
    resource.sm.registers = 65536;
    resource.allocation.warp = 32;
    resource.allocation.registers_per_warp = 256;
    GpuDemand d = kernel(5, 256, 100);
    d.registers_per_thread = registers;
    const TaskSet set{"registers", {pool}, {task("tau1", 0, d, 1000)}};
    const auto blocks = observe(set, for_time(1)).blocks_of(0);
    CHECK(std::count(blocks.begin(), blocks.end(), std::tuple{0U, std::int64_t{0}, std::int64_t{100}}) == together);
  }
}

TEST_CASE("G-threads are taken by the warp") {
  // 2048 threads; a block of 1000 G-threads takes 1024 with warps of 32, so two fit and a third of 32 does not; without warps it does.
  for (const auto& [warp, start] : {std::pair{32U, 100}, std::pair{1U, 0}}) {
    Pool pool = gpu(1);
    std::get<GpuPool>(pool.resource).allocation.warp = warp;
    const TaskSet set{"warps", {pool}, {task("tau1", 0, kernel(2, 1000, 100), 1000), task("tau2", 0, kernel(1, 32, 100), 1000)}};
    CHECK(observe(set, for_time(1)).blocks_of(1) == Where{{0, start, start + 100}});
  }
}

TEST_CASE("A1, A2: a high-priority kernel goes first when blocks end, and low blocks are not preempted") {
  // [A] Figure 6 in small: tau1 (low, 4 x 1024) holds the SM until 100; the high tau2 came at 10 and takes all of it at 100.
  GpuDemand high = kernel(2, 1024, 100);
  high.priority = high_priority;
  const TaskSet set{"a2", {gpu(1)}, {task("tau1", 0, kernel(4, 1024, 100), 1000), task("tau2", 0, high, 1000)}};
  auto options = for_time(20);
  options.releases.phases = {Time(0), Time(10)};
  const auto seen = observe(set, options);
  CHECK(seen.blocks_of(0) == Where{{0, 0, 100}, {0, 0, 100}, {0, 200, 300}, {0, 200, 300}});
  CHECK(seen.blocks_of(1) == Where{{0, 100, 200}, {0, 100, 200}});
}

TEST_CASE("A2: a low kernel may not pass a high one that does not fit") {
  // [A] Figure 8 in small: 1024 threads free, the high kernel needs 1536; a low one of 512 came later and must wait for it.
  GpuDemand high = kernel(1, 1536, 50);
  high.priority = high_priority;
  const TaskSet set{"a2-cut",
                    {gpu(1)},
                    {task("tau1", 0, kernel(1, 1024, 100), 1000), task("tau2", 0, high, 1000), task("tau3", 0, kernel(1, 512, 50), 1000)}};
  auto options = for_time(30);
  options.releases.phases = {Time(0), Time(10), Time(20)};
  const auto seen = observe(set, options);
  CHECK(seen.blocks_of(1) == Where{{0, 100, 150}});
  CHECK(seen.blocks_of(2) == Where{{0, 100, 150}});
}

TEST_CASE("A1, A2: of several stream priorities the most urgent waiting kernel goes first, each level in its own order") {
  // Each kernel takes the SM for 100. The first holds it until 100; then those of 5, 1, 1 and 0 that came at 30, 10, 40 and 5.
  const auto of = [](StreamPriority priority) {
    GpuDemand demand = kernel(2, 1024, 100);
    demand.priority = priority;
    return demand;
  };
  const TaskSet set{"levels",
                    {gpu(1)},
                    {task("first", 0, of(3), 2000), task("low", 0, of(0), 2000), task("middle", 0, of(1), 2000),
                     task("urgent", 0, of(5), 2000), task("later", 0, of(1), 2000)}};
  auto options = for_time(50);
  options.releases.phases = {Time(0), Time(5), Time(10), Time(30), Time(40)};
  const auto seen = observe(set, options);
  CHECK(seen.blocks_of(3) == Where{{0, 100, 200}, {0, 100, 200}});
  CHECK(seen.blocks_of(2) == Where{{0, 200, 300}, {0, 200, 300}});
  CHECK(seen.blocks_of(4) == Where{{0, 300, 400}, {0, 300, 400}});
  CHECK(seen.blocks_of(1) == Where{{0, 400, 500}, {0, 400, 500}});
}

TEST_CASE("Placement of blocks") {
  // SM 0 holds 512 threads of tau1, SM 1 nothing (after first-fit-like start: one block). tau2: three blocks of 512.
  const auto where = [](simulate::Placement placement) {
    const TaskSet set{"placement", {gpu(3)}, {task("tau1", 0, kernel(1, 512, 100), 1000), task("tau2", 0, kernel(4, 512, 50), 1000)}};
    auto options = for_time(1);
    options.placement = placement;
    std::vector<std::uint32_t> sms;
    for (const auto& [sm, start, end] : observe(set, options).blocks_of(1)) {
      CHECK(start == 0);
      sms.push_back(sm);
    }
    return sms;
  };
  using Sms = std::vector<std::uint32_t>;
  CHECK(where(simulate::Placement::most_free) == Sms{1, 2, 0, 1});   // free: 1536 2048 2048; then ties to the lowest index
  CHECK(where(simulate::Placement::least_free) == Sms{0, 0, 0, 1});  // SM 0 has the least room until it is full
  CHECK(where(simulate::Placement::first_fit) == Sms{0, 0, 0, 1});
  CHECK(where(simulate::Placement::round_robin) == Sms{1, 2, 0, 1});  // goes on after SM 0
}

TEST_CASE("Least free differs from first fit when the fuller SM has the higher index") {
  // tau1 fills SM 0 with 3 x 512 by first fit ... here: 1536 threads on SM 0 under both; then tau2 of 1024 goes to SM 1, and tau3 of 512
  // to the SM with the least room that holds it: SM 0 has 512 left, SM 1 1024.
  const TaskSet set{"least",
                    {gpu(2)},
                    {task("tau1", 0, kernel(1, 1024, 100), 1000), task("tau2", 0, kernel(1, 1536, 100), 1000),
                     task("tau3", 0, kernel(1, 512, 100), 1000)}};
  auto options = for_time(1);
  options.placement = simulate::Placement::least_free;
  CHECK(std::get<0>(observe(set, options).blocks_of(2)[0]) == 1);  // SM 0: 1024 free, SM 1: 512 free
  options.placement = simulate::Placement::first_fit;
  CHECK(std::get<0>(observe(set, options).blocks_of(2)[0]) == 0);
}

TEST_CASE("Per-job streams let consecutive jobs of a task overlap, per-task streams do not") {
  // T = 100, L = 150, plenty of room.
  const TaskSet set{"streams", {gpu(1)}, {task("tau1", 0, kernel(1, 512, 150), 100)}};
  auto options = for_time(300);
  CHECK(simulate::simulate(set, at_once(set), options).dags[0].response.max() == Time(150));
  options.streams = simulate::Streams::per_task;
  // Jobs end at 150, 300, 450.
  CHECK(simulate::simulate(set, at_once(set), options).dags[0].response.max() == Time(250));
}

TEST_CASE("A block longer than C / H by rounding is simulated at C / H rounded down") {
  GpuDemand d;
  d.H = 3;
  d.C = Workload(100);
  d.L = Time(34);  // ceil(100 / 3)
  const TaskSet set{"rounding", {gpu(1)}, {task("tau1", 0, d, 100)}};
  CHECK(simulate::simulate(set, at_once(set), for_time(1)).dags[0].response.max() == Time(33));
}
