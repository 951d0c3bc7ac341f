// Law 1 for coarse-grained and monolithic variants: groups simulated as sequential tasks that await their kernels.
#include "analysis/policies/granularity.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>

#include "rta/analysis/analyze.hpp"
#include "rta/analysis/schedule_of.hpp"
#include "rta/io/task_set_file.hpp"
#include "rta/simulate/simulate.hpp"
#include "support/grouped_simulation.hpp"
#include "support/random_system.hpp"
#include "support/runs_against_bounds.hpp"

namespace {

using namespace rta;
using namespace rta::analysis;
using namespace rta::test;

constexpr PoolId cpu = 0;

// One CPU pool, a GPU, workers or an engine, and DAGs whose nodes are numbered along their edges. Groups are runs of nodes that hold a CPU
// node; in coarse-grained sets some DAGs are a lone kernel, which nobody awaits.
TaskSet random_groups(Dice& dice, Granularity granularity, std::int64_t slack) {
  const auto between = [&](std::int64_t low, std::int64_t high) { return static_cast<std::uint32_t>(dice.between(low, high)); };
  GpuPool gpu;
  gpu.sms = between(1, 2);
  gpu.sm.threads = gpu.sm.threads_per_block = dice.one_in(2) ? 4 : 6;
  const std::vector<Pool> pools{{"cpu", CpuPool{between(1, 2), Scheduler::g_edf}},
                                dice.one_in(3)   ? Pool{"gpu", gpu}
                                : dice.one_in(2) ? Pool{"worker", WorkerPool{between(1, 2), Time(dice.between(0, 1))}}
                                                 : Pool{"copy", EnginePool{1}}};
  const auto awaited = [&]() -> std::pair<decltype(Node::demand), std::int64_t> {
    const std::int64_t L = dice.between(1, 8);
    switch (pools[1].kind()) {
      case PoolKind::gpu: {
        GpuDemand kernel;
        kernel.H = between(1, gpu.sm.threads);
        kernel.B = between(1, 3);
        kernel.L = Time(L);
        kernel.C = Workload(Wide{L} * kernel.H);
        return {kernel, L};
      }
      case PoolKind::workers: return {WorkerDemand{between(1, 3), Time(L)}, L + 1};
      default: return {CopyDemand{Time(L), Direction::h2d}, L};
    }
  };
  std::vector<Dag> dags;
  const std::int64_t count = dice.between(1, 3);
  for (std::int64_t d = 0; d < count; ++d) {
    const bool alone = granularity == Granularity::coarse && dice.one_in(3);
    std::vector<Node> nodes(alone ? 1 : static_cast<std::size_t>(dice.between(2, 4)));
    std::vector<Edge> edges;
    std::int64_t work = 0;
    for (NodeId v = 0; v < nodes.size(); ++v) {
      nodes[v].name = "n" + std::to_string(v);
      if (alone || (v > 0 && !dice.one_in(3))) {
        nodes[v].pool = 1;
        auto [demand, length] = awaited();
        nodes[v].demand = demand;
        work += length;
      } else {
        const Time C(dice.between(1, 8));
        nodes[v].demand = CpuDemand{C};
        work += C.count();
      }
      for (NodeId u = 0; u < v; ++u) {
        if (dice.one_in(2)) edges.push_back({u, v});
      }
    }
    const auto cut = static_cast<NodeId>(dice.between(1, 4));
    const auto has_cpu = [&](NodeId from, NodeId to) {
      return std::any_of(nodes.begin() + static_cast<std::ptrdiff_t>(from), nodes.begin() + static_cast<std::ptrdiff_t>(to),
                         [](const Node& node) { return node.pool == cpu; });
    };
    for (NodeId v = 0; v < nodes.size(); ++v) {
      const NodeId last = std::min<NodeId>(cut, nodes.size());
      if (v < last && has_cpu(0, last)) nodes[v].group = "a";
      if (v >= last && has_cpu(last, nodes.size())) nodes[v].group = "b";
    }
    const Time T(std::max<std::int64_t>(1, work * dice.between(4, 12) * slack / 32));
    dags.emplace_back("d" + std::to_string(d), T, std::nullopt, std::move(nodes), std::move(edges));
  }
  return {"groups", pools, std::move(dags)};
}

// The node of the grouped DAG that runs node v.
NodeId group_of(const Dag& grouped, const Dag& fine, NodeId v, Granularity granularity) {
  const Node& node = fine.nodes()[v];
  const std::string& name = granularity == Granularity::monolithic ? fine.name() : node.group.empty() ? node.name : node.group;
  const auto found = std::ranges::find(grouped.nodes(), name, &Node::name);
  return static_cast<NodeId>(found - grouped.nodes().begin());
}

GroupedNode simulated(const TaskSet& set, const Node& node, bool worst, Dice& dice) {
  GroupedNode out;
  out.pool = node.pool;
  if (const auto* processor = std::get_if<CpuDemand>(&node.demand)) out.length = processor->C.count();
  if (const auto* copy = std::get_if<CopyDemand>(&node.demand)) out.length = copy->C.count();
  if (const auto* kernel = std::get_if<GpuDemand>(&node.demand)) {
    out.length = kernel->L.count();
    out.blocks = static_cast<std::int64_t>(kernel->B);
    out.threads = kernel->H;
  }
  if (const auto* items = std::get_if<WorkerDemand>(&node.demand)) {
    out.length = (items->L + std::get<WorkerPool>(set.pools()[node.pool].resource).dispatch_overhead).count();
    out.blocks = static_cast<std::int64_t>(items->B);
  }
  if (!worst) out.length = dice.between(1, out.length);
  return out;
}

struct Seen {
  PerNode<std::int64_t> node;  // the longest from its offset to its end, per node of the grouped set
  std::vector<std::int64_t> dag;
  std::uint64_t late = 0;  // groups that were not ready at their offset
};

// One random run of the task set at the offsets of `proven`.
void run(const TaskSet& fine, const Proof& proven, Granularity granularity, std::mt19937_64& random, Seen& seen) {
  Dice dice(random());
  const bool fifo = std::get<CpuPool>(proven.task_set->pools()[cpu].resource).scheduler == Scheduler::fifo;
  const bool plain = fifo && !dice.one_in(3);
  std::vector<GroupedPool> pools;
  for (const Pool& pool : fine.pools()) {
    if (const auto* processors = std::get_if<CpuPool>(&pool.resource)) pools.push_back({processors->processors, 0, plain});
    if (const auto* gpu = std::get_if<GpuPool>(&pool.resource)) pools.push_back({gpu->sms, gpu->sm.threads});
    if (const auto* workers = std::get_if<WorkerPool>(&pool.resource)) pools.push_back({workers->workers, 1});
    if (std::holds_alternative<EnginePool>(pool.resource)) pools.push_back({1, 1});
  }
  struct Origin {
    DagId dag;
    NodeId group;
    std::int64_t release, offset;
  };
  std::vector<GroupedJob> jobs;
  std::vector<Origin> origins;
  const bool together = dice.one_in(3);
  const bool ahead = dice.one_in(3);
  const bool worst = dice.one_in(2);
  std::int64_t horizon = 0;
  for (const Dag& dag : fine.dags()) horizon = std::max(horizon, 3 * dag.period().count());
  for (DagId d = 0; d < fine.dags().size(); ++d) {
    const Dag& dag = fine.dags()[d];
    const Dag& grouped = proven.task_set->dags()[d];
    std::vector<std::optional<std::size_t>> previous(grouped.nodes().size());
    std::int64_t release = together ? 0 : dice.between(0, dag.period().count());
    while (release < horizon) {
      for (NodeId g = 0; g < grouped.nodes().size(); ++g) {
        const NodeProof& bound = proven.dags[d].nodes[g];
        GroupedJob job;
        job.release = release + bound.reference->count();
        job.priority_point = job.release + bound.priority_point.value_or(Time::zero()).count();
        job.ahead = ahead;
        if (grouped.nodes()[g].sequential) job.after = previous[g];
        previous[g] = jobs.size();
        std::vector<std::size_t> place(dag.nodes().size());
        for (const NodeId v : dag.topological_order()) {
          if (group_of(grouped, dag, v, granularity) != g) continue;
          place[v] = job.nodes.size();
          job.nodes.push_back(simulated(fine, dag.nodes()[v], worst || dice.one_in(2), dice));
          for (const NodeId u : dag.predecessors(v)) {
            if (group_of(grouped, dag, u, granularity) == g) job.nodes.back().predecessors.push_back(place[u]);
          }
        }
        jobs.push_back(std::move(job));
        origins.push_back({d, g, release, bound.reference->count()});
      }
      release += dag.period().count() + (dice.one_in(4) ? dice.between(0, 3) : 0);
    }
  }
  GroupedSimulation(pools, jobs, random).run();
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    const Origin& o = origins[j];
    seen.node[o.dag][o.group] = std::max(seen.node[o.dag][o.group], jobs[j].end - jobs[j].release);
    seen.dag[o.dag] = std::max(seen.dag[o.dag], jobs[j].end - o.release);
  }
}

