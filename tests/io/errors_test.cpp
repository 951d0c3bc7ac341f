// Every mistake has a message that says where it is, what is wrong and what is allowed.
#include <doctest/doctest.h>

#include "messages.hpp"

using namespace rta;
using namespace rta::test;

namespace {

// A two-node DAG with these edges; the list stands in line 9, its items from column 9 on.
Errors edge_errors(std::string_view edges) {
  std::string text =
      "platform: {cpu: {processors: 1}}\n"
      "dags:\n"
      "  - name: d\n"
      "    T: 1 ms\n"
      "    nodes:\n"
      "      a: {on: cpu, C: 1 us}\n"
      "      b: {on: cpu, C: 1 us}\n"
      "    edges:\n";
  return errors(text.append(edges));
}

Errors pool_errors(std::string_view pool) {
  return errors("platform:\n  p: " + std::string(pool) + "\ntasks: [{name: t, on: p, C: 1 us, T: 1 ms}]");
}

}  // namespace

TEST_CASE("The format's example: a block larger than an SM") {
  CHECK(node_errors("{on: gpu, B: 64, H: 2048, C: 12.8 ms}") ==
        Errors{"f.yaml:8:30: node 'a': H: 2048 G-threads are more than 'gpu' lets a block have (1024 allowed)"});
}

TEST_CASE("All errors at once, in file order") {
  CHECK(errors("tasks:\n"
               "  - {name: t, on: x, C: 1 min, T: 0 ms}\n"
               "platform:\n"
               "  cpu: {processors: 0}\n"
               "x: 1\n") == Errors{"f.yaml:2:19: task 't': on: 'x' is no pool of the platform (pools: cpu)",
                                   "f.yaml:2:35: task 't': T: must be positive, not '0 ms'",
                                   "f.yaml:4:21: pool 'cpu': processors: must be at least 1, not '0'",
                                   "f.yaml:5:1: unknown key 'x' (allowed: platform, executors, dags, tasks, chains, time_unit)"});
}

TEST_CASE("Costs of launches are of a GPU, and of its kernels that follow a node on processors") {
  CHECK(pool_errors("{processors: 1, launch_overhead: 1 us}")[0].starts_with("f.yaml:2:22: pool 'p': unknown key 'launch_overhead'"));
  CHECK(pool_errors("{workers: 1, dispatch_latency: 1 us}")[0].starts_with("f.yaml:2:19: pool 'p': unknown key 'dispatch_latency'"));
  CHECK(errors("platform: {p: {sms: 1, threads: 64, launch_overhead: 1 us}}\ntasks: [{name: t, on: p, B: 1, H: 32, L: 1 us, T: 1 ms}]") ==
        Errors{"f.yaml:1:54: pool 'p': launch_overhead: kernel 't' of 't' follows no node on processors, which would launch it: put one "
               "before it"});
}

TEST_CASE("Times") {
  CHECK(node_errors("{on: cpu, C: 12abc}") == Errors{"f.yaml:8:23: node 'a': C: 'abc' is not a unit of time (allowed: ns, us, ms, s)"});
  CHECK(node_errors("{on: cpu, C: abc}") == Errors{"f.yaml:8:23: node 'a': C: 'abc' is not a time (a number and a unit: ns, us, ms, s)"});
  CHECK(node_errors("{on: cpu, C: 5}") == Errors{"f.yaml:8:23: node 'a': C: '5' has no unit (allowed: ns, us, ms, s); `time_unit` at the "
                                                 "top of the file sets one for plain numbers"});
  CHECK(node_errors("{on: cpu, C: 0.1 ns}") == Errors{"f.yaml:8:23: node 'a': C: '0.1 ns' is not a whole number of ns"});
  CHECK(node_errors("{on: cpu, C: 1.0000000001 s}") == Errors{"f.yaml:8:23: node 'a': C: '1.0000000001 s' is not a whole number of ns"});
  CHECK(node_errors("{on: cpu, C: -1 ms}") == Errors{"f.yaml:8:23: node 'a': C: must be zero or more, not '-1 ms'"});
  CHECK(node_errors("{on: cpu, C: 1 ms, D: 0 ms}") == Errors{"f.yaml:8:32: node 'a': D: must be positive, not '0 ms'"});
  CHECK(node_errors("{on: cpu, C: 1e3 us}") == Errors{"f.yaml:8:23: node 'a': C: 'e3 us' is not a unit of time (allowed: ns, us, ms, s)"});
  CHECK(node_errors("{on: cpu, C: 1. us}") ==
        Errors{"f.yaml:8:23: node 'a': C: '1. us' is not a time (a number and a unit: ns, us, ms, s)"});
  CHECK(node_errors("{on: cpu, C: [1 us]}") ==
        Errors{"f.yaml:8:23: node 'a': C: a time (a number and a unit: ns, us, ms, s) is expected, not a list"});
  CHECK(node_errors("{on: cpu, C: }") ==
        Errors{"f.yaml:8:23: node 'a': C: a time (a number and a unit: ns, us, ms, s) is expected, not nothing"});
}

