// Which rules the judge confirms and refutes: on GPUs that follow all rules, and on GPUs that break one on purpose.
#include "rta/examine/judge.hpp"

#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>

#include "examine/gpu_variant.hpp"
#include "rta/examine/examination.hpp"
#include "rta/model/error.hpp"
#include "rta/simulate/simulate.hpp"

using namespace rta;
using namespace rta::examine;

namespace {

// Two SMs, one copy engine; as a Jetson TX2, but with few slots, so that the tests are quick.
DeviceLimits small_device() {
  DeviceLimits limits = limits_of(*find_device("tx2"));
  limits.blocks_per_sm = 16;
  limits.sms = 3;
  return limits;
}

// What measurements decide.
const std::set<Rule> measured{Rule::S_grids, Rule::S_connections, Rule::S_processes, Rule::S_synchronisation};

void judge(Examination& examination, const variant::Rules& rules, std::uint64_t seed) {
  for (std::size_t p = 0; p < examination.probes(); ++p) {
    while (!examination.judge(p).is_done()) {
      (void)examination.hear(p, variant::play(examination.judge(p).probe().experiment, rules, ++seed));
    }
  }
}

struct Verdicts {
  std::map<Rule, RuleVerdict> of;
  std::set<std::string> refuted, untested;
};
Verdicts verdicts_of(const Examination& examination) {
  Verdicts all;
  for (const RuleVerdict& verdict : examination.verdicts()) {
    if (measured.contains(verdict.rule)) continue;
    all.of[verdict.rule] = verdict;
    if (verdict.state == RuleState::refuted) all.refuted.emplace(to_string(verdict.rule));
    if (verdict.state == RuleState::untested) all.untested.emplace(to_string(verdict.rule));
  }
  return all;
}
Verdicts verdicts_under(const variant::Rules& rules, const DeviceLimits& limits = small_device(), std::uint64_t seed = 1) {
  Examination examination(limits);
  judge(examination, rules, seed);
  return verdicts_of(examination);
}

using Names = std::set<std::string>;

std::string text(const Names& names) {
  std::string all;
  for (const std::string& name : names) all += name + " ";
  return all;
}

void check_refuted(const variant::Rules& rules, const Names& refuted, const Names& untested = {}) {
  for (const std::uint64_t seed : {std::uint64_t{1}, std::uint64_t{1'000'000}, std::uint64_t{2'000'000}}) {
    const Verdicts verdicts = verdicts_under(rules, small_device(), seed);
    CHECK(text(verdicts.refuted) == text(refuted));
    CHECK(text(verdicts.untested) == text(untested));
  }
}

}  // namespace

TEST_CASE("every prediction holds in the simulator, on every built-in device") {
  for (const Device& device : devices()) {
    const Catalogue all = catalogue(limits_of(device));
    CHECK(all.untestable.empty());
    CHECK(all.probes.size() == 18);
    for (const Probe& probe : all.probes) {
      CAPTURE(device.name);
      CAPTURE(probe.name);
      for (const auto rules : {simulate::CopyRules::yang2020, simulate::CopyRules::amert2017}) {
        simulate::Options options;
        options.copy_rules = rules;
        RunRecorder recorder(probe.experiment);
        (void)simulate::simulate(probe.experiment, options, &recorder);
        const ObservedRun run = recorder.take();
        for (const Condition& condition : probe.conditions) CHECK(condition.fault(run).value_or("") == "");
        for (const Prediction& prediction : probe.predictions) {
          CAPTURE(prediction.text);
          const bool other_variant = (prediction.variant == "C1-C6" && rules == simulate::CopyRules::amert2017) ||
                                     (prediction.variant == "C1-C4" && rules == simulate::CopyRules::yang2020) ||
                                     (prediction.rule == Rule::S_placement && prediction.variant != "most-free");
          CHECK(prediction.read(run).agrees == !other_variant);
        }
      }
    }
  }
}

TEST_CASE("a GPU that follows the rules: all are confirmed") {
  check_refuted({}, {});
  const Verdicts verdicts = verdicts_under({});
  CHECK(verdicts.of.at(Rule::C_queue).variant == "C1-C6");
  CHECK(verdicts.of.at(Rule::S_placement).variant == "most-free");
  CHECK(verdicts.of.at(Rule::X1).runs == 33);
  CHECK(verdicts.of.at(Rule::X1).contradicting == 0);
}

TEST_CASE("a large GPU that follows the rules") {
  DeviceLimits limits = limits_of(*find_device("h200"));
  limits.sms = 24;  // the naive simulation is slow
  const Verdicts verdicts = verdicts_under({}, limits);
  CHECK(verdicts.refuted.empty());
  CHECK(verdicts.untested.empty());
}

