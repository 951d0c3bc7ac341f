// Bodies: nodes that one thread plays one after another. By hand, in ms.
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "rta/io/task_set_file.hpp"
#include "rta/model/error.hpp"
#include "rta/simulate/simulate.hpp"

using namespace rta;
using namespace rta::literals;

namespace {

TaskSet parsed(const std::string& cpu, const std::string& dags) {
  return io::parse_task_set("platform: {cpu: {" + cpu + "}, copy: {engines: 1}}\ndags:\n" + dags, "set.yaml").task_set;
}

// CPU 1, copy 8, CPU 1.
std::string waiting(const std::string& T) {
  return "  - {name: w, T: " + T +
         ", nodes: {a: {on: cpu, C: 1 ms}, k: {on: copy, C: 8 ms}, b: {on: cpu, C: 1 ms}}, edges: [a -> k -> b]}\n";
}
const std::string beside = "  - {name: x, T: 100 ms, phase: 500 us, nodes: {x: {on: cpu, C: 3 ms}}}\n";

struct Played {
  Schedule schedule;
  Bodies bodies;
};

// All nodes of a DAG are a body, released with it, at the priority point `point` of its DAG.
Played whole_dags(const TaskSet& set, const std::vector<Time>& point = {}) {
  Played played;
  for (DagId d = 0; d < set.dags().size(); ++d) {
    const Dag& dag = set.dags()[d];
    NodeSchedule of;
    of.priority_point = point.empty() ? dag.period() : point[d];
    played.schedule.nodes.emplace_back(dag.nodes().size(), of);
    const auto order = dag.topological_order();
    played.bodies.push_back({Body{{order.begin(), order.end()}, std::nullopt}});
  }
  return played;
}

simulate::Observation simulated(const TaskSet& set, const Played& played, Time duration = 50_ms) {
  simulate::Options options;
  options.duration = duration;
  options.bodies = played.bodies;
  return simulate::simulate(set, played.schedule, options);
}

}  // namespace

