// Law 1: no simulated schedule ever shows a response time above its bound. Each law draws a release policy and its choices by a seed.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/policies/kernel_weights.hpp"
#include "rta/analysis/analyze.hpp"
#include "rta/analysis/gpu/fifo_bounds.hpp"
#include "rta/analysis/option_table.hpp"
#include "rta/analysis/path/path.hpp"
#include "rta/analysis/path/path_system.hpp"
#include "rta/analysis/path/segments.hpp"
#include "support/broken_law.hpp"
#include "support/random_system.hpp"
#include "support/runs_against_bounds.hpp"
#include "support/schedules.hpp"

namespace rta::test {

inline bool all_cpu_nodes_sequential(const TaskSet& set) {
  return std::ranges::all_of(set.dags(), [&](const Dag& dag) {
    return std::ranges::all_of(dag.nodes(), [&](const Node& n) { return n.sequential || !std::holds_alternative<CpuDemand>(n.demand); });
  });
}

/// Offsets, also released early: the bounds of `analyze`, with random options of the analysis.
inline std::optional<std::string> broken_with_offsets(const TaskSet& set, std::uint64_t seed, Compared& compared) {
  Dice dice(seed);
  const auto pick = [&](const std::vector<std::string>& words) { return dice.pick(words); };
  analysis::GivenOptions how{{"gpu-bound", pick({"best", "best", "T5", "T6a", "T6b"})}};
  how.emplace_back("cpu-bound", !dice.one_in(3) ? "best" : seed % 2 == 0 ? "published" : "T1");
  if (all_cpu_nodes_sequential(set) && dice.one_in(2)) {
    how.back().second = dice.one_in(2) ? "T3" : "T4";
    if (how.back().second == "T4") how.emplace_back("scheduler", "G-EDF");
  }
  how.emplace_back("refine", pick({"none", "early", "carry", "all", "all"}));
  how.emplace_back("objective", dice.one_in(2) ? "sum" : "max-lateness");
  how.emplace_back("release", dice.one_in(3) ? "early" : "offsets");
  const auto proven = analysis::analyze(std::make_shared<const TaskSet>(set), analysis::options_of(how));
  // A pool without a bound may be overloaded.
  if (proven.verdict == analysis::Verdict::unbounded) return std::nullopt;
  return broken_in_proof(dice, proven.proof, how, compared);
}

/// Random weights of those that the analysis would try; none when a GPU's load is too high for all.
inline std::optional<analysis::PlatformWeights> random_weights(Dice& dice, const TaskSet& set) {
  const auto all = analysis::kernel_weights(set);
  if (!all) return std::nullopt;
  return dice.pick(*all);
}

inline std::vector<Time> random_points(Dice& dice, const TaskSet& set) {
  std::vector<Time> Y;
  for (const Dag& dag : set.dags()) Y.emplace_back(dice.one_in(2) ? dag.period().count() : dice.between(-20, 3 * dag.period().count()));
  return Y;
}

/// T3s: whether each sequential node's jobs end within a period of their release (at `offset`, of its DAG where there is none).
inline bool sequential_nodes_never_wait(const TaskSet& set, const Bounds& R, const std::function<Time(DagId, NodeId)>& offset = {}) {
  for (DagId d = 0; d < set.dags().size(); ++d) {
    const Dag& dag = set.dags()[d];
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      const Time released = offset ? offset(d, v) : Time::zero();
      if (dag.nodes()[v].sequential && *R[d][v] - released > dag.period()) return false;
    }
  }
  return true;
}

inline const char* name_of(analysis::path::Refinement refinement) {
  constexpr const char* names[] = {"T10n", "T10v", "T10j", "T10g"};
  return names[static_cast<std::size_t>(refinement)];
}

