#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

#include "analysis/gpu/fifo_level.hpp"
#include "rta/analysis/gpu/fifo_bounds.hpp"
#include "rta/analysis/queue/workers.hpp"
#include "support/gpu_search.hpp"

using namespace rta;
using namespace rta::analysis::fifo;
using namespace rta::test;

namespace {

Options only(Bound bound) {
  Options options;
  options.bound = bound;
  return options;
}

// As on a Titan V: 80 SMs of 2048 G-threads and 32 slots, sometimes with 96 KiB of shared memory and 65536 registers.
SmallGpu large_system(std::mt19937& random) {
  constexpr std::uint32_t sizes[]{32, 64, 96, 128, 192, 256, 384, 512, 768, 1024};
  constexpr std::int64_t periods[]{10, 20, 33, 33, 50, 100};
  const auto in = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  SmallGpu s;
  s.gpu = gpu_with(80, 2048, 32);
  s.gpu.allocation = {32, 256, 0, 256};
  if (in(0, 1) == 0) s.gpu.sm.shared_memory = 96 * 1024;
  if (in(0, 1) == 0) s.gpu.sm.registers = 65536;
  const int n = in(2, 20);
  for (int i = 0; i < n; ++i) {
    auto t = kernel_of_length(in(10'000, 400'000), periods[in(0, 5)] * 1'000'000, static_cast<std::uint64_t>(in(2, 2000)), sizes[in(0, 9)]);
    t.shared_memory = static_cast<std::uint64_t>(in(0, 40)) * 1024;
    t.registers_per_thread = static_cast<std::uint32_t>(in(16, 64));
    s.tasks.push_back(t);
  }
  return s;
}

// Periods stretched until T6b bounds all tasks.
bool stretch(SmallGpu& s, std::mt19937& random) {
  for (int tries = 0; tries < 200; ++tries) {
    if (gpu_bounds(s.tasks, s.gpu, only(Bound::T6b))) return true;
    for (auto& t : s.tasks) t.T = Time(t.T.count() + t.T.count() / 8 + 1 + static_cast<std::int64_t>(random() % 4));
  }
  return false;
}

bool never_worse(const GpuBounds& a, const GpuBounds& b) {
  return std::equal(a.R.begin(), a.R.end(), b.R.begin(), [](const auto& x, const auto& y) { return !y || (x && *x <= *y); });
}

}  // namespace

TEST_CASE("law 2: T6c <= T6b <= T6a <= T5 for every kernel of 10,000 random sets") {
  std::mt19937 random(2);
  int T5_applies = 0, T6a_applies = 0, smaller = 0;
  for (int i = 0; i < 10'000; ++i) {
    SmallGpu s = i % 10 == 0 ? large_system(random) : small_gpu(random);
    if (!stretch(s, random)) continue;
    CAPTURE(in_text(s));
    const auto T5 = gpu_bounds(s.tasks, s.gpu, only(Bound::T5));
    const auto T6a = gpu_bounds(s.tasks, s.gpu, only(Bound::T6a));
    const auto T6b = gpu_bounds(s.tasks, s.gpu, only(Bound::T6b));
    const auto T6c = gpu_bounds(s.tasks, s.gpu);
    REQUIRE(T6b);
    REQUIRE(T6c);
    if (T5) {
      ++T5_applies;
      REQUIRE(T6a);
      REQUIRE(never_worse(*T6a, *T5));
    }
    if (T6a) {
      ++T6a_applies;
      REQUIRE(never_worse(*T6b, *T6a));
      smaller += static_cast<int>(!never_worse(*T6a, *T6b));
    }
    REQUIRE(never_worse(*T6c, *T6b));
    Options shared = only(Bound::T6b);
    shared.shared_weights = true;
    if (const auto one_set = gpu_bounds(s.tasks, s.gpu, shared)) REQUIRE(never_worse(*T6b, *one_set));
  }
  CHECK(T5_applies > 2000);
  CHECK(T6a_applies > 5000);
  CHECK(smaller > 1000);
}

TEST_CASE("law 4: any weights give valid bounds, and none better than the program's") {
  std::mt19937 random(4);
  int weighed = 0;
  for (int i = 0; i < 1500; ++i) {
    SmallGpu s = small_gpu(random);
    if (!stretch(s, random)) continue;
    CAPTURE(in_text(s));
    const auto T6b = gpu_bounds(s.tasks, s.gpu, only(Bound::T6b));
    const Kernels kernels(s.tasks, s.gpu);
    const Level level(kernels, low_priority);
    std::vector<std::int64_t> worst(s.tasks.size(), 0);
    for (int schedule = 0; schedule < 6; ++schedule) {
      const auto seen = worst_responses(s, random);
      for (std::size_t k = 0; k < worst.size(); ++k) worst[k] = std::max(worst[k], seen[k]);
    }
    for (int j = 0; j < 4; ++j) {
      std::vector<Wide> density(kernels.classes.demand.size());
      for (Wide& d : density) d = 1 + static_cast<Wide>(random() % 8);
      const auto weights = weigh(level.sm(), density);
      if (!weights) continue;
      const auto set = level.weight_set(*weights);
      if (!set) continue;
      ++weighed;
      const Basis basis = level.carry(*set);
      const auto L_max = static_cast<double>(kernels.tasks[kernels.by_length.front()].L.count());
      for (std::size_t k = 0; k < worst.size(); ++k) {
        REQUIRE(worst[k] <= level.bound(*set, basis, k).count());
        // T6b minimises the bound with carry (b) L_max U_w over all weights; what is printed is rounded up by less than 1 ns.
        const double last = static_cast<double>(set->density[k]) * static_cast<double>(kernels.tasks[k].C.count());
        const double R = (L_max * set->U.approximate() + static_cast<double>(set->released) - last) / static_cast<double>(set->capacity) +
                         static_cast<double>(kernels.tasks[k].L.count());
        REQUIRE(static_cast<double>(T6b->R[k]->count()) < R * (1 + 1e-6) + 1);
      }
    }
  }
  CHECK(weighed > 2000);
}