TEST_CASE("Times at the end of 64 bits") {
  CHECK(node_errors("{on: cpu, C: 9223372036854775807 ns}").empty());
  CHECK(node_errors("{on: cpu, C: 9223372036854775808 ns}") ==
        Errors{"f.yaml:8:23: node 'a': C: '9223372036854775808 ns' is too large (at most 9223372036854775807 ns)"});
  CHECK(node_errors("{on: cpu, C: 99999999999999999999999999999999999999999999999999999999999999999999 s}") ==
        Errors{"f.yaml:8:23: node 'a': C: '999999999999999999999999999999999999999999999999999999999999…' is too large (at most "
               "9223372036854775807 ns)"});
  // C of a kernel counts G-threads x time: (2^63 - 1) x 32 is the largest whose L fits, one ns more is not.
  CHECK(node_errors("{on: gpu, B: 1, H: 32, C: 295147905179352825824 ns}").empty());
  CHECK(node_errors("{on: gpu, B: 1, H: 32, C: 295147905179352825825 ns}") ==
        Errors{"f.yaml:8:36: node 'a': C: '295147905179352825825 ns' is too large (at most 295147905179352825824 ns)"});
}

TEST_CASE("Whole numbers") {
  CHECK(node_errors("{on: gpu, B: 0, H: 32, L: 1 us}") == Errors{"f.yaml:8:23: node 'a': B: must be at least 1, not '0'"});
  CHECK(node_errors("{on: gpu, B: -3, H: -32, L: 1 us}") ==
        Errors{"f.yaml:8:23: node 'a': B: must be at least 1, not '-3'", "f.yaml:8:30: node 'a': H: must be at least 1, not '-32'"});
  CHECK(node_errors("{on: gpu, B: 1.5, H: 0x20, L: 1 us}") ==
        Errors{"f.yaml:8:23: node 'a': B: '1.5' is not a whole number", "f.yaml:8:31: node 'a': H: '0x20' is not a whole number"});
  CHECK(node_errors("{on: gpu, B: 9223372036854775808, H: 32, L: 1 us}") ==
        Errors{"f.yaml:8:23: node 'a': B: '9223372036854775808' is too large (at most 9223372036854775807)"});
  CHECK(node_errors("{on: gpu, B: 1, H: 4294967296, L: 1 us}") ==
        Errors{"f.yaml:8:29: node 'a': H: '4294967296' is too large (at most 2147483648)"});
  CHECK(node_errors("{on: gpu, B: {}, H: 32, L: 1 us}") == Errors{"f.yaml:8:23: node 'a': B: a whole number is expected, not a mapping"});
}

