// Law 1: no simulated schedule ever shows a response time above its bound.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rta/analysis/analyze.hpp"
#include "rta/analysis/fifo_bounds.hpp"
#include "rta/analysis/path.hpp"
#include "rta/simulate/simulate.hpp"
#include "support/random_system.hpp"

namespace rta::test {

struct Broken {
  TaskSet task_set;
  std::string what;  // which bound, by how much, and the simulation's options
};

/// How often bounds existed and were compared: a test that compares nothing must fail.
struct Compared {
  std::uint64_t systems = 0;
  std::uint64_t nodes = 0;
  std::uint64_t tight = 0;  // nodes that came within 1 % of their bound
};

inline simulate::Options random_options(Dice& dice, const TaskSet& set) {
  simulate::Options o;
  std::int64_t T = 1;
  for (const Dag& dag : set.dags()) T = std::max(T, dag.period().count());
  o.duration = Time(dice.between(2, 40) * T);
  o.seed = static_cast<std::uint64_t>(dice.between(1, 1'000'000));
  o.releases.random_phases = dice.one_in(2);
  if (dice.one_in(3)) o.releases.jitter = 500'000;
  if (dice.one_in(2)) o.execution = {dice.one_in(2) ? simulate::PartsPerMillion{0} : 700'000, simulate::whole};
  if (dice.one_in(8)) o.execution = {500'000, 500'000};
  const std::vector<simulate::Placement> placements{simulate::Placement::most_free, simulate::Placement::least_free,
                                                    simulate::Placement::first_fit, simulate::Placement::round_robin,
                                                    simulate::Placement::random};
  o.placement = dice.pick(placements);
  o.ties = dice.one_in(2) ? simulate::Ties::random : simulate::Ties::in_order;
  o.copy_rules = dice.one_in(2) ? simulate::CopyRules::yang2020 : simulate::CopyRules::amert2017;
  return o;
}

inline std::string in_words(const simulate::Options& o) {
  return fmt::format("duration {} ns, seed {}, random phases {}, jitter {} ppm, execution {}..{} ppm, placement {}, ties {}, copies {}",
                     o.duration.count(), o.seed, o.releases.random_phases, o.releases.jitter, o.execution.least, o.execution.most,
                     to_string(o.placement), to_string(o.ties), to_string(o.copy_rules));
}

using Bounds = std::vector<std::vector<std::optional<Time>>>;  // per DAG and node

/// What was seen above its bound, if anything.
inline std::optional<std::string> above(const TaskSet& set, const Bounds& R, const std::vector<std::optional<Time>>& end_to_end,
                                        const simulate::Observation& seen, Compared& compared) {
  if (seen.ending != simulate::Ending::complete) return fmt::format("the simulation ended early: {}", to_string(seen.ending));
  for (DagId d = 0; d < set.dags().size(); ++d) {
    const auto& dag = seen.dags[d];
    for (NodeId v = 0; v < dag.nodes.size(); ++v) {
      if (!R[d][v] || dag.nodes[v].count() == 0) continue;
      ++compared.nodes;
      compared.tight += static_cast<std::uint64_t>(dag.nodes[v].max() * 100 >= *R[d][v] * 99);
      if (dag.nodes[v].max() > *R[d][v]) {
        return fmt::format("node {}/{}: observed {} ns (job {}), bound {} ns", set.dags()[d].name(), set.dags()[d].nodes()[v].name,
                           dag.nodes[v].max().count(), dag.nodes[v].worst_job(), R[d][v]->count());
      }
    }
    if (end_to_end[d] && dag.response.count() > 0 && dag.response.max() > *end_to_end[d]) {
      return fmt::format("DAG {}: observed {} ns (job {}), bound {} ns", set.dags()[d].name(), dag.response.max().count(),
                         dag.response.worst_job(), end_to_end[d]->count());
    }
  }
  return std::nullopt;
}

/// Offsets: the bounds of `analyze`, with random options of the analysis.
inline std::optional<std::string> broken_with_offsets(const TaskSet& set, std::uint64_t seed, Compared& compared) {
  Dice dice(seed);
  analysis::Options how;
  how.gpu_bound =
      dice.pick(std::vector<analysis::fifo::Bound>{analysis::fifo::Bound::best, analysis::fifo::Bound::best, analysis::fifo::Bound::T5,
                                                   analysis::fifo::Bound::T6a, analysis::fifo::Bound::T6b});
  how.cpu_bound = dice.one_in(3) ? analysis::CpuBound::T1 : analysis::CpuBound::best;
  // T1n, part of `all`, does not hold for jobs released before their offsets.
  using analysis::gel::Refinement;
  how.refinement = dice.pick(std::vector<Refinement>{Refinement::none, Refinement::early, Refinement::all, Refinement::all});
  how.objective = dice.one_in(2) ? analysis::Objective::sum : analysis::Objective::max_lateness;
  const auto proven = analysis::analyze(std::make_shared<const TaskSet>(set), how);

  simulate::Times Phi, Y;
  Bounds R;
  std::vector<std::optional<Time>> end_to_end;
  for (const auto& dag : proven.dags) {
    end_to_end.push_back(dag.R);
    Phi.emplace_back();
    Y.emplace_back();
    R.emplace_back();
    for (const auto& node : dag.nodes) {
      if (!node.offset) return std::nullopt;
      Phi.back().push_back(*node.offset);
      Y.back().push_back(node.priority_point.value_or(Time::zero()));
      R.back().push_back(node.R);
    }
  }
  ++compared.systems;
  for (int run = 0; run < 3; ++run) {
    simulate::Options options = random_options(dice, set);
    // A pool without a bound may be overloaded.
    if (proven.verdict == analysis::Verdict::unbounded) return std::nullopt;
    const bool early = how.refinement != Refinement::all && dice.one_in(2);
    const auto seen = simulate::simulate(*proven.task_set, simulate::with_offsets(*proven.task_set, Phi, Y, early), options);
    auto what = above(set, R, end_to_end, seen, compared);
    if (!what && seen.late_releases > 0) what = fmt::format("{} nodes were not ready at their offset", seen.late_releases);
    if (what) return fmt::format("{}; offsets{}; {}", *what, early ? ", early" : "", in_words(options));
  }
  return std::nullopt;
}

/// The pools and DAGs of a task set for T10; none when a GPU has no weights that carry its load.
inline std::optional<analysis::path::System> path_system(const TaskSet& set, const std::vector<Time>& Y,
                                                         const std::vector<bool>& non_preemptive) {
  namespace path = analysis::path;
  path::System system;
  std::vector<std::size_t> first;
  std::vector<std::vector<Wide>> weight(set.pools().size());  // of each GPU's kernels, in the order of DAGs and nodes
  for (PoolId p = 0; p < set.pools().size(); ++p) {
    const Pool& pool = set.pools()[p];
    first.push_back(system.pools.size());
    path::Pool out;
    out.name = pool.name;
    switch (pool.kind()) {
      case PoolKind::cpu: {
        const auto& cpu = std::get<CpuPool>(pool.resource);
        out.capacity = cpu.processors;
        if (cpu.scheduler != Scheduler::fifo) out.order = non_preemptive[p] ? path::Order::gel_non_preemptive : path::Order::gel;
        break;
      }
      case PoolKind::gpu: {
        const auto& gpu = std::get<GpuPool>(pool.resource);
        std::vector<analysis::fifo::Task> tasks;
        for (const Dag& dag : set.dags()) {
          for (const Node& node : dag.nodes()) {
            if (node.pool != p) continue;
            const auto& d = std::get<GpuDemand>(node.demand);
            tasks.push_back(analysis::fifo::rounded_to_warps(
                {dag.period(), d.B, d.H, d.C, d.L, d.shared_memory, d.registers_per_thread, Time::zero(), d.priority}, gpu));
          }
        }
        out.capacity = gpu.sms;
        out.unit_weights = false;
        if (!tasks.empty()) {
          const auto bounds = analysis::fifo::gpu_bounds(tasks, gpu);
          if (!bounds) return std::nullopt;
          const auto& weights = bounds->sets.front();
          out.unit = weights.guaranteed;
          for (std::size_t i = 0; i < tasks.size(); ++i) weight[p].push_back(weights.density[i] * tasks[i].H);
        }
        break;
      }
      case PoolKind::engines:
        if (std::get<EnginePool>(pool.resource).engines > 1) system.pools.push_back(out);
        break;
      case PoolKind::workers: out.capacity = std::get<WorkerPool>(pool.resource).workers; break;
    }
    system.pools.push_back(out);
  }
  std::vector<std::size_t> used(set.pools().size());
  for (DagId d = 0; d < set.dags().size(); ++d) {
    const Dag& dag = set.dags()[d];
    path::Dag out{dag.name(), dag.period(), Y[d], {}, {}};
    for (const Node& node : dag.nodes()) {
      path::Node n;
      n.pool = first[node.pool];
      const Pool& pool = set.pools()[node.pool];
      switch (pool.kind()) {
        case PoolKind::cpu:
          n.e = std::get<CpuDemand>(node.demand).C;
          n.s = n.vol = n.e.count();
          break;
        case PoolKind::gpu: {
          const auto& k = std::get<GpuDemand>(node.demand);
          n.e = k.L;
          n.s = weight[node.pool][used[node.pool]++] * k.L.count();
          n.vol = n.s * static_cast<Wide>(k.B);
          break;
        }
        case PoolKind::engines: {
          const auto& c = std::get<CopyDemand>(node.demand);
          if (std::get<EnginePool>(pool.resource).engines > 1 && c.direction == Direction::d2h) ++n.pool;
          n.e = c.C;
          n.s = n.vol = n.e.count();
          break;
        }
        case PoolKind::workers: {
          const auto& w = std::get<WorkerDemand>(node.demand);
          n.e = w.L + std::get<WorkerPool>(pool.resource).dispatch_overhead;
          n.s = n.e.count();
          n.vol = n.s * static_cast<Wide>(w.B);
          break;
        }
      }
      out.nodes.push_back(n);
    }
    for (const Edge& e : dag.edges()) out.edges.push_back({e.from, e.to});
    system.dags.push_back(std::move(out));
  }
  return system;
}

/// Release on completion: T10, T10n and T10j. Requires kernels of one priority and no sequential node.
inline std::optional<std::string> broken_on_completion(const TaskSet& set, std::uint64_t seed, Compared& compared) {
  namespace path = analysis::path;
  Dice dice(seed);
  std::vector<Time> Y;
  for (const Dag& dag : set.dags()) Y.emplace_back(dice.one_in(2) ? dag.period().count() : dice.between(-20, 3 * dag.period().count()));
  std::vector<bool> non_preemptive;
  for (std::size_t p = 0; p < set.pools().size(); ++p) non_preemptive.push_back(dice.one_in(3));
  const auto system = path_system(set, Y, non_preemptive);
  if (!system) return std::nullopt;
  path::Limits limits;
  limits.sweeps = 10'000;
  const bool nodes = dice.one_in(4) ? false : true;
  const bool jitter = dice.one_in(2);
  Bounds R;
  std::vector<std::optional<Time>> end_to_end;
  if (nodes) {
    const auto bounds = path::node_bounds(*system, jitter ? path::Refinement::T10j : path::Refinement::T10n, limits);
    if (!bounds) return std::nullopt;
    for (const auto& dag : bounds->F) R.emplace_back(dag.begin(), dag.end());
    end_to_end.assign(bounds->R.begin(), bounds->R.end());
  } else {
    const auto bounds = path::bounds(*system, limits);
    if (!bounds) return std::nullopt;
    for (const Dag& dag : set.dags()) R.emplace_back(dag.nodes().size());
    end_to_end.assign(bounds->R.begin(), bounds->R.end());
    for (DagId d = 0; d < R.size(); ++d) R[d].assign(R[d].size(), bounds->R[d]);
  }
  ++compared.systems;
  for (int run = 0; run < 3; ++run) {
    const simulate::Options options = random_options(dice, set);
    const auto seen = simulate::simulate(set, simulate::on_completion(set, Y, non_preemptive), options);
    if (auto what = above(set, R, end_to_end, seen, compared)) {
      std::string points;
      for (const Time y : Y) points += fmt::format(" {}", y.count());
      return fmt::format("{}; {} on completion, Y ={}; {}", *what, !nodes ? "T10" : jitter ? "T10j" : "T10n", points, in_words(options));
    }
  }
  return std::nullopt;
}

using Law = std::function<std::optional<std::string>(const TaskSet&, std::uint64_t, Compared&)>;

/// `set` with parts left out as long as the law stays broken.
inline Broken smallest(TaskSet set, std::uint64_t seed, const Law& law) {
  Compared ignored;
  std::string what = *law(set, seed, ignored);
  const auto try_instead = [&](const std::function<TaskSet()>& make) {
    try {
      TaskSet smaller = make();
      if (auto still = law(smaller, seed, ignored)) {
        what = *still;
        set = std::move(smaller);
        return true;
      }
    } catch (const std::invalid_argument&) {
    }
    return false;
  };
  const auto with_dags = [&](std::vector<Dag> dags) {
    return TaskSet(set.name(), {set.pools().begin(), set.pools().end()}, std::move(dags));
  };
  for (bool again = true; again;) {
    again = false;
    for (DagId d = 0; d < set.dags().size() && !again; ++d) {
      again = set.dags().size() > 1 && try_instead([&] {
                std::vector<Dag> dags(set.dags().begin(), set.dags().end());
                dags.erase(dags.begin() + static_cast<std::ptrdiff_t>(d));
                return with_dags(std::move(dags));
              });
      for (NodeId v = 0; v < set.dags()[d].nodes().size() && !again; ++v) {
        again = try_instead([&] {
          std::vector<Dag> dags(set.dags().begin(), set.dags().end());
          const Dag& dag = dags[d];
          std::vector<Node> nodes(dag.nodes().begin(), dag.nodes().end());
          nodes.erase(nodes.begin() + static_cast<std::ptrdiff_t>(v));
          std::vector<Edge> edges;
          for (const Edge& e : dag.edges()) {
            if (e.from != v && e.to != v) edges.push_back({e.from - static_cast<NodeId>(e.from > v), e.to - static_cast<NodeId>(e.to > v)});
          }
          dags[d] = Dag(dag.name(), dag.period(), dag.deadline(), std::move(nodes), std::move(edges));
          return with_dags(std::move(dags));
        });
      }
    }
  }
  return {set, what};
}

/// Tries systems `first` .. `first + count - 1`; the first that breaks the law, made small.
inline std::optional<Broken> first_broken(std::uint64_t first, std::uint64_t count, const Ingredients& with, const Law& law,
                                          Compared& compared) {
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const TaskSet set = random_system(seed, with);
    if (law(set, seed, compared)) return smallest(set, seed, law);
  }
  return std::nullopt;
}

}  // namespace rta::test
