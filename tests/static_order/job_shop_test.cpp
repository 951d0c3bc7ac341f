// Job shops whose best lengths are known: J. Muth, G. Thompson, Industrial Scheduling, 1963 (ft06); S. Lawrence, 1984 (la01).
#include <doctest/doctest.h>

#include "job_shops.hpp"

using namespace rta::static_order;

TEST_CASE("the smallest classic job shops are solved and proved") {
  for (const char* name : {"ft06", "la01"}) {
    CAPTURE(name);
    const JobShop shop = job_shop(name);
    CompileOptions options;
    options.effort = 20;
    const Solved found = solved(shop.graph, options);
    CHECK(found.length == shop.best_known);
    CHECK(found.bound == shop.best_known);
    CHECK(found.proved);
  }
}

TEST_CASE("list schedules alone are not far from the best") {
  // What --effort 0 gives: within a third of the best known length on these.
  for (const char* name : {"ft06", "la01", "la02", "la03", "la04", "la05"}) {
    CAPTURE(name);
    const JobShop shop = job_shop(name);
    CompileOptions options;
    options.effort = 0;
    const Solved found = solved(shop.graph, options);
    CHECK(found.length >= shop.best_known);
    CHECK(3 * found.length <= 4 * shop.best_known);
    CHECK(found.bound <= shop.best_known);
  }
}
