#include "analysis/search/cost.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "rta/analysis/chains.hpp"
#include "rta/analysis/deadlines.hpp"
#include "rta/model/error.hpp"

namespace rta::analysis {
namespace {

Time due(const Dag& dag) { return dag.deadline().value_or(dag.period()); }

class Sum {
 public:
  void add(const Dag& dag, Time R) {
    sum_ += R.count();
    const Wide late = Wide{R.count()} - due(dag).count();
    lateness_ = std::max(lateness_.value_or(late), late);
  }
  [[nodiscard]] Cost cost(std::size_t unbounded, Objective objective) const {
    const Wide lateness = lateness_.value_or(0);
    return objective == Objective::sum ? Cost{unbounded, sum_, lateness} : Cost{unbounded, lateness, sum_};
  }

 private:
  Wide sum_ = 0;
  std::optional<Wide> lateness_;
};

/// Whether some chain may pass a limit of its own. Latencies out of range pass all.
bool breaks_chains(const Proof& proof) {
  try {
    return missed_chains(proof) > 0;
  } catch (const Overflow&) {
    return true;
  }
}

/// Whether some DAG with a bound may miss a deadline, or some chain a limit.
bool misses(const Proof& proof) {
  for (DagId d = 0; d < proof.dags.size(); ++d) {
    if (proof.dags[d].bound && !meets_deadlines(proof, d)) return true;
  }
  return breaks_chains(proof);
}

}  // namespace

Cost cost_of(const TaskSet& task_set, std::span<const std::optional<Time>> R, Objective objective) {
  Sum sum;
  std::size_t unbounded = 0;
  for (DagId d = 0; d < R.size(); ++d) {
    if (R[d]) {
      sum.add(task_set.dags()[d], *R[d]);
    } else {
      ++unbounded;
    }
  }
  return sum.cost(unbounded, objective);
}

Cost cost_of(const TaskSet& task_set, std::span<const Time> R, Objective objective) {
  Sum sum;
  for (DagId d = 0; d < R.size(); ++d) sum.add(task_set.dags()[d], R[d]);
  return sum.cost(0, objective);
}

Cost cost_of(const Proof& proof, Objective objective) {
  std::vector<std::optional<Time>> R;
  R.reserve(proof.dags.size());
  for (const DagProof& dag : proof.dags) R.push_back(dag.bound ? std::optional(dag.bound->R) : std::nullopt);
  return cost_of(*proof.task_set, R, objective);
}

Surpassed far_above(const TaskSet& task_set, const Cost& cost, Objective objective) {
  return [&task_set, cost, objective](std::span<const Time> R) {
    constexpr Wide part = 16'384;
    Wide size = 0;
    for (const Time r : R) size = objective == Objective::sum ? size + r.count() : std::max<Wide>(size, r.count());
    return cost_of(task_set, R, objective).first > cost.first + size / part;
  };
}

bool meets_everything(const Proof& proof) {
  return std::ranges::all_of(proof.dags, [](const DagProof& dag) { return dag.bound.has_value(); }) && !misses(proof);
}

Wide whole_of(const Proof& proof, Objective objective) {
  const Cost cost = cost_of(proof, objective);
  if (objective == Objective::sum) return cost.first;
  Wide largest = 0;
  for (DagId d = 0; d < proof.dags.size(); ++d) {
    const Dag& dag = proof.task_set->dags()[d];
    const auto& bound = proof.dags[d].bound;
    if (bound && Wide{bound->R.count()} - due(dag).count() == cost.first) largest = std::max<Wide>(largest, bound->R.count());
  }
  return largest;
}

bool better(const Proof& a, const Proof& b, Objective objective) {
  const Cost of_a = cost_of(a, objective);
  const Cost of_b = cost_of(b, objective);
  return std::tuple(of_a.unbounded, misses(a), of_a) < std::tuple(of_b.unbounded, misses(b), of_b);
}

}  // namespace rta::analysis
