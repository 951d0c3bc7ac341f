// Release on completion.
#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "analysis/path/aligned/aligned.hpp"
#include "analysis/path/left_out_at.hpp"
#include "analysis/path/plain_bounds.hpp"
#include "analysis/path/upstream_use.hpp"
#include "analysis/policies/path_proof.hpp"
#include "analysis/policies/policies.hpp"
#include "analysis/search/cost.hpp"
#include "analysis/search/node_points.hpp"
#include "analysis/search/priority_search.hpp"
#include "analysis/search/segment_search.hpp"
#include "rta/model/deadline.hpp"
#include "rta/model/error.hpp"
#include "rta/model/time_slices.hpp"

namespace rta::analysis {
namespace {

constexpr std::size_t small_task_set = 10'000;  // nodes
constexpr std::size_t most_sweeps_of_whole_dags = 2'000;
// T10w of all nodes takes a tenth of a second then.
constexpr std::size_t most_nodes_that_fit = 100;
constexpr std::size_t most_rounds_by_nodes = 10'000;

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
    // T10w's rules, which are asked later, have no T10d.
    if (bounds && whole_was_asked_ && asked_ == path::Refinement::T10w && !bounds->bounds.support.empty()) {
      add_left_out(left_out_, path::left_out_at(bounds->system.system, path::Refinement::T10d, bounds->bounds.F));
    }
    const bool points_of_dags = bounds && std::ranges::none_of(bounds->system.system.pools, [](const path::Pool& pool) {
                                  return pool.order == path::Order::gel_by_node;
                                });
    if (points_of_dags && has_lp(task_set_)) {
      warnings_.emplace_back("LP chooses points for release at offsets; on completion the nodes of a DAG share G-EDF's");
    }
    Proof proof = path_proof(input_, Release::completion, std::move(bounds), asked_);
    add_left_out(proof.left_out, std::move(left_out_));
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

  /// Where releases are late, of T - J and of nominal periods, each once.
  [[nodiscard]] std::vector<Theorem> named(std::span<const Theorem> theorems) const {
    std::vector<Theorem> all(theorems.begin(), theorems.end());
    const bool sliced = std::ranges::any_of(task_set_.pools(), [](const Pool& pool) { return slices_of(pool) != nullptr; });
    if (!some_release_jitter() || sliced) return all;
    const bool blocks = std::ranges::any_of(task_set_.pools(), [](const Pool& pool) {
      const auto* cpu = std::get_if<CpuPool>(&pool.resource);
      return cpu != nullptr && !cpu->preemptive && cpu->scheduler != Scheduler::fifo;
    });
    for (const Theorem theorem : theorems) {
      const Theorem name = late_name(theorem);
      const bool applies = !blocks || name == Theorem::T12 || name == Theorem::T12j;
      if (applies && std::ranges::find(all, name) == all.end()) all.push_back(name);
    }
    return all;
  }

  [[nodiscard]] static Theorem late_name(Theorem theorem) {
    switch (theorem) {
      case Theorem::T10c:
      case Theorem::T10g:
      case Theorem::T10j:
      case Theorem::T11j: return Theorem::T12j;
      case Theorem::T10d: return Theorem::T12d;
      case Theorem::T10p:
      case Theorem::T10w: return Theorem::T12w;
      case Theorem::T10m: return Theorem::T12m;
      default: return Theorem::T12;
    }
  }

  void leave_out(std::span<const Theorem> theorems, LeftOut::Limit limit, std::size_t most, std::size_t found) {
    if (theorems.empty()) return;
    add_left_out(left_out_, LeftOut{.theorems = named(theorems), .limit = limit, .most = most, .found = found, .where = {}});
  }

  /// Where a search for smaller bounds ended without any because of a limit.
  void tell_end(const PathBounds& bounds, std::span<const Theorem> theorems) {
    if (bounds || theorems.empty()) return;
    if (auto ended = left_out_by(bounds.reason().reason, named(theorems))) add_left_out(left_out_, *std::move(ended));
  }

