// FIFO is by ready time: where this is another order than that of releases, bounds for the latter are not given out.
#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "rta/analysis/analyze.hpp"
#include "rta/analysis/explain.hpp"
#include "rta/analysis/schedule_of.hpp"
#include "rta/io/task_set_file.hpp"
#include "rta/simulate/simulate.hpp"
#include "support/build.hpp"

namespace {

using namespace rta;
using namespace rta::test;
using analysis::Theorem;

std::shared_ptr<const TaskSet> read(const std::string& file) {
  return std::make_shared<const TaskSet>(io::parse_task_set(file, "set.yaml").task_set);
}

analysis::Proof proven(const std::string& file, Release release, analysis::Options options = {}) {
  options.release = release;
  return analysis::analyze(read(file), options).proof;
}

analysis::Options by(Scheduler scheduler) {
  analysis::Options options;
  options.scheduler = scheduler;
  return options;
}

analysis::Options by(analysis::CpuBound bound) {
  analysis::Options options;
  options.cpu_bound = bound;
  return options;
}

std::string why(const analysis::Proof& proof) {
  const auto* none = analysis::why_unbounded(proof);
  return none == nullptr ? std::string() : analysis::in_words(proof, *none);
}

/// Three sequential tasks of 40 ns on two processors.
std::string three(const std::string& pool, int T) {
  std::string file = "platform: {cpu: {processors: 2, " + pool + "}}\ntime_unit: ns\ntasks:\n";
  for (const char* const name : {"a", "b", "c"}) {
    file += std::string("  - {name: ") + name + ", on: cpu, C: 40, T: " + std::to_string(T) + ", sequential: true}\n";
  }
  return file;
}

// a fills nearly a whole processor; b and c come 0.1 ms before it ends.
const std::string grows =
    "platform: {cpu: {processors: 2, scheduler: FIFO}}\ntasks:\n"
    "  - {name: a, on: cpu, C: 9800 us, T: 10 ms, sequential: true}\n"
    "  - {name: b, on: cpu, C: 4 ms, T: 13700 us, phase: 9700 us, sequential: true}\n"
    "  - {name: c, on: cpu, C: 4 ms, T: 13700 us, phase: 9700 us, sequential: true}\n";

/// At its offset `use` comes 50 ms after `pre`, T apart.
std::string early(const std::string& scheduler) {
  return "platform: {c0: {processors: 1, " + scheduler + "}, c1: {processors: 1, " + scheduler +
         "}}\ndags:\n"
         "  - {name: a, T: 35 ms, nodes: {pre: {on: c1, C: 20 ms}, use: {on: c0, C: 10 ms}}, edges: [\"pre -> use\"]}\n"
         "  - {name: b, T: 100 ms, nodes: {x: {on: c0, C: 10 ms}}}\n"
         "  - {name: c, T: 100 ms, nodes: {y: {on: c1, C: 30 ms}}}\n";
}

}  // namespace

// By release T3: s = 17.8 + 0.98 (s - 9.8)/2 = 25.486, R = 9.8 + (s - 9.8)/2. By ready time a's second job, ready at 10, starts behind b
// and c: c until 13.8, b until 13.7; it ends at 23.5. b and c came at 23.4, c is ahead of a's third job and ends at 27.5, b at 27.4, when
// that starts: 37.2 - 20.
TEST_CASE("Sequential nodes under FIFO: 9.8, 13.5, 17.2 ms and on, so no bound where T3 has 17.643 ms by the order of releases") {
  for (const bool preemptive : {true, false}) {
    analysis::Options options;
    options.preemptive = preemptive;
    const auto none = proven(grows, Release::offsets, options);
    CHECK(verdict_of(none) == analysis::Verdict::unbounded);
    CHECK(why(none).find("FIFO is by ready time") != std::string::npos);
    CHECK(why(none).find("G-EDF with one deadline D") != std::string::npos);
    simulate::Options length;
    length.duration = Time(30'000'000);
    const auto seen = simulate::simulate(*none.task_set, schedule_of(none), length);
    CHECK(seen.dags[0].nodes[0].max() == Time(17'200'000));
    length.duration = Time(300'000'000);
    // 3.7 ms more with every job while b and c come, 22 times.
    CHECK(simulate::simulate(*none.task_set, schedule_of(none), length).dags[0].nodes[0].max() > Time(80'000'000));
  }
  const auto by_release = proven(grows, Release::offsets, by(Scheduler::g_edf));
  CHECK(verdict_of(by_release) != analysis::Verdict::unbounded);
}

