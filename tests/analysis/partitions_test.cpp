// Theorem P: the example of docs/theory/partitions.md, and what breaks without each of its assumptions.
#include "rta/model/partitions.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "analysis/policies/kernel_weights.hpp"
#include "rta/analysis/analyze.hpp"
#include "rta/analysis/assumptions.hpp"
#include "rta/analysis/measured_device.hpp"
#include "rta/analysis/path/path_system.hpp"
#include "rta/analysis/slack.hpp"
#include "rta/io/task_set_file.hpp"
#include "rta/model/device_profile.hpp"
#include "rta/model/error.hpp"

using namespace rta;
using namespace rta::analysis;

namespace {

/// Two kernels of blocks of half an SM: 64 and 320 blocks of 1 ms every 100 ms.
std::shared_ptr<const TaskSet> two_kernels(const std::string& gpu, const std::string& a, const std::string& b) {
  const std::string text = "platform:\n  gpu: {" + gpu + "}\ntasks:\n  - {name: a, T: 100 ms, D: 100 ms, on: " + a +
                           ", B: 64, H: 1024, L: 1 ms}\n  - {name: b, T: 100 ms, D: 100 ms, on: " + b + ", B: 320, H: 1024, L: 1 ms}\n";
  return std::make_shared<const TaskSet>(io::parse_task_set(text, "t.yaml").task_set);
}

const std::string sixteen = "sms: 16, threads: 2048";
const std::string cut = sixteen + ", partitions: {a: {sms: 4, kind: green}, b: {sms: 12, kind: green}}";

Analysis on_completion(const std::shared_ptr<const TaskSet>& set) {
  Options options;
  options.release = Release::completion;
  return analyze(set, options);
}

std::vector<Time> by_T10n(const std::shared_ptr<const TaskSet>& set) {
  const PathSystem system = path_system(*set, whole_dags(*set), kernel_weights(*set)->front(), dag_priority_points(*set));
  return path::node_bounds(system.system, path::Refinement::T10n)->R;
}

std::vector<Time> proven(const std::shared_ptr<const TaskSet>& set) {
  std::vector<Time> R;
  for (const auto& dag : on_completion(set).proof.dags) R.push_back(dag.bound.value().R);
  return R;
}

/// Kernels that arrive together, the first first, in blocks of 1 ms: as many at once as their partition has places. `one_queue`: the head
/// of one queue alone may start, though it be another partition's.
std::vector<std::int64_t> ends_in_ms(std::vector<std::int64_t> blocks, const std::vector<std::int64_t>& places, bool one_queue) {
  std::vector<std::int64_t> end(blocks.size(), 0);
  for (std::int64_t now = 0; std::accumulate(blocks.begin(), blocks.end(), std::int64_t{0}) > 0; ++now) {
    for (std::size_t k = 0; k < blocks.size(); ++k) {
      const std::int64_t start = std::min(blocks[k], places[k]);
      blocks[k] -= start;
      if (start > 0) end[k] = now + 1;
      if (one_queue && blocks[k] > 0) break;
    }
  }
  return end;
}

}  // namespace

// w = 1/2. Whole: 1 - .5/16 + (32 + 160)/16 = 12.96875 ms for both; 4 and 12 SMs: 1 - .5/4 + 32/4 and 1 - .5/12 + 160/12.
TEST_CASE("a GPU of 16 SMs, whole and cut into 4 and 12") {
  CHECK(by_T10n(two_kernels(sixteen, "gpu", "gpu")) == std::vector<Time>{Time(12'968'750), Time(12'968'750)});
  CHECK(by_T10n(two_kernels(cut, "gpu/a", "gpu/b")) == std::vector<Time>{Time(8'875'000), Time(14'291'667)});
  // One after another, in waves of as many blocks as there are places (T27): 2 + 10; 64/8 and ceil(320/24).
  CHECK(proven(two_kernels(sixteen, "gpu", "gpu")) == std::vector<Time>{Time(12'000'000), Time(12'000'000)});
  CHECK(proven(two_kernels(cut, "gpu/a", "gpu/b")) == std::vector<Time>{Time(8'000'000), Time(14'000'000)});
}

