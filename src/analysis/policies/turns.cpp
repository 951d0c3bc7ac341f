#include "analysis/policies/turns.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "analysis/path/finer_unit.hpp"
#include "rta/analysis/queue/workers.hpp"
#include "rta/model/time_slices.hpp"

namespace rta::analysis {
namespace {

constexpr int most_rounds = 6;

const GpuDemand& kernel_of(const PoolNode& node) { return std::get<GpuDemand>(node.node->demand); }

enum class Reading : std::uint8_t { as_given, other };

/// What carries the end of each node of the system.
struct Carried {
  Reading by = Reading::as_given;
  path::Support support = path::Support::given;
};

class TwoReadings {
 public:
  TwoReadings(const TaskSet& task_set, SegmentBounds bounds, PathSystem other)
      : task_set_(task_set), given_(std::move(bounds)), least_(given_), other_(std::move(other)) {
    take(given_, Reading::as_given);
  }

  /// Whether some end fell.
  bool solve(Reading by, path::Refinement refinement, const path::Limits& limits) {
    PathSystem system = by == Reading::other ? other_ : given_.system;
    for (std::size_t k = 0; k < system.system.dags.size(); ++k) {
      auto& nodes = system.system.dags[k].nodes;
      for (std::size_t v = 0; v < nodes.size(); ++v) nodes[v].proven = least_.bounds.F[k][v];
    }
    const auto found = segment_bounds_in_parts(task_set_, given_.segments, std::move(system), 1, refinement, limits);
    return found && take(*found, by);
  }

  /// The ends by both readings; `as_given` alone where nothing is carried by the other.
  [[nodiscard]] SegmentBounds told() && {
    if (!any_other_) return std::move(given_);
    lend();
    SegmentBounds out = std::move(least_);
    SegmentBounds others = out;
    out.system = std::move(given_.system);
    others.system = std::move(other_);
    out.refinement = given_.refinement;
    out.left_out = std::move(given_.left_out);
    set_supports(out, Reading::as_given);
    set_supports(others, Reading::other);
    const auto by_other_alone = [&](const auto& row) {
      return std::ranges::all_of(row, [](const Carried& carried) { return carried.by == Reading::other; });
    };
    if (std::ranges::all_of(carried_, by_other_alone)) return others;
    out.in_turn.push_back(std::move(others));
    return out;
  }

 private:
  /// Of a solution of one reading, no end of which is later than those so far. Whether one is sooner.
  bool take(const SegmentBounds& found, Reading by) {
    const bool first = carried_.empty();
    if (first) {
      for (const auto& of_dag : found.bounds.F) carried_.emplace_back(of_dag.size());
    }
    bool fell = false;
    for (std::size_t k = 0; k < carried_.size(); ++k) {
      for (std::size_t v = 0; v < carried_[k].size(); ++v) {
        if (!first && found.bounds.F[k][v] >= least_.bounds.F[k][v]) continue;
        carried_[k][v] = {by, found.bounds.support[k][v]};
        fell = true;
        any_other_ = any_other_ || by == Reading::other;
      }
    }
    if (!first && fell) least_ = found;
    return fell;
  }

  /// A node that ends before a successor is read as that one is.
  void lend() {
    const auto& dags = given_.system.system.dags;
    for (std::size_t k = 0; k < dags.size(); ++k) {
      for (bool changed = true; changed;) {
        changed = false;
        for (const path::Precedence& edge : dags[k].edges) {
          Carried& node = carried_[k][edge.from];
          const Carried& after = carried_[k][edge.to];
          const bool lent = node.support == path::Support::successor && least_.bounds.F[k][edge.from] == least_.bounds.F[k][edge.to];
          if (!lent || node.by == after.by || has_other(k, edge, node.by)) continue;
          node.by = after.by;
          changed = true;
        }
      }
    }
  }

  /// Whether another successor that is read so lends this end.
  [[nodiscard]] bool has_other(std::size_t k, const path::Precedence& edge, Reading by) const {
    const auto& F = least_.bounds.F[k];
    return std::ranges::any_of(given_.system.system.dags[k].edges, [&](const path::Precedence& other) {
      return other.from == edge.from && other.to != edge.to && F[other.to] == F[edge.from] && carried_[k][other.to].by == by;
    });
  }

  void set_supports(SegmentBounds& bounds, Reading by) const {
    for (std::size_t k = 0; k < carried_.size(); ++k) {
      for (std::size_t v = 0; v < carried_[k].size(); ++v) {
        bounds.bounds.support[k][v] = carried_[k][v].by == by ? carried_[k][v].support : path::Support::given;
      }
    }
  }