  void tell_end_of_search() {
    if (!options_.stop || !options_.stop()) return;
    add_left_out(left_out_, LeftOut{.what = LeftOut::What::search, .theorems = {}, .limit = LeftOut::Limit::time, .where = {}});
  }

  /// Of `refinement`, T10j or T10g, those that some pool is for.
  [[nodiscard]] std::vector<Theorem> late_theorems(path::Refinement refinement) const {
    std::vector<Theorem> theorems;
    const auto add = [&](Theorem theorem) {
      if (std::ranges::find(theorems, theorem) == theorems.end()) theorems.push_back(theorem);
    };
    for (const Pool& pool : task_set_.pools()) {
      const auto* cpu = std::get_if<CpuPool>(&pool.resource);
      if (cpu == nullptr || cpu->scheduler == Scheduler::fifo) {
        if (refinement == path::Refinement::T10j) add(slices_of(pool) != nullptr ? Theorem::T14j : Theorem::T10j);
        if (refinement == path::Refinement::T10g && slices_of(pool) == nullptr) {
          add(Theorem::T10f);
          add(Theorem::T23);
        }
      } else if (cpu->preemptive && refinement == path::Refinement::T10g) {
        if (cpu->scheduler == Scheduler::fp) add(Theorem::T11j);
        if (cpu->scheduler != Scheduler::fp) add(Theorem::T10c);
        if (cpu->scheduler != Scheduler::fp) add(Theorem::T10g);
        add(Theorem::T24);
      }
    }
    return theorems;
  }

  /// How much smaller bounds could change in the verdict.
  [[nodiscard]] std::size_t open(const SegmentBounds& bounds) const {
    return missed(bounds) + (sequential_node_that_waits(task_set_, bounds) ? 1 : 0);
  }
  /// No end of `a` is later, and some are sooner.
  [[nodiscard]] static bool is_lower(const SegmentBounds& a, const SegmentBounds& b) {
    bool some = false;
    for (DagId d = 0; d < a.F.size(); ++d) {
      for (NodeId v = 0; v < a.F[d].size(); ++v) {
        if (a.F[d][v] > b.F[d][v]) return false;
        some = some || a.F[d][v] < b.F[d][v];
      }
    }
    return some;
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
    const std::optional<PlatformWeights> turns = best ? std::nullopt : with_turns(all.back(), input_.in_turn);
    if (turns) {
      PathBounds bounds = by_dag(*turns);
      if (bounds) best = std::move(bounds);
      if (suffices(best)) return best;
    }
    const PlatformWeights& chosen = turns && best ? *turns : all[best_weights];
    if (best && options_.optimize_priorities) improve_priorities(*best, chosen);
    if (!by_node_.empty()) {
      PathBounds bounds = by_node(chosen);
      const bool asked = options_.priorities == Priorities::node;
      if (asked || (bounds && (!best || is_better(*bounds, *best)))) best = std::move(bounds);
    }
    return best ? least_by_turns(std::move(*best)) : std::move(best);
  }

  /// T28.
  SegmentBounds least_by_turns(SegmentBounds best) {
    path::Refinement refinement = best.refinement;
    path::Limits limits = analysis::limits(options_, "completion, kernels in turn");
    if (!refinement_asked_for(options_) && may_fit(best) && task_set_.node_count() <= most_nodes_that_fit) {
      refinement = path::Refinement::T10w;
      limits.sweeps = most_rounds_by_nodes / task_set_.node_count();
    }
    return least_with_turns(input_, std::move(best), refinement, limits);
  }

  PathBounds bounds_with(const PlatformWeights& weights, path::Refinement refinement, const char* what) {
    return bounds_within(weights, refinement, limits(options_, what));
  }
  PathBounds bounds_within(const PlatformWeights& weights, path::Refinement refinement, const path::Limits& limits) {
    asked_ = std::max(asked_, refinement);
    return path_bounds(segment_bounds(task_set_, whole_, weights, input_.Y, refinement, limits));
  }