// 4 SMs have 8 places, 12 have 24: 8 rounds, and 14. In one queue, behind b's 14 rounds of which the last starts at 13 ms, a ends at 21 ms.
TEST_CASE("bounds of partitions hold for queues of their own, not for one, and not with the SMs of the whole") {
  const auto own = ends_in_ms({320, 64}, {24, 8}, false);
  CHECK(own == std::vector<std::int64_t>{14, 8});
  const auto R = by_T10n(two_kernels(cut, "gpu/a", "gpu/b"));
  CHECK(Time(own[1] * 1'000'000) <= R[0]);
  CHECK(Time(own[0] * 1'000'000) <= R[1]);
  const auto shared = ends_in_ms({320, 64}, {24, 8}, true);
  CHECK(shared == std::vector<std::int64_t>{14, 21});
  CHECK(Time(shared[1] * 1'000'000) > R[0]);
  CHECK(Time(own[0] * 1'000'000) > by_T10n(two_kernels(sixteen, "gpu", "gpu"))[1]);
}

TEST_CASE("what bounds of a partition rest on is told, once a partition") {
  const Analysis analysis = on_completion(two_kernels(cut, "gpu/a", "gpu/b"));
  const auto told = assumptions(analysis.proof, analysis.chains);
  REQUIRE(told.size() == 2);
  CHECK(told[0].pool == 0);
  CHECK(told[0].by.size() == 1);
  CHECK(told[0].text ==
        "all work of GPU 'gpu' runs in partitions that have no SM in common; blocks of pool 'gpu/a' run on its own SMs only (P1), and its "
        "kernels wait in a queue of their own (P2); times of its kernels were measured in it, with the other partitions at work");
  CHECK(told[1].pool == 1);
  const Analysis whole = on_completion(two_kernels(sixteen, "gpu", "gpu"));
  CHECK(assumptions(whole.proof, whole.chains).empty());
}

// D = 10 ms for a: 9 ms of 1 - .5/g + 32/g <= 10 hold from 31.5/9 = 3.5 SMs on. On Orin green contexts have 4, 6, 8 ... SMs.
TEST_CASE("slack: the fewest SMs of a partition are some that its device can give") {
  const auto least = [](const std::string& gpu) {
    const std::string text = "platform:\n  gpu: {" + gpu +
                             "}\ntasks:\n  - {name: a, T: 100 ms, D: 10 ms, on: gpu/a, B: 64, H: 1024, L: 1 ms}\n"
                             "  - {name: b, T: 100 ms, D: 40 ms, on: gpu/b, B: 64, H: 1024, L: 1 ms}\n";
    Options options;
    options.release = Release::completion;
    const auto set = std::make_shared<const TaskSet>(io::parse_task_set(text, "t.yaml").task_set);
    std::vector<std::uint32_t> sms;
    for (const PoolSlack& pool : slack(analyze(set, options).proof, options).pools) sms.push_back(pool.least);
    return sms;
  };
  // b: 1 - .5/g + 32/g <= 40 from one SM on.
  CHECK(least("sms: 16, threads: 2048, partitions: {a: {sms: 8, kind: green}, b: {sms: 6, kind: green}}") ==
        std::vector<std::uint32_t>{4, 1});
  CHECK(least("device: orin, threads: 2048, partitions: {a: {sms: 8, kind: green}, b: {sms: 6, kind: green}}") ==
        std::vector<std::uint32_t>{4, 4});
  // No file says how many a rest has.
  CHECK(least("device: orin, threads: 2048, partitions: {a: {sms: 8, kind: green}}, rest: b") == std::vector<std::uint32_t>{4});
}

