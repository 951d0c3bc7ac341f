// A limit of jobs under way (`in_flight`), as `analyze` bounds and explains it: T38 (docs/theory/in-flight.md).
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "rta/analysis/admission/hold.hpp"
#include "rta/analysis/analyze.hpp"
#include "rta/analysis/in_flight.hpp"
#include "rta/analysis/inequality.hpp"
#include "rta/analysis/option_table.hpp"
#include "rta/io/task_set_file.hpp"
#include "rta/model/error.hpp"

using namespace rta;
using namespace rta::literals;

namespace {

analysis::Analysis analyzed_text(const std::string& text, const analysis::GivenOptions& options = {}) {
  return analysis::analyze(std::make_shared<const TaskSet>(io::parse_task_set(text, "set.yaml").task_set), analysis::options_of(options));
}

std::string why_none(const analysis::Analysis& analysis) { return in_words(analysis.proof, *why_unbounded(analysis.proof)); }

/// Three stages of 4, 4 and 3 ms, a processor each: on completion the ends are 4, 8 and 11 ms where no stage meets its next job.
std::string stages(const std::string& scheduler, const std::string& T, const std::string& more) {
  std::string text = "platform:\n";
  for (const char* const pool : {"a", "b", "c"}) text += std::string("  ") + pool + ": {processors: 1, scheduler: " + scheduler + "}\n";
  return text + "dags:\n  - {name: p, T: " + T + more +
         ", nodes: {x: {on: a, C: 4 ms}, y: {on: b, C: 4 ms}, z: {on: c, C: 3 ms}}, edges: [x -> y -> z]}\n";
}

/// A camera of two nodes of 2 ms and a control task of 1 ms on one FIFO processor.
std::string beside_control(const std::string& T, const std::string& limit) {
  return "platform: {cpu: {processors: 1, scheduler: FIFO}}\ndags:\n  - {name: camera, T: " + T + limit +
         ", nodes: {a: {on: cpu, C: 2 ms}, b: {on: cpu, C: 2 ms}}, edges: [a -> b]}\n"
         "  - {name: control, T: 20 ms, nodes: {c: {on: cpu, C: 1 ms}}}\n";
}

}  // namespace

TEST_CASE("a limit that never delays leaves bounds as they are") {
  for (const char* const release : {"offsets", "completion", "segments"}) {
    CAPTURE(release);
    const auto plain = analyzed_text(stages("G-EDF", "4 ms", ""), {{"release", release}});
    const auto limited = analyzed_text(stages("G-EDF", "4 ms", ", in_flight: 3"), {{"release", release}});
    CHECK(plain.proof.dags[0].bound->R == 11_ms);
    CHECK(limited.proof.dags[0].bound == plain.proof.dags[0].bound);
    CHECK(limited.proof.dags[0].nodes == plain.proof.dags[0].nodes);
    CHECK(analysis::from_admission(limited.proof, 0) == 11_ms);
    const auto two = analyzed_text(stages("G-EDF", "4 ms", ", in_flight: 2"), {{"release", release}});
    CHECK_FALSE(two.proof.dags[0].bound.has_value());
    CHECK(two.verdict == analysis::Verdict::unbounded);
    CHECK(why_none(two).find("DAG 'p': without its limit of 2 jobs under way (`in_flight`) a job may take F = 11 ms, more than 2 x "
                             "4 ms (N T): jobs may wait to be admitted") != std::string::npos);
  }
  // 11 <= 2 x 5.5, and with jitter 11 <= 2 x 6.5 - 2.
  CHECK(analyzed_text(stages("G-EDF", "5500 us", ", in_flight: 2")).proof.dags[0].bound->R == 11_ms);
  CHECK_FALSE(analyzed_text(stages("G-EDF", "5499999 ns", ", in_flight: 2")).proof.dags[0].bound);
  CHECK(analyzed_text(stages("G-EDF", "6500 us", ", in_flight: 2, jitter: 2 ms")).proof.dags[0].bound->R == 11_ms);
  CHECK_FALSE(analyzed_text(stages("G-EDF", "6500 us", ", in_flight: 2, jitter: 2000001 ns")).proof.dags[0].bound);
}

