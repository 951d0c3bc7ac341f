// One release policy that finds no memory, or whose numbers leave the range, among others.
#include "analysis/best_policy.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <new>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include "analysis/policies/policies.hpp"
#include "report/analysis/analysis_printers.hpp"
#include "rta/model/error.hpp"
#include "support/build.hpp"

using namespace rta;
using namespace rta::test;
using analysis::Options;
using analysis::Proof;
using analysis::Verdict;

namespace {

using Failure = void (*)();

/// The policies, one of which fails.
analysis::ProvePolicy failing(Release which, Failure fail) {
  return [=](Release release, const std::shared_ptr<const TaskSet>& task_set, const Options& options, const Proof* at_offsets) {
    if (release == which) fail();
    if (release == Release::offsets) return analysis::prove_at_offsets(task_set, options);
    if (release == Release::completion) return analysis::prove_on_completion(task_set, options, at_offsets);
    return analysis::prove_on_segments(task_set, options);
  };
}

void no_memory() { throw std::bad_alloc(); }
void no_range() { throw Overflow("2^70 ns"); }

std::shared_ptr<const TaskSet> two_chains() {
  const auto chain = [](const char* name) {
    return Dag{name, 100_ms, 100_ms, {cpu_node("a", 1_ms), cpu_node("b", 2_ms)}, {{0, 1, false}}};
  };
  return task_set({cpu_pool(1, Scheduler::fifo)}, {chain("d"), chain("e")});
}

analysis::Analysis analyzed(Release which, Failure fail) {
  analysis::Analysis analysis = analysis::prove_best(two_chains(), {}, failing(which, fail));
  analysis.verdict = analysis::verdict_with_chains(analysis);
  return analysis;
}

std::string text_of(const analysis::Analysis& analysis) {
  std::ostringstream out;
  report::print_analysis_text({analysis, {}, {}}, out);
  return out.str();
}

nlohmann::json json_of(const analysis::Analysis& analysis) {
  std::ostringstream out;
  report::print_analysis_json({analysis, {}, {}}, out);
  return nlohmann::json::parse(out.str());
}

}  // namespace

TEST_CASE("A policy that finds no memory has no bound for this reason, and the others stand") {
  const analysis::Analysis all = analysis::prove_best(two_chains(), {}, failing(Release::grouped, no_memory));
  REQUIRE(all.policies.size() == 3);
  for (const Release which : {Release::completion, Release::segments}) {
    const analysis::Analysis analysis = analyzed(which, no_memory);
    CHECK(analysis.verdict == Verdict::schedulable);
    CHECK(analysis.proof.release != which);
    REQUIRE(analysis.policies.size() == 3);
    const auto json = json_of(analysis);
    for (std::size_t i = 0; i < 3; ++i) {
      const analysis::PolicyOutcome& outcome = analysis.policies[i];
      CAPTURE(to_string(outcome.release));
      if (outcome.release != which) {
        CHECK(outcome.largest_R == all.policies[i].largest_R);
        CHECK(!json["policies"][i].contains("reason"));
        continue;
      }
      CHECK(!outcome.largest_R);
      CHECK(outcome.verdict == Verdict::unbounded);
      CHECK(json["policies"][i]["reason"] == "there is not enough memory for this analysis");
    }
    CHECK(text_of(analysis).find(std::string(to_string(which)) + ": no bound: there is not enough memory for this analysis") !=
          std::string::npos);
  }
}

TEST_CASE("Why a policy has no bound is data: no memory, or numbers that leave the range") {
  const auto set = two_chains();
  const Proof at_offsets = analysis::prove_at_offsets(set, {});
  const auto why = [&](Failure fail) {
    const Proof proof = analysis::prove_if_possible(Release::completion, set, {}, &at_offsets, failing(Release::completion, fail));
    CHECK(proof.release == Release::completion);
    const analysis::NoBound* reason = why_unbounded(proof);
    REQUIRE(reason != nullptr);
    return reason->reason;
  };
  CHECK(std::holds_alternative<analysis::reason::OutOfMemory>(why(no_memory)));
  CHECK(std::holds_alternative<analysis::reason::OutOfRange>(why(no_range)));
}

TEST_CASE("Without memory for the first policy there is nothing that stands") {
  CHECK_THROWS_AS(static_cast<void>(analysis::prove_best(two_chains(), {}, failing(Release::offsets, no_memory))), std::bad_alloc);
}

