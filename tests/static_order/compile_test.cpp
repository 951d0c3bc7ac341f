// What the compiler finds, proves and says, with numbers by hand.
#include "rta/static_order/compile.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <thread>

#include "graphs.hpp"
#include "rta/model/kernel_time.hpp"
#include "rta/static_order/schedule_file.hpp"
#include "rta/static_order/task_set_graph.hpp"
#include "rta/static_order/verify.hpp"

using namespace rta;
using namespace rta::static_order;

namespace {

Time ms(std::int64_t n) { return Time(n * 1'000'000); }

Graph example(const std::string& name) {
  std::ifstream file(std::string(RTA_SOURCE_DIR) + "/tasksets/static/" + name);
  return graph_of_text(std::string(std::istreambuf_iterator<char>(file), {}));
}

const ScheduledRunnable& named(const Compilation& compiled, const std::string& name) {
  for (const ScheduledRunnable& r : compiled.schedule.hyperepochs.at(0).runnables) {
    if (r.full_name() == name) return r;
  }
  FAIL("no runnable " << name);
  return compiled.schedule.hyperepochs[0].runnables[0];
}

}  // namespace

TEST_CASE("the tutorial's graph: submit, kernel, post_process of 10 ms each follow one another") {
  const Compilation compiled = compile(example("cpu_gpu.yaml"), effort(1));
  CHECK(named(compiled, "GpuX.submit").end == ms(10));
  CHECK(named(compiled, "GpuX.kernel").start == ms(10));
  CHECK(named(compiled, "GpuX.kernel").end == ms(20));
  CHECK(named(compiled, "GpuX.post_process").end == ms(30));
  const CompiledHyperepoch& h = compiled.hyperepochs.at(0);
  CHECK(compiled.schedule.hyperepochs[0].length == ms(30));
  CHECK(compiled.schedule.hyperepochs[0].lower_bound == ms(30));
  CHECK(h.ending == CompiledHyperepoch::Ending::optimal);
  CHECK(h.reason.kind == Obstacle::Kind::chain);
  CHECK(h.reason.runnables == std::vector<std::string>{"GpuX.submit", "GpuX.kernel", "GpuX.post_process"});
  CHECK(compiled.feasible());
}

TEST_CASE("a submittee that may overlap ends with the longer of the two") {
  CompileOptions options = effort(1);
  options.submittee = Submittee::overlap;
  // Kernel together with its submitter: max(10, 10) = 10, then post_process: 20.
  CHECK(compile(example("cpu_gpu.yaml"), options).schedule.hyperepochs[0].length == ms(20));
}

TEST_CASE("a submittee that names its submitter among its dependencies overlaps all the same") {
  CompileOptions options = effort(1);
  const auto length = [&](Submittee submittee, const std::string& dependencies) {
    options.submittee = submittee;
    const std::string runnables = line("s: {WCET: 4ms, Submits: c.k, Resources: [CPU, CUDA_STREAM]}") +
                                  line("k: {WCET: 5ms, Resources: [G], Dependencies: [" + dependencies + "]}");
    const Graph graph = graph_of_text(graph_text("CPU: [C0], GPU: [G]", runnables, "100ms", "CUDA_STREAM: [{S: G}]"));
    const Compilation compiled = compile(graph, options);
    CHECK(verify(compiled.schedule, graph).sound());
    return compiled.schedule.hyperepochs.at(0).length;
  };
  CHECK(length(Submittee::overlap, "") == ms(5));  // together: max(4, 5)
  CHECK(length(Submittee::overlap, "c.s") == ms(5));
  CHECK(length(Submittee::after, "c.s") == ms(9));  // one after the other
}

