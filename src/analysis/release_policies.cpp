#include "release_policies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include "node_points.hpp"
#include "path_explanation.hpp"
#include "priority_search.hpp"
#include "rta/analysis/segments.hpp"

namespace rta::analysis {
namespace {

std::string scheduler_in_words(const TaskSet& task_set, std::span<const PoolId> by_node) {
  std::vector<std::string> parts;
  for (PoolId p = 0; p < task_set.pools().size(); ++p) {
    const auto* cpu = std::get_if<CpuPool>(&task_set.pools()[p].resource);
    if (cpu == nullptr) continue;
    std::string part = "G-EDF by DAG";
    if (cpu->scheduler == Scheduler::fifo) part = "FIFO by ready time";
    if (cpu->scheduler == Scheduler::g_fl) part = "G-FL by DAG";
    if (cpu->scheduler != Scheduler::fifo && !cpu->preemptive) part.insert(0, "non-preemptive ");
    if (std::ranges::find(by_node, p) != by_node.end()) part = "GEL with a priority point per node";
    if (std::ranges::find(parts, part) == parts.end()) parts.push_back(std::move(part));
  }
  std::string text;
  for (const std::string& part : parts) text += ", " + part;
  return text;
}

/// T3s: a node of a sequential task that may still run when its next job is ready; empty if there is none.
std::string sequential_node_that_waits(const TaskSet& task_set, const SegmentBounds& bounds) {
  for (DagId d = 0; d < task_set.dags().size(); ++d) {
    const Dag& dag = task_set.dags()[d];
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      const Time R = bounds.F[d][v] - bounds.offset[d][bounds.segments[d][v]];
      if (!dag.nodes()[v].sequential || R <= dag.period()) continue;
      return fmt::format(
          "node '{}' is sequential and may end {} ns after its DAG's (or segment's) release, past the period of {} ns: a job may "
          "wait for its predecessor",
          dag.nodes()[v].name, R.count(), dag.period().count());
    }
  }
  return {};
}

constexpr std::size_t small_task_set = 10'000;  // nodes

/// A policy's bounds with all that is needed to report them.
struct Proven {
  SegmentBounds bounds;
  std::string theorem;
  std::vector<Time> Y;
  std::vector<PoolId> by_node;  // pools on which nodes have points of their own
  PerNode<Time> Y_node;
};

class PolicyAnalysis {
 public:
  PolicyAnalysis(const Analysis& at_offsets, const Options& options)
      : at_offsets_(at_offsets),
        options_(options),
        task_set_(*at_offsets.task_set),
        weights_(kernel_weights(task_set_)),
        Y_(dag_priority_points(task_set_)),
        by_node_(pools_by_node()) {
    if (options.priorities == Priorities::node && by_node_.empty() && options.release == ReleasePolicy::completion) {
      throw std::invalid_argument("priorities by node need a preemptive CPU pool under G-EDF, G-FL or LP");
    }
  }

  Analysis analyze(ReleasePolicy policy) {
    std::string reason;
    auto proven = prove_if_possible(policy, reason);
    if (proven) {
      reason = sequential_node_that_waits(task_set_, proven->bounds);
      if (!reason.empty()) proven.reset();
    }
    Analysis analysis;
    analysis.task_set = at_offsets_.task_set;
    analysis.release = policy;
    analysis.needs = fmt::format("release on {}{}", policy == ReleasePolicy::completion ? "completion" : "segments",
                                 scheduler_in_words(task_set_, proven ? proven->by_node : std::vector<PoolId>{}));
    analysis.suggestions = at_offsets_.suggestions;
    analysis.suggestion_groups = at_offsets_.suggestion_groups;
    analysis.warnings = std::move(warnings_);
    warnings_.clear();
    set_pools(analysis, proven, reason);
    set_dags(analysis, proven);
    analysis.verdict = verdict_of(task_set_, analysis.dags);
    explain(analysis, proven, reason);
    return analysis;
  }

 private:
  /// Of every search of a policy: `what` is told to whoever waits.
  path::Limits limits(std::string what) const {
    path::Limits limits;
    limits.periods = options_.most_periods;
    limits.stop = options_.stop;
    if (options_.progress) {
      limits.stop = [this, what = std::move(what), round = std::size_t{0}]() mutable {
        options_.progress(fmt::format("{}, round {}", what, ++round));
        return options_.stop && options_.stop();
      };
    }
    return limits;
  }

