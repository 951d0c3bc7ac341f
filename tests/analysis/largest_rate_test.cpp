#include "rta/analysis/largest_rate.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <string_view>

#include "rta/analysis/analyze.hpp"
#include "rta/io/task_set_file.hpp"
#include "support/build.hpp"
#include "support/random_system.hpp"

using namespace rta;
using namespace rta::test;
using namespace rta::analysis;

namespace {

std::shared_ptr<const TaskSet> parsed(std::string_view text) {
  return std::make_shared<const TaskSet>(io::parse_task_set(text, "test.yaml").task_set);
}

LargestRate rate_of(const std::shared_ptr<const TaskSet>& set, std::string_view dag, const Options& options = {}) {
  return largest_rate(set, analyze(set, options).proof, options, dags_called(*set, dag).value());
}

// A job of 8 ms, of which 6 on the GPU: one thread. Another like it beside.
std::string filters(int processors, std::string_view T, std::string_view others) {
  std::string text =
      "platform: {cpu: {processors: " + std::to_string(processors) + ", scheduler: FIFO}, gpu: {sms: 1, threads: 64}}\ndags:\n";
  for (const auto& [name, period] : {std::pair<std::string, std::string_view>{"f", T}, {"g", others}}) {
    if (period.empty()) continue;
    text += "  - {name: " + name + ", T: " + std::string(period) +
            ", threads: 1, nodes: {a: {on: cpu, C: 1 ms}, x: {on: gpu, B: 1, H: 64, L: 2 ms}, y: {on: gpu, B: 1, H: 64, L: 2 ms}, "
            "z: {on: gpu, B: 1, H: 64, L: 2 ms}, b: {on: cpu, C: 1 ms}}, edges: [a -> x -> y -> z -> b]}\n";
  }
  return text;
}

}  // namespace

TEST_CASE("The largest rate of threads is that of docs/theory/threads.md") {
  // One thread: T = H = 8 ms, from above and from below.
  for (const std::string_view T : {"20 ms", "8 ms", "1 ms"}) {
    CAPTURE(T);
    const LargestRate alone = rate_of(parsed(filters(1, T, "")), "f");
    REQUIRE(alone.found);
    CHECK(alone.found->T == 8'000'000_ns);
    CHECK(alone.bound().R == 8'000'000_ns);
    CHECK(alone.complete);
    REQUIRE(alone.failing);
    CHECK(alone.failing->T == 7'999'999_ns);
    REQUIRE(alone.failing->unmet.size() == 1);
    CHECK(alone.failing->unmet[0].dag == 0);
  }
  // Two bodies on one processor 8 + 3 x 2 + 2 x 1, on two 8 + 3 x 2.
  CHECK(rate_of(parsed(filters(1, "30 ms", "30 ms")), "f").found->T == 16'000'000_ns);
  CHECK(rate_of(parsed(filters(2, "30 ms", "30 ms")), "f").found->T == 14'000'000_ns);
  // The other is too fast for its own thread, and by T21h all DAGs that share pools have bounds or none.
  const LargestRate beside = rate_of(parsed(filters(1, "30 ms", "15 ms")), "f");
  CHECK_FALSE(beside.found);
  CHECK(beside.complete);
}

TEST_CASE("Three stages of 7, 6 and 7 ms") {
  const auto set = parsed(R"(
platform: {cpu: {processors: 3, scheduler: FIFO}, gpu: {sms: 1, threads: 64}}
dags:
  - {name: first, T: 50 ms, threads: 1, nodes: {a: {on: cpu, C: 1 ms}, x: {on: gpu, B: 1, H: 64, L: 2 ms}}, edges: [a -> x]}
  - {name: second, T: 50 ms, threads: 1, nodes: {y: {on: gpu, B: 1, H: 64, L: 2 ms}}}
  - {name: third, T: 50 ms, threads: 1, nodes: {z: {on: gpu, B: 1, H: 64, L: 2 ms}, b: {on: cpu, C: 1 ms}}, edges: [z -> b]}
)");
  CHECK(rate_of(set, "first").found->T == 7'000'000_ns);
  CHECK(rate_of(set, "second").found->T == 6'000'000_ns);
  CHECK(rate_of(set, "third").found->T == 7'000'000_ns);
}

