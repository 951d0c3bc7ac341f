// Rule 5 of C1, docs/theory/contention.md: kernels of DAGs that one clock releases, by hand and against the simulator, which plays company.
#include <doctest/doctest.h>

#include <array>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "analysis/company/phases.hpp"
#include "rta/analysis/explain.hpp"
#include "rta/io/task_set_file.hpp"
#include "support/slowed_played.hpp"

using namespace rta;
using namespace rta::test;
using namespace rta::literals;

namespace {

/// The sets of `slowed_set` on a clock: periods are small multiples of one, and phases of its eighths.
std::shared_ptr<const TaskSet> clocked_set(std::uint64_t seed) {
  Dice dice(seed);
  const auto sporadic = slowed_set(seed);
  std::int64_t base = 1;
  for (const Dag& dag : sporadic->dags()) base = std::max(base, dag.period().count());
  std::vector<Dag> dags;
  for (const Dag& dag : sporadic->dags()) {
    DagAttributes attributes;
    attributes.periodic = true;
    const std::int64_t times = dice.between(1, 3);
    attributes.phase = Time(dice.between(0, 8 * times - 1) * (base / 8));
    if (dice.one_in(4)) attributes.jitter = Time(dice.between(0, base / 8));
    const Time nominal(base * times);
    dags.emplace_back(dag.name(), nominal - attributes.jitter, dag.deadline(), std::vector<Node>(dag.nodes().begin(), dag.nodes().end()),
                      std::vector<Edge>(dag.edges().begin(), dag.edges().end()), attributes);
  }
  return std::make_shared<const TaskSet>("clocked", std::vector<Pool>(sporadic->pools().begin(), sporadic->pools().end()), std::move(dags));
}

/// The set with these durations.
std::shared_ptr<const TaskSet> with_durations_of(const TaskSet& set, const TaskSet& durations) {
  std::vector<Dag> dags;
  for (DagId d = 0; d < set.dags().size(); ++d) {
    const Dag& dag = set.dags()[d];
    const auto nodes = durations.dags()[d].nodes();
    dags.emplace_back(dag.name(), dag.period(), dag.deadline(), std::vector<Node>(nodes.begin(), nodes.end()),
                      std::vector<Edge>(dag.edges().begin(), dag.edges().end()), dag.attributes());
  }
  return std::make_shared<const TaskSet>(set.name(), std::vector<Pool>(set.pools().begin(), set.pools().end()), std::move(dags));
}

analysis::Lasting lasting_of_bounds(const analysis::Proof& proof) {
  analysis::Lasting lasting = analysis::all_last(*proof.task_set);
  for (DagId d = 0; d < lasting.size(); ++d) {
    for (NodeId v = 0; v < lasting[d].size(); ++v) {
      const auto& bound = proof.dags[d].nodes[v].bound;
      lasting[d][v] = !bound || bound->R > proof.task_set->dags()[d].period();
    }
  }
  return lasting;
}

/// The windows of bounds without company, taken for proven.
analysis::Proof unproven_windows(const std::shared_ptr<const TaskSet>& set) {
  const auto without = bounds_of(with_matrices(*set, 0, 1));
  return bounds_of(analysis::with_company(*set, lasting_of_bounds(without), analysis::windows_of(without)));
}

/// Windows of the first jobs alone, as if all DAGs came as rarely as their hyperperiod.
analysis::Proof first_jobs_only(const std::shared_ptr<const TaskSet>& set) {
  const auto proof = bounds_of(set);
  std::vector<Dag> rare;
  for (const Dag& dag : set->dags()) {
    rare.emplace_back(dag.name(), Time(1'000'000'000) - dag.attributes().jitter, std::nullopt,
                      std::vector<Node>(dag.nodes().begin(), dag.nodes().end()), std::vector<Edge>(dag.edges().begin(), dag.edges().end()),
                      dag.attributes());
  }
  const TaskSet rarely("rarely", std::vector<Pool>(set->pools().begin(), set->pools().end()), std::move(rare));
  const auto durations = analysis::with_company(rarely, proof.company->lasting, analysis::windows_of(proof));
  return bounds_of(with_durations_of(*set, *durations));
}

std::shared_ptr<const TaskSet> two_on_a_clock(const std::string& first, const std::string& second) {
  return std::make_shared<const TaskSet>(
      io::parse_task_set("platform: {gpu: {sms: 2, threads: 64, interference: {classes: [L2, DRAM], other-sm: "
                         "{L2: [0.46, 2.32], DRAM: [0.71, 1.74]}}}}\ndags:\n  - {name: a, periodic: true, " +
                             first + ", nodes: {k: {on: gpu, B: 1, H: 64, L: {alone: 10 us}, class: L2}}}\n  - {name: b, periodic: true, " +
                             second + ", nodes: {k: {on: gpu, B: 1, H: 64, L: {alone: 10 us}, class: DRAM}}}\n",
                         "set.yaml")
          .task_set);
}

/// What both take, in us and tenths.
std::pair<std::int64_t, std::int64_t> durations_of(const std::shared_ptr<const TaskSet>& set, Release release = Release::completion) {
  const auto proof = bounds_of(set, release);
  const auto of = [&](DagId d) { return longest_piece(proof.task_set->dags()[d].nodes()[0]).count() / 100; };
  return {of(0), of(1)};
}

constexpr std::pair<std::int64_t, std::int64_t> apart{100, 100};
constexpr std::pair<std::int64_t, std::int64_t> together{219, 171};  // k of b is beside that of a for 17.1 us

}  // namespace

TEST_CASE("kernels whose windows never meet are no company of one another") {
  // One in [0, 10), the other in [50, 60) of every 100.
  const auto set = two_on_a_clock("T: 100 us, phase: 0 ms", "T: 100 us, phase: 50 us");
  CHECK(durations_of(set) == apart);
  const auto proof = bounds_of(set);
  CHECK(proof.dags[0].bound->R == 10'001_ns);  // T23 counts one ns in which the other may be there
  CHECK(proof.dags[1].bound->R == 10'001_ns);
  CHECK(analysis::explain(proof, "a").lines.back() ==
        "never beside it, which runs in [0, 10001) + n 100000 ns, by the clock that releases both: b/k in [50000, 60001) + n 100000 ns");
  for (const Release release : {Release::offsets, Release::segments, Release::early}) CHECK(durations_of(set, release) == apart);
  // The second comes while the first runs.
  CHECK(durations_of(two_on_a_clock("T: 100 us, phase: 0 ms", "T: 100 us, phase: 9 us")) == together);
  CHECK(durations_of(two_on_a_clock("T: 100 us, phase: 0 ms", "T: 100 us, phase: 91 us")) == together);
}

TEST_CASE("windows of different periods come within their greatest common divisor") {
  // 100 and 75: starts are 12 apart, or 25 more or less. 10 <= 12 and 10 <= 13.
  CHECK(durations_of(two_on_a_clock("T: 100 us, phase: 0 ms", "T: 75 us, phase: 12 us")) == apart);
  CHECK(durations_of(two_on_a_clock("T: 100 us, phase: 0 ms", "T: 75 us, phase: 87 us")) == apart);
  CHECK(durations_of(two_on_a_clock("T: 100 us, phase: 0 ms", "T: 75 us, phase: 34 us")) == together);  // 9
  CHECK(durations_of(two_on_a_clock("T: 100 us, phase: 0 ms", "T: 70 us, phase: 15 us")) == together);  // within 10
  // What is released late by 2 us at most has ended 12.001 after its nominal release; late by 3, it may meet the next.
  CHECK(durations_of(two_on_a_clock("T: 100 us, phase: 0 ms", "T: 75 us, phase: 12 us, jitter: 2 us")) == apart);
  CHECK(durations_of(two_on_a_clock("T: 100 us, phase: 0 ms", "T: 75 us, phase: 12 us, jitter: 3 us")) == together);
}

TEST_CASE("no schedule on the clock exceeds the bounds by windows") {
  std::size_t nodes = 0, kept_apart = 0, shorter = 0;
  for (std::uint64_t seed = 1; seed <= 700; ++seed) {
    const auto set = clocked_set(seed);
    for (const Release release : {Release::completion, Release::offsets}) {
      if (release == Release::offsets && seed % 4 != 0) continue;
      const auto proof = bounds_of(set, release);
      if (!analysis::is_playable(proof)) continue;
      const auto windows = analysis::counted_windows(proof);
      for (DagId d = 0; d < windows.size(); ++d) {
        for (DagId e = 0; e < d; ++e) kept_apart += analysis::clock_keeps_apart(*set, windows, d, 0, e, 0) ? 1 : 0;
      }
      if (*analysis::with_company(*set, proof.company->lasting) != *proof.task_set) ++shorter;
      const auto broken = later_than(proof, worst_played(*set, schedule_of(proof), seed, 16));
      REQUIRE_MESSAGE(!broken, "seed " << seed << ": " << broken.value_or(""));
      for (const analysis::DagProof& dag : proof.dags) nodes += dag.bound ? dag.nodes.size() : 0;
    }
  }
  CHECK(nodes > 500);
  CHECK(kept_apart > 100);
  CHECK(shorter > 50);
}

TEST_CASE("schedules on the clock exceed what would follow of windows that are wrong") {
  struct Variant {
    const char* what;
    analysis::Proof (*bounds)(const std::shared_ptr<const TaskSet>&);
    bool caught;
  };
  std::array<Variant, 2> variants{{{"unproven windows", unproven_windows, false}, {"windows of the first jobs", first_jobs_only, false}}};
  for (std::uint64_t seed = 1; seed <= 5'000; ++seed) {
    if (variants[0].caught && variants[1].caught) break;
    const auto set = clocked_set(seed);
    const auto worst = worst_played(*set, released_on_completion(*set), seed, 8);
    for (Variant& variant : variants) {
      if (!variant.caught) variant.caught = later_than(variant.bounds(set), worst).has_value();
    }
  }
  for (const Variant& variant : variants) CHECK_MESSAGE(variant.caught, std::string(variant.what));
}