TEST_CASE("last in, first out: G2 is refuted, and X1, which presumes it, cannot be tested") {
  check_refuted({.first_in_first_out = false}, {"G2"}, {"X1"});
}
TEST_CASE("no head-of-line blocking") { check_refuted({.head_of_line = false}, {"X1"}); }
TEST_CASE("slots do not count") { check_refuted({.slots = false}, {"R-slots"}); }
TEST_CASE("shared memory does not count") { check_refuted({.shared_memory = false}, {"R3"}); }
TEST_CASE("registers do not count") { check_refuted({.registers = false}, {"R-registers"}); }
TEST_CASE("blocks start late") { check_refuted({.at_once = false}, {"R1"}); }
TEST_CASE("priorities do not count: A1 is refuted, and A2, which presumes it, cannot be tested") {
  // Without priorities a kernel of high priority waits for its turn, after the blocks that fill the GPU: no preemption is seen.
  check_refuted({.priorities = false}, {"A1"}, {"A2"});
}
TEST_CASE("more than two priorities: each has a queue of its own, or all above the lowest share one") {
  DeviceLimits limits = small_device();
  limits.priority_levels = 6;
  const Verdicts verdicts = verdicts_under({}, limits);
  CHECK(verdicts.refuted.empty());
  CHECK(verdicts.of.at(Rule::A1).state == RuleState::confirmed);
  CHECK(verdicts_under({.levels = false}, limits).refuted == Names{"A1"});
}
TEST_CASE("low priority may cut ahead of a kernel that does not fit") { check_refuted({.high_reserves = false}, {"A2"}); }
TEST_CASE("high priority preempts") {
  const Verdicts verdicts = verdicts_under({.preemption = true});
  CHECK(verdicts.refuted == Names{"S-preemption"});
  // The scene of A2, a high kernel that waits, never comes about.
  CHECK(verdicts.untested == Names{"A2"});
  CHECK(verdicts.of.at(Rule::A2).reason.find("the scene did not come about: h did not wait") != std::string::npos);
}
TEST_CASE("two copy engines where one is claimed, and the other way round") {
  check_refuted({.engines = 2}, {"C-engines"});
  DeviceLimits limits = small_device();
  limits.copy_engines = 2;
  CHECK(verdicts_under({.engines = 1}, limits).refuted == Names{"C-engines"});
  CHECK(verdicts_under({}, limits).refuted.empty());
}
TEST_CASE("copies of one direction at the same time") {
  const Verdicts verdicts = verdicts_under({.copies_one_at_a_time = false, .engines = 2});
  CHECK(verdicts.refuted.contains("C-order"));
}
TEST_CASE("no waiting queue in front of the copy engine: the other variant is confirmed") {
  const Verdicts verdicts = verdicts_under({.waiting_queue = false});
  CHECK(verdicts.refuted.empty());
  CHECK(verdicts.of.at(Rule::C_queue).variant == "C1-C4");
}
TEST_CASE("implicit synchronisation is missing") {
  check_refuted({.null_waits = false}, {"N1"});
  check_refuted({.null_is_awaited = false}, {"N2"});
  check_refuted({.null_waits = false, .null_is_awaited = false}, {"N1", "N2"});
}
TEST_CASE("non-blocking streams block") { check_refuted({.non_blocking = false}, {"N3"}); }
TEST_CASE("a stream does not wait for the end of a kernel") {
  // b then starts beside a in head-of-stream, too: it need not wait there, and G2 is still judged by the probe fifo.
  const Verdicts verdicts = verdicts_under({.stream_waits_for_end = false});
  CHECK(verdicts.refuted.contains("G4"));
  CHECK_FALSE(verdicts.refuted.contains("G3"));
  CHECK_FALSE(verdicts.refuted.contains("X1"));
}
TEST_CASE("a kernel stays in the EE queue to its end") {
  const Verdicts verdicts = verdicts_under({.leaves_when_dispatched = false});
  CHECK(verdicts.refuted.contains("G3"));
  CHECK_FALSE(verdicts.refuted.contains("G2"));
  CHECK_FALSE(verdicts.refuted.contains("G4"));
}
TEST_CASE("placement is recognised") {
  const auto placed = [](simulate::Placement policy) {
    const Verdicts verdicts = verdicts_under({.placement = policy});
    // Nothing but its own verdict depends on placement.
    CHECK((verdicts.refuted.empty() || verdicts.refuted == Names{"S-placement"}));
    return verdicts.of.at(Rule::S_placement);
  };
  CHECK(placed(simulate::Placement::round_robin).variant == "round-robin");
  CHECK(placed(simulate::Placement::first_fit).variant == "first-fit or least-free");
  CHECK(placed(simulate::Placement::least_free).variant == "first-fit or least-free");
  CHECK(placed(simulate::Placement::random).state == RuleState::refuted);
}