TEST_CASE("The largest rate of a CPU task, with and without deadlines in the way") {
  // One FIFO processor: whichever job comes, it ends when one job of each has run, after 60 ns, while 20/T + 40/1000 <= 1.
  Options options;
  options.release = Release::offsets;
  options.refinement = gel::Refinement::none;
  const auto set = [](std::optional<Time> D) {
    return task_set({cpu_pool(1, Scheduler::fifo)},
                    {Dag("a", 1000_ns, std::nullopt, {cpu_node("a", 20_ns)}, {}), Dag("b", 1000_ns, D, {cpu_node("b", 40_ns)}, {})});
  };
  const LargestRate free = rate_of(set(std::nullopt), "a", options);
  REQUIRE(free.found);
  CHECK(free.found->T == 21_ns);
  CHECK(free.bound().R == 60_ns);
  REQUIRE(free.failing);
  CHECK(free.failing->T == 20_ns);
  CHECK(free.failing->unmet.size() == 2);  // both have lost their bounds
  CHECK(rate_of(set(60_ns), "a", options).found->T == 21_ns);
  // b has no more than 59 ns, whatever T of a is.
  const LargestRate late = rate_of(set(59_ns), "a", options);
  CHECK_FALSE(late.found);
  REQUIRE(late.failing);
  CHECK(late.failing->T > 86'400_s);
  REQUIRE(late.failing->unmet.size() == 1);
  CHECK(late.failing->unmet[0].dag == 1);
}

TEST_CASE("A limit of a chain is met by a shorter T") {
  // MRT = T + F of both stages: T + 2 + 20 + 5 <= 40 ms up to T = 13 ms; the processor needs 2 ms.
  const auto set = parsed(R"(
platform:
  p: {processors: 1}
  q: {processors: 1}
dags:
  - {name: a, T: 30 ms, nodes: {x: {on: p, C: 2 ms}}}
  - {name: b, T: 20 ms, D: 20 ms, nodes: {y: {on: q, C: 5 ms}}}
chains:
  - {name: brake, stages: [a, b], reaction: 40 ms}
)");
  const LargestRate shorter = rate_of(set, "a");
  REQUIRE(shorter.found);
  CHECK(shorter.found->T == 2'000'000_ns);
  const LargestRate hopeless = rate_of(set, "b");  // 30 + 2 + T + 5 > 40 down to T = 5
  CHECK_FALSE(hopeless.found);
  REQUIRE(hopeless.failing);
  CHECK(hopeless.failing->unmet.back().chain == 0);
}

TEST_CASE("Copies change together, or one alone") {
  const auto set = parsed(
      "platform: {cpu: {processors: 1, scheduler: FIFO}}\n"
      "dags: [{name: c, copies: 3, T: 90 ms, threads: 1, nodes: {a: {on: cpu, C: 2 ms}}}]\n");
  const LargestRate all = rate_of(set, "c");
  CHECK(all.dags.first == 0);
  CHECK(all.dags.last == 2);
  CHECK(all.found->T == 6'000'000_ns);
  const LargestRate one = rate_of(set, "c[1]");
  CHECK(one.dags.first == 1);
  CHECK(one.dags.last == 1);
  CHECK(one.found->T == 6'000'000_ns);
  CHECK_FALSE(dags_called(*set, "d").has_value());
}

TEST_CASE("T counts the release jitter") {
  const LargestRate rate = rate_of(parsed("platform: {cpu: {processors: 1, scheduler: FIFO}}\n"
                                          "dags: [{name: y, T: 20 ms, jitter: 5 ms, threads: 1, nodes: {a: {on: cpu, C: 6 ms}}}]\n"),
                                   "y");
  REQUIRE(rate.found);
  CHECK(rate.found->T == 11'000'000_ns);
}

TEST_CASE("What is found at T holds when a file says T") {
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    CAPTURE(seed);
    const auto set =
        std::make_shared<const TaskSet>(test::random_system(seed, {.sequential = true, .priorities = false, .non_preemptive = true}));
    Options options;
    options.most_periods = 20;
    const Proof before = analyze(set, options).proof;
    const LargestRate rate = largest_rate(set, before, options, {0, 0});
    if (!rate.found) continue;
    ++found;
    std::vector<Dag> dags(set->dags().begin(), set->dags().end());
    const Dag& dag = dags[0];
    std::vector<Node> nodes(dag.nodes().begin(), dag.nodes().end());
    dags[0] = Dag(dag.name(), rate.found->T - dag.attributes().jitter, dag.deadline(), nodes, {dag.edges().begin(), dag.edges().end()},
                  dag.attributes());
    const auto changed = std::make_shared<const TaskSet>(set->name(), std::vector<Pool>(set->pools().begin(), set->pools().end()),
                                                         std::move(dags), set->chains());
    const Proof after = analyze(parsed(io::format_task_set(*changed)), options).proof;
    REQUIRE(after.dags[0].bound);
    CHECK(after.dags[0].bound->R == rate.bound().R);
    for (DagId d = 0; d < after.dags.size(); ++d) {
      if (before.dags[d].bound || after.task_set->dags()[d].deadline()) CHECK(after.dags[d].meets(after.task_set->dags()[d].deadline()));
    }
  }
  CHECK(found > 3);
}