TEST_CASE("a measured device keeps the partitions; where it has fewer SMs than they are of, it is refused") {
  const auto set = two_kernels("device: orin, threads: 2048, partitions: {a: {sms: 4, kind: green}}, rest: b", "gpu/a", "gpu/b");
  DeviceProfile profile;
  profile.device = "orin";
  profile.limits = limits_of(*find_device("orin"));
  const TaskSet measured = on_measured_device(*set, profile).task_set;
  const auto& a = std::get<GpuPool>(measured.pools()[0].resource);
  CHECK(a.sms == 4);
  CHECK(a.sm.threads == 1536);
  CHECK(a.partition == std::get<GpuPool>(set->pools()[0].resource).partition);
  profile.limits.sms = 14;
  CHECK_THROWS_WITH_AS((void)on_measured_device(*set, profile),
                       "pool 'gpu/a' is a partition of 16 SMs, but the profile's NVIDIA Jetson AGX Orin has 14", UserError);
}

// An H100 gives green contexts multiples of 8 SMs, and leaves 128 where an Orin of 16 leaves 12.
TEST_CASE("a measured device gives the partitions that it can") {
  DeviceProfile profile;
  profile.device = "h100";
  profile.limits = limits_of(*find_device("h100"));
  const auto fault = [&](const std::string& gpu) {
    try {
      (void)on_measured_device(*two_kernels(gpu, "gpu/a", "gpu/b"), profile);
    } catch (const UserError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string on = "' on the profile's " + profile.limits.product + ": ";
  CHECK(fault("device: orin, partitions: {a: {sms: 4, kind: green}, b: {sms: 8, kind: green}}") ==
        "pool 'gpu/a" + on + "a green context of compute capability 9.0 has at least 8 SMs, and a multiple of 8, not 4");
  CHECK(fault("device: orin, partitions: {a: {sms: 8, kind: green}}, rest: b") ==
        "pool 'gpu/b" + on + "it has what other partitions leave of 16 SMs, but the profile's " + profile.limits.product + " has 132");
  CHECK(fault("device: orin, partitions: {a: {sms: 8, kind: green}, b: {sms: 8, kind: green}}").empty());
  CHECK(fault("device: h200, partitions: {a: {sms: 8, kind: green}}, rest: b").empty());
  // Described in full, it is warned of as what else it claims.
  const auto told = on_measured_device(*two_kernels(cut, "gpu/a", "gpu/b"), profile).warnings;
  CHECK(std::ranges::count(told,
                           "pool 'gpu/a': a green context of compute capability 9.0 has at least 8 SMs, and a multiple of 8, not 4") == 1);
}

// Groups await kernels, which are no nodes of the set of groups.
TEST_CASE("what bounds of awaited kernels rest on is told") {
  const auto told = [](const std::string& gpu, const std::string& on) {
    const std::string text = "platform: {cpu: {processors: 4}, g: {" + gpu +
                             "}}\ndags:\n  - {name: d, T: 5 ms, nodes: {x: {on: cpu, C: 1 ms, group: g1}, y: {on: " + on +
                             ", B: 8, H: 512, L: 1 ms, registers: 64, group: g1}}, edges: [x -> y]}\n";
    Options options;
    options.granularity = Granularity::coarse;
    const Analysis found = analyze(std::make_shared<const TaskSet>(io::parse_task_set(text, "t.yaml").task_set), options);
    std::vector<std::string> texts;
    for (const Assumption& one : assumptions(found.proof, found.chains)) texts.push_back(one.text.substr(0, 30));
    return texts;
  };
  CHECK(told("sms: 4, threads: 1536, partitions: {a: {sms: 2, kind: mps}}", "g/a") ==
        std::vector<std::string>{"all work of GPU 'g' runs in pa"});
  CHECK(told("sms: 4, threads: 1536, registers: 65536", "g") == std::vector<std::string>{"an SM of pool 'g' has its regi"});
}
