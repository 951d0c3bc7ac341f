#include "support/gpu_search.hpp"

#include <doctest/doctest.h>

#include <random>

#include "rta/analysis/queue/workers.hpp"

using namespace rta;
using namespace rta::test;

TEST_CASE("law 1: no schedule of a small GPU exceeds T5, T6a, T6b, T6c, T6n or T7") {
  std::mt19937 random(31);
  SearchCounts counts;
  for (int i = 0; i < 4000; ++i) search_one(random, 8, counts);
  CHECK(counts.systems > 3000);
  CHECK(counts.tightest == 1.0);  // the search reaches bounds, so it would see one that is too low
}

TEST_CASE("law 1: no schedule of a GPU whose registers lie in parts exceeds a bound, and some exceed those of one amount") {
  std::mt19937 random(33);
  SearchCounts counts;
  for (int i = 0; i < 4000; ++i) search(small_gpu_with_register_parts(random), random, 8, counts);
  CHECK(counts.systems > 3000);
  CHECK(counts.tightest == 1.0);
  CHECK(counts.wrong > 0);
}

TEST_CASE("law 1: no schedule of workers exceeds T8") {
  namespace workers = rta::analysis::workers;
  std::mt19937 random(32);
  const auto in = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  int systems = 0;
  double tightest = 0;
  for (int i = 0; i < 4000; ++i) {
    // A worker is an SM with room for one block.
    SmallGpu s;
    s.gpu = gpu_with(static_cast<std::uint32_t>(in(1, 5)), 1, 1);
    const int n = in(1, 4);
    for (int t = 0; t < n; ++t) {
      s.tasks.push_back(kernel_of_length(in(1, 12), in(2, 40), static_cast<std::uint64_t>(in(1, 6)), 1));
      if (in(0, 3) == 0) s.tasks.back().J = Time(in(0, 30));
    }
    std::vector<workers::Task> items;
    for (const auto& t : s.tasks) items.push_back({t.T, t.B, t.L, t.J});
    auto bounds = workers::response_bounds(items, s.gpu.sms);
    for (int tries = 0; !bounds && tries < 100; ++tries) {
      for (std::size_t k = 0; k < items.size(); ++k) s.tasks[k].T = items[k].T = Time(items[k].T.count() + in(1, 3));
      bounds = workers::response_bounds(items, s.gpu.sms);
    }
    if (!bounds) continue;
    ++systems;
    CAPTURE(in_text(s));
    for (int schedule = 0; schedule < 8; ++schedule) {
      const auto worst = worst_responses(s, random);
      for (std::size_t k = 0; k < worst.size(); ++k) {
        REQUIRE(worst[k] <= bounds->R[k].count());
        tightest = std::max(tightest, static_cast<double>(worst[k]) / static_cast<double>(bounds->R[k].count()));
      }
    }
  }
  CHECK(systems > 3000);
  CHECK(tightest == 1.0);
}