/// Release on completion: T10, T10n, T10j and T10g. Requires kernels of one priority.
inline std::optional<std::string> broken_on_completion(const TaskSet& set, std::uint64_t seed, Compared& compared) {
  namespace path = analysis::path;
  Dice dice(seed);
  const std::vector<Time> Y = random_points(dice, set);
  const auto weights = random_weights(dice, set);
  if (!weights) return std::nullopt;
  const auto system = analysis::path_system(set, analysis::whole_dags(set), *weights, Y);
  path::Limits limits;
  limits.sweeps = 10'000;
  const bool nodes = !dice.one_in(4);
  const auto refinement = dice.pick(
      std::vector<path::Refinement>{path::Refinement::T10n, path::Refinement::T10v, path::Refinement::T10j, path::Refinement::T10g});
  Bounds R;
  std::vector<std::optional<Time>> end_to_end;
  if (nodes) {
    const auto bounds = path::node_bounds(system.system, refinement, limits);
    if (!bounds) return std::nullopt;
    for (DagId d = 0; d < set.dags().size(); ++d) {
      R.emplace_back();
      for (const auto& place : system.place[d]) R.back().emplace_back(bounds->F[place.dag][place.node]);
      end_to_end.emplace_back(bounds->R[system.place[d].front().dag]);
    }
  } else {
    const auto bounds = path::bounds(system.system, limits);
    if (!bounds) return std::nullopt;
    for (DagId d = 0; d < set.dags().size(); ++d) {
      end_to_end.emplace_back(bounds->R[system.place[d].front().dag]);
      R.emplace_back(set.dags()[d].nodes().size(), end_to_end.back());
    }
  }
  if (!sequential_nodes_never_wait(set, R)) return std::nullopt;
  const auto schedule = test::on_completion(set, Y);
  return broken_in_runs(dice, set, schedule, R, end_to_end, Y, nodes ? name_of(refinement) : "T10", compared);
}

/// Release on completion with random priority points per node: T10n, T10j and T10g. Requires as above.
inline std::optional<std::string> broken_by_node(const TaskSet& set, std::uint64_t seed, Compared& compared) {
  namespace path = analysis::path;
  Dice dice(seed);
  const std::vector<Time> Y = random_points(dice, set);
  const auto weights = random_weights(dice, set);
  if (!weights) return std::nullopt;
  std::vector<PoolId> pools;
  for (PoolId p = 0; p < set.pools().size(); ++p) {
    const auto* cpu = std::get_if<CpuPool>(&set.pools()[p].resource);
    if (cpu != nullptr && cpu->preemptive && cpu->scheduler != Scheduler::fifo) pools.push_back(p);
  }
  PerNode<Time> points;
  for (const Dag& dag : set.dags()) {
    auto& row = points.emplace_back();
    const std::int64_t step = dice.one_in(2) ? dag.period().count() : dice.between(0, dag.period().count());
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      row.emplace_back(dice.between(-10, dag.period().count()) + static_cast<std::int64_t>(v) * step);
    }
  }
  auto system = analysis::path_system(set, analysis::whole_dags(set), *weights, Y);
  analysis::order_by_node(system, pools, points);
  path::Limits limits;
  limits.sweeps = 10'000;
  const auto refinement = dice.one_in(2) ? path::Refinement::T10g : path::Refinement::T10n;
  const auto bounds = path::node_bounds(system.system, refinement, limits);
  if (!bounds) return std::nullopt;
  Schedule schedule = test::on_completion(set, Y);
  Bounds R;
  std::vector<std::optional<Time>> end_to_end;
  for (DagId d = 0; d < set.dags().size(); ++d) {
    R.emplace_back();
    for (NodeId v = 0; v < set.dags()[d].nodes().size(); ++v) {
      const auto& place = system.place[d][v];
      R.back().emplace_back(bounds->F[place.dag][place.node]);
      const bool own = std::find(pools.begin(), pools.end(), set.dags()[d].nodes()[v].pool) != pools.end();
      if (own) schedule.nodes[d][v].priority_point = points[d][v];
    }
    end_to_end.emplace_back(bounds->R[system.place[d].front().dag]);
  }
  if (!sequential_nodes_never_wait(set, R)) return std::nullopt;
  return broken_in_runs(dice, set, schedule, R, end_to_end, Y, name_of(refinement), compared);
}

