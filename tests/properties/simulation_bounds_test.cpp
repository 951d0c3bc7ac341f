// Law 1, over 2,000 random systems for each release policy.
#include <doctest/doctest.h>

#include "rta/io/task_set_file.hpp"
#include "support/bounds_against_simulation.hpp"

using namespace rta;

namespace {

void check(const test::Ingredients& with, const test::Law& law) {
  test::Compared compared;
  const auto broken = test::first_broken(1, 2'000, with, law, compared);
  if (broken) FAIL_CHECK(broken->what << '\n' << io::format_task_set(broken->task_set));
  // Not vacuous: most systems have bounds, and some come close to them.
  CHECK(compared.systems >= 1'000);
  CHECK(compared.tight * 20 >= compared.nodes);
  MESSAGE(compared.systems, " systems, ", compared.nodes, " nodes, ", compared.tight, " within 1 % of their bound");
}

}  // namespace

TEST_CASE("Law 1, offsets: no response time above its bound (T1-T8)") { check({}, test::broken_with_offsets); }

TEST_CASE("Law 1, release on completion: no node ends after its bound (T10, T10n, T10j)") {
  check({.sequential = false, .priorities = false}, test::broken_on_completion);
}
