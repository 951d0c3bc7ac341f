#include "rta/analysis/remedies.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "rta/analysis/analyze.hpp"
#include "rta/analysis/chains.hpp"
#include "rta/analysis/deadlines.hpp"
#include "support/build.hpp"

using namespace rta;
using namespace rta::test;
using namespace rta::analysis;

namespace {

// One FIFO processor: b takes 40 ns and waits for a's 20, so that its 50 are missed.
std::shared_ptr<const TaskSet> late_by_waiting(Time deadline = 50_ns) {
  return task_set({cpu_pool(1, Scheduler::fifo)},
                  {Dag("a", 1000_ns, std::nullopt, {cpu_node("a", 20_ns)}, {}), Dag("b", 1000_ns, deadline, {cpu_node("b", 40_ns)}, {})});
}

Remedies remedies_of(const std::shared_ptr<const TaskSet>& set, const GivenOptions& given = {}) {
  return remedies(set, analyze(set, options_of(given)).proof, given, {});
}

const Remedy* with_options(const Remedies& found, const GivenOptions& options) {
  const auto at = std::ranges::find_if(found.list, [&](const Remedy& remedy) {
    const auto* other = std::get_if<OtherOptions>(&remedy.change);
    return other != nullptr && other->options == options;
  });
  return at == found.list.end() ? nullptr : &*at;
}

}  // namespace

TEST_CASE("Another scheduler that meets the deadline is found, with the bounds that it gives") {
  const auto set = late_by_waiting();
  const Remedies found = remedies_of(set);
  CHECK(found.complete());
  const Remedy* edf = with_options(found, {{"scheduler", "G-EDF"}});
  REQUIRE(edf != nullptr);
  // b's priority points are 950 ns before those of a: no job of a counts, and b ends after its 40 ns. a waits for b: 20 + 40.
  CHECK(edf->proof.dags[1].bound->R == 40_ns);
  CHECK(edf->proof.dags[0].bound->R == 60_ns);
  for (const Remedy& remedy : found.list) {
    const auto* options = std::get_if<OtherOptions>(&remedy.change);
    if (options == nullptr) continue;
    CAPTURE(options->options.front().second);
    CHECK(analyze(set, options_of(options->options)).verdict == Verdict::schedulable);
  }
}

TEST_CASE("A deadline below the execution time has no remedy") { CHECK(remedies_of(late_by_waiting(30_ns)).list.empty()); }

TEST_CASE("Options that were given stay, and only those of the change take their place") {
  const auto set = late_by_waiting();
  const GivenOptions given{{"release", "completion"}};
  const Remedy* edf = nullptr;
  const Remedies found = remedies_of(set, given);
  edf = with_options(found, {{"scheduler", "G-EDF"}});
  REQUIRE(edf != nullptr);
  CHECK(edf->proof.release == Release::completion);
}

TEST_CASE("Two processors may be split, so that a DAG has one of them for itself") {
  // Two FIFO processors: v takes 50 ns and may wait for jobs of the long tasks; alone on one of them it ends after 50.
  const auto set = task_set({cpu_pool(2, Scheduler::fifo)}, {Dag("x", 2000_ns, 2000_ns, {cpu_node("x", 500_ns)}, {}),
                                                             Dag("y", 2000_ns, 2000_ns, {cpu_node("y", 500_ns)}, {}),
                                                             Dag("v", 1000_ns, 50_ns, {cpu_node("v", 50_ns)}, {})});
  const Remedies found = remedies_of(set);
  const auto split = std::ranges::find_if(found.list, [](const Remedy& r) { return std::holds_alternative<SplitPool>(r.change); });
  REQUIRE(split != found.list.end());
  CHECK(std::get<SplitPool>(split->change).first == 2);
  CHECK(std::get<SplitPool>(split->change).size == 1);
  CHECK(split_name(*set, 0, 2) == "cpu_v");
  CHECK(verdict_of(split->proof) == Verdict::schedulable);
  CHECK(split->proof.dags[2].bound->R == 50_ns);
}

TEST_CASE("Nothing is tried once the time is over") {
  const auto set = late_by_waiting();
  const Remedies found = remedies(set, analyze(set).proof, {}, Limit().within(std::chrono::nanoseconds(0)));
  CHECK(found.ended_by == Limit::Cause::time);
  CHECK(found.tried == 0);
}