TEST_CASE("Sizes, words and flags") {
  CHECK(node_errors("{on: gpu, B: 1, H: 32, L: 1 us, shared_memory: 8}") ==
        Errors{"f.yaml:8:57: node 'a': shared_memory: '8' has no unit (allowed: B, KiB, MiB)"});
  CHECK(node_errors("{on: gpu, B: 1, H: 32, L: 1 us, shared_memory: 8 KB}") ==
        Errors{"f.yaml:8:57: node 'a': shared_memory: 'KB' is not a unit of size (allowed: B, KiB, MiB)"});
  CHECK(node_errors("{on: gpu, B: 1, H: 32, L: 1 us, priority: highest}") ==
        Errors{"f.yaml:8:52: node 'a': priority: 'highest' is not known (allowed: low, high, or a number from 0, which is low, to 255)"});
  CHECK(node_errors("{on: gpu, B: 1, H: 32, L: 1 us, priority: 256}") ==
        Errors{"f.yaml:8:52: node 'a': priority: '256' is too large (at most 255)"});
  CHECK(node_errors("{on: gpu, B: 1, H: 32, L: 1 us, priority: -5}") ==
        Errors{"f.yaml:8:52: node 'a': priority: must be at least 0, not '-5'"});
  CHECK(node_errors("{on: gpu, B: 1, H: 32, L: 1 us, priority: 1.5}") ==
        Errors{"f.yaml:8:52: node 'a': priority: '1.5' is not a whole number"});
  CHECK(node_errors("{on: gpu, B: 1, H: 32, L: 1 us, priority: [1]}") ==
        Errors{"f.yaml:8:52: node 'a': priority: a whole number is expected, not a list"});
  CHECK(node_errors("{on: cpu, C: 1 us, sequential: yes}") ==
        Errors{"f.yaml:8:41: node 'a': sequential: 'yes' is not known (allowed: false, true)"});
  CHECK(node_errors("{on: cpu, C: 1 us, group: two words}") ==
        Errors{"f.yaml:8:36: node 'a': group: 'two words' is no name: a name is one word, without spaces"});
  // The right-to-left override, and the control sequence introducer of C1.
  for (const std::string name : {"a\xE2\x80\xAE", "\xC2\x9B", "\xE2\x81\xA7"}) {
    CHECK(node_errors("{on: cpu, C: 1 us, group: \"" + name + "\"}").size() == 1);
  }
  CHECK(errors("time_unit: min\nplatform: {cpu: {processors: 1}}\ntasks: [{name: t, on: cpu, C: 1, T: 2}]") ==
        Errors{"f.yaml:1:12: time_unit: 'min' is not known (allowed: ns, us, ms, s)"});
}

TEST_CASE("Blocks that do not fit on an empty SM") {
  // 96 KiB per SM; 96 KiB + 1 byte is allocated as 98,560 bytes (units of 256).
  CHECK(node_errors("{on: gpu, B: 1, H: 32, L: 1 us, shared_memory: 96 KiB}").empty());
  CHECK(node_errors("{on: gpu, B: 1, H: 32, L: 1 us, shared_memory: 98305 B}") ==
        Errors{"f.yaml:8:57: node 'a': shared_memory: 98305 bytes per block (as allocated: 98560) do not fit on one SM of 'gpu' (98304 "
               "allowed)"});
  // 32 warps of 32 threads x 65 registers = 2080, allocated as 2304: 73,728 of 65,536.
  CHECK(node_errors("{on: gpu, B: 1, H: 1024, L: 1 us, registers: 64}").empty());
  CHECK(node_errors("{on: gpu, B: 1, H: 1024, L: 1 us, registers: 65}") ==
        Errors{"f.yaml:8:55: node 'a': registers: 65 per thread (per block, as allocated: 73728) do not fit on one SM of 'gpu' (65536 "
               "allowed)"});
}

TEST_CASE("Blocks that no launch may ask for") {
  CHECK(node_errors("{on: gpu, B: 1, H: 32, L: 1 us, registers: 256}") ==
        Errors{"f.yaml:8:53: node 'a': registers: 256 per thread are more than 'gpu' lets a G-thread have (255 allowed)"});
  const auto on = [](const std::string& gpu, const std::string& kernel) {
    return errors("platform: {gpu: {" + gpu + "}}\ntasks: [{name: t, on: gpu, T: 1 ms, B: 1, L: 1 us, " + kernel + "}]");
  };
  CHECK(on("device: h200", "H: 32, shared_memory: 227 KiB").empty());  // by opting in to more than 48 KiB
  CHECK(on("device: tx2", "H: 32, shared_memory: 49 KiB") ==
        Errors{"f.yaml:2:74: task 't': shared_memory: 50176 bytes per block are more than 'gpu' lets a block have (49152 allowed)"});
  CHECK(on("device: tx2, shared_memory_per_block: unlimited", "H: 32, shared_memory: 49 KiB").empty());
  CHECK(on("sms: 1, threads: 2048, shared_memory_per_block: 48 KiB", "H: 32, shared_memory: 49 KiB").size() == 1);
  CHECK(on("sms: 1, threads: 2048, registers_per_block: 4096, registers_per_thread: 32", "H: 128, registers: 32").empty());
  CHECK(on("sms: 1, threads: 2048, registers_per_block: 4095, registers_per_thread: 32", "H: 128, registers: 32").size() == 1);
  CHECK(on("sms: 1, threads: 2048, registers_per_thread: 0", "H: 128") ==
        Errors{"f.yaml:1:63: pool 'gpu': registers_per_thread: must be at least 1, not '0'"});
}

