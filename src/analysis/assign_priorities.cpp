#include "analysis/assign_priorities.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "analysis/explain/dag_kinds.hpp"
#include "analysis/path/path_in_time.hpp"
#include "analysis/path/system/ticks.hpp"
#include "analysis/policies/path_proof.hpp"
#include "analysis/search/audsley.hpp"
#include "analysis/search/cost.hpp"
#include "analysis/search/segment_search.hpp"
#include "rta/analysis/company.hpp"
#include "rta/model/error.hpp"

namespace rta::analysis {
namespace {

bool under_fp(const TaskSet& task_set, const Node& node) {
  const auto* cpu = std::get_if<CpuPool>(&task_set.pools()[node.pool].resource);
  return cpu != nullptr && cpu->scheduler == Scheduler::fp;
}

Dag with_priority(const TaskSet& task_set, const Dag& dag, FixedPriority priority) {
  std::vector<Node> nodes(dag.nodes().begin(), dag.nodes().end());
  for (Node& node : nodes) {
    if (under_fp(task_set, node)) std::get<CpuDemand>(node.demand).priority.reset();
  }
  DagAttributes attributes = dag.attributes();
  attributes.priority = priority;
  return {dag.name(), dag.period(), dag.deadline(), std::move(nodes), {dag.edges().begin(), dag.edges().end()}, attributes};
}

Time deadline_of(const Dag& dag) { return dag.deadline().value_or(dag.nominal_period()); }

class Assigner {
 public:
  using Order = std::vector<std::size_t>;  // indices into kinds_, most urgent first
  using Prove = std::function<Proof(const std::shared_ptr<const TaskSet>&)>;

  Assigner(std::shared_ptr<const TaskSet> task_set, const Options& options, const Prove& prove)
      : task_set_(std::move(task_set)), options_(options), prove_(prove), affordable_(affordable_evaluations(*task_set_)) {
    for (const DagKinds::Kind& kind : dag_kinds(*task_set_).kinds) {
      const auto nodes = task_set_->dags()[kind.first].nodes();
      if (std::ranges::any_of(nodes, [&](const Node& node) { return under_fp(*task_set_, node); })) kinds_.push_back(kind);
    }
  }

  AssignedSet best() {
    found_.task_set = task_set_;
    attempt(std::nullopt, AssignedBy::given);
    const Order by_deadline = deadline_monotonic();
    attempt(by_deadline, AssignedBy::deadline_monotonic);
    auto system = path_system_of();
    if (!system) return std::move(found_);  // some DAG has no bound in any order
    constexpr std::size_t tests = 40;       // of one DAG each, in the time of a proof of all
    if (!done() && kinds_.size() * kinds_.size() <= tests * affordable_) {
      for (const path::Refinement by : refinements()) {
        const auto order = audsley(by_deadline, *system, by);
        if (!order) continue;
        attempt(order, AssignedBy::audsley);
        break;
      }
    }
    // Where the given priorities are best, what is moved are deadline monotonic ones.
    while (!done() && move_one(order_ ? Order(*order_) : by_deadline)) {
    }
    found_.assignment.complete = !done();
    return std::move(found_);
  }

 private:
  [[nodiscard]] Dag const& dag(std::size_t kind) const { return task_set_->dags()[kinds_[kind].first]; }
  [[nodiscard]] FixedPriority level(std::size_t place) const { return static_cast<FixedPriority>(kinds_.size() - place); }

  /// The first three are always tried.
  [[nodiscard]] bool done() const {
    return found_.assignment.tried >= std::max<std::size_t>(3, affordable_) || (options_.stop && options_.stop());
  }

  [[nodiscard]] Order deadline_monotonic() const {
    Order order(kinds_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return deadline_of(dag(i)); });
    return order;
  }

  [[nodiscard]] std::shared_ptr<const TaskSet> with(const Order& order) const {
    std::vector<Dag> dags(task_set_->dags().begin(), task_set_->dags().end());
    for (std::size_t place = 0; place < order.size(); ++place) {
      const DagKinds::Kind kind = kinds_[order[place]];
      for (DagId d = kind.first; d <= kind.last; ++d) dags[d] = with_priority(*task_set_, dags[d], level(place));
    }
    const auto pools = task_set_->pools();
    return std::make_shared<const TaskSet>(task_set_->name(), std::vector<Pool>(pools.begin(), pools.end()), std::move(dags),
                                           task_set_->chains(), task_set_->requirements());
  }

  [[nodiscard]] PriorityAssignment assignment(const Order& order, AssignedBy by) const {
    PriorityAssignment made;
    made.by = by;
    made.tried = found_.assignment.tried;
    for (std::size_t place = 0; place < order.size(); ++place) {
      const DagKinds::Kind kind = kinds_[order[place]];
      const bool own = std::ranges::any_of(dag(order[place]).nodes(), [&](const Node& node) {
        return under_fp(*task_set_, node) && std::get<CpuDemand>(node.demand).priority.has_value();
      });
      made.dags.push_back({kind.first, kind.last, level(place), own});
    }
    return made;
  }

