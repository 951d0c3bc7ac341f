// Law 1 for release on segments: random cuts, simulated with each segment released at its offset.
#include "rta/analysis/segments.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "support/completion_simulation.hpp"
#include "support/random_path_system.hpp"

namespace {

using namespace rta;
using namespace rta::analysis;
using namespace rta::test;

// The random system's DAGs with all nodes on CPU pools, and random cuts.
TaskSet with_cuts(const RandomPathSystem& s, std::mt19937_64& random) {
  std::vector<Pool> pools;
  for (const auto& pool : s.system.pools) {
    const bool gel = pool.order == path::Order::gel || pool.order == path::Order::gel_non_preemptive;
    pools.push_back({pool.name, CpuPool{pool.capacity, gel ? Scheduler::g_edf : Scheduler::fifo}});
  }
  std::vector<Dag> dags;
  for (const auto& dag : s.system.dags) {
    std::vector<Node> nodes;
    for (const auto& from : dag.nodes) {
      Node node;
      node.name = "v" + std::to_string(nodes.size());
      node.pool = from.pool;
      node.demand = CpuDemand{from.e};
      nodes.push_back(node);
    }
    std::vector<Edge> edges;
    for (const auto& edge : dag.edges) edges.push_back({edge.from, edge.to, random() % 2 == 0});
    dags.emplace_back(dag.name, dag.T, std::nullopt, std::move(nodes), std::move(edges));
  }
  return {"cuts", std::move(pools), std::move(dags)};
}

// One simulated run; `worst` collects how late each node ends after its DAG's release.
void run(const TaskSet& set, const SegmentBounds& bounds, const std::vector<Time>& Y, std::mt19937_64& random,
         PerNode<std::int64_t>& worst) {
  std::vector<SimulatedPool> pools;
  for (const Pool& pool : set.pools()) {
    const auto& cpu = std::get<CpuPool>(pool.resource);
    pools.push_back({cpu.scheduler == Scheduler::fifo ? SimulatedOrder::fifo : SimulatedOrder::gel, cpu.processors, 1});
  }
  struct Origin {
    DagId dag;
    std::int64_t release;
    std::vector<NodeId> nodes;
  };
  std::vector<SimulatedJob> jobs;
  std::vector<Origin> origins;
  for (DagId d = 0; d < set.dags().size(); ++d) {
    const Dag& dag = set.dags()[d];
    std::int64_t release = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(dag.period().count())) / grid * grid;
    for (int j = 0; j < 5; ++j) {
      for (std::size_t segment = 0; segment < bounds.offset[d].size(); ++segment) {
        SimulatedJob job;
        job.release = release + bounds.offset[d][segment].count();
        job.priority_point = job.release + Y[d].count();
        Origin origin{d, release, {}};
        std::vector<std::size_t> place(dag.nodes().size(), 0);
        for (const NodeId v : dag.topological_order()) {
          if (bounds.segments[d][v] != segment) continue;
          SimulatedNode node;
          node.pool = dag.nodes()[v].pool;
          const std::int64_t C = std::get<CpuDemand>(dag.nodes()[v].demand).C.count();
          node.pieces = {random() % 4 == 0 ? C / 2 : C};
          for (const NodeId w : dag.predecessors(v)) {
            if (bounds.segments[d][w] == segment) node.predecessors.push_back(place[w]);
          }
          place[v] = job.nodes.size();
          job.nodes.push_back(std::move(node));
          origin.nodes.push_back(v);
        }
        jobs.push_back(std::move(job));
        origins.push_back(std::move(origin));
      }
      release += dag.period().count() + (random() % 3 == 0 ? grid : 0);
    }
  }
  CompletionSimulation(pools, jobs, random).run();
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const Origin& origin = origins[i];
    for (std::size_t x = 0; x < origin.nodes.size(); ++x) {
      auto& most = worst[origin.dag][origin.nodes[x]];
      most = std::max(most, jobs[i].end[x] - origin.release);
    }
  }
}

}  // namespace

TEST_CASE("Segments: 1,000 random task sets with random cuts never exceed their bounds, and no segment starts early") {
  int bounded = 0;
  int cut = 0;
  int reached = 0;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    CAPTURE(seed);
    RandomPaths systems(seed);
    const RandomPathSystem s = systems.system();
    std::mt19937_64 random(seed);
    const TaskSet set = with_cuts(s, random);
    std::vector<Time> Y;
    for (const auto& dag : s.system.dags) Y.push_back(dag.Y);
    const auto segments = segments_of_cuts(set).value_or(whole_dags(set));
    path::Limits limits;
    limits.periods = 50;
    const auto bounds = segment_bounds(set, segments, PlatformWeights(set.pools().size()), Y, path::Refinement::T10j, limits);
    if (!bounds) continue;
    ++bounded;
    cut += std::ranges::any_of(bounds->offset, [](const auto& offset) { return offset.size() > 1; }) ? 1 : 0;
    PerNode<std::int64_t> worst;
    for (const Dag& dag : set.dags()) worst.emplace_back(dag.nodes().size(), 0);
    for (int i = 0; i < 4; ++i) run(set, *bounds, Y, random, worst);
    for (DagId d = 0; d < set.dags().size(); ++d) {
      for (NodeId v = 0; v < worst[d].size(); ++v) {
        REQUIRE(worst[d][v] <= bounds->F[d][v].count());
        CHECK(bounds->F[d][v] <= bounds->R[d]);
        reached += worst[d][v] > 0 && worst[d][v] == bounds->F[d][v].count() ? 1 : 0;
      }
      for (const Edge& edge : set.dags()[d].edges()) {
        if (segments[d][edge.from] == segments[d][edge.to]) continue;
        REQUIRE(worst[d][edge.from] <= bounds->offset[d][segments[d][edge.to]].count());
      }
    }
  }
  CHECK(bounded > 400);
  CHECK(cut > 100);
  CHECK(reached > 100);
}
