// Nodes that wait for earlier jobs, and streams, as `analyze` bounds and explains them: T40 (docs/theory/history.md).
#include "rta/analysis/history.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "rta/analysis/analyze.hpp"
#include "rta/analysis/option_table.hpp"
#include "rta/io/task_set_file.hpp"
#include "rta/model/error.hpp"

using namespace rta;
using namespace rta::literals;

namespace {

analysis::Analysis proven_of_text(const std::string& text, const analysis::GivenOptions& options = {}) {
  return analysis::analyze(std::make_shared<const TaskSet>(io::parse_task_set(text, "set.yaml").task_set), analysis::options_of(options));
}

std::string why_unproven(const analysis::Analysis& analysis) { return in_words(analysis.proof, *why_unbounded(analysis.proof)); }

/// grab 1, features 4 and track 5 ms, a processor each; the tracker of the page.
std::string tracker(const std::string& more, const std::string& of_grab, const std::string& of_track = "") {
  return "platform: {a: {processors: 1}, b: {processors: 1}, c: {processors: 1}, d: {processors: 1}}\n"
         "dags:\n  - name: camera\n    " +
         more + "\n    nodes:\n      grab: {on: a, C: 1 ms" + of_grab +
         "}\n      features: {on: b, C: 4 ms}\n      track: {on: c, C: 5 ms" + of_track +
         "}\n    edges: [grab -> features -> track]\n"
         "  - {name: beside, T: 100 ms, nodes: {x: {on: c, C: 0 ms}}}\n"
         "  - {name: apart, T: 10 ms, nodes: {x: {on: d, C: 1 ms}}}\n";
}
const std::string buffer = ", after: {node: track, jobs: 1}";

}  // namespace

TEST_CASE("an edge from the job before leaves bounds as they are up to F = T exactly, under every release policy") {
  for (const char* const release : {"offsets", "completion", "segments", "early"}) {
    CAPTURE(release);
    const auto plain = proven_of_text(tracker("T: 10 ms", ""), {{"release", release}});
    const auto exact = proven_of_text(tracker("T: 10 ms", buffer, ", after: {node: features}"), {{"release", release}});
    CHECK(plain.proof.dags[0].bound->R == 10_ms);
    CHECK(exact.proof.dags[0].bound == plain.proof.dags[0].bound);
    CHECK(exact.proof.dags[0].nodes == plain.proof.dags[0].nodes);
    CHECK_FALSE(first_that_may_delay(exact.proof, 0));
    const auto shorter = proven_of_text(tracker("T: 9999 us", buffer), {{"release", release}});
    CHECK_FALSE(shorter.proof.dags[0].bound.has_value());
    CHECK_FALSE(shorter.proof.dags[1].bound.has_value());  // shares a pool
    CHECK(shorter.proof.dags[2].bound->R == 1_ms);
    CHECK(why_unproven(shorter) ==
          "DAG 'camera': 'grab' waits for 'track' of the job before (`after`), which without that may end F = 10 ms after its release, "
          "more than 1 x 9.999 ms (k T): what waits so may come at any distance; with a longer period, or an edge from an earlier job, F "
          "would be no more (T40)");
    // Two jobs before: 10 <= 2 x 6.
    const std::string two = ", after: {node: track, jobs: 2}";
    CHECK(proven_of_text(tracker("T: 6 ms", two), {{"release", release}}).proof.dags[0].bound->R == 10_ms);
  }
  CHECK_FALSE(proven_of_text(tracker("T: 9999999 ns", buffer), {{"release", "completion"}}).proof.dags[0].bound);
}

TEST_CASE("jitter takes from the distance of two releases, and an offset adds to it") {
  CHECK(proven_of_text(tracker("T: 12 ms\n    jitter: 2 ms", buffer), {{"release", "completion"}}).proof.dags[0].bound->R == 10_ms);
  const auto late = proven_of_text(tracker("T: 12 ms\n    jitter: 2000001 ns", buffer), {{"release", "completion"}});
  CHECK_FALSE(late.proof.dags[0].bound);
  CHECK(why_unproven(late).find("more than 1 x 12 ms - 2.000001 ms (k T - J)") != std::string::npos);
  // track waits for itself: on completion it may be ready at once, at its offset of 5 ms no sooner than that.
  const std::string itself = ", after: {node: track}";
  CHECK_FALSE(proven_of_text(tracker("T: 9 ms", "", itself), {{"release", "completion"}}).proof.dags[0].bound);
  CHECK(proven_of_text(tracker("T: 9 ms", "", itself), {{"release", "offsets"}}).proof.dags[0].bound->R == 10_ms);
  CHECK(proven_of_text(tracker("T: 6 ms", "", itself), {{"release", "offsets"}}).proof.dags[0].bound->R == 10_ms);
  CHECK_FALSE(proven_of_text(tracker("T: 9 ms", "", itself), {{"release", "early"}}).proof.dags[0].bound);
  // The best policy is one that has a bound.
  const auto best = proven_of_text(tracker("T: 9 ms", "", itself));
  CHECK(best.proof.dags[0].bound->R == 10_ms);
}

