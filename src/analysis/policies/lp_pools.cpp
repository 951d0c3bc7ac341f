#include "analysis/policies/lp_pools.hpp"

#include <utility>

#include "analysis/explain/reason_words.hpp"
#include "analysis/policies/late_pool_bounds.hpp"
#include "analysis/policies/offset_proof.hpp"
#include "analysis/search/cost.hpp"
#include "analysis/search/lp_points.hpp"

namespace rta::analysis {
namespace {

class LpPools {
 public:
  LpPools(const TaskSet& task_set, const PoolNodes& nodes, const std::vector<PoolResult>& results, const Options& options)
      : task_set_(task_set), nodes_(nodes), results_(results), options_(options) {}

  /// The program minimises T1's bounds; further rounds start from what the refinements made of them.
  void choose_points(std::vector<std::string>& warnings) {
    const auto fixed = fixed_bounds();
    if (!fixed) {
      warnings.emplace_back(
          "LP: some node on another pool has no bound, so there is nothing to minimise; G-EDF's priority points are used");
      return;
    }
    constexpr int most_programs = 4;
    PerNode<Time> gain;
    for (int round = 0; round < most_programs; ++round) {
      const auto chosen = choose_lp_points(task_set_, *fixed, options_.objective, gain);
      if (!chosen) {
        if (round == 0) warnings.push_back("LP: " + in_words(chosen.reason()) + "; the best of G-EDF, G-FL and FIFO is used");
        return;
      }
      const bool better = consider([&](const CpuPool&, std::vector<PoolNode>& pool_nodes) {
        for (PoolNode& node : pool_nodes) node.Y = (*chosen)[node.dag][node.id];
      });
      if (!better || options_.refinement == gel::Refinement::none) return;
      gain = gain_over_T1();
    }
    left_out_ = LeftOut{.what = LeftOut::What::search,
                        .theorems = {},
                        .limit = LeftOut::Limit::programs,
                        .most = static_cast<std::size_t>(most_programs),
                        .where = {}};
  }

  void try_schedulers() {
    for (const Scheduler scheduler : {Scheduler::g_edf, Scheduler::g_fl, Scheduler::fifo}) {
      consider([&](const CpuPool& pool, std::vector<PoolNode>& pool_nodes) { set_priority_points(pool, scheduler, pool_nodes); });
    }
  }

  void take_best(PoolNodes& nodes, std::vector<PoolResult>& results) {
    nodes = std::move(best_->nodes);
    results = std::move(best_->results);
    for (PoolId p = 0; p < nodes.size() && left_out_; ++p) {
      if (chosen_by_lp(task_set_.pools()[p])) add_left_out(results[p].left_out, *left_out_);
    }
  }

 private:
  struct Candidate {
    PoolNodes nodes;
    std::vector<PoolResult> results;
    Cost cost;
  };

  /// The bounds of all other pools; nothing where some node there has none.
  [[nodiscard]] std::optional<PerNode<std::optional<Time>>> fixed_bounds() const {
    PerNode<std::optional<Time>> fixed;
    for (const Dag& dag : task_set_.dags()) fixed.emplace_back(dag.nodes().size());
    for (PoolId p = 0; p < nodes_.size(); ++p) {
      if (chosen_by_lp(task_set_.pools()[p])) continue;
      for (std::size_t k = 0; k < nodes_[p].size(); ++k) {
        const auto bound = results_[p].bound(k);
        if (!bound) return std::nullopt;
        fixed[nodes_[p][k].dag][nodes_[p][k].id] = bound->R;
      }
    }
    return fixed;
  }

  /// True if the points are the best so far.
  template <class SetPoints>
  bool consider(SetPoints&& set_points) {
    Candidate candidate{nodes_, results_, {}};
    for (PoolId p = 0; p < nodes_.size(); ++p) {
      if (!chosen_by_lp(task_set_.pools()[p])) continue;
      set_points(std::get<CpuPool>(task_set_.pools()[p].resource), candidate.nodes[p]);
      candidate.results[p] = late_pool_bounds(task_set_, p, candidate.nodes[p], options_);
    }
    std::vector<std::optional<Time>> R;
    for (const DagProof& dag : dags_at_offsets(task_set_, candidate.nodes, candidate.results)) {
      R.push_back(dag.bound ? std::optional(dag.bound->R) : std::nullopt);
    }
    candidate.cost = cost_of(task_set_, R, options_.objective);
    if (best_ && !(candidate.cost < best_->cost)) return false;
    best_ = std::move(candidate);
    return true;
  }

  /// By how much each node's bound on a CPU pool is below T1's with the same points; 0 elsewhere.
  [[nodiscard]] PerNode<Time> gain_over_T1() const {
    PerNode<Time> gain;
    for (const Dag& dag : task_set_.dags()) gain.emplace_back(dag.nodes().size());
    Options plain = options_;
    plain.refinement = gel::Refinement::none;
    for (PoolId p = 0; p < nodes_.size(); ++p) {
      if (!chosen_by_lp(task_set_.pools()[p])) continue;
      const auto& pool_nodes = best_->nodes[p];
      const PoolResult T1 = late_pool_bounds(task_set_, p, pool_nodes, plain);
      for (std::size_t k = 0; k < pool_nodes.size(); ++k) {
        const auto refined = best_->results[p].bound(k);
        const auto before = T1.bound(k);
        if (refined && before && refined->R < before->R) gain[pool_nodes[k].dag][pool_nodes[k].id] = before->R - refined->R;
      }
    }
    return gain;
  }

  const TaskSet& task_set_;
  const PoolNodes& nodes_;
  const std::vector<PoolResult>& results_;
  const Options& options_;
  std::optional<Candidate> best_;
  std::optional<LeftOut> left_out_;
};

}  // namespace

bool chosen_by_lp(const Pool& pool) {
  const auto* cpu = std::get_if<CpuPool>(&pool.resource);
  return cpu != nullptr && cpu->scheduler == Scheduler::lp && cpu->preemptive;
}

void bound_lp_pools(const TaskSet& task_set, PoolNodes& nodes, std::vector<PoolResult>& results, const Options& options,
                    std::vector<std::string>& warnings) {
  LpPools pools(task_set, nodes, results, options);
  pools.choose_points(warnings);
  pools.try_schedulers();
  pools.take_best(nodes, results);
}

}  // namespace rta::analysis