  PathBounds plain_bounds(const PlatformWeights& weights, bool& late_is_same) {
    const bool goes_on = !deadlines_are_enough_ && !options_.stop;  // else T10v alone may be enough, or all that there is time for
    asked_ = std::max(asked_, goes_on ? path::Refinement::T10g : path::Refinement::T10v);
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
    PathBounds bounds = with_upstream(with_whole_dags(weights), weights);
    if (!may_fit(bounds)) return bounds;
    constexpr std::array theorems{Theorem::T10p, Theorem::T10w, Theorem::T10m};
    const std::size_t nodes = task_set_.node_count();
    if (nodes > most_nodes_that_fit) {
      leave_out(theorems, LeftOut::Limit::nodes, most_nodes_that_fit, nodes);
      return bounds;
    }
    path::Limits limits = analysis::limits(options_, "completion, T10w");
    limits.sweeps = most_rounds_by_nodes / nodes;
    PathBounds fitting = bounds_within(weights, path::Refinement::T10w, limits);
    tell_end(fitting, theorems);
    return fitting && (!bounds || is_better(*fitting, *bounds) || is_lower(*fitting, *bounds)) ? std::move(fitting) : std::move(bounds);
  }

  [[nodiscard]] bool fits_all() const { return options_.fitting == Fitting::all; }

  /// Whether T10w may be asked of all nodes beside `bounds`, which it may lower: where one of them waits.
  [[nodiscard]] bool may_fit(const PathBounds& bounds) const {
    if (options_.fitting != Fitting::small || deadlines_are_enough_) return false;
    return !bounds || std::ranges::any_of(task_set_.pools(), [](const Pool& pool) {
      const auto* cpu = std::get_if<CpuPool>(&pool.resource);
      return cpu != nullptr && (cpu->preemptive || !has_priority_points(*cpu));
    });
  }

  PathBounds with_whole_dags(const PlatformWeights& weights) {
    PathBounds bounds = without_whole_dags(weights);
    if (!suits_whole_dags(task_set_) || (bounds && meets_all(*bounds))) return bounds;
    constexpr std::array theorems{Theorem::T10p, Theorem::T10d};
    if (!enough_time_for_pairs(task_set_)) {
      leave_out(theorems, LeftOut::Limit::different_nodes, most_nodes_for_pairs, different_nodes(task_set_));
      return bounds;
    }
    path::Limits limits = analysis::limits(options_, "completion, T10d");
    limits.periods = periods_up_to_deadlines();
    limits.sweeps = most_sweeps_of_whole_dags;
    limits.wanted = deadlines();
    whole_was_asked_ = true;
    PathBounds whole = bounds_within(weights, path::Refinement::T10d, limits);
    tell_end(whole, theorems);
    return whole && (!bounds || is_better(*whole, *bounds)) ? std::move(whole) : std::move(bounds);
  }