// T1: 40 + (40 + 120 - 40)/2 = 100. T3: s = 120 + (s - 40)/2 40/T, s = 141.33 and 142.86: R = 40 + 50.67 and 40 + 51.43.
TEST_CASE("T3 under FIFO: 91 where T is 95, nothing where it is 90; T16: 80") {
  for (const std::string pool : {"scheduler: FIFO", "scheduler: FIFO, preemptive: false"}) {
    for (const auto bound : {analysis::CpuBound::best, analysis::CpuBound::T3}) {
      const auto fits = proven(three(pool, 95), Release::offsets, by(bound));
      REQUIRE(fits.dags[0].bound);
      CHECK(fits.dags[0].bound->R == 91_ns);
      const Theorem theorem = fits.dags[0].nodes[0].bound->basis.theorem;
      CHECK((theorem == Theorem::T3 || theorem == Theorem::T3b));
      CHECK(analysis::pool_in_words(fits, 0).find("R <= T for each") != std::string::npos);
      if (bound == analysis::CpuBound::T3) CHECK_FALSE(proven(three(pool, 90), Release::offsets, by(bound)).dags[0].bound);
    }
    // T16, which is asked for by default: two others of 40 keep two processors busy for 40.
    const auto hard = proven(three(pool, 90), Release::offsets);
    REQUIRE(hard.dags[0].bound);
    CHECK(hard.dags[0].bound->R == 80_ns);
    CHECK(hard.dags[0].nodes[0].bound->basis.theorem == Theorem::T16);
  }
  CHECK(proven(three("scheduler: G-EDF", 90), Release::offsets, by(analysis::CpuBound::T3)).dags[0].bound->R == 92_ns);
}

// y from 0 to 30, pre to 50; the next pre, released at 35, takes nothing: two jobs of `use` at 50, and x behind them: 30 ms. By the order
// of releases x, released at 50, is before the second, whose offset is 85: 20 ms.
TEST_CASE("Released early a node of a FIFO pool is ready before its offset: no bound but where nothing comes before it") {
  const auto none = proven(early("scheduler: FIFO"), Release::early);
  CHECK_FALSE(none.dags[1].bound);
  CHECK(why(none).find("node 'use' may be ready before its offset") != std::string::npos);
  CHECK(why(none).find("--release completion") != std::string::npos);
  analysis::Options that_survive;
  that_survive.refinement = analysis::gel::Refinement::early;
  CHECK_FALSE(proven(early("scheduler: FIFO"), Release::offsets, that_survive).dags[1].bound);
  CHECK_FALSE(proven(early("scheduler: FIFO, preemptive: false"), Release::early).dags[1].bound);

  CHECK(proven(early("scheduler: FIFO"), Release::offsets).dags[1].bound->R == 20_ms);
  CHECK(proven(early("scheduler: G-EDF"), Release::early).dags[1].bound);
  const auto completion = proven(early("scheduler: FIFO"), Release::completion);
  REQUIRE(completion.dags[1].bound);
  CHECK(completion.dags[1].bound->R >= 30_ms);

  // c1 alone: 20 + 30.
  const auto sources = proven(
      "platform: {c1: {processors: 1, scheduler: FIFO}}\ntasks:\n  - {name: pre, on: c1, C: 20 ms, T: 100 ms}\n"
      "  - {name: y, on: c1, C: 30 ms, T: 100 ms}\n",
      Release::early);
  REQUIRE(sources.dags[0].bound);
  CHECK(sources.dags[0].bound->R == 50_ms);
}