/// The same by the simulator, as `rta simulate` plays it: the longest of each group, and of each DAG. Options make it repeatable.
Seen simulated(const Proof& proven, simulate::Options options) {
  options.bodies = bodies_of_groups(proven);
  const auto seen = simulate::simulate(nodes_played(proven), schedule_of(proven), options);
  REQUIRE(seen.ending == simulate::Ending::complete);
  const auto tasks = nodes_of_tasks(proven);
  Seen all;
  for (DagId d = 0; d < tasks.size(); ++d) {
    const auto longest = [](const simulate::Statistics& s) { return s.count() == 0 ? 0 : s.max().count(); };
    all.dag.push_back(longest(seen.dags[d].response));
    auto& groups = all.node.emplace_back();
    for (const auto& nodes : tasks[d]) groups.push_back(longest(seen.dags[d].nodes[nodes.back()]));
  }
  all.late = seen.late_releases;
  return all;
}

struct Counts {
  int systems = 0;
  int awaiting = 0;  // of them, where some kernel is awaited
  int tight = 0;     // nodes that came within a tenth of their bound
  int tight_in_simulator = 0;
};

void require_within_bounds(const Proof& proven, const Seen& seen, int& tight) {
  for (DagId d = 0; d < seen.node.size(); ++d) {
    for (NodeId g = 0; g < seen.node[d].size(); ++g) {
      const std::int64_t R = proven.dags[d].nodes[g].bound->R.count();
      CAPTURE(to_string(proven.dags[d].nodes[g].bound->basis.theorem));
      REQUIRE(seen.node[d][g] <= R);
      tight += seen.node[d][g] * 10 >= R * 9 ? 1 : 0;
    }
    REQUIRE(seen.dag[d] <= proven.dags[d].bound->R.count());
  }
}

