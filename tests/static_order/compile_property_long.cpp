// The law of static schedules on thousands of random graphs, some of them larger.
#include <doctest/doctest.h>

#include "compile_law.hpp"
#include "random_graph.hpp"

using namespace rta;
using namespace rta::static_order;

namespace {

void check_many(std::uint64_t seed, int count, const RandomGraphOptions& options) {
  Random random(seed);
  Tally tally;
  for (int i = 0; i < count; ++i) {
    CAPTURE(i);
    check_law(RandomGraph(random, options).make(), random, tally);
  }
  CHECK(tally.compiled > count / 2);
}

}  // namespace

TEST_CASE("schedules of many random graphs hold") { check_many(11, 4000, {.runnables = 16}); }

TEST_CASE("schedules of many random graphs with shared GPUs hold") { check_many(12, 4000, {.runnables = 16, .blocks = true}); }

TEST_CASE("schedules of larger random graphs hold") { check_many(13, 500, {.runnables = 60}); }

TEST_CASE("schedules of larger random graphs with shared GPUs hold") { check_many(14, 500, {.runnables = 60, .blocks = true}); }