TEST_CASE("under FIFO a body keeps its processor while it waits; else the processor is free for others") {
  // x, released at 0.5, waits for w's thread until 10 and ends at 13; where w's processor is free from 1 to 9 it ends at 4.
  const TaskSet fifo = parsed("processors: 1, scheduler: FIFO", waiting("100 ms") + beside);
  const auto kept = simulated(fifo, whole_dags(fifo));
  CHECK(kept.dags[0].response.max() == 10_ms);
  CHECK(kept.dags[1].response.max() == 12'500_us);
  const TaskSet edf = parsed("processors: 1, scheduler: G-EDF", waiting("100 ms") + beside);
  const auto given = simulated(edf, whole_dags(edf));
  CHECK(given.dags[0].response.max() == 10_ms);
  CHECK(given.dags[1].response.max() == 3'500_us);
  // A second processor under FIFO.
  const TaskSet two = parsed("processors: 2, scheduler: FIFO", waiting("100 ms") + beside);
  CHECK(simulated(two, whole_dags(two)).dags[1].response.max() == 3_ms);
}

TEST_CASE("a body whose first node is a copy waits under FIFO for the thread that issues it") {
  // x has the only processor from 0 to 3: k is issued at 3 and ends at 11, b at 12.
  const std::string dags =
      "  - {name: x, T: 100 ms, nodes: {x: {on: cpu, C: 3 ms}}}\n"
      "  - {name: w, T: 100 ms, nodes: {k: {on: copy, C: 8 ms}, b: {on: cpu, C: 1 ms}}, edges: [k -> b]}\n"
      "  - {name: y, T: 100 ms, phase: 4 ms, nodes: {y: {on: cpu, C: 1 ms}}}\n";
  const TaskSet fifo = parsed("processors: 1, scheduler: FIFO", dags);
  const auto seen = simulated(fifo, whole_dags(fifo));
  CHECK(seen.dags[1].response.max() == 12_ms);
  CHECK(seen.dags[1].nodes[0].max() == 11_ms);
  CHECK(seen.dags[2].response.max() == 9_ms);  // from 12
  // Else it issues at once, and has its processor when it asks for one.
  const TaskSet edf = parsed("processors: 1, scheduler: G-EDF", dags);
  CHECK(simulated(edf, whole_dags(edf)).dags[1].response.max() == 9_ms);
}

TEST_CASE("a body that ends with what it waits for gives its processor back then") {
  const std::string dags = "  - {name: w, T: 100 ms, nodes: {a: {on: cpu, C: 1 ms}, k: {on: copy, C: 8 ms}}, edges: [a -> k]}\n" + beside;
  const TaskSet fifo = parsed("processors: 1, scheduler: FIFO", dags);
  const auto seen = simulated(fifo, whole_dags(fifo));
  CHECK(seen.dags[0].response.max() == 9_ms);
  CHECK(seen.dags[1].response.max() == 11'500_us);
}

TEST_CASE("a body plays one job at a time") {
  // Jobs of 10 at 0, 5 and 10 end at 10, 20 and 30, with as many processors as they like.
  for (const char* cpu : {"processors: 4, scheduler: FIFO", "processors: 4, scheduler: G-EDF", "processors: 4, scheduler: G-FL"}) {
    const TaskSet set = parsed(cpu, waiting("5 ms"));
    const auto seen = simulated(set, whole_dags(set), 15_ms);
    CHECK(seen.dags[0].response.count() == 3);
    CHECK(seen.dags[0].response.max() == 20_ms);
  }
}

TEST_CASE("a thread that has waited goes on before later jobs, and before equals that came later") {
  // w's b is ready at 9, while x (8 ms from 1 on, equally urgent) would run until 9.5 + 0.5: w came first, so x waits for b.
  const std::string dags = waiting("100 ms") + "  - {name: x, T: 100 ms, phase: 1 ms, nodes: {x: {on: cpu, C: 10 ms}}}\n";
  const TaskSet set = parsed("processors: 1, scheduler: G-EDF", dags);
  const auto equal = simulated(set, whole_dags(set, {100_ms, 99_ms}));  // both at 100
  CHECK(equal.dags[0].response.max() == 10_ms);
  CHECK(equal.dags[1].response.max() == 11_ms);
  const auto urgent = simulated(set, whole_dags(set, {100_ms, 50_ms}));
  CHECK(urgent.dags[0].response.max() == 12_ms);
  CHECK(urgent.dags[1].response.max() == 10_ms);
}

TEST_CASE("what follows a node of a body follows the whole of it") {
  // a of the body (a, k) releases c and d by its edges, in the file; both begin when k has ended, at 9.
  const TaskSet set = parsed("processors: 4, scheduler: G-EDF",
                             "  - {name: w, T: 100 ms, nodes: {a: {on: cpu, C: 1 ms}, k: {on: copy, C: 8 ms}, c: {on: cpu, C: 2 ms}, "
                             "d: {on: copy, C: 2 ms}}, edges: [a -> k, a -> c, a -> d]}\n");
  Played played;
  played.schedule.nodes = {std::vector<NodeSchedule>(4)};
  played.bodies = {{Body{{0, 1}, 8'500_us}, Body{{2}, std::nullopt}}};
  const auto seen = simulated(set, played);
  CHECK(seen.dags[0].nodes[0].max() == 1_ms);
  CHECK(seen.dags[0].nodes[1].max() == 9_ms);
  CHECK(seen.dags[0].nodes[2].max() == 11_ms);
  CHECK(seen.dags[0].nodes[3].max() == 11_ms);
  // The body's deadline is that of its end.
  CHECK(seen.dags[0].node_misses == std::vector<std::uint64_t>{0, 1, 0, 0});
}

TEST_CASE("bodies of several nodes on processors without preemption are refused, but under FIFO") {
  const TaskSet set = parsed("processors: 1, scheduler: G-EDF, preemptive: false", waiting("100 ms"));
  CHECK_THROWS_WITH_AS((void)simulated(set, whole_dags(set)),
                       "pool 'cpu' is not preemptive; coarse-grained and monolithic DAGs are simulated on preemptive pools and under FIFO",
                       UserError);
  const TaskSet fifo = parsed("processors: 1, scheduler: FIFO, preemptive: false", waiting("100 ms"));
  CHECK(simulated(fifo, whole_dags(fifo)).dags[0].response.max() == 10_ms);
}
