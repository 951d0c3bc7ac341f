#include "analysis/search/lp_points.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "analysis/lp/linear_program.hpp"
#include "analysis/search/equal_dags.hpp"
#include "rta/model/error.hpp"
#include "rta/model/utilization.hpp"

namespace rta::analysis {
namespace {

using FixedBounds = PerNode<std::optional<Time>>;

constexpr int most_columns_for_simplex = 2000;  // beyond, the interior point method: at 8,000 a hundredth of the time
constexpr double infinity = std::numeric_limits<double>::infinity();

// Well-scaled numbers for the solver: milliseconds.
constexpr double ns_per_unit = 1e6;
double to_unit(Time t) { return static_cast<double>(t.count()) / ns_per_unit; }

Time execution_time(const Node& node) { return std::get<CpuDemand>(node.demand).C; }

void check_fit(const TaskSet& set, const FixedBounds& fixed) {
  require(fixed.size() == set.dags().size(), "T2: one row of fixed bounds per DAG");
  enum class Role { none, chosen, given };
  std::vector<Role> uses(set.pools().size(), Role::none);
  for (DagId d = 0; d < fixed.size(); ++d) {
    const Dag& dag = set.dags()[d];
    require(fixed[d].size() == dag.nodes().size(), "T2: one bound or none per node");
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      const PoolId p = dag.nodes()[v].pool;
      const Role use = fixed[d][v] ? Role::given : Role::chosen;
      require(use == Role::given || set.pools()[p].kind() == PoolKind::cpu, "T2: points are chosen on CPU pools alone");
      require(uses[p] == Role::none || uses[p] == use, "T2: on one pool all nodes have a fixed bound, or none has");
      uses[p] = use;
    }
  }
}

// What T1's bounds on one pool share, all but the demand.
struct LpPool {
  std::uint32_t processors = 1;
  double carry = 0;  // (ceil(U) - 1) C_max / m
  int column = 0;    // of B_p = sum V_i / m
};

// One entry per pool of the task set, or why a pool has no bound.
Result<std::vector<std::optional<LpPool>>> lp_pools(const TaskSet& set, const FixedBounds& fixed) {
  std::vector<Utilization> U(set.pools().size());
  std::vector<Time> C_max(set.pools().size());
  std::vector<std::optional<LpPool>> pools(set.pools().size());
  for (DagId d = 0; d < fixed.size(); ++d) {
    const Dag& dag = set.dags()[d];
    for (NodeId v = 0; v < fixed[d].size(); ++v) {
      if (fixed[d][v]) continue;
      const Node& node = dag.nodes()[v];
      U[node.pool].add(execution_time(node).count(), dag.period().count());
      C_max[node.pool] = std::max(C_max[node.pool], execution_time(node));
      pools[node.pool].emplace();
    }
  }
  for (PoolId p = 0; p < pools.size(); ++p) {
    if (!pools[p]) continue;
    const std::uint32_t m = pools[p]->processors = std::get<CpuPool>(set.pools()[p].resource).processors;
    if (U[p].compare(m) > 0) return reason::PathOverload{set.pools()[p].name, U[p], m, 1};
    pools[p]->carry = static_cast<double>(std::max<Wide>(0, U[p].ceil() - 1)) * to_unit(C_max[p]) / m;
  }
  return pools;
}

/// T2 with V_i eliminated: for 0 <= Y_i <= T_i (a larger Y_i never helps) V_i = C_i - u_i Y_i exactly.
class Program {
 public:
  Program(const TaskSet& set, const FixedBounds& fixed, const PerNode<Time>& gain, std::vector<std::optional<LpPool>> pools)
      : set_(set),
        fixed_(fixed),
        gain_(gain),
        pools_(std::move(pools)),
        groups_(equal_dags(set, [&](DagId a, DagId b) { return fixed[a] == fixed[b] && (gain.empty() || gain[a] == gain[b]); })) {
    for (auto& pool : pools_) {
      if (pool) pool->column = lp_.column(0, infinity);
    }
    for (const auto& group : groups_) add_dag(group);
    for (PoolId p = 0; p < pools_.size(); ++p) {
      if (pools_[p]) add_pool(p);
    }
  }

  bool solve(Objective objective, std::int64_t effort) {
    effort_ = effort;
    if (objective == Objective::sum) return solve_within(true);
    const int z = lp_.column(-infinity, infinity);
    for (std::size_t s = 0; s < groups_.size(); ++s) {
      const Dag& dag = first(s);
      lp_.term(z, 1);
      lp_.term(E_[s], -1);
      lp_.row(-to_unit(dag.deadline().value_or(dag.period())), infinity);
    }
    lp_.minimise_only(z);
    if (!solve_within(true)) return false;
    const double least = lp_.value(z);
    lp_.bounds(z, -infinity, least + 1e-9 * (1 + std::abs(least)));
    lp_.cost(z, 0);
    for (std::size_t s = 0; s < groups_.size(); ++s) lp_.cost(E_[s], copies(s));
    return solve_within(false);
  }

