// Kernels one after another: docs/theory/serial.md, T27 and T28, by hand and against the checker.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "analysis/policies/pool_nodes.hpp"
#include "law.hpp"
#include "rta/analysis/explain.hpp"
#include "rta/analysis/option_table.hpp"
#include "rta/model/kernel_time.hpp"
#include "support/durations.hpp"
#include "support/time_slices.hpp"

namespace {

using namespace rta;
using namespace rta::test;

Certified made_of(const std::string& text, const std::string& release = "completion") {
  analysis::Options options = analysis::options_of({{"release", release}});
  options.fitting = analysis::Fitting::open;
  return certified(io::parse_task_set(text, "set.yaml").task_set, options);
}

Time end_of(const Certified& made, DagId d, NodeId v) { return made.proof.dags[d].nodes[v].bound->R; }

std::string with(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  REQUIRE_MESSAGE(at != std::string::npos, from << " in\n" << text);
  return text.replace(at, from.size(), to);
}

/// Two layers of a network on 16 SMs of 1536 G-threads.
std::string two_layers(const std::string& first, const std::string& second) {
  return "platform: {gpu: {sms: 16, threads: 1536}}\ndags:\n  - name: net\n    T: 33 ms\n    nodes:\n      conv1: {on: gpu, " + first +
         "}\n      conv2: {on: gpu, " + second + "}\n    edges: [conv1 -> conv2]\n";
}

TEST_CASE("two kernels of one job take what each takes alone") {
  // B = 1200 blocks of 256 fill 96 places. T27: e - s = 0, conv2 follows conv1: F = 4, then 4 + 4 = 8; busy 8/33. T28 by blocks, 96 blocks
  // of 4 ms that weigh 1/6: 4 (1 - 1/96) + ... = 7.96 and 15.92.
  const std::string blocks = "B: 1200, H: 256, time: 4 ms";
  for (const auto& kernels : {std::pair<std::string, std::string>{"time: 4 ms", "time: 4 ms"}, {blocks, blocks}, {"time: 4 ms", blocks}}) {
    const auto& first = kernels.first;
    const auto& second = kernels.second;
    CAPTURE(first);
    CAPTURE(second);
    const Certified made = made_of(two_layers(first, second));
    CHECK(end_of(made, 0, 0) == Time(4'000'000));
    CHECK(end_of(made, 0, 1) == Time(8'000'000));
    CHECK(made.proof.pools[0].busy == doctest::Approx(8.0 / 33));
    CHECK(made.certificate.uncertified.empty());
    CHECK(first_refused(made.file, made.certificate.text) == "");
    const bool in_turn = made.certificate.text.find("\nturn 0\n") != std::string::npos;
    CHECK((in_turn || first == blocks));  // T23 knows of waves by blocks, too
    CHECK(first_refused(made.file, with(made.certificate.text, "8000000 - ", "7999999 - ")) != "");
    if (in_turn) CHECK(first_refused(made.file, with(made.certificate.text, "\nturn 0\n", "\n")) != "");
    // At offsets each waits for both.
    const Certified apart = made_of(two_layers(first, second), "offsets");
    CHECK(apart.proof.dags[0].bound->R == Time(16'000'000));
    CHECK(first_refused(apart.file, apart.certificate.text) == "");
    CHECK(apart.certificate.text.find("base 0 T27 0\n") != std::string::npos);
    CHECK(first_refused(apart.file, with(apart.certificate.text, "8000000 - base", "7999999 - base")) != "");
  }
}

TEST_CASE("by blocks a kernel with a duration has as many as there are places for") {
  // 24 places of 256 on an SM... of 16: D = 4 ms is what its 96 blocks last at most; of 1200 blocks of 1 ms no more than 96 x 4 count.
  const GpuPool gpu = std::get<GpuPool>(io::parse_task_set(two_layers("time: 4 ms", "time: 4 ms"), "f").task_set.pools()[0].resource);
  const auto kernel = [&](const std::string& demand) {
    return std::get<GpuDemand>(io::parse_task_set(two_layers(demand, "time: 1 ms"), "f").task_set.dags()[0].nodes()[0].demand);
  };
  CHECK(counted_blocks(kernel("B: 1200, H: 256, time: 4 ms"), gpu) == 96);
  CHECK(counted_blocks(kernel("B: 1200, H: 256, L: 1 ms, time: 4 ms"), gpu) == 384);
  CHECK(counted_blocks(kernel("B: 1200, H: 256, L: 300 us, time: 4 ms"), gpu) == 1200);  // 13 waves of 0.3 ms take 3.9
  CHECK(counted_blocks(kernel("B: 90, H: 256, time: 4 ms"), gpu) == 90);
  CHECK(counted_blocks(kernel("B: 1200, H: 256, L: 1 ms"), gpu) == 1200);
  // C of 255 x 1 ms: blocks of 255/256 ms, and 96 x 4 ms have room for 385.5 of these.
  CHECK(counted_blocks(kernel("B: 1200, H: 256, C: 255 ms, per: block, time: 4 ms"), gpu) == 386);
}

TEST_CASE("each node has the lesser of its kernel's blocks and of its turn") {
  // Example 4.3 of the theory: D = 3 and 1, P = 4 and 8. T27: 3 + 1 = 4 for both; by blocks, weights 1/2 and 1/2, the second ends after
  // 1 - 1/4 + (2 x 3/2 + 6 x 1/2)/2 = 3.75 + ... : the program had 5 and 3.83 before.
  const std::string text =
      "platform: {gpu: {sms: 2, threads: 2048}}\ntasks:\n"
      "  - {name: a, T: 5 ms, on: gpu, B: 2, H: 1024, L: 3 ms}\n"
      "  - {name: b, T: 8 ms, on: gpu, B: 6, H: 512, L: 1 ms}\n";
  const Certified made = made_of(text);
  CHECK(end_of(made, 0, 0) == Time(4'000'000));
  CHECK(end_of(made, 1, 0) <= Time(3'833'334));
  CHECK(made.certificate.uncertified.empty());
  CHECK(first_refused(made.file, made.certificate.text) == "");
  const Certified apart = made_of(text, "offsets");
  CHECK(apart.proof.dags[0].bound->R == Time(4'000'000));
  CHECK(apart.proof.dags[1].bound->R == Time(4'000'000));
  CHECK(first_refused(apart.file, apart.certificate.text) == "");
}

TEST_CASE("a detector and a tracker share a GPU of which durations are known") {
  // yolo is ready by 2: 2 + 9 + one job of centerpoint, 18, as ceil((F + 2)/100) = 1: 29, and 1.5 on a free processor. centerpoint is ready
  // by 16: 16 + 18 and, by T23, one job of yolo, 9: 43, less than by (3), 16 + 18 (1 + 16/100) + 9 (1 + 2/33.3) = 46.42.
  const std::string text =
      "platform: {cpu: {processors: 8}, gpu: {device: orin}}\ndags:\n"
      "  - name: lidar\n    T: 100 ms\n    nodes: {read: {on: cpu, C: 4 ms}, voxels: {on: cpu, C: 12 ms}, centerpoint: {on: gpu, time: 18 "
      "ms},"
      " track: {on: cpu, C: 3 ms}, plan: {on: cpu, C: 6 ms}}\n    edges: [read -> voxels -> centerpoint -> track -> plan]\n"
      "  - name: camera\n    T: 33.3 ms\n    nodes: {read: {on: cpu, C: 2 ms}, yolo: {on: gpu, time: 9 ms}, boxes: {on: cpu, C: 1500 us}}\n"
      "    edges: [read -> yolo -> boxes]\n";
  const Certified made = certified(io::parse_task_set(text, "set.yaml").task_set, analysis::options_of({{"release", "completion"}}));
  CHECK(end_of(made, 1, 1) == Time(29'000'000));
  CHECK(made.proof.dags[1].bound->R == Time(30'500'000));
  CHECK(end_of(made, 0, 2) == Time(43'000'000));
  CHECK(made.certificate.uncertified.empty());
  CHECK(first_refused(made.file, made.certificate.text) == "");
}

/// An engine of 10 ms of which the duration is known, every 100 ms, beside kernels of one block of 1 ms each, every 20 ms.
std::string beside_an_engine(int kernels) {
  std::string text = "platform: {gpu: {sms: 4, threads: 1024}}\ntasks:\n  - {name: engine, T: 100 ms, D: 100 ms, on: gpu, time: 10 ms}\n";
  for (int i = 0; i < kernels; ++i) text += "  - {name: k" + std::to_string(i) + ", T: 20 ms, D: 20 ms, on: gpu, B: 1, H: 256, L: 1 ms}\n";
  return text;
}

TEST_CASE("an engine in turn beside small kernels by their blocks") {
  // 30 of them: in turn they would need 1.6 of the time. T29: blocks weigh 1/4, Lambda = 1. Of a kernel e - s/g = 1 - 1/16, of the engine
  // 0; counted are 10 + 1 and 30/16. So 15/16 + 11 + 30/16 = 13.8125 and 11 + 30/16 = 12.875.
  const Certified made = made_of(beside_an_engine(30));
  CHECK(verdict_of(made.proof) == analysis::Verdict::schedulable);
  CHECK(end_of(made, 0, 0) == Time(12'875'000));
  CHECK(end_of(made, 1, 0) == Time(13'812'500));
  CHECK(made.certificate.uncertified.empty());
  CHECK(first_refused(made.file, made.certificate.text) == "");
  CHECK(made.certificate.text.find("\nturn ") == std::string::npos);
  CHECK(first_refused(made.file, with(made.certificate.text, "12875000 - ", "12874999 - ")) != "");
  CHECK(first_refused(made.file, with(made.certificate.text, "13812500 - ", "13812499 - ")) != "");
  CHECK(first_refused(made.file, with(made.certificate.text, "13812500 - T10n", "13812500 - T10a")) != "");
  // What a block of 256 weighs, 1/4 of an SM, guarantees that much and no more.
  CHECK(first_refused(made.file, with(made.certificate.text, " only 1024 1", " only 1025 1")) != "");
  // 8 of them: in turn 10 + 8 for all; by T29 11 + 1/2 and 15/16 + 11 + 1/2.
  const Certified few = made_of(beside_an_engine(8));
  CHECK(end_of(few, 0, 0) == Time(11'500'000));
  CHECK(end_of(few, 1, 0) == Time(12'437'500));
  CHECK(first_refused(few.file, few.certificate.text) == "");
  // With one it is 11 in turn, and 15/16 + 11 + 1/16 = 12 for the kernel, 11.0625 for the engine by T29.
  const Certified one = made_of(beside_an_engine(1));
  CHECK(end_of(one, 0, 0) == Time(11'000'000));
  CHECK(end_of(one, 1, 0) == Time(11'000'000));
  CHECK(first_refused(one.file, one.certificate.text) == "");
  // At offsets there is no such bound.
  CHECK(verdict_of(made_of(beside_an_engine(30), "offsets").proof) == analysis::Verdict::unbounded);
}

TEST_CASE("T27 for some nodes, T29 for others, in one certificate") {
  // As above with 8, and a kernel that is ready when it is: long, of 30 blocks of 1024 and 4 ms: Lambda = 4.
  const std::string text =
      with(beside_an_engine(8), "tasks:\n", "tasks:\n  - {name: long, T: 100 ms, D: 100 ms, on: gpu, B: 5, H: 1024, L: 4 ms}\n");
  const Certified made = made_of(text);
  CHECK(made.certificate.uncertified.empty());
  CHECK(first_refused(made.file, made.certificate.text) == "");
  const bool both =
      made.certificate.text.find("\nturn 0\n") != std::string::npos && made.certificate.text.find("\ncounted 0 ") != std::string::npos;
  CHECK(both);
  CHECK(made.certificate.text.find("\nturns ") != std::string::npos);
}

TEST_CASE("a node of a processor beside a GPU that is read by T29 has what its own pool says") {
  // The engine ends by 12.875, as above, then post, 2 on a processor where y of 3 comes every 5. F_y = 3 + 2 = 5. T10n counts ceil((5 +
  // 12.875)/5) = 4 jobs of y. By T23 one is there when post is ready, as F_y <= 5: 12.875 + 3 + 2 = 17.875.
  std::string text =
      "platform: {cpu: {processors: 1, scheduler: FIFO}, gpu: {sms: 4, threads: 1024}}\ndags:\n"
      "  - {name: a, T: 100 ms, nodes: {engine: {on: gpu, time: 10 ms}, post: {on: cpu, C: 2 ms}}, edges: [engine -> post]}\n"
      "  - {name: y, T: 5 ms, nodes: {y: {on: cpu, C: 3 ms}}}\n";
  for (int i = 0; i < 30; ++i) text += fmt::format("  - {{name: k{}, T: 20 ms, nodes: {{k: {{on: gpu, B: 1, H: 256, L: 1 ms}}}}}}\n", i);
  const Certified made = made_of(text);
  CHECK(end_of(made, 0, 0) == Time(12'875'000));
  CHECK(end_of(made, 0, 1) == Time(17'875'000));
  CHECK(end_of(made, 1, 0) == Time(5'000'000));
  CHECK(made.certificate.uncertified.empty());
  CHECK(first_refused(made.file, made.certificate.text) == "");
  CHECK(made.certificate.text.find("17875000 - T23\n") != std::string::npos);
  CHECK(first_refused(made.file, with(made.certificate.text, "17875000 - ", "17874999 - ")) != "");
  CHECK(first_refused(made.file, with(made.certificate.text, "17875000 - T23", "17875000 - T10n")) != "");
  // Of kernels themselves T29 has T10n's sums alone.
  for (const char* rule : {"T10j", "T23"}) {
    const std::string other = with(made.certificate.text, "12875000 - T10n", fmt::format("12875000 - {}", rule));
    CHECK(first_refused(made.file, other).find("no such rule") != std::string::npos);
  }
}

TEST_CASE("late releases beside a GPU that is read both ways") {
  // Some ends by T10a with all in turn, others by T10j on the processor beside the GPU read by T29, both of releases 25 us apart.
  const Certified made = made_of(
      "time_unit: us\nplatform: {cpu: {processors: 1, scheduler: FIFO}, gpu: {sms: 2, threads: 1024}}\ndags:\n"
      "  - {name: d0, T: 29, nodes: {n0: {on: cpu, C: 4}}}\n"
      "  - {name: d1, T: 30, jitter: 5, nodes: {n0: {on: cpu, C: 4}, n1: {on: cpu, C: 1}}, edges: [n0 -> n1]}\n"
      "  - {name: d2, T: 15, nodes: {n0: {on: gpu, B: 3, H: 256, L: 1}, n1: {on: cpu, C: 1}, n2: {on: cpu, C: 2}, n3: {on: gpu, time: 8}},"
      " edges: [n0 -> n2, n2 -> n3]}\n");
  CHECK(made.certificate.uncertified.empty());
  CHECK(first_refused(made.file, made.certificate.text) == "");
  CHECK(made.certificate.text.find("\nturns 1 1\n") != std::string::npos);
  CHECK(made.certificate.text.find("\nbound 0 0 0 18043 - T10j\n") != std::string::npos);
  // Each statement names its reading: what T10a says holds with the GPU in turn alone.
  CHECK(first_refused(made.file, with(made.certificate.text, "\nturns 1 1\n", "\n")) != "");
}

TEST_CASE("kernels of which durations are known, of processes that share the GPU by time slices") {
  // Slices of 2 ms, two processes: G = 2. T33: 10 alone is X, so (1 + floor(10/2)) 2 = 12 of gaps: 22, as by the sum at full load, 10/alpha
  // + G with alpha = 1/2; 4 + (1 + 2) 2 = 10.
  const std::string text =
      "platform: {gpu: {sms: 4, threads: 1024, sharing: {slice: 2 ms, switch: 0 us}}}\ndags:\n"
      "  - {name: a, T: 100 ms, process: p, nodes: {k: {on: gpu, time: 10 ms}}}\n"
      "  - {name: b, T: 100 ms, process: q, nodes: {k: {on: gpu, time: 4 ms}}}\n";
  const Certified made = made_of(text);
  CHECK(end_of(made, 0, 0) == Time(22'000'000));
  CHECK(end_of(made, 1, 0) == Time(10'000'000));
  CHECK(made.certificate.uncertified.empty());
  CHECK(first_refused(made.file, made.certificate.text) == "");
  CHECK(first_refused(made.file, with(made.certificate.text, "22000000 - ", "21999999 - ")) != "");
  CHECK(first_refused(made.file, with(made.certificate.text, "10000000 - ", "9999999 - ")) != "");
  CHECK(verdict_of(made_of(text, "offsets").proof) == analysis::Verdict::unbounded);
}

TEST_CASE("a block that does not count may be left when a slice ends") {
  // One SM, two blocks that fill it, 8 ms in all, slices of 2 ms with gaps of 1 ms. One block may take all 8 ms, four slices, and the
  // other, of length 0, waits for one more gap: 8 + 5 x 1 = 13. By the one block that counts alone (T28) it would be 8 + 4 x 1.
  const std::string text =
      "platform: {gpu: {sms: 1, threads: 1024, sharing: {slice: 2 ms, switch: 1 ms}}}\ndags:\n"
      "  - {name: a, T: 100 ms, process: p, nodes: {k: {on: gpu, B: 2, H: 1024, time: 8 ms}}}\n";
  for (const char* release : {"completion", "segments"}) {
    const Certified made = made_of(text, release);
    CHECK(end_of(made, 0, 0) == Time(13'000'000));
    CHECK(first_refused(made.file, made.certificate.text) == "");
    CHECK(first_refused(made.file, with(made.certificate.text, "13000000 - ", "12000000 - ")) != "");
  }
}

TEST_CASE("where kernels alone would need more than all of the time, durations bound nothing") {
  const std::string text =
      "platform: {gpu: {sms: 2, threads: 64}}\ntasks:\n  - {name: a, T: 5 ms, on: gpu, time: 3 ms}\n"
      "  - {name: b, T: 8 ms, on: gpu, time: 4 ms}\n";  // 0.6 + 0.5
  for (const char* release : {"completion", "offsets", "segments"}) {
    CAPTURE(release);
    const Certified made = made_of(text, release);
    CHECK(verdict_of(made.proof) == analysis::Verdict::unbounded);
    CHECK(
        analysis::in_words(made.proof, *made.proof.pools[0].none)
            .ends_with("the kernels, one after another and each alone on the GPU, would need it for 1.1 of the time: more than there is"));
    CHECK(first_refused(made.file, made.certificate.text) == "");
  }
  const Certified priorities = made_of(with(text, "time: 4 ms", "time: 1 ms, priority: high"));
  CHECK(verdict_of(priorities.proof) == analysis::Verdict::unbounded);
  CHECK(analysis::in_words(priorities.proof, *priorities.proof.pools[0].none).find("one FIFO") != std::string::npos);
}

TEST_CASE("a certificate reads GPUs in turn only where their kernels are served so") {
  const std::string text = two_layers("time: 4 ms", "B: 1200, H: 256, time: 4 ms");
  const Certified made = made_of(text);
  const std::string& certificate = made.certificate.text;
  // Weights say nothing of a kernel without blocks.
  CHECK(first_refused(made.file, with(certificate, "\nturn 0\n", "\nweights 0 0 only 6144 1\ncounted 0 0\n")) != "");
  CHECK_THROWS_AS((void)checker::check(made.file, with(certificate, "\nturn 0\n", "\nturn 0\nturn 0\n")), checker::BadInput);
  CHECK_THROWS_AS((void)checker::check(made.file, with(certificate, "\nturn 0\n", "\nturn 1\n")), checker::BadInput);
  CHECK_THROWS_AS((void)checker::check(made.file, with(certificate, "\nturn 0\n", "\nturn 0\nturns 0 0 0\n")), checker::BadInput);
  CHECK_THROWS_AS((void)checker::check(made.file, with(certificate, "\nturn 0\n", "\nturn 0\nturns 0 2\n")), checker::BadInput);
  // Other durations than the file's.
  CHECK(first_refused(made.file, with(certificate, "alone 4000000", "alone 3999999")) != "");
  CHECK(first_refused(made.file, with(certificate, "low time 4000000", "low time 3999999")) != "");
  CHECK(first_refused(made.file, with(certificate, "\nturn 0\n", "\nturn 0\n")) == "");
  const std::string longer = with(certificate, "\npool 0", "\nassume 0 time 0/0=5000000\npool 0");
  CHECK(first_refused(made.file, longer) != "");
  CHECK_THROWS_AS((void)checker::check(made.file, with(certificate, "\npool 0", "\nassume 0 time 0/0=3000000\npool 0")), checker::BadInput);
}

/// Whether some GPU is read by T29.
bool is_mixed(const analysis::Proof& proof) {
  return std::ranges::any_of(proof.evidence, [](const analysis::Evidence& evidence) {
    const auto* path = std::get_if<analysis::PathEvidence>(&evidence);
    return path != nullptr && std::ranges::any_of(path->bounds.system.system.pools, &analysis::path::Pool::mixed);
  });
}

TEST_CASE("certificates of random systems with durations of kernels are verified") {
  constexpr Ingredients one_priority{.sequential = true, .priorities = false, .non_preemptive = true, .fixed = true};
  int in_turn = 0, beside = 0, both = 0, sliced = 0;
  for (std::uint64_t seed = 1; seed <= 700; ++seed) {
    CAPTURE(seed);
    const TaskSet plain = random_system(seed, one_priority);
    if (!all_fit(plain)) continue;
    const TaskSet played = seed % 4 == 0 ? with_slices(plain, seed, false) : plain;
    const auto nodes = analysis::nodes_of_pools(played);
    if (std::ranges::any_of(nodes, [](const auto& of_pool) { return of_pool.empty(); })) continue;  // a process without kernels
    const TaskSet set = with_durations(played, seed);
    analysis::Options options = analysis::options_of({{"release", seed % 5 == 0 ? "segments" : "completion"}, {"most-periods", "100"}});
    const Certified made = certified(set, options);
    CHECK(made.certificate.uncertified.empty());
    CHECK(first_refused(made.file, made.certificate.text) == "");
    const auto says = [&](const char* what) { return made.certificate.text.find(what) != std::string::npos; };
    in_turn += says("\nturn ") ? 1 : 0;
    beside += is_mixed(made.proof) ? 1 : 0;
    both += says("\nturns ") ? 1 : 0;
    sliced += says("\nturn ") && seed % 4 == 0 ? 1 : 0;
  }
  MESSAGE(in_turn, " in turn, ", beside, " beside others by blocks, ", both, " by both readings, ", sliced, " in slices");
  CHECK(in_turn > 10);
  CHECK(beside > 0);
  CHECK(both > 0);
  CHECK(sliced > 0);
}

/// DAGs whose kernels are known by blocks or by durations alone, on processors and engines under FIFO, some of them late.
TaskSet set_beside_turns(std::uint64_t seed) {
  Dice dice(seed);
  std::vector<Pool> pools{{"cpu", CpuPool{static_cast<std::uint32_t>(dice.between(1, 3)), Scheduler::fifo}}, {"copies", EnginePool{1}}};
  const std::int64_t gpus = dice.one_in(3) ? 2 : 1;
  for (std::int64_t i = 0; i < gpus; ++i) {
    GpuPool gpu;
    gpu.sms = static_cast<std::uint32_t>(dice.between(1, 6));
    gpu.sm.threads = 1024;
    pools.push_back({fmt::format("gpu{}", i), gpu});
  }
  const auto count = static_cast<std::size_t>(dice.between(2, 4));
  std::vector<std::vector<Node>> nodes(count);
  std::int64_t work = 0;
  for (auto& of_dag : nodes) {
    of_dag.resize(static_cast<std::size_t>(dice.between(1, 5)));
    for (Node& node : of_dag) {
      node.name = fmt::format("n{}", &node - of_dag.data());
      const std::int64_t L = dice.between(1, 6);
      work += L;
      node.pool = static_cast<PoolId>(dice.one_in(3) ? dice.between(0, 1) : dice.between(2, 1 + gpus));
      if (node.pool < 2) {
        node.demand = CpuDemand{Time(L)};
        if (node.pool == 1) node.demand = CopyDemand{Time(L), Direction::h2d};
        continue;
      }
      const auto& gpu = std::get<GpuPool>(pools[node.pool].resource);
      GpuDemand kernel;
      kernel.B = static_cast<std::uint64_t>(dice.between(1, 3));
      kernel.H = static_cast<std::uint32_t>(dice.pick(std::vector<std::int64_t>{128, 256, 512}));
      kernel.L = Time(L);
      kernel.C = Workload(Wide{L} * kernel.H);
      node.demand = dice.one_in(4) ? kernel_by_time(kernel.L, gpu, kernel.priority) : kernel;
    }
  }
  std::vector<Dag> dags;
  dags.reserve(count);
  for (std::size_t d = 0; d < count; ++d) {
    std::vector<Edge> edges;
    const bool chain = dice.one_in(2);
    for (std::size_t v = 0; v < nodes[d].size(); ++v) {
      for (std::size_t u = 0; u < v; ++u) {
        if (chain ? u + 1 == v : dice.one_in(2)) edges.push_back({u, v});
      }
    }
    const Time T(std::max<std::int64_t>(2, work * dice.between(4, 20) / 10));
    dags.emplace_back(fmt::format("d{}", d), T, std::nullopt, std::move(nodes[d]), std::move(edges));
  }
  const TaskSet set{"beside", std::move(pools), std::move(dags)};
  return dice.one_in(3) ? with_late_releases(set, seed) : set;
}

TEST_CASE("certificates of random systems whose kernels are partly in turn, beside processors under FIFO, are verified") {
  Verified late, other;
  int mixed = 0, late_mixed = 0, both = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const TaskSet set = set_beside_turns(seed);
    const analysis::Options options =
        analysis::options_of({{"release", seed % 5 == 0 ? "segments" : "completion"}, {"most-periods", "100"}});
    const Certified made = certified(set, options);
    const bool jitter = std::ranges::any_of(set.dags(), [](const Dag& dag) { return dag.attributes().jitter > Time::zero(); });
    verify(made, fmt::format("seed {}", seed), jitter ? late : other);
    mixed += is_mixed(made.proof) ? 1 : 0;
    late_mixed += jitter && is_mixed(made.proof) ? 1 : 0;
    both += made.certificate.text.find("\nturns ") != std::string::npos ? 1 : 0;
  }
  MESSAGE(mixed, " beside others by blocks, ", late_mixed, " of them late, ", both, " by both readings; late: ", late.text(),
          "; others: ", other.text());
  CHECK(late.broken == "");
  CHECK(other.broken == "");
  CHECK(mixed > 50);
  CHECK(late_mixed > 5);
  CHECK(both > 20);
  CHECK(late.by_theorem["T10j"] > 0);
  CHECK(other.by_theorem["T10j"] > 0);
  CHECK(other.by_theorem["T23"] > 0);
}

}  // namespace