TEST_CASE("Keys: unknown, repeated, missing, of another kind") {
  CHECK(node_errors("{on: cpu, C: 1 us, grop: x}") ==
        Errors{"f.yaml:8:29: node 'a': unknown key 'grop'; did you mean 'group'? (allowed: "
               "on, C, priority, D, sequential, group, process, executor, entity, call, requirement, after)"});
  CHECK(node_errors("{on: cpu, wcet: 1 us}") ==
        Errors{"f.yaml:8:10: node 'a': 'C' is missing: the worst-case execution time",
               "f.yaml:8:20: node 'a': unknown key 'wcet'; did you mean 'C'? (allowed: on, C, "
               "priority, D, sequential, group, process, executor, entity, call, requirement, after)"});
  CHECK(node_errors("{on: cpu, C: 1 us, C: 2 us}") == Errors{"f.yaml:8:29: node 'a': 'C' is given twice (first at line 8)"});
  CHECK(node_errors("{C: 1 us}") == Errors{"f.yaml:8:10: node 'a': 'on' is missing: the pool that it runs on"});
  CHECK(node_errors("{on: gpu}") == Errors{"f.yaml:8:10: node 'a': 'B' is missing: the number of blocks per job",
                                           "f.yaml:8:10: node 'a': 'H' is missing: the number of G-threads per block",
                                           "f.yaml:8:10: node 'a': 'L' is missing: the longest time of one block (or C = L x H)"});
  CHECK(node_errors("{on: gpu, B: 1, H: 32, L: 1 us, C: 32 us}") ==
        Errors{"f.yaml:8:45: node 'a': L and C are both given; as C = L x H, give one of them"});
  CHECK(node_errors("{on: cpu, B: 64, H: 128, L: 1 us}") ==
        Errors{"f.yaml:8:20: node 'a': B, H, L do not apply to CPU pool 'cpu' (allowed: on, C, priority, D, sequential, group, process, "
               "executor, entity, call, requirement, after)"});
  CHECK(node_errors("{on: gpu, B: 1, H: 32, L: 1 us, direction: h2d}") ==
        Errors{
            "f.yaml:8:42: node 'a': direction does not apply to GPU 'gpu' (allowed: on, B, H, L, C, shared_memory, registers, priority, D, "
            "sequential, group, per, time, process, cluster, cooperative, class, requirement, stream, after)"});
  CHECK(node_errors("{on: cpu, C: 1 us, <<: {C: 2 us}}") ==
        Errors{"f.yaml:8:29: node 'a': unknown key '<<' (allowed: on, C, priority, D, "
               "sequential, group, process, executor, entity, call, requirement, after)"});
  CHECK(node_errors("{on: cpu, C: 1 us, [x]: 1}") == Errors{"f.yaml:8:29: node 'a': a key is expected, not a list"});
  CHECK(node_errors("[on, cpu]") == Errors{"f.yaml:8:10: node 'a': a mapping (key: value) is expected, not a list"});
}

TEST_CASE("A repeated key is found among many") {
  std::string text = "platform: {cpu: {processors: 1}}\ndags:\n- name: d\n  T: 1 s\n  nodes:\n";
  for (int i = 0; i < 100; ++i) text += "    n" + std::to_string(i) + ": {on: cpu, C: 1 us}\n";
  CHECK(errors(text).empty());
  CHECK(errors(text + "    n57: {on: cpu, C: 1 us}\n") == Errors{"f.yaml:106:5: DAG 'd': 'n57' is given twice (first at line 63)"});
}

