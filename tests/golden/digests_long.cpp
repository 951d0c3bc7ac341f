// Thousands of systems, each printed twice.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "digests.hpp"

namespace {

using namespace rta::test::golden;

void check_printed_twice(std::uint64_t from, std::uint64_t to) {
  const std::vector<Case> cases = random_cases(from, to);
  const std::vector<std::string> lines = lines_of(cases);
  const std::vector<Case> backwards(cases.rbegin(), cases.rend());
  CHECK(differences(lines, lines_of(backwards)) == std::vector<std::string>{});
}

TEST_CASE("thousands of systems print the same in any order, the first") { check_printed_twice(0, 2'500); }

TEST_CASE("thousands of systems print the same in any order, the rest") { check_printed_twice(2'500, 5'000); }

}  // namespace
