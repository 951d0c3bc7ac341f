#include "analysis/policies/hard_bounds.hpp"

#include <algorithm>
#include <utility>

#include "rta/analysis/deadlines.hpp"
#include "rta/analysis/hard/hard.hpp"

namespace rta::analysis {
namespace {

bool asks_for_all(const Proof& proof, const Options& options) {
  return (proof.release == Release::offsets || proof.release == Release::completion) && options.granularity == Granularity::fine &&
         options.cpu_bound == CpuBound::best && options.path_bound == PathBound::best && options.refinement == gel::Refinement::all;
}

class HardBounds {
 public:
  HardBounds(Proof& proof, PoolId p, const CpuPool& cpu) : proof_(proof), p_(p), cpu_(cpu), pool_(proof.pools[p]) {}

  /// Under FIFO nothing is ever preempted.
  [[nodiscard]] bool applies() const {
    return (cpu_.preemptive || cpu_.scheduler == Scheduler::fifo) && !cpu_.reservation && !pool_.tasks.empty() &&
           std::ranges::all_of(pool_.tasks, [&](const PoolTask& task) {
             const Dag& dag = proof_.task_set->dags()[task.dag];
             return !task.awaited && dag.nodes().size() == 1 && dag.attributes().jitter == Time::zero();
           });
  }

  /// Whether what the policy has proven leaves a deadline open, some node without a bound, or jobs of one that wait for one another.
  [[nodiscard]] bool is_wanted() const {
    return std::ranges::any_of(pool_.tasks, [&](const PoolTask& task) {
      const auto& bound = proof_.dags[task.dag].bound;
      const Dag& dag = proof_.task_set->dags()[task.dag];
      return !bound || !meets_deadlines(proof_, task.dag) || (dag.nodes().front().sequential && bound->R > dag.period());
    });
  }

  void add() {
    const hard::Order order = cpu_.scheduler == Scheduler::fp ? hard::Order::fixed : hard::Order::points;
    std::vector<hard::Task> tasks = sporadic_tasks();
    std::vector<LeftOut> left_out;
    auto bounds = hard::response_bounds(tasks, cpu_.processors, order, known(), &left_out);
    for (LeftOut& one : left_out) {
      one.where = proof_.task_set->pools()[p_].name;
      add_left_out(proof_.left_out, std::move(one));
    }
    if (!bounds) return;
    const auto evidence = static_cast<std::uint32_t>(proof_.evidence.size());
    bool better = false;
    for (std::size_t k = 0; k < tasks.size(); ++k) {
      if (bounds->theorem[k] == Theorem::none) continue;
      set(pool_.tasks[k].dag, Bound{bounds->R[k], {bounds->theorem[k], evidence, static_cast<std::uint32_t>(k)}});
      better = true;
    }
    if (!better) return;
    proof_.evidence.emplace_back(HardEvidence{p_, cpu_.processors, order, std::move(tasks), std::move(*bounds)});
    tell_pool();
  }

 private:
  [[nodiscard]] const NodeProof& node(std::size_t k) const { return proof_.dags[pool_.tasks[k].dag].nodes.front(); }

  [[nodiscard]] std::vector<hard::Task> sporadic_tasks() const {
    std::vector<hard::Task> tasks;
    tasks.reserve(pool_.tasks.size());
    for (std::size_t k = 0; k < pool_.tasks.size(); ++k) {
      const Dag& dag = proof_.task_set->dags()[pool_.tasks[k].dag];
      const Node& only = dag.nodes().front();
      const Time T = dag.period();
      const Time D = std::min({T, dag.deadline().value_or(T), only.deadline.value_or(T)});
      tasks.push_back({.C = std::get<CpuDemand>(only.demand).C,
                       .T = T,
                       .D = D > Time::zero() ? D : T,
                       .Y = node(k).priority_point.value_or(Time::zero()),
                       .priority = node(k).priority.value_or(0)});
    }
    return tasks;
  }

  /// What the policy has proven; nothing where it leaves some node without a bound.
  [[nodiscard]] std::vector<Time> known() const {
    std::vector<Time> R;
    R.reserve(pool_.tasks.size());
    for (std::size_t k = 0; k < pool_.tasks.size(); ++k) {
      const auto& bound = node(k).bound;
      if (!bound) return {};
      R.push_back(bound->R);
    }
    return R;
  }

  void set(DagId d, const Bound& bound) {
    DagProof& dag = proof_.dags[d];
    dag.nodes.front().bound = bound;
    dag.nodes.front().reference = Time::zero();
    dag.critical_path = {0};
    dag.bound = proof_.release == Release::offsets ? Bound{bound.R, {Theorem::sum, 0, 0}} : bound;
  }

  void tell_pool() {
    pool_.none.reset();
    pool_.theorems.clear();
    std::optional<Time> largest;
    for (std::size_t k = 0; k < pool_.tasks.size(); ++k) {
      const Bound& bound = *node(k).bound;
      if (std::ranges::find(pool_.theorems, bound.basis.theorem) == pool_.theorems.end()) pool_.theorems.push_back(bound.basis.theorem);
      const Dag& dag = proof_.task_set->dags()[pool_.tasks[k].dag];
      const Time late = bound.R - dag.nodes().front().deadline.value_or(dag.period());
      largest = largest ? std::max(*largest, late) : late;
    }
    std::ranges::sort(pool_.theorems, {}, [](Theorem theorem) { return to_string(theorem); });
    if (proof_.release == Release::offsets) pool_.largest_lateness = largest;
  }

  Proof& proof_;
  PoolId p_;
  const CpuPool& cpu_;
  PoolProof& pool_;
};

}  // namespace

void add_hard_bounds(Proof& proof, const Options& options) {
  if (!asks_for_all(proof, options)) return;
  for (PoolId p = 0; p < proof.pools.size(); ++p) {
    const auto* cpu = std::get_if<CpuPool>(&proof.task_set->pools()[p].resource);
    if (cpu == nullptr || (cpu->scheduler == Scheduler::fp && proof.release == Release::offsets)) continue;
    HardBounds bounds(proof, p, *cpu);
    if (!bounds.applies() || !bounds.is_wanted()) continue;
    try {
      bounds.add();
    } catch (const Overflow&) {
      continue;  // what the policy has proven stands
    }
  }
}

}  // namespace rta::analysis
