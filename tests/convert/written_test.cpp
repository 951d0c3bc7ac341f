#include "convert/written.hpp"

#include <doctest/doctest.h>

#include "conversion.hpp"
#include "rta/io/task_set_pieces.hpp"

using namespace rta;

namespace {

GpuDemand kernel(std::uint64_t blocks) { return {.B = blocks, .H = 64, .C = Workload(64 * 250), .L = Time(250), .time = Time(300)}; }

// More nodes than are read at once, on every kind of pool; names that need quotes are among them.
std::vector<Node> many_nodes(std::size_t count) {
  std::vector<Node> nodes(count);
  for (NodeId v = 0; v < count; ++v) {
    nodes[v].name = (v % 7 == 3 ? "k:" : "n") + std::to_string(v);
    nodes[v].pool = v % 3;
    nodes[v].sequential = v % 2 == 0;
    if (nodes[v].pool == 0) nodes[v].demand = CpuDemand{Time(1 + static_cast<std::int64_t>(v))};
    if (nodes[v].pool == 1) nodes[v].demand = kernel(1 + v);
    if (nodes[v].pool == 2) nodes[v].demand = CopyDemand{Time(5), Direction::d2h};
    if (v % 5 == 0) nodes[v].deadline = Time(1000);
    if (nodes[v].pool == 0) nodes[v].variation = Variation{Time(1), Time(1)};
  }
  return nodes;
}

std::vector<Pool> pools() { return {{"cpu", CpuPool{2, Scheduler::g_edf, true}}, {"gpu", GpuPool{}}, {"copy", EnginePool{2}}}; }

TaskSet large(std::vector<Node> nodes) {
  std::vector<Edge> edges;
  for (NodeId v = 3; v < nodes.size(); ++v) edges.push_back({v - 3, v, false});
  std::vector<Dag> dags;
  dags.emplace_back("d", Time(1'000'000'000), std::nullopt, std::move(nodes), std::move(edges));
  dags.emplace_back("e[0]", Time(2'000), Time(1'000), many_nodes(10), std::vector<Edge>{});
  return TaskSet("t.json", pools(), std::move(dags));
}

}  // namespace

TEST_CASE("A large set is what its file says, read in pieces as well as whole") {
  for (const std::size_t count : {2047, 2048, 2049, 5000}) {
    const TaskSet set = large(many_nodes(count));
    const TaskSet read = convert::as_written(set, "folder/t.json");
    CHECK(read == set);
    CHECK(read.name() == "t.json");
    CHECK(read == io::parse_task_set(io::format_task_set(set), "t.json").task_set);
  }
}

TEST_CASE("What is wrong with a large set is what its whole file is refused for, without a place") {
  auto nodes = many_nodes(5000);
  std::get<GpuDemand>(nodes[4000].demand).L = Time(249);
  const TaskSet no_file = large(std::move(nodes));
  CHECK_THROWS_AS((void)convert::as_written(no_file, "t.json"), UserError);

  // Under FP some nodes have a priority, and some, far behind, have none: no piece has both.
  nodes = many_nodes(6000);
  for (Node& node : nodes) {
    node.pool = 0;
    node.demand = CpuDemand{Time(9)};
    node.variation.reset();
  }
  for (NodeId v = 0; v < 4096; ++v) std::get<CpuDemand>(nodes[v].demand).priority = 7;
  std::vector<Pool> fp = pools();
  fp[0].resource = CpuPool{2, Scheduler::fp, true};
  std::vector<Dag> dags;
  dags.emplace_back("d", Time(1'000'000'000), std::nullopt, std::move(nodes), std::vector<Edge>{});
  try {
    (void)convert::as_written(TaskSet("t.json", std::move(fp), std::move(dags)), "t.json");
    FAIL("it is refused");
  } catch (const io::InputError& error) {
    CHECK(std::string(error.what()).starts_with("t.json: node 'n4096': 'priority' is missing"));
  }
}

TEST_CASE("A file in pieces is the file") {
  const TaskSet set = large(many_nodes(5000));
  std::string text;
  std::size_t pieces = 0;
  io::write_task_set(set, [&](std::string_view piece) {
    text += piece;
    ++pieces;
  });
  CHECK(text == io::format_task_set(set));
  CHECK(pieces > 3);
}
