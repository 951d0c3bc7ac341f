// Law 1: no simulated schedule ever shows a response time above its bound.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
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
#include "rta/analysis/schedule_of.hpp"
#include "rta/compare/comparison.hpp"
#include "rta/model/error.hpp"
#include "rta/simulate/simulate.hpp"
#include "support/random_system.hpp"
#include "support/schedules.hpp"

namespace rta::test {

struct Broken {
  std::uint64_t seed = 0;
  TaskSet task_set;
  std::string what;  // which bound, by how much, and the simulation's options
};

/// How often bounds existed and were compared: a test that compares nothing must fail.
struct Compared {
  std::uint64_t systems = 0;
  std::uint64_t nodes = 0;
  std::uint64_t tight = 0;                     // nodes that came within 1 % of their bound
  std::map<std::string, std::uint64_t> bound;  // nodes of these systems by their theorem; sequential ones that it allows for by T3s as well

  void add(std::string_view theorem, const Node& node) {
    ++bound[std::string(theorem)];
    if (node.sequential && theorem != "T3" && theorem != "T4") ++bound["T3s"];
  }

  /// Every node by its own theorem.
  void add(const analysis::Proof& proof) {
    for (DagId d = 0; d < proof.dags.size(); ++d) {
      const Dag& dag = proof.task_set->dags()[d];
      for (NodeId v = 0; v < dag.nodes().size(); ++v) add(to_string(proof.dags[d].nodes[v].bound->basis.theorem), dag.nodes()[v]);
    }
  }
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

/// The command that repeats a run of what `rta simulate` can be asked for, on the task set as a file.
inline std::string simulate_command(const simulate::Options& o, const analysis::GivenOptions& how) {
  const auto percent = [](simulate::PartsPerMillion ppm) { return ppm / 10'000; };
  std::string analysis;
  for (const auto& [name, value] : how) {
    analysis += " --" + name + (analysis::find_option(name)->is_flag() ? std::string() : " " + value);
  }
  return fmt::format(
      "\nrta simulate FILE{} --duration {}ns --seed {}{} --jitter {} --execution {}-{} --placement {} --ties {} "
      "--copy-rules {} --verbose",
      analysis, o.duration.count(), o.seed, o.releases.random_phases ? " --random-phases" : "", percent(o.releases.jitter),
      percent(o.execution.least), percent(o.execution.most), to_string(o.placement), to_string(o.ties), to_string(o.copy_rules));
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

inline bool all_cpu_nodes_sequential(const TaskSet& set) {
  return std::ranges::all_of(set.dags(), [&](const Dag& dag) {
    return std::ranges::all_of(dag.nodes(), [&](const Node& n) { return n.sequential || !std::holds_alternative<CpuDemand>(n.demand); });
  });
}

/// Three random runs of what was proven, as any command plays it.
inline std::optional<std::string> broken_in_proof(Dice& dice, const analysis::Proof& proof, const analysis::GivenOptions& how,
                                                  Compared& compared) {
  const TaskSet& set = *proof.task_set;
  const Schedule schedule = schedule_of(proof);
  const compare::Bounds bounds = compare::bounds_of(proof);
  ++compared.systems;
  compared.add(proof);
  for (int run = 0; run < 3; ++run) {
    const simulate::Options options = random_options(dice, set);
    const auto seen = simulate::simulate(set, schedule, options);
    auto what = above(set, bounds.node, bounds.dag, seen, compared);
    if (!what && seen.late_releases > 0) what = fmt::format("{} nodes were not ready at their offset", seen.late_releases);
    if (what) return fmt::format("{}; {}; {}{}", *what, to_string(proof.release), in_words(options), simulate_command(options, how));
  }
  return std::nullopt;
}

/// Offsets, also released early: the bounds of `analyze`, with random options of the analysis.
inline std::optional<std::string> broken_with_offsets(const TaskSet& set, std::uint64_t seed, Compared& compared) {
  Dice dice(seed);
  const auto pick = [&](const std::vector<std::string>& words) { return dice.pick(words); };
  analysis::GivenOptions how{{"gpu-bound", pick({"best", "best", "T5", "T6a", "T6b"})}};
  how.emplace_back("cpu-bound", dice.one_in(3) ? "T1" : "best");
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

/// Three random runs; what was above its bound, by the theorem `how`.
inline std::optional<std::string> broken_in_runs(Dice& dice, const TaskSet& set, const Schedule& schedule, const Bounds& R,
                                                 const std::vector<std::optional<Time>>& end_to_end, const std::vector<Time>& Y,
                                                 const std::string& how, Compared& compared) {
  ++compared.systems;
  for (const Dag& dag : set.dags()) {
    for (const Node& node : dag.nodes()) compared.add(how, node);
  }
  for (int run = 0; run < 3; ++run) {
    const simulate::Options options = random_options(dice, set);
    const auto seen = simulate::simulate(set, schedule, options);
    auto what = above(set, R, end_to_end, seen, compared);
    if (!what && seen.late_releases > 0) what = fmt::format("{} nodes were not ready at their offset", seen.late_releases);
    if (!what) continue;
    std::string points;
    for (const Time y : Y) points += fmt::format(" {}", y.count());
    return fmt::format("{}; {}, Y ={}; {}", *what, how, points, in_words(options));
  }
  return std::nullopt;
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
    } catch (const Defect&) {                 // no task set
    } catch (const std::invalid_argument&) {  // none that can be analysed so
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
      if (again) break;  // the DAGs have moved up
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
  return {seed, set, what};
}

/// Tries systems from seed `first` on until `wanted` were compared, at most three times as many; the first that breaks the law, made small.
inline std::optional<Broken> first_broken(std::uint64_t first, std::uint64_t wanted, const Ingredients& with, const Law& law,
                                          Compared& compared) {
  for (std::uint64_t seed = first; seed < first + 4 * wanted && compared.systems < wanted; ++seed) {
    const TaskSet set = random_system(seed, with);
    if (law(set, seed, compared)) return smallest(set, seed, law);
  }
  return std::nullopt;
}

}  // namespace rta::test
