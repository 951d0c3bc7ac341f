// Task sets out and in again.
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <filesystem>
#include <fstream>
#include <numeric>

#include "conversion.hpp"
#include "convert/job_set.hpp"
#include "rta/io/canonical_json.hpp"
#include "support/arbitrary_task_set.hpp"

using namespace rta;

namespace {

// Sets as job sets can say them: one pool of non-preemptive G-EDF, nodes of CPU, deadlines, periods that divide a second.
rc::Gen<TaskSet> job_sets() {
  return rc::gen::exec([] {
    const std::vector<std::int64_t> periods{10, 20, 25, 50, 100};
    struct Drawn {
      Time T, D;
      std::vector<Node> nodes;
      std::vector<Edge> edges;
    };
    std::vector<Drawn> drawn;
    std::int64_t hyperperiod = 1;
    const int count = *rc::gen::inRange(1, 4);
    for (int d = 0; d < count; ++d) {
      const Time T(periods[static_cast<std::size_t>(*rc::gen::inRange(0, 5))] * 1'000'000);
      std::vector<Node> nodes;
      const int size = *rc::gen::inRange(1, 5);
      for (int v = 0; v < size; ++v) {
        Node node;
        node.name = "v" + std::to_string(v);
        const std::int64_t C = *rc::gen::inRange<std::int64_t>(0, 1'000'000);
        node.demand = CpuDemand{Time(C)};
        node.sequential = *rc::gen::arbitrary<bool>();
        if (C > 0 && *rc::gen::arbitrary<bool>()) node.variation = Variation{Time(*rc::gen::inRange<std::int64_t>(0, C)), std::nullopt};
        nodes.push_back(std::move(node));
      }
      // A chain, so that the jobs of a DAG belong together.
      std::vector<Edge> edges;
      for (int v = 1; v < size; ++v) edges.push_back({static_cast<NodeId>(*rc::gen::inRange(0, v)), static_cast<NodeId>(v), false});
      drawn.push_back({T, T - Time(*rc::gen::inRange(0, 5) * 1'000'000), std::move(nodes), std::move(edges)});
      hyperperiod = std::lcm(hyperperiod, T.count());
    }
    std::vector<Dag> dags;
    for (std::size_t d = 0; d < drawn.size(); ++d) {
      // A job that is alone in the hyperperiod waits for none.
      for (Node& node : drawn[d].nodes) node.sequential = node.sequential && drawn[d].T.count() < hyperperiod;
      DagAttributes attributes;
      if (const auto phase = *rc::gen::inRange<std::int64_t>(0, 4); phase > 0) attributes.phase = Time(phase * 7'000'000);
      dags.emplace_back("d" + std::to_string(d), drawn[d].T, drawn[d].D, drawn[d].nodes, drawn[d].edges, attributes);
    }
    return TaskSet("s", {{"cpu", CpuPool{static_cast<std::uint32_t>(*rc::gen::inRange(1, 9)), Scheduler::g_edf, false}}}, std::move(dags));
  });
}

}  // namespace

TEST_CASE("The canonical JSON reads back equal, and equal sets are equal texts") {
  CHECK(rc::check([] {
    const TaskSet set = *test::arbitrary_task_set();
    const std::string text = io::canonical_json(set);
    const TaskSet again = io::parse_task_set(text, "set.json").task_set;
    RC_ASSERT(again == set);
    RC_ASSERT(io::canonical_json(again) == text);
    RC_ASSERT(io::canonical_json(io::parse_task_set(io::format_task_set(set), "set.yaml").task_set) == text);
  }));
}

TEST_CASE("Digraphs read back equal") {
  CHECK(rc::check([] {
    const TaskSet set = *test::arbitrary_task_set();
    RC_ASSERT(test::converted(convert::format_dot(set)) == set);
  }));
}

TEST_CASE("Job sets read back equal, without any option") {
  CHECK(rc::check([] {
    const TaskSet set = *job_sets();
    const convert::JobSet jobs = convert::format_job_set(set);
    const auto path = std::filesystem::temp_directory_path() / "rta-round-trip.prec.csv";
    std::ofstream(path) << jobs.precedence;
    convert::Options options;
    if (!jobs.precedence.empty()) options.precedence = path;
    RC_ASSERT(test::converted(jobs.jobs, options) == set);
    std::filesystem::remove(path);
  }));
}

