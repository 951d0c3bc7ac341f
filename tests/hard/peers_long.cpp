// The counts of docs/theory/hard.md: T16 to T18 beside published tests.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "support/hard_acceptance.hpp"
#include "support/sets_asked.hpp"

namespace {

using namespace rta;

void no_set_is_refused(std::uint32_t m, double ratio, std::uint64_t otherwise) {
  const std::uint64_t sets = test::sets_asked(otherwise);
  for (const double load : {.3, .4, .5, .6, .7, .8, .9}) {
    const test::HardCounts counts = test::count_acceptance({m, load, ratio}, sets);
    const std::string line = fmt::format("m = {}, D = {} T, U/m = {}: G-EDF {}, published tests together {}; FP {}, Guan {}", m, ratio,
                                         load, counts.under_edf, counts.by_others_under_edf, counts.under_fixed, counts.by_guan);
    MESSAGE(line);
    CAPTURE(line);
    for (std::size_t i = 0; i < counts.refused.size(); ++i) {
      CAPTURE(test::HardCounts::names[i]);
      CHECK(counts.refused[i] == 0);
    }
    CHECK(counts.under_edf >= counts.by_others_under_edf);
    CHECK(counts.under_fixed >= counts.by_guan);
  }
}

}  // namespace

TEST_CASE("4 processors, D = T: no set that a published test accepts is refused") { no_set_is_refused(4, 1, 300); }
TEST_CASE("4 processors, D = 0.7 T: no set that a published test accepts is refused") { no_set_is_refused(4, .7, 300); }
TEST_CASE("8 processors, D = T: no set that a published test accepts is refused") { no_set_is_refused(8, 1, 100); }
TEST_CASE("8 processors, D = 0.7 T: no set that a published test accepts is refused") { no_set_is_refused(8, .7, 100); }
TEST_CASE("16 processors, D = T: no set that a published test accepts is refused") { no_set_is_refused(16, 1, 20); }
TEST_CASE("16 processors, D = 0.7 T: no set that a published test accepts is refused") { no_set_is_refused(16, .7, 20); }
