#include "rta/analysis/priority_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>

#include "glpk_thread.hpp"
#include "rta/analysis/gel.hpp"

namespace rta::analysis {

Time priority_point(Scheduler scheduler, Time D, Time C, std::uint32_t processors) {
  switch (scheduler) {
    case Scheduler::fifo: return Time{};
    case Scheduler::g_fl: return to_time(D.count() - Wide{C.count()} * (Wide{processors} - 1) / processors);
    case Scheduler::g_edf:
    case Scheduler::lp: return D;
  }
  return D;
}

namespace {

using FixedBounds = PerNode<std::optional<Time>>;

// Well-scaled numbers for the solver: milliseconds.
constexpr double ns_per_unit = 1e6;
double to_unit(Time t) { return static_cast<double>(t.count()) / ns_per_unit; }

// DAGs that share their variables.
struct Shape {
  DagId first;
  double count;
};

// What T1's bounds on one pool share, all but the demand.
struct LpPool {
  std::uint32_t processors;
  double carry;  // (ceil(U) - 1) C_max / m
  int column;    // of B_p = sum V_i / m
};

// A linear program in GLPK, silent. Columns and rows count from 1.
class Program {
 public:
  Program() : verbose_((free_glpk_at_thread_exit(), glp_term_out(GLP_OFF))), problem_(glp_create_prob()) {}
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() {
    glp_delete_prob(problem_);
    glp_term_out(verbose_);
  }

  // A column in [low, high]; an infinite end is open.
  int column(double low, double high, double cost) {
    const int j = glp_add_cols(problem_, 1);
    const int type = std::isinf(low) ? (std::isinf(high) ? GLP_FR : GLP_UP) : std::isinf(high) ? GLP_LO : low < high ? GLP_DB : GLP_FX;
    glp_set_col_bnds(problem_, j, type, low, high);
    glp_set_obj_coef(problem_, j, cost);
    return j;
  }

  void term(int column, double coefficient) {
    if (coefficient == 0) return;
    columns_.push_back(column);
    coefficients_.push_back(coefficient);
  }
  // Closes the row of the terms so far: sum >= right, or = right. No column may occur twice.
  void at_least(double right) { close(GLP_LO, right); }
  void equal(double right) { close(GLP_FX, right); }

  void minimise_only(int column) {
    for (int j = 1; j <= glp_get_num_cols(problem_); ++j) glp_set_obj_coef(problem_, j, j == column ? 1 : 0);
  }
  void cost(int column, double cost) { glp_set_obj_coef(problem_, column, cost); }
  void at_most(int column, double high) { glp_set_col_bnds(problem_, column, GLP_UP, 0, high); }
  [[nodiscard]] double value(int column) const { return glp_get_col_prim(problem_, column); }

  // True if an optimum was found. `again`: start from the last optimum.
  bool solve(std::chrono::milliseconds limit, bool again) {
    glp_smcp parameters;
    glp_init_smcp(&parameters);
    parameters.msg_lev = GLP_MSG_OFF;
    parameters.meth = GLP_DUALP;
    parameters.presolve = again ? GLP_OFF : GLP_ON;
    parameters.tm_lim = static_cast<int>(std::clamp<std::chrono::milliseconds::rep>(limit.count(), 1, std::numeric_limits<int>::max()));
    return glp_simplex(problem_, &parameters) == 0 && glp_get_status(problem_) == GLP_OPT;
  }

 private:
  void close(int type, double right) {
    const int row = glp_add_rows(problem_, 1);
    glp_set_row_bnds(problem_, row, type, right, right);
    glp_set_mat_row(problem_, row, static_cast<int>(columns_.size()) - 1, columns_.data(), coefficients_.data());
    columns_.resize(1);
    coefficients_.resize(1);
  }

  int verbose_;
  glp_prob* problem_;
  std::vector<int> columns_ = {0};  // GLPK reads from index 1
  std::vector<double> coefficients_ = {0};
};

void check_fit(const TaskSet& set, const FixedBounds& fixed) {
  const auto fail = [](const std::string& what) { throw std::invalid_argument("T2: " + what); };
  if (fixed.size() != set.dags().size()) fail("one row of fixed bounds per DAG is needed");
  enum class Use { none, chosen, given };
  std::vector<Use> uses(set.pools().size(), Use::none);
  for (DagId d = 0; d < fixed.size(); ++d) {
    const Dag& dag = set.dags()[d];
    if (fixed[d].size() != dag.nodes().size()) fail("one bound or nullopt per node of DAG '" + dag.name() + "' is needed");
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      const PoolId p = dag.nodes()[v].pool;
      const Use use = fixed[d][v] ? Use::given : Use::chosen;
      if (use == Use::chosen && set.pools()[p].kind() != PoolKind::cpu) fail("node '" + dag.nodes()[v].name + "' is on no CPU pool");
      if (uses[p] != Use::none && uses[p] != use) fail("pool '" + set.pools()[p].name + "' has nodes with and without a fixed bound");
      uses[p] = use;
    }
  }
}

std::vector<Shape> shapes(const TaskSet& set, const FixedBounds& fixed, const PerNode<Time>& gain, std::vector<std::size_t>& shape_of) {
  std::vector<Shape> found;
  for (DagId d = 0; d < set.dags().size(); ++d) {
    const auto same = [&](const Shape& shape) {
      return set.dags()[shape.first].same_shape(set.dags()[d]) && fixed[shape.first] == fixed[d] &&
             (gain.empty() || gain[shape.first] == gain[d]);
    };
    auto at = std::find_if(found.begin(), found.end(), same);
    if (at == found.end()) at = found.insert(found.end(), {d, 0});
    ++at->count;
    shape_of.push_back(static_cast<std::size_t>(at - found.begin()));
  }
  return found;
}

Time execution_time(const Node& node) { return std::get<CpuDemand>(node.demand).C; }

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
    pools[p]->processors = std::get<CpuPool>(set.pools()[p].resource).processors;
    const std::uint32_t m = pools[p]->processors;
    if (U[p].compare(m) > 0) return Unbounded{"pool '" + set.pools()[p].name + "': " + gel::overload(U[p], m)};
    pools[p]->carry = static_cast<double>(std::max<Wide>(0, U[p].ceil() - 1)) * to_unit(C_max[p]) / m;
  }
  return pools;
}

}  // namespace

