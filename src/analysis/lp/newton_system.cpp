#include "analysis/lp/newton_system.hpp"

#include <algorithm>
#include <utility>

namespace rta::analysis {
namespace {

constexpr std::size_t most_border = 64;
constexpr std::size_t most_terms = 12;  // of a sparse row
constexpr double most_work = 1e8;       // of a factorisation, in multiplications

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

std::optional<NewtonSystem> NewtonSystem::of(const RowProgram& program) {
  NewtonSystem system(program);
  if (!system.find_border() || !system.find_blocks()) return std::nullopt;
  return system;
}

bool NewtonSystem::find_border() {
  const RowProgram& P = *program_;
  border_of_row_.assign(P.rows(), -1);
  border_of_column_.assign(P.columns(), -1);
  inner_.assign(P.columns(), -1);
  std::vector<std::size_t> uses(P.columns());
  for (std::size_t i = 0; i < P.rows(); ++i) {
    if (P.row(i).size() > most_terms || P.equal[i]) dense_rows_.push_back(static_cast<int>(i));
    if (dense_rows_.size() > most_border) return false;
    for (const auto& term : P.row(i)) ++uses[at(term.column)];
  }
  for (std::size_t j = 0; j < P.columns(); ++j) {
    if (uses[j] > 40 + P.rows() / 50) dense_columns_.push_back(static_cast<int>(j));
    if (dense_columns_.size() > most_border) return false;
  }
  for (const int j : dense_columns_) border_of_column_[at(j)] = static_cast<int>(border_++);
  for (const int i : dense_rows_) border_of_row_[at(i)] = static_cast<int>(border_++);
  for (std::size_t j = 0; j < P.columns(); ++j) {
    if (border_of_column_[j] < 0) inner_[j] = static_cast<int>(inside_++);
  }
  side_.assign(border_, std::vector<double>(inside_));
  solved_ = side_;
  corner_.resize(static_cast<Eigen::Index>(border_), static_cast<Eigen::Index>(border_));
  return true;
}

bool NewtonSystem::find_blocks() {
  const RowProgram& P = *program_;
  std::vector<std::pair<int, int>> pairs;
  const auto each_pair = [&](auto&& use) {
    for (std::size_t i = 0; i < P.rows(); ++i) {
      if (is_dense(i)) continue;
      const auto row = P.row(i);
      for (std::size_t a = 0; a < row.size(); ++a) {
        for (std::size_t b = 0; b <= a; ++b) {
          const int x = inner_[at(row[a].column)], y = inner_[at(row[b].column)];
          if (x >= 0 && y >= 0) use(i, x, y, row[a].coefficient * row[b].coefficient);
        }
      }
    }
  };
  each_pair([&](std::size_t, int x, int y, double) {
    if (x != y) pairs.emplace_back(x, y);
  });
  blocks_ = SparseCholesky::of(inside_, pairs, most_work);
  if (!blocks_) return false;
  each_pair([&](std::size_t i, int x, int y, double value) { products_.push_back({blocks_->slot(x, y), i, value}); });
  for (std::size_t x = 0; x < inside_; ++x) diagonal_slot_.push_back(blocks_->slot(static_cast<int>(x), static_cast<int>(x)));
  return true;
}

void NewtonSystem::prepare(std::span<const double> diagonal, std::span<const double> weight) {
  blocks_->clear();
  const auto values = blocks_->values();
  for (const Product& product : products_) values[product.slot] += weight[product.row] * product.value;
  for (std::size_t j = 0; j < inner_.size(); ++j) {
    if (inner_[j] >= 0) values[diagonal_slot_[at(inner_[j])]] += diagonal[j];
  }
  blocks_->factorise();
  add_border(diagonal, weight);
  for (std::size_t b = 0; b < border_; ++b) {
    solved_[b] = side_[b];
    blocks_->solve(solved_[b]);
  }
  for (std::size_t a = 0; a < border_; ++a) {
    for (std::size_t b = 0; b < border_; ++b) {
      for (std::size_t x = 0; x < inside_; ++x) corner(a, b) -= side_[a][x] * solved_[b][x];
    }
  }
  if (border_ > 0) factors_.compute(corner_);
}

// The unknown of a dense row is -dy, which makes the border symmetric.
void NewtonSystem::add_border(std::span<const double> diagonal, std::span<const double> weight) {
  const RowProgram& P = *program_;
  corner_.setZero();
  for (auto& column : side_) std::fill(column.begin(), column.end(), 0.0);
  for (std::size_t b = 0; b < dense_columns_.size(); ++b) corner(b, b) += diagonal[at(dense_columns_[b])];
  for (std::size_t i = 0; i < P.rows(); ++i) {
    const auto row = P.row(i);
    if (is_dense(i)) {
      const std::size_t b = at(border_of_row_[i]);
      corner(b, b) -= weight[i];
      for (const auto& term : row) {
        const int other = border_of_column_[at(term.column)];
        if (other < 0) {
          side_[b][at(inner_[at(term.column)])] += term.coefficient;
        } else {
          corner(b, at(other)) += term.coefficient;
          corner(at(other), b) += term.coefficient;
        }
      }
      continue;
    }
    for (const auto& dense : row) {
      if (border_of_column_[at(dense.column)] < 0) continue;
      const std::size_t b = at(border_of_column_[at(dense.column)]);
      for (const auto& term : row) {
        const double value = weight[i] * dense.coefficient * term.coefficient;
        const int other = border_of_column_[at(term.column)];
        (other < 0 ? side_[b][at(inner_[at(term.column)])] : corner(b, at(other))) += value;
      }
    }
  }
}

NewtonSystem::Solution NewtonSystem::solve(std::span<const double> p, std::span<const double> q) const {
  std::vector<double> inside(inside_), border(border_);
  for (std::size_t j = 0; j < p.size(); ++j) {
    (inner_[j] >= 0 ? inside[at(inner_[j])] : border[at(border_of_column_[j])]) = p[j];
  }
  std::copy(q.begin(), q.end(), border.begin() + static_cast<std::ptrdiff_t>(dense_columns_.size()));
  blocks_->solve(inside);
  for (std::size_t b = 0; b < border_; ++b) {
    for (std::size_t x = 0; x < inside_; ++x) border[b] -= side_[b][x] * inside[x];
  }
  if (border_ > 0) {
    Eigen::Map<Eigen::VectorXd> unknowns(border.data(), static_cast<Eigen::Index>(border_));
    unknowns = factors_.solve(unknowns).eval();
  }
  Solution solution{std::vector<double>(p.size()), {}};
  for (std::size_t b = 0; b < border_; ++b) {
    for (std::size_t x = 0; x < inside_; ++x) inside[x] -= solved_[b][x] * border[b];
  }
  for (std::size_t j = 0; j < p.size(); ++j) solution.dx[j] = inner_[j] >= 0 ? inside[at(inner_[j])] : border[at(border_of_column_[j])];
  for (std::size_t b = dense_columns_.size(); b < border_; ++b) solution.dy.push_back(-border[b]);
  return solution;
}

}  // namespace rta::analysis
