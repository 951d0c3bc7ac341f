// Release on completion.
#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "analysis/path/plain_bounds.hpp"
#include "analysis/policies/path_proof.hpp"
#include "analysis/policies/policies.hpp"
#include "analysis/search/cost.hpp"
#include "analysis/search/node_points.hpp"
#include "analysis/search/priority_search.hpp"
#include "analysis/search/segment_search.hpp"
#include "rta/model/deadline.hpp"
#include "rta/model/error.hpp"

namespace rta::analysis {
namespace {

constexpr std::size_t small_task_set = 10'000;  // nodes
constexpr std::size_t most_sweeps_of_whole_dags = 2'000;

class Completion {
 public:
  Completion(std::shared_ptr<const TaskSet> task_set, const Options& options, const Proof* offset_proof)
      : input_(std::move(task_set), options),
        options_(options),
        task_set_(*input_.task_set),
        at_offsets_(offset_proof),
        whole_(whole_dags(task_set_)),
        by_node_(pools_by_node()),
        deadlines_are_enough_(options.enough == Enough::deadlines && options.priorities != Priorities::node) {
    if (options.priorities == Priorities::node && by_node_.empty() && options.release == Release::completion) {
      throw UserError("priorities by node need a preemptive CPU pool under G-EDF, G-FL or LP");
    }
  }

  Proof prove() {
    PathBounds bounds = proven();
    const bool points_of_dags = bounds && std::ranges::none_of(bounds->system.system.pools, [](const path::Pool& pool) {
                                  return pool.order == path::Order::gel_by_node;
                                });
    if (points_of_dags && has_lp(task_set_)) {
      warnings_.emplace_back("LP chooses points for release at offsets; on completion the nodes of a DAG share G-EDF's");
    }
    Proof proof = path_proof(input_, Release::completion, std::move(bounds));
    proof.warnings = std::move(warnings_);
    return proof;
  }

 private:
  [[nodiscard]] std::vector<PoolId> pools_by_node() const {
    std::vector<PoolId> pools;
    if (options_.priorities == Priorities::dag) return pools;
    for (PoolId p = 0; p < task_set_.pools().size(); ++p) {
      const auto* cpu = std::get_if<CpuPool>(&task_set_.pools()[p].resource);
      if (cpu == nullptr || !cpu->preemptive || !has_priority_points(*cpu)) continue;
      if (options_.priorities || cpu->scheduler == Scheduler::lp) pools.push_back(p);
    }
    return pools;
  }

  [[nodiscard]] Cost cost(const SegmentBounds& bounds) const { return cost_of(task_set_, bounds.R, options_.objective); }

  /// How much smaller bounds could change in the verdict.
  [[nodiscard]] std::size_t open(const SegmentBounds& bounds) const {
    return missed(bounds) + (sequential_node_that_waits(task_set_, bounds) ? 1 : 0);
  }
  [[nodiscard]] bool suffices(const PathBounds& bounds) const { return deadlines_are_enough_ && bounds && open(*bounds) == 0; }
  [[nodiscard]] bool is_better(const SegmentBounds& a, const SegmentBounds& b) const {
    const std::size_t open_in_a = open(a);
    const std::size_t open_in_b = open(b);
    return open_in_a != open_in_b ? open_in_a < open_in_b : cost(a) < cost(b);
  }

  PathBounds proven() { return input_.weights ? best() : PathBounds(input_.weights.reason()); }

  /// Over the weights, then over the priority points.
  PathBounds best() {
    const auto& all = *input_.weights;
    PathBounds best = by_dag(all.front());
    std::size_t best_weights = best ? 0 : all.size() - 1;
    for (std::size_t i = 1; i < all.size() && !suffices(best); ++i) {
      PathBounds bounds = by_dag(all[i]);
      if (best && (!bounds || !is_better(*bounds, *best))) continue;
      if (bounds) best_weights = i;
      best = std::move(bounds);
    }
    if (suffices(best)) return best;
    if (best && options_.optimize_priorities) improve_priorities(*best, all[best_weights]);
    if (!by_node_.empty()) {
      PathBounds bounds = by_node(all[best_weights]);
      const bool asked = options_.priorities == Priorities::node;
      if (asked || (bounds && (!best || is_better(*bounds, *best)))) best = std::move(bounds);
    }
    return best;
  }

  PathBounds bounds_with(const PlatformWeights& weights, path::Refinement refinement, const char* what) {
    return bounds_within(weights, refinement, limits(options_, what));
  }
  PathBounds bounds_within(const PlatformWeights& weights, path::Refinement refinement, const path::Limits& limits) {
    return path_bounds(segment_bounds(task_set_, whole_, weights, input_.Y, refinement, limits));
  }

  PathBounds plain_bounds(const PlatformWeights& weights, bool& late_is_same) {
    const bool goes_on = !deadlines_are_enough_ && !options_.stop;  // else T10v alone may be enough, or all that there is time for
    PlainSegmentBounds plain = plain_segment_bounds(task_set_, whole_, weights, input_.Y, goes_on, limits(options_, "completion, T10v"));
    late_is_same = plain.late_is_same;
    return path_bounds(std::move(plain.bounds));
  }