TEST_CASE("what submitters in turn submit waits where it depends on another of them than its own") {
  CompileOptions options = effort(1);
  options.submittee = Submittee::overlap;
  const auto length = [&](const std::string& dependencies) {
    const std::string runnables = line("s0: {WCET: 4ms, Submits: c.k0, Resources: [CPU, CUDA_STREAM]}") +
                                  line("s1: {WCET: 4ms, Submits: c.k1, Resources: [CPU, CUDA_STREAM]}") +
                                  line("k0: {WCET: 5ms, Resources: [G]}") +
                                  line("k1: {WCET: 5ms, Resources: [G], Dependencies: [" + dependencies + "]}");
    const std::string turns = "              AliasGroups: [{turns: {Steps: [c.s0, c.s1]}}]\n";
    const Graph graph = graph_of_text(graph_text("CPU: [C0], GPU: [G]", runnables + turns, "100ms", "CUDA_STREAM: [{S: G}]"));
    const Compilation compiled = compile(graph, options);
    CHECK(verify(compiled.schedule, graph).sound());
    return compiled.schedule.hyperepochs.at(0).length;
  };
  CHECK(length("c.s1") == ms(5));  // together: max(4, 5)
  CHECK(length("c.s0") == ms(9));  // k1 after the slot that s0 has a turn in
}

TEST_CASE("two submitters of two streams overlap with what they submit to one GPU") {
  // a and b to 440. k2 with its submitter s2, at least as long as it: 440 to 918; post to 1018. k1 behind it on the GPU: 918 to 1396.
  const std::string a = line("a: {WCET: 440 us, Resources: [CPU]}") +
                        line("s1: {WCET: 478 us, Resources: [CPU, S0], Dependencies: [c.a], Submits: c.k1}") +
                        line("k1: {WCET: 1 us, Resources: [GPU], Dependencies: [c.s1]}");
  const std::string b = line("b: {WCET: 440 us, Resources: [CPU]}") +
                        line("s2: {WCET: 478 us, Resources: [CPU, S1], Dependencies: [c.b], Submits: c.k2}") +
                        line("k2: {WCET: 1 us, Resources: [GPU], Dependencies: [c.s2]}") +
                        line("post: {WCET: 100 us, Resources: [CPU], Dependencies: [c.k2]}");
  const Graph graph = graph_of_text(graph_text("CPU: [C0, C1], GPU: [G]", a + b, "33ms", "CUDA_STREAM: [{S0: G}, {S1: G}]"));
  CompileOptions options = effort(10);
  options.submittee = Submittee::overlap;
  const Compilation compiled = compile(graph, options);
  CHECK(verify(compiled.schedule, graph).sound());
  CHECK(compiled.schedule.hyperepochs.at(0).length == Time(1'396'000));
  CHECK(compiled.hyperepochs.at(0).ending == CompiledHyperepoch::Ending::optimal);
}

TEST_CASE("camera, inertial unit and radar: three hyperepochs of five processes, each in time") {
  const Graph graph = example("driving.yaml");
  CHECK(graph.clients.size() == 5);
  const Compilation compiled = compile(graph, effort(10));
  REQUIRE(compiled.schedule.hyperepochs.size() == 3);
  CHECK(compiled.feasible());
  CHECK(verify(compiled.schedule, graph).sound());
  // IMU: the fourth sample begins at 7.5 ms and takes 200 + 700 us. Radar: receive 6, a slot of max(14, 9), track 11.
  CHECK(compiled.schedule.hyperepochs[1].length == Time(8'400'000));
  CHECK(compiled.schedule.hyperepochs[2].length == ms(31));
  CHECK(compiled.hyperepochs[1].ending == CompiledHyperepoch::Ending::optimal);
  CHECK(compiled.hyperepochs[2].ending == CompiledHyperepoch::Ending::optimal);
}

