// T37: bounds of DAGs beside less urgent ones that have none.
#include "analysis/policies/urgent_dags.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <vector>

#include "rta/analysis/analyze.hpp"
#include "rta/analysis/explain.hpp"
#include "rta/io/task_set_file.hpp"
#include "support/durations.hpp"

using namespace rta;
using namespace rta::analysis;
using namespace rta::literals;

namespace {

std::shared_ptr<const TaskSet> parsed(const std::string& text) {
  return std::make_shared<const TaskSet>(io::parse_task_set(text, "set.yaml").task_set);
}

Analysis on_completion(const std::shared_ptr<const TaskSet>& set) {
  Options options;
  options.release = Release::completion;
  return analyze(set, options);
}

std::vector<std::optional<Time>> bounds_of(const Analysis& analysis) {
  std::vector<std::optional<Time>> all;
  for (const DagProof& dag : analysis.proof.dags) all.push_back(dag.bound ? std::optional(dag.bound->R) : std::nullopt);
  return all;
}

std::vector<std::vector<DagId>> dags_in_groups(const TaskSet& set) {
  std::vector<DagId> all(set.dags().size());
  for (DagId d = 0; d < all.size(); ++d) all[d] = d;
  std::vector<std::vector<DagId>> groups;
  for (const NeededTogether& group : groups_by_need(set, all)) {
    if (!group.dags.empty()) groups.push_back(group.dags);
  }
  return groups;
}

/// One processor, loaded to 2/10 + 3/15 + 9/10.
std::string overloaded(const std::string& cpu, int c_priority = 1) {
  return "platform: {cpu: {" + cpu +
         "}}\ntasks:\n"
         "  - {name: c, on: cpu, C: 9 ms, T: 10 ms, priority: " +
         std::to_string(c_priority) +
         "}\n"
         "  - {name: a, on: cpu, C: 2 ms, T: 10 ms, priority: 3}\n"
         "  - {name: b, on: cpu, C: 3 ms, T: 15 ms, priority: 2}\n";
}

using Bounds = std::vector<std::optional<Time>>;

}  // namespace

TEST_CASE("T37: an overload leaves what is more urgent its bounds") {
  const auto set = parsed(overloaded("processors: 1, scheduler: FP"));
  CHECK(dags_in_groups(*set) == std::vector<std::vector<DagId>>{{1}, {2}, {0}});
  const Analysis result = on_completion(set);
  CHECK(result.verdict == Verdict::unbounded);
  CHECK(bounds_of(result) == Bounds{std::nullopt, 2_ms, 5_ms});  // 2, and 2 + 3
  CHECK(result.proof.dags[1].nodes[0].bound->R == 2_ms);
  CHECK(result.proof.pools[0].none);
  CHECK(result.proof.pools[0].tasks.size() == 3);
  CHECK(result.warnings ==
        std::vector<std::string>{"no bound: 'c'; bounds of DAGs that are more urgent wherever they meet hold all the same"});
  CHECK(explain(result.proof, "b").lines.back() == "T37: not counted: 'c', less urgent on all processors that they share with these DAGs");
}

TEST_CASE("T37: who is as urgent, and who is not preempted, is needed") {
  // As urgent as b.
  const auto equals = parsed(overloaded("processors: 1, scheduler: FP", 2));
  CHECK(dags_in_groups(*equals) == std::vector<std::vector<DagId>>{{1}, {0, 2}});
  CHECK(bounds_of(on_completion(equals)) == Bounds{std::nullopt, 2_ms, std::nullopt});
  for (const char* const cpu : {"processors: 1, scheduler: FP, preemptive: false", "processors: 1", "processors: 1, scheduler: FIFO"}) {
    CAPTURE(cpu);
    const auto set = parsed(overloaded(cpu));
    CHECK(dags_in_groups(*set) == std::vector<std::vector<DagId>>{{0, 1, 2}});
    CHECK(bounds_of(on_completion(set)) == Bounds(3));
  }
}