void check(std::uint64_t seed, Granularity granularity, Counts& counts) {
  Dice dice(seed);
  const std::uint64_t drawn = seed;
  Options how;
  how.granularity = granularity;
  how.refinement = dice.one_in(2) ? gel::Refinement::all : gel::Refinement::none;
  if (dice.one_in(2)) how.scheduler = dice.one_in(2) ? Scheduler::fifo : Scheduler::g_fl;
  for (std::int64_t slack = 4; slack <= 24; slack += 4) {
    Dice again(drawn);  // the same set with longer periods
    const auto fine = std::make_shared<const TaskSet>(random_groups(again, granularity, slack));
    const Proof proven = analyze(fine, how).proof;
    if (verdict_of(proven) == Verdict::unbounded) continue;
    ++counts.systems;
    counts.awaiting += regroup(*fine, granularity).awaited.empty() ? 0 : 1;
    Seen seen{{}, std::vector<std::int64_t>(fine->dags().size(), 0), 0};
    for (const Dag& dag : proven.task_set->dags()) seen.node.emplace_back(dag.nodes().size(), 0);
    std::mt19937_64 random(seed);
    for (int i = 0; i < 4; ++i) run(*fine, proven, granularity, random, seen);
    CAPTURE(seed);
    CAPTURE(io::format_task_set(*fine));
    require_within_bounds(proven, seen, counts.tight);
    for (int i = 0; i < 4; ++i) {
      const simulate::Options options = random_options(again, nodes_played(proven));
      CAPTURE(in_words(options));
      const Seen by_simulator = simulated(proven, options);
      REQUIRE(by_simulator.late == 0);
      require_within_bounds(proven, by_simulator, counts.tight_in_simulator);
    }
    return;
  }
}

}  // namespace

