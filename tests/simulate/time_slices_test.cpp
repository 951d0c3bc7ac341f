// GPUs that processes share by time slices, played by hand.
#include <doctest/doctest.h>

#include <vector>

#include "rta/simulate/simulate.hpp"
#include "support/build.hpp"
#include "support/schedules.hpp"

using namespace rta;
using namespace rta::test;

namespace {

/// One processor under FIFO, and a GPU of one SM for one block at a time that so many processes share.
std::vector<Pool> pools(std::uint32_t count, std::int64_t S, std::int64_t theta) {
  std::vector<Pool> pools{cpu_pool(1, Scheduler::fifo)};
  for (std::uint32_t i = 0; i < count; ++i) {
    Pool pool = gpu_pool(1, 1, "gpu/p" + std::to_string(i));
    std::get<GpuPool>(pool.resource).sharing =
        Sharing{.gpu = "gpu", .process = "p" + std::to_string(i), .slice = Time(S), .switch_time = Time(theta), .contexts = count};
    pools.push_back(std::move(pool));
  }
  return pools;
}

Dag once(std::string name, std::vector<Node> nodes) {
  std::vector<Edge> edges;
  for (NodeId v = 1; v < nodes.size(); ++v) edges.push_back({v - 1, v});
  return {std::move(name), Time(1000), std::nullopt, std::move(nodes), std::move(edges)};
}

/// When each node of each DAG's only job ends.
std::vector<std::vector<std::int64_t>> ends(const TaskSet& set, simulate::SliceOrder order, std::vector<Time> phases = {},
                                            simulate::Observer* observer = nullptr) {
  simulate::Options options;
  options.duration = Time(500);
  options.slices = order;
  options.releases.phases = std::move(phases);
  const std::vector<Time> Y(set.dags().size());
  const auto seen = simulate::simulate(set, on_completion(set, Y), options, observer);
  std::vector<std::vector<std::int64_t>> ends;
  for (const auto& dag : seen.dags) {
    auto& row = ends.emplace_back();
    for (const auto& node : dag.nodes) row.push_back(node.max().count());
  }
  return ends;
}

using Ends = std::vector<std::vector<std::int64_t>>;
constexpr auto round_robin = simulate::SliceOrder::round_robin;
constexpr auto worst = simulate::SliceOrder::worst;

struct Blocks : simulate::Observer {
  Blocks() : Observer(simulate::Detail::block) {}
  void dag(DagId, std::uint64_t, Time, Time) override {}
  void job(simulate::JobId, Time, Time, Time) override {}
  void block(simulate::JobId id, std::uint64_t block, std::uint32_t, Time start, Time end) override {
    seen.push_back({static_cast<std::int64_t>(id.dag), static_cast<std::int64_t>(block), start.count(), end.count()});
  }
  void copy(simulate::JobId, std::uint32_t, Time, Time) override {}
  void run(simulate::JobId, std::uint32_t, Time, Time) override {}
  std::vector<std::vector<std::int64_t>> seen;
};

}  // namespace

// The first process: switch 0-1, 1-3, frozen, switch 6-7, 7-8. The second: switch 3-4, 4-6, frozen, switch 8-9, 9-10.
TEST_CASE("Round robin: slices in turn with a switch before each, and blocks freeze in between") {
  const TaskSet set("t", pools(2, 2, 1), {once("a", {gpu_node("k", 1, 1, 3_ns, 1)}), once("b", {gpu_node("k", 1, 1, 3_ns, 2)})});
  Blocks blocks;
  CHECK(ends(set, round_robin, {}, &blocks) == Ends{{8}, {10}});
  CHECK(blocks.seen == Ends{{0, 0, 1, 8}, {1, 0, 4, 10}});
}

// Switch 0-1, alone from 1 on; the other comes at 4, in the second slice 3-5: switch 5-6, 6-8, switch 8-9, 9-10 ends the first; switch
// 10-11, 11-12 the other.
TEST_CASE("Round robin: a process alone goes on without a switch, slice by slice") {
  const TaskSet set("t", pools(2, 2, 1), {once("a", {gpu_node("k", 1, 1, 5_ns, 1)}), once("b", {gpu_node("k", 1, 1, 3_ns, 2)})});
  CHECK(ends(set, round_robin, {0_ns, 100_ns}) == Ends{{6}, {4}});
  CHECK(ends(set, round_robin, {0_ns, 4_ns}) == Ends{{10}, {8}});
}

// The slice ends with the work: the other's switch begins at once. 0-1, 1-2; 2-3, 3-5.
TEST_CASE("Round robin: who has no work left gives the rest of the slice away") {
  const TaskSet set("t", pools(2, 4, 1), {once("a", {gpu_node("k", 1, 1, 1_ns, 1)}), once("b", {gpu_node("k", 1, 1, 2_ns, 2)})});
  CHECK(ends(set, round_robin) == Ends{{2}, {5}});
}

// Theory: 10 + 10 x 6 = 70; S = 2, G = 6 here: 10 + 5 x 6 = 40. With S = 1, theta = 1, six processes: G = 5 + 6 = 11: 10 + 10 x 11.
TEST_CASE("The longest gaps: T14's examples occur") {
  const auto alone = [](std::uint32_t count, std::int64_t S, std::int64_t theta) {
    return TaskSet("t", pools(count, S, theta), {once("a", {gpu_node("k", 1, 1, 10_ns, 1)})});
  };
  CHECK(ends(alone(2, 2, 2), worst) == Ends{{40}});
  CHECK(ends(alone(6, 1, 1), worst) == Ends{{120}});
  CHECK(ends(alone(2, 2, 2), round_robin) == Ends{{12}});  // a switch, and the GPU for itself
}

// S = 2, theta = 0: G = 2. 2 2 (2 2) (2 1): 5 + 3 x 2 = 11, 13, 10 + 2 + 6 gaps.
TEST_CASE("The longest gaps: kernels with a CPU node between them wait for a first slice each") {
  const TaskSet set("t", pools(2, 2, 0), {once("a", {gpu_node("k1", 1, 1, 5_ns, 1), cpu_node("c", 2_ns), gpu_node("k2", 1, 1, 5_ns, 1)})});
  CHECK(ends(set, worst) == Ends{{11, 13, 24}});
}

TEST_CASE("A kernel of length 0 may find its slice just over") {
  auto empty = gpu_node("k", 1, 1, 0_ns, 1);
  const TaskSet set("t", pools(2, 2, 1), {once("a", {empty})});
  CHECK(ends(set, worst) == Ends{{4}});
}
