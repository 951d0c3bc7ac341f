#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "pool_bounds.hpp"
#include "rta/analysis/gel.hpp"
#include "rta/analysis/gel_sequential.hpp"

namespace rta::analysis {
namespace {

std::string over_one(std::span<const PoolNode> nodes, std::span<const gel::Task> tasks) {
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    if (nodes[k].node->sequential && tasks[k].C > tasks[k].T) {
      return fmt::format("node '{}' is sequential and needs C = {} ns every T = {} ns: its utilization is above 1", nodes[k].node->name,
                         tasks[k].C.count(), tasks[k].T.count());
    }
  }
  return {};
}

void set_bounds(PoolResult& result, std::span<const PoolNode> nodes, const std::vector<Time>& R, std::vector<std::string> theorem) {
  set_bounds(result, nodes, std::vector<std::optional<Time>>(R.begin(), R.end()), std::move(theorem));
}

class CpuPoolBounds {
 public:
  CpuPoolBounds(const Pool& pool, std::span<const PoolNode> nodes, const Options& options)
      : nodes_(nodes),
        options_(options),
        cpu_(std::get<CpuPool>(pool.resource)),
        m_(cpu_.processors),
        tasks_(std::make_shared<std::vector<gel::Task>>()) {
    tasks_->reserve(nodes.size());
    for (const PoolNode& node : nodes) tasks_->push_back({std::get<CpuDemand>(node.node->demand).C, node.T, node.Y});
    sequential_ = static_cast<std::size_t>(std::ranges::count_if(nodes, [](const PoolNode& n) { return n.node->sequential; }));
    result_.summary.utilization = gel::utilization(*tasks_).approximate();
    result_.summary.capacity = m_;
  }

  PoolResult prove() {
    if (const std::string reason = why_preemption_matters(); !reason.empty()) return none(reason);
    switch (options_.cpu_bound) {
      case CpuBound::T3: return all_sequential() ? by_T3() : not_all_sequential("T3");
      case CpuBound::T4: return all_sequential() ? by_T4() : not_all_sequential("T4");
      case CpuBound::T1:
      case CpuBound::best: break;
    }
    return by_T1();
  }

 private:
  /// T1 to T4 let an earlier priority point preempt. Under FIFO nothing ever would: whoever runs was released before whoever comes, unless
  /// jobs come before their offsets or wait for their predecessors.
  [[nodiscard]] std::string why_preemption_matters() const {
    if (cpu_.preemptive) return {};
    const char* const instead = "; --release completion bounds it (T10n)";
    if (cpu_.scheduler != Scheduler::fifo) {
      return fmt::format("non-preemptive {}: the bounds at offsets (T1 to T4) assume preemption{}", to_string(cpu_.scheduler), instead);
    }
    if (options_.refinement == gel::Refinement::early) {
      return fmt::format("non-preemptive FIFO: a job that is released early may hold up one with an earlier point{}", instead);
    }
    if (sequential_ > 0) {
      return fmt::format("non-preemptive FIFO with sequential nodes: a job that waited for its predecessor would preempt a later one{}",
                         instead);
    }
    return {};
  }

  [[nodiscard]] bool all_sequential() const { return sequential_ == nodes_.size(); }

  PoolResult none(std::string_view reason) { return no_bound(std::move(result_.summary), nodes_, reason); }

  PoolResult not_all_sequential(const char* theorem) {
    return none(fmt::format("{} bounds pools whose nodes are all sequential; {} of {} are", theorem, sequential_, nodes_.size()));
  }

  PoolResult by_T1() {
    const auto bounds = gel::response_bounds(*tasks_, m_, options_.refinement);
    if (!bounds) return none(bounds.reason());
    const std::vector<std::optional<Time>> R(bounds->R.begin(), bounds->R.end());
    if (const auto waits = first_that_waits(nodes_, R)) {
      if (options_.cpu_bound == CpuBound::best && all_sequential()) return by_T3();
      return none(why_it_waits(*waits, *R[*waits]));
    }
    std::vector<std::string> theorem;
    theorem.reserve(nodes_.size());
    for (std::size_t k = 0; k < nodes_.size(); ++k) theorem.emplace_back(gel::theorem(*tasks_, m_, *bounds, k));
    set_bounds(result_, nodes_, bounds->R, std::move(theorem));
    result_.summary.explanation = fmt::format("U <= m = {} ({})", m_, result_.summary.theorem);
    if (sequential_ > 0) result_.summary.explanation += "; no sequential node's job waits for its predecessor: R <= T for each (T3s)";
    result_.explain = [tasks = tasks_, m = m_, b = *bounds](std::size_t k, const TaskNames& names) {
      return gel::explain(*tasks, m, b, k, names);
    };
    return std::move(result_);
  }

  [[nodiscard]] std::string why_it_waits(std::size_t k, Time R) const {
    std::string heavy = over_one(nodes_, *tasks_);
    if (!heavy.empty()) return heavy;
    return fmt::format(
        "node '{}' is sequential, and its bound of {} ns exceeds its period of {} ns: a job may wait for its predecessor (T3s does not "
        "apply){}",
        nodes_[k].node->name, R.count(), nodes_[k].T.count(), all_sequential() ? "" : "; T3 needs all nodes of the pool to be sequential");
  }

  PoolResult by_T3() {
    std::string heavy = over_one(nodes_, *tasks_);
    if (!heavy.empty()) return none(heavy);
    const auto bounds = gel_sequential::response_bounds(*tasks_, m_);
    if (!bounds) return none(bounds.reason());
    set_bounds(result_, nodes_, bounds->R, std::vector<std::string>(nodes_.size(), "T3"));
    result_.summary.explanation = fmt::format("U <= m = {} and no node's utilization is above 1 (T3)", m_);
    result_.explain = [tasks = tasks_, m = m_, b = *bounds](std::size_t k, const TaskNames& names) {
      return gel_sequential::explain(*tasks, m, b, k, names);
    };
    return std::move(result_);
  }

  PoolResult by_T4() {
    if (!std::ranges::all_of(nodes_, [](const PoolNode& n) { return n.Y == n.T; })) {
      return none("T4 is for G-EDF with implicit deadlines (Y = T for every node)");
    }
    std::string heavy = over_one(nodes_, *tasks_);
    if (!heavy.empty()) return none(heavy);
    const auto bounds = gel_sequential::devi_anderson_bounds(*tasks_, m_);
    if (!bounds) return none(bounds.reason());
    set_bounds(result_, nodes_, bounds->R, std::vector<std::string>(nodes_.size(), "T4"));
    result_.summary.explanation = fmt::format("U <= m = {} and no node's utilization is above 1 (T4)", m_);
    result_.explain = [tasks = tasks_, m = m_, b = *bounds](std::size_t k, const TaskNames&) {
      return gel_sequential::explain_devi_anderson(*tasks, m, b, k);
    };
    return std::move(result_);
  }

  std::span<const PoolNode> nodes_;
  const Options& options_;
  const CpuPool& cpu_;
  std::uint32_t m_;
  std::shared_ptr<std::vector<gel::Task>> tasks_;
  std::size_t sequential_ = 0;
  PoolResult result_;
};

}  // namespace

PoolResult cpu_pool_bounds(const Pool& pool, std::span<const PoolNode> nodes, const Options& options) {
  return CpuPoolBounds(pool, nodes, options).prove();
}

}  // namespace rta::analysis