  /// T39, where a deadline is open or some processors are loaded by more than half.
  PathBounds with_upstream(PathBounds bounds, const PlatformWeights& weights) {
    if (suffices(bounds) || some_release_jitter() || !enough_time_for_pairs(task_set_)) return bounds;
    const path::UpstreamUse use = path::use_of_upstream(path_system(task_set_, whole_, weights, input_.Y).system);
    const bool in_time = bounds && meets_all(*bounds);
    if (!use.applies || (in_time && !use.loaded)) return bounds;
    if (use.pairs > path::most_aligned_pairs) {
      leave_out(std::array{Theorem::T39}, LeftOut::Limit::pairs, path::most_aligned_pairs, use.pairs);
      return bounds;
    }
    if (in_time && !bounds->bounds.support.empty() && !path::upstream_says_less(bounds->system.system, bounds->bounds.F)) return bounds;
    PathBounds upstream = bounds_within(weights, path::Refinement::T39, limits(options_, "completion, T39"));
    tell_end(upstream, std::array{Theorem::T39});
    return upstream && (!bounds || is_better(*upstream, *bounds) || is_lower(*upstream, *bounds)) ? std::move(upstream) : std::move(bounds);
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

  [[nodiscard]] static std::vector<Theorem> concatenated(std::vector<Theorem> first, const std::vector<Theorem>& then) {
    first.insert(first.end(), then.begin(), then.end());
    return first;
  }

  /// T10v finds its bounds quickest where there are some; at high load only T10j and T10g have any.
  PathBounds without_whole_dags(const PlatformWeights& weights) {
    const bool pairs = !fits_all() && enough_time_for_pairs(task_set_);
    bool late_is_same = false;
    PathBounds plain = pairs ? plain_bounds(weights, late_is_same) : bounds_with(weights, path::Refinement::T10v, "completion, T10v");
    if (late_is_same || suffices(plain)) return plain;
    std::optional<path::Refinement> late;
    if (fits_all()) {
      late = path::Refinement::T10w;
    } else if (pairs) {
      late = path::Refinement::T10g;
    } else if (!plain || task_set_.node_count() <= small_task_set) {
      late = path::Refinement::T10j;
    } else {
      leave_out(late_theorems(path::Refinement::T10j), LeftOut::Limit::nodes, small_task_set, task_set_.node_count());
    }
    if (!fits_all() && !pairs) {
      leave_out(late_theorems(path::Refinement::T10g), LeftOut::Limit::different_nodes, most_nodes_for_pairs, different_nodes(task_set_));
    }
    if (late) {
      PathBounds bounds = bounds_with(weights, *late, fits_all() ? "completion, T10w" : "completion, T10j and T10g");
      std::vector<Theorem> theorems = late_theorems(path::Refinement::T10j);
      if (*late != path::Refinement::T10j) theorems = concatenated(std::move(theorems), late_theorems(path::Refinement::T10g));
      if (fits_all()) theorems = concatenated(std::move(theorems), {Theorem::T10p, Theorem::T10w, Theorem::T10m});
      tell_end(bounds, theorems);
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
    const std::vector<Theorem> theorems =
        concatenated({Theorem::T10n, Theorem::T10a, Theorem::T10v},
                     concatenated(late_theorems(path::Refinement::T10j), late_theorems(path::Refinement::T10g)));
    leave_out(theorems, LeftOut::Limit::time, 0, 0);
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
    if (affordable == 0) {
      add_left_out(left_out_, LeftOut{.what = LeftOut::What::points_of_nodes,
                                      .theorems = {},
                                      .limit = LeftOut::Limit::different_nodes,
                                      .most = most_nodes_of_searches,
                                      .found = different_nodes(task_set_),
                                      .where = {}});
      return NoBound{reason::TooManyNodes{reason::TooManyNodes::For::points}, std::nullopt};
    }
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
    const path::Refinement all = refinement_asked_for(options_).value_or(fits_all() ? path::Refinement::T10w : path::Refinement::T10g);
    search.bounds_at = [&](const PerNode<Time>& Y) { return bounds_at(Y, all); };
    search.objective = options_.objective;
    search.stop = options_.stop;
    const bool asked = options_.priorities.has_value();
    search.evaluations =
        options_.optimize_priorities ? 4 * affordable : std::max<std::size_t>(3, asked ? affordable * 2 / 3 : affordable / 4);
    search.single_nodes = options_.optimize_priorities;
    asked_ = std::max(asked_, all);
    auto found = choose_node_points(task_set_, points_at_offsets(), search);
    tell_end_of_search();
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
    tell_end_of_search();
    if (found && open(found->bounds) <= open(best)) best = std::move(found->bounds);
  }

  PathInput input_;
  const Options& options_;
  const TaskSet& task_set_;
  const Proof* at_offsets_;
  Segmentation whole_;
  std::vector<PoolId> by_node_;                      // pools whose nodes may have points of their own
  bool deadlines_are_enough_;                        // the first bounds that meet them end the analysis
  path::Refinement asked_ = path::Refinement::T10n;  // the most so far
  bool whole_was_asked_ = false;                     // T10d
  std::vector<LeftOut> left_out_;
  std::vector<std::string> warnings_;
};

}  // namespace

Proof prove_on_completion(std::shared_ptr<const TaskSet> task_set, const Options& options, const Proof* offset_proof) {
  return Completion(std::move(task_set), options, offset_proof).prove();
}

}  // namespace rta::analysis
