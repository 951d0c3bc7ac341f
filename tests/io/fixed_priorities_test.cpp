// Fixed priorities and partitioned pools in task-set files.
#include <doctest/doctest.h>

#include "messages.hpp"
#include "rta/io/canonical_json.hpp"
#include "rta/model/fixed_priority.hpp"

using namespace rta;
using namespace rta::test;

namespace {

TaskSet read(std::string_view text) { return io::parse_task_set(text, "f.yaml").task_set; }

const CpuPool& cpu_of(const TaskSet& set, PoolId p) { return std::get<CpuPool>(set.pools()[p].resource); }

}  // namespace

TEST_CASE("Equals: any on pools of several processors, by ready time on one, unless the file says otherwise") {
  const TaskSet set = read(R"(platform:
  one: {processors: 1, scheduler: FP}
  four: {processors: 4, scheduler: FP}
  fifo: {processors: 4, scheduler: FP, equals: fifo, preemptive: false}
  edf: {processors: 4}
tasks:
  - {name: a, on: one, C: 1 ms, T: 10 ms}
)");
  CHECK(cpu_of(set, 0).equals == Equals::fifo);
  CHECK(cpu_of(set, 1).equals == Equals::any);
  CHECK(cpu_of(set, 2).equals == Equals::fifo);
  CHECK_FALSE(cpu_of(set, 2).preemptive);
  CHECK(cpu_of(set, 3).equals == Equals::any);  // the value of pools that have no equals
  CHECK(io::format_task_set(set).starts_with(R"(platform:
  one: {processors: 1, scheduler: FP}
  four: {processors: 4, scheduler: FP}
  fifo: {processors: 4, scheduler: FP, preemptive: false, equals: fifo}
  edf: {processors: 4, scheduler: G-EDF}
)"));
  CHECK(read(io::format_task_set(set)) == set);
}

TEST_CASE("Priorities of DAGs, nodes and tasks read back equal from both forms") {
  const TaskSet set = read(R"(platform:
  cpu: {processors: 2, scheduler: FP}
dags:
  - {name: camera, copies: 2, T: 33 ms, priority: 80, nodes: {a: {on: cpu, C: 1 ms}, b: {on: cpu, C: 2 ms, priority: 0}}, edges: [a -> b]}
tasks:
  - {name: logger, on: cpu, C: 1 ms, T: 10 ms, priority: 1000000}
)");
  CHECK(fixed_priorities(set).of == PerNode<FixedPriority>{{80, 0}, {80, 0}, {1'000'000}});
  CHECK(io::format_task_set(set) == R"(platform:
  cpu: {processors: 2, scheduler: FP}
dags:
  - name: camera
    copies: 2
    T: 33 ms
    priority: 80
    nodes:
      a: {on: cpu, C: 1 ms}
      b: {on: cpu, C: 2 ms, priority: 0}
    edges:
      - a -> b
tasks:
  - {name: logger, T: 10 ms, on: cpu, C: 1 ms, priority: 1000000}
)");
  CHECK(read(io::format_task_set(set)) == set);
  CHECK(io::canonical_json(set) == R"({"time_unit": "ns", "platform": {
 "cpu": {"processors": 2, "scheduler": "FP", "preemptive": true, "equals": "any"}}, "dags": [
 {"name": "camera[0]", "T": 33000000, "priority": 80, "nodes": {
  "a": {"on": "cpu", "C": 1000000, "sequential": false},
  "b": {"on": "cpu", "C": 2000000, "priority": 0, "sequential": false}}, "edges": [
  {"from": "a", "to": "b", "cut": false}]},
 {"name": "camera[1]", "T": 33000000, "priority": 80, "nodes": {
  "a": {"on": "cpu", "C": 1000000, "sequential": false},
  "b": {"on": "cpu", "C": 2000000, "priority": 0, "sequential": false}}, "edges": [
  {"from": "a", "to": "b", "cut": false}]},
 {"name": "logger", "T": 10000000, "nodes": {
  "logger": {"on": "cpu", "C": 1000000, "priority": 1000000, "sequential": false}}, "edges": []}]}
)");
  CHECK(read(io::canonical_json(set)) == set);
}