TEST_CASE("two CPUs and five runnables: the load of both is the bound, and an order meets it") {
  // 3 + 3 + 2 + 2 + 2 = 12 on two CPUs: 6 at least, and {3, 3}, {2, 2, 2} give 6. Longest first alone gives 3+2+2 = 7.
  std::string runnables;
  for (const char* r : {"a: {WCET: 3ms", "b: {WCET: 3ms", "d: {WCET: 2ms", "f: {WCET: 2ms", "g: {WCET: 2ms"})
    runnables += line(std::string(r) + ", Resources: [CPU]}");
  const Compilation compiled = compile(graph_of_text(graph_text("CPU: [C0, C1]", runnables)), effort(5));
  const CompiledHyperepoch& h = compiled.hyperepochs.at(0);
  CHECK(h.objective == ms(6));
  CHECK(h.objective_bound == ms(6));
  CHECK(h.ending == CompiledHyperepoch::Ending::optimal);
  CHECK(h.reason.kind == Obstacle::Kind::resources);
  CHECK(h.reason.resources.size() == 2);
  CHECK(h.reason.work == ms(6));
}

TEST_CASE("a mutex orders what CPUs could do side by side") {
  const std::string runnables = line("a: {WCET: 3ms, Resources: [CPU, LOCK]}") + line("b: {WCET: 4ms, Resources: [CPU, LOCK]}");
  const Compilation compiled = compile(graph_of_text(graph_text("CPU: [C0, C1], LOCK: [l]", runnables)), effort(1));
  CHECK(compiled.hyperepochs.at(0).objective == ms(7));
  CHECK(compiled.hyperepochs[0].reason.kind == Obstacle::Kind::resource);
  CHECK(compiled.hyperepochs[0].reason.resources == std::vector<std::string>{"l"});
}

TEST_CASE("what cannot be in time says which chain or resource is too long, and by how much") {
  SUBCASE("a chain of 10 + 10 before a deadline of 15") {
    const std::string runnables =
        line("a: {WCET: 10ms, Resources: [CPU]}") + line("b: {WCET: 10ms, Resources: [CPU], Dependencies: [c.a], Deadline: 15ms}");
    const Compilation compiled = compile(graph_of_text(graph_text("CPU: [C0, C1]", runnables)), effort(1));
    CHECK_FALSE(compiled.feasible());
    REQUIRE(compiled.hyperepochs.at(0).late);
    CHECK(compiled.hyperepochs[0].late->kind == Obstacle::Kind::chain);
    CHECK(compiled.hyperepochs[0].late->late == ms(5));
    CHECK(compiled.hyperepochs[0].late->runnables == std::vector<std::string>{"c.a", "c.b"});
  }
  SUBCASE("120 ms of work on one CPU in a period of 100 ms") {
    const std::string runnables = line("a: {WCET: 70ms, Resources: [CPU]}") + line("b: {WCET: 50ms, Resources: [CPU]}");
    const Compilation compiled = compile(graph_of_text(graph_text("CPU: [C0]", runnables)), effort(1));
    CHECK_FALSE(compiled.feasible());
    REQUIRE(compiled.hyperepochs.at(0).late);
    CHECK(compiled.hyperepochs[0].late->kind == Obstacle::Kind::resource);
    CHECK(compiled.hyperepochs[0].late->late == ms(20));
    CHECK(compiled.hyperepochs[0].late->work == ms(120));
  }
}

TEST_CASE("deadlines come before the length, and the objective decides what comes then") {
  // One CPU: long 10 and short 1 with a deadline of 1. Both orders are 11 long; only short first is in time.
  const std::string runnables = line("long: {WCET: 10ms, Resources: [CPU]}") + line("short: {WCET: 1ms, Resources: [CPU], Deadline: 1ms}");
  const Compilation compiled = compile(graph_of_text(graph_text("CPU: [C0]", runnables)), effort(1));
  CHECK(compiled.feasible());
  CHECK(named(compiled, "c.short").end == ms(1));
  // Deadlines 20 and 40: the lateness is least, 11 - 20 = -9, when the long one with 20 ends at 10 and the other one at 11, -29: -10 at
  // best.
  const std::string two =
      line("long: {WCET: 10ms, Resources: [CPU], Deadline: 20ms}") + line("short: {WCET: 1ms, Resources: [CPU], Deadline: 40ms}");
  CompileOptions options = effort(1);
  options.objective = Objective::lateness;
  const Compilation late = compile(graph_of_text(graph_text("CPU: [C0]", two)), options);
  CHECK(late.hyperepochs.at(0).objective == ms(-10));
  CHECK(named(late, "c.long").end == ms(10));
}