  /// One point per DAG. T10d is asked where what the others prove leaves a deadline open.
  PathBounds by_dag(const PlatformWeights& weights) {
    if (deadlines_are_enough_ && !some_release_jitter()) {
      path::Limits limits = analysis::limits(options_, "completion, T10n");
      limits.periods = periods_that_may_do();
      PathBounds quick = bounds_within(weights, path::Refinement::T10n, limits);
      if (suffices(quick)) return quick;
    }
    if (const auto asked = refinement_asked_for(options_)) return by(*asked, weights);
    PathBounds bounds = without_whole_dags(weights);
    if (!asks_whole_dags(task_set_) || (bounds && meets_all(*bounds))) return bounds;
    path::Limits limits = analysis::limits(options_, "completion, T10d");
    limits.periods = periods_up_to_deadlines();
    limits.sweeps = most_sweeps_of_whole_dags;
    limits.wanted = deadlines();
    PathBounds whole = bounds_within(weights, path::Refinement::T10d, limits);
    return whole && (!bounds || is_better(*whole, *bounds)) ? std::move(whole) : std::move(bounds);
  }

  /// The best way to count it then depends on how large the bounds are: of larger ones another may be taken.
  [[nodiscard]] bool some_release_jitter() const {
    return std::ranges::any_of(task_set_.dags(), [](const Dag& dag) { return dag.attributes().jitter > Time::zero(); });
  }

  [[nodiscard]] bool meets_all(const SegmentBounds& bounds) const { return missed(bounds) == 0; }

  /// Deadlines, those of single nodes too.
  [[nodiscard]] std::size_t missed(const SegmentBounds& bounds) const {
    std::size_t missed = 0;
    for (DagId d = 0; d < bounds.R.size(); ++d) {
      const Dag& dag = task_set_.dags()[d];
      if (dag.deadline() && bounds.R[d] > *dag.deadline()) ++missed;
      for (NodeId v = 0; v < dag.nodes().size(); ++v) {
        const auto D = own_deadline(dag, v);
        if (D && bounds.F[d][v] > *D) ++missed;
      }
    }
    return missed;
  }

  [[nodiscard]] std::vector<std::vector<Time>> deadlines() const {
    constexpr Time never(std::numeric_limits<std::int64_t>::max());
    std::vector<std::vector<Time>> deadlines;
    for (const Dag& dag : task_set_.dags()) {
      auto& of_dag = deadlines.emplace_back(dag.nodes().size(), dag.deadline().value_or(never));
      for (NodeId v = 0; v < of_dag.size(); ++v) of_dag[v] = std::min(of_dag[v], own_deadline(dag, v).value_or(never));
    }
    return deadlines;
  }

  [[nodiscard]] std::int64_t periods_up_to_deadlines() const {
    std::int64_t most = 1;
    for (const Dag& dag : task_set_.dags()) {
      const Time D = dag.deadline().value_or(dag.period());
      most = std::max(most, (D.count() - 1) / dag.period().count() + 1);
    }
    return std::min(most, options_.most_periods);
  }

  /// Of bounds past so many periods some deadline is missed.
  [[nodiscard]] std::int64_t periods_that_may_do() const {
    const bool all = std::ranges::all_of(task_set_.dags(), [](const Dag& dag) { return dag.deadline().has_value(); });
    return all ? periods_up_to_deadlines() : options_.most_periods;
  }

  /// T10v finds its bounds quickest where there are some; at high load only T10j and T10g have any.
  PathBounds without_whole_dags(const PlatformWeights& weights) {
    const bool pairs = !options_.fitting && enough_time_for_pairs(task_set_);
    bool late_is_same = false;
    PathBounds plain = pairs ? plain_bounds(weights, late_is_same) : bounds_with(weights, path::Refinement::T10v, "completion, T10v");
    if (late_is_same || suffices(plain)) return plain;
    std::optional<path::Refinement> late;
    if (options_.fitting) {
      late = path::Refinement::T10w;
    } else if (pairs) {
      late = path::Refinement::T10g;
    } else if (!plain || task_set_.node_count() <= small_task_set) {
      late = path::Refinement::T10j;
    }
    if (late) {
      PathBounds bounds = bounds_with(weights, *late, options_.fitting ? "completion, T10w" : "completion, T10j and T10g");
      if (bounds && (!plain || !is_better(*plain, *bounds))) return bounds;
      if (!plain && !bounds) plain = std::move(bounds);  // with the last reason
    }
    return plain || !is_out_of_time() ? std::move(plain) : out_of_time(weights);
  }

  /// What was asked for alone.
  PathBounds by(path::Refinement asked, const PlatformWeights& weights) {
    PathBounds bounds = bounds_with(weights, asked, "completion");
    return bounds || !is_out_of_time() ? std::move(bounds) : out_of_time(weights);
  }

