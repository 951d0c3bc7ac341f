#include "rta/compare/seen_overheads.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "support/build.hpp"

using namespace rta;
using namespace rta::test;
using compare::SeenOverhead;

namespace {

trace::Header measured(const char* release = "completion") {
  trace::Header header;
  header.source = "measurement";
  header.release = release;
  return header;
}

// `first` -> `second` on so many processors, and `other` beside.
std::shared_ptr<const TaskSet> two_dags(unsigned processors) {
  return task_set({cpu_pool(processors)}, {Dag("d", 100_us, std::nullopt, {cpu_node("first", 10_us), cpu_node("second", 10_us)}, {{0, 1}}),
                                           Dag("e", 100_us, std::nullopt, {cpu_node("other", 10_us)}, {})});
}

}  // namespace

TEST_CASE("what a machine adds is counted from where a node could start, less its execution") {
  const auto set = two_dags(1);
  compare::OverheadsSeen seen(*set, measured());
  // Released at 100 us: `first` runs 10 us and ends at 113, `second` could start there, runs 10 us and ends at 128.
  seen.ran(0, 0, 0, 4_us);
  seen.ran(0, 0, 0, 6_us);  // after it was preempted
  seen.job(0, 0, 0, 101_us, 113_us);
  seen.ran(0, 1, 0, 10_us);
  seen.job(0, 1, 0, 115_us, 128_us);
  CHECK(seen.seen().empty());  // the DAG's release is not known yet
  seen.dag(0, 0, 100_us);
  const auto all = seen.seen();
  REQUIRE(all.size() == 1);
  CHECK(all[0].jobs == 2);
  CHECK(all[0].median == 3_us);
  CHECK(all[0].max == 5_us);
  CHECK(all[0].quiet());
  CHECK(all[0].proposed() == 10_us);  // 6.25 us, in whole 5 us
}

TEST_CASE("with offsets a node could start when it entered its queue") {
  const auto set = two_dags(1);
  compare::OverheadsSeen seen(*set, measured("offsets"));
  seen.ran(1, 0, 0, 10_us);
  seen.job(1, 0, 0, 150_us, 162_us);
  seen.dag(1, 0, 100_us);
  REQUIRE(seen.seen().size() == 1);
  CHECK(seen.seen()[0].max == 2_us);
}

TEST_CASE("jobs that others of their pool delay tell nothing of the machine") {
  const auto run = [](unsigned processors) {
    const auto set = two_dags(processors);
    compare::OverheadsSeen seen(*set, measured());
    seen.ran(0, 0, 0, 10_us);
    seen.job(0, 0, 0, 0_us, 12_us);
    seen.ran(0, 1, 0, 10_us);
    seen.job(0, 1, 0, 12_us, 35_us);
    seen.dag(0, 0, 0_us);
    seen.ran(1, 0, 0, 10_us);  // from 20 us on, while `second` is under way
    seen.job(1, 0, 0, 20_us, 31_us);
    seen.dag(1, 0, 20_us);
    return seen.seen();
  };
  const auto one = run(1), two = run(2);
  REQUIRE(one.size() == 1);
  CHECK(one[0].jobs == 1);  // `first` alone
  CHECK(one[0].max == 2_us);
  REQUIRE(two.size() == 1);
  CHECK(two[0].jobs == 3);
  CHECK(two[0].max == 13_us);
}

TEST_CASE("kernels count from their first block to the last, where they are alone") {
  const auto set = task_set({cpu_pool(1), gpu_pool(2, 64)}, {Dag("g", 100_us, std::nullopt, {gpu_node("k", 2, 32, 10_us)}, {})});
  compare::OverheadsSeen seen(*set, measured());
  seen.ran(0, 0, 0, 7_us, 17_us);
  seen.ran(0, 0, 0, 8_us, 19_us);
  seen.job(0, 0, 0, 0_us, 24_us);
  seen.dag(0, 0, 0_us);
  REQUIRE(seen.seen().size() == 1);
  CHECK(seen.seen()[0].max == 12_us);  // 24 - (19 - 7)
}

TEST_CASE("a longest one far beyond the others is none of a quiet machine's") {
  const SeenOverhead quiet{0, 200, 20_us, 40_us, 160_us}, busy{0, 200, 20_us, 40_us, 161_us};
  CHECK(quiet.quiet());
  CHECK(quiet.proposed() == 205_us);  // 200 us and the next whole 5
  CHECK_FALSE(busy.quiet());
  CHECK(busy.proposed() == 55_us);
}

TEST_CASE("a simulated trace shows no machine, and a DAG on threads not what it adds to a node") {
  const auto set = two_dags(1);
  trace::Header simulated = measured();
  simulated.source = "simulation";
  compare::OverheadsSeen seen(*set, simulated);
  seen.ran(1, 0, 0, 10_us);
  seen.job(1, 0, 0, 0_us, 12_us);
  seen.dag(1, 0, 0_us);
  CHECK(seen.seen().empty());
  DagAttributes attributes;
  attributes.threads = 1;
  const auto threads = task_set({cpu_pool(1)}, {Dag("d", 100_us, std::nullopt, {cpu_node("n", 10_us)}, {}, attributes)});
  compare::OverheadsSeen on_threads(*threads, measured());
  on_threads.ran(0, 0, 0, 10_us);
  on_threads.job(0, 0, 0, 0_us, 12_us);
  on_threads.dag(0, 0, 0_us);
  CHECK(on_threads.seen().empty());
}
