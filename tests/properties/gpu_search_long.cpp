#include <doctest/doctest.h>

#include <chrono>
#include <random>

#include "support/gpu_search.hpp"

using namespace rta::test;

// Ten minutes of adversarial search, with a new seed every time it runs; a failure shows the system.
TEST_CASE("law 1, ten minutes: no schedule of a small GPU exceeds its bounds") {
  const unsigned seed = std::random_device{}();
  CAPTURE(seed);
  std::mt19937 random(seed);
  SearchCounts counts;
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(10);
  while (std::chrono::steady_clock::now() < end) search_one(random, 40, counts);
  MESSAGE(counts.systems << " systems, " << counts.schedules << " schedules, largest response / bound " << counts.tightest);
  CHECK(counts.systems > 10000);
}