TEST_CASE("Law 1, coarse-grained: no group and no kernel beside the groups ends after its bound") {
  Counts counts;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) check(seed, Granularity::coarse, counts);
  MESSAGE(counts.systems, " systems, ", counts.awaiting, " await kernels, ", counts.tight, " and ", counts.tight_in_simulator,
          " nodes within a tenth of their bound");
  CHECK(counts.awaiting > 200);
  CHECK(counts.tight > 150);
  CHECK(counts.tight_in_simulator > 400);
}

TEST_CASE("Law 1, monolithic: no DAG that awaits its kernels ends after its bound") {
  Counts counts;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) check(seed, Granularity::monolithic, counts);
  MESSAGE(counts.systems, " systems, ", counts.awaiting, " await kernels, ", counts.tight, " and ", counts.tight_in_simulator,
          " nodes within a tenth of their bound");
  CHECK(counts.awaiting > 200);
  CHECK(counts.tight > 30);
  CHECK(counts.tight_in_simulator > 80);
}

TEST_CASE("Groups in the simulator break bounds that count less than all they wait for") {
  // Left out: all that a group waits for; all of it but each kernel's own length, as if nothing stood before it in its queue.
  enum class Wrong { nothing_awaited, alone };
  for (const Wrong wrong : {Wrong::nothing_awaited, Wrong::alone}) {
    int caught = 0;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
      Dice dice(seed);
      const auto fine = std::make_shared<const TaskSet>(random_groups(dice, Granularity::monolithic, 16));
      Options how;
      how.granularity = Granularity::monolithic;
      how.scheduler = dice.one_in(2) ? Scheduler::fifo : Scheduler::g_edf;
      const Proof proven = analyze(fine, how).proof;
      if (verdict_of(proven) == Verdict::unbounded) continue;
      const Grouped grouped = regroup(*proven.ungrouped, Granularity::monolithic);
      std::vector<Dag> dags;
      for (const Dag& dag : grouped.task_set.dags()) {
        std::vector<Node> nodes(dag.nodes().begin(), dag.nodes().end());
        dags.emplace_back(dag.name(), dag.period(), dag.deadline(), std::move(nodes), std::vector<Edge>());
      }
      if (wrong == Wrong::alone) {
        for (const AwaitedNode& awaited : grouped.awaited) {
          const Node& node = fine->dags()[awaited.dag].nodes()[awaited.origin];
          Dice longest(1);
          std::vector<Node> nodes(dags[awaited.dag].nodes().begin(), dags[awaited.dag].nodes().end());
          std::get<CpuDemand>(nodes[awaited.group].demand).C += Time(simulated(*fine, node, true, longest).length);
          dags[awaited.dag] = Dag(dags[awaited.dag].name(), dags[awaited.dag].period(), {}, std::move(nodes), {});
        }
      }
      Options plain;
      plain.release = Release::offsets;
      plain.scheduler = how.scheduler;
      const auto without = std::make_shared<const TaskSet>(
          "wrong", std::vector<Pool>(grouped.task_set.pools().begin(), grouped.task_set.pools().end()), std::move(dags));
      const Proof less = analyze(without, plain).proof;
      for (int i = 0; i < 3; ++i) {
        const Seen seen = simulated(proven, random_options(dice, nodes_played(proven)));
        bool above = false;
        for (DagId d = 0; d < seen.dag.size(); ++d) above = above || (less.dags[d].bound && Time(seen.dag[d]) > less.dags[d].bound->R);
        caught += above ? 1 : 0;
      }
    }
    MESSAGE(std::string(wrong == Wrong::alone ? "alone: " : "nothing awaited: "), caught, " runs above");
    CHECK(caught > (wrong == Wrong::alone ? 20 : 100));
  }
}

