// Plausible bounds that are wrong: each is broken by a schedule, so the laws have teeth.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "rta/analysis/gpu/fifo_bounds.hpp"
#include "rta/analysis/queue/workers.hpp"
#include "support/gpu_search.hpp"

using namespace rta;
using namespace rta::analysis::fifo;
using namespace rta::test;

namespace {

std::vector<std::int64_t> responses(const std::vector<Task>& tasks, const GpuPool& gpu, const std::vector<Launch>& launches,
                                    Placement placement = Placement::first_fit) {
  std::mt19937 unused;
  return simulate_fifo(tasks, gpu, launches, placement, false, unused,
                       [&](std::size_t launch, std::uint64_t) { return tasks[launches[launch].task].L.count(); });
}

/// G-threads x ns that can be resident on one SM at most (K), and when it is not blocked for a kernel of high priority (K').
struct Resident {
  Wide most = 0;
  Wide not_blocked = 0;
};
Resident resident_beside_high(const std::vector<Task>& tasks, const GpuPool& gpu) {
  std::vector<Amounts> demand;
  std::vector<bool> may_wait;
  std::vector<Wide> left;
  for (const Task& task : tasks) {
    demand.push_back(block_demand(task, gpu));
    may_wait.push_back(task.priority == high_priority);
    left.push_back(Wide{task.H} * task.L.count());
  }
  const Sm sm(sm_capacity(gpu), demand, may_wait);
  return {sm.most<Wide>(left), sm.most_non_blocking<Wide>(left)};
}

/// R = (carry + W_hi - C_k)/(g m) + L_k for the only kernel of high priority, whose blocks take a whole SM each.
Wide with_carry(const Task& high, const GpuPool& gpu, Wide carry) {
  const Wide left = carry + static_cast<Wide>(high.B) * high.C.count() - high.C.count();
  return ceil_div(left, Wide{gpu.sms} * gpu.sm.threads) + high.L.count();
}

}  // namespace

// g = 1, m = 1: a low block of 10 has run for 1 when a high kernel of 1 comes. (g-1) K + K' = 0 would promise 1; it takes 10; T7 says 11.
// Carry (b), L_max U_hi = 10 x 1/100, would promise 1.1.
TEST_CASE("wrong: (g-1) K + K', or carry (b), for high-priority kernels") {
  std::vector<Task> tasks{kernel_of_length(1, 100, 1, 1), kernel_of_length(10, 100, 1, 1)};
  tasks[0].priority = high_priority;
  const GpuPool gpu = gpu_with(1, 1, 1);
  const auto seen = responses(tasks, gpu, {{0, 1}, {1, 0}})[1];
  CHECK(seen == 10);
  const auto bounds = gpu_bounds(tasks, gpu);
  REQUIRE(bounds);
  CHECK(bounds->R[0]->count() == 11);
  const Resident resident = resident_beside_high(tasks, gpu);
  CHECK(seen > with_carry(tasks[0], gpu, (gpu.sms - 1) * resident.most + resident.not_blocked));
  // 10 x 1/100, rounded up.
  const Wide light = ceil_div(tasks[1].L.count() * tasks[0].C.count() * static_cast<Wide>(tasks[0].B), tasks[0].T.count());
  CHECK(seen > with_carry(tasks[0], gpu, light));
}

// g = 2, one block per SM: low blocks keep both SMs full for 10 when a high kernel comes at 1. K = 10, K' = 0: (g-1) K + K' would promise
// (10 + 1 - 1)/2 + 1 = 6; it takes 10; T7 says (20 + 1 - 1)/2 + 1.
TEST_CASE("wrong: (g-1) K + K' for high-priority kernels, two SMs") {
  std::vector<Task> tasks{kernel_of_length(1, 100, 1, 2), kernel_of_length(10, 100, 2, 2)};
  tasks[0].priority = high_priority;
  const GpuPool gpu = gpu_with(2, 2, 2);
  const auto seen = responses(tasks, gpu, {{0, 1}, {1, 0}})[1];
  CHECK(seen == 10);
  const auto bounds = gpu_bounds(tasks, gpu);
  REQUIRE(bounds);
  CHECK(bounds->R[0]->count() == 11);
  const Resident resident = resident_beside_high(tasks, gpu);
  CHECK(seen > with_carry(tasks[0], gpu, (gpu.sms - 1) * resident.most + resident.not_blocked));
}

