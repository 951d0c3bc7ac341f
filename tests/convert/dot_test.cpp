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

TEST_CASE("Anonymous subgraphs, edges to several nodes, and HTML labels are read; what edges and nodes say besides is told") {
  convert::Options chosen = options();
  chosen.processors = {{"", 1}};
  chosen.period = Time(50'000'000);
  chosen.cost_attribute = "cost";
  const auto result = convert::convert_text(
      "digraph G {\n  node [shape=box];\n  a [cost=10, size2=4]; b [cost=20]; c [cost=5]; d [cost=7];\n  {rank=same; b; c}\n"
      "  /* { */ a -> {b c};\n  subgraph cluster_x { weight=4; color=red; subgraph { c -> d } }\n  b -> d [delay=3, color=blue];\n}\n",
      "g", chosen);
  const Dag& dag = std::get<TaskSet>(result.content).dags().front();
  CHECK(test::edges_of(dag) == "a -> b\na -> c\nc -> d\nb -> d\n");
  CHECK(test::mentions(result.assumed, "attribute of edges 'delay' IS LEFT OUT: edges take no time"));
  CHECK(test::mentions(result.assumed, "attribute of nodes 'size2' IS LEFT OUT"));
  CHECK(test::mentions(result.assumed, "attribute of subgraphs 'weight' IS LEFT OUT"));
  CHECK_FALSE(test::mentions(result.assumed, "color"));
  CHECK_FALSE(test::mentions(result.assumed, "rank"));

  chosen.cost_attribute = "label";
  const TaskSet html =
      test::converted("digraph { a [label=<<b>12</b>>]; b [label=\"7 (x: {\\\"<\"];\n// { <\n# { <\n a -> b }", chosen, "h");
  CHECK(longest_piece(test::node_of(html.dags().front(), "a")) == Time(12'000'000));
  CHECK(longest_piece(test::node_of(html.dags().front(), "b")) == Time(7'000'000));
}

TEST_CASE("Other times of nodes and subgraphs are told, and faults keep their lines") {
  convert::Options chosen = options();
  chosen.processors = {{"", 1}};
  const auto result = convert::convert_text("digraph { T=50; a [C=1, wcet=2, D=9]; subgraph { phase=3; b [C=4] } a -> b }", "g", chosen);
  CHECK(test::mentions(result.assumed, "attribute of nodes 'wcet' IS LEFT OUT: another attribute is the execution time"));
  CHECK(test::mentions(result.assumed, "attribute of nodes 'D' IS LEFT OUT"));
  CHECK(test::mentions(result.assumed, "attribute of subgraphs 'phase' IS LEFT OUT"));
  CHECK(test::fault_of("digraph {\n {rank=same; a}\n a -> ;\n}", chosen).find("file:3:1: no digraph of Graphviz") == 0);
  CHECK(test::fault_of("digraph { a [label=<<b>] }", chosen).find("no digraph of Graphviz") != std::string::npos);
}

TEST_CASE("A digraph has one period and one deadline") {
  CHECK(test::fault_of("digraph { a [C=1]; b [C=2]; a -> b; t [T=50]; u [T=60] }", options()) ==
        "file: the digraph has two values of T: 50 and 60");
  convert::Options one = options();
  one.processors = {{"", 1}};
  CHECK(test::converted("digraph { T=50; a [C=1]; t [T=50] }", one).dags().front().period() == Time(50'000'000));
}

TEST_CASE("Options do not change what a digraph says") {
  convert::Options chosen = options();
  chosen.processors = {{"", 1}};
  chosen.period = Time(60'000'000);
  CHECK(test::fault_of("digraph { T=50; a [C=1] }", chosen) ==
        "file: --period 60 ms contradicts the file, which says 50 ms: leave the option out, or change the file");
  chosen.period = Time(50'000'000);
  CHECK(test::converted("digraph { T=50; a [C=1] }", chosen).dags().front().period() == Time(50'000'000));
  chosen.deadline = Time(1'000'000);
  CHECK(test::fault_of("digraph { T=50; D=40; a [C=1] }", chosen).find("--deadline 1 ms contradicts the file, which says 40 ms") !=
        std::string::npos);
  const std::string own = convert::format_dot(
      io::parse_task_set("platform:\n  cpu: {processors: 4}\ntasks:\n  - {name: a, T: 10 ms, on: cpu, C: 1 ms}\n", "x").task_set);
  CHECK(test::fault_of(own, chosen).find("says all of its task set") != std::string::npos);
}