TEST_CASE("Pools named in a node") {
  CHECK(node_errors("{on: gpus, B: 1, H: 32, L: 1 us}") ==
        Errors{"f.yaml:8:15: node 'a': on: 'gpus' is no pool of the platform; did you mean 'gpu'? (pools: cpu, gpu)"});
  CHECK(node_errors("{on: [cpu], C: 1 us}") == Errors{"f.yaml:8:15: node 'a': on: the name of a pool is expected, not a list"});
  CHECK(errors("platform: {a: {processors: 1}, b: {processors: 1}}\ntasks: [{name: t, on: cpu, C: 1 us, T: 1 s}]") ==
        Errors{"f.yaml:2:23: task 't': on: 'cpu' means the only CPU pool of the platform, but it has 2: a, b"});
  CHECK(errors("platform: {a: {processors: 1}}\ntasks: [{name: t, on: gpu, B: 1, H: 32, L: 1 us, T: 1 s}]") ==
        Errors{"f.yaml:2:23: task 't': on: 'gpu' means the only GPU of the platform, but it has none"});
  CHECK(errors("platform: {e: {engines: 2}}\ntasks: [{name: t, on: e, C: 1 us, T: 1 s}]") ==
        Errors{"f.yaml:2:9: task 't': 'direction' is missing: 'e' has one engine per direction (h2d, d2h)"});
}

TEST_CASE("Pools") {
  CHECK(pool_errors("{scheduler: FIFO}") ==
        Errors{"f.yaml:2:3: pool 'p': its kind is missing: one of processors (CPU), device or sms (GPU), engines, workers"});
  CHECK(pool_errors("{processors: 4, scheduler: g-edf}") ==
        Errors{"f.yaml:2:33: pool 'p': scheduler: 'g-edf' is not known; did you mean 'G-EDF'? (allowed: G-EDF, G-FL, FIFO, LP, FP, "
               "wait-set, multi-threaded)"});
  CHECK(pool_errors("{processors: 4, engines: 1}") ==
        Errors{"f.yaml:2:22: pool 'p': unknown key 'engines' (allowed: processors, "
               "scheduler, preemptive, equals, partitioned, callbacks, reservation, simultaneous)"});
  CHECK(pool_errors("{engines: 3}") == Errors{"f.yaml:2:16: pool 'p': engines: '3' is too large (at most 2)"});
  CHECK(pool_errors("8") == Errors{"f.yaml:2:6: pool 'p': a mapping (key: value) is expected, not a plain value"});
  CHECK(errors("platform:\n  gpu: {processors: 1}\ntasks: [{name: t, on: gpu, C: 1 us, T: 1 ms}]") ==
        Errors{"f.yaml:2:3: pool 'gpu': a pool of this name must be a GPU"});
  CHECK(errors("platform: {a: {processors: 1}, a: {processors: 2}}\ntasks: [{name: t, on: cpu, C: 1 us, T: 1 ms}]") ==
        Errors{"f.yaml:1:32: 'a' is given twice (first at line 1)"});
}

TEST_CASE("A wrongly described GPU is one error; its nodes are checked as far as they can be") {
  CHECK(errors("platform: {gpu: {device: titan-w}}\ntasks: [{name: t, on: gpu, B: 0, H: 9999, L: 1 us, T: 1 ms}]") ==
        Errors{"f.yaml:1:26: pool 'gpu': device: 'titan-w' is not known; did you mean 'titan-v'? (allowed: tx1, gtx-1070, tx2, "
               "titan-v, v100, xavier, a100, orin, orin-nx, orin-nano, rtx-4090, l4, h100, h200, b200, thor, rtx-5090)",
               "f.yaml:2:31: task 't': B: must be at least 1, not '0'"});
  CHECK(errors("platform: {gpu: {sms: 4}}\ntasks: [{name: t, on: gpu, B: 1, H: 32, L: 1 us, T: 1 ms}]") ==
        Errors{"f.yaml:1:17: pool 'gpu': 'threads' is missing: G-threads per SM"});
}

std::string some_nodes(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += "      v" + std::to_string(i) + ": {on: cpu, C: 1 us}\n";
  return text;
}

