// Profiles of PyTorch. Times of the files are us; a CPU node lasts from what it waited for to the end of its launch.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>

#include "kineto_events.hpp"

using namespace rta;
using namespace rta::test::kineto;

TEST_CASE("Three kernels on three streams with an event between two of them") {
  convert::Options chosen = options();
  chosen.period = Time(100'000'000);
  const auto result = convert::convert_text(test::file_of("three-kernels.json"), "three-kernels.json", chosen);
  // Launches end at 1038, 1078, 1453, 1472, 3364 and 3383; the last kernel ends at 3384 + 123 = 3507, while the thread has waited since
  // 3500 for it; the synchronisation returns at 3520. The event was recorded at 3000 on stream 20, after its kernel, and stream 24 waits
  // for it.
  CHECK(io::format_task_set(std::get<TaskSet>(result.content)) == R"(platform:
  cpu: {processors: 2, scheduler: G-EDF}
  gpu: {device: a100}
  device-memory: {engines: 1}
dags:
  - name: python3
    T: 100 ms
    nodes:
      cpu-1: {on: cpu, C: 18 us, sequential: true}
      memset: {on: device-memory, C: 1 us, sequential: true}
      cpu-2: {on: cpu, C: 40 us, sequential: true}
      gemm_128x64: {on: gpu, B: 640, H: 128, time: 123 us, shared_memory: 12544 B, registers: 122, sequential: true}
      cpu-3: {on: cpu, C: 375 us, sequential: true}
      memset-2: {on: device-memory, C: 1 us, sequential: true}
      cpu-4: {on: cpu, C: 19 us, sequential: true}
      gemm_128x64-2: {on: gpu, B: 640, H: 128, time: 123 us, shared_memory: 12544 B, registers: 122, sequential: true}
      cpu-5: {on: cpu, C: 1892 us, sequential: true}
      memset-3: {on: device-memory, C: 1 us, sequential: true}
      cpu-6: {on: cpu, C: 19 us, sequential: true}
      gemm_128x64-3: {on: gpu, B: 640, H: 128, time: 123 us, shared_memory: 12544 B, registers: 122, sequential: true}
      cpu-7: {on: cpu, C: 124 us, sequential: true}
      cpu-8: {on: cpu, C: 13 us, sequential: true}
    edges:
      - cpu-1 -> memset
      - cpu-1 -> cpu-2
      - memset -> gemm_128x64
      - cpu-2 -> gemm_128x64
      - cpu-2 -> cpu-3
      - gemm_128x64 -> memset-3
      - gemm_128x64 -> cpu-8
      - cpu-3 -> memset-2
      - cpu-3 -> cpu-4
      - memset-2 -> gemm_128x64-2
      - cpu-4 -> gemm_128x64-2
      - cpu-4 -> cpu-5
      - gemm_128x64-2 -> cpu-8
      - cpu-5 -> memset-3
      - cpu-5 -> cpu-6
      - memset-3 -> gemm_128x64-3
      - cpu-6 -> gemm_128x64-3
      - cpu-6 -> cpu-7
      - gemm_128x64-3 -> cpu-8
      - cpu-7 -> cpu-8
)");
  CHECK(test::mentions(result.assumed, "time of a kernel is the longest time that was recorded from its first block to its last"));
  CHECK(test::mentions(result.assumed, "32 blocks per SM"));
  CHECK(test::mentions(result.found, "jobs took 2500 us"));
}