TEST_CASE("with an effort the result depends neither on the number of threads nor on the run") {
  const Graph graph = example("driving.yaml");
  CompileOptions options = effort(3);
  options.threads = 1;
  const Schedule one = compile(graph, options).schedule;
  options.threads = 4;
  CHECK(compile(graph, options).schedule == one);
  CHECK(compile(graph, options).schedule == one);
}

TEST_CASE("a search that is stopped gives the best so far") {
  std::stop_source source;
  source.request_stop();
  CompileOptions options;
  options.stop = source.get_token();
  const Compilation compiled = compile(example("driving.yaml"), options);
  CHECK(verify(compiled.schedule, example("driving.yaml")).sound());
}

TEST_CASE("kernels share a GPU where weights leave room for all their blocks, and else run one at a time") {
  // One SM of two slots; kernels of B blocks of L = 4 ms, submitted by two CPUs at once, 1 ms each.
  const auto graph = [](int blocks) {
    std::string runnables;
    for (const char* k : {"0", "1"}) {
      runnables += line(std::string("s") + k + ": {WCET: 1ms, Resources: [C" + k + ", S" + k + "], Submits: c.k" + k + "}");
      runnables += line(std::string("k") + k + ": {Resources: [G], B: " + std::to_string(k[0] == '0' ? 1 : blocks) + ", H: 32, L: 4ms}");
    }
    return graph_of_text(
        graph_text("CPU: [C0, C1], GPU: [{G: {sms: 1, threads: 2048, blocks: 2}}]", runnables, "100ms", "S0: [{s0: G}], S1: [{s1: G}]"));
  };
  CompileOptions options = effort(0);
  options.gpu = GpuSharing::weights;
  // 1 and 1 block: both at 1, end at 5.
  CHECK(compile(graph(1), options).schedule.hyperepochs.at(0).length == ms(5));
  // 1 and 2 blocks: a block may wait for room, so they follow one another; two blocks at once take 4: 1 + 4 + 4 = 9.
  CHECK(compile(graph(2), options).schedule.hyperepochs.at(0).length == ms(9));
  // One at a time: 9 with 1 block each, too.
  options.gpu = GpuSharing::one;
  CHECK(compile(graph(1), options).schedule.hyperepochs.at(0).length == ms(9));
}

TEST_CASE("kernels by their durations take these, one at a time") {
  // 1200 blocks of 256 threads are 13 waves on 16 SMs of 1536: 4 ms, where each block for 4 ms would make 52; then one of unknown blocks.
  GpuPool gpu;
  gpu.sms = 16;
  gpu.sm.threads = 1536;
  Node conv;
  conv.name = "conv";
  GpuDemand waves;
  waves.B = 1200;
  waves.H = 256;
  waves.L = ms(4);
  waves.C = Workload(Wide{256} * ms(4).count());
  waves.time = ms(4);
  conv.demand = waves;
  Node whole;
  whole.name = "whole";
  whole.demand = kernel_by_time(ms(2), gpu);
  const TaskSet set{
      "set", {{"gpu", gpu}}, {Dag("net", ms(33), std::nullopt, {conv, whole}, {{0, 1}}), Dag("other", ms(33), std::nullopt, {conv}, {})}};
  const Graph graph = graph_of(set);
  for (const GpuSharing sharing : {GpuSharing::best, GpuSharing::one, GpuSharing::weights, GpuSharing::streams}) {
    CompileOptions options = effort(1);
    options.gpu = sharing;
    const Compilation compiled = compile(graph, options);
    CHECK(compiled.schedule.hyperepochs.at(0).length == ms(10));
    CHECK(verify(compiled.schedule, graph).sound());
  }
}
