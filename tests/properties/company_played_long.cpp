// C1 and C2 against a million simulated schedules, in parts that run on their own.
#include <doctest/doctest.h>

#include "support/slowed_played.hpp"

using namespace rta;

namespace {

/// 6,000 systems, 42 schedules of each: a quarter of a million.
void part(std::uint64_t number, Release release) {
  const auto played = test::play_slowed(100'000 * number, 6'000, 42, release);
  REQUIRE_MESSAGE(!played.broken, played.broken.value_or(""));
  CHECK(played.nodes > 5'000);
  CHECK(played.shorter > 300);
}

}  // namespace

TEST_CASE("C1 at length, on completion, part 1 of 3") { part(1, Release::completion); }
TEST_CASE("C1 at length, on completion, part 2 of 3") { part(2, Release::completion); }
TEST_CASE("C1 at length, on completion, part 3 of 3") { part(3, Release::completion); }
TEST_CASE("C1 at length, offsets") { part(4, Release::offsets); }
