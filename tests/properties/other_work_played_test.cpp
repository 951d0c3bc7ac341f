// Copies and CPU nodes as company of kernels: the simulator by hand, against C1, and against wrong variants of it.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "rta/io/task_set_file.hpp"
#include "rta/simulate/simulate.hpp"
#include "support/other_work_system.hpp"

using namespace rta;
using namespace rta::test;
using namespace rta::literals;

namespace {

/// A kernel of 10 us alone, twice as long beside copies and three times beside CPU nodes; a copy and a CPU node of other DAGs.
std::vector<Time> beside(Time copy_at, Time cpu_at) {
  const TaskSet set = io::parse_task_set(R"(platform:
  cpu: {processors: 2, scheduler: FIFO}
  copy: {engines: 2}
  gpu: {sms: 1, threads: 64, interference: {classes: [x], other-sm: {x: [0]}, beside: {copies: [1], cpu: [2]}}}
dags:
  - {name: a, T: 1 ms, nodes: {k: {on: gpu, B: 1, H: 64, L: {alone: 10 us}, class: x}}}
  - {name: b, T: 1 ms, nodes: {up: {on: copy, C: 6 us, direction: h2d}}}
  - {name: c, T: 1 ms, nodes: {c: {on: cpu, C: 6 us}}}
)",
                                         "set.yaml")
                          .task_set;
  simulate::Options options;
  options.duration = 1_ms;
  options.releases.phases = {0_us, copy_at, cpu_at};
  const auto seen = simulate::simulate(set, released_on_completion(set), options);
  return {seen.dags[0].response.max(), seen.dags[1].response.max(), seen.dags[2].response.max()};
}

}  // namespace

TEST_CASE("a block is slower while copies and CPU nodes run, and these are as they are") {
  CHECK(beside(0_us, 100_us) == std::vector{13_us, 6_us, 6_us});       // 3 of its 10 us in the first 6
  CHECK(beside(100_us, 0_us) == std::vector{14_us, 6_us, 6_us});       // 2
  CHECK(beside(0_us, 0_us) == std::vector{Time(14'500), 6_us, 6_us});  // 6/4, then 8.5
  CHECK(beside(2_us, 4_us) == std::vector{Time(15'334), 6_us, 6_us});  // 2 + 2/2 + 4/4 by 8, 2/3 by 10, then 5.333
  CHECK(beside(100_us, 100_us) == std::vector{10_us, 6_us, 6_us});
}

TEST_CASE("no simulated schedule of kernels beside copies and CPU nodes exceeds C1") {
  std::size_t nodes = 0, close = 0, lasting = 0;
  for (const Release release : {Release::completion, Release::offsets}) {
    for (std::uint64_t seed = 1; seed <= 600; ++seed) {
      const auto set = other_work_set(seed);
      const analysis::Proof proof = bounds_of(set, release);
      if (!analysis::is_playable(proof) || verdict_of(proof) == analysis::Verdict::unbounded) continue;
      const auto worst = worst_played(*set, schedule_of(proof), seed, 24);
      const auto broken = later_than(proof, worst);
      REQUIRE_MESSAGE(!broken, "seed " << seed << ": " << broken.value_or(""));
      for (DagId d = 0; d < worst.size(); ++d) {
        for (NodeId v = 0; v < worst[d].size(); ++v) {
          ++nodes;
          if (worst[d][v] * 10 > proof.dags[d].nodes[v].bound->R * 8) ++close;
          if (proof.company->lasting[d][v]) ++lasting;
        }
      }
    }
  }
  CHECK(nodes > 1'000);
  CHECK(close > 100);
  CHECK(lasting > 20);
}

TEST_CASE("schedules exceed what would follow without some copies and CPU nodes") {
  auto variants = wrong_columns;
  for (std::uint64_t seed = 1; seed <= 5'000; ++seed) {
    if (std::ranges::all_of(variants, &WrongColumns::caught)) break;
    const auto set = other_work_set(seed);
    const auto worst = worst_played(*set, released_on_completion(*set), seed, 48);
    for (WrongColumns& variant : variants) {
      if (!variant.caught) variant.caught = later_than(variant.bounds(*set), worst).has_value();
    }
  }
  for (const WrongColumns& variant : variants) CHECK_MESSAGE(variant.caught, std::string(variant.what));
}

TEST_CASE(
    "columns that grow shorten no duration, and without them, where company is counted in time (C2), none is longer than with zeros") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const auto set = other_work_set(seed);
    const auto half = bounds_of(with_columns(*set, [](Lengthening& copies, Lengthening& cpus) { copies /= 2, cpus /= 2; }));
    const auto zero = bounds_of(with_columns(*set, [](Lengthening& copies, Lengthening& cpus) { copies = cpus = 0; }));
    const auto whole = bounds_of(set);
    std::vector<Pool> pools(set->pools().begin(), set->pools().end());
    for (auto& row : std::get<GpuPool>(pools.front().resource).interference->other_sm) row.resize(class_count);
    const auto none =
        bounds_of(std::make_shared<const TaskSet>(set->name(), std::move(pools), std::vector<Dag>(set->dags().begin(), set->dags().end())));
    for (DagId d = 0; d < whole.dags.size(); ++d) {
      REQUIRE(zero.dags[d].bound.has_value() == none.dags[d].bound.has_value());
      if (zero.dags[d].bound) CHECK(zero.dags[d].bound->R >= none.dags[d].bound->R);
      for (NodeId v = 0; v < whole.dags[d].nodes.size(); ++v) {
        if (!whole.dags[d].nodes[v].bound) continue;
        REQUIRE(half.dags[d].nodes[v].bound);
        const auto length = [&](const analysis::Proof& proof) { return longest_piece(proof.task_set->dags()[d].nodes()[v]); };
        CHECK_MESSAGE(length(whole) >= length(half), "seed " << seed);
        CHECK_MESSAGE(length(half) >= length(zero), "seed " << seed);
        CHECK_MESSAGE(length(zero) >= length(none), "seed " << seed);
      }
    }
  }
}
