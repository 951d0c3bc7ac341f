#include "rta/model/schedule.hpp"

#include <doctest/doctest.h>

using namespace rta;

TEST_CASE("names of releases") {
  for (const char* name : {"offsets", "early", "completion", "segments", "grouped"}) CHECK(to_string(*release_named(name)) == name);
  CHECK_FALSE(release_named("offset"));
  CHECK_FALSE(release_named(""));
}