// g = 1, one block at a time. A low block of 10 runs from 0; at 1 kernels of 1 come, the one more urgent, the other (k) in between. k ends
// at 12, after 11. T7: (10 + 1 + 1 - 1)/(1 - 1/100) + 1 = 12.1. With K' = 0 for g K it would promise (0 + 1)/(1 - 1/100) + 1, with carry
// (b), 10 x 2/100, 2.2; with K of the kernels alone that are as urgent, 1, (1 + 1)/(1 - 1/100) + 1.
TEST_CASE("wrong: between two priorities (g-1) K + K', carry (b), or K without what is less urgent") {
  std::vector<Task> tasks{kernel_of_length(1, 100, 1, 1), kernel_of_length(1, 100, 1, 1), kernel_of_length(10, 100, 1, 1)};
  tasks[0].priority = 2;
  tasks[1].priority = 1;
  const GpuPool gpu = gpu_with(1, 1, 1);
  const auto seen = responses(tasks, gpu, {{0, 2}, {1, 1}, {1, 0}})[1];
  CHECK(seen == 11);
  const auto bounds = gpu_bounds(tasks, gpu);
  REQUIRE(bounds);
  CHECK(bounds->R[1]->count() == 13);
  const auto promised = [](double carry) { return (carry + 1) / (1 - 1.0 / 100) + 1; };
  for (const double carry : {0.0, 10 * 2.0 / 100, 1.0}) CHECK(static_cast<double>(seen) > promised(carry));
}

// One block at a time: a low block of 5 from 0, k (3) at 1, and a more urgent kernel of 4 at 1, 7, 13 and 19: k starts at 17. T7: (5 +
// 4)/(1 - 2/3) + 3 = 30; with all of g in place of g - U_> it would promise 12.
TEST_CASE("wrong: between two priorities the capacity g, as if what is more urgent came once") {
  std::vector<Task> tasks{kernel_of_length(4, 6, 1, 1), kernel_of_length(3, 100, 1, 1), kernel_of_length(5, 100, 1, 1)};
  tasks[0].priority = 2;
  tasks[1].priority = 1;
  const GpuPool gpu = gpu_with(1, 1, 1);
  const auto seen = responses(tasks, gpu, {{0, 2}, {1, 1}, {1, 0}, {7, 0}, {13, 0}, {19, 0}})[1];
  CHECK(seen == 19);
  const auto bounds = gpu_bounds(tasks, gpu);
  REQUIRE(bounds);
  CHECK(bounds->R[1]->count() == 30);
  CHECK(seen > 5 + 4 + 3);
}

// 64 registers in four parts of 16; warps of 3: 5 in each part, 20 in all, two blocks of 7. As one amount, 64 hold three blocks of 21: 6
// blocks of 10 every 20 would end after (2/3 x 10 + 2 x 10 - 10/3)/1 + 10 = 33.3 at the latest. They take 30, and grow by 10 every time.
TEST_CASE("wrong: registers as one amount") {
  std::vector<Task> tasks{kernel_of_length(10, 20, 6, 7)};
  tasks[0].registers_per_thread = 3;
  GpuPool gpu = gpu_with(1, 64);
  gpu.sm.registers = 64;
  const auto wrong = gpu_bounds(tasks, gpu);
  REQUIRE(wrong);
  gpu.allocation.register_parts = 4;
  CHECK_FALSE(gpu_bounds(tasks, gpu));
  std::vector<Launch> launches;
  launches.reserve(20);
  for (int j = 0; j < 20; ++j) launches.push_back({20 * j, 0});
  const auto seen = responses(tasks, gpu, launches);
  CHECK(seen[0] == 30);
  CHECK(seen[19] == 30 + 19 * 10);
  CHECK(seen[19] > wrong->R[0]->count());
}

// Two parts of 4 registers. Kernel a has two blocks of one warp with 2, which may go to both parts; b has one block of one warp with 4,
// which waits for one of them, though 4 are free: it ends after 11. By its own demand three blocks of a block it: 20/3 + 1 = 7.7. What it
// needs to start surely is 0 x 4 + 2 (4 - 2) + 2 = 6, so that two of a block it: 20/2 + 1 = 11.
TEST_CASE("wrong: a block starts where as many registers are free as it has") {
  std::vector<Task> tasks{kernel_of_length(10, 100, 2, 1), kernel_of_length(1, 100, 1, 1)};
  tasks[0].registers_per_thread = 2;
  tasks[1].registers_per_thread = 4;
  GpuPool gpu = gpu_with(1, 16);
  gpu.sm.registers = 8;
  const auto wrong = gpu_bounds(tasks, gpu);
  gpu.allocation.register_parts = 2;
  const auto right = gpu_bounds(tasks, gpu);
  REQUIRE(wrong);
  REQUIRE(right);
  const std::vector<Amounts> demand{block_demand(tasks[0], gpu), block_demand(tasks[1], gpu)};
  CHECK(needed_to_start(demand, gpu)[0][Resource::registers] == 2);
  CHECK(needed_to_start(demand, gpu)[1][Resource::registers] == 6);
  const auto seen = responses(tasks, gpu, {{0, 0}, {0, 1}}, Placement::most_free)[1];
  CHECK(seen == 11);
  CHECK(wrong->R[1]->count() == 8);
  CHECK(right->R[1]->count() == 11);
}

