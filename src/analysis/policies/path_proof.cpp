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
#include "analysis/path/left_out_at.hpp"
#include "analysis/policies/own_order.hpp"
#include "analysis/policies/pool_bounds.hpp"
#include "analysis/policies/turns.hpp"
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

/// Where the evidence of a node's bound is: 0, or 1 where a GPU in turn carries it.
std::uint32_t evidence_of(const SegmentBounds& bounds, const PathSystem::Place& place) {
  const bool other = !bounds.in_turn.empty() && bounds.bounds.support[place.dag][place.node] == path::Support::given;
  return other ? 1 : 0;
}

DagProof dag_proof(const TaskSet& task_set, const SegmentBounds& bounds, const CriticalPaths* paths, DagId d, bool release_jitter) {
  DagProof proof;
  const std::size_t n = task_set.dags()[d].nodes().size();
  proof.nodes.reserve(n);
  for (NodeId v = 0; v < n; ++v) {
    const auto& place = bounds.system.place[d][v];
    const std::size_t segment = bounds.segments[d][v];
    const Time offset = bounds.offset[d][segment];
    const std::uint32_t evidence = evidence_of(bounds, place);
    const Theorem theorem = theorem_of(evidence == 0 ? bounds : bounds.in_turn.front(), place, release_jitter);
    proof.nodes.push_back({.reference = offset,
                           .priority_point = priority_point(task_set, bounds, d, v),
                           .priority = std::nullopt,
                           .segment = segment,
                           .bound = Bound{bounds.F[d][v] - offset, {theorem, evidence, static_cast<std::uint32_t>(place.node)}}});
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

/// Of the system that was bounded, or that would be.
std::vector<LeftOut> left_out_of(const PathInput& input, const PathBounds& bounds, path::Refinement asked) {
  if (bounds) {
    std::vector<LeftOut> all = bounds->left_out;
    add_left_out(all, path::left_out(bounds->system.system, asked));
    if (!bounds->bounds.support.empty()) add_left_out(all, path::left_out_at(bounds->system.system, asked, bounds->bounds.F));
    return all;
  }
  if (!input.weights) return {};
  try {
    const PathSystem system = path_system(*input.task_set, whole_dags(*input.task_set), input.weights->front(), input.Y);
    const auto late = with_release_jitter(system, *input.task_set);
    const path::System& asked_of = late ? late->system : system.system;
    std::vector<LeftOut> all = path::left_out(asked_of, asked);
    const NoBound& none = bounds.reason();
    if (const auto* past = std::get_if<reason::PastLimit>(&none.reason)) add_left_out(all, path::left_out_past(asked_of, asked, *past));
    return all;
  } catch (const Overflow&) {  // for which there are no bounds, either
    return {};
  }
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
  std::optional<PerNode<bool>> in_order;  // most sets have no such node
  for (DagId d = 0; d < task_set.dags().size(); ++d) {
    const Dag& dag = task_set.dags()[d];
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      const Time R = bounds.F[d][v] - bounds.offset[d][bounds.segments[d][v]];
      if (!dag.nodes()[v].sequential || R <= dag.period()) continue;
      if (!in_order) in_order = nodes_in_own_order(task_set);
      if (!(*in_order)[d][v]) return reason::MayWaitOnPath{dag.nodes()[v].name, R, dag.period()};
    }
  }
  return std::nullopt;
}

namespace {

std::shared_ptr<const TaskSet> with_counted_company(std::shared_ptr<const TaskSet> set) {
  require(!measured_alone(*set), "company is added to durations before bounds rest on them");
  return set;
}

}  // namespace

PathInput::PathInput(std::shared_ptr<const TaskSet> set, const Options& with)
    : task_set(with_counted_company(std::move(set))),
      options(with),
      nodes(nodes_of_pools(*task_set)),
      kernels(kernel_bounds(*task_set, nodes)),
      in_turn(pools_in_turn(*task_set, nodes, durations(with))),
      weights(kernel_weights(*task_set, nodes, kernels, in_turn, with.kernel_switches)),
      Y(dag_priority_points(*task_set)) {}

SegmentBounds least_with_turns(const PathInput& input, SegmentBounds bounds, path::Refinement refinement, const path::Limits& limits) {
  const auto& pools = bounds.system.system.pools;
  std::vector<PoolId> by_blocks, in_turn;
  for (const PoolId p : input.in_turn) {
    if (!pools[p].in_turn) by_blocks.push_back(p);
    if (pools[p].in_turn && input.weights->front()[p].tail) in_turn.push_back(p);
  }
  if (by_blocks.empty() && (in_turn.empty() || path::has_release_jitter(bounds.system.system))) return bounds;
  PathSystem other = bounds.system;
  if (by_blocks.empty()) {
    serve_beside_blocks(other, *input.task_set, in_turn, input.weights->front());
  } else {
    serve_in_turn(other, *input.task_set, by_blocks, input.options.kernel_switches);
  }
  return least_by_both(*input.task_set, std::move(bounds), std::move(other), refinement, limits);
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
  return task_set.node_count() <= most_nodes_for_pairs || different_nodes(task_set) <= most_nodes_for_pairs;
}

bool suits_whole_dags(const TaskSet& task_set) {
  const auto& pools = task_set.pools();
  const bool some_processors = std::ranges::any_of(pools, [](const Pool& pool) { return pool.kind() == PoolKind::cpu; });
  const bool some_by_points_to_end = std::ranges::any_of(pools, [](const Pool& pool) {
    const auto* cpu = std::get_if<CpuPool>(&pool.resource);
    return cpu != nullptr && !cpu->preemptive && has_priority_points(*cpu);
  });
  return some_processors &&
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

Proof path_proof(const PathInput& input, Release release, PathBounds bounds, path::Refinement asked) {
  const TaskSet& task_set = *input.task_set;
  Proof proof;
  proof.task_set = input.task_set;
  proof.release = release;
  const bool jitter = bounds && path::has_release_jitter(bounds->system.system);
  for (PoolId p = 0; p < task_set.pools().size(); ++p) {
    const auto* kernels = input.kernels[p] ? &*input.kernels[p] : nullptr;
    std::span<const PoolNode> nodes = input.nodes[p];
    std::vector<PoolNode> nominal;  // the load is that of these periods, whether or not bounds count releases T - J apart
    if (some_late(task_set, nodes)) {
      nominal.assign(nodes.begin(), nodes.end());
      for (PoolNode& node : nominal) node.T = task_set.dags()[node.dag].nominal_period();
      nodes = nominal;
    }
    proof.pools.push_back(nodes.empty() ? PoolProof{} : pool_load(task_set.pools()[p], nodes, kernels, kernel_options(input.options)));
    if (!has_turns(task_set.pools()[p], nodes)) continue;
    proof.pools.back().busy = busy_alone(std::get<GpuPool>(task_set.pools()[p].resource), nodes, durations(input.options)).approximate();
  }
  if (bounds) {
    if (input.options.enough != Enough::deadlines || !all_in_time(task_set, *bounds)) {
      bounds = in_finer_unit(task_set, std::move(*bounds), limits(input.options, "in parts of a nanosecond"));
    }
    if (const auto waits = sequential_node_that_waits(task_set, *bounds)) bounds = NoBound{*waits, std::nullopt};
  }
  proof.left_out = left_out_of(input, bounds, asked);
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
  std::vector<SegmentBounds> in_turn = std::exchange(bounds->in_turn, {});
  proof.evidence.emplace_back(PathEvidence{.bounds = std::move(*bounds), .dags = {}});
  for (SegmentBounds& turns : in_turn) proof.evidence.emplace_back(PathEvidence{.bounds = std::move(turns), .dags = {}});
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
