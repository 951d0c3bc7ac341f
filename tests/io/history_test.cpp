// `after` and `stream`: what they are read as, and written.
#include <doctest/doctest.h>

#include <string>

#include "rta/io/task_set_file.hpp"
#include "rta/model/streams.hpp"

using namespace rta;

namespace {

TaskSet read_dag(const std::string& nodes_and_edges) {
  return io::parse_task_set(
             "platform: {cpu: {processors: 1}, gpu: {sms: 2, threads: 1024}, copy: {engines: 1}}\ndags:\n  - name: f\n    T: 10 ms\n" +
                 nodes_and_edges,
             "f.yaml")
      .task_set;
}

}  // namespace

TEST_CASE("after: one node or several of earlier jobs, of the job before where it says no number") {
  const TaskSet set = read_dag(
      "    nodes:\n      a: {on: cpu, C: 1 ms, after: [{node: b, jobs: 3}, {node: a}]}\n      b: {on: cpu, C: 1 ms, after: {node: a, jobs: "
      "2}}\n");
  const auto history = set.dags()[0].history();
  REQUIRE(history.size() == 3);
  CHECK(history[0] == HistoryEdge{0, 0, 1});
  CHECK(history[1] == HistoryEdge{1, 0, 3});
  CHECK(history[2] == HistoryEdge{0, 1, 2});
  CHECK(io::parse_task_set(io::format_task_set(set), "f.yaml").task_set == set);
  CHECK(first_with_history(set.dags()) == 0);
  CHECK_FALSE(first_with_history(read_dag("    nodes: {a: {on: cpu, C: 1 ms}}\n").dags()));
}

TEST_CASE("after of nodes that are split: the first part waits for the last") {
  const TaskSet set = read_dag(
      "    nodes:\n      a: {on: cpu, prepare: 1 ms, finish: 1 ms, kernels: [{on: gpu, time: 1 ms, stream: s}], after: {node: a}}\n");
  const Dag& dag = set.dags()[0];
  REQUIRE(dag.nodes().size() == 3);
  REQUIRE(dag.history().size() == 2);
  CHECK(dag.history()[0] == HistoryEdge{2, 0, 1});
  CHECK(dag.history()[1] == HistoryEdge{1, 1, 1});  // the stream's
}

TEST_CASE("a stream adds edges where no path leads, in the order of the file, and one from the job before") {
  const std::string nodes =
      "    nodes:\n      k: {on: gpu, time: 1 ms, stream: s}\n      c: {on: cpu, C: 1 ms}\n      l: {on: gpu, time: 1 ms, stream: s}\n"
      "      m: {on: copy, C: 1 ms, stream: s}\n      o: {on: gpu, time: 1 ms, stream: t}\n";
  const TaskSet set = read_dag(nodes + "    edges: [k -> c -> l]\n");
  const Dag& dag = set.dags()[0];
  REQUIRE(dag.edges().size() == 3);
  CHECK(dag.edges()[2] == Edge{2, 3, false});
  REQUIRE(dag.history().size() == 2);
  CHECK(dag.history()[0] == HistoryEdge{3, 0, 1});
  CHECK(dag.history()[1] == HistoryEdge{4, 4, 1});
  CHECK(io::parse_task_set(io::format_task_set(set), "f.yaml").task_set == set);
  // Said by `after`, too, it is one edge.
  std::string twice = nodes;
  twice.replace(twice.find("stream: s}"), 10, "stream: s, after: {node: m}}");
  CHECK(read_dag(twice + "    edges: [k -> c -> l]\n").dags()[0].history().size() == 2);
}

TEST_CASE("streams that let each other's operations come first are refused") {
  std::vector<Node> nodes(4);
  for (NodeId v = 0; v < 4; ++v) {
    nodes[v].name = std::to_string(v);
    nodes[v].demand = CopyDemand{};
    nodes[v].stream = v % 2 == 0 ? "s" : "t";
  }
  // s: 0, 2; t: 1, 3. With 2 -> 1 and 3 -> 0 each alone would do.
  std::vector<Edge> edges{{2, 1, false}, {3, 0, false}};
  const auto fault = order_streams(nodes, edges);
  REQUIRE(fault);
  CHECK(fault->first == 1);
  CHECK(fault->second == 3);
  // An order that edges give the other way round than numbers do.
  std::vector<Edge> back{{3, 0, false}};
  CHECK_FALSE(order_streams(nodes, back));
  CHECK(back.size() == 3);
}