  [[nodiscard]] bool is_out_of_time() const { return options_.stop && options_.stop(); }

  /// T10 is far quicker, but has nothing to say of priorities and time slices.
  PathBounds out_of_time(const PlatformWeights& weights) {
    SegmentBounds bounds;
    bounds.segments = whole_;
    bounds.system = path_system(task_set_, whole_, weights, input_.Y);
    const auto unknown = [](const path::Pool& pool) { return by_fixed_priority(pool.order) || pool.slices; };
    if (std::ranges::any_of(bounds.system.system.pools, unknown)) return NoBound{reason::Stopped{}, std::nullopt};
    path::Limits periods;
    periods.periods = options_.most_periods;
    const auto quick = path::bounds(bounds.system.system, periods);
    if (!quick) return NoBound{quick.reason(), std::nullopt};
    warnings_.emplace_back("the time limit ended the search; the bounds on completion are T10's");
    bounds.R = quick->R;
    for (DagId d = 0; d < bounds.R.size(); ++d) {
      bounds.F.emplace_back(task_set_.dags()[d].nodes().size(), bounds.R[d]);
      bounds.offset.emplace_back(1);
    }
    bounds.bounds = {bounds.F, bounds.R, {}};
    return bounds;
  }

  /// Points per node: searched for, from those at offsets.
  PathBounds by_node(const PlatformWeights& weights) {
    const std::size_t affordable = affordable_evaluations(task_set_);
    if (affordable == 0) return NoBound{reason::TooManyNodes{reason::TooManyNodes::For::points}, std::nullopt};
    NoBound why{reason::NodeWithout{}, std::nullopt};
    const auto bounds_at = [&](const PerNode<Time>& Y, path::Refinement refinement) {
      PathSystem system = path_system(task_set_, whole_, weights, input_.Y);
      order_by_node(system, by_node_, Y);
      auto bounds = segment_bounds(task_set_, whole_, std::move(system), refinement, limits(options_, "completion, points per node"));
      if (!bounds) why.reason = bounds.reason();
      return bounds;
    };
    NodePointSearch search;
    search.pools = by_node_;
    search.of_dag = input_.Y;
    const path::Refinement all =
        refinement_asked_for(options_).value_or(options_.fitting ? path::Refinement::T10w : path::Refinement::T10g);
    search.bounds_at = [&](const PerNode<Time>& Y) { return bounds_at(Y, all); };
    search.objective = options_.objective;
    search.stop = options_.stop;
    const bool asked = options_.priorities.has_value();
    search.evaluations =
        options_.optimize_priorities ? 4 * affordable : std::max<std::size_t>(3, asked ? affordable * 2 / 3 : affordable / 4);
    search.single_nodes = options_.optimize_priorities;
    auto found = choose_node_points(task_set_, points_at_offsets(), search);
    if (!found) return why;
    if (all <= path::Refinement::T10v) return std::move(found->bounds);
    auto plain = bounds_at(found->Y, path::Refinement::T10v);
    if (plain && cost(*plain) <= cost(found->bounds)) return std::move(*plain);
    return std::move(found->bounds);
  }

  /// Priority points from the DAG's release, where the analysis at offsets has some.
  [[nodiscard]] PerNode<std::optional<Time>> points_at_offsets() const {
    std::optional<Proof> own;
    if (at_offsets_ == nullptr) own = prove_at_offsets(input_.task_set, options_);
    const Proof& proof = own ? *own : *at_offsets_;
    PerNode<std::optional<Time>> points;
    for (const DagProof& dag : proof.dags) {
      auto& row = points.emplace_back();
      for (const NodeProof& node : dag.nodes) {
        const bool known = dag.bound && node.reference && node.priority_point;
        row.push_back(known ? std::optional(*node.reference + *node.priority_point) : std::nullopt);
      }
    }
    return points;
  }

  void improve_priorities(SegmentBounds& best, const PlatformWeights& weights) {
    if (best.bounds.support.empty()) return;  // T10's
    const auto bounds_at = [&](std::span<const Time> Y) {
      return segment_bounds(task_set_, whole_, weights, Y, best.refinement, limits(options_, "priority points of DAGs"));
    };
    auto found = search_priority_points(task_set_, input_.Y, bounds_at, options_.stop);
    if (found && open(found->bounds) <= open(best)) best = std::move(found->bounds);
  }

  PathInput input_;
  const Options& options_;
  const TaskSet& task_set_;
  const Proof* at_offsets_;
  Segmentation whole_;
  std::vector<PoolId> by_node_;  // pools whose nodes may have points of their own
  bool deadlines_are_enough_;    // the first bounds that meet them end the analysis
  std::vector<std::string> warnings_;
};

}  // namespace

Proof prove_on_completion(std::shared_ptr<const TaskSet> task_set, const Options& options, const Proof* offset_proof) {
  return Completion(std::move(task_set), options, offset_proof).prove();
}

}  // namespace rta::analysis
