// Graphs of the System Task Manager.
#include <doctest/doctest.h>

#include "conversion.hpp"
#include "rta/model/error.hpp"
#include "rta/static_order/graph_file.hpp"

using namespace rta;

namespace {

const std::string camera = R"(Version: 3.0.0
camera:
  Identifier: 5
  Resources: {CPU: [CPU0, CPU1], GPU: [iGPU], LOCK: [lock]}
  Hyperepochs:
    - main:
        Period: 100ms
        Epochs:
          - frames: {Period: 30ms, Frames: 3}
          - map: {Period: 100ms, Deadline: 90ms}
  Clients:
    - Eye:
        Resources: {CUDA_STREAM: [{FRONT: iGPU}]}
        Epochs:
          - main.frames:
              Runnables:
                - grab: {WCET: 1ms, Resources: [CPU, LOCK]}
                - send: {WCET: 300us, Resources: [CPU0, FRONT], Dependencies: [Eye.grab], Submits: Eye.detect}
                - detect: {WCET: 9ms, Resources: [iGPU]}
    - Brain:
        Epochs:
          - main.map:
              Runnables:
                - draw: {WCET: 12ms, Resources: [CPU, LOCK], StartTime: 5ms, Deadline: 80ms}
)";

}  // namespace

TEST_CASE("An epoch becomes a DAG: what submits precedes what it submits, an engine runs one node at a time") {
  CHECK(io::format_task_set(test::converted(camera)) == R"(platform:
  CPU: {processors: 2, scheduler: G-EDF}
  iGPU: {processors: 1, scheduler: FIFO}
dags:
  - name: frames
    T: 30 ms
    nodes:
      Eye.grab: {on: CPU, C: 1 ms}
      Eye.send: {on: CPU, C: 300 us}
      Eye.detect: {on: iGPU, C: 9 ms}
    edges:
      - Eye.grab -> Eye.send -> Eye.detect
  - name: map
    T: 100 ms
    D: 90 ms
    nodes:
      Brain.draw: {on: CPU, C: 12 ms, D: 80 ms}
)");
}

TEST_CASE("Frames are at least as far apart as across the end of a hyperepoch") {
  // Three frames 40 ms apart in 100 ms: the next hyperepoch begins 20 ms after the third.
  std::string text = camera;
  text.replace(text.find("Period: 30ms"), 12, "Period: 40ms");
  CHECK(test::converted(text).dags()[0].period() == Time(20'000'000));
}

TEST_CASE("What a task set cannot say of a graph is told") {
  const auto result = convert::convert_text(camera, "file", {});
  CHECK(test::mentions(result.assumed, "mutex 'lock' of 2 runnables IS LEFT OUT"));
  CHECK(test::mentions(result.assumed, "the start times of 1 runnables are left out"));
  CHECK(test::mentions(result.assumed, "1 runnable of pool 'CPU' names a processor"));
  CHECK(test::mentions(result.assumed, "pool 'iGPU' runs one node at a time"));
  CHECK(test::mentions(result.assumed, "pool 'CPU' is scheduled by G-EDF (--scheduler)"));
}

TEST_CASE("A graph is written as it was read, and a task set as the graph that is compiled for it") {
  const auto result = convert::convert_text(camera, "file", {});
  REQUIRE(result.graph);
  CHECK(static_order::parse_graph(static_order::format_graph(*result.graph), "again").graph == *result.graph);
  const std::string set = R"(platform: {cpu: {processors: 2, scheduler: FIFO}}
dags:
  - {name: a, T: 10 ms, D: 10 ms, nodes: {u: {on: cpu, C: 1 ms}, v: {on: cpu, C: 2 ms}}, edges: [u -> v]}
  - {name: b, T: 20 ms, D: 15 ms, nodes: {w: {on: cpu, C: 3 ms}}}
)";
  const std::string graph = convert::format_stm(test::converted(set));
  CHECK(io::format_task_set(test::converted(graph)) == R"(platform:
  CPU: {processors: 2, scheduler: G-EDF}
dags:
  - name: a
    T: 10 ms
    D: 10 ms
    nodes:
      a.u: {on: CPU, C: 1 ms}
      a.v: {on: CPU, C: 2 ms}
    edges:
      - a.u -> a.v
  - name: b
    T: 20 ms
    D: 15 ms
    nodes:
      b.w: {on: CPU, C: 3 ms}
)");
  // Without a deadline within the period a frame may overlap the next, which the format cannot say.
  CHECK_THROWS_AS((void)convert::format_stm(
                      test::converted("platform: {cpu: {processors: 1}}\ndags: [{name: a, T: 1 s, nodes: {u: {on: cpu, C: 1 ms}}}]\n")),
                  UserError);
}

TEST_CASE("Broken graphs are refused with their place") {
  std::string text = camera;
  text.replace(text.find("WCET: 9ms"), 9, "WCET: fast");
  CHECK(test::fault_of(text).find("file:19:") == 0);
}

TEST_CASE("What a client has of its own may be named with its SOC, mutexes too, and is named so") {
  const std::string graph = R"(Version: 3.0.0
graph:
  Identifier: 1
  SOC:
    - soc0: {Resources: {CPU: [CPU0, CPU1], GPU: [dGPU]}}
  Hyperepochs:
    - h0:
        Period: 33 ms
        Resources: [soc0.CPU0, soc0.CPU1, soc0.dGPU, c0.soc0.local1, c0.soc0.CUDA_STREAM0]
        Epochs:
          - e0: {Frames: 1, Period: 33 ms}
  Clients:
    - c0:
        SOC: soc0
        Resources:
          CUDA_STREAM: [{CUDA_STREAM0: dGPU}]
          MUTEX0: [local1]
        Epochs:
          - h0.e0:
              Runnables:
                - r0: {WCET: 10 us, Resources: [CPU]}
                - r1: {WCET: 100 us, Resources: [CPU, local1, CUDA_STREAM], Dependencies: [c0.r0], Submits: c0.r2}
                - r2: {WCET: 700 us, Resources: [GPU], Dependencies: [c0.r1]}
                - r3: {WCET: 20 us, Resources: [CPU, c0.local1], Dependencies: [c0.r2]}
)";
  const static_order::Graph read = static_order::parse_graph(graph, "g").graph;
  REQUIRE(read.resources.size() == 5);
  CHECK(static_order::full_name(read, 4) == "c0.soc0.local1");
  CHECK(read.runnables[1].needs[1].any_of == std::vector<static_order::ResourceId>{4});
  CHECK(read.runnables[3].needs[1].any_of == std::vector<static_order::ResourceId>{4});
  CHECK(static_order::parse_graph(static_order::format_graph(read), "again").graph.runnables.size() == 4);
}
