// Law 1, over 170,000 other random systems for each release policy: more than 100,000 of them have bounds.
#include <doctest/doctest.h>

#include "properties/law_1.hpp"

using namespace rta;

TEST_CASE("Law 1 at length, offsets") { test::check_law_1(10'001, 170'000, {}, test::broken_with_offsets); }

TEST_CASE("Law 1 at length, release on completion") { test::check_law_1(10'001, 170'000, test::one_fifo, test::broken_on_completion); }

TEST_CASE("Law 1 at length, release on segments") { test::check_law_1(10'001, 170'000, test::one_fifo, test::broken_on_segments); }
