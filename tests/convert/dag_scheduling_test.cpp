// Task sets of DAG-scheduling.
#include <doctest/doctest.h>

#include "conversion.hpp"

using namespace rta;

namespace {

const std::string two = R"(tasks:
- t: 20
  d: 15
  vertices:
    - id: 0
      c: 2
      p: 0
    - id: 4
      c: 4.5
      s : 1
      p: 1
  edges:
    - from: 0
      to: 4
- t: 30
  vertices:
    - {id: 1, c: 5, p: 0}
)";

convert::Options options() {
  convert::Options out;
  out.time_unit = Time(1'000'000);
  return out;
}

}  // namespace

TEST_CASE("Nodes run on the cores that they name, one pool each, by kind") {
  CHECK(io::format_task_set(test::converted(two, options())) == R"(platform:
  core0: {processors: 1, scheduler: G-EDF}
  kind1-core1: {processors: 1, scheduler: G-EDF}
dags:
  - name: task0
    T: 20 ms
    D: 15 ms
    nodes:
      v0: {on: core0, C: 2 ms}
      v4: {on: kind1-core1, C: 4500 us}
    edges:
      - v0 -> v4
  - name: task1
    T: 30 ms
    nodes:
      v1: {on: core0, C: 5 ms}
)");
}

TEST_CASE("With a number of processors the cores do not count; without both the number is asked for") {
  convert::Options chosen = options();
  chosen.processors = {{"", 4}, {"kind1", 2}};
  const auto result = convert::convert_text(two, "t.yaml", chosen);
  const auto& set = std::get<TaskSet>(result.content);
  REQUIRE(set.pools().size() == 2);
  CHECK(std::get<CpuPool>(set.pools()[0].resource).processors == 4);
  CHECK(std::get<CpuPool>(set.pools()[1].resource).processors == 2);
  CHECK(test::mentions(result.assumed, "the cores that nodes name (p) do not count"));
  CHECK(test::fault_of("tasks:\n- {t: 1, vertices: [{id: 0, c: 1}]}\n", options()) ==
        "file: the file does not say how many processors pool 'cpu' has: give --processors N");
  CHECK(test::fault_of("tasks:\n- {t: 1, vertices: [{id: 0, c: 1}, {id: 1, c: 1, p: 2}]}\n", options())
            .find("1 of 2 nodes name no core (p): give --processors N") != std::string::npos);
  CHECK(test::fault_of(two).find("give --time-unit ns, us, ms or s") != std::string::npos);
}

TEST_CASE("Broken task sets are refused with their place") {
  const auto fault = [](const std::string& tasks) { return test::fault_of("tasks:\n" + tasks, options()); };
  CHECK(fault("- {t: 1, vertices: [{id: 0, c: 1, p: 0}], edges: [{from: 0, to: 7}]}\n") ==
        "file:2:65: task 'task0': edges: '7' is no vertex of this task");
  CHECK(fault("- {t: 0, vertices: [{id: 0, c: 1, p: 0}]}\n") == "file:2:7: task 'task0': t: a number above 0 without unit is expected");
  CHECK(fault("- {t: 1, vertices: [{id: 0, c: -1, p: 0}]}\n").find("c: a number of at least 0") != std::string::npos);
  CHECK(fault("- {t: 1, vertices: [{id: 0, c: 1e9, p: 0}]}\n").find("c: a number of at least 0") != std::string::npos);
  CHECK(fault("- {t: 1, vertices: [{id: 0, c: 1, p: 0}, {id: 0, c: 1, p: 0}]}\n").find("id: '0' is there twice") != std::string::npos);
  CHECK(fault("- {t: 1, vertices: [{id: 0, c: 1, colour: red}]}\n").find("unknown key 'colour'") != std::string::npos);
  CHECK(fault("- {vertices: [{id: 0, c: 1, p: 0}]}\n").find("'t' is missing") != std::string::npos);
  CHECK(fault("- {t: 1, vertices: []}\n") == "file: DAG 'task0' has no node");
  CHECK(fault("- {t: 1, vertices: 5}\n").find("vertices: a list is expected") != std::string::npos);
  CHECK(fault("- {t: 9, vertices: [{id: 0, c: 1, p: 0}, {id: 1, c: 1, p: 0}], edges: [{from: 0, to: 1}, {from: 1, to: 0}]}\n") ==
        "file: DAG 'task0' has a cycle: v0 -> v1 -> v0");
  CHECK(fault("- {t: 9, vertices: [{id: 0, c: 1, p: 0}], edges: [{from: 0, to: 0}]}\n") == "file: DAG 'task0': node 'v0' precedes itself");
}

TEST_CASE("Execution times below a ns are rounded up, periods and deadlines down to it") {
  convert::Options ns = options();
  ns.time_unit = Time(1);
  const Dag dag = test::converted("tasks:\n- {t: 10.5, d: 9.5, vertices: [{id: 0, c: 1.5, p: 0}]}\n", ns).dags().front();
  CHECK(dag.nominal_period() == Time(10));
  CHECK(dag.deadline() == Time(9));
  CHECK(longest_piece(dag.nodes()[0]) == Time(2));
}