TEST_CASE("a limit shields others from a DAG that comes too often") {
  // c waits for one node of one job: 2 + 1. a and b for c: 2 + 1 each.
  const auto one = analyzed_text(beside_control("3 ms", ", in_flight: 1"));
  CHECK(one.verdict == analysis::Verdict::unbounded);
  CHECK(one.proof.dags[1].bound->R == 3_ms);
  CHECK(one.proof.dags[1].bound->basis.theorem == analysis::Theorem::T38);
  CHECK_FALSE(one.proof.dags[0].bound.has_value());
  CHECK(analysis::from_admission(one.proof, 0) == 6_ms);
  CHECK(why_none(one) ==
        "DAG 'camera': a job may take H = 6 ms from its admission (T38), more than 1 x 3 ms (N T): jobs may queue up before they "
        "are admitted; T = 6 ms would keep up, H/N");
  // Two: c waits for two nodes, 4 + 1. a and b each for one of the other job and c: 2 + 2 + 1.
  const auto two = analyzed_text(beside_control("3 ms", ", in_flight: 2"));
  CHECK(two.proof.dags[1].bound->R == 5_ms);
  CHECK(analysis::from_admission(two.proof, 0) == 10_ms);
  // Without a limit the processor is overloaded.
  CHECK_FALSE(analyzed_text(beside_control("3 ms", "")).proof.dags[1].bound);
}

TEST_CASE("a limit shields others on a GPU that is overloaded, too") {
  // Kernels that fill the GPU: c behind one of 2 ms, 2 + 1; a behind c, 1 + 2.
  const auto analysis = analyzed_text(
      "platform: {gpu: {sms: 1, threads: 64}}\ndags:\n"
      "  - {name: camera, T: 1 ms, in_flight: 1, nodes: {a: {on: gpu, B: 1, H: 64, L: 2 ms}}}\n"
      "  - {name: control, T: 20 ms, nodes: {c: {on: gpu, B: 1, H: 64, L: 1 ms}}}\n");
  CHECK(analysis.proof.dags[1].bound->R == 3_ms);
  CHECK(analysis::from_admission(analysis.proof, 0) == 3_ms);
}

TEST_CASE("T38 bounds a DAG that keeps up with its limit") {
  const std::string full =
      "platform: {cpu: {processors: 2, scheduler: FIFO}}\ndags:\n"
      "  - {name: f, T: 6 ms, in_flight: 2, nodes: {a: {on: cpu, C: 3 ms}, b: {on: cpu, C: 3 ms}, c: {on: cpu, C: 3 ms}, "
      "d: {on: cpu, C: 3 ms}}, edges: [a -> b -> c -> d]}\n";
  const auto all = analyzed_text(full);
  CHECK(all.proof.dags[0].bound->R == 12_ms);
}

TEST_CASE("what can be ready at once is a node of each chain, and nobody waits where there is room for all") {
  using analysis::admission::Dag;
  using analysis::admission::Node;
  using analysis::admission::Pool;
  // a -> c, b -> c on one processor, in ms: a and b beside each other, then c.
  Dag f{.limit = 2, .T = Time(5), .jitter = Time(0), .nodes = {}, .order = {0, 1, 2}};
  f.nodes = {Node{0, Time(1), 1, 1, {}}, Node{0, Time(2), 2, 2, {}}, Node{0, Time(4), 4, 4, {0, 1}}};
  const std::vector<Dag> alone{f};
  const std::vector<Pool> one{{.rate = 1, .places = 1}};
  const auto holds = analysis::admission::holds(alone, one, 1000);
  // Chains {a, c} and {b}: 4 + 2 of the other job. a: 1 + 6 + 2 (b), b: 2 + 6 + 1, c: 9 + 4 + 6.
  CHECK(holds.dags[0].fronts[0].work == 6);
  CHECK(holds.dags[0].ends == std::vector{Time(9), Time(9), Time(19)});
  CHECK(holds.dags[0].jobs == 2);
  CHECK_FALSE(holds.dags[0].in_time);  // 19 > 2 x 5
  // Of four processors three others take three.
  const std::vector<Pool> four{{.rate = 4, .places = 4}};
  CHECK(analysis::admission::holds(alone, four, 1000).dags[0].ends == std::vector{Time(1), Time(2), Time(6)});
  const std::vector<Pool> three{{.rate = 3, .places = 3}};
  // c has two others ahead: it does not wait; a and b have three.
  CHECK(analysis::admission::holds(alone, three, 1000).dags[0].ends == std::vector{Time(4), Time(5), Time(9)});
  // As many jobs as come within H, or the limit: at T = 5 one would take 7, two 19, four 43 ...
  f.limit.reset();
  const std::vector<Dag> any{f};
  CHECK(analysis::admission::holds(any, one, 50).grows == 0U);
  f.T = Time(19);
  const std::vector<Dag> seldom{f};
  // One job: a 1 + 2, b 2 + 1, c 4: 7 <= 19.
  CHECK(analysis::admission::holds(seldom, one, 50).dags[0].H == Time(7));
  CHECK(analysis::admission::holds(seldom, one, 50).dags[0].jobs == 1);
  // 3 and then 0 at T = 3: the next job may go before the last node, so two count.
  const std::vector<Dag> meeting{{.limit = std::nullopt,
                                  .T = Time(4),
                                  .jitter = Time(0),
                                  .nodes = {Node{0, Time(3), 3, 3, {}}, Node{0, Time(0), 0, 0, {0}}},
                                  .order = {0, 1}}};
  CHECK(analysis::admission::holds(meeting, one, 50).dags[0].H == Time(3));
  std::vector<Dag> dense = meeting;
  dense[0].T = Time(3);
  dense[0].limit = 2;
  CHECK(analysis::admission::holds(dense, one, 50).dags[0].H == Time(9));
}

