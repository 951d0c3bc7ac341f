#include "analysis/lp/linear_program.hpp"

#include <glpk.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>

#include "analysis/lp/interior_point.hpp"

namespace rta::analysis {
namespace {

/// Instead of an abort. GLPK gives up where it finds no memory; what it had is left to its environment.
[[noreturn]] void give_up(void*) { throw std::bad_alloc(); }

/// GLPK keeps an environment per thread, which it never frees by itself.
void free_environment_at_thread_exit() {
  struct Environment {
    Environment() {
      glp_init_env();
      glp_term_out(GLP_OFF);
      glp_error_hook(&give_up, nullptr);
    }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;
    ~Environment() { glp_free_env(); }
  };
  thread_local const Environment environment;
  static_cast<void>(environment);
}

int type_of(double low, double high) {
  if (std::isinf(low)) return std::isinf(high) ? GLP_FR : GLP_UP;
  if (std::isinf(high)) return GLP_LO;
  return low < high ? GLP_DB : GLP_FX;
}

/// Rows of an upper end alone are turned around. None if some row has two ends that differ.
std::optional<RowProgram> row_program(glp_prob* lp) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  RowProgram program;
  for (int j = 1; j <= glp_get_num_cols(lp); ++j) {
    const int type = glp_get_col_type(lp, j);
    program.cost.push_back(glp_get_obj_coef(lp, j));
    program.low.push_back(type == GLP_FR || type == GLP_UP ? -infinity : glp_get_col_lb(lp, j));
    program.high.push_back(type == GLP_FR || type == GLP_LO ? infinity : glp_get_col_ub(lp, j));
  }
  std::vector<int> columns(program.columns() + 1);
  std::vector<double> coefficients(program.columns() + 1);
  for (int i = 1; i <= glp_get_num_rows(lp); ++i) {
    const int type = glp_get_row_type(lp, i);
    if (type == GLP_FR) continue;
    if (type == GLP_DB) return std::nullopt;
    const double sign = type == GLP_UP ? -1 : 1;
    program.least.push_back(sign * (type == GLP_UP ? glp_get_row_ub(lp, i) : glp_get_row_lb(lp, i)));
    program.equal.push_back(type == GLP_FX);
    const int terms = glp_get_mat_row(lp, i, columns.data(), coefficients.data());
    for (int k = terms; k > 0; --k) {
      program.terms.push_back({columns[static_cast<std::size_t>(k)] - 1, sign * coefficients[static_cast<std::size_t>(k)]});
    }
    program.begin.push_back(program.terms.size());
  }
  return program;
}

}  // namespace

struct LinearProgram::Problem {
  Problem() : lp((free_environment_at_thread_exit(), glp_create_prob())) {}
  ~Problem() { glp_delete_prob(lp); }
  Problem(const Problem&) = delete;
  Problem& operator=(const Problem&) = delete;
  glp_prob* lp;
};

// GLPK reads from index 1.
LinearProgram::LinearProgram() : problem_(std::make_unique<Problem>()), columns_{0}, coefficients_{0} {}
LinearProgram::~LinearProgram() = default;

int LinearProgram::column(double low, double high, double cost) {
  const int j = glp_add_cols(problem_->lp, 1);
  glp_set_col_bnds(problem_->lp, j, type_of(low, high), low, high);
  glp_set_obj_coef(problem_->lp, j, cost);
  return j;
}

int LinearProgram::columns() const { return glp_get_num_cols(problem_->lp); }
int LinearProgram::rows() const { return glp_get_num_rows(problem_->lp); }

void LinearProgram::cost(int column, double cost) { glp_set_obj_coef(problem_->lp, column, cost); }

void LinearProgram::minimise_only(int column) {
  for (int j = 1; j <= glp_get_num_cols(problem_->lp); ++j) glp_set_obj_coef(problem_->lp, j, j == column ? 1 : 0);
}

void LinearProgram::bounds(int column, double low, double high) { glp_set_col_bnds(problem_->lp, column, type_of(low, high), low, high); }

void LinearProgram::term(int column, double coefficient) {
  if (coefficient == 0) return;
  columns_.push_back(column);
  coefficients_.push_back(coefficient);
}

int LinearProgram::row(double low, double high) {
  const int row = glp_add_rows(problem_->lp, 1);
  glp_set_row_bnds(problem_->lp, row, type_of(low, high), low, high);
  glp_set_mat_row(problem_->lp, row, static_cast<int>(columns_.size()) - 1, columns_.data(), coefficients_.data());
  columns_.resize(1);
  coefficients_.resize(1);
  return row;
}

void LinearProgram::row_bounds(int row, double low, double high) { glp_set_row_bnds(problem_->lp, row, type_of(low, high), low, high); }

bool LinearProgram::solve_inside() {
  const auto program = row_program(problem_->lp);
  if (!program) return false;
  auto point = interior_point(*program);
  if (point) inside_ = std::move(point->x);
  return point.has_value();
}

bool LinearProgram::solve(const Effort& effort) {
  inside_.clear();
  gave_up_ = false;
  if (effort.method == Method::interior) return solve_inside();
  glp_smcp parameters;
  glp_init_smcp(&parameters);
  parameters.msg_lev = GLP_MSG_OFF;
  parameters.meth = effort.method == Method::primal ? GLP_PRIMAL : GLP_DUALP;
  parameters.presolve = effort.presolve ? GLP_ON : GLP_OFF;
  if (effort.iterations) parameters.it_lim = *effort.iterations;
  int status = glp_simplex(problem_->lp, &parameters);
  if (status != 0 && status != GLP_EITLIM) {
    glp_std_basis(problem_->lp);
    status = glp_simplex(problem_->lp, &parameters);
  }
  gave_up_ = status == GLP_EITLIM;
  return status == 0 && glp_get_status(problem_->lp) == GLP_OPT;
}

double LinearProgram::value(int column) const {
  return inside_.empty() ? glp_get_col_prim(problem_->lp, column) : inside_[static_cast<std::size_t>(column) - 1];
}

}  // namespace rta::analysis
