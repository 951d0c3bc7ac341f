#include "analysis/policies/path_proof.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "analysis/path/critical_path.hpp"
#include "analysis/path/derivation/carrier.hpp"
#include "analysis/path/finer_unit.hpp"
#include "analysis/policies/pool_bounds.hpp"
#include "analysis/search/segment_search.hpp"
#include "rta/model/deadline.hpp"
#include "rta/model/error.hpp"

namespace rta::analysis {
namespace {

std::optional<Time> priority_point(const TaskSet& task_set, const SegmentBounds& bounds, DagId d, NodeId v) {
  const auto* cpu = std::get_if<CpuPool>(&task_set.pools()[task_set.dags()[d].nodes()[v].pool].resource);
  if (cpu == nullptr || !has_priority_points(*cpu)) return std::nullopt;
  const auto& place = bounds.system.place[d][v];
  const path::Dag& dag = bounds.system.system.dags[place.dag];
  const path::Node& node = dag.nodes[place.node];
  const Time Y = bounds.system.system.pools[node.pool].order == path::Order::gel_by_node ? node.Y : dag.Y;
  return Time(Y.count() / bounds.unit);
}

DagProof dag_proof(const TaskSet& task_set, const SegmentBounds& bounds, const CriticalPaths* paths, DagId d, bool release_jitter) {
  DagProof proof;
  const std::size_t n = task_set.dags()[d].nodes().size();
  proof.nodes.reserve(n);
  for (NodeId v = 0; v < n; ++v) {
    const auto& place = bounds.system.place[d][v];
    const std::size_t segment = bounds.segments[d][v];
    const Time offset = bounds.offset[d][segment];
    proof.nodes.push_back(
        {.reference = offset,
         .priority_point = priority_point(task_set, bounds, d, v),
         .priority = std::nullopt,
         .segment = segment,
         .bound = Bound{bounds.F[d][v] - offset, {theorem_of(bounds, place, release_jitter), 0, static_cast<std::uint32_t>(place.node)}}});
  }
  if (paths != nullptr) proof.critical_path = paths->of(d);
  const NodeId last = last_sink(task_set, bounds, d);
  proof.bound = Bound{bounds.R[d], proof.nodes[last].bound->basis};
  return proof;
}

/// Without bounds, points that a schedule can use all the same.
DagProof unbounded_dag(const PathInput& input, DagId d) {
  DagProof proof;
  for (const Node& node : input.task_set->dags()[d].nodes()) {
    NodeProof& of_node = proof.nodes.emplace_back();
    of_node.reference = Time::zero();
    const auto* cpu = std::get_if<CpuPool>(&input.task_set->pools()[node.pool].resource);
    if (cpu != nullptr && has_priority_points(*cpu)) of_node.priority_point = input.Y[d];
  }
  return proof;
}

bool all_in_time(const TaskSet& task_set, const SegmentBounds& bounds) {
  for (DagId d = 0; d < task_set.dags().size(); ++d) {
    const Dag& dag = task_set.dags()[d];
    if (dag.deadline() && bounds.R[d] > *dag.deadline()) return false;
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      const auto D = own_deadline(dag, v);
      if (D && bounds.F[d][v] > *D) return false;
    }
  }
  return true;
}

void add_theorems(Proof& proof) {
  for (PoolProof& pool : proof.pools) {
    for (const PoolTask& task : pool.tasks) {
      const Theorem theorem = proof.dags[task.dag].nodes[task.node].bound->basis.theorem;
      if (std::ranges::find(pool.theorems, theorem) == pool.theorems.end()) pool.theorems.push_back(theorem);
    }
    std::ranges::sort(pool.theorems, {}, [](Theorem theorem) { return to_string(theorem); });
  }
}

}  // namespace

std::optional<reason::MayWaitOnPath> sequential_node_that_waits(const TaskSet& task_set, const SegmentBounds& bounds) {
  for (DagId d = 0; d < task_set.dags().size(); ++d) {
    const Dag& dag = task_set.dags()[d];
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      const Time R = bounds.F[d][v] - bounds.offset[d][bounds.segments[d][v]];
      if (dag.nodes()[v].sequential && R > dag.period()) return reason::MayWaitOnPath{dag.nodes()[v].name, R, dag.period()};
    }
  }
  return std::nullopt;
}

PathInput::PathInput(std::shared_ptr<const TaskSet> set, const Options& with)
    : task_set(std::move(set)),
      options(with),
      nodes(nodes_of_pools(*task_set)),
      kernels(kernel_bounds(*task_set, nodes)),
      weights(kernel_weights(*task_set, nodes, kernels)),
      Y(dag_priority_points(*task_set)) {
  if (!weights || !with.kernel_switches) return;
  for (PlatformWeights& platform : *weights) {
    for (KernelWeights& kernels_of_pool : platform) kernels_of_pool.switches = true;
  }
}

std::optional<path::Refinement> refinement_asked_for(const Options& options) {
  switch (options.path_bound) {
    case PathBound::best: return std::nullopt;
    case PathBound::T10n: return path::Refinement::T10n;
    case PathBound::T10v: return path::Refinement::T10v;
    case PathBound::T10g: return path::Refinement::T10g;
  }
  throw_defect("every path bound has a refinement");
}

