// Which DAGs a round of T10n's solver looks at again.
#include "analysis/path/path_due.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

#include "support/path_systems.hpp"

namespace {

using namespace rta::literals;
using namespace rta::analysis::path;

/// One node each, the most urgent first.
System three(Order order) {
  System system;
  system.pools = {rta::test::pool(order, 2)};
  for (const std::uint32_t priority : {3U, 2U, 1U})
    system.dags.push_back(rta::test::dag(10_ms * priority, {rta::test::node(0, 1_ms, priority)}));
  return system;
}

std::vector<std::size_t> due_in(Due& due, const Ticks& ticks) {
  due.begin_round();
  std::vector<std::size_t> dags;
  for (std::size_t d = 0; d < ticks.class_of.size(); ++d) {
    if (due.is_due(ticks.class_of[d])) dags.push_back(d);
  }
  return dags;
}

using Dags = std::vector<std::size_t>;

}  // namespace

TEST_CASE("Under fixed priorities a DAG is due where one as urgent, or itself, has changed in this round or the one before") {
  const System system = three(Order::fixed);
  const Ticks ticks = to_ticks(system, {}, true);
  Due due(ticks);
  CHECK(due_in(due, ticks) == Dags{0, 1, 2});
  due.changed(ticks.class_of[1]);
  CHECK(due_in(due, ticks) == Dags{1, 2});
  CHECK(due_in(due, ticks) == Dags{});
  due.changed(ticks.class_of[2]);
  CHECK(due.is_due(ticks.class_of[2]));
  CHECK_FALSE(due.is_due(ticks.class_of[1]));
  CHECK(due_in(due, ticks) == Dags{2});
}

TEST_CASE("On other pools every DAG that shares one is due") {
  for (const Order order : {Order::fifo, Order::gel, Order::fixed_non_preemptive}) {
    const System system = three(order);
    const Ticks ticks = to_ticks(system, {}, true);
    Due due(ticks);
    CHECK(due_in(due, ticks) == Dags{0, 1, 2});
    due.changed(ticks.class_of[2]);
    CHECK(due_in(due, ticks) == Dags{0, 1, 2});
    CHECK(due_in(due, ticks) == Dags{});
  }
}
