// Release jitter and phases in task-set files.
#include <doctest/doctest.h>

#include "messages.hpp"
#include "rta/io/canonical_json.hpp"
#include "rta/model/error.hpp"
#include "support/build.hpp"

using namespace rta;
using namespace rta::test;

namespace {

constexpr std::string_view text = R"(platform:
  cpu: {processors: 2, scheduler: G-EDF}
dags:
  - name: fusion
    T: 33 ms
    T_max: 40 ms
    jitter: 3 ms
    nodes:
      read: {on: cpu, C: 1 ms}
      track: {on: cpu, C: 2 ms}
    edges:
      - read -> track
tasks:
  - {name: camera, copies: 2, T: 10 ms, jitter: 1 ms, phase: 5 ms, on: cpu, C: 1 ms}
  - {name: control, T: 20 ms, phase: 0 ns, on: cpu, C: 1 ms}
)";

Errors task_errors(const std::string& keys) {
  return errors("platform:\n  cpu: {processors: 1}\ntasks:\n  - {name: t, T: 10 ms, " + keys + ", on: cpu, C: 1 ms}\n");
}

}  // namespace

TEST_CASE("Jitter and phase read back equal from both forms; two releases are T less the jitter apart") {
  const TaskSet set = io::parse_task_set(text, "f.yaml").task_set;
  const Dag& fusion = set.dags()[0];
  CHECK(fusion.nominal_period() == 33_ms);
  CHECK(fusion.period() == 30_ms);
  CHECK(fusion.longest_period() == 43_ms);
  CHECK_FALSE(fusion.attributes().phase);
  CHECK(set.dags()[2].attributes() == DagAttributes{.jitter = 1_ms, .phase = 5_ms});
  CHECK(set.dags()[2].longest_period() == 11_ms);
  CHECK(set.dags()[3].attributes().phase == Time::zero());
  CHECK(io::format_task_set(set) == text);
  CHECK(io::parse_task_set(io::canonical_json(set), "f.json").task_set == set);
}

TEST_CASE("Periodic releases read back equal from both forms") {
  const std::string periodic = R"(platform:
  cpu: {processors: 2, scheduler: FIFO}
dags:
  - name: fusion
    T: 33 ms
    jitter: 3 ms
    phase: 1 ms
    periodic: true
    nodes:
      read: {on: cpu, C: 1 ms}
tasks:
  - {name: camera, copies: 2, T: 10 ms, phase: 5 ms, periodic: true, D: 9 ms, on: cpu, C: 1 ms}
  - {name: control, T: 20 ms, on: cpu, C: 1 ms}
)";
  const TaskSet set = io::parse_task_set(periodic, "f.yaml").task_set;
  CHECK(set.dags()[0].attributes() == DagAttributes{.jitter = 3_ms, .phase = 1_ms, .periodic = true});
  CHECK(set.dags()[2].attributes() == DagAttributes{.phase = 5_ms, .periodic = true});
  CHECK_FALSE(set.dags()[3].attributes().periodic);
  CHECK(io::format_task_set(set) == periodic);
  CHECK(io::parse_task_set(io::canonical_json(set), "f.json").task_set == set);
  CHECK(task_errors("phase: 0 ms, periodic: false").empty());
}

TEST_CASE("Periodic releases need a phase, and have no other distance than T") {
  CHECK(task_errors("periodic: true") == Errors{"f.yaml:4:35: task 't': periodic: needs `phase`, the first release, e.g. `phase: 0 ms`"});
  CHECK(task_errors("periodic: true, phase: 1 ms, T_max: 11 ms") ==
        Errors{"f.yaml:4:61: task 't': T_max: is T where releases are periodic"});
  CHECK(task_errors("periodic: perhaps, phase: 1 ms").size() == 1);
  CHECK_THROWS_AS(Dag("d", 10_ms, std::nullopt, {cpu_node("a", 1_ms)}, {}, {.periodic = true}), Defect);
  CHECK_THROWS_AS(Dag("d", 10_ms, std::nullopt, {cpu_node("a", 1_ms)}, {}, {.T_max = 11_ms, .phase = 0_ms, .periodic = true}), Defect);
}

TEST_CASE("Jitter and phases that cannot be are refused with their place") {
  CHECK(task_errors("jitter: 10 ms") == Errors{"f.yaml:4:33: task 't': jitter: must be below T, or releases could overtake one another"});
  CHECK(task_errors("jitter: -1 ms") == Errors{"f.yaml:4:33: task 't': jitter: must be zero or more, not '-1 ms'"});
  CHECK(task_errors("phase: soon") == Errors{"f.yaml:4:32: task 't': phase: 'soon' is not a time (a number and a unit: ns, us, ms, s)"});
  CHECK_THROWS_AS(Dag("d", 10_ms, std::nullopt, {cpu_node("a", 1_ms)}, {}, {.jitter = Time(-1)}), Defect);
  CHECK_THROWS_AS(Dag("d", 10_ms, std::nullopt, {cpu_node("a", 1_ms)}, {}, {.phase = Time(-1)}), Defect);
  CHECK_THROWS_AS(Dag("d", 10_ms, std::nullopt, {cpu_node("a", 1_ms)}, {}, {.T_max = 11_ms, .jitter = 2_ms}), Defect);
}
