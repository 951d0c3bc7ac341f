#include <algorithm>

#include "analysis/policies/own_order.hpp"
#include "analysis/policies/pool_bounds.hpp"
#include "rta/analysis/cpu/gel.hpp"
#include "rta/analysis/cpu/gel_sequential.hpp"

namespace rta::analysis {
namespace {

class CpuPoolBounds {
 public:
  CpuPoolBounds(PoolId p, const CpuPool& cpu, std::span<const PoolNode> nodes, const Options& options)
      : p_(p), nodes_(nodes), options_(options), cpu_(cpu), tasks_(cpu_tasks(nodes)) {
    sequential_ = static_cast<std::size_t>(std::ranges::count_if(nodes, [](const PoolNode& n) { return n.node->sequential; }));
    result_.proof.tasks = pool_tasks(nodes);
    result_.proof.utilization = gel::utilization(tasks_).approximate();
    result_.proof.capacity = cpu.processors;
  }

  PoolResult prove() {
    if (cpu_.scheduler == Scheduler::fp) return none(reason::FixedPriorities{});  // `offset_proof` names the pool
    if (cpu_.scheduler == Scheduler::fifo && options_.refinement == gel::Refinement::early) {
      const auto early = std::ranges::find_if(nodes_, &PoolNode::preceded);
      if (early != nodes_.end()) return none(reason::ReadyEarly{static_cast<std::size_t>(early - nodes_.begin())});
    }
    const bool blocks = something_blocks();
    if (const auto since = blocks ? why_preemption_matters() : std::nullopt) {
      return none(reason::NeedsPreemption{cpu_.scheduler, *since});
    }
    by_points_ = blocks ? &gel::non_preemptive_bounds : &gel::response_bounds;
    in_sequence_ = blocks ? &gel_sequential::non_preemptive_bounds : &gel_sequential::response_bounds;
    switch (options_.cpu_bound) {
      case CpuBound::T3: return all_sequential() ? by_T3() : none(reason::NotSequential{Theorem::T3, sequential_, nodes_.size()});
      case CpuBound::T4: return all_sequential() ? by_T4() : none(reason::NotSequential{Theorem::T4, sequential_, nodes_.size()});
      case CpuBound::published:
      case CpuBound::T1:
      case CpuBound::best: break;
    }
    return by_T1();
  }

 private:
  /// Under FIFO nothing ever preempts: whoever runs was ready before whoever comes. For sequential jobs T1b and T3b say no more than that.
  /// A group keeps its thread while it awaits a kernel, which is counted as its work.
  [[nodiscard]] bool something_blocks() const {
    if (cpu_.preemptive) return false;
    const bool in_sequence = sequential_ > 0 && options_.granularity == Granularity::fine;
    return cpu_.scheduler != Scheduler::fifo || options_.refinement == gel::Refinement::early || in_sequence;
  }

  [[nodiscard]] std::optional<reason::NeedsPreemption::Since> why_preemption_matters() const {
    using Since = reason::NeedsPreemption::Since;
    if (options_.refinement == gel::Refinement::early) return Since::released_early;
    if (options_.granularity != Granularity::fine) return Since::suspended;
    if (options_.cpu_bound == CpuBound::T4) return Since::by_T4;
    if (options_.cpu_bound == CpuBound::published) return Since::as_published;
    return std::nullopt;
  }

  /// T3 and T4 are for jobs T apart.
  [[nodiscard]] bool late() const {
    return std::ranges::any_of(nodes_, [](const PoolNode& n) { return n.J > Time::zero(); });
  }

  /// T3s on one processor. A group may suspend itself, and what is released early may be ready in another order.
  [[nodiscard]] bool own_order() const {
    return in_own_order(cpu_) && options_.granularity == Granularity::fine && options_.refinement != gel::Refinement::early;
  }

  [[nodiscard]] bool all_sequential() const { return sequential_ == nodes_.size(); }

  PoolResult none(Reason reason) {
    PoolResult result = no_bound(std::move(result_.proof), p_, std::move(reason));
    result.left_out = std::move(result_.left_out);
    return result;
  }

  /// The first sequential node with C > T.
  [[nodiscard]] std::optional<Reason> above_one() const {
    for (std::size_t k = 0; k < nodes_.size(); ++k) {
      if (nodes_[k].node->sequential && tasks_[k].C > tasks_[k].T) return reason::AboveOne{k, tasks_[k].C, tasks_[k].T};
    }
    return std::nullopt;
  }