Result<PerNode<Time>> choose_priority_points(const TaskSet& task_set, const FixedBounds& fixed_bounds, Objective objective,
                                             std::chrono::milliseconds time_limit, const PerNode<Time>& gain) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  check_fit(task_set, fixed_bounds);
  auto pools = lp_pools(task_set, fixed_bounds);
  if (!pools) return Unbounded{pools.reason()};
  std::vector<std::size_t> shape_of;
  const std::vector<Shape> all = shapes(task_set, fixed_bounds, gain, shape_of);

  // T2 with V_i eliminated: for 0 <= Y_i <= T_i (a larger Y_i never helps) V_i = C_i - u_i Y_i exactly.
  Program program;
  for (auto& pool : *pools) {
    if (pool) pool->column = program.column(0, infinity, 0);
  }
  PerNode<int> Y(all.size());
  std::vector<int> E(all.size());
  for (std::size_t s = 0; s < all.size(); ++s) {
    const Dag& dag = task_set.dags()[all[s].first];
    const auto& fixed = fixed_bounds[all[s].first];
    const std::size_t n = dag.nodes().size();
    E[s] = program.column(0, infinity, all[s].count);
    std::vector<int> Phi(n);
    Y[s].resize(n);
    for (NodeId v = 0; v < n; ++v) {
      Phi[v] = dag.predecessors(v).empty() ? 0 : program.column(0, infinity, 0);
      Y[s][v] = fixed[v] ? 0 : program.column(0, to_unit(dag.period()), 0);
    }
    // later >= Phi_v + R_v
    const auto after = [&](int later, NodeId v) {
      program.term(later, 1);
      if (Phi[v] != 0) program.term(Phi[v], -1);
      if (fixed[v]) return program.at_least(to_unit(*fixed[v]));
      const LpPool& pool = *(*pools)[dag.nodes()[v].pool];
      program.term(Y[s][v], -1);
      program.term(pool.column, -1);
      const double saved = gain.empty() ? 0 : to_unit(gain[all[s].first][v]);
      program.at_least(pool.carry + to_unit(execution_time(dag.nodes()[v])) * (pool.processors - 1) / pool.processors - saved);
    };
    for (const Edge& edge : dag.edges()) after(Phi[edge.to], edge.from);
    for (NodeId v = 0; v < n; ++v) {
      if (dag.successors(v).empty()) after(E[s], v);
    }
  }
  // m B_p + sum u_i Y_i = sum C_i
  for (PoolId p = 0; p < pools->size(); ++p) {
    if (!(*pools)[p]) continue;
    double work = 0;
    program.term((*pools)[p]->column, (*pools)[p]->processors);
    for (std::size_t s = 0; s < all.size(); ++s) {
      const Dag& dag = task_set.dags()[all[s].first];
      for (NodeId v = 0; v < dag.nodes().size(); ++v) {
        if (dag.nodes()[v].pool != p) continue;
        const double C = to_unit(execution_time(dag.nodes()[v]));
        program.term(Y[s][v], all[s].count * C / to_unit(dag.period()));
        work += all[s].count * C;
      }
    }
    program.equal(work);
  }

  const auto deadline = std::chrono::steady_clock::now() + time_limit;
  bool solved = false;
  if (objective == Objective::sum) {
    solved = program.solve(time_limit, false);
  } else {
    const int z = program.column(-infinity, infinity, 0);
    for (std::size_t s = 0; s < all.size(); ++s) {
      const Dag& dag = task_set.dags()[all[s].first];
      program.term(z, 1);
      program.term(E[s], -1);
      program.at_least(-to_unit(dag.deadline().value_or(dag.period())));
    }
    program.minimise_only(z);
    solved = program.solve(time_limit, false);
    if (solved) {
      const double least = program.value(z);
      program.at_most(z, least + 1e-9 * (1 + std::abs(least)));
      program.cost(z, 0);
      for (std::size_t s = 0; s < all.size(); ++s) program.cost(E[s], all[s].count);
      solved = program.solve(std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()), true);
    }
  }
  if (!solved) return Unbounded{fmt::format("the linear program of T2 found no optimum within {} ms", time_limit.count())};

  PerNode<Time> chosen;
  for (DagId d = 0; d < task_set.dags().size(); ++d) {
    const auto& columns = Y[shape_of[d]];
    const auto T = static_cast<double>(task_set.dags()[d].period().count());
    auto& row = chosen.emplace_back();
    for (const int column : columns) {
      const double ns = column == 0 ? 0 : std::clamp(std::round(program.value(column) * ns_per_unit), 0.0, T);
      row.push_back(ns < 0x1p62 ? Time(static_cast<std::int64_t>(ns)) : Time(std::int64_t{1} << 62));
    }
  }
  return chosen;
}

}  // namespace rta::analysis
