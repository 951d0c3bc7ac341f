// The classic job shops that the guide promises, with a fixed amount of search in place of 10 s, so that slow machines find the same.
#include <doctest/doctest.h>

#include "job_shops.hpp"

using namespace rta::static_order;

namespace {

constexpr std::uint64_t much = 400;

void check(const char* name, bool proved, std::int64_t permille_above) {
  CAPTURE(name);
  const JobShop shop = job_shop(name);
  CompileOptions options;
  options.effort = much;
  const Solved found = solved(shop.graph, options);
  CHECK(found.length >= shop.best_known);
  CHECK(found.bound <= shop.best_known);
  CHECK(1000 * found.length <= (1000 + permille_above) * shop.best_known);
  if (proved) CHECK(found.proved);
}

}  // namespace

TEST_CASE("la02 to la05 are solved and proved") {
  for (const char* name : {"la02", "la03", "la04", "la05"}) check(name, true, 0);
}
TEST_CASE("la16 is solved and proved") { check("la16", true, 0); }
TEST_CASE("ft10 is within 1 %") { check("ft10", false, 10); }
TEST_CASE("la21 is within 1 %") { check("la21", false, 10); }
TEST_CASE("la22 is within 1 %") { check("la22", false, 10); }
TEST_CASE("la23 is within 1 %") { check("la23", false, 10); }
TEST_CASE("la24 is within 1 %") { check("la24", false, 10); }
TEST_CASE("la25 is within 1 %") { check("la25", false, 10); }
TEST_CASE("abz7 is within 3 %") { check("abz7", false, 30); }
TEST_CASE("la29 is within 3 %") { check("la29", false, 30); }
TEST_CASE("la38 is within 3 %") { check("la38", false, 30); }
