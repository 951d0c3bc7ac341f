// Digraphs of Graphviz.
#include <doctest/doctest.h>

#include "conversion.hpp"

using namespace rta;

namespace {

convert::Options options() {
  convert::Options out;
  out.time_unit = Time(1'000'000);
  return out;
}

}  // namespace

TEST_CASE("A digraph of DAG-scheduling: a node tells T and D, labels are execution times, p is the core") {
  const auto result = convert::convert_text(R"dot(digraph Task {
i [shape=box, D=603.859, T=1605.45];
0 [label="57", p=1];
1 [label="53(1, p:5)", p=0];
0 -> 1;
})dot",
                                            "test0.dot", options());
  CHECK(io::format_task_set(std::get<TaskSet>(result.content)) == R"(platform:
  core1: {processors: 1, scheduler: G-EDF}
  core0: {processors: 1, scheduler: G-EDF}
dags:
  - name: test0
    T: 1605450 us
    D: 603859 us
    nodes:
      0: {on: core1, C: 57 ms}
      1: {on: core0, C: 53 ms}
    edges:
      - 0 -> 1
)");
  CHECK(test::mentions(result.assumed, "execution times are the attribute 'label' of the nodes (--cost)"));
}

TEST_CASE("Times may have units, and the cost any name") {
  convert::Options chosen;
  chosen.processors = {{"", 2}};
  chosen.cost_attribute = "weight";
  const TaskSet set = test::converted(
      "digraph { graph [T=\"10 ms\"] a [weight=\"1.5 ms\"] subgraph s { b [weight=\"200us\"] } a -> b -> c; c [weight=\"0 s\"] }", chosen);
  const Dag& dag = set.dags().front();
  CHECK(longest_piece(test::node_of(dag, "a")) == Time(1'500'000));
  CHECK(longest_piece(test::node_of(dag, "b")) == Time(200'000));
  CHECK(test::edges_of(dag) == "a -> b\nb -> c\n");
}

TEST_CASE("What a digraph does not say is asked for") {
  CHECK(test::fault_of("digraph { a [weight=5, x=1]; a -> b }") ==
        "file: it is not clear which attribute of the nodes is their execution time: give --cost NAME (attributes: weight, x)\n"
        "file: the digraph has no attribute T: give --period TIME\n"
        "file: the file does not say how many processors pool 'cpu' has: give --processors N");
  convert::Options chosen;
  chosen.period = Time(1'000'000'000);
  chosen.processors = {{"", 1}};
  CHECK(test::fault_of("digraph { a [C=5] }", chosen) == "file: times without a unit: give --time-unit ns, us, ms or s");
}

TEST_CASE("Broken digraphs are refused with their line") {
  CHECK(test::fault_of("digraph {\n  a -> b;\n  c -> ;\n  d -> e;\n}\n").find("file:3:1: no digraph of Graphviz: ") == 0);
  CHECK(test::fault_of("digraph {\n  a -> b;\n").find("file:") == 0);
  CHECK(test::fault_of("digraph { a [C=\"1 ms\" }").find("no digraph of Graphviz") != std::string::npos);
  CHECK(test::fault_of("graph { a -- b }").find("no digraph of Graphviz") != std::string::npos);
  CHECK(test::fault_of("digraph " + std::string(3000, '{')).find("more than 2000 '{'") != std::string::npos);
  convert::Options chosen = options();
  chosen.period = Time(1'000'000'000);
  chosen.processors = {{"", 1}};
  CHECK(test::fault_of("digraph { a [C=1] b [C=2] c [C=3] a -> b -> c -> a }", chosen) == "file: DAG 'file' has a cycle: a -> b -> c -> a");
  CHECK(test::fault_of("digraph { a [C=1]; a -> a }", chosen) == "file: DAG 'file': node 'a' precedes itself");
  CHECK(test::fault_of("digraph { }", chosen) == "file: the digraph has no node");
  chosen.cost_attribute = "C";
  CHECK(test::fault_of("digraph { a [C=soon] }", chosen) == "file: node 'a': its attribute 'C' 'soon' is no time");
  CHECK(test::fault_of("digraph { a [C=-1] }", chosen).find("is no time") != std::string::npos);
  CHECK(test::fault_of("digraph { a [C=99999999999999999999] }", chosen).find("is no time") != std::string::npos);
  CHECK(test::fault_of("digraph { a [C=1, p=x] }", chosen).find("node 'a': p 'x' is no whole number") != std::string::npos);
}

TEST_CASE("Digraphs that only look like those of rta are refused by what is wrong") {
  const std::string platform = R"(graph [time_unit="ns", platform="{\"cpu\": {\"processors\": 2}}"] )";
  CHECK(test::fault_of("digraph { " + platform + "x }").find("node 'x' has no place in a task set") != std::string::npos);
  CHECK(test::fault_of("digraph { " + platform + R"(d0n0 [name="a", on="cpu", C="5"] })").find("nodes d0n… have no node d0") !=
        std::string::npos);
  CHECK(test::fault_of("digraph { " + platform + R"(d0 [name="a"] d0n0 [name="a", on="cpu", C="5"] })").find("DAG 'a': 'T' is missing") !=
        std::string::npos);
  CHECK(
      test::fault_of("digraph { " + platform + R"(d0 [name="a", T="9"] d0n0 [name="a", on="gpu", C="5"] })").find("node 'a': on: 'gpu'") !=
      std::string::npos);
  CHECK(test::fault_of("digraph { " + platform + R"(d0 [name="a", T="9"] d0n0 [name="a", on="cpu", C="5"] d0 -> d0n0 })")
            .find("is not one of nodes of one DAG") != std::string::npos);
  CHECK(test::converted("digraph { " + platform + R"(d0 [name="a", T="9", color=red] d0n0 [name="b", on="cpu", C="5", style=filled] })")
            .dags()
            .front()
            .name() == "a");
}