TEST_CASE("Coarse-grained: without the jitter of awaited copies, the bound of a copy beside them would be too low") {
  // One processor in the order of releases, one engine. Group a: 1 ns, then a copy of 8, T = 40. Beside it: a copy x of 6, T = 10, and z:
  // 38 ns, T = 1000.
  const auto node = [](const char* name, PoolId pool, const decltype(Node::demand)& demand, const char* group) {
    return Node{name, pool, demand, Time(1000), false, group, std::nullopt};
  };
  const CopyDemand eight{Time(8), std::nullopt}, six{Time(6), std::nullopt};
  const auto fine = std::make_shared<const TaskSet>(
      "jitter", std::vector<Pool>{{"cpu", CpuPool{1}}, {"copy", EnginePool{1}}},
      std::vector<Dag>{Dag("i", Time(40), {}, {node("c", 0, CpuDemand{Time(1)}, "a"), node("k", 1, eight, "a")}, {{0, 1, false}}),
                       Dag("x", Time(10), {}, {node("x", 1, six, "")}, {}),
                       Dag("z", Time(1000), {}, {node("z", 0, CpuDemand{Time(38)}, "")}, {})});
  Options how;
  how.granularity = Granularity::coarse;
  how.scheduler = Scheduler::g_edf;
  const Proof proven = analyze(fine, how).proof;
  REQUIRE(verdict_of(proven) != Verdict::unbounded);

  // z holds up the first job of a until 38: its copy runs from 39 to 47, that of the second job is issued at 48 and runs from 53 to 61, and
  // x, released at 50, ends at 67. T8 without jitter says 6 + 8 = 14.
  std::vector<GroupedJob> jobs;
  jobs.push_back({0, 0, {{0, 38, 1, 1, {}}}, {}, false, -1});
  jobs.push_back({1, 1, {{0, 1, 1, 1, {}}, {1, 8, 1, 1, {0}}}, {}, false, -1});
  jobs.push_back({41, 41, {{0, 1, 1, 1, {}}, {1, 8, 1, 1, {0}}}, 1, false, -1});
  for (std::int64_t release = 0; release < 100; release += 10) jobs.push_back({release, 0, {{1, 6, 1, 1, {}}}, {}, false, -1});
  std::mt19937_64 random(1);
  GroupedSimulation({{1, 0}, {1, 1}}, jobs, random).run();
  std::int64_t worst = 0;
  for (std::size_t j = 3; j < jobs.size(); ++j) worst = std::max(worst, jobs[j].end - jobs[j].release);
  CHECK(worst == 17);
  CHECK(proven.dags[1].nodes[0].bound->R.count() >= 17);

  // The same by the simulator: a job of z at 0, those of the group at 1 and 41, of x every 10.
  simulate::Options options;
  const auto job = [](std::int64_t at, std::size_t nodes) {
    return simulate::ScenarioJob{Time(at), std::vector<simulate::ScenarioNode>(nodes)};
  };
  options.jobs = {{job(1, 2), job(41, 2)}, {}, {job(0, 1)}};
  for (std::int64_t release = 0; release < 100; release += 10) options.jobs[1].push_back(job(release, 1));
  const Seen seen = simulated(proven, options);
  CHECK(seen.dag[1] == 17);
}