  std::vector<PoolId> pools_by_node() const {
    std::vector<PoolId> pools;
    if (options_.priorities == Priorities::dag) return pools;
    for (PoolId p = 0; p < task_set_.pools().size(); ++p) {
      const auto* cpu = std::get_if<CpuPool>(&task_set_.pools()[p].resource);
      if (cpu == nullptr || !cpu->preemptive || cpu->scheduler == Scheduler::fifo) continue;
      if (options_.priorities || cpu->scheduler == Scheduler::lp) pools.push_back(p);
    }
    return pools;
  }

  /// Among several policies, one whose numbers leave the range has no bound, and the others stand.
  std::optional<Proven> prove_if_possible(ReleasePolicy policy, std::string& reason) {
    try {
      return prove(policy, reason);
    } catch (const Overflow& overflow) {
      if (options_.release != ReleasePolicy::best) throw;
      reason = overflow.what();
      return std::nullopt;
    }
  }

  std::optional<Proven> prove(ReleasePolicy policy, std::string& reason) {
    if (!weights_) {
      reason = weights_.reason();
      return std::nullopt;
    }
    std::optional<Proven> best;
    std::size_t best_weights = weights_->size() - 1;
    for (std::size_t i = 0; i < weights_->size(); ++i) {
      auto proven = prove(policy, (*weights_)[i], Y_, reason);
      if (!proven || (best && cost(proven->bounds) >= cost(best->bounds))) continue;
      best = std::move(proven);
      best_weights = i;
    }
    if (best && options_.optimize_priorities) improve_priorities(*best, (*weights_)[best_weights]);
    if (policy == ReleasePolicy::completion && !by_node_.empty()) {
      auto proven = by_node((*weights_)[best_weights], reason);
      const bool asked = options_.priorities == Priorities::node;
      if (asked || (proven && (!best || cost(proven->bounds) < cost(best->bounds)))) best = std::move(proven);
    }
    if (best && best->by_node.empty() && uses_lp()) {
      warnings_.push_back(fmt::format("LP chooses points for release at offsets; on {} the nodes of a DAG share G-EDF's",
                                      policy == ReleasePolicy::completion ? "completion" : "segments"));
    }
    return best;
  }

  bool uses_lp() const {
    return std::ranges::any_of(task_set_.pools(), [](const Pool& pool) {
      const auto* cpu = std::get_if<CpuPool>(&pool.resource);
      return cpu != nullptr && cpu->scheduler == Scheduler::lp;
    });
  }

  /// Points per node: searched for, from those at offsets.
  std::optional<Proven> by_node(const PlatformWeights& weights, std::string& reason) {
    const std::size_t affordable = affordable_evaluations(task_set_);
    if (affordable == 0) {
      reason = "too many different nodes to choose points per node in some seconds";
      return std::nullopt;
    }
    const auto whole = whole_dags(task_set_);
    const auto bounds_at = [&](const PerNode<Time>& Y, path::Refinement refinement) {
      PathSystem system = path_system(task_set_, whole, weights, Y_);
      order_by_node(system, by_node_, Y);
      auto bounds = segment_bounds(task_set_, whole, std::move(system), refinement, limits("completion, points per node"));
      if (!bounds) reason = bounds.reason();
      return bounds;
    };
    PerNode<std::optional<Time>> start;
    for (const DagBound& dag : at_offsets_.dags) {
      auto& row = start.emplace_back();
      for (const NodeBound& node : dag.nodes) {
        row.push_back(node.offset && node.priority_point ? std::optional(*node.offset + *node.priority_point) : std::nullopt);
      }
    }
    NodePointSearch search;
    search.pools = by_node_;
    search.of_dag = Y_;
    search.bounds_at = [&](const PerNode<Time>& Y) { return bounds_at(Y, path::Refinement::T10g); };
    search.cost = [this](const SegmentBounds& bounds) { return cost(bounds); };
    search.stop = options_.stop;
    const bool asked = options_.priorities.has_value();
    search.evaluations =
        options_.optimize_priorities ? 4 * affordable : std::max<std::size_t>(3, asked ? affordable * 2 / 3 : affordable / 4);
    search.single_nodes = options_.optimize_priorities;
    auto found = choose_node_points(task_set_, start, search);
    if (!found) return std::nullopt;
    Proven proven{std::move(found->bounds), "T10g", Y_, by_node_, std::move(found->Y)};
    auto plain = bounds_at(proven.Y_node, path::Refinement::T10n);
    if (plain && cost(*plain) <= cost(proven.bounds)) {
      proven.bounds = std::move(*plain);
      proven.theorem = "T10n";
    }
    return proven;
  }