TEST_CASE("The canonical JSON of a small set, to the letter") {
  const TaskSet set = io::parse_task_set(R"(platform:
  cpu: {processors: 4}
  orin: {device: orin}
  copy: {engines: 2}
  worker: {workers: 8, dispatch_overhead: 4 us}
dags:
  - name: camera
    T: 33 ms
    D: 100 ms
    nodes:
      capture: {on: cpu, C: {max: 2 ms, min: 1 ms, mode: 1.5 ms}, D: 20 ms, group: head}
      upload: {on: copy, C: 300 us, direction: h2d}
      detect: {on: orin, B: 120, H: 256, C: 100001 ns, priority: high, registers: 32}
      items: {on: worker, B: 5, L: 1 us, sequential: true}
    edges:
      - capture -> upload
      - {path: upload -> detect, cut: true}
)",
                                         "x")
                          .task_set;
  CHECK(io::canonical_json(set) == R"({"time_unit": "ns", "platform": {
 "cpu": {"processors": 4, "scheduler": "G-EDF", "preemptive": true},
 "orin": {"device": "orin", "sms": 16, "threads": 1536, "threads_per_block": 1024, "blocks": 16, "shared_memory": "167936 B", "registers": 65536, "shared_memory_per_block": "166912 B", "registers_per_block": 65536, "registers_per_thread": 255, "warp": 32, "shared_memory_unit": "128 B", "shared_memory_reserved": "1024 B", "register_unit": 256},
 "copy": {"engines": 2},
 "worker": {"workers": 8, "dispatch_overhead": 4000}}, "dags": [
 {"name": "camera", "T": 33000000, "D": 100000000, "nodes": {
  "capture": {"on": "cpu", "C": {"max": 2000000, "min": 1000000, "mode": 1500000}, "D": 20000000, "sequential": false, "group": "head"},
  "upload": {"on": "copy", "C": 300000, "direction": "h2d", "sequential": false},
  "detect": {"on": "orin", "B": 120, "H": 256, "C": 100001, "shared_memory": "0 B", "registers": 32, "priority": "high", "sequential": false},
  "items": {"on": "worker", "B": 5, "L": 1000, "sequential": true}}, "edges": [
  {"from": "capture", "to": "upload", "cut": false},
  {"from": "upload", "to": "detect", "cut": true}]}]}
)");
}

TEST_CASE("What job sets cannot say is refused, or told of") {
  const auto set = [](const std::string& platform, const std::string& tasks) {
    return io::parse_task_set("platform:\n  " + platform + "\ntasks:\n" + tasks, "x").task_set;
  };
  const std::string task = "  - {name: a, T: 10 ms, on: cpu, C: 1 ms}\n";
  const auto fault = [](const TaskSet& s) {
    try {
      (void)convert::format_job_set(s);
    } catch (const UserError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(fault(set("cpu: {processors: 2, scheduler: LP}", task)).find("scheduled by LP") != std::string::npos);
  CHECK(fault(set("cpu: {processors: 2}\n  copy: {engines: 1}", task + "  - {name: b, T: 1 ms, on: copy, C: 1 us}\n"))
            .find("runs on 'copy'") != std::string::npos);
  CHECK(fault(set("cpu: {processors: 2}\n  dsp: {processors: 1}", task + "  - {name: b, T: 1 ms, on: dsp, C: 1 us}\n"))
            .find("one pool of processors") != std::string::npos);
  CHECK(fault(set("cpu: {processors: 2}",
                  "  - {name: a, T: 999999937 ns, on: cpu, C: 1 ms}\n  - {name: b, T: 999999893 ns, on: cpu, C: 1 ms}\n"))
            .find("more than 1000000") != std::string::npos);
  const convert::JobSet jobs = convert::format_job_set(set("cpu: {processors: 2}", task));
  CHECK(test::mentions(jobs.assumed, "does not preempt"));
  CHECK(test::mentions(jobs.assumed, "a DAG without D has its period as deadline"));
  CHECK(jobs.jobs ==
        "Task ID, Job ID, Arrival min, Arrival max, Cost min, Cost max, Deadline, Priority, Job type, Name, time unit: ns, hyperperiod: "
        "10000000 ns, "
        "processors: 2, pool: cpu, releases: sporadic\n1, 1, 0, 0, 1000000, 1000000, 10000000, 10000000, 0, a/a\n");
  CHECK(jobs.precedence.empty());
}