// 64 blocks of 32 G-threads and 10 every 10: 2048 of T5's 2048 G-threads, for which it would promise
// (10 (2048 - 32) + 64 x 320 - 320)/2048 + 10 = 29.7. Only 32 fit: the j-th kernel takes 10 (j + 1) and more.
TEST_CASE("wrong: T5 where 32 slots hold 32 blocks of 32") {
  const std::vector<Task> tasks{kernel_of_length(10, 10, 64, 32)};
  const GpuPool gpu = gpu_with(1);
  CHECK_FALSE(gpu_bounds(tasks, gpu));
  GpuPool without_slots = gpu;
  without_slots.sm.blocks = 2048;
  const auto wrong = theorem_4_3(tasks, without_slots);
  REQUIRE(wrong);
  CHECK(wrong->R[0].count() == 30);
  std::vector<Launch> launches;
  launches.reserve(20);
  for (int j = 0; j < 20; ++j) launches.push_back({10 * j, 0});
  const auto response = responses(tasks, gpu, launches);
  CHECK(response[1] == 30);
  CHECK(response[2] == 40);
  CHECK(response.back() == 210);
}

// g = 1, H = m, L = T = 10, enqueued at 0 and at 1 (early, by 9): the second takes 19, not 10. With J = 9, T6 says so.
TEST_CASE("wrong: kernels enqueued closer than T, without jitter") {
  std::vector<Task> tasks{kernel_of_length(10, 10, 1, 8)};
  const GpuPool gpu = gpu_with(1, 8, 8);
  const auto without = gpu_bounds(tasks, gpu);
  REQUIRE(without);
  CHECK(without->R[0]->count() == 10);
  CHECK(responses(tasks, gpu, {{0, 0}, {1, 0}})[1] == 19);
  // Enqueued in [jT, jT + 9]: at 9, at 10.
  tasks[0].J = Time(9);
  const auto with = gpu_bounds(tasks, gpu);
  REQUIRE(with);
  CHECK(with->R[0]->count() == 19);
  CHECK(responses(tasks, gpu, {{9, 0}, {10, 0}})[1] == 19);
}

// ceil(U) - 2 in place of ceil(U) - 1 items left over: the search finds schedules above it within a second, and none above T8.
TEST_CASE("wrong: (ceil(U) - 2) L_max left over on workers") {
  namespace workers = rta::analysis::workers;
  std::mt19937 random(8);
  const auto in = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  int broken = 0;
  for (int i = 0; i < 20'000 && broken < 3; ++i) {
    SmallGpu s;
    s.gpu = gpu_with(static_cast<std::uint32_t>(in(2, 3)), 1, 1);
    const int n = in(1, 3);
    std::vector<workers::Task> items;
    for (int t = 0; t < n; ++t) {
      s.tasks.push_back(kernel_of_length(in(1, 12), in(4, 30), static_cast<std::uint64_t>(in(1, 2)), 1));
      items.push_back({s.tasks.back().T, s.tasks.back().B, s.tasks.back().L, {}});
    }
    const auto bounds = workers::response_bounds(items, s.gpu.sms, Time::zero(), false);
    if (!bounds || bounds->terms.ceil_U < 2) continue;
    const auto N = static_cast<Wide>(s.gpu.sms);
    const auto worst = worst_responses(s, random);
    for (std::size_t k = 0; k < worst.size(); ++k) {
      const Wide backlog = (bounds->terms.ceil_U - 2) * bounds->terms.L_max.count() + bounds->terms.released.count() - items[k].L.count();
      const Wide wrong = ceil_div(backlog, N) + items[k].L.count();
      REQUIRE(worst[k] <= bounds->R[k].count());
      broken += static_cast<int>(worst[k] > wrong);
    }
  }
  CHECK(broken >= 3);
}

// Theorem 4.2 of Yang 2020, g = 2, m = 8, H_max = 3, h = 1 (P = 2, Q = 2): tau_1 and tau_2 of length 1 fill both SMs, then tau_3 spreads
// 6 blocks of 1 G-thread evenly over each: 2 are left, and the next tau_1 waits. T = 100: U = 12 x 100/100 + 16/100.
TEST_CASE("T9: above T5's capacity response times grow without bound, with even distribution") {
  const std::vector<Task> tasks{kernel_of_length(1, 100, 4, 3), kernel_of_length(1, 100, 2, 2), kernel_of_length(100, 100, 12, 1)};
  const GpuPool gpu = gpu_with(2, 8, 8);
  CHECK_FALSE(gpu_bounds(tasks, gpu, {Bound::T5, false, false, false}));
  std::vector<Launch> launches;
  for (int j = 0; j < 50; ++j) {
    for (std::size_t i = 0; i < tasks.size(); ++i) launches.push_back({100 * j, i});
  }
  const auto even = responses(tasks, gpu, launches, Placement::most_free);
  CHECK(even[2] == 101);
  CHECK(even[149] == 150);  // one more with every job
}