  std::optional<Proven> prove(ReleasePolicy policy, const PlatformWeights& weights, const std::vector<Time>& Y, std::string& reason) {
    if (policy == ReleasePolicy::completion) return on_completion(weights, Y, reason);
    return on_segments(weights, Y, reason);
  }

  std::optional<Proven> on_segments(const PlatformWeights& weights, const std::vector<Time>& Y, std::string& reason) {
    const auto cuts = segments_of_cuts(task_set_);
    SegmentSearch search;
    search.objective = options_.objective;
    search.evaluations = std::max<std::size_t>(3, affordable_evaluations(task_set_));
    search.limits = limits("segments, choosing cuts");
    auto late = take(cuts ? segment_bounds(task_set_, *cuts, weights, Y, path::Refinement::T10g, limits("segments"))
                          : choose_segments(task_set_, weights, Y, search),
                     "T10g", Y, reason);
    if (!late) return late;
    auto plain =
        take(segment_bounds(task_set_, late->bounds.segments, weights, Y, path::Refinement::T10j, limits("segments")), "T10j", Y, reason);
    return plain && cost(plain->bounds) <= cost(late->bounds) ? std::move(plain) : std::move(late);
  }

  std::optional<Proven> on_completion(const PlatformWeights& weights, const std::vector<Time>& Y, std::string& reason) {
    const auto whole = whole_dags(task_set_);
    auto plain = take(segment_bounds(task_set_, whole, weights, Y, path::Refinement::T10n, limits("completion, T10n")), "T10n", Y, reason);
    std::optional<Proven> late;
    if (!plain || task_set_.node_count() <= small_task_set) {  // T10j alone would do, but T10n says where it is not needed
      late = take(segment_bounds(task_set_, whole, weights, Y, path::Refinement::T10j, limits("completion, T10j")), "T10j", Y, reason);
    }
    if (late && (!plain || cost(late->bounds) < cost(plain->bounds))) return late;
    constexpr std::size_t enough = 100;  // T10g looks at all pairs of nodes in every round, and rounds are many where bounds are large
    if (!plain && affordable_evaluations(task_set_) >= enough) {
      late = take(segment_bounds(task_set_, whole, weights, Y, path::Refinement::T10g, limits("completion, T10g")), "T10g", Y, reason);
      if (late) return late;
    }
    if (plain || !options_.stop || !options_.stop()) return plain;

    // Out of time: T10 is far quicker.
    SegmentBounds bounds;
    bounds.segments = whole;
    bounds.system = path_system(task_set_, whole, weights, Y);
    path::Limits periods;
    periods.periods = options_.most_periods;
    const auto quick = path::bounds(bounds.system.system, periods);
    if (!quick) {
      reason = quick.reason();
      return std::nullopt;
    }
    warnings_.emplace_back("the time limit ended T10n; the bounds on completion are T10's");
    bounds.R = quick->R;
    for (DagId d = 0; d < bounds.R.size(); ++d) {
      bounds.F.emplace_back(task_set_.dags()[d].nodes().size(), bounds.R[d]);
      bounds.offset.emplace_back(1);
    }
    bounds.bounds = {bounds.F, bounds.R};
    return Proven{std::move(bounds), "T10", Y, {}, {}};
  }

  static std::optional<Proven> take(Result<SegmentBounds> bounds, const char* theorem, const std::vector<Time>& Y, std::string& reason) {
    if (!bounds) {
      reason = bounds.reason();
      return std::nullopt;
    }
    return Proven{std::move(*bounds), theorem, Y, {}, {}};
  }

