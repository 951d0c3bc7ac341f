// Whom a name means.
#include "rta/analysis/explain.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rta/analysis/analyze.hpp"
#include "rta/model/error.hpp"
#include "support/build.hpp"

using namespace rta;
using namespace rta::analysis;
using namespace rta::test;

namespace {

// DAG `front` with nodes `grab` and `track`; DAG `track` with nodes `grab` and `fuse`; `log`, a DAG of one node.
std::shared_ptr<const TaskSet> names() {
  return task_set({cpu_pool(2)}, {Dag("front", 10_ms, std::nullopt, {cpu_node("grab", 1_ms), cpu_node("track", 1_ms)}, {{0, 1}}),
                                  Dag("track", 20_ms, std::nullopt, {cpu_node("grab", 2_ms), cpu_node("fuse", 1_ms)}, {{0, 1}}),
                                  Dag("log", 50_ms, std::nullopt, {cpu_node("write", 1_ms)}, {})});
}

const std::vector<std::optional<Release>> policies{std::nullopt, Release::offsets, Release::early, Release::completion, Release::segments};

std::string picked(const std::optional<Release>& release, const std::string& name) {
  Options options;
  options.release = release;
  options.explain = {name};
  return analyze(names(), options).explanations.front().node;
}

}  // namespace

TEST_CASE("a name picks the same thing under every policy") {
  for (const auto& release : policies) {
    CAPTURE(release ? to_string(*release) : "best");
    CHECK(picked(release, "track") == "track");  // a DAG before a node of another
    CHECK(picked(release, "front/track") == "front/track");
    CHECK(picked(release, "grab") == "front/grab");  // the first DAG's
    CHECK(picked(release, "track/grab") == "track/grab");
    CHECK(picked(release, "fuse") == "track/fuse");
    CHECK(picked(release, "front") == "front");
    CHECK(picked(release, "log") == "log/write");  // a DAG of one node is that node
    CHECK(picked(release, "write") == "log/write");
    CHECK(picked(release, "log/write") == "log/write");
  }
}

TEST_CASE("a name that nothing has is refused under every policy") {
  for (const auto& release : policies) {
    for (const char* name : {"none", "", "front/fuse", "log/grab", "front/", "/grab", "Front"}) {
      CAPTURE(name);
      CHECK_THROWS_AS((void)picked(release, name), UserError);
    }
  }
}

TEST_CASE("an explained DAG shows the path that decides it") {
  // One processor, G-EDF, 1 and 2 ms every 10 ms: at offsets 3 + 3 ms, on completion 3 ms.
  const auto set = task_set({cpu_pool(1)}, {Dag("d", 10_ms, std::nullopt, {cpu_node("a", 1_ms), cpu_node("b", 2_ms)}, {{0, 1}})});
  Options options;
  options.release = Release::offsets;
  options.refinement = gel::Refinement::none;
  options.explain = {"d"};
  const auto at_offsets = analyze(set, options);
  CHECK(at_offsets.explanations[0].lines ==
        std::vector<std::string>{"offsets: Phi of a node = max over its predecessors of Phi + R; end to end: max over the nodes of Phi + R",
                                 "a: Phi = 0 ns, R = 3000000 ns (T1), ends by 3000000 ns",
                                 "b: Phi = 3000000 ns, R = 3000000 ns (T1), ends by 6000000 ns"});
  options = {};
  options.release = Release::completion;
  options.explain = {"d"};
  const auto on_completion = analyze(set, options);
  CHECK(on_completion.explanations[0].lines[1] == "path a -> b: execution 3000000 ns");
  CHECK(on_completion.explanations[0].lines.back() == "F = 3000000 + 0 = 3000000 ns, rounded up");
}

TEST_CASE("kernels that a group awaits are explained by their own name") {
  Node launch = cpu_node("launch", 1_ms);
  Node kernel = gpu_node("kernel", 1, 1024, 1_ms);
  launch.group = kernel.group = "detect";
  const auto set = task_set({cpu_pool(1), gpu_pool(1, 1024)},
                            {Dag("d", 20_ms, std::nullopt, {launch, kernel, cpu_node("end", 1_ms)}, {{0, 1}, {1, 2}})});
  Options options;
  options.granularity = Granularity::coarse;
  options.explain = {"kernel", "d/kernel", "detect", "end"};
  const auto result = analyze(set, options);
  CHECK(result.explanations[0].node == "d/kernel");
  CHECK(result.explanations[1].node == "d/kernel");
  CHECK(result.explanations[2].node == "d/detect");
  CHECK(result.explanations[3].node == "d/end");
  CHECK(result.explanations[0].lines.front().starts_with("T6"));
}

TEST_CASE("T10m: the chains, what is beside them, and the sum") {
  // m = 2: a1 (5) -> a2 (4), b1 (4) -> b2 (5), a1 -> n (1) -> b2: 11 + (19 - 18)/1.
  CpuPool pool{2, Scheduler::fifo};
  const auto set = task_set(
      {{"cpu", pool}}, {Dag("wide", 100_ms, std::nullopt,
                            {cpu_node("a1", 5_ms), cpu_node("a2", 4_ms), cpu_node("b1", 4_ms), cpu_node("b2", 5_ms), cpu_node("n", 1_ms)},
                            {{0, 1}, {2, 3}, {0, 4}, {4, 3}})});
  Options options;
  options.release = Release::completion;
  options.fitting = Fitting::all;
  options.explain = {"wide/b2"};
  const auto result = analyze(set, options);
  const auto& lines = result.explanations.front().lines;
  const auto has = [&](const char* line) { return std::ranges::find(lines, line) != lines.end(); };
  CHECK(has("longest path a1 -> n -> b2: L = 11000000 ns"));
  CHECK(has("pool cpu (FIFO): m = 2, j + 1 = 2, m - j = 1"));
  CHECK(has("  chain a1 -> a2"));
  CHECK(has("  chain b1 -> b2"));
  CHECK(has("  beside the chains: 1000000 ns, over m - j: 1000000 ns"));
  CHECK(has("F = 11000000 + 1000000 = 12000000 = 12000000 ns, rounded up"));
}