TEST_CASE("all edges have to hold, also those of other DAGs on the same pools") {
  const auto text = [](const std::string& T) {
    return "platform: {cpu: {processors: 2, scheduler: FIFO}}\ndags:\n"
           "  - {name: a, T: " +
           T + ", nodes: {x: {on: cpu, C: 3 ms}, y: {on: cpu, C: 3 ms, after: {node: y, jobs: 1}}}, edges: [x -> y]}\n" +
           "  - {name: b, T: 50 ms, nodes: {z: {on: cpu, C: 1 ms, after: {node: z, jobs: 1}}}}\n";
  };
  CHECK(proven_of_text(text("40 ms")).verdict != analysis::Verdict::unbounded);
  const auto none = proven_of_text(text("4 ms"), {{"release", "completion"}});
  CHECK_FALSE(none.proof.dags[0].bound);
  CHECK_FALSE(none.proof.dags[1].bound);
}

TEST_CASE("more urgent DAGs on preemptive processors keep their bounds") {
  const std::string text =
      "platform: {cpu: {processors: 1, scheduler: FP}, b: {processors: 1}}\ndags:\n"
      "  - {name: low, T: 8 ms, priority: 1, nodes: {x: {on: cpu, C: 3 ms, after: {node: y, jobs: 1}}, y: {on: b, C: 6 ms}}, edges: [x -> "
      "y]}\n"
      "  - {name: high, T: 10 ms, priority: 2, nodes: {z: {on: cpu, C: 1 ms}}}\n";
  const auto analysis = proven_of_text(text, {{"release", "completion"}});
  CHECK_FALSE(analysis.proof.dags[0].bound);
  CHECK(analysis.proof.dags[1].bound->R == 1_ms);
}

TEST_CASE("a limit of one job under way leaves nothing to wait for") {
  // As in docs/theory/in-flight.md: H = 6, control 3; jobs of the camera wait to be admitted, and never for one another.
  const std::string text =
      "platform: {cpu: {processors: 1, scheduler: FIFO}}\ndags:\n"
      "  - {name: camera, T: 3 ms, in_flight: COUNT, nodes: {a: {on: cpu, C: 2 ms, after: {node: b}}, b: {on: cpu, C: 2 ms}}, edges: [a -> "
      "b]}\n"
      "  - {name: control, T: 20 ms, nodes: {c: {on: cpu, C: 1 ms}}}\n";
  const auto with = [&](const std::string& count) {
    std::string of = text;
    return proven_of_text(of.replace(of.find("COUNT"), 5, count), {{"release", "completion"}});
  };
  CHECK(with("1").proof.dags[1].bound->R == 3_ms);
  CHECK_FALSE(with("2").proof.dags[1].bound);
}

TEST_CASE("a stream is edges within a job and one from the job before") {
  const auto text = [](const std::string& T, const std::string& edges) {
    return "platform: {cpu: {processors: 1}, gpu: {sms: 4, threads: 1024}, copy: {engines: 1}}\ndags:\n  - name: f\n    T: " + T +
           "\n    nodes:\n      k: {on: gpu, time: 4 ms, stream: s}\n      m: {on: copy, C: 4 ms, stream: s}\n" + edges;
  };
  CHECK(proven_of_text(text("8 ms", ""), {{"release", "completion"}}).proof.dags[0].bound->R == 8_ms);
  const auto shorter = proven_of_text(text("7999999 ns", ""), {{"release", "completion"}});
  CHECK_FALSE(shorter.proof.dags[0].bound);
  CHECK(why_unproven(shorter).find("'k' waits for 'm' of the job before (stream 's')") != std::string::npos);
  const auto set = io::parse_task_set(text("8 ms", ""), "f.yaml").task_set;
  CHECK(set == io::parse_task_set(text("8 ms", "    edges: [k -> m]\n"), "f.yaml").task_set);
  REQUIRE(set.dags()[0].history().size() == 1);
  CHECK(set.dags()[0].history()[0] == HistoryEdge{1, 0, 1});
  CHECK(analysis::stream_of(set.dags()[0], set.dags()[0].history()[0]) == "s");
}

TEST_CASE("buffers of an edge from earlier jobs are those of an edge, and one for each of these jobs") {
  const auto analysis = proven_of_text(tracker("T: 10 ms", ", after: {node: track, jobs: 2}"), {{"release", "completion"}});
  // grab ends by 1 ms: ceil((1 - 0)/10) + 2.
  CHECK(analysis::buffers(analysis.proof, 0, HistoryEdge{2, 0, 2}) == 3);
}

TEST_CASE("groups of nodes do not wait for earlier jobs") {
  CHECK_THROWS_AS(proven_of_text(tracker("T: 10 ms", buffer), {{"granularity", "monolithic"}}), UserError);
}