  const TaskSet& task_set_;
  SegmentBounds given_;
  SegmentBounds least_;  // with the least ends so far
  PathSystem other_;
  std::vector<std::vector<Carried>> carried_;
  bool any_other_ = false;
};

}  // namespace

bool some_without_blocks(std::span<const PoolNode> nodes) {
  return std::ranges::any_of(nodes, [](const PoolNode& node) { return !counts_by_blocks(kernel_of(node)); });
}

Reason why_without_blocks(const GpuPool& gpu, std::span<const PoolNode> nodes) {
  std::optional<reason::StartTogether> found;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const GpuDemand& kernel = kernel_of(nodes[k]);
    if (!starts_together(kernel)) continue;
    const bool known = has_duration(kernel, gpu);
    if (!found || !known) found = reason::StartTogether{k, kernel.cluster, kernel.cooperative, known};
    if (!known) break;
  }
  return found ? Reason(*found) : Reason(reason::NoBlocks{});
}

bool has_turns(const Pool& pool, std::span<const PoolNode> nodes) { return slices_of(pool) == nullptr && may_be_in_turn(pool, nodes); }

bool may_be_in_turn(const Pool& pool, std::span<const PoolNode> nodes) {
  const auto* const gpu = std::get_if<GpuPool>(&pool.resource);
  if (gpu == nullptr || nodes.empty()) return false;
  return std::ranges::all_of(nodes, [&](const PoolNode& node) {
    const GpuDemand& kernel = kernel_of(node);
    return kernel.priority == kernel_of(nodes.front()).priority && has_duration(kernel, *gpu);
  });
}

Utilization busy_alone(const GpuPool& gpu, std::span<const PoolNode> nodes, Durations by) {
  Utilization U;
  for (const PoolNode& node : nodes) U.add(duration_alone(kernel_of(node), gpu, by).count(), node.T.count());
  return U;
}

PoolResult bounds_in_turn(PoolId p, const GpuPool& gpu, std::span<const PoolNode> nodes, const Options& options) {
  const Durations by = durations(options);
  std::vector<workers::Task> tasks;
  tasks.reserve(nodes.size());
  for (const PoolNode& node : nodes) tasks.push_back({.T = node.T, .B = 1, .L = duration_alone(kernel_of(node), gpu, by), .J = node.J});
  auto proven = workers::response_bounds(tasks, 1, Time::zero(), counts_carry(options));
  PoolResult result;
  result.proof.tasks = pool_tasks(nodes);
  if (!proven) {
    const auto* const overload = std::get_if<reason::Overload>(&proven.reason());
    return no_bound(std::move(result.proof), p, overload != nullptr ? Reason(reason::BusyAlone{overload->U}) : proven.reason());
  }
  std::vector<std::optional<Bound>> bounds;
  bounds.reserve(nodes.size());
  for (std::size_t k = 0; k < nodes.size(); ++k) bounds.push_back(Bound{proven->R[k], {Theorem::T27, 0, static_cast<std::uint32_t>(k)}});
  result.evidence.emplace_back(QueueEvidence{p, 1, Time::zero(), std::move(tasks), std::move(*proven)});
  set_bounds(result, nodes, std::move(bounds));
  return result;
}

PoolResult lesser_of(std::span<const PoolNode> nodes, PoolResult first, PoolResult second) {
  if (second.bounds.empty()) return first;
  std::vector<std::optional<Bound>> least = std::exchange(first.bounds, {});
  least.resize(nodes.size());
  const auto evidence = static_cast<std::uint32_t>(first.evidence.size());
  bool any_second = false;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const std::optional<Bound> other = second.bound(k);
    if (!other || (least[k] && least[k]->R <= other->R)) continue;
    least[k] = other;
    least[k]->basis.evidence += evidence;
    any_second = true;
  }
  if (any_second) {
    add_left_out(first.left_out, std::move(second.left_out));
    std::ranges::move(second.evidence, std::back_inserter(first.evidence));
  }
  if (std::ranges::all_of(least, [](const auto& bound) { return bound.has_value(); })) first.proof.none.reset();
  first.proof.theorems.clear();
  first.proof.largest_lateness.reset();
  set_bounds(first, nodes, std::move(least));
  return first;
}

SegmentBounds least_by_both(const TaskSet& task_set, SegmentBounds bounds, PathSystem other, path::Refinement refinement,
                            const path::Limits& limits) {
  if (bounds.bounds.support.empty() || bounds.unit != 1) return bounds;
  TwoReadings both(task_set, std::move(bounds), std::move(other));
  Reading next = Reading::other;
  int round = 0;
  for (; round < most_rounds && both.solve(next, refinement, limits); ++round)
    next = next == Reading::other ? Reading::as_given : Reading::other;
  SegmentBounds told = std::move(both).told();
  if (round == most_rounds) {
    add_left_out(told.left_out, {.what = LeftOut::What::coarser,
                                 .theorems = {Theorem::T27},
                                 .limit = LeftOut::Limit::rounds,
                                 .most = static_cast<std::size_t>(most_rounds),
                                 .where = {}});
  }
  return told;
}

}  // namespace rta::analysis
