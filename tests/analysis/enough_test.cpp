// `enough: deadlines`: the first bounds that meet all deadlines end the analysis.
#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "rta/analysis/analyze.hpp"
#include "rta/analysis/option_table.hpp"
#include "rta/io/task_set_file.hpp"

namespace {

using namespace rta;
using namespace rta::analysis;

// One processor under G-EDF. Y_b - Y_a = 9 ms: of b's jobs those count for a that are released 9 ms earlier or more, of a's those for b
// that are released up to 9 ms later.
std::shared_ptr<const TaskSet> two_tasks(const std::string& D_a, const std::string& D_b, const std::string& more = "") {
  const std::string text = R"(
platform: {cpu: {processors: 1}}
dags:
  - {name: a, T: 10 ms, D: )" +
                           D_a + R"(, nodes: {x: {on: cpu, C: 2 ms}}}
  - {name: b, T: 20 ms, D: )" +
                           D_b + R"(, nodes: {x: {on: cpu, C: 7 ms}}}
)" + more;
  return std::make_shared<const TaskSet>(io::parse_task_set(text, "test.yaml").task_set);
}

Analysis analyzed(const std::shared_ptr<const TaskSet>& set, Enough enough, std::optional<Release> release = Release::completion) {
  Options options;
  options.enough = enough;
  options.release = release;
  return analyze(set, options);
}

std::vector<Time> bounds(const Analysis& analysis) {
  std::vector<Time> R;
  for (const DagProof& dag : analysis.proof.dags) R.push_back(dag.bound->R);
  return R;
}

constexpr Time ms(std::int64_t value) { return Time(value * 1'000'000); }

}  // namespace

TEST_CASE("Where T10n meets all deadlines nothing smaller is asked for") {
  // T10n: F_b = 7 + 2 ceil((F_a + 9)/10) and F_a = 2 + 7 ceil((F_b - 9)/20). From 2 and 7: F_b = 7 + 2 x 2 = 11, F_a = 2 + 7 = 9, and
  // F_b = 7 + 2 ceil(18/10) = 11.
  const Analysis analysis = analyzed(two_tasks("10 ms", "19 ms"), Enough::deadlines);
  CHECK(analysis.verdict == Verdict::schedulable);
  CHECK(bounds(analysis) == std::vector{ms(9), ms(11)});
  for (const DagProof& dag : analysis.proof.dags) CHECK(dag.bound->basis.theorem == Theorem::T10n);
  // T10a: of the job of b that is released 9 ms earlier F_b - 9 are left, 2 of 7 ms.
  const Analysis least = analyzed(two_tasks("10 ms", "19 ms"), Enough::bounds);
  CHECK(least.verdict == Verdict::schedulable);
  CHECK(bounds(least).front() <= ms(4));
}

TEST_CASE("--path-bound: the theorems that it names and no others") {
  const auto set = two_tasks("10 ms", "19 ms");  // as above: T10n has 9 and 11 ms
  const auto by = [&](const std::shared_ptr<const TaskSet>& task_set, const std::string& name) {
    return analyze(task_set, options_of({{"path-bound", name}}));
  };
  const Analysis T10n = by(set, "T10n");
  CHECK(T10n.proof.release == Release::completion);
  CHECK(bounds(T10n) == std::vector{ms(9), ms(11)});
  for (const DagProof& dag : T10n.proof.dags) CHECK(dag.bound->basis.theorem == Theorem::T10n);
  CHECK(bounds(by(set, "T10v")).front() <= ms(4));
  CHECK(bounds(by(set, "best")) == bounds(analyze(set, options_of({{"release", "completion"}}))));
  // 9 ms against D = 8 ms: T16 to T18 are not asked either.
  CHECK(by(two_tasks("8 ms", "17 ms"), "T10n").verdict == Verdict::deadline_missed);
  CHECK(by(two_tasks("8 ms", "17 ms"), "best").verdict == Verdict::schedulable);
}

TEST_CASE("Where T10n leaves a deadline open the next theorems are asked") {
  // The same with D_a = 8 ms. T10a: F_a = 2 + (F_b - 9) = 4, and F_b = 7 + 2 + min(2, F_a - 1) = 11, of a's jobs that are released 9 ms
  // later and 1 ms earlier.
  const Analysis analysis = analyzed(two_tasks("8 ms", "17 ms"), Enough::deadlines);
  CHECK(analysis.verdict == Verdict::schedulable);
  CHECK(bounds(analysis) == std::vector{ms(4), ms(11)});
}

TEST_CASE("The best policy is release on completion where that meets all deadlines") {
  const Analysis analysis = analyzed(two_tasks("10 ms", "19 ms"), Enough::deadlines, std::nullopt);
  CHECK(analysis.proof.release == Release::completion);
  CHECK(analysis.policies.size() == 1);
  CHECK(bounds(analysis) == std::vector{ms(9), ms(11)});
  CHECK(analyzed(two_tasks("10 ms", "19 ms"), Enough::bounds, std::nullopt).proof.release == Release::offsets);
}

TEST_CASE("Latencies of chains are of all bounds") {
  const auto set = two_tasks("10 ms", "19 ms", "chains:\n  - {name: c, stages: [a, b], reaction: 1 s}\n");
  CHECK(bounds(analyzed(set, Enough::deadlines)) == bounds(analyzed(set, Enough::bounds)));
}

TEST_CASE("Points per node that are asked for are searched for all the same") {
  const auto proven = [](Enough enough) {
    Options options;
    options.enough = enough;
    options.release = Release::completion;
    options.priorities = Priorities::node;
    return bounds(analyze(two_tasks("10 ms", "19 ms"), options));
  };
  CHECK(proven(Enough::deadlines) == proven(Enough::bounds));
}
