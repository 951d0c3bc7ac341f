// `launch_overhead` and `dispatch_latency` of a GPU, in the times of nodes.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "rta/analysis/analyze.hpp"
#include "rta/io/diagnostic.hpp"
#include "rta/io/profile_file.hpp"
#include "rta/io/task_set_file.hpp"

using namespace rta;
using namespace rta::literals;

namespace {

const std::string costs = "launch_overhead: 50 us, dispatch_latency: 3 us";

std::string file_with(const std::string& gpu, const std::string& nodes, const std::string& edges,
                      const std::string& cpu = "processors: 1, scheduler: FIFO") {
  return "platform: {cpu: {" + cpu + "}, gpu: {sms: 2, threads: 1024, " + gpu +
         "}, w: {workers: 1}}\ndags:\n  - {name: d, T: 10 ms, nodes: {" + nodes + "}, edges: [" + edges + "]}\n";
}

TaskSet set_of(const std::string& text) { return io::parse_task_set(text, "f.yaml").task_set; }

std::string error_in(const std::string& text) {
  try {
    (void)set_of(text);
  } catch (const io::InputError& error) {
    return error.what();
  }
  return "";
}

const std::string a = "a: {on: cpu, C: 1 ms}", k = "k: {on: gpu, B: 1, H: 1024, L: 2 ms}", l = "l: {on: gpu, B: 1, H: 1024, L: 2 ms}";

std::vector<std::string> edges_in(const Dag& dag) {
  std::vector<std::string> all;
  for (const Edge& edge : dag.edges()) all.push_back(dag.nodes()[edge.from].name + " -> " + dag.nodes()[edge.to].name);
  return all;
}

}  // namespace

