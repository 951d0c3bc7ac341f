// DAGs that are played by threads, as `analyze` bounds and explains them: T21h and T21b (docs/theory/threads.md).
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "rta/analysis/analyze.hpp"
#include "rta/analysis/inequality.hpp"
#include "rta/analysis/option_table.hpp"
#include "rta/analysis/why.hpp"
#include "rta/io/task_set_file.hpp"
#include "rta/model/error.hpp"

using namespace rta;
using namespace rta::literals;

namespace {

analysis::Analysis analyzed_text(const std::string& text, const analysis::GivenOptions& options = {}) {
  return analysis::analyze(std::make_shared<const TaskSet>(io::parse_task_set(text, "set.yaml").task_set), analysis::options_of(options));
}

/// a (1 ms), three kernels of 2 ms that fill the GPU, b (1 ms).
std::string filter(const std::string& name, const std::string& T, const std::string& more) {
  return "  - {name: " + name + ", T: " + T + more +
         ", nodes: {a: {on: cpu, C: 1 ms}, k1: {on: gpu, B: 1, H: 64, L: 2 ms}, k2: {on: gpu, B: 1, H: 64, L: 2 ms}, "
         "k3: {on: gpu, B: 1, H: 64, L: 2 ms}, b: {on: cpu, C: 1 ms}}, edges: [a -> k1 -> k2 -> k3 -> b]}\n";
}

std::string platform(const std::string& cpu) { return "platform: {cpu: {" + cpu + "}, gpu: {sms: 1, threads: 64}}\ndags:\n"; }

std::string why_none(const analysis::Analysis& analysis) { return in_words(analysis.proof, *why_unbounded(analysis.proof)); }

}  // namespace

TEST_CASE("one thread that launches and waits is bounded by what it does") {
  const auto one = analyzed_text(platform("processors: 1") + filter("f", "8 ms", ", threads: 1"));
  CHECK(one.verdict == analysis::Verdict::schedulable);
  CHECK(one.proof.release == Release::completion);
  CHECK(one.proof.dags[0].bound->R == 8_ms);
  CHECK(one.proof.dags[0].bound->basis.theorem == analysis::Theorem::T21h);
  CHECK(one.proof.dags[0].nodes[2].bound->R == 5_ms);
  const auto late = analyzed_text(platform("processors: 1") + filter("f", "7999999 ns", ", threads: 1"));
  CHECK(late.verdict == analysis::Verdict::unbounded);
  CHECK(why_none(late) ==
        "DAG 'f': a job may hold its thread for H = 8 ms, more than 1 x 7.999999 ms (k times the least distance of two releases): "
        "jobs may come faster than threads take them (the rate is at most k/H)");
}

TEST_CASE("threads that share processors under FIFO wait for one run of each other thread") {
  const std::string two = filter("f", "16 ms", ", threads: 1") + filter("g", "16 ms", ", threads: 1");
  CHECK(analyzed_text(platform("processors: 1, scheduler: FIFO") + two).proof.dags[0].bound->R == 16_ms);
  CHECK(analyzed_text(platform("processors: 2") + two).proof.dags[1].bound->R == 14_ms);
}

TEST_CASE("where others come seldom, jobs are counted") {
  const std::string seldom =
      "  - {name: g, T: 100 ms, threads: 1, nodes: {a: {on: cpu, C: 1 ms}, k: {on: gpu, B: 1, H: 64, L: 2 ms}}, edges: [a -> k]}\n";
  // T21h: 8 + 3 x 2, behind a kernel of g each time.
  const auto counted = analyzed_text(platform("processors: 2") + filter("f", "100 ms", ", threads: 1") + seldom);
  CHECK(counted.proof.dags[0].bound->R == 10_ms);
  CHECK(counted.proof.dags[1].bound->R == 5_ms);
}

TEST_CASE("release jitter brings releases closer") {
  const auto of = [](const std::string& jitter) {
    return analyzed_text(platform("processors: 1") + filter("f", "10 ms", ", threads: 1, jitter: " + jitter)).proof.dags[0].bound;
  };
  CHECK(of("2 ms")->R == 8_ms);
  CHECK_FALSE(of("2001 us"));
}

TEST_CASE("beside DAGs without threads, and in other orders than FIFO, jobs are counted") {
  const auto beside =
      analyzed_text(platform("processors: 4, scheduler: FIFO") + filter("f", "100 ms", ", threads: 1") + filter("g", "100 ms", ""));
  CHECK(beside.proof.dags[0].bound->R == 14_ms);
  CHECK(beside.proof.dags[1].bound->R == 14_ms);
  CHECK(beside.proof.task_set->dags()[0].attributes().threads == 1U);
  const auto apart = analyzed_text(
      "platform: {one: {processors: 1}, two: {processors: 1}}\ndags:\n"
      "  - {name: f, T: 10 ms, threads: 2, nodes: {a: {on: one, C: 1 ms}}}\n"
      "  - {name: g, T: 10 ms, nodes: {a: {on: two, C: 1 ms}}}\n");
  CHECK(apart.proof.dags[0].bound->R == 1_ms);  // two threads on one processor under G-EDF
  CHECK(apart.proof.dags[1].bound->R == 1_ms);
}

