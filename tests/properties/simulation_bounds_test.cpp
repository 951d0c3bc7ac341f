// Law 1, over 2,000 random systems for each release policy.
#include <doctest/doctest.h>

#include "properties/law_1.hpp"

using namespace rta;

TEST_CASE("Law 1, offsets: no response time above its bound (T1-T8)") { test::check_law_1(1, 2'000, {}, test::broken_with_offsets); }

TEST_CASE("Law 1, release on completion: no node ends after its bound (T10, T10n, T10j)") {
  test::check_law_1(1, 2'000, test::one_fifo, test::broken_on_completion);
}

TEST_CASE("Law 1, release on segments: no node ends after its bound") {
  test::check_law_1(1, 2'000, test::one_fifo, test::broken_on_segments);
}