namespace {

/// Policies whose bounds are given, in ms: of each DAG on completion, on segments and at offsets.
struct GivenBounds {
  std::vector<std::int64_t> completion, segments, offsets;
};

analysis::Analysis best_of(const std::shared_ptr<const TaskSet>& set, const GivenBounds& given, const Options& options = {}) {
  return analysis::prove_best(set, options, [&](Release release, const auto& task_set, const Options& asked, const Proof*) {
    Proof proof = analysis::prove_at_offsets(task_set, asked);
    proof.release = release;
    const auto& bounds = release == Release::offsets ? given.offsets : release == Release::completion ? given.completion : given.segments;
    for (DagId d = 0; d < bounds.size(); ++d) proof.dags[d].bound->R = Time(bounds[d] * 1'000'000);
    return proof;
  });
}

/// `completion`, or `completion, offsets 12 %`, which are the bounds that are left for less at run time.
std::string chosen(const analysis::Analysis& analysis) {
  std::string text(to_string(analysis.proof.release));
  if (analysis.forgone)
    text += ", " + std::string(to_string(analysis.forgone->release)) + " " + std::to_string(analysis.forgone->percent) + " %";
  return text;
}

std::shared_ptr<const TaskSet> chain_due_after(Time D) {
  return task_set({cpu_pool(1, Scheduler::fifo)}, {{"d", 300_ms, D, {cpu_node("a", 1_ms), cpu_node("b", 2_ms)}, {{0, 1, false}}}});
}

}  // namespace

TEST_CASE("Of policies that meet everything the one that needs least is chosen, unless another is better by a fifth") {
  const auto set = chain_due_after(200_ms);
  CHECK(chosen(best_of(set, {{100}, {100}, {100}})) == "completion");
  CHECK(chosen(best_of(set, {{100}, {110}, {120}})) == "completion");
  CHECK(chosen(best_of(set, {{100}, {90}, {81}})) == "completion, offsets 19 %");
  CHECK(chosen(best_of(set, {{100}, {81}, {90}})) == "completion, segments 19 %");
  CHECK(chosen(best_of(set, {{100}, {81}, {80}})) == "offsets");
  CHECK(chosen(best_of(set, {{100}, {80}, {70}})) == "segments, offsets 12 %");
  CHECK(chosen(best_of(set, {{100}, {80}, {64}})) == "offsets");
  CHECK(chosen(best_of(set, {{100}, {70}, {75}})) == "segments");
  CHECK(chosen(best_of(set, {{201}, {200}, {199}})) == "segments, offsets 0 %");
  CHECK(chosen(best_of(set, {{201}, {205}, {200}})) == "offsets");
  CHECK(chosen(best_of(set, {{200}, {220}, {201}})) == "completion");
}

TEST_CASE("Where something is missed the smaller bounds are chosen, and offsets among equals") {
  const auto set = chain_due_after(50_ms);
  CHECK(chosen(best_of(set, {{100}, {90}, {99}})) == "segments");
  CHECK(chosen(best_of(set, {{98}, {98}, {99}})) == "completion");
  CHECK(chosen(best_of(set, {{98}, {98}, {98}})) == "offsets");
}

TEST_CASE("A fifth is of what the objective compares") {
  // 96 is 4 % less than 80 + 20. The latest DAG is e, 20 - 30 ms, or at offsets d, 96 - 100.
  const auto chain = [](const char* name, Time D) {
    return Dag{name, 300_ms, D, {cpu_node("a", 1_ms), cpu_node("b", 2_ms)}, {{0, 1, false}}};
  };
  const auto set = task_set({cpu_pool(1, Scheduler::fifo)}, {chain("d", 100_ms), chain("e", 30_ms)});
  Options by_lateness;
  by_lateness.objective = analysis::Objective::max_lateness;
  const GivenBounds small_gain{{80, 20}, {76, 20}, {96, 4}};
  CHECK(chosen(best_of(set, small_gain)) == "completion, segments 4 %");
  CHECK(chosen(best_of(set, small_gain, by_lateness)) == "completion");
  // e is the latest with 20 of 30 ms: 4 ms less are a fifth of its bound; in sum 4 of 100 are not.
  const GivenBounds of_the_latest{{70, 20}, {70, 16}, {75, 25}};
  CHECK(chosen(best_of(set, of_the_latest)) == "completion, segments 4 %");
  CHECK(chosen(best_of(set, of_the_latest, by_lateness)) == "segments");
  const analysis::Analysis nearly = best_of(set, {{70, 20}, {70, 17}, {75, 25}}, by_lateness);
  CHECK(chosen(nearly) == "completion, segments 15 %");
  CHECK(text_of(nearly).find(
            "  completion needs less at run time; segments would give a largest lateness of -13 ms for -10 ms, less by 15 % of "
            "the latest DAG's bound\n") != std::string::npos);
}

TEST_CASE("What was left is told in one line and in JSON") {
  const analysis::Analysis analysis = best_of(chain_due_after(200_ms), {{100}, {88}, {110}});
  CHECK(text_of(analysis).find("  completion needs less at run time; segments would give a bound of 88 ms for 100 ms, 12 % less\n") !=
        std::string::npos);
  CHECK(json_of(analysis)["forgone"] ==
        nlohmann::json{{"release", "segments"}, {"objective", "sum"}, {"there_ns", 88'000'000}, {"here_ns", 100'000'000}, {"percent", 12}});
  CHECK(!json_of(best_of(chain_due_after(200_ms), {{100}, {100}, {110}})).contains("forgone"));
}
