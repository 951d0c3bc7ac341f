// Law 1, over 100,000 other random systems with bounds for each release policy, in parts that run on their own.
#include <doctest/doctest.h>

#include "properties/law_1.hpp"

using namespace rta;

namespace {

constexpr std::uint64_t parts = 5;
constexpr std::uint64_t systems = 100'000 / parts;
constexpr std::uint64_t seeds = 3 * systems;  // per part, at most

void part(std::uint64_t number, const test::Ingredients& with, const test::Law& law) {
  test::check_law_1(10'001 + (number - 1) * seeds, systems, with, law);
}

}  // namespace

TEST_CASE("Law 1 at length, offsets, part 1 of 5") { part(1, {}, test::broken_with_offsets); }
TEST_CASE("Law 1 at length, offsets, part 2 of 5") { part(2, {}, test::broken_with_offsets); }
TEST_CASE("Law 1 at length, offsets, part 3 of 5") { part(3, {}, test::broken_with_offsets); }
TEST_CASE("Law 1 at length, offsets, part 4 of 5") { part(4, {}, test::broken_with_offsets); }
TEST_CASE("Law 1 at length, offsets, part 5 of 5") { part(5, {}, test::broken_with_offsets); }

TEST_CASE("Law 1 at length, release on completion, part 1 of 5") { part(1, test::one_fifo, test::broken_on_completion); }
TEST_CASE("Law 1 at length, release on completion, part 2 of 5") { part(2, test::one_fifo, test::broken_on_completion); }
TEST_CASE("Law 1 at length, release on completion, part 3 of 5") { part(3, test::one_fifo, test::broken_on_completion); }
TEST_CASE("Law 1 at length, release on completion, part 4 of 5") { part(4, test::one_fifo, test::broken_on_completion); }
TEST_CASE("Law 1 at length, release on completion, part 5 of 5") { part(5, test::one_fifo, test::broken_on_completion); }

TEST_CASE("Law 1 at length, points per node, part 1 of 5") { part(1, test::one_fifo, test::broken_by_node); }
TEST_CASE("Law 1 at length, points per node, part 2 of 5") { part(2, test::one_fifo, test::broken_by_node); }
TEST_CASE("Law 1 at length, points per node, part 3 of 5") { part(3, test::one_fifo, test::broken_by_node); }
TEST_CASE("Law 1 at length, points per node, part 4 of 5") { part(4, test::one_fifo, test::broken_by_node); }
TEST_CASE("Law 1 at length, points per node, part 5 of 5") { part(5, test::one_fifo, test::broken_by_node); }

TEST_CASE("Law 1 at length, release on segments, part 1 of 5") { part(1, test::one_fifo, test::broken_on_segments); }
TEST_CASE("Law 1 at length, release on segments, part 2 of 5") { part(2, test::one_fifo, test::broken_on_segments); }
TEST_CASE("Law 1 at length, release on segments, part 3 of 5") { part(3, test::one_fifo, test::broken_on_segments); }
TEST_CASE("Law 1 at length, release on segments, part 4 of 5") { part(4, test::one_fifo, test::broken_on_segments); }
TEST_CASE("Law 1 at length, release on segments, part 5 of 5") { part(5, test::one_fifo, test::broken_on_segments); }

TEST_CASE("Law 1 at length, as the analysis chooses, part 1 of 5") { part(1, test::one_fifo, test::broken_by_policy); }
TEST_CASE("Law 1 at length, as the analysis chooses, part 2 of 5") { part(2, test::one_fifo, test::broken_by_policy); }
TEST_CASE("Law 1 at length, as the analysis chooses, part 3 of 5") { part(3, test::one_fifo, test::broken_by_policy); }
TEST_CASE("Law 1 at length, as the analysis chooses, part 4 of 5") { part(4, test::one_fifo, test::broken_by_policy); }
TEST_CASE("Law 1 at length, as the analysis chooses, part 5 of 5") { part(5, test::one_fifo, test::broken_by_policy); }
