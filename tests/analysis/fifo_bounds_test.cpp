#include "rta/analysis/gpu/fifo_bounds.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "analysis/explain/reason_words.hpp"
#include "rta/analysis/queue/workers.hpp"
#include "rta/model/error.hpp"
#include "support/explained.hpp"
#include "support/kernels.hpp"

using namespace rta;
using namespace rta::analysis::fifo;
using namespace rta::literals;
using rta::analysis::in_words;
using rta::analysis::Theorem;
using rta::test::gpu_with;
using rta::test::kernel;
using rta::test::kernel_of_length;

namespace {

std::vector<std::int64_t> times(const GpuBounds& bounds) {
  std::vector<std::int64_t> R;
  for (const auto& r : bounds.R) R.push_back(r ? r->count() : -1);
  return R;
}

Options only(Bound bound) {
  Options options;
  options.bound = bound;
  return options;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

// Example 4.3 of Yang 2020, in ns for us. T5's weights are 2/3 and 1/3 (per G-thread 1/1536), U = 1612.8 G-threads. Published form of carry
// (b): R_1 = (3 x 1612.8 + 9216 - 3072)/3072 + 3 = 6.575, R_2 = (4838.4 + 8704)/3072 + 1 = 5 + 49/120. Resident blocks are multiples of
// 512: what is in use below 1612.8 is at most 1536, so R_1 = (4608 + 6144)/3072 + 3 = 6.5 and R_2 = (4608 + 8704)/3072 + 1 = 5 + 1/3.
TEST_CASE("T6a: Example 4.3") {
  const std::vector<Task> tasks{kernel(3072, 5, 2, 1024, 1000), kernel(512, 8, 6, 512, 1000)};
  const auto T6a = gpu_bounds(tasks, gpu_with(2), only(Bound::T6a));
  REQUIRE(T6a);
  CHECK(times(*T6a) == std::vector<std::int64_t>{6500, 5334});
  CHECK(T6a->basis[0].theorem == Theorem::T6a);
  CHECK(T6a->basis[0].carry == Carry::light);
  CHECK(T6a->sets[0].below_U == 1536);
  // The published form, which the whole blocks sharpen.
  const double carry = 3000 * utilization(tasks).approximate();
  CHECK((carry + 9216000 - 3072000) / 3072 + 3000 == doctest::Approx(6575));
  CHECK((carry + 9216000 - 512000) / 3072 + 1000 == doctest::Approx(5000 + 49.0 * 1000 / 120));
  CHECK(T6a->R[0]->count() <= 6575);
  CHECK(T6a->R[1]->count() <= 5409);
}

// Weights 1/2 and 1/2: three blocks of 512, or 1024 + 512, block and weigh 1 at least. U_w = (3/5) + (1/2)(6/8) = 0.975; multiples of
// 1/2 below that: 1/2. R_1 = (3/2 + 3 + 3 - 3/2)/2 + 3 = 6, R_2 = (3/2 + 6 - 1/2)/2 + 1 = 4.5.
TEST_CASE("T6b: Example 4.3, best weights") {
  const std::vector<Task> tasks{kernel(3072, 5, 2, 1024, 1000), kernel(512, 8, 6, 512, 1000)};
  const auto T6b = gpu_bounds(tasks, gpu_with(2), only(Bound::T6b));
  REQUIRE(T6b);
  CHECK(T6b->R[0]->count() <= 6000);
  CHECK(T6b->R[1]->count() <= 4500);
  CHECK(T6b->basis[1].theorem == Theorem::T6b);
  const auto T5 = gpu_bounds(tasks, gpu_with(2), only(Bound::T5));
  REQUIRE(T5);
  CHECK(times(*T5) == std::vector<std::int64_t>{8000, 6834});
}

// H = {1024, 768}: a busy SM has 1536 G-threads in use; T5 knows 1280. U = 1536 exactly: 2 x 768 for as long as T.
TEST_CASE("T6a guarantees 1536 G-threads for H = {1024, 768}, exactly") {
  std::vector<Task> tasks{kernel_of_length(1000, 1000, 2, 768), kernel_of_length(0, 1000, 1, 1024)};
  const auto T6a = gpu_bounds(tasks, gpu_with(1), only(Bound::T6a));
  REQUIRE(T6a);
  CHECK(T6a->capacity == 1536);
  CHECK(T6a->worst.threads_unused == 512);
  CHECK(T6a->worst.binds == Resource::threads);
  CHECK(T6a->worst.blocked == 1);
  REQUIRE(T6a->worst.residents.size() == 1);
  CHECK(T6a->worst.residents[0].task == 0);
  CHECK(T6a->worst.residents[0].blocks == 2);
  CHECK_FALSE(gpu_bounds(tasks, gpu_with(1), only(Bound::T5)));
  // A hair more has no bound, with any weights: w = 1/2 per block of 768 is the least.
  tasks[1].C = Workload(1);
  tasks[1].T = 1'000'000'000_s;
  CHECK_FALSE(gpu_bounds(tasks, gpu_with(1), only(Bound::T6a)));
  const auto T6b = gpu_bounds(tasks, gpu_with(1), only(Bound::T6b));
  REQUIRE_FALSE(T6b);
  CHECK(contains(in_words(T6b.reason()), "exceeds the capacity 1536 = 1 x 1536 G-threads by 1/1000000000000000000"));
  CHECK(contains(in_words(T6b.reason()),
                 "2 blocks of task #0 on an SM leave 512 of 2048 G-threads unused: no block of task #1 fits (G-threads bind)"));
}

// m = 8, H = 5 and 3. A busy SM has 5 G-threads in use, but weights 1 and 1/2 are as safe. u = 1/4 + (1/2)(6/4) = 1 SM: full, exactly, at
// 5/4 + 18/4 = 5.75 G-threads.
TEST_CASE("T6b carries a load of exactly 100 % that occupancy does not") {
  std::vector<Task> tasks{kernel_of_length(1000, 4000, 1, 5), kernel_of_length(2000, 4000, 3, 3)};
  const GpuPool gpu = gpu_with(1, 8, 8);
  const auto T6a = gpu_bounds(tasks, gpu, only(Bound::T6a));
  REQUIRE_FALSE(T6a);
  CHECK(contains(in_words(T6a.reason()), "U = 5.75 exceeds the capacity 5 = 1 x 5 G-threads by 0.75"));
  const auto T6b = gpu_bounds(tasks, gpu, only(Bound::T6b));
  REQUIRE(T6b);
  CHECK(T6b->capacity == doctest::Approx(5.75));
  // (a): an SM that is not blocked holds one block of 3 at most, K' = 1/2 x 2000; (b): 1/2 is in use below 1: the same.
  // R_1 = 1000 + 4000 - 1000 + 1000, R_2 = 1000 + 4000 - 1000 + 2000.
  CHECK(times(*T6b) == std::vector<std::int64_t>{5000, 6000});
  CHECK(T6b->basis[0].carry == Carry::resident);
  tasks[1].T = 3999_ns;
  CHECK_FALSE(gpu_bounds(tasks, gpu, only(Bound::T6b)));
}

TEST_CASE("T6 where block slots bind: H = 32 guarantees 1024 G-threads per SM") {
  // 32 blocks of 1000 ns every 1000 ns: exactly the 32 slots.
  const std::vector<Task> full{kernel_of_length(1000, 1000, 32, 32)};
  for (const Bound bound : {Bound::T6a, Bound::T6b, Bound::best}) {
    const auto bounds = gpu_bounds(full, gpu_with(1), only(bound));
    REQUIRE(bounds);
    CHECK(bounds->capacity == 1024);
    CHECK(bounds->worst.binds == Resource::block_slots);
    CHECK(bounds->worst.threads_unused == 1024);
  }
  CHECK_FALSE(gpu_bounds(std::vector<Task>{kernel_of_length(1000, 1000, 33, 32)}, gpu_with(1)));
  const auto T5 = gpu_bounds(full, gpu_with(1), only(Bound::T5));
  REQUIRE_FALSE(T5);
  CHECK(contains(in_words(T5.reason()), "block slots can bind first"));
}

// K4, K5 of Amert et al., table 1: 256 G-threads, 32 KiB each. Two per SM: T8 with 2 x 2 workers.
// U = 2 x 8 x 100/500 = 3.2 workers, ceil - 1 = 3: R = (3 x 100 + 1600 - 100)/4 + 100 = 550.
TEST_CASE("T6 where shared memory binds") {
  std::vector<Task> tasks{kernel_of_length(100, 500, 8, 256), kernel_of_length(100, 500, 8, 256)};
  for (Task& t : tasks) t.shared_memory = 32 * 1024;
  GpuPool gpu = gpu_with(2);
  gpu.sm.shared_memory = 64 * 1024;
  const auto T5 = gpu_bounds(tasks, gpu, only(Bound::T5));
  REQUIRE_FALSE(T5);
  CHECK(contains(in_words(T5.reason()), "shared memory can bind first"));
  const auto T6 = gpu_bounds(tasks, gpu);
  REQUIRE(T6);
  CHECK(times(*T6) == std::vector<std::int64_t>{550, 550});
  CHECK(in_words(T6->worst) ==
        "2 blocks of task #0 on an SM leave 1536 of 2048 G-threads unused: no block of task #0 fits (shared memory binds)");
}

TEST_CASE("one block size that divides m: T6b is T8 with m/H workers per SM") {
  for (const std::uint32_t H : {32U, 64U, 256U, 1024U}) {
    const std::vector<Task> tasks{kernel_of_length(700, 3000, 7, H), kernel_of_length(100, 1700, 11, H), kernel_of_length(31, 900, 1, H)};
    std::vector<analysis::workers::Task> items;
    items.reserve(tasks.size());
    for (const Task& t : tasks) items.push_back({t.T, t.B, t.L, t.J});
    const std::uint32_t per_sm = 2048 / H;
    const GpuPool gpu = gpu_with(3, 2048, 64);
    const auto T6b = gpu_bounds(tasks, gpu, only(Bound::T6b));
    const auto T8 = analysis::workers::response_bounds(items, 3 * per_sm, Time::zero(), false);
    REQUIRE(T6b);
    REQUIRE(T8);
    for (std::size_t k = 0; k < tasks.size(); ++k) CHECK(*T6b->R[k] == T8->R[k]);
  }
}

// One SM, one block at a time: T6 = (carry 0) + sum of all. With J_1 = T_1 twice the work of tau_1 may wait: + 4.
TEST_CASE("T6: enqueue jitter") {
  std::vector<Task> tasks{kernel_of_length(4, 20, 1, 8), kernel_of_length(6, 20, 1, 8)};
  const GpuPool gpu = gpu_with(1, 8, 8);
  CHECK(times(*gpu_bounds(tasks, gpu)) == std::vector<std::int64_t>{10, 10});
  tasks[0].J = 20_ns;
  CHECK(times(*gpu_bounds(tasks, gpu)) == std::vector<std::int64_t>{14, 14});
}

// g = 4, m = 8, H = 8: four workers. L = (100, 2), B = (1, 2), T = (1000, 2) so U = 2.1: carry (b) 2 x 100; at most one unfinished job of
// tau_1: lambda = 2 gives 2 x 2 + 98. R_2 = (102 + 104 - 2)/4 + 2 = 53 (T6b: (200 + 102)/4 + 2 = 77.5).
TEST_CASE("T6c counts the jobs that can be unfinished") {
  const std::vector<Task> tasks{kernel_of_length(100, 1000, 1, 8), kernel_of_length(2, 2, 2, 8)};
  const GpuPool gpu = gpu_with(4, 8, 8);
  CHECK(times(*gpu_bounds(tasks, gpu, only(Bound::T6b))) == std::vector<std::int64_t>{151, 78});
  const auto T6c = gpu_bounds(tasks, gpu);
  REQUIRE(T6c);
  CHECK(times(*T6c) == std::vector<std::int64_t>{127, 53});
  CHECK(T6c->basis[1].theorem == Theorem::T6c);
  CHECK(T6c->basis[1].carry == Carry::counted_light);
  CHECK(T6c->basis[1].carried == 102 * 8 / std::max<Wide>(1, 8 / T6c->sets[T6c->basis[1].set].guaranteed));
  Options off;
  off.count_carry = false;
  CHECK(times(*gpu_bounds(tasks, gpu, off)) == std::vector<std::int64_t>{151, 78});
}

// The same set, bounds fed back: ceil(127/1000) = 1 and ceil(53/2) = 27 jobs: no gain. With T = 200 for tau_2: R = (104 - 2)/4 + 2.
TEST_CASE("T6n counts the whole backlog") {
  const std::vector<Task> tasks{kernel_of_length(100, 1000, 1, 8), kernel_of_length(2, 200, 2, 8)};
  const GpuPool gpu = gpu_with(4, 8, 8);
  Options options;
  options.feed_back = true;
  const auto bounds = gpu_bounds(tasks, gpu, options);
  REQUIRE(bounds);
  CHECK(times(*bounds) == std::vector<std::int64_t>{101, 28});
}

// g = 1, one block at a time. High: L = 3, T = 10; low: L = 5, T = 20. High: K = 5, R = 5 + 3 - 3 + 3 = 8. Low: carry (a) K' = 0;
// R = (0 + 3 + 5 - 5)/(1 - 3/10) + 5 = 9.29. (The true worst: 3 waits for 5: 8; 5 waits for 3: 8.)
TEST_CASE("T7: high and low priority") {
  std::vector<Task> tasks{kernel_of_length(3000, 10000, 1, 8), kernel_of_length(5000, 20000, 1, 8)};
  tasks[0].priority = high_priority;
  const GpuPool gpu = gpu_with(1, 8, 8);
  const auto bounds = gpu_bounds(tasks, gpu);
  REQUIRE(bounds);
  CHECK(times(*bounds) == std::vector<std::int64_t>{8000, 9286});
  CHECK(bounds->basis[0].theorem == Theorem::T7);
  CHECK(bounds->basis[0].carry == Carry::all_resident);
  CHECK(bounds->basis[1].theorem == Theorem::T7);
  CHECK_FALSE(gpu_bounds(tasks, gpu, only(Bound::T5)));
}

TEST_CASE("T7: the bound of high-priority kernels does not depend on low periods, and holds when low ones have none") {
  std::vector<Task> tasks{kernel_of_length(3000, 10000, 2, 3), kernel_of_length(5000, 20000, 3, 5), kernel_of_length(700, 20000, 2, 8)};
  tasks[0].priority = high_priority;
  const GpuPool gpu = gpu_with(2, 8, 8);
  const auto slow = gpu_bounds(tasks, gpu);
  REQUIRE(slow);
  CHECK_FALSE(slow->reason);
  for (const Time T : {9000_ns, 6000_ns, 100_ns}) {
    tasks[1].T = T;
    const auto fast = gpu_bounds(tasks, gpu);
    REQUIRE(fast);
    CHECK(fast->R[0] == slow->R[0]);
  }
  const auto overloaded = gpu_bounds(tasks, gpu);
  CHECK_FALSE(overloaded->R[1]);
  CHECK_FALSE(overloaded->R[2]);
  REQUIRE(overloaded->reason);
  CHECK(contains(in_words(*overloaded->reason), "exceeds the capacity"));
  // Too much high-priority work leaves nothing at all.
  tasks[0].T = 10_ns;
  CHECK_FALSE(gpu_bounds(tasks, gpu));
}

// g = 1, one block at a time, (L, T) = (2, 10), (3, 20), (5, 40) from most to least urgent. K = 5 for the first two: 5 + 2 - 2 + 2 = 7 and
// (5 + 2 + 3 - 3)/(1 - 2/10) + 3 = 11.75. The last: carry (a) K' = 0, so (0 + 2 + 3 + 5 - 5)/(1 - 2/10 - 3/20) + 5 = 12.692...
TEST_CASE("T7: three priorities") {
  std::vector<Task> tasks{kernel_of_length(2000, 10000, 1, 8), kernel_of_length(3000, 20000, 1, 8), kernel_of_length(5000, 40000, 1, 8)};
  tasks[0].priority = 7;
  tasks[1].priority = 4;
  const GpuPool gpu = gpu_with(1, 8, 8);
  const auto bounds = gpu_bounds(tasks, gpu);
  REQUIRE(bounds);
  CHECK(times(*bounds) == std::vector<std::int64_t>{7000, 11750, 12693});
  for (const Basis& basis : bounds->basis) CHECK(basis.theorem == Theorem::T7);
  CHECK(bounds->basis[1].carry == Carry::all_resident);
  CHECK(contains(rta::test::explained(tasks, gpu, *bounds, 0)[0], "T7, high priority"));
  CHECK(contains(rta::test::explained(tasks, gpu, *bounds, 1)[0], "T7, priority between"));
  CHECK(contains(rta::test::explained(tasks, gpu, *bounds, 2)[0], "T7, low priority"));
  // Only their order matters.
  tasks[0].priority = 2;
  tasks[1].priority = 1;
  CHECK(times(*gpu_bounds(tasks, gpu)) == times(*bounds));
}

TEST_CASE("T7: what is less urgent needs no bound, and what is more urgent leaves some to those below or nothing") {
  std::vector<Task> tasks{kernel_of_length(2000, 10000, 1, 8), kernel_of_length(3000, 20000, 1, 8), kernel_of_length(5000, 40000, 1, 8)};
  tasks[0].priority = 2;
  tasks[1].priority = 1;
  const GpuPool gpu = gpu_with(1, 8, 8);
  tasks[2].T = 1000_ns;
  const auto lowest = gpu_bounds(tasks, gpu);
  REQUIRE(lowest);
  CHECK(lowest->R[0]->count() == 7000);
  CHECK(lowest->R[1]->count() == 11750);
  CHECK_FALSE(lowest->R[2]);
  CHECK(contains(in_words(*lowest->reason), "exceeds the capacity"));
  tasks[1].T = 3000_ns;
  const auto middle = gpu_bounds(tasks, gpu);
  REQUIRE(middle);
  CHECK(middle->R[0]->count() == 7000);
  CHECK_FALSE(middle->R[1]);
  CHECK_FALSE(middle->R[2]);
  CHECK(contains(in_words(*middle->reason), "of the kernels of high priority and above exceeds the capacity"));
  tasks[0].T = 1000_ns;
  CHECK_FALSE(gpu_bounds(tasks, gpu));
}

TEST_CASE("one priority for all is no priority") {
  std::vector<Task> tasks{kernel_of_length(3000, 10000, 2, 3), kernel_of_length(5000, 20000, 3, 5)};
  const GpuPool gpu = gpu_with(2, 8, 8);
  const auto low = gpu_bounds(tasks, gpu);
  for (Task& t : tasks) t.priority = high_priority;
  const auto high = gpu_bounds(tasks, gpu);
  REQUIRE(low);
  REQUIRE(high);
  CHECK(times(*low) == times(*high));
}

TEST_CASE("T6: bad input") {
  CHECK(gpu_bounds({}, gpu_with(1))->R.empty());
  CHECK_FALSE(gpu_bounds(std::vector<Task>{kernel_of_length(1, 10, 1, 4096)}, gpu_with(1)));
  std::vector<Task> huge{kernel_of_length(1, 10, 1ULL << 63, 64)};
  huge[0].C = Workload(Wide{1} << 80);
  CHECK_THROWS_AS(static_cast<void>(gpu_bounds(huge, gpu_with(1))), Overflow);
  const std::vector<Task> idle{kernel_of_length(0, 10, 3, 64)};
  CHECK_THROWS_AS(static_cast<void>(gpu_bounds(idle, gpu_with(0))), Defect);
  CHECK_THROWS_AS(static_cast<void>(gpu_bounds(idle, gpu_with(0), only(Bound::T5))), Defect);
  // A load of nothing.
  CHECK(times(*gpu_bounds(idle, gpu_with(1))) == std::vector<std::int64_t>{0});
}

TEST_CASE("T6 explains itself") {
  const std::vector<Task> tasks{kernel(3072, 5, 2, 1024, 1000), kernel(512, 8, 6, 512, 1000)};
  const auto bounds = gpu_bounds(tasks, gpu_with(2), only(Bound::T6a));
  REQUIRE(bounds);
  const auto lines = rta::test::explained(tasks, gpu_with(2), *bounds, 0);
  CHECK(lines.front() == "T6a: R_k = (carry + sum w_i L_i B_i - w_k L_k) / g + L_k");
  CHECK(lines[2] ==
        "the worst busy SM: 3 blocks of task #1 on an SM leave 512 of 2048 G-threads unused: no block of task #0 fits (G-threads bind)");
  CHECK(lines.back() == "R_k = (4608000 + 9216000 - 3072000) / 3072 + 3000 = 6500 ns");
  const auto best = gpu_bounds(tasks, gpu_with(2), only(Bound::T6b));
  const auto with_weights = rta::test::explained(tasks, gpu_with(2), *best, 1);
  CHECK(with_weights[1] == "weights of one block: 1/2 (H = 1024, task #0), 1/2 (H = 512, task #1)");
}

// U = 2/3 of an SM, of which whole blocks use a half: carry 20 x 1024, released 81920, R = 10 + 92160/2048 = 55 and 20 + 81920/2048 = 60.
// So one job of each counts: R = 10 + (81920 - 10240)/2048 = 45 and 20 + (81920 - 20480)/2048 = 50.
TEST_CASE("T6n explains itself") {
  const std::vector<Task> tasks{kernel_of_length(10, 60, 4, 1024), kernel_of_length(20, 60, 2, 1024)};
  Options options;
  options.feed_back = true;
  const auto bounds = gpu_bounds(tasks, gpu_with(1), options);
  REQUIRE(bounds);
  REQUIRE(times(*bounds) == std::vector<std::int64_t>{45, 50});
  REQUIRE(bounds->basis[0].theorem == Theorem::T6n);
  const auto lines = rta::test::explained(tasks, gpu_with(1), *bounds, 0);
  REQUIRE(lines.size() >= 4);
  CHECK(std::vector(lines.end() - 4, lines.end()) ==
        std::vector<std::string>{
            "carried over, the whole backlog: at most ceil(R_i / T_i) unfinished jobs of each task: 81920; (R_i + J_i) / T_i, n_i, n_i x "
            "sum of B_i C_i:",
            "  task #0: 45/60, n_i = 1, 1 x 40960 = 40960",
            "  task #1: 50/60, n_i = 1, 1 x 40960 = 40960",
            "R_k = (81920 - 10240) / 2048 + 10 = 45 ns",
        });
}