TEST_CASE("law 3: T5, T6a and T8 never rise when a block gets shorter or a kernel loses a block") {
  namespace workers = rta::analysis::workers;
  std::mt19937 random(3);
  int compared = 0;
  for (int i = 0; i < 3000; ++i) {
    SmallGpu s = small_gpu(random);
    if (!stretch(s, random)) continue;
    SmallGpu less = s;
    Task& t = less.tasks[random() % less.tasks.size()];
    if (random() % 2 == 0 && t.L > Time::zero()) {
      t.L -= Time(1);
      t.C = Workload(static_cast<Wide>(t.L.count()) * t.H);
    } else if (t.B > 1) {
      --t.B;
    }
    CAPTURE(in_text(s));
    for (const Bound bound : {Bound::T5, Bound::T6a}) {
      const auto before = gpu_bounds(s.tasks, s.gpu, only(bound));
      if (!before) continue;
      const auto after = gpu_bounds(less.tasks, less.gpu, only(bound));
      REQUIRE(after);
      REQUIRE(never_worse(*after, *before));
      ++compared;
    }
    std::vector<workers::Task> items, fewer;
    for (const Task& x : s.tasks) items.push_back({x.T, x.B, x.L, x.J});
    for (const Task& x : less.tasks) fewer.push_back({x.T, x.B, x.L, x.J});
    if (const auto before = workers::response_bounds(items, 3)) {
      const auto after = workers::response_bounds(fewer, 3);
      REQUIRE(after);
      for (std::size_t k = 0; k < items.size(); ++k) REQUIRE(after->R[k] <= before->R[k]);
    }
  }
  CHECK(compared > 2000);
}

TEST_CASE("law 3: T6 at fixed weights never rises when a block gets shorter or a kernel loses a block") {
  std::mt19937 random(7);
  int compared = 0, smaller = 0;
  for (int i = 0; i < 3000; ++i) {
    SmallGpu s = small_gpu(random);
    if (!stretch(s, random)) continue;
    SmallGpu less = s;
    Task& t = less.tasks[random() % less.tasks.size()];
    if (random() % 2 == 0 && t.L > Time::zero()) {
      t.L -= Time(1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(t.L.count())));
      t.C = Workload(static_cast<Wide>(t.L.count()) * t.H);
    } else if (t.B > 1) {
      --t.B;
    }
    CAPTURE(in_text(s));
    CAPTURE(in_text(less));
    const Kernels kernels(s.tasks, s.gpu), fewer(less.tasks, less.gpu);
    const Level before(kernels, low_priority), after(fewer, low_priority);
    std::vector<Wide> density(kernels.classes.demand.size());
    for (Wide& d : density) d = 1 + static_cast<Wide>(random() % 8);
    const auto weights = weigh(before.sm(), density);
    if (!weights) continue;
    const auto set = before.weight_set(*weights);
    if (!set) continue;
    const auto less_set = after.weight_set(*weights);
    REQUIRE(less_set);
    ++compared;
    const Basis carry = before.carry(*set), less_carry = after.carry(*less_set);
    for (std::size_t k = 0; k < s.tasks.size(); ++k) {
      const Time R = before.bound(*set, carry, k), less_R = after.bound(*less_set, less_carry, k);
      REQUIRE(less_R <= R);
      smaller += less_R < R ? 1 : 0;
    }
  }
  CHECK(compared > 1000);
  CHECK(smaller > 500);
}

TEST_CASE("T6b chooses its weights anew, so a shorter block can raise a bound a little") {
  // The program counts carry (b) as L_max U_w. Whole blocks gain more on it with the first weights than with those that it finds then.
  SmallGpu s;
  s.gpu = gpu_with(2, 12, 4);
  s.tasks = {kernel_of_length(90, 2420, 5, 3), kernel_of_length(40, 2450, 3, 4), kernel_of_length(110, 2740, 2, 2)};
  const auto before = gpu_bounds(s.tasks, s.gpu, only(Bound::T6b));
  s.tasks[1] = kernel_of_length(37, 2450, 3, 4);
  const auto after = gpu_bounds(s.tasks, s.gpu, only(Bound::T6b));
  REQUIRE(before);
  REQUIRE(after);
  CHECK(before->R[2]->count() == 224);
  CHECK(after->R[2]->count() == 227);
}