TEST_CASE("A thread that gives its processor away while it waits executes less, and the job still takes as long") {
  convert::Options chosen = options();
  chosen.period = Time(100'000'000);
  chosen.waits = convert::Waits::passive;
  const TaskSet set = test::converted(test::file_of("three-kernels.json"), chosen);
  const Dag& dag = set.dags().front();
  // Until the synchronisation was called: 3500 - 3383.
  CHECK(longest_piece(test::node_of(dag, "cpu-7")) == Time(117'000));
  // The longest path, by the last kernel, is 18 + 40 + 375 + 19 + 1892 + 19 + 123 + 13 = 2499 us; the job took 2500.
  CHECK(longest_piece(test::node_of(dag, "gaps")) == Time(1'000));
  CHECK(test::edges_of(dag).find("cpu-8 -> gaps\n") != std::string::npos);
}

TEST_CASE("One job tells no period, and what else is missing is asked for, too") {
  const std::string fault = test::fault_of(test::file_of("three-kernels.json"));
  CHECK(fault ==
        "file: the file does not say how many processors pool 'cpu' has: give --processors N\n"
        "file: DAG 'python3' has one job only, which tells no period: give --period TIME");
}

TEST_CASE("A copy from pageable memory keeps its thread until it is done") {
  std::string events;
  for (int i = 0; i < 2; ++i) {
    const int at = i * 10'000;
    events += range(fmt::format("ProfilerStep#{}", i).c_str(), at, 5000);
    events += call("cudaMemcpyAsync", at + 100, 2022, 10 * i + 1) + copy("Memcpy HtoD (Pageable -> Device)", at + 160, 1940, 7, 10 * i + 1);
    events += call("cudaLaunchKernel", at + 2200, 10, 10 * i + 2) + kernel("k", at + 2220, 50, 7, 10 * i + 2);
    events += call("cudaMemcpyAsync", at + 2300, 10, 10 * i + 3) + copy("Memcpy DtoH (Device -> Pinned)", at + 2400, 30, 7, 10 * i + 3);
  }
  const TaskSet set = test::converted(all(events), options());
  const Dag& dag = set.dags().front();
  // 100 us to the call; the thread waits from there to the end of the copy, 2100; then 110 us to the end of the launch.
  CHECK(longest_piece(test::node_of(dag, "cpu-1")) == Time(100'000));
  CHECK(longest_piece(test::node_of(dag, "cpu-2")) == Time(2'000'000));
  CHECK(longest_piece(test::node_of(dag, "cpu-3")) == Time(110'000));
  CHECK(std::get<CopyDemand>(test::node_of(dag, "copy-h2d").demand).direction == Direction::h2d);
  CHECK(std::get<CopyDemand>(test::node_of(dag, "copy-d2h").demand).direction == Direction::d2h);
  CHECK(std::get<EnginePool>(set.pools()[2].resource).engines == 2);  // an A100 has one for each direction
  const std::string edges = test::edges_of(dag);
  CHECK(edges.find("cpu-1 -> copy-h2d\n") != std::string::npos);
  CHECK(edges.find("copy-h2d -> cpu-3\n") != std::string::npos);
  CHECK(edges.find("k -> copy-d2h\n") != std::string::npos);
}

TEST_CASE("A second thread follows the job's own where that had come") {
  std::string events;
  for (int i = 0; i < 2; ++i) {
    const int at = i * 10'000;
    events += range(fmt::format("ProfilerStep#{}", i).c_str(), at, 5000);
    events += call("cudaLaunchKernel", at + 100, 10, 10 * i + 1) + kernel("forward", at + 120, 50, 7, 10 * i + 1);
    events += call("cudaLaunchKernel", at + 400, 10, 10 * i + 2, 2) + kernel("backward", at + 420, 50, 7, 10 * i + 2);
  }
  const TaskSet set = test::converted(all(events), options());
  const Dag& dag = set.dags().front();
  CHECK(longest_piece(test::node_of(dag, "thread2-1")) == Time(300'000));  // from 110 to 410
  CHECK(test::edges_of(dag) == "cpu-1 -> forward\ncpu-1 -> thread2-1\ncpu-1 -> cpu-2\nforward -> backward\nthread2-1 -> backward\n");
}

TEST_CASE("Old files: names of other categories, threads as texts, no synchronisation records") {
  const std::string events =
      R"({"ph": "X", "cat": "Runtime", "name": "cudaLaunchKernel", "pid": 5000, "tid": "1", "ts": 0, "dur": 10, "args": {"correlation": 1}},
      {"ph": "X", "cat": "Kernel", "name": "a", "pid": 0, "tid": "stream 7", "ts": 20, "dur": 0, "args": {"device": 0, "context": 1, "stream": 7, "correlation": 1, "grid": [1, 1, 1], "block": [1, 1, 1]}},
      {"ph": "X", "cat": "Runtime", "name": "cudaStreamWaitEvent", "pid": 5000, "tid": "1", "ts": 30, "dur": 1, "args": {"correlation": 2}},
      {"ph": "X", "cat": "Runtime", "name": "cudaLaunchKernel", "pid": 5000, "tid": "1", "ts": 40, "dur": 10, "args": {"correlation": 3}},
      {"ph": "X", "cat": "Kernel", "name": "b", "pid": 0, "tid": "stream 8", "ts": 60, "dur": 5, "args": {"device": 0, "context": 1, "stream": 8, "correlation": 3, "grid": [1, 1, 1], "block": [33, 1, 1]}},
      {"ph": "X", "cat": "Runtime", "name": "cudaStreamSynchronize", "pid": 5000, "tid": "1", "ts": 55, "dur": 12, "args": {"correlation": 4}})";
  convert::Options chosen = options();
  chosen.period = Time(1'000'000);
  const auto result = convert::convert_text(trace_of(events), "old.json", chosen);
  const Dag& dag = std::get<TaskSet>(result.content).dags().front();
  // A kernel of 0 us took less than the clock shows: 1 us counts. H is rounded up to whole warps.
  CHECK(longest_piece(test::node_of(dag, "a")) == Time(1'000));
  CHECK(std::get<GpuDemand>(test::node_of(dag, "b").demand).H == 64);
  CHECK(test::edges_of(dag).find("a -> b\n") != std::string::npos);  // which stream waits for which event is not known
  CHECK(
      test::mentions(result.assumed, "1 waits of a stream for an event whose record is not in the file are taken to wait for all streams"));
  CHECK(test::mentions(result.assumed, "1 nodes took less than the clock's 1 us"));
  CHECK(test::mentions(result.assumed, "H of 2 kernels is rounded up to whole warps"));
}

TEST_CASE("A kernel takes the longest time that it was seen to take, however many waves of blocks it has") {
  std::string events;
  for (int i = 0; i < 2; ++i) {
    events += range(fmt::format("ProfilerStep#{}", i).c_str(), i * 1000, 900);
    events += call("cudaLaunchKernel", i * 1000, 10, i + 1) + kernel("k", i * 1000 + 20, 100 + i, 7, i + 1, "[7000, 1, 1]");
  }
  convert::Options chosen = options();
  chosen.dispatch_latency = Time(2'000);
  const auto set = test::converted(all(events), chosen);
  const auto& k = std::get<GpuDemand>(test::node_of(set.dags().front(), "k").demand);
  CHECK(k.B == 7000);
  CHECK(k.has_blocks);
  CHECK(k.time == Time(103'000));
  CHECK(k.L == Time(103'000));
}

TEST_CASE("A kernel without grid and block has the GPU for itself, for its time") {
  std::string events;
  for (int i = 0; i < 2; ++i) {
    events += range(fmt::format("ProfilerStep#{}", i).c_str(), i * 1000, 900) + call("cudaLaunchKernel", i * 1000, 10, i + 1) +
              fmt::format(R"({{"ph": "X", "cat": "kernel", "name": "k", "ts": {}, "dur": {}, )"
                          R"("args": {{"device": 0, "context": 1, "stream": 7, "correlation": {}}}}},)",
                          i * 1000 + 20, 100 - 40 * i, i + 1);
  }
  const auto result = convert::convert_text(all(events), "file", options());
  CHECK(io::format_task_set(std::get<TaskSet>(result.content))
            .find("k: {on: gpu, time: {max: 100 us, min: 60 us, mode: 80 us}, sequential: true}") != std::string::npos);
  CHECK(test::mentions(result.assumed, "the file has no grid and block of 1 kernels: each has the GPU for itself, for its time"));
}

TEST_CASE("Equal short kernels in a row are fused, and nothing else") {
  std::string events;
  int correlation = 0;
  for (int i = 0; i < 2; ++i) {
    events += range(fmt::format("ProfilerStep#{}", i).c_str(), i * 1000, 900);
    int at = i * 1000;
    for (const char* name : {"a", "a", "a", "b", "a"}) {
      ++correlation;
      events += call("cudaLaunchKernel", at, 10, correlation) + kernel(name, at + 12, 8, 7, correlation);
      at += 20;
    }
  }
  convert::Options chosen = options();
  chosen.fuse = Time(10'000);
  const auto result = convert::convert_text(all(events), "t.json", chosen);
  const Dag& dag = std::get<TaskSet>(result.content).dags().front();
  CHECK(longest_piece(test::node_of(dag, "a-x3")) == Time(24'000));
  CHECK(longest_piece(test::node_of(dag, "cpu-1")) == Time(50'000));  // three launches: to 10, 30 and 50
  CHECK(test::edges_of(dag) ==
        "cpu-1 -> a-x3\ncpu-1 -> cpu-2\na-x3 -> b\ncpu-2 -> b\ncpu-2 -> cpu-3\nb -> a\ncpu-3 -> a\ncpu-3 -> cpu-4\n");
  CHECK(test::mentions(result.assumed, "--fuse joined 2 kernels to those before them (7 nodes instead of 11)"));
  chosen.fuse = Time(7'000);
  CHECK(test::converted(all(events), chosen).dags().front().nodes().size() == 11);
}

TEST_CASE("The NULL stream waits for blocking streams and they for it, where the options say that streams block") {
  std::string events;
  for (int i = 0; i < 2; ++i) {
    const int at = i * 1000;
    events += range(fmt::format("ProfilerStep#{}", i).c_str(), at, 900);
    events += call("cudaLaunchKernel", at, 10, 10 * i + 1) + kernel("a", at + 20, 50, 13, 10 * i + 1);
    events += call("cudaLaunchKernel", at + 20, 10, 10 * i + 2) + kernel("null", at + 80, 50, 7, 10 * i + 2);
    events += call("cudaLaunchKernel", at + 40, 10, 10 * i + 3) + kernel("b", at + 140, 50, 14, 10 * i + 3);
  }
  convert::Options chosen = options();
  const std::string apart = test::edges_of(test::converted(all(events), chosen).dags().front());
  CHECK(apart.find("a -> null") == std::string::npos);
  chosen.blocking_streams = true;
  const std::string together = test::edges_of(test::converted(all(events), chosen).dags().front());
  CHECK(together.find("a -> null\n") != std::string::npos);
  CHECK(together.find("null -> b\n") != std::string::npos);
  CHECK(together.find("a -> b\n") == std::string::npos);
}

TEST_CASE("The CPU part alone keeps the order that the GPU made") {
  convert::Options chosen = options();
  chosen.period = Time(100'000'000);
  chosen.cpu_only = true;
  const TaskSet set = test::converted(test::file_of("three-kernels.json"), chosen);
  CHECK(set.pools().size() == 1);
  CHECK(test::edges_of(set.dags().front()) ==
        "cpu-1 -> cpu-2\ncpu-2 -> cpu-3\ncpu-3 -> cpu-4\ncpu-4 -> cpu-5\ncpu-5 -> cpu-6\ncpu-6 -> cpu-7\ncpu-7 -> cpu-8\n");
}

TEST_CASE("Damaged, foreign and absurd traces are refused with their place") {
  const convert::Options chosen = options();
  CHECK(test::fault_of(all(kernel("k", 0, 1, 7, 1, "[2147483647, 2147483647, 4]")), chosen)
            .find("args.grid: 18446744056529682436 is too large") != std::string::npos);
  CHECK(test::fault_of(all(kernel("k", 0, 1, 7, 1, "[0, 1, 1]")), chosen).find("three whole numbers above 0") != std::string::npos);
  CHECK(test::fault_of(all(kernel("k", 0, -1, 7, 1)), chosen).find("an event needs `ts` and `dur`") != std::string::npos);
  CHECK(test::fault_of(all(R"({"ph": "X", "cat": "kernel", "name": "k", "ts": 1e300, "dur": 1},)"), chosen).find("file:3:") == 0);
  CHECK(test::fault_of(trace_of(""), chosen) == "file: the recording has no kernel, copy or memset on a GPU");
  CHECK(test::fault_of(R"({"traceEvents": [{"ph": "X",)", chosen).find("not JSON") != std::string::npos);
  convert::Options other = options();
  other.gpu = 3;
  CHECK(test::fault_of(all(kernel("k", 0, 1, 7, 1)), other) == "file: --gpu 3: nothing was recorded on that GPU (recorded: 0)");
  other = options();
  other.device = "abacus";
  other.period = Time(1'000'000'000);
  CHECK(test::fault_of(all(kernel("k", 0, 1, 7, 1)), other).find("--device 'abacus': no such device (allowed: tx1, ") != std::string::npos);
}

TEST_CASE("A kernel that does not fit on the named device is refused by its name") {
  convert::Options chosen = options();
  chosen.period = Time(1'000'000'000);
  chosen.device = "tx2";
  const std::string events =
      R"({"ph": "X", "cat": "kernel", "name": "huge", "ts": 0, "dur": 5, "args": {"stream": 7, "grid": [1, 1, 1], "block": [64, 1, 1], "shared memory": 150000}})";
  CHECK(test::fault_of(trace_of(events), chosen).find("node 'huge': shared_memory: 150000 bytes per block") != std::string::npos);
}

namespace {

// Two jobs, each with a kernel on stream 7 and one on stream 13, which have these priorities in each job.
std::string with_priorities(const std::array<const char*, 4>& more) {
  std::string events;
  for (int i = 0; i < 2; ++i) {
    const int at = i * 1000;
    events += range(fmt::format("ProfilerStep#{}", i).c_str(), at, 900);
    for (int k = 0; k < 2; ++k) {
      const int correlation = 10 * i + k + 1;
      events += call("cudaLaunchKernel", at + 100 * k, 10, correlation) +
                kernel(k == 0 ? "a" : "b", at + 100 * k + 20, 50, k == 0 ? 7 : 13, correlation, "[10, 1, 1]",
                       more.at(static_cast<std::size_t>(i) * 2 + static_cast<std::size_t>(k)));
    }
  }
  return all(events);
}
constexpr const char* lowest = R"(, "priority": 0)";

}  // namespace

// CUDA's 0 is the lowest, -5 the most urgent of six: 5 here. 4294967291 has the 32 bits of -5.
TEST_CASE("Kernels have the priorities of their streams, where the file says them") {
  for (const char* urgent : {R"(, "priority": -5)", R"(, "priority": 4294967291)"}) {
    CAPTURE(urgent);
    const auto result = convert::convert_text(with_priorities({lowest, urgent, lowest, urgent}), "file", options());
    const Dag& dag = std::get<TaskSet>(result.content).dags().front();
    CHECK(dag.nodes().size() == 5);
    CHECK(std::get<GpuDemand>(test::node_of(dag, "a").demand).priority == low_priority);
    CHECK(std::get<GpuDemand>(test::node_of(dag, "b").demand).priority == 5);
    CHECK(!test::mentions(result.assumed, "which priorit"));
  }
  const auto none = convert::convert_text(with_priorities({"", "", "", ""}), "file", options());
  CHECK(test::mentions(none.assumed,
                       "the file does not say which priorities streams have: all have one, the lowest; where one is more "
                       "urgent, BOUNDS OF OTHERS MAY BE TOO LOW"));
  const auto some = convert::convert_text(with_priorities({"", lowest, "", lowest}), "file", options());
  CHECK(test::mentions(some.assumed, "the file does not say which priority the streams of 1 kernels have: they have the lowest"));
  for (const char* wrong : {R"(, "priority": "high")", R"(, "priority": 4294967296)", R"(, "priority": -9223372036854775808)",
                            R"(, "priority": null)", R"(, "priority": 1)", R"(, "priority": -256)", R"(, "priority": 4294967040)"}) {
    CAPTURE(wrong);
    CHECK(test::fault_of(with_priorities({lowest, wrong, lowest, lowest}), options())
              .find("args.priority: a stream's is 0, the least urgent, down to -255") != std::string::npos);
  }
}

// The kernel is launched with -1 in one job and with 0 in the other: a node has one priority, and there is a node for each.
TEST_CASE("A kernel that has two priorities in two jobs is two nodes") {
  const auto result = convert::convert_text(with_priorities({lowest, R"(, "priority": -1)", lowest, lowest}), "file", options());
  const Dag& dag = std::get<TaskSet>(result.content).dags().front();
  CHECK(std::get<GpuDemand>(test::node_of(dag, "b").demand).priority + std::get<GpuDemand>(test::node_of(dag, "b-2").demand).priority == 1);
  CHECK(test::mentions(result.assumed, "'b' in 1"));
}

TEST_CASE("Profiles of two processes in one file are refused") {
  std::string one, other;
  for (int i = 0; i < 2; ++i) {
    for (std::string* const events : {&one, &other}) {
      const int at = i * 1000 + (events == &one ? 0 : 500);
      *events += call("cudaLaunchKernel", at, 10, at + 1) + kernel("k", at + 20, 50, 7, at + 1);
    }
  }
  const auto replaced = [](std::string text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) text.replace(at, from.size(), to);
    return text;
  };
  CHECK(test::fault_of(all(one + other), options()) == "converted");
  CHECK(test::fault_of(all(one + replaced(other, R"("pid": 5000)", R"("pid": 777)")), options())
            .find("calls are of the processes 5000 and 777, and which of them launched a kernel is not in the file") != std::string::npos);
  CHECK(test::fault_of(all(one + replaced(other, R"("pid": 0,)", R"("pid": "other GPU 0",)")), options())
            .find("what ran on GPU 0 has the pids 0 and other GPU 0: profiles of several processes are in the file") != std::string::npos);
}