  void improve_priorities(Proven& best, const PlatformWeights& weights) {
    if (best.theorem == "T10") return;
    const Segmentation segments = best.bounds.segments;
    const auto refinement = best.theorem == "T10n"   ? path::Refinement::T10n
                            : best.theorem == "T10j" ? path::Refinement::T10j
                                                     : path::Refinement::T10g;
    const auto bounds_at = [&](std::span<const Time> Y) {
      return segment_bounds(task_set_, segments, weights, Y, refinement, limits("priority points of DAGs"));
    };
    auto found = search_priority_points(task_set_, best.Y, bounds_at, options_.stop);
    if (!found) return;
    best.Y = std::move(found->Y);
    best.bounds = std::move(found->bounds);
  }

  std::pair<Wide, Wide> cost(const SegmentBounds& bounds) const {
    Wide sum = 0;
    Wide lateness = 0;
    for (DagId d = 0; d < bounds.R.size(); ++d) {
      const Dag& dag = task_set_.dags()[d];
      const Wide late = Wide{bounds.R[d].count()} - dag.deadline().value_or(dag.period()).count();
      sum += bounds.R[d].count();
      lateness = d == 0 ? late : std::max(lateness, late);
    }
    return options_.objective == Objective::sum ? std::pair{sum, lateness} : std::pair{lateness, sum};
  }

  void set_pools(Analysis& analysis, const std::optional<Proven>& proven, const std::string& reason) const {
    for (PoolId p = 0; p < task_set_.pools().size(); ++p) {
      PoolBound pool = at_offsets_.pools[p];
      pool.largest_lateness.reset();
      const bool used = pool.utilization > 0;
      pool.bounded = proven.has_value() || !used;
      pool.theorem = proven && used ? proven->theorem : std::string();
      if (used) {
        pool.explanation = proven ? fmt::format("the work on it is counted once per path ({})", proven->theorem) : reason;
      }
      analysis.pools.push_back(std::move(pool));
    }
  }

  void set_dags(Analysis& analysis, const std::optional<Proven>& proven) const {
    std::optional<CriticalPaths> paths;
    if (proven) paths.emplace(task_set_, proven->bounds, proven->theorem == "T10");
    for (DagId d = 0; d < task_set_.dags().size(); ++d) {
      DagBound& dag = analysis.dags.emplace_back();
      dag.nodes.resize(task_set_.dags()[d].nodes().size());
      if (!proven) continue;
      dag.R = proven->bounds.R[d];
      dag.theorem = proven->theorem;
      dag.critical_path = paths->of(d);
      for (NodeId v = 0; v < dag.nodes.size(); ++v) {
        NodeBound& node = dag.nodes[v];
        const std::size_t segment = proven->bounds.segments[d][v];
        const Time offset = proven->bounds.offset[d][segment];
        node.theorem = proven->theorem;
        node.R = proven->bounds.F[d][v] - offset;
        const PoolId pool = task_set_.dags()[d].nodes()[v].pool;
        const auto* cpu = std::get_if<CpuPool>(&task_set_.pools()[pool].resource);
        const bool own = std::ranges::find(proven->by_node, pool) != proven->by_node.end();
        if (cpu != nullptr && cpu->scheduler != Scheduler::fifo) node.priority_point = own ? proven->Y_node[d][v] : proven->Y[d];
        if (analysis.release != ReleasePolicy::segments) continue;
        node.offset = offset;
        node.segment = segment;
      }
    }
  }

  void explain(Analysis& analysis, const std::optional<Proven>& proven, const std::string& reason) const {
    if (options_.explain.empty()) return;
    std::optional<PathExplanations> explanations;
    if (proven) explanations.emplace(task_set_, proven->bounds, proven->theorem);
    for (const std::string& wanted : options_.explain) {
      if (explanations) {
        analysis.explanations.push_back(explanations->of(wanted));
      } else {
        analysis.explanations.push_back({wanted, {"no bound: " + reason}});
      }
    }
  }