TEST_CASE("law 5: permuting tasks permutes bounds, scaling times scales them: T6a, T8, and T6b up to what whole blocks gain") {
  namespace workers = rta::analysis::workers;
  std::mt19937 random(5);
  int T6a = 0, T6b = 0, T8 = 0;
  for (int i = 0; i < 1000; ++i) {
    SmallGpu s = small_gpu(random);
    for (auto& t : s.tasks) {
      t.L = Time(t.L.count() * 1'000'000);
      t.C = Workload(static_cast<Wide>(t.L.count()) * t.H);
      t.T = Time(t.T.count() * 1'000'000);
    }
    if (!stretch(s, random)) continue;
    CAPTURE(in_text(s));
    const std::size_t n = s.tasks.size();
    SmallGpu scaled = s;
    for (auto& t : scaled.tasks) {
      t.L = Time(t.L.count() * 7);
      t.C = Workload(t.C.count() * 7);
      t.T = Time(t.T.count() * 7);
    }
    SmallGpu reversed = s;
    std::reverse(reversed.tasks.begin(), reversed.tasks.end());
    const auto of = [](Time t) { return static_cast<double>(t.count()); };

    if (const auto R = gpu_bounds(s.tasks, s.gpu, only(Bound::T6a))) {
      ++T6a;
      const auto seven = gpu_bounds(scaled.tasks, scaled.gpu, only(Bound::T6a));
      const auto other = gpu_bounds(reversed.tasks, reversed.gpu, only(Bound::T6a));
      REQUIRE(seven);
      REQUIRE(other);
      for (std::size_t k = 0; k < n; ++k) {
        REQUIRE(std::abs(of(*seven->R[k]) - 7 * of(*R->R[k])) <= 7);
        REQUIRE(*other->R[n - 1 - k] == *R->R[k]);
      }
    }

    // T6b's program may end in another of its best corners. Let R* be the least bound with carry L_max U_w over all weights. What is
    // printed is at most R* (law 4), and at least R* - L_max/g: V >= U_w - gamma with gamma <= 1 (some blocking configuration weighs 1),
    // and carry (a) >= (g-1) L_max >= L_max (U_w - 1).
    const auto R = gpu_bounds(s.tasks, s.gpu, only(Bound::T6b));
    const auto seven = gpu_bounds(scaled.tasks, scaled.gpu, only(Bound::T6b));
    const auto other = gpu_bounds(reversed.tasks, reversed.gpu, only(Bound::T6b));
    REQUIRE(R);
    REQUIRE(seven);
    REQUIRE(other);
    ++T6b;
    double L_max = 0;
    for (const auto& t : s.tasks) L_max = std::max(L_max, of(t.L));
    for (std::size_t k = 0; k < n; ++k) {
      const double close = L_max / s.gpu.sms + 2 + 1e-6 * of(*R->R[k]);
      REQUIRE(std::abs(of(*seven->R[k]) - 7 * of(*R->R[k])) <= 7 * close);
      REQUIRE(std::abs(of(*other->R[n - 1 - k]) - of(*R->R[k])) <= close);
    }

    const auto in_items = [](const std::vector<Task>& tasks) {
      std::vector<workers::Task> items;
      items.reserve(tasks.size());
      for (const Task& t : tasks) items.push_back({t.T, t.B, t.L, t.J});
      return items;
    };
    if (const auto items = workers::response_bounds(in_items(s.tasks), 3)) {
      ++T8;
      const auto items_seven = workers::response_bounds(in_items(scaled.tasks), 3);
      const auto items_other = workers::response_bounds(in_items(reversed.tasks), 3);
      REQUIRE(items_seven);
      REQUIRE(items_other);
      for (std::size_t k = 0; k < n; ++k) {
        REQUIRE(std::abs(of(items_seven->R[k]) - 7 * of(items->R[k])) <= 7);
        REQUIRE(items_other->R[n - 1 - k] == items->R[k]);
      }
    }
  }
  CHECK(T6a > 400);
  CHECK(T6b > 800);
  CHECK(T8 > 400);
}

// The solver keeps its state per thread; a sweep analyses many sets at once.
TEST_CASE("bounds do not depend on what other threads analyse") {
  std::mt19937 random(6);
  std::vector<SmallGpu> systems;
  while (systems.size() < 60) {
    SmallGpu s = large_system(random);
    if (stretch(s, random)) systems.push_back(std::move(s));
  }
  const auto analyse = [&](std::vector<std::vector<std::optional<Time>>>& out) {
    for (const SmallGpu& s : systems) out.push_back(gpu_bounds(s.tasks, s.gpu)->R);
  };
  std::vector<std::vector<std::vector<std::optional<Time>>>> results(4);
  std::vector<std::thread> threads;
  threads.reserve(results.size());
  for (auto& result : results) threads.emplace_back([&] { analyse(result); });
  for (auto& thread : threads) thread.join();
  std::vector<std::vector<std::optional<Time>>> alone;
  analyse(alone);
  for (const auto& result : results) CHECK(result == alone);
}