  /// That the simplex method might take.
  [[nodiscard]] std::int64_t steps() const { return steps_; }

  [[nodiscard]] PerNode<Time> points() const {
    PerNode<Time> points(set_.dags().size());
    for (std::size_t s = 0; s < groups_.size(); ++s) {
      const auto T = static_cast<double>(first(s).period().count());
      std::vector<Time> row;
      for (const int column : Y_[s]) {
        const double ns = column == 0 ? 0 : std::clamp(std::round(lp_.value(column) * ns_per_unit), 0.0, T);
        row.push_back(ns < 0x1p62 ? Time(static_cast<std::int64_t>(ns)) : Time(std::int64_t{1} << 62));
      }
      for (const DagId d : groups_[s]) points[d] = row;
    }
    return points;
  }

 private:
  [[nodiscard]] const Dag& first(std::size_t s) const { return set_.dags()[groups_[s].front()]; }
  [[nodiscard]] double copies(std::size_t s) const { return static_cast<double>(groups_[s].size()); }

  bool solve_within(bool afresh) {
    using Method = LinearProgram::Method;
    if (lp_.columns() > most_columns_for_simplex && lp_.solve({Method::interior, true, std::nullopt})) return true;
    const std::int64_t size = std::max(1, lp_.rows() + lp_.columns());
    steps_ = std::clamp<std::int64_t>(effort_ / size, 1, std::numeric_limits<int>::max());
    return lp_.solve({Method::dual, afresh, static_cast<int>(steps_)});
  }

  void add_dag(const std::vector<DagId>& group) {
    const Dag& dag = set_.dags()[group.front()];
    const auto& fixed = fixed_[group.front()];
    const std::size_t n = dag.nodes().size();
    E_.push_back(lp_.column(0, infinity, static_cast<double>(group.size())));
    std::vector<int> Phi(n);
    auto& Y = Y_.emplace_back(n);
    for (NodeId v = 0; v < n; ++v) {
      Phi[v] = dag.predecessors(v).empty() ? 0 : lp_.column(0, infinity);
      Y[v] = fixed[v] ? 0 : lp_.column(0, to_unit(dag.period()));
    }
    // later >= Phi_v + R_v
    const auto after = [&](int later, NodeId v) {
      lp_.term(later, 1);
      if (Phi[v] != 0) lp_.term(Phi[v], -1);
      if (fixed[v]) {
        lp_.row(to_unit(*fixed[v]), infinity);
        return;
      }
      const LpPool& pool = *pools_[dag.nodes()[v].pool];
      lp_.term(Y[v], -1);
      lp_.term(pool.column, -1);
      const double saved = gain_.empty() ? 0 : to_unit(gain_[group.front()][v]);
      lp_.row(pool.carry + to_unit(execution_time(dag.nodes()[v])) * (pool.processors - 1) / pool.processors - saved, infinity);
    };
    for (const Edge& edge : dag.edges()) after(Phi[edge.to], edge.from);
    for (NodeId v = 0; v < n; ++v) {
      if (dag.successors(v).empty()) after(E_.back(), v);
    }
  }

  // m B_p + sum u_i Y_i = sum C_i
  void add_pool(PoolId p) {
    double work = 0;
    lp_.term(pools_[p]->column, pools_[p]->processors);
    for (std::size_t s = 0; s < groups_.size(); ++s) {
      const Dag& dag = first(s);
      for (NodeId v = 0; v < dag.nodes().size(); ++v) {
        if (dag.nodes()[v].pool != p) continue;
        const double C = to_unit(execution_time(dag.nodes()[v]));
        lp_.term(Y_[s][v], copies(s) * C / to_unit(dag.period()));
        work += copies(s) * C;
      }
    }
    lp_.row(work, work);
  }

  const TaskSet& set_;
  const FixedBounds& fixed_;
  const PerNode<Time>& gain_;
  std::vector<std::optional<LpPool>> pools_;
  std::vector<std::vector<DagId>> groups_;  // that share their variables
  LinearProgram lp_;
  std::int64_t effort_ = 0;
  std::int64_t steps_ = 0;
  PerNode<int> Y_;      // columns, per group and node
  std::vector<int> E_;  // columns, per group
};

}  // namespace

Result<PerNode<Time>> choose_lp_points(const TaskSet& task_set, const FixedBounds& fixed_bounds, Objective objective,
                                       const PerNode<Time>& gain, std::int64_t effort) {
  check_fit(task_set, fixed_bounds);
  auto pools = lp_pools(task_set, fixed_bounds);
  if (!pools) return pools.reason();
  Program program(task_set, fixed_bounds, gain, std::move(*pools));
  if (!program.solve(objective, effort)) return reason::NoOptimum{program.steps()};
  return program.points();
}

}  // namespace rta::analysis
