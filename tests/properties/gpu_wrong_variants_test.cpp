// Plausible bounds that are wrong: each is broken by a schedule, so the laws have teeth.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "rta/analysis/fifo_bounds.hpp"
#include "rta/analysis/workers.hpp"
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

// The bound of task k with so much work carried in, in place of what was proven.
std::int64_t bound_with(const std::vector<Task>& tasks, const GpuBounds& bounds, std::size_t k, Wide carried) {
  const WeightSet& set = bounds.sets[bounds.basis[k].set];
  const Wide backlog = carried + set.released - set.density[k] * tasks[k].C.count();
  return static_cast<std::int64_t>(ceil_div(backlog * set.rate_scale, set.rate)) + tasks[k].L.count();
}

// What the blocks on one SM may have left to run, by the weights: K over all configurations, K' over those with room for a block of k.
struct Resident {
  Wide K = 0, K_with_room = 0;
};
Resident resident(const std::vector<Task>& tasks, const GpuPool& gpu, const WeightSet& set, std::size_t k) {
  Resident most;
  const std::uint64_t slots = gpu.sm.blocks;
  const auto fits = [&](std::uint64_t x, std::uint64_t y) { return x + y <= slots && x * tasks[0].H + y * tasks[1].H <= gpu.sm.threads; };
  const auto left = [&](std::size_t i) { return set.density[i] * tasks[i].H * tasks[i].L.count(); };
  for (std::uint64_t x = 0; x <= slots; ++x) {
    for (std::uint64_t y = 0; y <= slots; ++y) {
      if (!fits(x, y)) continue;
      const Wide work = static_cast<Wide>(x) * left(0) + static_cast<Wide>(y) * left(1);
      most.K = std::max(most.K, work);
      if (fits(x + (k == 0 ? 1 : 0), y + (k == 1 ? 1 : 0))) most.K_with_room = std::max(most.K_with_room, work);
    }
  }
  return most;
}

// A high-priority kernel of 1, enqueued at 1, behind low blocks of 10 that fill all SMs from 0: it takes 10. What T7 says is at least that;
// what the variants would promise is not.
void check_variants_of_T7(std::uint32_t g, std::uint32_t H) {
  CAPTURE(g);
  std::vector<Task> tasks{kernel_of_length(1, 100, 1, H), kernel_of_length(10, 100, g, H)};
  tasks[0].priority = Priority::high;
  const GpuPool gpu = gpu_with(g, H, H);
  const std::int64_t response = responses(tasks, gpu, {{0, 1}, {1, 0}})[1];
  CHECK(response == 10);
  const auto bounds = gpu_bounds(tasks, gpu);
  REQUIRE(bounds);
  const Basis& basis = bounds->basis[0];
  REQUIRE(basis.theorem == Theorem::T7);
  REQUIRE(bounds->R[0]->count() == bound_with(tasks, *bounds, 0, basis.carried));
  CHECK(bounds->R[0]->count() == 11);
  const WeightSet& set = bounds->sets[basis.set];
  const Resident most = resident(tasks, gpu, set, 0);
  CHECK(basis.carried == g * most.K);  // T7: every SM may be full of low blocks
  CHECK(response > bound_with(tasks, *bounds, 0, (g - 1) * most.K + most.K_with_room));
  CHECK(response > bound_with(tasks, *bounds, 0, set.U.ceil_times(tasks[1].L.count())));
}

}  // namespace

// g = 1, m = 1: K = 10, K' = 0, so that (g-1) K + K' = 0 would promise (0 + 1 - 1)/1 + 1 = 1; T7 says (10 + 1 - 1)/1 + 1 = 11. Carry (b),
// L_max U_hi = 10 x 1/100 or 1 when rounded up, would promise 2.
TEST_CASE("wrong: (g-1) K + K', or carry (b), for high-priority kernels") { check_variants_of_T7(1, 1); }

// g = 2, one block per SM: low blocks keep both SMs full for 10. (g-1) K + K' would promise (10 + 1 - 1)/2 + 1 = 6; T7 says (20 + 1 - 1)/2
// + 1.
TEST_CASE("wrong: (g-1) K + K' for high-priority kernels, two SMs") { check_variants_of_T7(2, 2); }

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
    SmallSystem s;
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
