// Published experiments, scaled to other devices and compared with the simulator's timeline.
#include "rta/examine/reproduction.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "examine/gpu_variant.hpp"
#include "rta/examine/judge.hpp"
#include "rta/io/experiment_file.hpp"
#include "rta/model/error.hpp"

using namespace rta;
using namespace rta::examine;

namespace {

Experiment literature(const std::string& name) {
  std::ifstream in(std::string(RTA_SOURCE_DIR) + "/tasksets/literature/experiments/" + name);
  return io::parse_experiment(std::string(std::istreambuf_iterator<char>(in), {}), name).experiment;
}

std::set<std::string> confirmed(const Probe& probe, const variant::Rules& rules) {
  Judge judge(probe);
  for (std::uint64_t seed = 1; !judge.is_done(); ++seed) (void)judge.hear(variant::play(probe.experiment, rules, seed));
  std::set<std::string> names;
  for (const Finding& finding : judge.findings()) {
    if (finding.state == RuleState::confirmed) names.insert(finding.variant);
  }
  return names;
}

}  // namespace

TEST_CASE("scaled to 132 SMs of 2048 threads and 228 KiB: blocks times 66, half of the shared memory less what the system adds") {
  const Experiment e = scaled(literature("amert2017-table-1.yaml"), limits_of(*find_device("h200")));
  const auto& K1 = std::get<GpuDemand>(e.operations()[0].demand);
  CHECK(e.operations()[0].name == "K1");
  CHECK(K1.B == 6 * 66);
  CHECK(K1.H == 768);
  CHECK(K1.L == Time(4'000'000));
  std::uint64_t shared = 0;
  for (const Operation& o : e.operations()) {
    if (o.name == "K4") shared = std::get<GpuDemand>(o.demand).shared_memory;
    if (o.name == "K4") CHECK(o.at == Time(2'340'000));
  }
  CHECK(shared == 114 * 1024 - 1024);
}

TEST_CASE("threads of smaller SMs: whole warps; blocks of an odd number of SMs: rounded up") {
  DeviceLimits limits = limits_of(*find_device("rtx-4090"));
  limits.sms = 3;
  const Experiment e = scaled(literature("amert2017-table-5.yaml"), limits);
  const auto& K1 = std::get<GpuDemand>(e.operations()[0].demand);
  CHECK(K1.B == 2);    // 3/2
  CHECK(K1.H == 384);  // 512 x 1536/2048
}

TEST_CASE("what cannot be scaled is refused") {
  DeviceLimits less = limits_of(*find_device("h200"));
  less.shared_per_block = 48 * 1024;
  CHECK_THROWS_WITH_AS((void)scaled(literature("amert2017-table-1.yaml"), less),
                       "'K4' cannot be scaled to NVIDIA H200: its blocks would take 115712 bytes of shared memory, and 49152 are allowed",
                       UserError);
  // 60 registers for each of 1024 threads: 2048 for a warp, 65536 for the block, of 32768.
  GpuDemand kernel;
  kernel.H = 1024;
  kernel.L = Time(1'000'000);
  kernel.registers_per_thread = 60;
  const Experiment wide("wide", {{"gpu", find_device("h200")->gpu}}, {Operation{"K", 0, kernel, "S1", Time(), {}, Time()}});
  DeviceLimits small = limits_of(*find_device("h200"));
  small.registers_per_sm = 32768;
  CHECK_THROWS_WITH_AS((void)scaled(wide, small), "'K' cannot be scaled to NVIDIA H200: its blocks would not fit on an SM", UserError);
}

TEST_CASE("every published experiment is reproduced by a GPU that follows the rules, on two kinds of devices") {
  for (const char* device : {"tx2", "orin"}) {
    DeviceLimits limits = limits_of(*find_device(device));
    if (limits.sms > 4) limits.sms = 4;  // the naive simulation is slow
    for (const auto& entry : std::filesystem::directory_iterator(std::string(RTA_SOURCE_DIR) + "/tasksets/literature/experiments")) {
      CAPTURE(device);
      CAPTURE(entry.path().string());
      const Probe probe = reproduction("p", literature(entry.path().filename().string()), limits);
      if (probe.experiment.has_calls()) {  // which the naive simulation does not make
        CHECK(probe.predictions.front().read(simulated_run(probe.experiment)).agrees);
        continue;
      }
      const bool has_variants = probe.predictions.size() > 1;
      // What one variant leaves open the other may say, so that both can hold.
      CHECK(confirmed(probe, {}).contains(has_variants ? "C1-C6" : ""));
      CHECK(confirmed(probe, {.waiting_queue = false}).contains(has_variants ? "C1-C4" : ""));
    }
  }
}

TEST_CASE("Figure 3.11 is not reproduced where cudaFree holds nobody up") {
  const Experiment figure = literature("yang2020-figure-3.11.yaml");
  const Probe probe = reproduction("p", figure, limits_of(*find_device("tx2")));
  std::vector<Operation> operations(probe.experiment.operations().begin(), probe.experiment.operations().end());
  for (Operation& o : operations) {
    if (o.name == "cudaFree") o.demand = CallDemand{gpu_call("cudaDeviceSynchronize")};
  }
  const Experiment other("other", {probe.experiment.pools().begin(), probe.experiment.pools().end()}, operations);
  CHECK_FALSE(probe.predictions.front().read(simulated_run(other)).agrees);
}

TEST_CASE("a broken rule shows where the experiment is about it") {
  const DeviceLimits limits = limits_of(*find_device("tx2"));
  const auto shows = [&](const std::string& name, const variant::Rules& rules) {
    return confirmed(reproduction("p", literature(name), limits), rules).empty();
  };
  CHECK(shows("amert2017-table-1.yaml", {.head_of_line = false}));  // Figure 4 (a): K4 would fit
  CHECK(shows("amert2017-table-2.yaml", {.null_waits = false}));    // Figure 5
  CHECK(shows("amert2017-table-2.yaml", {.null_is_awaited = false}));
  CHECK(shows("amert2017-table-3.yaml", {.priorities = false}));     // Figure 6
  CHECK(shows("amert2017-table-5.yaml", {.high_reserves = false}));  // Figure 8: K9 would fit
  CHECK_FALSE(shows("amert2017-table-5.yaml", {.null_waits = false}));
}
