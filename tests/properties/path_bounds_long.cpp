// The laws of tests/properties/path_bounds_test.cpp over 100,000 systems, in parts that run on their own.
#include <doctest/doctest.h>

#include "support/path_laws.hpp"

namespace {

constexpr std::uint64_t systems = 20'000;

void part(std::uint64_t number) {
  rta::test::PathLawCounts counts;
  const std::uint64_t first = 1'000'000 + (number - 1) * systems;
  for (std::uint64_t seed = first; seed < first + systems; ++seed) rta::test::check_path_laws(seed, 10, counts);
  CHECK(counts.bounded > 10'000);
  CHECK(counts.reached > 1'000);
}

void part_by_node(std::uint64_t number) {
  rta::test::PathLawCounts counts;
  const std::uint64_t first = 1'000'000 + (number - 1) * systems;
  for (std::uint64_t seed = first; seed < first + systems; ++seed) rta::test::check_laws_by_node(seed, 10, counts);
  CHECK(counts.bounded > 3'000);
  CHECK(counts.reached > 500);
}

}  // namespace

TEST_CASE("Path bounds, part 1 of 5: random systems never exceed them") { part(1); }
TEST_CASE("Path bounds, part 2 of 5: random systems never exceed them") { part(2); }
TEST_CASE("Path bounds, part 3 of 5: random systems never exceed them") { part(3); }
TEST_CASE("Path bounds, part 4 of 5: random systems never exceed them") { part(4); }
TEST_CASE("Path bounds, part 5 of 5: random systems never exceed them") { part(5); }

TEST_CASE("Path bounds with points per node, part 1 of 5: random systems never exceed them") { part_by_node(1); }
TEST_CASE("Path bounds with points per node, part 2 of 5: random systems never exceed them") { part_by_node(2); }
TEST_CASE("Path bounds with points per node, part 3 of 5: random systems never exceed them") { part_by_node(3); }
TEST_CASE("Path bounds with points per node, part 4 of 5: random systems never exceed them") { part_by_node(4); }
TEST_CASE("Path bounds with points per node, part 5 of 5: random systems never exceed them") { part_by_node(5); }