TEST_CASE("Edges") {
  CHECK(edge_errors("      - a -> b").empty());
  CHECK(edge_errors("      - a -> größe -> x") ==
        Errors{"f.yaml:9:14: DAG 'd': edges: 'größe' is no node of this DAG", "f.yaml:9:23: DAG 'd': edges: 'x' is no node of this DAG"});
  CHECK(edge_errors("      - a") == Errors{"f.yaml:9:9: DAG 'd': edges: 'a' is no edge; write 'a -> b'"});
  CHECK(edge_errors("      - a ->") == Errors{"f.yaml:9:13: DAG 'd': edges: a node's name is missing beside '->'"});
  CHECK(edge_errors("      - a -> b\n      - {from: a, to: b}") ==
        Errors{"f.yaml:10:9: DAG 'd': edges: a -> b is given twice (first at line 9)"});
  CHECK(errors("platform: {cpu: {processors: 4}}\ndags:\n  - name: d\n    T: 10 ms\n    nodes:\n" + some_nodes(30) +
               "    edges:\n      - v3 -> [v9, v4] -> v5\n      - {from: v3, to: v4}\n      - v8 -> v7 -> v8\n") ==
        Errors{"f.yaml:38:9: DAG 'd': edges: v3 -> v4 is given twice (first at line 37)"});
  CHECK(edge_errors("      - {from: a}") == Errors{"f.yaml:9:9: DAG 'd': 'to' is missing: the name of a node"});
  CHECK(edge_errors("      - {path: a -> b, from: a}") ==
        Errors{"f.yaml:9:9: DAG 'd': edges: 'path' and 'from'/'to' are both given; give one of them"});
  CHECK(edge_errors("      - {path: a -> b, cut: 1}") == Errors{"f.yaml:9:29: DAG 'd': cut: '1' is not known (allowed: false, true)"});
  CHECK(edge_errors("      - [a, b]") == Errors{"f.yaml:9:9: DAG 'd': edges: an edge 'a -> b' is expected, not a list"});
  CHECK(edge_errors("      a -> b") == Errors{"f.yaml:9:7: DAG 'd': edges: a list of edges ('- a -> b') is expected, not a plain value"});
}

TEST_CASE("Cycles are named, at the edge that closes them") {
  CHECK(edge_errors("      - a -> a") == Errors{"f.yaml:9:14: DAG 'd': edges: cycle a -> a"});
  CHECK(edge_errors("      - b -> a\n      - a -> b") == Errors{"f.yaml:10:14: DAG 'd': edges: cycle a -> b -> a"});

  // A ring of 100,000 nodes: found without recursion, and named shortly.
  std::string text = "platform: {cpu: {processors: 1}}\ndags:\n- name: d\n  T: 1 s\n  nodes:\n";
  std::string chain = "  edges:\n  - n0";
  for (int i = 0; i < 100'000; ++i) {
    text += "    n" + std::to_string(i) + ": {on: cpu, C: 1 us}\n";
    if (i > 0) chain += " -> n" + std::to_string(i);
  }
  CHECK(errors(text + chain).empty());
  const Errors ring = errors(text + chain + " -> n0");
  REQUIRE(ring.size() == 1);
  CHECK(ring[0].ends_with("n18 -> n19 -> … (100000 nodes) -> n0"));
}

TEST_CASE("DAGs and tasks") {
  const std::string head = "platform: {cpu: {processors: 1}}\n";
  CHECK(errors(head + "dags: [{}]") == Errors{"f.yaml:2:8: 'name' is missing: every DAG and task has one",
                                              "f.yaml:2:8: 'T' is missing: the period",
                                              "f.yaml:2:8: 'nodes' is missing: what the DAG consists of"});
  CHECK(errors(head + "dags: [{name: d, T: 1 s, nodes: {}}]") == Errors{"f.yaml:2:33: DAG 'd': nodes: a DAG has at least one node"});
  CHECK(errors(head + "dags: [{name: d, T: 1 s, nodes: [a]}]") ==
        Errors{"f.yaml:2:33: DAG 'd': nodes: a mapping (key: value) is expected, not a list"});
  CHECK(errors(head + "dags: [{name: d, T: 1 s, nodes: {a->b: {on: cpu, C: 1 s}}}]") ==
        Errors{"f.yaml:2:34: DAG 'd': 'a->b' is no name: '->' stands for an edge"});
  CHECK(errors(head + "dags: {name: d}") == Errors{"f.yaml:2:7: dags: a list ('- name: …') is expected, not a mapping"});
  CHECK(errors(head + "tasks: [t]") == Errors{"f.yaml:2:9: a mapping (key: value) is expected, not a plain value"});
  CHECK(errors(head + "tasks: [{name: c, copies: 2, on: cpu, C: 1 s, T: 1 s}, {name: 'c[1]', on: cpu, C: 1 s, T: 1 s}]") ==
        Errors{"f.yaml:2:63: task 'c[1]': the name 'c[1]' is given twice (first at line 2)"});
  CHECK(errors(head + "tasks: [{name: c, copies: 0, on: cpu, C: 1 s, T: 1 s}]") ==
        Errors{"f.yaml:2:27: task 'c': copies: must be at least 1, not '0'"});
  CHECK(errors(head + "tasks: [{name: c, on: cpu, C: 1 s, T: 1 s}, {name: d, copies: 1000000, on: cpu, C: 1 s, T: 1 s}]") ==
        Errors{"f.yaml:2:45: task 'd': the task set has more than 1000000 nodes, copies included"});
}

