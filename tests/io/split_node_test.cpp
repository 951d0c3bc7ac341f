// Coarse nodes, which are split while they are read.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "rta/analysis/analyze.hpp"
#include "rta/io/diagnostic.hpp"
#include "rta/io/task_set_file.hpp"

using namespace rta;
using namespace rta::literals;

namespace {

const std::string platform = "platform: {cpu: {processors: 2}, gpu: {sms: 2, threads: 1024}, copy: {engines: 1}}\n";

TaskSet parsed(const std::string& nodes, const std::string& edges) {
  return io::parse_task_set(
             platform + "dags:\n  - name: camera\n    T: 30 ms\n    nodes:\n" + nodes + (edges.empty() ? "" : "    edges: " + edges + "\n"),
             "set.yaml")
      .task_set;
}

// With the nodes in lines of their own.
std::string error_of(const std::string& node) {
  try {
    (void)parsed("      detect: " + node + "\n", "");
  } catch (const io::InputError& error) {
    return error.what();
  }
  return "no error";
}

std::vector<std::string> edges_of(const Dag& dag) {
  std::vector<std::string> edges;
  for (const Edge& edge : dag.edges()) edges.push_back(dag.nodes()[edge.from].name + " -> " + dag.nodes()[edge.to].name);
  return edges;
}

const std::string detect =
    "      detect: {on: cpu, prepare: 2 ms, launch: 100 us, kernels: [{on: gpu, B: 4, H: 256, L: 1 ms}], await: 50 us, finish: 1 ms";

}  // namespace

TEST_CASE("a node with kernels is split: prepare, launch, kernel, await, finish") {
  const TaskSet set =
      parsed("      grab: {on: cpu, C: 1 ms}\n" + detect + "}\n      show: {on: cpu, C: 1 ms}\n", "[grab -> detect -> show]");
  const Dag& dag = set.dags()[0];
  REQUIRE(dag.nodes().size() == 7);
  CHECK(dag.nodes()[1].name == "detect.prepare");
  CHECK(dag.nodes()[1].demand == decltype(Node::demand)(CpuDemand{2_ms}));
  CHECK(dag.nodes()[2].demand == decltype(Node::demand)(CpuDemand{100_us}));
  CHECK(dag.nodes()[4].demand == decltype(Node::demand)(CpuDemand{50_us}));
  CHECK(std::get<GpuDemand>(dag.nodes()[3].demand).B == 4);
  for (NodeId v = 1; v <= 5; ++v) CHECK(dag.nodes()[v].group == "detect");
  CHECK(edges_of(dag) == std::vector<std::string>{"grab -> detect.prepare", "detect.finish -> show", "detect.prepare -> detect.launch",
                                                  "detect.launch -> detect.kernel", "detect.kernel -> detect.await",
                                                  "detect.await -> detect.finish"});
  CHECK(io::parse_task_set(io::format_task_set(set), "set.yaml").task_set == set);
}

TEST_CASE("what splitting adds counts on each node of processors, and on no kernel") {
  const TaskSet set = parsed(detect + ", split_overhead: 10 us}\n", "");
  const Dag& dag = set.dags()[0];
  CHECK(std::get<CpuDemand>(dag.nodes()[0].demand).C == 2'010_us);
  CHECK(std::get<CpuDemand>(dag.nodes()[1].demand).C == 110_us);
  CHECK(std::get<GpuDemand>(dag.nodes()[2].demand).L == 1_ms);
  CHECK(std::get<CpuDemand>(dag.nodes()[3].demand).C == 60_us);
  CHECK(std::get<CpuDemand>(dag.nodes()[4].demand).C == 1'010_us);
}

TEST_CASE("several kernels have numbers, and parts that are not given are not there") {
  const TaskSet set = parsed(
      "      detect: {on: cpu, launch: 100 us, between: 500 us, kernels: [{on: copy, C: 1 ms}, {on: gpu, B: 4, H: 256, L: 1 ms, priority: "
      "high}]}\n",
      "");
  std::vector<std::string> names;
  for (const Node& node : set.dags()[0].nodes()) names.push_back(node.name);
  CHECK(names == std::vector<std::string>{"detect.launch1", "detect.kernel1", "detect.between1", "detect.launch2", "detect.kernel2"});
  CHECK(set.dags()[0].edges().size() == 4);
  CHECK(std::get<GpuDemand>(set.dags()[0].nodes()[4].demand).priority == high_priority);
}

TEST_CASE("a split node as a group has the bounds of the group that is written node by node") {
  analysis::Options coarse;
  coarse.granularity = analysis::Granularity::coarse;
  const auto bound = [&](const TaskSet& set) {
    return analysis::analyze(std::make_shared<const TaskSet>(set), coarse).proof.dags[0].bound;
  };
  const TaskSet written = parsed(
      "      a: {on: cpu, C: 2 ms, group: detect}\n      b: {on: cpu, C: 100 us, group: detect}\n"
      "      k: {on: gpu, B: 4, H: 256, L: 1 ms, group: detect}\n      c: {on: cpu, C: 50 us, group: detect}\n"
      "      d: {on: cpu, C: 1 ms, group: detect}\n",
      "[a -> b -> k -> c -> d]");
  REQUIRE(bound(written));
  CHECK(bound(parsed(detect + "}\n", ""))->R == bound(written)->R);
}

TEST_CASE("wrong coarse nodes are refused at their place") {
  const auto has = [](const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; };
  const std::string kernel = "kernels: [{on: gpu, B: 4, H: 256, L: 1 ms}]";
  CHECK(has(error_of("{on: cpu, C: 1 ms, " + kernel + "}"), "set.yaml:6:25: node 'detect': unknown key 'C'"));
  CHECK(has(error_of("{on: cpu, prepare: 1 ms, kernels: []}"), "set.yaml:6:49: node 'detect': kernels: a list of what the node launches"));
  CHECK(has(error_of("{on: cpu, prepare: 1 ms, kernels: 3}"), "not a plain value"));
  CHECK(has(error_of("{on: cpu, " + kernel + "}"), "set.yaml:6:15: node 'detect': 'prepare' is missing"));
  CHECK(has(error_of("{on: cpu, prepare: 1 ms, between: 1 ms, " + kernel + "}"), "between: is what runs from one kernel to the next"));
  CHECK(has(error_of("{on: gpu, prepare: 1 ms, " + kernel + "}"), "on: 'gpu' has no processors"));
  CHECK(has(error_of("{prepare: 1 ms, " + kernel + "}"), "'on' is missing"));
  CHECK(has(error_of("{on: cpu, prepare: 1 ms, kernels: [{on: cpu, C: 1 ms}]}"), "kernels: 'cpu' is a pool of processors"));
  CHECK(has(error_of("{on: cpu, prepare: 1 ms, kernels: [{on: copy, C: 1 ms, group: g}]}"), "group: is not of the kernels of a node"));
  CHECK(has(error_of("{on: cpu, prepare: 1 ms, kernels: [{on: copy}]}"), "'C' is missing"));
  CHECK(has(error_of("{on: cpu, prepare: 1 ms, kernels: [copy]}"), "node 'detect': kernels: "));
  CHECK(has(error_of("{on: cpu, prepare: -1 ms, " + kernel + "}"), "prepare: "));
  CHECK(has(error_of("{on: cpu, prepare: 1 ms, " + kernel + "}\n      detect.kernel: {on: cpu, C: 1 ms}"),
            "set.yaml:7:7: DAG 'camera': 'detect.kernel' is the name of a part of node 'detect', which is split"));
}