  /// Whether it is the best so far. Without an order: as given.
  bool attempt(const std::optional<Order>& order, AssignedBy by) {
    if (order && !seen_.insert(*order).second) return false;
    ++found_.assignment.tried;
    auto task_set = order ? with(*order) : task_set_;
    std::optional<Proof> proof;
    try {
      proof = prove_(task_set);
    } catch (const Overflow&) {
      return false;  // no bound within the range
    }
    if (proof_ && !better(*proof, *proof_, Objective::max_lateness)) return false;
    proof_ = std::move(proof);
    order_ = order;
    found_.task_set = std::move(task_set);
    if (order) found_.assignment = assignment(*order, by);
    return true;
  }

  /// None where a pool is overloaded.
  [[nodiscard]] std::optional<PathSystem> path_system_of() const {
    const auto durations = measured_alone(*task_set_) ? with_company(*task_set_, all_last(*task_set_)) : task_set_;
    const PathInput input(durations, options_);
    if (!input.weights) return std::nullopt;
    PathSystem system = path_system(*durations, whole_dags(*task_set_), input.weights->front(), input.Y);
    if (path::overloaded_pool(system.system)) return std::nullopt;
    return system;
  }

  /// What Audsley's search asks by, in turn until it finds an order: what the proof of an order then tries.
  [[nodiscard]] std::vector<path::Refinement> refinements() const {
    if (const auto asked = refinement_asked_for(options_)) return {*asked};
    std::vector<path::Refinement> all{options_.fitting == Fitting::all ? path::Refinement::T10w : path::Refinement::T10g};
    if (options_.release != Release::segments && suits_whole_dags(*task_set_) && enough_time_for_pairs(*task_set_))
      all.push_back(path::Refinement::T10d);
    return all;
  }

  [[nodiscard]] std::optional<Order> audsley(Order by_deadline, PathSystem& system, path::Refinement refinement) const {
    std::vector<Time> D;
    D.reserve(system.dag_of.size());
    for (const DagId d : system.dag_of) D.push_back(deadline_of(task_set_->dags()[d]));
    const path::Limits limits = analysis::limits(options_, "Audsley's assignment");
    std::ranges::reverse(by_deadline);  // the longest deadline fits the lowest level most often
    return audsley_order(std::move(by_deadline), [&](std::size_t which, std::span<const std::size_t> more_urgent) {
      if (options_.stop && options_.stop()) return false;
      for (std::size_t i = 0; i < kinds_.size(); ++i) {
        const bool above = std::ranges::find(more_urgent, i) != more_urgent.end();
        set_priority(system, i, i == which ? 2 : above ? 3 : 1);
      }
      return path::ends_in_time(system.system, system.place[kinds_[which].first].front().dag, D, refinement, limits);
    });
  }

  void set_priority(PathSystem& system, std::size_t kind, std::uint32_t priority) const {
    for (DagId d = kinds_[kind].first; d <= kinds_[kind].last; ++d) {
      const auto nodes = task_set_->dags()[d].nodes();
      for (NodeId v = 0; v < nodes.size(); ++v) {
        const auto& place = system.place[d][v];
        if (under_fp(*task_set_, nodes[v])) system.system.dags[place.dag].nodes[place.node].priority = priority;
      }
    }
  }

  /// Whether `order` with one kind of DAG at another level is better than the best.
  bool move_one(const Order& order) {
    for (std::size_t from = 0; from < order.size(); ++from) {
      for (std::size_t to = 0; to < order.size(); ++to) {
        if (to == from || to + 1 == from) continue;  // two neighbours change places once
        if (done()) return false;
        Order moved = order;
        moved.erase(moved.begin() + static_cast<std::ptrdiff_t>(from));
        moved.insert(moved.begin() + static_cast<std::ptrdiff_t>(to), order[from]);
        if (attempt(moved, AssignedBy::search)) return true;
      }
    }
    return false;
  }

  std::shared_ptr<const TaskSet> task_set_;
  const Options& options_;
  const Prove& prove_;
  std::size_t affordable_;             // proofs
  std::vector<DagKinds::Kind> kinds_;  // with nodes on pools under FP
  std::set<Order> seen_;
  AssignedSet found_;
  std::optional<Order> order_;  // of the best so far; none: as given
  std::optional<Proof> proof_;  // of the best so far
};

}  // namespace

std::string_view to_string(AssignedBy by) {
  switch (by) {
    case AssignedBy::given: return "given";
    case AssignedBy::deadline_monotonic: return "deadline monotonic";
    case AssignedBy::audsley: return "Audsley";
    case AssignedBy::search: return "search";
  }
  return "";
}

AssignedSet assign_priorities(const std::shared_ptr<const TaskSet>& task_set, const Options& options,
                              const std::function<Proof(const std::shared_ptr<const TaskSet>&)>& prove) {
  return Assigner(task_set, options, prove).best();
}

}  // namespace rta::analysis
