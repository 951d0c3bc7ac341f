// Analyses of a device as it was measured.
#include "rta/analysis/measured_device.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "rta/analysis/analyze.hpp"
#include "rta/io/task_set_file.hpp"
#include "rta/model/error.hpp"
#include "rta/model/kernel_time.hpp"
#include "rta/model/time_slices.hpp"

using namespace rta;
using namespace rta::analysis;

namespace {

TaskSet task_set(const std::string& gpu, const std::string& more = "") {
  return io::parse_task_set("platform: {gpu: " + gpu + ", copy: {engines: 2}}\n" +
                                "tasks:\n  - {name: a, on: gpu, T: 10 ms, B: 4, H: 256, C: 25601 ns}\n"
                                "  - {name: c, on: copy, T: 10 ms, C: 1 ms, direction: h2d}\n" +
                                more,
                            "t.yaml")
      .task_set;
}

DeviceProfile profile() {
  DeviceProfile p;
  p.device = "h200";
  p.date = "2026-01-31";
  p.limits = limits_of(*find_device("h200"));
  p.limits.driver = "550";
  p.limits.sms = 114;
  p.latencies = {{"dispatch", Time(1'000), Time(2'000), Time(3'000), 100}, {"kernel-switch", Time(0), Time(0), Time(0), 100}};
  for (const Rule rule : rules()) p.rules.push_back({rule, RuleState::confirmed, "", "", "", 33, 0});
  return p;
}

const GpuDemand& kernel(const TaskSet& set) { return std::get<GpuDemand>(set.dags()[0].nodes()[0].demand); }
const GpuPool& gpu(const TaskSet& set) { return std::get<GpuPool>(set.pools()[0].resource); }

std::string names(const std::vector<RuleUse>& uses) {
  std::string text;
  for (const RuleUse& use : uses) text += std::string(to_string(use.verdict.rule)) + " ";
  return text;
}

}  // namespace

TEST_CASE("measured figures replace those of the table; the dispatch latency is added to L, H times to C") {
  const auto measured = on_measured_device(task_set("{device: h200}"), profile());
  CHECK(measured.warnings.empty());
  CHECK(gpu(measured.task_set).sms == 114);
  // C = 25601 + 256 x 3000 = 793601; L = ceil(793601/256) = ceil(3100.003...) = 3101; before: ceil(25601/256) = 101.
  CHECK(kernel(task_set("{device: h200}")).L == Time(101));
  CHECK(kernel(measured.task_set).C == Workload(793'601));
  CHECK(kernel(measured.task_set).L == Time(3'101));
  CHECK(std::get<EnginePool>(measured.task_set.pools()[1].resource).engines == 2);
}

TEST_CASE("what a file says of a GPU beside its device stays, but for what is more than was measured") {
  const auto fewer = on_measured_device(task_set("{device: h200, sms: 16, threads: 1024, shared_memory: 64 KiB}"), profile());
  CHECK(fewer.warnings.empty());
  CHECK(gpu(fewer.task_set).sms == 16);
  CHECK(gpu(fewer.task_set).sm.threads == 1024);
  CHECK(gpu(fewer.task_set).sm.shared_memory == 65536);
  CHECK(gpu(fewer.task_set).sm.blocks == 32);
  const auto more = on_measured_device(task_set("{device: h200, sms: 140}"), profile());
  REQUIRE(more.warnings.size() == 1);
  CHECK(more.warnings[0] == "pool 'gpu' claims 140 SMs, but the profile has 114");
  CHECK(gpu(more.task_set).sms == 114);
}

TEST_CASE("a GPU described in full keeps its description, and is warned of where it claims more") {
  const auto measured = on_measured_device(task_set("{sms: 120, threads: 2048, blocks: 64}"), profile());
  CHECK(gpu(measured.task_set).sms == 120);
  REQUIRE(measured.warnings.size() == 2);
  CHECK(measured.warnings[0] == "pool 'gpu' claims 120 SMs, but the profile has 114");
  CHECK(measured.warnings[1] == "pool 'gpu' claims 64 block slots per SM, but the profile has 32");
}

TEST_CASE("a GPU described in full is warned of where a block takes a larger part of an SM on the profile's") {
  // 16 KiB of 64 KiB; with the 1 KiB that the system adds, 3 blocks fit instead of 4. A block of 65 G-threads takes 96 of them.
  const std::string node = "  - {name: b, on: gpu, T: 10 ms, B: 40, H: 65, L: 5 us, shared_memory: 16 KiB}\n";
  DeviceProfile p = profile();
  p.limits.sms = 1;
  p.limits.shared_per_sm = 64 * 1024;
  p.limits.reserved_shared_per_block = 1024;
  const auto measured = on_measured_device(task_set("{sms: 1, threads: 2048, blocks: 32, shared_memory: 64 KiB}", node), p);
  REQUIRE(measured.warnings.size() == 2);
  CHECK(measured.warnings[0] ==
        "node 'b': a block takes 96 G-threads of an SM's 2048 G-threads on the profile's GPU, a larger part than on pool 'gpu'");
  CHECK(
      measured.warnings[1] ==
      "node 'b': a block takes 17 KiB of shared memory of an SM's 64 KiB of shared memory on the profile's GPU, a larger part than on pool "
      "'gpu'");
}

TEST_CASE("a kernel that the measured GPU would not launch is refused") {
  DeviceProfile p = profile();
  p.limits.threads_per_block = 128;
  CHECK_THROWS_WITH_AS((void)on_measured_device(task_set("{device: h200}"), p),
                       "node 'a': H: 256 G-threads are more than the profile's NVIDIA H200 lets a block have (128 allowed)", UserError);
  p.limits.threads_per_block = 1024;
  p.limits.shared_per_block = 48 * 1024;
  const std::string node = "  - {name: b, on: gpu, T: 10 ms, B: 4, H: 64, L: 5 us, shared_memory: 49153 B}\n";
  CHECK_THROWS_WITH_AS(
      (void)on_measured_device(task_set("{device: h200}", node), p),
      "node 'b': shared_memory: 49153 bytes per block are more than the profile's NVIDIA H200 lets a block have (49152 allowed)",
      UserError);
  // A GPU that is described in full does not say how many registers a block may have: the profile does, 17 warps as 20 of 3840 each.
  const std::string wide = "  - {name: w, on: gpu, T: 10 ms, B: 4, H: 544, L: 5 us, registers: 120}\n";
  CHECK_THROWS_WITH_AS((void)on_measured_device(task_set("{sms: 1, threads: 2048, registers: 65536}", wide), p),
                       "node 'w': registers: 120 per thread (per block, as a launch counts them: 76800) are more than the profile's NVIDIA "
                       "H200 lets a block have (65536 allowed)",
                       UserError);
}

TEST_CASE("another device, fewer engines and a profile without latency are warned of") {
  DeviceProfile p = profile();
  p.limits.copy_engines = 1;
  p.latencies.clear();
  const auto measured = on_measured_device(task_set("{device: tx2}"), p);
  REQUIRE(measured.warnings.size() == 4);
  CHECK(measured.warnings[0] == "pool 'gpu' has device 'tx2', but the profile is of NVIDIA H200: its figures are used");
  CHECK(measured.warnings[1] == "pool 'copy' claims 2 copy engines, but the profile has 1: one is used");
  CHECK(measured.warnings[2] == "the profile has no dispatch latency: L is taken as the task set gives it");
  CHECK(measured.warnings[3] == "the profile has no kernel switch: a kernel's blocks are taken to start as soon as there is room");
  CHECK_FALSE(measured.kernel_switches);
  CHECK(gpu(measured.task_set).sms == 114);
  CHECK(std::get<EnginePool>(measured.task_set.pools()[1].resource).engines == 1);
  CHECK(kernel(measured.task_set).L == Time(101));
}

TEST_CASE("A kernel switch counts once per kernel: 32 kernels of one block of 1 us, one SM of 32 slots, a switch of 1 us") {
  std::string tasks;
  for (int i = 0; i < 32; ++i) tasks += "  - {name: k" + std::to_string(i) + ", on: gpu, T: 10 ms, B: 1, H: 32, L: 1 us}\n";
  const auto set = io::parse_task_set("platform: {gpu: {sms: 1, threads: 2048, blocks: 32}}\ntasks:\n" + tasks, "t.yaml").task_set;
  const auto largest = [](TaskSet on, Release release, bool switches) {
    Options options;
    options.release = release;
    options.kernel_switches = switches;
    Time most;
    for (const DagProof& dag : analyze(std::make_shared<const TaskSet>(std::move(on)), options).proof.dags)
      most = std::max(most, dag.bound->R);
    return most;
  };
  DeviceProfile p = profile();
  p.latencies = {{"dispatch", Time(0), Time(0), Time(0), 100}, {"kernel-switch", Time(500), Time(800), Time(1'000), 100}};
  p.limits.sms = 1;
  const auto measured = on_measured_device(set, p);
  CHECK(measured.kernel_switches);
  // 32 blocks fit: 32 more of 1 us, each of weight 1/32, are the SM's work of 1 us.
  CHECK(kernel(measured.task_set).B == 33);
  CHECK(kernel(measured.task_set).L == Time(1'000));
  // All are enqueued at once, and the GPU switches 32 times: the last kernel starts at 32 us and ends at 33 us.
  // T6: 32 x 33/32 - 1/32 + 1 = 33.97 us. Without the switch all run at once: 32 x 1/32 - 1/32 + 1 = 1.97 us.
  CHECK(largest(set, Release::offsets, false) == Time(1'969));
  CHECK(largest(measured.task_set, Release::offsets, true) == Time(33'969));
  CHECK(largest(measured.task_set, Release::completion, true) >= Time(33'000));
  CHECK(largest(measured.task_set, Release::completion, true) <= Time(33'969));
}

TEST_CASE("A kernel's duration has the switch to it on a measured device, a measured one in place of a dispatch") {
  // 4 blocks of 101 ns that last 3101 with the dispatch of 3 us, all at once: D = 3101 + sigma. 2 ms that were measured have a dispatch in
  // them: 2 ms + max(sigma, 3 us).
  const std::string more =
      "  - {name: k, on: gpu, T: 10 ms, time: 2 ms}\n"
      "  - {name: l, on: gpu, T: 10 ms, B: 40000, H: 256, time: 2 ms}\n"
      "  - {name: s, on: gpu, T: 10 ms, B: 4, H: 256, L: 1 us, time: 2 ms}\n";
  for (const std::int64_t sigma : {5'000, 1'000, 0}) {
    CAPTURE(sigma);
    const std::int64_t added = std::max<std::int64_t>(sigma, 3'000);
    DeviceProfile p = profile();
    p.latencies.back().max = Time(sigma);
    const auto measured = on_measured_device(task_set("{device: h200}", more), p);
    const auto D = [&](DagId d) {
      const auto& kernel = std::get<GpuDemand>(measured.task_set.dags()[d].nodes()[0].demand);
      return duration_alone(kernel, gpu(measured.task_set), measured.kernel_switches ? Durations::as_given : Durations::least);
    };
    CHECK(D(0) == Time(3'101 + sigma));
    CHECK(D(2) == Time(2'000'000 + added));
    CHECK(D(3) == Time(2'000'000 + added));
    CHECK(D(4) == Time(4'000 + sigma));  // by its blocks less than 2 ms
    CHECK_FALSE(std::get<GpuDemand>(measured.task_set.dags()[2].nodes()[0].demand).has_blocks);
  }
}

TEST_CASE("A kernel whose blocks start together has the switch in its time, and no blocks that stand for it") {
  // Dispatch 3 us, switch 5 us. Cooperative, L = 100 us: 100 + 3 + 5 by its blocks; with `time` 120: the lesser of that and 120 + 5. Of
  // clusters `time` alone says it: 120 + 5. Without it nothing does.
  DeviceProfile p = profile();
  p.latencies = {{"dispatch", Time(0), Time(0), Time(3'000), 100}, {"kernel-switch", Time(0), Time(0), Time(5'000), 100}};
  const auto measured = [&](const std::string& says) {
    const std::string text =
        "platform: {gpu: {device: h200}}\ntasks:\n  - {name: a, on: gpu, T: 10 ms, B: 4, H: 256, L: 100 us, " + says + "}\n";
    return kernel(on_measured_device(io::parse_task_set(text, "t.yaml").task_set, p).task_set);
  };
  CHECK(measured("cooperative: true").time == Time(108'000));
  CHECK(measured("cooperative: true, time: 120 us").time == Time(108'000));
  CHECK(measured("cluster: 2, time: 120 us").time == Time(125'000));
  CHECK(!measured("cluster: 2").time);
  for (const char* const says : {"cooperative: true", "cluster: 2, time: 120 us", "cluster: 2"}) {
    CHECK(measured(says).B == 4);
    CHECK(measured(says).L == Time(103'000));
  }
}

TEST_CASE("A kernel of high priority counts two switches where there are two: to it, and back") {
  const auto set = io::parse_task_set(
                       "platform: {gpu: {sms: 2, threads: 2048, blocks: 32}}\ntasks:\n"
                       "  - {name: a, on: gpu, T: 10 ms, B: 4, H: 1024, L: 10 us, priority: high}\n"
                       "  - {name: b, on: gpu, T: 10 ms, B: 4, H: 1024, L: 30 us}\n",
                       "t.yaml")
                       .task_set;
  DeviceProfile p = profile();
  p.limits.sms = 2;
  p.latencies = {{"dispatch", Time(0), Time(0), Time(0), 100}, {"kernel-switch", Time(5'000), Time(5'000), Time(5'000), 100}};
  const auto measured = on_measured_device(set, p).task_set;
  // Two blocks fit on an SM. 2 SMs x 2 x 5 us x 2 / 10 us = 4 more blocks for a; 2 x 5 us x 2 / 30 us, rounded up, = 1 for b.
  CHECK(std::get<GpuDemand>(measured.dags()[0].nodes()[0].demand).B == 8);
  CHECK(std::get<GpuDemand>(measured.dags()[1].nodes()[0].demand).B == 5);
}

TEST_CASE("Of several priorities all but the lowest count two switches, and a device that has fewer is refused") {
  const auto set = io::parse_task_set(
                       "platform: {gpu: {sms: 2, threads: 2048, blocks: 32}}\ntasks:\n"
                       "  - {name: a, on: gpu, T: 10 ms, B: 4, H: 1024, L: 10 us, priority: 3}\n"
                       "  - {name: b, on: gpu, T: 10 ms, B: 4, H: 1024, L: 10 us, priority: 2}\n"
                       "  - {name: c, on: gpu, T: 10 ms, B: 4, H: 1024, L: 10 us, priority: high}\n",
                       "t.yaml")
                       .task_set;
  DeviceProfile p = profile();
  p.limits.sms = 2;
  p.limits.priority_levels = 4;
  p.latencies = {{"dispatch", Time(0), Time(0), Time(0), 100}, {"kernel-switch", Time(5'000), Time(5'000), Time(5'000), 100}};
  const auto measured = on_measured_device(set, p).task_set;
  // 2 SMs x 2 blocks x 5 us / 10 us = 2 blocks for each switch.
  CHECK(std::get<GpuDemand>(measured.dags()[0].nodes()[0].demand).B == 8);
  CHECK(std::get<GpuDemand>(measured.dags()[1].nodes()[0].demand).B == 8);
  CHECK(std::get<GpuDemand>(measured.dags()[2].nodes()[0].demand).B == 6);
  p.limits.priority_levels = 3;
  CHECK_THROWS_WITH_AS(static_cast<void>(on_measured_device(set, p)),
                       "node 'a': stream priority 3, but the profile's NVIDIA H200 has 0 to 2", UserError);
}

TEST_CASE("bounds rest on the rules of what is in use") {
  DeviceProfile p = profile();
  CHECK(names(check_rules(task_set("{device: h200}"), p).confirmed) == "G2 G3 X1 R1 R2 R-slots C-order C-engines S-grids ");
  const std::string high = "  - {name: b, on: gpu, T: 10 ms, B: 4, H: 256, L: 1 us, priority: high, shared_memory: 1 KiB, registers: 32}\n";
  CHECK(names(check_rules(task_set("{device: h200}", high), p).confirmed) ==
        "G2 G3 X1 R1 R2 R3 R-slots R-registers C-order C-engines A1 A2 S-preemption S-grids ");
  p.rules[static_cast<std::size_t>(Rule::X1)].state = RuleState::refuted;
  std::erase_if(p.rules, [](const RuleVerdict& v) { return v.rule == Rule::S_grids; });
  const RuleCheck check = check_rules(task_set("{device: h200}"), p);
  CHECK(names(check.refuted) == "X1 ");
  CHECK(check.refuted[0].pools == std::vector<std::string>{"gpu"});
  CHECK(names(check.untested) == "S-grids ");
  CHECK(check.untested[0].verdict.reason == "it was not examined");
  CHECK(check.driver == "550");
}

TEST_CASE("nothing on a GPU, no rule") {
  const TaskSet set =
      io::parse_task_set("platform: {cpu: {processors: 1}}\ntasks: [{name: a, on: cpu, T: 10 ms, C: 1 ms}]\n", "t.yaml").task_set;
  const RuleCheck check = check_rules(set, profile());
  CHECK(check.confirmed.empty());
  CHECK(check.refuted.empty());
  CHECK(check.untested.empty());
}

TEST_CASE("the longest time slice and switch that were seen replace the task set's; a GPU that is described in full is warned of") {
  const auto shared = [](const std::string& gpu) {
    return io::parse_task_set("platform: {gpu: {" + gpu +
                                  ", sharing: {slice: 1 ms, switch: 10 us}}}\ntasks:\n"
                                  "  - {name: a, process: one, on: gpu, T: 100 ms, B: 4, H: 256, C: 25600 ns}\n"
                                  "  - {name: b, process: two, on: gpu, T: 100 ms, B: 4, H: 256, C: 25600 ns}\n",
                              "t.yaml")
        .task_set;
  };
  DeviceProfile p = profile();
  const auto none = on_measured_device(shared("device: h200"), p);
  CHECK(none.warnings ==
        std::vector<std::string>{"pool 'gpu/one': the profile has no time slices: slice and switch are taken as the task set gives them",
                                 "pool 'gpu/two': the profile has no time slices: slice and switch are taken as the task set gives them"});
  CHECK(gpu(none.task_set).sharing->slice == Time(1'000'000));

  p.latencies.push_back({std::string(time_slice_latency), Time(1'900'000), Time(2'000'000), Time(2'000'000), 40});
  p.latencies.push_back({std::string(context_switch_latency), Time(150'000), Time(200'000), Time(210'000), 40});
  const auto measured = on_measured_device(shared("device: h200"), p);
  CHECK(measured.warnings.empty());
  for (const Pool& pool : measured.task_set.pools()) {
    const Sharing& sharing = *std::get<GpuPool>(pool.resource).sharing;
    CHECK(sharing.slice == Time(2'000'000));
    CHECK(sharing.switch_time == Time(210'000));
    CHECK(sharing.contexts == 2);
  }
  // G = 1 x 2 ms + 2 x 0.21 ms.
  CHECK(gap(*gpu(measured.task_set).sharing) == Time(2'420'000));

  const auto in_full = on_measured_device(shared("sms: 8, threads: 1024"), p);
  CHECK(in_full.warnings == std::vector<std::string>{"pool 'gpu/one' claims a slice of 1000000 ns, but the profile has 2000000 ns",
                                                     "pool 'gpu/one' claims a switch of 10000 ns, but the profile has 210000 ns",
                                                     "pool 'gpu/two' claims a slice of 1000000 ns, but the profile has 2000000 ns",
                                                     "pool 'gpu/two' claims a switch of 10000 ns, but the profile has 210000 ns"});
  CHECK(gpu(in_full.task_set).sharing->slice == Time(1'000'000));
}