TEST_CASE("the sequential test: bounds of Wald with the stated error rates") {
  // ln(0.001/0.999) / ln(0.8/0.99) = 32.4: 33 agreeing runs; ln(0.999/0.001) / ln(20) = 2.3: three contradicting ones.
  SequentialTest agreeing;
  for (int i = 0; i < 32; ++i) agreeing.add(true);
  CHECK_FALSE(agreeing.confirmed());
  agreeing.add(true);
  CHECK(agreeing.confirmed());
  SequentialTest contradicting;
  contradicting.add(false);
  contradicting.add(false);
  CHECK_FALSE(contradicting.refuted());
  contradicting.add(false);
  CHECK(contradicting.refuted());
  // Once decided, decided.
  for (int i = 0; i < 1000; ++i) contradicting.add(true);
  CHECK(contradicting.refuted());
  CHECK_THROWS_AS(SequentialTest({0.001, 0.001, 0.3, 0.2}), Defect);
  CHECK_THROWS_AS(SequentialTest({0.6, 0.001, 0.01, 0.2}), Defect);
}

TEST_CASE("error rates are kept: noise at its stated rate seldom refutes, a break at its stated rate is seldom missed") {
  std::mt19937_64 random(7);
  const auto wrong = [&](double contradicting, bool is_broken) {
    int count = 0;
    for (int i = 0; i < 20'000; ++i) {
      SequentialTest test;
      while (!test.confirmed() && !test.refuted()) test.add(!std::bernoulli_distribution(contradicting)(random));
      if (test.refuted() != is_broken) ++count;
    }
    return count;
  };
  // 20 expected at most; 45 is more than five standard deviations above.
  CHECK(wrong(0.01, false) <= 45);
  CHECK(wrong(0.2, true) <= 45);
}

TEST_CASE("disturbed runs and runs without their scene are not counted; too many end the probe") {
  const Catalogue all = catalogue(small_device());
  const Probe& probe = all.probes[2];
  REQUIRE(probe.name == "fifo");
  Judge judge(probe);
  ObservedRun run = variant::play(probe.experiment, {}, 1);
  ObservedRun disturbed = run;
  disturbed.disturbances = {"SM clock: 1980 MHz before, 900 MHz after"};
  CHECK(judge.hear(disturbed) == Heard::disturbed);
  ObservedRun late = run;
  late.operations[1].issued = Time(30'000'000);
  CHECK(judge.hear(late) == Heard::unfit);
  CHECK(judge.hear(run) == Heard::counted);
  CHECK(judge.counted() == 1);
  while (!judge.is_done()) (void)judge.hear(disturbed);
  CHECK(judge.disturbed() == 99);
  CHECK(judge.findings().front().state == RuleState::untested);
  CHECK(judge.reason() == "99 of 101 runs of 'fifo' were disturbed: SM clock: 1980 MHz before, 900 MHz after");
}

TEST_CASE("one undetected disturbance does not refute") {
  const Catalogue all = catalogue(small_device());
  const Probe& probe = all.probes[4];
  REQUIRE(probe.name == "head-of-line");
  Judge judge(probe);
  (void)judge.hear(variant::play(probe.experiment, {.head_of_line = false}, 1));
  std::uint64_t seed = 1;
  while (!judge.is_done()) (void)judge.hear(variant::play(probe.experiment, {}, ++seed));
  CHECK(judge.findings().front().state == RuleState::confirmed);
  CHECK(judge.findings().front().contradicting == 1);
}

TEST_CASE("the evidence is the smallest contradicting trace") {
  const Catalogue all = catalogue(small_device());
  Judge judge(all.probes[4]);
  const std::pair<const char*, std::uint64_t> runs[] = {{"large", 90}, {"small", 40}, {"middle", 60}};
  for (const auto& [name, records] : runs) {
    ObservedRun run = variant::play(all.probes[4].experiment, {.head_of_line = false}, records);
    run.file = name;
    run.records = records;
    (void)judge.hear(run);
  }
  CHECK(judge.findings().front().state == RuleState::refuted);
  CHECK(judge.findings().front().evidence == "small");
  CHECK(judge.findings().front().seen.find("before the last block of b") != std::string::npos);
}

TEST_CASE("--rules: only what is asked for, and what it presumes") {
  const Examination examination(small_device(), "X");
  CHECK(examination.examines(Rule::X1));
  CHECK(examination.examines(Rule::G2));
  CHECK_FALSE(examination.examines(Rule::A1));
  CHECK_FALSE(examination.examines(Rule::R1));
  CHECK(examination.probes() == 3);  // fifo, head-of-stream, head-of-line
  CHECK(examination.verdicts().front().reason == "probe 'head-of-stream' was not run");
}

TEST_CASE("dispatch latency: from the end of a block to the start of its successor") {
  Examination examination(small_device(), "R");
  judge(examination, {}, 1);
  const auto latencies = examination.latencies();
  REQUIRE(latencies.size() == 2);
  CHECK(latencies[0].name == dispatch_latency);
  CHECK(latencies[0].max <= Time(6'000));
  CHECK(latencies[0].median > Time(1'000));
  CHECK(latencies[1].name == "launch");
  CHECK(examination.profile("2026-01-31").find(Rule::R2)->state == RuleState::confirmed);
}
