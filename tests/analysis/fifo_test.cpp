#include "rta/analysis/gpu/fifo.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "analysis/explain/reason_words.hpp"
#include "rta/analysis/gpu/fifo_bounds.hpp"
#include "support/explained.hpp"
#include "support/kernels.hpp"

using namespace rta;
using namespace rta::analysis::fifo;
using namespace rta::literals;
using rta::analysis::in_words;
using rta::test::gpu_with;
using rta::test::kernel;

namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

// Example 4.3 of Yang 2020: L = (3, 1), u = (1228.8, 384), capacity 2 (2048 - 1024 + 512) = 3072,
// backlog = 3 (4096 - 1024) + 2 x 3072 + 6 x 512 = 18432; R_1 = 15360/3072 + 3, R_2 = 17920/3072 + 1.
TEST_CASE("T5: Example 4.3") {
  const std::vector<Task> tasks{kernel(3072, 5, 2, 1024, 1000), kernel(512, 8, 6, 512, 1000)};
  CHECK(utilization(tasks).exact() == "8064/5");
  const auto bounds = theorem_4_3(tasks, gpu_with(2));
  REQUIRE(bounds);
  CHECK(bounds->terms.H_max == 1024);
  CHECK(bounds->terms.h == 512);
  CHECK(bounds->terms.L_max == 3_us);
  CHECK(bounds->terms.capacity == 3072);
  CHECK(bounds->terms.carry.count() == 9216 * 1000);
  CHECK(bounds->terms.released.count() == 9216 * 1000);
  CHECK(bounds->R[0] == 8_us);
  CHECK(bounds->R[1] == 6834_ns);  // 6 + 5/6 us, rounded up
}

// Enqueue jitter J_1 = T_1: twice the work of tau_1 may be released at once: + 6144 G-thread x us, R_1 = 21504/3072 + 3.
TEST_CASE("T5: enqueue jitter") {
  std::vector<Task> tasks{kernel(3072, 5, 2, 1024, 1000), kernel(512, 8, 6, 512, 1000)};
  tasks[0].J = 5_us;
  const auto bounds = theorem_4_3(tasks, gpu_with(2));
  REQUIRE(bounds);
  CHECK(bounds->R[0] == 10_us);
  CHECK(bounds->R[1] == 8834_ns);
}

// Theorem 4.2 of Yang 2020, g = 2, m = 2048 = 2 x 768 + 512, h = 256 (K = 3, Z = 8), T = 1000:
// u_3 = 256 x 2 x 6 = 3072 is the capacity 2 (2048 - 768 + 256); tau_1 and tau_2 add eps x 4096.
TEST_CASE("T5: Theorem 4.2's set has no bound, for every eps, and has one without tau_1 and tau_2") {
  const Task tau3 = kernel(256 * 1000, 1000, 12, 256);
  for (const int eps : {1, 2, 10, 100}) {
    const std::vector<Task> tasks{kernel(768 * eps, 1000, 4, 768), kernel(512 * eps, 1000, 2, 512), tau3};
    const auto bounds = theorem_4_3(tasks, gpu_with(2));
    REQUIRE_FALSE(bounds);
    const double excess = 4.096 * eps;
    CAPTURE(in_words(bounds.reason()));
    CHECK(contains(in_words(bounds.reason()),
                   "exceeds the capacity 3072 = 2 x (2048 - 768 + 256) G-threads by " + std::to_string(excess).substr(0, 5)));
  }
  // H_max stays 768 through a kernel without work: U is the capacity exactly.
  std::vector<Task> exact{kernel(0, 1000, 4, 768), kernel(0, 1000, 2, 512), tau3};
  CHECK(utilization(exact).exact() == "3072");
  CHECK(theorem_4_3(exact, gpu_with(2)));
  exact[0].C = Workload(1);
  exact[0].T = 1'000'000'000_s;  // 4e-18 G-threads too much
  const auto above = theorem_4_3(exact, gpu_with(2));
  REQUIRE_FALSE(above);
  CAPTURE(in_words(above.reason()));
  CHECK(contains(in_words(above.reason()), "by 1/250000000000000000 (0.000000000000000004)"));
}

// 32 blocks of 32 fill the slots at 1024 of 2048 G-threads; T5 would promise 2048 - 32 + 32.
TEST_CASE("T5 is refused where block slots bind first") {
  const std::vector<Task> tasks{kernel(32 * 100, 1000, 64, 32)};
  const auto refused = theorem_4_3(tasks, gpu_with(1));
  REQUIRE_FALSE(refused);
  CAPTURE(in_words(refused.reason()));
  CHECK(contains(in_words(refused.reason()), "block slots can bind first: with 32 blocks of task #0"));
  CHECK(contains(in_words(refused.reason()), "1024 of 2048 G-threads"));
  CHECK(theorem_4_3(tasks, gpu_with(1, 2048, 64)));
  // H = 64: 32 slots hold exactly 2048 G-threads.
  CHECK(theorem_4_3(std::vector<Task>{kernel(64 * 100, 1000, 64, 64)}, gpu_with(1)));
}