TEST_CASE("An effort ends at the same change every time, and what was found until then is what all changes begin with") {
  const auto set = late_by_waiting();
  const Proof before = analyze(set).proof;
  const Remedies all = remedies(set, before, {}, Limit());
  REQUIRE(all.complete());
  REQUIRE(all.tried > 3);
  std::size_t last = 0;
  for (std::uint64_t effort = 1; effort < 1'000'000; effort *= 2) {
    const Remedies some = remedies(set, before, {}, Limit().with_effort(effort));
    const Remedies again = remedies(set, before, {}, Limit().with_effort(effort));
    CHECK(some.tried == again.tried);
    CHECK(some.list.size() == again.list.size());
    CHECK(some.tried >= last);
    CHECK(some.complete() == (some.tried == all.tried && some.list.size() == all.list.size()));
    if (!some.complete()) CHECK(some.ended_by == Limit::Cause::effort);
    last = some.tried;
  }
  CHECK(last == all.tried);
}

TEST_CASE("What helps most comes first") {
  // c (30 ns within 20) is hopeless: no change meets all, but some meet b.
  const auto set =
      task_set({cpu_pool(1, Scheduler::fifo), cpu_pool(1, Scheduler::fifo, "q")},
               {Dag("a", 1000_ns, std::nullopt, {cpu_node("a", 20_ns)}, {}), Dag("b", 1000_ns, 50_ns, {cpu_node("b", 40_ns)}, {}),
                Dag("c", 1000_ns, 20_ns, {cpu_node("c", 30_ns, 1)}, {})});
  const Remedies found = remedies_of(set);
  REQUIRE_FALSE(found.list.empty());
  std::size_t before = 0;
  for (const Remedy& remedy : found.list) {
    const auto count = end_to_end_deadlines(remedy.proof);
    CHECK(count.met == 1);
    CHECK(count.given - count.met >= before);
    before = count.given - count.met;
  }
}

TEST_CASE("A GPU may be split, so that the kernels of a DAG have some SMs for themselves") {
  // Kernels of x fill the GPU for 500 ns each; v needs one block of 50 ns: alone on one SM it ends after 50.
  const auto set = task_set({gpu_pool(4, 2048)}, {Dag("x", 4000_ns, 4000_ns, {gpu_node("x", 8, 2048, 500_ns, 0)}, {}),
                                                  Dag("v", 4000_ns, 60_ns, {gpu_node("v", 1, 32, 50_ns, 0)}, {})});
  REQUIRE(verdict_of(analyze(set, {}).proof) == Verdict::deadline_missed);
  const Remedies found = remedies_of(set);
  const auto split = std::ranges::find_if(found.list, [](const Remedy& r) { return std::holds_alternative<SplitPool>(r.change); });
  REQUIRE(split != found.list.end());
  CHECK(std::get<SplitPool>(split->change).first == 1);
  CHECK(std::get<SplitPool>(split->change).size == 1);
  CHECK(verdict_of(split->proof) == Verdict::schedulable);
  CHECK(split->proof.dags[1].bound->R == 50_ns);
}

TEST_CASE("Fixed priorities are tried, deadline monotonic ones") {
  // One FIFO processor: b waits for a. Under FP b is more urgent, as its deadline is the shorter one.
  const Remedy* fp = nullptr;
  const auto set = late_by_waiting();
  const Remedies found = remedies_of(set);
  fp = with_options(found, {{"scheduler", "FP"}});
  REQUIRE(fp != nullptr);
  CHECK(fp->proof.dags[1].bound->R == 40_ns);
  CHECK(fp->proof.dags[0].bound->R == 60_ns);
}

TEST_CASE("What helps keeps chains within their limits, and may bring one there") {
  // b's input waits for a: MRT = 1000 + 60 > 1050. With b first on the processor it is 1000 + 40.
  const auto dags =
      std::vector<Dag>{Dag("a", 1000_ns, std::nullopt, {cpu_node("a", 20_ns)}, {}), Dag("b", 1000_ns, 500_ns, {cpu_node("b", 40_ns)}, {})};
  Chain chain;
  chain.name = "alone";
  chain.stages = {ChainStage{1, std::nullopt}};
  chain.reaction = 1050_ns;
  const auto set = std::make_shared<const TaskSet>("set", std::vector<Pool>{cpu_pool(1, Scheduler::fifo)}, dags, std::vector<Chain>{chain});
  REQUIRE(analyze(set, {}).verdict == Verdict::deadline_missed);
  const Remedies found = remedies_of(set);
  const Remedy* fp = with_options(found, {{"scheduler", "FP"}});
  REQUIRE(fp != nullptr);
  CHECK(fp->proof.dags[1].bound->R == 40_ns);
  CHECK(missed_chains(fp->proof) == 0);
}
