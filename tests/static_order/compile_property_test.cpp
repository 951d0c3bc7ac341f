// The law of static schedules on small random graphs.
#include <doctest/doctest.h>

#include "compile_law.hpp"
#include "random_graph.hpp"

using namespace rta;
using namespace rta::static_order;

TEST_CASE("schedules of random graphs hold when they are played") {
  Random random(1);
  Tally tally;
  for (int i = 0; i < 150; ++i) {
    CAPTURE(i);
    check_law(RandomGraph(random, {.runnables = 14}).make(), random, tally);
  }
  // Most graphs can be compiled, and bounds are attained.
  CHECK(tally.compiled > 120);
  CHECK(tally.attained > 60);
}

TEST_CASE("schedules whose kernels share GPUs hold when they are played block by block") {
  Random random(2);
  Tally tally;
  for (int i = 0; i < 25; ++i) {
    CAPTURE(i);
    check_law(RandomGraph(random, {.runnables = 14, .blocks = true}).make(), random, tally);
  }
  CHECK(tally.compiled > 20);
  CHECK(tally.shared > 3);
}
