// Rates of periodic DAGs: docs/theory/periodic.md, "Rates".
#include <doctest/doctest.h>

#include <string>
#include <variant>

#include "rta/io/task_set_file.hpp"

using namespace rta;

namespace {

io::ReadResult read(const std::string& dags,
                    const std::string& platform = "platform: {cpu: {processors: 1, scheduler: FIFO}, engines: {engines: 1}}\n") {
  return io::parse_task_set(platform + "tasks:\n" + dags, "rates.yaml");
}
std::string task(const std::string& name, const std::string& rest) {
  return "  - {name: " + name + ", on: cpu, C: 3 ms, periodic: true, " + rest + "}\n";
}
Time C_of(const Dag& dag) { return std::get<CpuDemand>(dag.nodes()[0].demand).C; }

}  // namespace

TEST_CASE("Periods of 30 Hz and 10 Hz are 3 : 1 where releases are periodic") {
  const auto result = read(task("camera", "phase: 0 ms, T: 30 Hz") + task("lidar", "phase: 0 ms, T: 10 Hz"));
  const auto dags = result.task_set.dags();
  // 1/30 s is the common part: 33,333,334 ns of a clock that is fast by 2 in 10^8.
  CHECK(dags[0].period() == Time(33'333'334));
  CHECK(dags[1].period() == Time(100'000'002));
  CHECK(C_of(dags[0]) == Time(3'000'001));
  REQUIRE(result.warnings.size() == 1);
  CHECK(result.warnings[0].message.find("rates of periodic DAGs") == 0);
  CHECK(result.warnings[0].message.find("T of 'camera' is 33333334 ns") != std::string::npos);
}

TEST_CASE("Deadlines and phases are whole by the common clock, jitter and least executions stay on the safe side") {
  const auto result = io::parse_task_set(R"(platform: {cpu: {processors: 1, scheduler: FIFO}}
tasks:
  - {name: camera, on: cpu, C: {min: 1 ms, max: 3 ms}, periodic: true, phase: 5 ms, T: 30 Hz, D: 20 ms, jitter: 10 us}
)",
                                         "rates.yaml");
  const Dag& dag = result.task_set.dags()[0];
  // The common part of 33 1/3, 20 and 5 ms is 1 2/3 ms: 1,666,667 ns of a clock that is fast by 2 in 10^7.
  CHECK(dag.nominal_period() == Time(20 * 1'666'667));
  CHECK(dag.deadline() == Time(12 * 1'666'667));
  CHECK(dag.attributes().phase == Time(3 * 1'666'667));
  CHECK(dag.attributes().jitter == Time(10'001));
  CHECK(C_of(dag) == Time(3'000'001));
  CHECK(dag.nodes()[0].variation->least == Time(1'000'000));
}

TEST_CASE("Only periodic DAGs with rates that need it change") {
  const auto sporadic = read("  - {name: camera, on: cpu, C: 3 ms, T: 30 Hz}\n  - {name: lidar, on: cpu, C: 3 ms, T: 10 Hz}\n");
  CHECK(sporadic.task_set.dags()[0].period() == Time(33'333'333));
  CHECK(sporadic.warnings.empty());
  const auto whole = read(task("camera", "phase: 0 ms, T: 20 Hz") + task("lidar", "phase: 0 ms, T: 10 Hz"));
  CHECK(whole.task_set.dags()[0].period() == Time(50'000'000));
  CHECK(C_of(whole.task_set.dags()[0]) == Time(3'000'000));
  CHECK(whole.warnings.empty());
}

TEST_CASE("Where no clock fits, rates are rounded down and that is told") {
  const auto odd = read(task("camera", "phase: 1 ns, T: 30 Hz"));
  CHECK(odd.task_set.dags()[0].period() == Time(33'333'333));
  REQUIRE(odd.warnings.size() == 1);
  CHECK(odd.warnings[0].message.find("have no common part that is long enough") != std::string::npos);
  const auto reserved = io::parse_task_set(R"(platform: {cpu: {processors: 1}}
executors: {e: {on: cpu, kind: wait-set, reservation: {runtime: 5 ms, period: 10 ms}}}
tasks:
  - {name: camera, executor: e, entity: timer, C: 3 ms, periodic: true, phase: 0 ms, T: 30 Hz}
)",
                                           "rates.yaml");
  CHECK(reserved.task_set.dags()[0].period() == Time(33'333'333));
  REQUIRE(reserved.warnings.size() == 1);
  CHECK(reserved.warnings[0].message.find("have a clock of their own") != std::string::npos);
}

TEST_CASE("Kernels, copies and items take no less by the common clock") {
  const auto result =
      io::parse_task_set(R"(platform: {gpu: {device: h200}, copies: {engines: 2}, workers: {workers: 4, dispatch_overhead: 1 us}}
dags:
  - name: camera
    T: 30 Hz
    periodic: true
    phase: 0 ms
    nodes:
      up: {on: copies, direction: h2d, C: 1 ms}
      blocks: {on: gpu, B: 10, H: 100, L: 2 ms, time: 5 ms}
      whole: {on: gpu, time: 4 ms}
      items: {on: workers, B: 3, L: 1 ms}
    edges: [up -> blocks, blocks -> whole, whole -> items]
)",
                         "rates.yaml");
  const auto nodes = result.task_set.dags()[0].nodes();
  CHECK(std::get<CopyDemand>(nodes[0].demand).C == Time(1'000'001));
  const auto& blocks = std::get<GpuDemand>(nodes[1].demand);
  CHECK(blocks.L == Time(2'000'001));
  CHECK(blocks.C == Workload(Wide{2'000'001} * 128));
  CHECK(blocks.time == Time(5'000'001));
  const auto& whole = std::get<GpuDemand>(nodes[2].demand);
  CHECK(whole.L == Time(4'000'001));
  CHECK(whole.time == Time(4'000'001));
  CHECK(std::get<WorkerDemand>(nodes[3].demand).L == Time(1'000'001));
  CHECK(std::get<WorkerPool>(result.task_set.pools()[2].resource).dispatch_overhead == Time(1'001));
}
