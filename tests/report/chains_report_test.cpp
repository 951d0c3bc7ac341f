// Chains of an analysis in text, CSV and JSON.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "report/analysis/analysis_chains.hpp"
#include "report/analysis/analysis_words.hpp"
#include "rta/io/task_set_file.hpp"

using namespace rta;

namespace {

analysis::Analysis analyzed(const std::string& age) {
  const std::string text = R"(platform: {cpu: {processors: 2, scheduler: G-EDF}}
dags:
  - {name: camera, T: 33 ms, T_max: 40 ms, nodes: {grab: {on: cpu, C: 2 ms}, send: {on: cpu, C: 1 ms}}, edges: [grab -> send]}
tasks:
  - {name: control, T: 50 ms, D: 50 ms, on: cpu, C: 5 ms}
  - {name: late, T: 4 ms, on: cpu, C: 2 ms}
chains:
  - {name: brake, stages: [camera/send, control], reaction: 150 ms, age: )" +
                           age + R"(}
  - {name: let, stages: [camera, control], communication: LET}
)";
  analysis::Options options;
  options.release = Release::completion;
  options.explain = {"brake"};
  return analysis::analyze(std::make_shared<const TaskSet>(io::parse_task_set(text, "f.yaml").task_set), options);
}

}  // namespace

TEST_CASE("A chain above its limit is a missed deadline, shown beside the limit and explained by name") {
  const auto missed = analyzed("99 ms");
  CHECK(missed.verdict == analysis::Verdict::deadline_missed);
  CHECK(report::verdict_sentence(missed) ==
        "every response time is bounded and every end-to-end deadline met, but only 0 of 1 chain is within its limits");
  const auto met = analyzed("120 ms");
  CHECK(met.verdict == analysis::Verdict::schedulable);
  const Time F = *met.proof.dags[0].nodes[1].reference + met.proof.dags[0].nodes[1].bound->R;
  const Time sum = Time(40'000'000) + F + Time(50'000'000) + met.proof.dags[1].bound->R;
  const auto json = report::chains_json(met);
  REQUIRE(json.size() == 2);
  CHECK(json[0]["data_age_ns"] == sum.count());
  CHECK(json[0]["reduced_reaction_time_ns"] == sum.count() - 40'000'000);
  CHECK(json[0]["meets_limits"] == true);
  CHECK(report::chains_json(missed)[0]["meets_limits"] == false);
  CHECK(json[1]["data_age_ns"] == 173'000'000);  // (40 + 33) + (50 + 50) ms
  REQUIRE(met.explanations.size() == 1);
  CHECK(met.explanations[0].node == "brake");
  CHECK(met.explanations[0].lines.size() == 7);

  const auto rows = report::chain_rows(missed);
  REQUIRE(rows.size() == 3);
  CHECK(rows[1].back() == "MISSED");
  CHECK(rows[2] == report::Row{"let", "LET", "173 ms", "-", "133 ms", "173 ms", "-", "123 ms", "bounded"});
  std::ostringstream lines;
  report::print_chain_lines(met, 3, lines);
  CHECK(lines.str().find("\r\n,,,let,LET,173000000,,133000000,173000000,,123000000,true\r\n") != std::string::npos);
  CHECK(std::ranges::count(report::chain_columns(met), ',') == 9);
  CHECK(report::no_chain_columns(met) == ",,,,,,,,,");
}