  const Analysis& at_offsets_;
  const Options& options_;
  const TaskSet& task_set_;
  Result<std::vector<PlatformWeights>> weights_;
  std::vector<Time> Y_;
  std::vector<PoolId> by_node_;  // pools whose nodes may have points of their own
  std::vector<std::string> warnings_;
};

PolicyOutcome outcome_of(const Analysis& analysis) {
  PolicyOutcome outcome{analysis.release, analysis.verdict, Time(), {}};
  for (const DagBound& dag : analysis.dags) {
    outcome.largest_R = dag.R && outcome.largest_R ? std::optional(std::max(*outcome.largest_R, *dag.R)) : std::nullopt;
  }
  if (outcome.largest_R) return outcome;
  for (const PoolBound& pool : analysis.pools) {
    if (!pool.bounded && outcome.reason.empty()) outcome.reason = pool.explanation;
  }
  return outcome;
}

/// Smaller is better: the verdict first, then what `objective` minimises.
bool better(const Analysis& a, const Analysis& b, Objective objective) {
  if (a.verdict != b.verdict) return a.verdict < b.verdict;
  const auto key = [&](const Analysis& analysis) {
    Wide sum = 0;
    Wide lateness = std::numeric_limits<std::int64_t>::min();
    for (DagId d = 0; d < analysis.dags.size(); ++d) {
      const Dag& dag = analysis.task_set->dags()[d];
      if (!analysis.dags[d].R) continue;
      sum += analysis.dags[d].R->count();
      lateness = std::max(lateness, Wide{analysis.dags[d].R->count()} - dag.deadline().value_or(dag.period()).count());
    }
    return objective == Objective::sum ? std::pair{sum, lateness} : std::pair{lateness, sum};
  };
  return key(a) < key(b);
}

}  // namespace

std::string_view to_string(Priorities priorities) {
  switch (priorities) {
    case Priorities::dag: return "dag";
    case Priorities::node: return "node";
    case Priorities::best: return "best";
  }
  return "";
}

std::string_view to_string(ReleasePolicy policy) {
  switch (policy) {
    case ReleasePolicy::offsets: return "offsets";
    case ReleasePolicy::completion: return "completion";
    case ReleasePolicy::segments: return "segments";
    case ReleasePolicy::best: return "best";
  }
  return "";
}

Verdict verdict_of(const TaskSet& task_set, const std::vector<DagBound>& dags) {
  Verdict verdict = Verdict::schedulable;
  for (DagId d = 0; d < dags.size(); ++d) {
    if (!dags[d].R) return Verdict::unbounded;
    if (!dags[d].meets(task_set.dags()[d].deadline())) verdict = Verdict::deadline_missed;
  }
  return verdict;
}

Analysis with_release_policy(Analysis at_offsets, const Options& options) {
  const bool single_nodes = std::ranges::all_of(at_offsets.task_set->dags(), [](const Dag& dag) { return dag.nodes().size() == 1; });
  std::vector<PolicyOutcome> outcomes{outcome_of(at_offsets)};
  // A DAG of one node is released at its DAG's release under every policy, and T1n and T6n are then T10n; T10g, and non-preemptive pools,
  // are left for release on completion.
  const bool enough = single_nodes && at_offsets.verdict == Verdict::schedulable;
  if (options.release == ReleasePolicy::offsets || (options.release == ReleasePolicy::best && enough)) {
    at_offsets.policies = std::move(outcomes);
    return at_offsets;
  }
  PolicyAnalysis others(at_offsets, options);
  if (options.release != ReleasePolicy::best) {
    Analysis analysis = others.analyze(options.release);
    analysis.policies = {outcome_of(analysis)};
    return analysis;
  }
  std::vector<Analysis> candidates;
  for (const ReleasePolicy policy : {ReleasePolicy::completion, ReleasePolicy::segments}) {
    const bool cuts_given = segments_of_cuts(*at_offsets.task_set).has_value();
    if (policy == ReleasePolicy::segments && !cuts_given && affordable_evaluations(*at_offsets.task_set) == 0) {
      outcomes.push_back({policy, Verdict::unbounded, std::nullopt, "too many different nodes to choose cuts in some seconds", false});
      continue;
    }
    candidates.push_back(others.analyze(policy));
    outcomes.push_back(outcome_of(candidates.back()));
  }
  Analysis best = at_offsets;
  for (Analysis& candidate : candidates) {
    if (better(candidate, best, options.objective)) best = std::move(candidate);
  }
  best.policies = std::move(outcomes);
  return best;
}

}  // namespace rta::analysis