/// Release on segments. Requires as above.
inline std::optional<std::string> broken_on_segments(const TaskSet& set, std::uint64_t seed, Compared& compared) {
  namespace path = analysis::path;
  Dice dice(seed);
  const std::vector<Time> Y = random_points(dice, set);
  const auto weights = random_weights(dice, set);
  if (!weights) return std::nullopt;
  const auto segments = dice.one_in(2) ? analysis::segments_by_pool(set) : analysis::segment_per_node(set);
  path::Limits limits;
  limits.sweeps = 10'000;
  const auto refinement = dice.pick(
      std::vector<path::Refinement>{path::Refinement::T10n, path::Refinement::T10v, path::Refinement::T10j, path::Refinement::T10g});
  auto system = analysis::path_system(set, segments, *weights, Y);
  if (dice.one_in(2)) {  // a point for each segment
    for (path::Dag& segment : system.system.dags) segment.Y = random_points(dice, set).front();
  }
  const auto bounds = analysis::segment_bounds(set, segments, std::move(system), refinement, limits);
  if (!bounds) return std::nullopt;
  Schedule schedule = test::on_completion(set, Y);
  Bounds R;
  std::vector<std::optional<Time>> end_to_end;
  for (DagId d = 0; d < set.dags().size(); ++d) {
    const Dag& dag = set.dags()[d];
    const auto& segment = bounds->segments[d];
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      NodeSchedule& s = schedule.nodes[d][v];
      const Time Phi = bounds->offset[d][segment[v]];
      if (s.priority_point) s.priority_point = Phi + bounds->system.system.dags[bounds->system.place[d][v].dag].Y;
      const auto before = dag.predecessors(v);
      const bool source = std::none_of(before.begin(), before.end(), [&](NodeId u) { return segment[u] == segment[v]; });
      if (source) s.offset = Phi;
    }
    R.emplace_back(bounds->F[d].begin(), bounds->F[d].end());
    end_to_end.emplace_back(bounds->R[d]);
  }
  const auto offset = [&](DagId d, NodeId v) { return bounds->offset[d][bounds->segments[d][v]]; };
  if (!sequential_nodes_never_wait(set, R, offset)) return std::nullopt;
  return broken_in_runs(dice, set, schedule, R, end_to_end, Y, name_of(refinement), compared);
}

/// Release on completion, on segments or by the best policy, as `analyze` chooses everything and every command plays it. Requires as above.
inline std::optional<std::string> broken_by_policy(const TaskSet& set, std::uint64_t seed, Compared& compared) {
  Dice dice(seed);
  const auto release = dice.pick(std::vector<std::string>{"completion", "completion", "segments", "best"});
  analysis::GivenOptions how{{"release", release}, {"most-periods", "200"}};
  if (release != "segments" && dice.one_in(2)) how.emplace_back("priorities", "best");
  if (dice.one_in(4)) {
    how.emplace_back("optimize", "priorities");
  } else {
    how.emplace_back("objective", dice.one_in(2) ? "sum" : "max-lateness");
  }
  const auto proven = analysis::analyze(std::make_shared<const TaskSet>(set), analysis::options_of(how));
  if (proven.verdict == analysis::Verdict::unbounded) return std::nullopt;
  compared.bound[std::string(to_string(proven.proof.release))] += set.node_count();
  return broken_in_proof(dice, proven.proof, how, compared);
}

/// The same for sets with pools under fixed priorities: on completion, on segments or by the best of both.
inline std::optional<std::string> broken_by_fixed_priorities(const TaskSet& set, std::uint64_t seed, Compared& compared) {
  const auto fixed = [](const Pool& pool) {
    const auto* cpu = std::get_if<CpuPool>(&pool.resource);
    return cpu != nullptr && cpu->scheduler == Scheduler::fp;
  };
  if (std::ranges::none_of(set.pools(), fixed)) return std::nullopt;
  Dice dice(seed);
  const auto release = dice.pick(std::vector<std::string>{"completion", "completion", "segments", "best"});
  const analysis::GivenOptions how{{"release", release}, {"most-periods", "200"}};
  const auto proven = analysis::analyze(std::make_shared<const TaskSet>(set), analysis::options_of(how));
  if (proven.verdict == analysis::Verdict::unbounded) return std::nullopt;
  return broken_in_proof(dice, proven.proof, how, compared);
}

}  // namespace rta::test