namespace {

convert::Options with_processors() {
  convert::Options out = options();
  out.processors = {{"", 2}};
  return out;
}

}  // namespace

TEST_CASE("An attribute of edges, or of the node that tells T, is told though it is called as the execution time is") {
  const auto assumed = [](const char* text) { return convert::convert_text(text, "file", with_processors()).assumed; };
  CHECK(test::mentions(assumed("digraph { T=50; a [C=5]; b [C=2]; a -> b [C=77] }"),
                       "attribute of edges 'C' IS LEFT OUT: edges take no time"));
  CHECK(test::mentions(assumed("digraph { T=50; a [label=5]; b [label=2]; a -> b [label=77] }"), "attribute of edges 'label' IS LEFT OUT"));
  CHECK(test::mentions(assumed("digraph { i [T=50, C=3]; a [C=5]; b [C=2]; a -> b }"),
                       "attribute of the node with T and no edges 'C' IS LEFT OUT"));
}

TEST_CASE("A number with an exponent is one in quotation marks; without, DOT takes it for two words") {
  const Dag dag = test::converted("digraph { T=\"1E4\"; a [C=\"1e3\"]; b [C=\"2.5e-1\"]; a -> b }", with_processors()).dags().front();
  CHECK(dag.nominal_period() == Time(10'000'000'000));
  CHECK(longest_piece(dag.nodes()[0]) == Time(1'000'000'000));
  CHECK(longest_piece(dag.nodes()[1]) == Time(250'000));
  CHECK(test::fault_of("digraph {\n  a [C=1e3]\n}", with_processors()) ==
        "file:2:8: '1e3' is neither a number of DOT nor a name: put it in quotation marks");
  CHECK(test::fault_of("digraph { T=50; a1 [C=.5]; b.2 [C=5.]; /* 1e3 */ a1 -> b.2 }", with_processors()).find("neither") ==
        std::string::npos);
}

TEST_CASE("Execution times below a ns are rounded up, periods and deadlines down") {
  convert::Options ns = with_processors();
  ns.time_unit = Time(1);
  const Dag dag = test::converted("digraph { T=10.5; D=9.5; a [C=1.5] }", ns).dags().front();
  CHECK(dag.nominal_period() == Time(10));
  CHECK(dag.deadline() == Time(9));
  CHECK(longest_piece(dag.nodes()[0]) == Time(2));
  CHECK(test::fault_of("digraph { T=0.5; a [C=1] }", ns).find("T '0.5' is no time above 0") != std::string::npos);
}

TEST_CASE("A node or a digraph with two values of a time is refused: Graphviz would take the last") {
  const auto fault = [](const char* text) { return test::fault_of(text, with_processors()); };
  CHECK(fault("digraph { T=50\n a [C=9]\n b [C=2]\n a -> b\n a [C=1] }") == "file:5:1: node 'a' has two values of C: 9 and 1");
  CHECK(fault("digraph { T=50; T=60; a [C=1] }") == "file:1:1: the digraph has two values of T: 50 and 60");
  CHECK(fault("digraph { T=50; graph [T=60]; a [C=1] }").find("has two values of T") != std::string::npos);
  CHECK(fault("digraph { T=50; node [C=1]; a [C=2]; b; a:n -> b [C=7]; a -> b [C=8]; a [C=\"2\"] }") == "converted");
  CHECK(fault("digraph { T=50; a [C=1, color=red]; a [color=blue] }") == "converted");
}