TEST_CASE("Files that are no task set at all") {
  CHECK(errors("") == Errors{"f.yaml:1:1: the file is empty: a task set has `platform` and `dags` or `tasks`"});
  CHECK(errors({}) == errors(""));
  CHECK(errors("# nothing\n---\n") == Errors{"f.yaml:1:1: the file is empty: a task set has `platform` and `dags` or `tasks`"});
  CHECK(errors("- a") == Errors{"f.yaml:1:1: a mapping (key: value) is expected, not a list"});
  CHECK(errors("platform: {}\ntasks: []") ==
        Errors{"f.yaml:1:1: the task set is empty: it has neither `dags` nor `tasks`", "f.yaml:1:11: platform: it has no pool"});
  CHECK(errors("platform: {cpu: {processors: 1}}\n---\na: 1") ==
        Errors{"f.yaml:2:1: a second YAML document starts here; a file holds one task set"});
}

TEST_CASE("YAML that is wrong, or more than the format needs") {
  CHECK(errors("platform: {cpu: [") == Errors{"f.yaml:2:1: not YAML: did not find expected node content (while parsing a flow node)"});
  CHECK(errors("a: &x 1\nb: *x") == Errors{"f.yaml:1:4: anchors (&name) are not supported; write the value out, or use `copies`",
                                           "f.yaml:2:4: aliases (*name) are not supported; write the value out, or use `copies`"});
  CHECK(errors("a: !x 1") == Errors{"f.yaml:1:4: tags (!name) are not supported"});
  CHECK(errors("a: " + std::string(17, '[')) == Errors{"f.yaml:1:19: lists and mappings nest more than 16 deep"});
  CHECK(errors("a: 1\nb: x\xFF") == Errors{"f.yaml:2:5: not a text in UTF-8: invalid leading UTF-8 octet"});
  CHECK(errors("a: \x01") == Errors{"f.yaml:1:4: not a text in UTF-8: control characters are not allowed"});
  CHECK(errors(std::string_view("a\0b", 3)) == Errors{"f.yaml:1:2: not a text in UTF-8: control characters are not allowed"});
}

TEST_CASE("After twenty errors the rest is counted") {
  std::string text = "platform: {cpu: {processors: 1}}\ntasks:\n";
  for (int i = 0; i < 1234; ++i) text += "  - {name: t" + std::to_string(i) + ", on: cpu, C: 1 s, T: 0 s}\n";
  const Errors all = errors(text);
  REQUIRE(all.size() == 21);
  CHECK(all[0].starts_with("f.yaml:3:"));
  CHECK(all[19].starts_with("f.yaml:22:"));
  CHECK(all[20] == "f.yaml: 1214 more errors");
}

