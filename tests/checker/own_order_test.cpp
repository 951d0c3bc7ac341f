// docs/theory/cpu.md, T3s on one processor: sequence changes nothing, whatever the period.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "certified.hpp"
#include "rta/analysis/explain.hpp"
#include "rta/analysis/schedule_of.hpp"
#include "rta/simulate/simulate.hpp"

using namespace rta;

namespace {

// A job of a may wait for one of b, and two later jobs of a with it: 8 + 2, with T = 4.
std::string two_by_points(const std::string& pool, const std::string& more) {
  return "platform: {cpu: {" + pool + "}}\ndags:\n" + "  - {name: a, T: 4 ns, nodes: {x: {on: cpu, C: 2 ns, D: 20 ns" + more +
         "}}}\n  - {name: b, T: 20 ns, nodes: {x: {on: cpu, C: 8 ns, D: 8 ns}}}\n";
}

// Under FP a's jobs preempt b's: 6 + 2 x 5 = 16, past b's period of 14.
std::string two_by_priority(const std::string& pool, const std::string& more, int priority_of_b = 1, const std::string& before_b = "",
                            const std::string& more_of_a = "") {
  return "platform: {cpu: {scheduler: FP, " + pool + "}, two: {processors: 2, scheduler: FP}}\ndags:\n" +
         "  - {name: a, T: 10 ns, priority: 2, nodes: {x: {on: cpu, C: 5 ns" + more_of_a +
         "}}}\n  - {name: b, T: 14 ns, priority: " + std::to_string(priority_of_b) + ", nodes: {x: {on: cpu, C: 6 ns" + more + "}" +
         (before_b.empty() ? "}" : before_b) + "}\n";
}

test::Certified made(const std::string& file, Release release) {
  analysis::Options options;
  options.release = release;
  return test::certified(io::parse_task_set(file, "set.yaml").task_set, options);
}

std::vector<std::optional<Time>> bounds(const test::Certified& of) {
  std::vector<std::optional<Time>> R;
  for (const auto& dag : of.proof.dags) R.push_back(dag.bound ? std::optional(dag.bound->R) : std::nullopt);
  return R;
}

constexpr const char* sequential = ", sequential: true";

// The statements of the set without `sequential`, claimed of the one with it.
std::string claimed_of(const test::Certified& loose, const std::string& strict) {
  const std::string file = io::format_task_set(io::parse_task_set(strict, "set.yaml").task_set);
  std::string statements = loose.certificate.text;
  for (std::size_t lines = 2 + checker::lines_of(checker::read_task_set(loose.file)).size(); lines > 0; --lines)
    statements.erase(0, statements.find('\n') + 1);
  return test::first_refused(file, test::by_hand(file, statements));
}

}  // namespace

TEST_CASE("One processor runs a node's jobs in their order: sequential ones have the others' bounds") {
  for (const Release release : {Release::offsets, Release::completion}) {
    const std::string pool = "processors: 1, scheduler: G-EDF";
    const auto strict = made(two_by_points(pool, sequential), release), loose = made(two_by_points(pool, ""), release);
    CHECK(bounds(strict) == bounds(loose));
    CHECK(test::first_refused(strict.file, strict.certificate.text) == "");
    CHECK(strict.certificate.uncertified.empty());
    if (release == Release::completion) continue;
    CHECK(bounds(strict).front() == Time(14));
    CHECK(analysis::pool_in_words(strict.proof, 0).find("one processor runs each node's jobs one after another anyway") !=
          std::string::npos);
  }
  for (const std::string preemptive : {"", ", preemptive: false"}) {
    const std::string pool = "processors: 1" + preemptive;
    const auto strict = made(two_by_priority(pool, sequential), Release::completion);
    REQUIRE(bounds(strict).back());
    CHECK(bounds(strict) == bounds(made(two_by_priority(pool, ""), Release::completion)));
    CHECK(test::first_refused(strict.file, strict.certificate.text) == "");
    if (preemptive.empty()) CHECK(bounds(strict) == std::vector<std::optional<Time>>{Time(5), Time(16)});
  }
}

TEST_CASE("Elsewhere sequence needs R <= T, and the checker takes no bound of the others") {
  const auto no_bound = [](const std::string& strict, const std::string& loose, Release release) {
    const auto without = made(loose, release);
    REQUIRE(bounds(without).front());
    REQUIRE(bounds(without).back());
    const auto with = bounds(made(strict, release));
    CHECK((!with.front() || !with.back()));
    CHECK(claimed_of(without, strict).find("a sequential node may still run when its next job is ready") != std::string::npos);
  };
  // A queue; equals in any order; a priority that both have; a node before it on two processors.
  no_bound(two_by_points("processors: 1, scheduler: FIFO", sequential), two_by_points("processors: 1, scheduler: FIFO", ""),
           Release::completion);
  const std::string any = "processors: 1, equals: any";
  no_bound(two_by_priority(any, sequential), two_by_priority(any, ""), Release::completion);
  // A job of a behind one of b: 11, past its 10.
  no_bound(two_by_priority("processors: 1", "", 2, "", sequential), two_by_priority("processors: 1", "", 2), Release::completion);
  const std::string before = ", y: {on: two, C: 1 ns}}, edges: [y -> x]";
  no_bound(two_by_priority("processors: 1", sequential, 1, before), two_by_priority("processors: 1", "", 1, before), Release::completion);
}