TEST_CASE("a job ends before the threads have others: an inference thread beside a control loop under G-EDF") {
  const auto set = [](const std::string& T, const std::string& k) {
    return platform("processors: 1") + filter("f", T, ", D: 20 ms, threads: " + k) +
           "  - {name: g, T: 10 ms, nodes: {a: {on: cpu, C: 3 ms}}}\n";
  };
  analysis::Options explained;
  explained.explain = {"f"};
  const auto one =
      analysis::analyze(std::make_shared<const TaskSet>(io::parse_task_set(set("20 ms", "1"), "set.yaml").task_set), explained);
  CHECK(one.proof.dags[0].bound->R == 14_ms);
  CHECK(one.proof.dags[1].bound->R == 4_ms);
  const auto& lines = one.explanations[0].lines;
  const std::string says = "T21b: 'f' ends within F = 14000000 ns <= k T = 1 x 20000000 ns, so no job of it waits for a thread";
  CHECK(std::ranges::find(lines, says) != lines.end());
  const auto late = analyzed_text(set("13 ms", "1"));
  CHECK(why_none(late) ==
        "DAG 'f': a job may take F = 14.853847 ms by the theorems on completion, more than 1 x 13 ms (k times the least distance of "
        "two releases): it may have to wait for a thread, and they know of none such; with more threads or a "
        "longer period F <= k T would hold");
  CHECK(analyzed_text(set("13 ms", "2")).proof.dags[0].bound->R == 14'853'847_ns);
}

TEST_CASE("pools without preemption have no bound for threads that go on from node to node") {
  const std::string text =
      "platform: {cpu: {processors: 1, preemptive: false}}\ndags:\n"
      "  - {name: f, T: 10 ms, threads: 1, nodes: {a: {on: cpu, C: 1 ms}, b: {on: cpu, C: 1 ms}}, edges: [a -> b]}\n"
      "  - {name: g, T: 10 ms, nodes: {a: {on: cpu, C: 1 ms}}}\n";
  CHECK(
      why_none(analyzed_text(text)) ==
      "DAG 'f': its thread goes on from 'a' to 'b' on pool 'cpu', whose nodes run to their ends by priority, beside others: no theorem is "
      "for that; make one node of both, or let the pool preempt");
}

TEST_CASE("kernels of several stream priorities and time slices are T21b's") {
  std::string text = platform("processors: 2") + filter("f", "100 ms", ", threads: 1") + filter("g", "100 ms", ", threads: 1");
  text.replace(text.find("L: 2 ms"), 7, "L: 2 ms, priority: high");
  CHECK(analyzed_text(text).proof.dags[0].bound);
  std::string sliced = "platform: {cpu: {processors: 2}, gpu: {sms: 1, threads: 64, sharing: {slice: 1 ms, switch: 0 ms}}}\ndags:\n" +
                       filter("f", "100 ms", ", threads: 1, process: p") + filter("g", "100 ms", ", threads: 1, process: q");
  CHECK(analyzed_text(sliced).proof.dags[0].bound);
}

TEST_CASE("what is not there for threads is refused, not left out") {
  const std::string text = platform("processors: 1") + filter("f", "8 ms", ", threads: 1");
  for (const analysis::GivenOptions& options : std::vector<analysis::GivenOptions>{{{"release", "offsets"}},
                                                                                   {{"release", "segments"}},
                                                                                   {{"release", "early"}},
                                                                                   {{"granularity", "coarse"}},
                                                                                   {{"granularity", "monolithic"}},
                                                                                   {{"optimize", "priorities"}},
                                                                                   {{"priorities", "node"}},
                                                                                   {{"path-bound", "T10n"}}}) {
    CAPTURE(options.front().first);
    CHECK_THROWS_AS(static_cast<void>(analyzed_text(text, options)), UserError);
  }
  CHECK(analyzed_text(text, {{"release", "completion"}}).proof.dags[0].bound->R == 8_ms);
}

TEST_CASE("Tiny YOLO of the literature: the file's bound is its period, and the explanation has the largest rate") {
  const std::string file = RTA_SOURCE_DIR "/tasksets/literature/tiny-yolo-threads.yaml";
  const auto set = std::make_shared<const TaskSet>(io::read_task_set(file).task_set);
  analysis::Options options;
  options.explain = {"yolo"};
  const auto serial = analysis::analyze(set, options);
  // 7.7 ms of processors, and kernels in turn (T27): 9 of two waves of 0.35 ms, 6 of one wave of 0.15 ms.
  CHECK(serial.proof.dags[0].bound->R == 14'900'000_ns);
  CHECK(serial.verdict == analysis::Verdict::schedulable);
  const auto& lines = serial.explanations[0].lines;
  const std::string rate = "largest rate: H depends on no period, so T may be 14900000 ns: k/H = 67.1 jobs per second";
  CHECK(std::ranges::find(lines, rate) != lines.end());
  const analysis::Why why = analysis::why(serial.proof, 0);
  Time sum;
  for (const analysis::BoundPart& part : why.parts) sum += part.length;
  CHECK(sum == 14'900'000_ns);
  CHECK(why.path.size() == 26);
  // Each further thread: 15 kernels behind one of 0.7 ms.
  const std::vector<Time> H{14'900'000_ns, 25'400'000_ns, 35'900'000_ns, 46'400'000_ns};
  for (std::uint32_t k = 1; k <= 4; ++k) {
    std::vector<Dag> dags;
    const Dag& dag = set->dags()[0];
    DagAttributes attributes = dag.attributes();
    attributes.threads = k;
    dags.emplace_back(dag.name(), Time(static_cast<std::int64_t>(ceil_div(H[k - 1].count(), k))), std::nullopt,
                      std::vector<Node>(dag.nodes().begin(), dag.nodes().end()), std::vector<Edge>(dag.edges().begin(), dag.edges().end()),
                      attributes);
    const auto frames = std::make_shared<const TaskSet>("frames", std::vector<Pool>(set->pools().begin(), set->pools().end()), dags);
    CHECK(analysis::analyze(frames, {}).proof.dags[0].bound->R == H[k - 1]);
  }
}