path::Limits limits(const Options& options, std::string what) {
  path::Limits limits;
  limits.periods = options.most_periods;
  limits.stop = options.stop;
  if (options.progress) {
    limits.stop = [&options, what = std::move(what), round = std::size_t{0}, one = std::make_shared<std::mutex>()]() mutable {
      const std::scoped_lock lock(*one);  // of those that are solved at once
      options.progress(fmt::format("{}, round {}", what, ++round));
      return options.stop && options.stop();
    };
  }
  return limits;
}

bool enough_time_for_pairs(const TaskSet& task_set) {
  constexpr std::size_t enough_evaluations = 100;
  return affordable_evaluations(task_set) >= enough_evaluations;
}

bool asks_whole_dags(const TaskSet& task_set) {
  const auto& pools = task_set.pools();
  const bool some_processors = std::ranges::any_of(pools, [](const Pool& pool) { return pool.kind() == PoolKind::cpu; });
  const bool some_by_points_to_end = std::ranges::any_of(pools, [](const Pool& pool) {
    const auto* cpu = std::get_if<CpuPool>(&pool.resource);
    return cpu != nullptr && !cpu->preemptive && has_priority_points(*cpu);
  });
  return some_processors && enough_time_for_pairs(task_set) &&
         (some_by_points_to_end || std::ranges::any_of(task_set.dags(), [](const Dag& dag) { return dag.nodes().size() > 1; }));
}

PathBounds path_bounds(Result<SegmentBounds> bounds) {
  if (!bounds) return NoBound{bounds.reason(), std::nullopt};
  return std::move(*bounds);
}

bool has_lp(const TaskSet& task_set) {
  return std::ranges::any_of(task_set.pools(), [](const Pool& pool) {
    const auto* cpu = std::get_if<CpuPool>(&pool.resource);
    return cpu != nullptr && cpu->scheduler == Scheduler::lp;
  });
}

Proof path_proof(const PathInput& input, Release release, PathBounds bounds) {
  const TaskSet& task_set = *input.task_set;
  Proof proof;
  proof.task_set = input.task_set;
  proof.release = release;
  const bool jitter = bounds && path::has_release_jitter(bounds->system.system);
  for (PoolId p = 0; p < task_set.pools().size(); ++p) {
    const auto* kernels = input.kernels[p] ? &*input.kernels[p] : nullptr;
    std::span<const PoolNode> nodes = input.nodes[p];
    std::vector<PoolNode> nominal;  // T12 asks for the load by these periods
    if (jitter) {
      nominal.assign(nodes.begin(), nodes.end());
      for (PoolNode& node : nominal) node.T = task_set.dags()[node.dag].nominal_period();
      nodes = nominal;
    }
    proof.pools.push_back(nodes.empty() ? PoolProof{} : pool_load(task_set.pools()[p], nodes, kernels, kernel_options(input.options)));
  }
  if (bounds) {
    if (input.options.enough != Enough::deadlines || !all_in_time(task_set, *bounds)) {
      bounds = in_finer_unit(task_set, std::move(*bounds), limits(input.options, "in parts of a nanosecond"));
    }
    if (const auto waits = sequential_node_that_waits(task_set, *bounds)) bounds = NoBound{*waits, std::nullopt};
  }
  if (!bounds) {
    for (PoolProof& pool : proof.pools) {
      if (!pool.tasks.empty()) pool.none = bounds.reason();
    }
    for (DagId d = 0; d < task_set.dags().size(); ++d) proof.dags.push_back(unbounded_dag(input, d));
    return proof;
  }
  for (PoolId p = 0; p < task_set.pools().size(); ++p) {
    if (bounds->system.system.pools[p].order == path::Order::gel_by_node) proof.ordered_by_node.push_back(p);
  }
  std::optional<CriticalPaths> paths;
  if (input.options.critical_paths) paths.emplace(task_set, *bounds);
  for (DagId d = 0; d < task_set.dags().size(); ++d)
    proof.dags.push_back(dag_proof(task_set, *bounds, paths ? &*paths : nullptr, d, jitter));
  add_theorems(proof);
  proof.evidence.emplace_back(PathEvidence{.bounds = std::move(*bounds), .dags = {}});
  return proof;
}

Proof without_bounds(std::shared_ptr<const TaskSet> task_set, Release release, const Reason& reason) {
  Proof proof;
  const PoolNodes nodes = nodes_of_pools(*task_set);
  for (const auto& of_pool : nodes) {
    PoolProof& pool = proof.pools.emplace_back();
    pool.tasks = pool_tasks(of_pool);
    if (!of_pool.empty()) pool.none = NoBound{reason, std::nullopt};
  }
  NodeProof at_release;
  at_release.reference = Time::zero();
  for (const Dag& dag : task_set->dags()) proof.dags.emplace_back().nodes.assign(dag.nodes().size(), at_release);
  proof.release = release;
  proof.task_set = std::move(task_set);
  return proof;
}

}  // namespace rta::analysis
