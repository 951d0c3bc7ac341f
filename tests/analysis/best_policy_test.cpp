// One release policy that finds no memory, or whose numbers leave the range, among others.
#include "analysis/best_policy.hpp"

#include <doctest/doctest.h>

#include <new>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <variant>

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