TEST_CASE("urgent DAGs keep their bounds beside a less urgent one whose jobs wait") {
  const std::string text =
      "platform: {cpu: {processors: 1, scheduler: FP}, other: {processors: 1, scheduler: FIFO}}\ndags:\n"
      "  - {name: control, T: 10 ms, priority: 2, nodes: {c: {on: cpu, C: 2 ms}}}\n"
      "  - {name: camera, T: 3 ms, priority: 1, in_flight: 2, nodes: {a: {on: cpu, C: 1 ms}, b: {on: other, C: 4 ms}}, edges: [a -> b]}\n";
  const auto analysis = analyzed_text(text);
  CHECK(analysis.proof.dags[0].bound->R == 2_ms);
  CHECK_FALSE(analysis.proof.dags[1].bound.has_value());
  // As urgent it may delay control, after a wait, at any distance.
  const auto at = text.find("priority: 1");
  CHECK_FALSE(analyzed_text(std::string(text).replace(at, 11, "priority: 2")).proof.dags[0].bound);
}

TEST_CASE("DAGs that share no pool with one whose jobs wait keep their bounds") {
  const auto analysis = analyzed_text(
      "platform: {a: {processors: 1}, b: {processors: 1}}\ndags:\n"
      "  - {name: p, T: 4 ms, in_flight: 1, nodes: {x: {on: a, C: 3 ms}, y: {on: a, C: 2 ms}}, edges: [x -> y]}\n"
      "  - {name: q, T: 10 ms, nodes: {x: {on: b, C: 2 ms}}}\n");
  CHECK_FALSE(analysis.proof.dags[0].bound.has_value());
  CHECK(analysis.proof.dags[1].bound->R == 2_ms);
}

TEST_CASE("the terms of T38 sum to its bounds") {
  const auto analysis = analyzed_text(beside_control("3 ms", ", in_flight: 2"));
  const auto& bound = *analysis.proof.dags[1].nodes[0].bound;
  const auto inequality = analysis::inequality_of(analysis.proof, bound, 1, 0);
  CHECK(inequality.total == analysis::fine(bound.R));
  analysis::FineTime sum;
  for (const analysis::Term& term : inequality.terms) sum += term.length;
  CHECK(sum == inequality.total);
  const auto lines = explain(analysis.proof, "control").lines;
  CHECK(std::ranges::find(lines, "  camera: 2 jobs x 2000000") != lines.end());
}

TEST_CASE("what a limit of jobs under way has no theorem for is refused") {
  CHECK_THROWS_WITH_AS(static_cast<void>(analyzed_text(stages("G-EDF", "4 ms", ", in_flight: 3"), {{"granularity", "monolithic"}})),
                       "DAG 'p' has a limit of jobs under way (`in_flight`): its nodes are not grouped; --granularity is for DAGs without "
                       "`in_flight`",
                       UserError);
}
