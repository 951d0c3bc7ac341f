// DAGs that are played by threads, as `analyze` bounds and explains them: T21h (docs/theory/threads.md).
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
        "DAG 'f': a job may hold its thread for H = 8000000 ns, more than 1 x 7999999 ns (k times the least distance of two releases): "
        "jobs may come faster than threads take "
        "them (T21h: the rate is at most k/H)");
}

TEST_CASE("threads that share processors under FIFO wait for one run of each other thread") {
  const std::string two = filter("f", "16 ms", ", threads: 1") + filter("g", "16 ms", ", threads: 1");
  CHECK(analyzed_text(platform("processors: 1, scheduler: FIFO") + two).proof.dags[0].bound->R == 16_ms);
  CHECK(analyzed_text(platform("processors: 2") + two).proof.dags[1].bound->R == 14_ms);
  const auto unordered = analyzed_text(platform("processors: 1") + two);
  CHECK(why_none(unordered) ==
        "2 threads share the 1 processor of pool 'cpu', whose scheduler is not FIFO: T21h needs `scheduler: FIFO` there, or a processor "
        "for each thread");
}

TEST_CASE("release jitter brings releases closer") {
  const auto of = [](const std::string& jitter) {
    return analyzed_text(platform("processors: 1") + filter("f", "10 ms", ", threads: 1, jitter: " + jitter)).proof.dags[0].bound;
  };
  CHECK(of("2 ms")->R == 8_ms);
  CHECK_FALSE(of("2001 us"));
}

TEST_CASE("a DAG without threads beside them has no theorem, and elsewhere its own") {
  const auto beside =
      analyzed_text(platform("processors: 4, scheduler: FIFO") + filter("f", "100 ms", ", threads: 1") + filter("g", "100 ms", ""));
  CHECK(beside.verdict == analysis::Verdict::unbounded);
  CHECK(why_none(beside) ==
        "DAG 'g' has no `threads`, and shares pools with 'f', which is played by threads: T21h is for pools that threads have for "
        "themselves");
  const auto apart = analyzed_text(
      "platform: {one: {processors: 1}, two: {processors: 1}}\ndags:\n"
      "  - {name: f, T: 10 ms, threads: 2, nodes: {a: {on: one, C: 1 ms}}}\n"
      "  - {name: g, T: 10 ms, nodes: {a: {on: two, C: 1 ms}}}\n");
  CHECK(apart.verdict == analysis::Verdict::unbounded);  // two threads on one processor under G-EDF
  CHECK_FALSE(apart.proof.dags[0].bound);
  CHECK(apart.proof.dags[1].bound->R == 1_ms);
}

TEST_CASE("kernels of several stream priorities and time slices are not T21h's") {
  std::string text = platform("processors: 2") + filter("f", "100 ms", ", threads: 1") + filter("g", "100 ms", ", threads: 1");
  text.replace(text.find("L: 2 ms"), 7, "L: 2 ms, priority: high");
  CHECK(why_none(analyzed_text(text)) ==
        "kernels of several stream priorities share GPU 'gpu'; T21h is for threads whose kernels have one FIFO");
  std::string sliced = "platform: {cpu: {processors: 2}, gpu: {sms: 1, threads: 64, sharing: {slice: 1 ms, switch: 0 ms}}}\ndags:\n" +
                       filter("f", "100 ms", ", threads: 1, process: p") + filter("g", "100 ms", ", threads: 1, process: q");
  CHECK(why_none(analyzed_text(sliced)) == "T21h knows nothing of the time slices by which processes share GPU 'gpu' (T14 and T14j do)");
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