TEST_CASE("a node launches the kernel that follows it alone: 1 ms + 50 us, and a block of 2 ms + 3 us") {
  const TaskSet set = set_of(file_with(costs, a + ", " + k + ", b: {on: cpu, C: 1 ms}", "a -> k, a -> b"));
  const Dag& dag = set.dags()[0];
  REQUIRE(dag.nodes().size() == 3);
  CHECK(std::get<CpuDemand>(dag.nodes()[0].demand).C == 1'050_us);
  CHECK(std::get<GpuDemand>(dag.nodes()[1].demand).L == 2'003_us);
  CHECK(std::get<GpuDemand>(dag.nodes()[1].demand).C == Workload(Wide{2'003'000} * 1024));
  CHECK(std::get<CpuDemand>(dag.nodes()[2].demand).C == 1_ms);
  CHECK(io::parse_task_set(io::format_task_set(set), "f.yaml").task_set == set);
}

TEST_CASE("kernels beside one another, and one behind another, have launches of their own") {
  const TaskSet beside = set_of(file_with(costs, a + ", " + k + ", " + l, "a -> k, a -> l"));
  CHECK(edges_in(beside.dags()[0]) == std::vector<std::string>{"a -> k.launch", "a -> l.launch", "k.launch -> k", "l.launch -> l"});
  CHECK(std::get<CpuDemand>(beside.dags()[0].nodes()[0].demand).C == 1_ms);
  CHECK(beside.dags()[0].nodes()[3].demand == decltype(Node::demand)(CpuDemand{50_us}));
  const TaskSet behind = set_of(file_with(costs, a + ", " + k + ", " + l, "{path: a -> k}, {path: k -> l, cut: true}"));
  CHECK(edges_in(behind.dags()[0]) == std::vector<std::string>{"a -> k", "k -> l.launch", "l.launch -> l"});
  CHECK(behind.dags()[0].edges()[1].cut);
  CHECK(std::get<CpuDemand>(behind.dags()[0].nodes()[0].demand).C == 1'050_us);
}

TEST_CASE("a kernel that follows two nodes is launched by neither of them: on the processors of the first, with its priority") {
  const TaskSet set =
      set_of("platform: {p: {processors: 1, scheduler: FP}, q: {processors: 1, scheduler: FP}, gpu: {sms: 2, threads: 1024, " + costs +
             "}}\ndags:\n  - {name: d, T: 10 ms, nodes: {" + k +
             ", b: {on: q, C: 1 ms, priority: 7}, a: {on: p, C: 1 ms, priority: 3}}, edges: [a -> k, b -> k]}\n");
  const Node& launch = set.dags()[0].nodes()[3];
  CHECK(launch.name == "k.launch");
  CHECK(launch.pool == 1);
  CHECK(launch.demand == decltype(Node::demand)(CpuDemand{50_us, 7}));
}

TEST_CASE("durations grow by the dispatch, with blocks and without, and costs of a GPU are those of its partitions") {
  const auto time_of = [](const std::string& kernel) {
    return std::get<GpuDemand>(set_of(file_with("dispatch_latency: 3 us", a + ", k: " + kernel, "a -> k")).dags()[0].nodes()[1].demand)
        .time;
  };
  CHECK(time_of("{on: gpu, time: 4 ms}") == 4'003_us);
  CHECK(time_of("{on: gpu, B: 8, H: 1024, L: 1 ms, time: 3 ms}") == 3'003_us);
  const TaskSet cut = set_of("platform: {cpu: {processors: 1}, orin: {device: orin, " + costs +
                             ", partitions: {x: {sms: 4, kind: green}}}}\ndags:\n  - {name: d, T: 10 ms, nodes: {" + a +
                             ", k: {on: orin/x, B: 1, H: 1024, L: 2 ms}}, edges: [a -> k]}\n");
  CHECK(std::get<CpuDemand>(cut.dags()[0].nodes()[0].demand).C == 1'050_us);
}

TEST_CASE("kernels that no thread would launch are refused") {
  CHECK(error_in(file_with(costs, k, "")) ==
        "f.yaml:1:97: pool 'gpu': launch_overhead: kernel 'k' of 'd' follows no node on processors, which would launch it: put one before "
        "it");
  CHECK(
      error_in(file_with(costs, a + ", " + k + ", " + l, "a -> k, a -> l", "processors: 1, scheduler: wait-set"))
          .ends_with("kernel 'k' of 'd' is launched by an executor, but by no callback that launches it alone: give it a callback, and put "
                     "that before it\nf.yaml:1:101: pool 'gpu': launch_overhead: kernel 'l' of 'd' is launched by an executor, but by no "
                     "callback that launches it alone: give it a callback, and put that before it"));
  CHECK(error_in(file_with(costs, a + ", " + k + ", " + l + ", k.launch: {on: cpu, C: 1 ms}", "a -> k, a -> l"))
            .ends_with("kernel 'k' of 'd' has its launch in a node 'k.launch', but there is one"));
  CHECK(error_in(file_with("launch_overhead: -1 us", a + ", " + k, "a -> k"))
            .ends_with("launch_overhead: must be zero or more, not '-1 us'"));
}

TEST_CASE("a launch that is left out, or counted once for two kernels, gives less than what happens") {
  // The processor: a to 1 ms, the launches to 1.05 and 1.1 ms. Each kernel has an SM: the second ends at 1.1 + 2.003 = 3.103 ms.
  analysis::Options options;
  options.release = Release::completion;
  const auto bound = [&](const std::string& text) {
    return analysis::analyze(std::make_shared<const TaskSet>(set_of(text)), options).proof.dags[0].bound->R;
  };
  const std::string nodes = k + ", " + l, edges = "a -> k, a -> l";
  CHECK(bound(file_with(costs, a + ", " + nodes, edges)) >= 3'103_us);
  CHECK(bound(file_with("dispatch_latency: 3 us", a + ", " + nodes, edges)) < 3'103_us);
  CHECK(bound(file_with("dispatch_latency: 3 us", "a: {on: cpu, C: 1050 us}, " + nodes, edges)) < 3'103_us);
  CHECK(bound(file_with("launch_overhead: 50 us", a + ", " + nodes, edges)) < 3'103_us);
}

TEST_CASE("a profile has the launches of the device that it is of, and its dispatch latency in place of the file's") {
  DeviceProfile profile;
  profile.latencies = {{"launch", 11_us, 37_us, 40_us, 80}, {"dispatch", Time(256), Time(352), Time(416), 5320}};
  const auto settings = [&](const std::string& gpu) {
    std::vector<std::string> texts;
    for (const io::Setting& one : io::measured_launches(profile, "platform: {g: {" + gpu + "}}\ntasks: []\n", "f.yaml"))
      texts.push_back(one.place + " = " + one.value);
    return texts;
  };
  CHECK(settings("device: h200, " + costs) ==
        std::vector<std::string>{"platform.g.launch_overhead = 40000 ns", "platform.g.dispatch_latency = 0 ns"});
  CHECK(settings("sms: 2, threads: 1024, " + costs) == std::vector<std::string>{"platform.g.dispatch_latency = 0 ns"});
  CHECK(settings("device: h200").empty());
}