  PoolResult by_T1() {
    const bool published = options_.cpu_bound == CpuBound::published;
    auto proven = published ? gel::published_bounds(tasks_, cpu_.processors) : by_points_(tasks_, cpu_.processors, options_.refinement);
    if (!proven) return none(proven.reason());
    result_.left_out = proven->left_out;
    const std::vector<std::optional<Time>> R(proven->R.begin(), proven->R.end());
    const auto waits = one_that_waits(PoolKind::cpu, nodes_, R);
    const bool asks_T3 = waits && options_.cpu_bound == CpuBound::best && all_sequential() && !late();
    if (waits && !own_order()) {
      if (asks_T3) return by_T3();
      if (auto heavy = above_one()) return none(*std::move(heavy));
      return none(in_order(*waits));
    }
    std::vector<std::optional<Bound>> bounds(nodes_.size());
    for (std::size_t k = 0; k < nodes_.size(); ++k) bounds[k] = bound(k, proven->R[k], proven->theorem[k]);
    result_.evidence.emplace_back(GelEvidence{p_, cpu_.processors, tasks_, std::move(*proven)});
    if (asks_T3) take_lower(bounds);
    return finish(std::move(bounds));
  }

  /// Of T3 what is less.
  void take_lower(std::vector<std::optional<Bound>>& bounds) {
    auto in_sequence = in_sequence_(tasks_, cpu_.processors);
    if (!in_sequence) return;
    add_left_out(result_.left_out, in_sequence->left_out);
    for (std::size_t k = 0; k < nodes_.size(); ++k) {
      if (in_sequence->R[k] < bounds[k]->R) bounds[k] = bound(k, in_sequence->R[k], in_sequence->theorem, 1);
    }
    result_.evidence.emplace_back(SequentialEvidence{p_, cpu_.processors, std::move(tasks_), std::move(*in_sequence)});
  }

  PoolResult by_T3() { return sequentially(in_sequence_); }

  PoolResult by_T4() {
    if (!std::ranges::all_of(nodes_, [](const PoolNode& n) { return n.Y == n.T; })) return none(reason::NotImplicit{});
    return sequentially(&gel_sequential::devi_anderson_bounds);
  }

  PoolResult sequentially(Result<gel_sequential::Bounds> (*theorem)(std::span<const gel::Task>, std::uint32_t)) {
    auto proven = theorem(tasks_, cpu_.processors);
    if (!proven) return none(proven.reason());
    add_left_out(result_.left_out, proven->left_out);
    std::vector<std::optional<Bound>> bounds(nodes_.size());
    for (std::size_t k = 0; k < nodes_.size(); ++k) bounds[k] = bound(k, proven->R[k], proven->theorem);
    if (cpu_.scheduler == Scheduler::fifo) {  // else by the order of releases, as the theorem has it
      const std::vector<std::optional<Time>> R(proven->R.begin(), proven->R.end());
      if (const auto waits = one_that_waits(PoolKind::cpu, nodes_, R)) return none(in_order(*waits));
    }
    result_.evidence.emplace_back(SequentialEvidence{p_, cpu_.processors, std::move(tasks_), std::move(*proven)});
    return finish(std::move(bounds));
  }

  [[nodiscard]] reason::MayWait in_order(reason::MayWait waits) const {
    waits.by_ready_time = cpu_.scheduler == Scheduler::fifo;
    if (late() || options_.granularity != Granularity::fine) return waits;
    waits.by_release = cpu_.preemptive ? Theorem::T3 : Theorem::T3b;
    return waits;
  }

  static Bound bound(std::size_t k, Time R, Theorem theorem, std::uint32_t evidence = 0) {
    return {R, {theorem, evidence, static_cast<std::uint32_t>(k)}};
  }

  PoolResult finish(std::vector<std::optional<Bound>> bounds) {
    set_bounds(result_, nodes_, std::move(bounds));
    return std::move(result_);
  }

  PoolId p_;
  std::span<const PoolNode> nodes_;
  const Options& options_;
  const CpuPool& cpu_;
  std::vector<gel::Task> tasks_;
  std::size_t sequential_ = 0;
  Result<gel::Bounds> (*by_points_)(std::span<const gel::Task>, std::uint32_t, gel::Refinement) = nullptr;
  Result<gel_sequential::Bounds> (*in_sequence_)(std::span<const gel::Task>, std::uint32_t) = nullptr;
  PoolResult result_;
};

}  // namespace

PoolResult cpu_pool_bounds(PoolId p, const CpuPool& pool, std::span<const PoolNode> nodes, const Options& options) {
  return CpuPoolBounds(p, pool, nodes, options).prove();
}

}  // namespace rta::analysis