TEST_CASE("T37: a shared pool of another kind joins what priorities part") {
  const auto set = parsed(R"(
platform: {cpu: {processors: 1, scheduler: FP}, gpu: {sms: 1, threads: 64}}
dags:
  - {name: a, T: 10 ms, priority: 3, nodes: {x: {on: cpu, C: 2 ms}}}
  - name: b
    T: 10 ms
    priority: 2
    nodes: {x: {on: cpu, C: 1 ms}, k: {on: gpu, B: 1, H: 64, L: 1 ms}}
    edges: [x -> k]
  - name: c
    T: 10 ms
    priority: 1
    nodes: {x: {on: cpu, C: 9 ms}, k: {on: gpu, B: 1, H: 64, L: 1 ms}}
    edges: [x -> k]
)");
  CHECK(dags_in_groups(*set) == std::vector<std::vector<DagId>>{{0}, {1, 2}});
  CHECK(bounds_of(on_completion(set)) == Bounds{2_ms, std::nullopt, std::nullopt});
}

TEST_CASE("T37: without a DAG that has no bound go all that need it, and no others") {
  // x overloads p0; y needs x on p0 and w needs y on p1; z and v, above y on p1, need neither.
  const auto set = parsed(R"(
platform: {p0: {processors: 1, scheduler: FP}, p1: {processors: 1, scheduler: FP}}
dags:
  - {name: x, T: 10 ms, priority: 9, nodes: {n: {on: p0, C: 12 ms}}}
  - {name: w, T: 10 ms, priority: 1, nodes: {n: {on: p1, C: 1 ms}}}
  - name: y
    T: 10 ms
    priority: 5
    nodes: {m: {on: p0, C: 1 ms}, n: {on: p1, C: 1 ms}}
    edges: [m -> n]
  - {name: z, T: 10 ms, priority: 7, nodes: {n: {on: p1, C: 2 ms}}}
  - {name: v, T: 10 ms, priority: 6, nodes: {n: {on: p1, C: 3 ms}}}
)");
  CHECK(bounds_of(on_completion(set)) == Bounds{std::nullopt, std::nullopt, std::nullopt, 2_ms, 5_ms});
}

TEST_CASE("T37: a sequential node that may wait takes no bound from what is more urgent") {
  // Both processors are taken for 7 ms: c ends by 13 ms, after its next release.
  const auto set = parsed(R"(
platform: {cpu: {processors: 2, scheduler: FP}}
tasks:
  - {name: a, on: cpu, C: 7 ms, T: 11 ms, D: 7 ms, priority: 3}
  - {name: b, on: cpu, C: 7 ms, T: 11 ms, priority: 2}
  - {name: c, on: cpu, C: 6 ms, T: 12 ms, sequential: true, priority: 1}
)");
  CHECK(bounds_of(on_completion(set)) == Bounds{7_ms, 7_ms, std::nullopt});
}

TEST_CASE("T37: where deadlines are enough one DAG without a bound is the answer") {
  Options options;
  options.release = Release::completion;
  options.enough = Enough::deadlines;
  CHECK(bounds_of(analyze(parsed(overloaded("processors: 1, scheduler: FP")), options)) == Bounds(3));
}

TEST_CASE("T37: a time limit that leaves bounds out is told") {
  const auto set = parsed(overloaded("processors: 1, scheduler: FP"));
  bool some_without = false;
  for (int last = 0; last < 60; ++last) {
    CAPTURE(last);
    int calls = 0;
    Options options;
    options.release = Release::completion;
    options.stop = [&] { return ++calls > last; };
    const Analysis result = analyze(set, options);
    if (bounds_of(result) == Bounds{std::nullopt, 2_ms, 5_ms}) continue;
    some_without = true;
    CHECK_FALSE(result.proof.left_out.empty());
  }
  CHECK(some_without);
}
