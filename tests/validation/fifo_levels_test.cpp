// Fixed priorities as levels of SCHED_FIFO.
#include "validation/fifo_levels.hpp"

#include <doctest/doctest.h>

#include "common/scheduling.hpp"
#include "rta/model/error.hpp"
#include "support/build.hpp"

using namespace rta;
using namespace rta::test;

namespace {

std::shared_ptr<const TaskSet> with_priorities(const std::vector<FixedPriority>& priorities, Scheduler scheduler = Scheduler::fp) {
  std::vector<Dag> dags;
  for (const FixedPriority priority : priorities) {
    const std::string name = "d" + std::to_string(dags.size());
    dags.emplace_back(name, 10_ms, std::nullopt, std::vector{cpu_node("a", 1_ms)}, std::vector<Edge>{},
                      DagAttributes{.priority = priority});
  }
  return task_set({cpu_pool(1, scheduler)}, std::move(dags));
}

}  // namespace

TEST_CASE("The levels that jobs may have are those of the runtime") {
  CHECK(validation::highest_job_level == common::highest_job_level);
  CHECK(validation::lowest_job_level == common::lowest_job_level);
}

TEST_CASE("Priorities that are levels stay as they are") {
  const auto levels = validation::fifo_levels(*with_priorities({80, 95, 2, 80}));
  CHECK(levels.of == PerNode<int>{{80}, {95}, {2}, {80}});
  CHECK(levels.notes.empty());
}

TEST_CASE("Others become levels in the same order, and that is told") {
  const auto levels = validation::fifo_levels(*with_priorities({500, 0, 500, 96}));
  CHECK(levels.of == PerNode<int>{{4}, {2}, {4}, {3}});
  CHECK(levels.notes ==
        std::vector<std::string>{"pool 'cpu': its priorities 0 to 500 become the levels 2 to 4 of SCHED_FIFO, in the same order"});
}

TEST_CASE("A pool has as many priorities as there are levels, and no more") {
  std::vector<FixedPriority> priorities;
  for (FixedPriority i = 0; i < 94; ++i) priorities.push_back(10 * i);
  const auto levels = validation::fifo_levels(*with_priorities(priorities));
  CHECK(levels.of.front().front() == 2);
  CHECK(levels.of.back().front() == 95);
  priorities.push_back(5);
  CHECK_THROWS_WITH_AS((void)validation::fifo_levels(*with_priorities(priorities)),
                       "pool 'cpu' has 95 fixed priorities; a workload has 94 levels of SCHED_FIFO for them, 2 to 95", UserError);
  CHECK(validation::fifo_levels(*with_priorities(priorities, Scheduler::g_edf)).of.back().front() == 0);
}
