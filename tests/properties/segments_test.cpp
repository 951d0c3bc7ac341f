// Laws of release on segments: random cuts never exceed their bounds in simulation, and both ends of the range of cuts are what they
// should be.
#include "rta/analysis/path/segments.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "rta/analysis/cpu/gel.hpp"
#include "support/bounds_against_simulation.hpp"
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

// R_k = e_k + (sum n_i vol_i - s_k)/cap over the nodes of k's pool; on CPUs e = s = vol = C. The least solution in whole ns, from below:
// as all T and Y are whole, n_i is the same for R_i and for R_i rounded up.
std::optional<std::vector<Time>> least_by_the_letter(const path::System& system, std::int64_t most_periods) {
  std::vector<Time> R;
  for (const auto& dag : system.dags) R.push_back(dag.nodes[0].e);
  for (bool grows = true; grows;) {
    grows = false;
    for (std::size_t k = 0; k < R.size(); ++k) {
      const auto& node = system.dags[k].nodes[0];
      const auto& pool = system.pools[node.pool];
      Wide work = -node.s;
      for (std::size_t i = 0; i < R.size(); ++i) {
        const auto& other = system.dags[i].nodes[0];
        if (other.pool != node.pool) continue;
        // T1n; on FIFO pools (T6n) Y_k = Y_i.
        const Time ahead = pool.order == path::Order::gel ? std::min(R[k], system.dags[k].Y - system.dags[i].Y) : Time::zero();
        const Wide jobs = std::max<Wide>(0, ceil_div((R[i] + ahead).count(), system.dags[i].T.count()));
        work += jobs * other.vol;
      }
      const Time next = node.e + to_time(ceil_div(work, Wide{pool.capacity} * pool.unit));
      if (next <= R[k]) continue;
      R[k] = next;
      grows = true;
      if (next > system.dags[k].T * most_periods) return std::nullopt;
    }
  }
  return R;
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

TEST_CASE("Segments: one per DAG is T10n (T10j, T10g) on random task sets") {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    CAPTURE(seed);
    Dice dice(seed);
    const TaskSet set = random_system(seed, {.sequential = false, .priorities = false, .non_preemptive = true});
    const auto weights = random_weights(dice, set);
    if (!weights) continue;
    const std::vector<Time> Y = random_points(dice, set);
    const auto refinement = dice.pick(std::vector{path::Refinement::T10n, path::Refinement::T10j, path::Refinement::T10g});
    path::Limits limits;
    limits.sweeps = 10'000;
    const auto whole = whole_dags(set);
    const auto one = segment_bounds(set, whole, *weights, Y, refinement, limits);
    const auto T10n = path::node_bounds(path_system(set, whole, *weights, Y).system, refinement, limits);
    REQUIRE(static_cast<bool>(one) == static_cast<bool>(T10n));
    if (!one) continue;
    ++compared;
    CHECK(one->R == T10n->R);
    CHECK(one->F == T10n->F);
    for (const auto& offset : one->offset) CHECK(offset == std::vector{Time::zero()});
  }
  CHECK(compared > 250);
}

TEST_CASE("Segments: one per node is the least solution of T1n and T6n, which analysis at offsets reaches from above") {
  int compared = 0, pools_at_offsets = 0, equal = 0;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    CAPTURE(seed);
    Dice dice(seed);
    const TaskSet set = random_system(seed, {.sequential = false, .priorities = false});
    const auto weights = random_weights(dice, set);
    if (!weights) continue;
    const std::vector<Time> Y = random_points(dice, set);
    path::Limits limits;
    limits.periods = 50;
    const auto each = segment_bounds(set, segment_per_node(set), *weights, Y, path::Refinement::T10n, limits);
    const auto system = path_system(set, segment_per_node(set), *weights, Y).system;
    const auto letter = least_by_the_letter(system, limits.periods);
    if (!each) continue;
    ++compared;
    REQUIRE(letter);
    std::vector<Time> R;
    for (const auto& F : each->bounds.F) R.push_back(F[0]);
    CHECK(R == *letter);

    for (PoolId p = 0; p < set.pools().size(); ++p) {
      const auto* cpu = std::get_if<CpuPool>(&set.pools()[p].resource);
      if (cpu == nullptr) continue;
      std::vector<gel::Task> tasks;
      std::vector<Time> own;
      for (std::size_t k = 0; k < R.size(); ++k) {
        const auto& dag = system.dags[k];
        if (dag.nodes[0].pool != p) continue;
        tasks.push_back({dag.nodes[0].e, dag.T, cpu->scheduler == Scheduler::fifo ? Time::zero() : dag.Y});
        own.push_back(R[k]);
      }
      if (tasks.empty()) continue;
      // Fed back to T1n, it stays. From T1's bounds T1n ends in some solution, at or above the least, where it is what bounds every node.
      CHECK(gel::bounds_from_proven(tasks, cpu->processors, own) == own);
      const auto T1 = gel::response_bounds(tasks, cpu->processors);
      REQUIRE(T1);
      std::vector<Time> from_above = T1->R;
      for (std::vector<Time> before; before != from_above;) {
        before = from_above;
        from_above = gel::bounds_from_proven(tasks, cpu->processors, before);
      }
      bool by_T1n = true;
      for (std::size_t k = 0; k < own.size(); ++k) by_T1n = by_T1n && from_above[k] < T1->R[k];
      if (!by_T1n) continue;
      ++pools_at_offsets;
      equal += own == from_above ? 1 : 0;
      for (std::size_t k = 0; k < own.size(); ++k) CHECK(own[k] <= from_above[k]);
    }
  }
  MESSAGE(compared, " task sets; ", pools_at_offsets, " CPU pools that T1n bounds at offsets, ", equal, " with the same bounds");
  CHECK(compared > 250);
  CHECK(pools_at_offsets > 30);
}
