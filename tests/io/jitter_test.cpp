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

TEST_CASE("Jitter and phases that cannot be are refused with their place") {
  CHECK(task_errors("jitter: 10 ms") == Errors{"f.yaml:4:33: task 't': jitter: must be below T, or releases could overtake one another"});
  CHECK(task_errors("jitter: -1 ms") == Errors{"f.yaml:4:33: task 't': jitter: must be zero or more, not '-1 ms'"});
  CHECK(task_errors("phase: soon") == Errors{"f.yaml:4:32: task 't': phase: 'soon' is not a time (a number and a unit: ns, us, ms, s)"});
  CHECK_THROWS_AS(Dag("d", 10_ms, std::nullopt, {cpu_node("a", 1_ms)}, {}, {.jitter = Time(-1)}), Defect);
  CHECK_THROWS_AS(Dag("d", 10_ms, std::nullopt, {cpu_node("a", 1_ms)}, {}, {.phase = Time(-1)}), Defect);
  CHECK_THROWS_AS(Dag("d", 10_ms, std::nullopt, {cpu_node("a", 1_ms)}, {}, {.T_max = 11_ms, .jitter = 2_ms}), Defect);
}
