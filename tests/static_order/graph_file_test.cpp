// Graph files: what is read, what is refused and where, and that a file that was written reads back equal.
#include "rta/static_order/graph_file.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>

#include "graphs.hpp"
#include "random_graph.hpp"
#include "rta/io/task_set_file.hpp"
#include "rta/model/error.hpp"

using namespace rta;
using namespace rta::static_order;

namespace {

std::string refusal(const std::string& text) {
  try {
    static_cast<void>(parse_graph(text, "g.yaml"));
  } catch (const io::InputError& error) {
    return error.what();
  }
  return "accepted";
}

std::string with(const std::string& runnable, const std::string& second = "b: {WCET: 1ms, Resources: [CPU]}") {
  return graph_text("CPU: [C0, C1], GPU: [G], LOCK: [l]", line(runnable) + line(second), "100ms", "S: [{s0: G}]");
}

}  // namespace

TEST_CASE("the tutorial's file: three runnables, a stream, a submission") {
  std::ifstream file(std::string(RTA_SOURCE_DIR) + "/tasksets/static/cpu_gpu.yaml");
  const Graph graph = graph_of_text(std::string(std::istreambuf_iterator<char>(file), {}));
  CHECK(graph.name == "cpu_gpu");
  CHECK(graph.identifier == 101);
  REQUIRE(graph.runnables.size() == 3);
  CHECK(full_name(graph, graph.runnables[0]) == "GpuX.submit");
  CHECK(graph.runnables[0].submits == RunnableId{1});
  CHECK(graph.runnables[2].dependencies == std::vector<RunnableId>{1});
  CHECK(graph.runnables[0].wcet == Time(10'000'000));
  CHECK(graph.hyperepochs.at(0).epochs.at(0).period == Time(100'000'000));
  const ResourceNeed& stream = graph.runnables[0].needs.at(1);
  REQUIRE(stream.any_of.size() == 1);
  CHECK(full_name(graph, stream.any_of.front()) == "GpuX.CUDA_STREAMX");
  CHECK(graph.resources[*graph.resources[stream.any_of.front()].serves].name == "iGPU");
}

TEST_CASE("what a graph cannot say is refused where it stands") {
  // Runnables stand from line 12 on, at column 19.
  CHECK(refusal(with("a: {WCET: 1, Resources: [CPU]}")).find("g.yaml:12:29: ") == 0);
  CHECK(refusal(with("a: {WCET: 1ms, Resources: [CPX]}")).find("g.yaml:12:46: ") == 0);
  CHECK(refusal(with("a: {WCET: 1ms, Resources: [CPU, G]}")).find("g.yaml:12:") == 0);
  CHECK(refusal(with("a: {WCET: 1ms, Resources: [CPU], Dependencies: [c.x]}")).find("'c.x' is no runnable") != std::string::npos);
  CHECK(refusal(with("a: {WCET: 1ms, Resources: [CPU], Dependencies: [c.a]}")).find("cannot wait for itself") != std::string::npos);
  CHECK(refusal(with("a: {WCET: 1ms, Resources: [CPU], Dependencies: [c.b, c.b]}")).find("'c.b' is given twice") != std::string::npos);
  CHECK(refusal(with("b: {WCET: 1ms, Resources: [CPU]}")).find("the runnable 'c.b' is given twice (first at line 12)") !=
        std::string::npos);
  CHECK(refusal(with("a: {WCET: 1ms, Resources: [CPU], Wcet: 3ms}")).find("g.yaml:12:52: ") == 0);
  CHECK(refusal(with("a: {WCET: -1ms, Resources: [CPU]}")).find("g.yaml:12:29: ") == 0);
  CHECK(refusal(with("a: {WCET: 1ms, Resources: [CPU], Submits: c.b}")).find("g.yaml:") == 0);
  CHECK(refusal("Version: 2.0.0\ng: {}\n").find("g.yaml:1:10: Version: '2.0.0' is not supported; it is 3.0.0") == 0);
  CHECK(refusal("Version: 3.0.0\n").find("the graph is missing") != std::string::npos);
  CHECK(refusal("").find("is empty") != std::string::npos);
}

TEST_CASE("alias groups are looked at where no client could be read, too") {
  CHECK(refusal("Version: 3.0.0\ng:\n  Identifier: 1\n  Resources: {CPU: [C0]}\n  Hyperepochs:\n    - h: {Period: 1ms, Epochs: [{e: "
                "{AliasGroups: [{turns: {Steps: [c.a]}}]}}]}\n  Clients:\n")
            .find("'c.a' is no runnable") != std::string::npos);
}

TEST_CASE("runnables that wait for one another are refused") {
  const std::string text =
      refusal(with("a: {WCET: 1ms, Resources: [CPU], Dependencies: [c.b]}", "b: {WCET: 1ms, Resources: [CPU], Dependencies: [c.a]}"));
  CHECK(text.find("waits for itself: ") != std::string::npos);
  CHECK((text.find("a -> b -> a") != std::string::npos || text.find("b -> a -> b") != std::string::npos));
}

TEST_CASE("any text is read or refused: each prefix of a file, and each byte replaced") {
  const std::string text = with("a: {WCET: 1ms, Resources: [C0, S], Submits: c.b}", "b: {WCET: 1ms, Resources: [G]}");
  REQUIRE(refusal(text) == "accepted");
  int accepted = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    accepted += static_cast<int>(refusal(text.substr(0, i)) == "accepted");
    for (const char c : {'\0', ':', '{', '9', '\xff'}) {
      std::string changed = text;
      changed[i] = c;
      accepted += static_cast<int>(refusal(changed) == "accepted");
    }
  }
  CHECK(accepted > 0);
}

TEST_CASE("a graph that was written reads back equal") {
  Random random(5);
  int written = 0;
  for (int i = 0; i < 300; ++i) {
    CAPTURE(i);
    const Graph graph = RandomGraph(random, {.runnables = 10, .files = true}).make();
    const std::string text = format_graph(graph);
    const Graph back = parse_graph(text, "g.yaml").graph;
    CHECK(format_graph(back) == text);
    REQUIRE(back.runnables.size() == graph.runnables.size());
    CHECK(back.hyperepochs == graph.hyperepochs);
    ++written;
  }
  CHECK(written == 300);
}
