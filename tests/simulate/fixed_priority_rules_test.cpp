// CPU pools under FP, on schedules that can be drawn by hand.
#include <doctest/doctest.h>

#include <set>

#include "simulate/scene.hpp"

using namespace rta;
using namespace scene;

namespace {

CpuDemand C(std::int64_t ns, FixedPriority priority) { return {Time(ns), priority}; }

Pool fp(std::uint32_t processors, bool preemptive = true, Equals equals = Equals::fifo) {
  return {"cpu", CpuPool{processors, Scheduler::fp, preemptive, equals}};
}

Recorder observe(const TaskSet& set, const simulate::Options& options) {
  Recorder seen;
  (void)simulate::simulate(set, test::on_completion(set, std::vector<Time>(set.dags().size())), options, &seen);
  return seen;
}

using Runs = std::vector<std::pair<std::int64_t, std::int64_t>>;
Runs runs_of(const Recorder& seen, std::size_t d, std::uint64_t j = 0) {
  Runs out;
  for (const auto& r : seen.runs) {
    if (r.dag == d && r.job == j) out.emplace_back(r.start, r.end);
  }
  return out;
}

simulate::Options phases(std::int64_t duration, std::vector<Time> phases) {
  auto options = for_time(duration);
  options.releases.phases = std::move(phases);
  return options;
}

}  // namespace

TEST_CASE("The larger number runs first, whatever the deadlines, and preempts") {
  // m = 1. low (C 4, T 10) at 0; high (C 2, T 50) at 1: 0-1, 1-3, 3-6.
  const TaskSet set{"fp", {fp(1)}, {task("low", 0, C(4, 3), 10), task("high", 0, C(2, 7), 50)}};
  const auto seen = observe(set, phases(5, {Time(0), Time(1)}));
  CHECK(runs_of(seen, 1) == Runs{{1, 3}});
  CHECK(runs_of(seen, 0) == Runs{{0, 1}, {3, 6}});
}

TEST_CASE("A non-preemptive pool finishes what it has started, and then takes the largest priority") {
  // low 0-10; then high, which came last, 10-14; then middle 14-19.
  const TaskSet set{"nfp", {fp(1, false)}, {task("low", 0, C(10, 1), 100), task("middle", 0, C(5, 2), 100), task("high", 0, C(4, 3), 100)}};
  const auto seen = observe(set, phases(5, {Time(0), Time(1), Time(2)}));
  CHECK(runs_of(seen, 0) == Runs{{0, 10}});
  CHECK(runs_of(seen, 2) == Runs{{10, 14}});
  CHECK(runs_of(seen, 1) == Runs{{14, 19}});
}

TEST_CASE("Without priorities the DAG with the shorter deadline runs first") {
  // Worked example of T11: (C, T) = (2, 10) above (4, 20) on one processor respond after 2 and 6.
  const TaskSet set{"dm", {fp(1)}, {task("slow", 0, CpuDemand{Time(4)}, 20), task("quick", 0, CpuDemand{Time(2)}, 10)}};
  const auto seen = observe(set, for_time(1));
  CHECK(seen.response(1, 0) == 2);
  CHECK(seen.response(0, 0) == 6);
}

TEST_CASE("Equals by ready time: a preempted job goes on before an equal that came later") {
  // first (C 4) from 0, second (C 4) ready at 1, urgent (C 2) from 2 to 4. first goes on: 4-6, then second 6-10.
  const TaskSet set{"equals", {fp(1)}, {task("first", 0, C(4, 1), 100), task("second", 0, C(4, 1), 100), task("urgent", 0, C(2, 2), 100)}};
  auto options = phases(5, {Time(0), Time(1), Time(2)});
  for (const auto ties : {simulate::Ties::in_order, simulate::Ties::random}) {
    options.ties = ties;
    for (options.seed = 1; options.seed <= 20; ++options.seed) {
      const auto seen = observe(set, options);
      CHECK(runs_of(seen, 0) == Runs{{0, 2}, {4, 6}});
      CHECK(runs_of(seen, 1) == Runs{{6, 10}});
    }
  }
}

TEST_CASE("Equals in any order: random ties show both orders, also against ready times") {
  const TaskSet set{"any", {fp(1, true, Equals::any)}, {task("first", 0, C(4, 1), 100), task("second", 0, C(4, 1), 100)}};
  auto options = phases(5, {Time(0), Time(1)});
  options.ties = simulate::Ties::random;
  std::set<std::int64_t> responses;
  for (options.seed = 1; options.seed <= 50; ++options.seed) responses.insert(observe(set, options).response(0, 0));
  CHECK(responses == std::set<std::int64_t>{4, 8});  // alone until 4, or overtaken at 1: 0-1, 5-8
  options.ties = simulate::Ties::in_order;
  CHECK(observe(set, options).response(0, 0) == 4);
}

TEST_CASE("Nodes of one DAG may have priorities of their own") {
  // T11's example by hand: on one processor, urgent nodes of a chain's DAG let a stranger in between.
  // a (pi 2, C 3) 0-3, b (pi 1, C 2) from 3; stranger (pi 2... 1 above b) ready at 4 for 3: b 3-4, 7-8.
  Node a = node("a", 0, C(3, 3));
  Node b = node("b", 0, C(2, 1));
  const TaskSet set{"nodes", {fp(1)}, {Dag("chain", Time(100), std::nullopt, {a, b}, {{0, 1, false}}), task("stranger", 0, C(3, 2), 100)}};
  const auto seen = observe(set, phases(5, {Time(0), Time(4)}));
  CHECK(runs_of(seen, 0) == Runs{{0, 3}, {3, 4}, {7, 8}});
}
