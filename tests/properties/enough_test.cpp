// With `enough: deadlines` every DAG has a bound that has one without, and meets the same deadlines.
#include <doctest/doctest.h>

#include <memory>

#include "rta/analysis/analyze.hpp"
#include "rta/analysis/deadlines.hpp"
#include "rta/io/task_set_file.hpp"
#include "support/random_system.hpp"

namespace {

using namespace rta;
using namespace rta::analysis;

/// Of sets of one kind.
struct Count {
  int schedulable = 0;
  int by_other_bounds = 0;
};

Analysis analyzed(const std::shared_ptr<const TaskSet>& set, Options options, Enough enough) {
  options.enough = enough;
  options.most_periods = 20;
  return analyze(set, options);
}

bool same_bounds(const Proof& a, const Proof& b) {
  for (DagId d = 0; d < a.dags.size(); ++d) {
    if (a.dags[d].bound && a.dags[d].bound->R != b.dags[d].bound->R) return false;
  }
  return true;
}

Count count(const Options& options, std::uint64_t seeds, const test::Ingredients& shape) {
  Count count;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    CAPTURE(seed);
    const auto set = std::make_shared<const TaskSet>(test::random_system(seed, shape));
    CAPTURE(io::format_task_set(*set));
    const Analysis all = analyzed(set, options, Enough::bounds);
    const Analysis quick = analyzed(set, options, Enough::deadlines);
    CHECK(quick.verdict == all.verdict);
    for (DagId d = 0; d < set->dags().size(); ++d) {
      const bool bounded = quick.proof.dags[d].bound.has_value();
      // Beside a DAG without a bound others are not looked at by themselves (T37).
      if (!bounded && all.verdict == Verdict::unbounded) continue;
      REQUIRE(bounded == all.proof.dags[d].bound.has_value());
      CHECK(meets_deadlines(quick.proof, d) == meets_deadlines(all.proof, d));
    }
    if (all.verdict == Verdict::schedulable) ++count.schedulable;
    if (!same_bounds(quick.proof, all.proof)) ++count.by_other_bounds;
  }
  return count;
}

}  // namespace

TEST_CASE("Enough deadlines: the same sets are schedulable on completion") {
  Options options;
  options.release = Release::completion;
  const Count found = count(options, 300, {.sequential = true, .priorities = true, .non_preemptive = true, .fixed = true});
  CHECK(found.schedulable > 30);
  CHECK(found.by_other_bounds > 5);
}

TEST_CASE("Enough deadlines: the same sets are schedulable under each scheduler") {
  for (const Scheduler scheduler : {Scheduler::g_edf, Scheduler::g_fl, Scheduler::fifo, Scheduler::lp, Scheduler::fp}) {
    Options options;
    options.release = Release::completion;
    options.scheduler = scheduler;
    const Count found = count(options, 60, {.sequential = false, .priorities = true, .non_preemptive = false, .fixed = false});
    CHECK(found.schedulable > 5);
  }
}

TEST_CASE("Enough deadlines: the same sets are schedulable by the best policy") {
  const Count found = count({}, 60, {.sequential = true, .priorities = true, .non_preemptive = true, .fixed = true});
  CHECK(found.schedulable > 5);
  CHECK(found.by_other_bounds > 0);
}