TEST_CASE("Files of other kinds are recognised, and the command for them is named") {
  CHECK(errors("platform: {gpu: {device: tx2}}\nexperiment: []") ==
        Errors{"f.yaml:1:1: this is an experiment, no task set: rta simulate plays it"});
  CHECK(errors("platform: {}\nrandom: {}\nsweep: {}") == Errors{"f.yaml:1:1: this is a sweep, no task set: rta sweep evaluates it"});
  CHECK(errors("platform: {}\nrandom: {}") ==
        Errors{"f.yaml:1:1: this is a recipe of random task sets, no task set: rta generate draws task sets from it"});
  CHECK(errors("device: tx2\nrules: {}") ==
        Errors{"f.yaml:1:1: this is a device profile, no task set: rta analyze FILE --profile takes it"});
  CHECK(errors("strict digraph g { a -> b; }") ==
        Errors{"f.yaml:1:1: this is a graph in DOT, no task set: rta convert makes a task set of it"});
  CHECK(errors("<?xml version=\"1.0\"?>") == Errors{"f.yaml:1:1: this is XML, no task set: of XML rta convert reads models of Amalthea"});
  CHECK(errors("task,period,wcet\na,10,1\n") == Errors{"f.yaml:1:1: this is a table in CSV, no task set: rta convert reads job sets of "
                                                       "schedule_abstraction, whose columns begin with Task ID"});
  CHECK(errors("{\"schema\": 1, \"kind\": \"trace\"}\n") ==
        Errors{"f.yaml:1:1: this is a trace, no task set: rta compare TRACE TASKSET reads it"});
  CHECK(errors("{\"name\": \"x\", \"benchmarks\": []}") ==
        Errors{"f.yaml:1:1: this is a configuration of the cuda_scheduling_examiner, no task set: rta convert makes an experiment of it"});
  // A task set may have pools and nodes of any name.
  CHECK(errors("platform: {sweep: {processors: 1}}\ntasks: [{name: rules, on: sweep, C: 1 ms, T: 2 ms}]").empty());
}

TEST_CASE("Times of kernels: L or C, and the duration of the whole kernel") {
  CHECK(node_errors("{on: gpu, B: 1, H: 32, L: 1 us, time: 1 us}").empty());
  CHECK(node_errors("{on: gpu, B: 1, H: 32, C: 32 us, per: block, time: 1 us}").empty());
  CHECK(node_errors("{on: gpu, time: 1 us, priority: high}").empty());
  CHECK(node_errors("{on: gpu, B: 1, H: 32, L: 1001 ns, time: 1 us}") ==
        Errors{"f.yaml:8:51: node 'a': time: 1 us, the longest duration of the kernel, is less than L, 1001 ns, the longest of one of its "
               "blocks"});
  CHECK(node_errors("{on: gpu, B: 1, H: 32, C: 1 us, time: 1 us}") ==
        Errors{"f.yaml:8:48: node 'a': C and time are both given; where C is the work of one block, in G-threads x time, write "
               "`per: block`"});
  CHECK(node_errors("{on: gpu, B: 1, time: 1 us}") ==
        Errors{"f.yaml:8:23: node 'a': B is given without H: give both, or neither where only the duration of the kernel is known"});
  CHECK(node_errors("{on: gpu, H: 32, time: 1 us}") ==
        Errors{"f.yaml:8:23: node 'a': H is given without B: give both, or neither where only the duration of the kernel is known"});
  CHECK(node_errors("{on: gpu, time: 1 us, L: 1 us}") ==
        Errors{"f.yaml:8:35: node 'a': L is of blocks, and the kernel has no B and H: give them, or `time` alone"});
  CHECK(node_errors("{on: gpu, B: 1, H: 32, L: 1 us, per: block}") ==
        Errors{"f.yaml:8:47: node 'a': per: says of C whose work it is; there is no C"});
  CHECK(node_errors("{on: gpu, B: 1, H: 32, C: 32 us, per: kernel}") ==
        Errors{"f.yaml:8:48: node 'a': per: 'kernel' is not known (allowed: block)"});
}

TEST_CASE("Rates stand for periods only where they have one") {
  const auto with_T = [](const std::string& T) {
    return errors("platform: {cpu: {processors: 1}}\ntasks: [{name: t, on: cpu, C: 1 ns, T: " + T + "}]");
  };
  CHECK(with_T("0 Hz") == Errors{"f.yaml:2:40: task 't': T: must be positive, not '0 Hz'"});
  CHECK(with_T("2000 MHz") == Errors{"f.yaml:2:40: task 't': T: '2000 MHz' is more than once per ns"});
  CHECK(with_T("0.0000001 Hz") == Errors{"f.yaml:2:40: task 't': T: '0.0000001 Hz' is no whole number of millionths of a Hz"});
}

TEST_CASE("Lists of nodes in edges name what is no node") {
  CHECK(errors("platform: {cpu: {processors: 1}}\n"
               "dags:\n"
               "  - name: d\n"
               "    T: 1 s\n"
               "    nodes: {a: {on: cpu, C: 1 ms}, b: {on: cpu, C: 1 ms}}\n"
               "    edges:\n"
               "      - a -> [b, x]\n") == Errors{"f.yaml:7:18: DAG 'd': edges: 'x' is no node of this DAG"});
}