// K4 and K5 of Amert et al., table 1: 256 G-threads and 32 KiB of shared memory: two blocks fill 64 KiB at 512 of 2048 G-threads.
TEST_CASE("T5 is refused where shared memory binds first") {
  std::vector<Task> tasks{kernel(256 * 100, 10000, 8, 256)};
  tasks[0].shared_memory = 32 * 1024;
  GpuPool pool = gpu_with(2);
  CHECK(theorem_4_3(tasks, pool));  // unlimited
  pool.sm.shared_memory = 64 * 1024;
  const auto refused = theorem_4_3(tasks, pool);
  REQUIRE_FALSE(refused);
  CAPTURE(in_words(refused.reason()));
  CHECK(contains(in_words(refused.reason()), "shared memory can bind first: with 2 blocks of task #0"));
  CHECK(contains(in_words(refused.reason()), "512 of 2048 G-threads"));
  // 8 KiB each: eight blocks fill 64 KiB and 2048 G-threads at once.
  tasks[0].shared_memory = 8 * 1024;
  CHECK(theorem_4_3(tasks, pool));
  // The kilobyte that the system reserves per block leaves room for seven.
  pool.allocation.reserved_shared_memory = 1024;
  CHECK_FALSE(theorem_4_3(tasks, pool));
}

// 40 registers x 32 = 1280 per warp, a multiple of 256; 256 threads take 10240; six blocks fit in 65536, 1536 G-threads.
// 33 registers are rounded up to the same 1280 per warp; 32 fit exactly eight times.
TEST_CASE("T5 is refused where registers bind first, after rounding up to allocation units") {
  std::vector<Task> tasks{kernel(256 * 100, 10000, 8, 256)};
  GpuPool pool = gpu_with(1);
  pool.sm.registers = 65536;
  pool.allocation.warp = 32;
  pool.allocation.registers_per_warp = 256;
  for (const std::uint32_t registers : {33U, 40U}) {
    tasks[0].registers_per_thread = registers;
    CHECK(block_demand(tasks[0], pool)[Resource::registers] == 10240);
    const auto refused = theorem_4_3(tasks, pool);
    REQUIRE_FALSE(refused);
    CHECK(contains(in_words(refused.reason()), "registers can bind first: with 6 blocks of task #0"));
  }
  tasks[0].registers_per_thread = 32;
  CHECK(theorem_4_3(tasks, pool));
}

TEST_CASE("T5: block sizes are rounded up to warps, workloads with them") {
  GpuPool pool = gpu_with(1);
  pool.allocation.warp = 32;
  const std::vector<Task> odd{kernel(100 * 7, 1000, 3, 100)};
  const std::vector<Task> whole{kernel(128 * 7, 1000, 3, 128)};
  CHECK(theorem_4_3(odd, pool)->R == theorem_4_3(whole, pool)->R);
}

TEST_CASE("T5: a block that fits on no SM, two priorities, no task, overflow") {
  std::vector<Task> tasks{kernel(100, 1000, 1, 4096)};
  const auto never = theorem_4_3(tasks, gpu_with(1));
  REQUIRE_FALSE(never);
  CHECK(in_words(never.reason()) == "a block of task #0 can never start: it takes 4096 G-threads, and an SM has 2048 G-threads");
  tasks = {kernel(100, 1000, 1, 64), kernel(100, 1000, 1, 64)};
  tasks[1].priority = high_priority;
  CHECK_FALSE(theorem_4_3(tasks, gpu_with(1)));
  CHECK(theorem_4_3({}, gpu_with(1))->R.empty());
  tasks = {kernel(64, 1000, 1ULL << 60, 64)};
  tasks[0].C = Workload(Wide{1} << 100);
  CHECK_THROWS_AS(static_cast<void>(theorem_4_3(tasks, gpu_with(1))), Overflow);
}

TEST_CASE("T5 explains itself with the numbers of Example 4.3") {
  const std::vector<Task> tasks{kernel(3072, 5, 2, 1024, 1000), kernel(512, 8, 6, 512, 1000)};
  Options only_T5;
  only_T5.bound = Bound::T5;
  const auto bounds = gpu_bounds(tasks, gpu_with(2), only_T5);
  REQUIRE(bounds);
  CHECK(rta::test::explained(tasks, gpu_with(2), *bounds, 1) ==
        std::vector<std::string>{
            "T5 (Theorem 4.3): R_k = (L_max (g m - H_max) + sum B_i C_i - C_k) / (g (m - H_max + h)) + L_k",
            "counted in G-threads: every busy SM has at least 1536 in use",
            "U_w = 1612.8, capacity 2 x 1536 = 3072",
            "carried over, L_max (g m - H_max): 9216000",
            "released at once: 9216000",
            "R_k = (9216000 + 9216000 - 512000) / 3072 + 1000 = 6834 ns",
        });
}