TEST_CASE("A partitioned pool is one pool per processor, named by number") {
  const TaskSet set = read(R"(platform:
  a57: {processors: 4, partitioned: true, scheduler: FP, preemptive: false}
tasks:
  - {name: a, on: a572, C: 1 ms, T: 10 ms}
)");
  REQUIRE(set.pools().size() == 4);
  CHECK(set.pools()[3].name == "a573");
  CHECK(cpu_of(set, 3) == CpuPool{1, Scheduler::fp, false, Equals::fifo});
  CHECK(set.dags()[0].nodes()[0].pool == 2);
  CHECK(errors(R"(platform:
  cpu: {processors: 4, partitioned: true}
tasks:
  - {name: a, on: cpu, C: 1 ms, T: 10 ms}
)") == Errors{"f.yaml:4:19: task 'a': on: pool 'cpu' is partitioned: give one of its processors, cpu0 to cpu3"});
  CHECK(errors(R"(platform:
  cpu: {processors: 2, partitioned: true}
  cpu1: {processors: 2}
tasks:
  - {name: a, on: cpu0, C: 1 ms, T: 10 ms}
)") == Errors{"f.yaml:3:3: pool 'cpu1': another pool has this name; the processors of a partitioned pool are named by number"});
  CHECK(errors(R"(platform:
  cpu: {processors: 4096, partitioned: true}
  big: {processors: 1, partitioned: true}
tasks:
  - {name: a, on: cpu0, C: 1 ms, T: 10 ms}
)") == Errors{"f.yaml:3:3: pool 'big': partitioned pools have more than 4096 processors in all"});
}

TEST_CASE("Only pools of fixed priorities have equals") {
  CHECK(errors(R"(platform:
  cpu: {processors: 4, equals: any}
tasks:
  - {name: a, on: cpu, C: 1 ms, T: 10 ms}
)") == Errors{"f.yaml:2:32: pool 'cpu': equals: only jobs of fixed priorities (scheduler: FP) have equals"});
  CHECK(errors(R"(platform:
  cpu: {processors: 4, scheduler: FP, equals: random}
tasks:
  - {name: a, on: cpu, C: 1 ms, T: 10 ms}
)") == Errors{"f.yaml:2:47: pool 'cpu': equals: 'random' is not known (allowed: fifo, any)"});
}

TEST_CASE("Either all nodes of a pool have a priority or none has") {
  CHECK(errors(R"(platform:
  cpu: {processors: 4, scheduler: FP}
dags:
  - {name: a, T: 10 ms, priority: 5, nodes: {x: {on: cpu, C: 1 ms}}}
  - {name: b, T: 10 ms, nodes: {y: {on: cpu, C: 1 ms, priority: 4}, z: {on: cpu, C: 1 ms}}}
)") == Errors{"f.yaml:5:72: node 'z': 'priority' is missing: others on pool 'cpu' have one ('x', line 4); give it to all of them or their "
              "DAGs, or to none"});
}

TEST_CASE("Priorities that are none are refused; those without effect are warned of") {
  CHECK(errors(R"(platform:
  cpu: {processors: 4, scheduler: FP}
tasks:
  - {name: a, on: cpu, C: 1 ms, T: 10 ms, priority: high}
  - {name: b, on: cpu, C: 1 ms, T: 10 ms, priority: 1000001}
)")
            .size() == 2);
  const auto warnings = io::parse_task_set(R"(platform:
  cpu: {processors: 4}
  gpu: {device: titan-v}
dags:
  - {name: d, T: 10 ms, priority: 5, nodes: {x: {on: cpu, C: 1 ms}}}
tasks:
  - {name: a, on: cpu, C: 1 ms, T: 10 ms, priority: 7}
)",
                                           "f.yaml")
                            .warnings;
  REQUIRE(warnings.size() == 2);
  CHECK(warnings[0].text() ==
        "f.yaml:5:35: DAG 'd': priority: has no effect, because no node of the DAG runs on a pool of fixed priorities (FP)");
  CHECK(warnings[1].text() == "f.yaml:7:53: task 'a': priority: has no effect on pool 'cpu', which is scheduled by G-EDF");
}
