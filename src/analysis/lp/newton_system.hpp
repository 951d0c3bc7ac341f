// The linear systems of an interior point method on programs of many small blocks that a few columns and rows couple.
#pragma once

#include <Eigen/Dense>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "analysis/lp/sparse_cholesky.hpp"

namespace rta::analysis {

/// Minimise cost x, low <= x <= high, each row's sum at least its `least`, or equal to it.
struct RowProgram {
  struct Term {
    int column;
    double coefficient;
  };
  std::vector<double> cost, low, high;  // by column
  std::vector<double> least;            // by row
  std::vector<bool> equal;
  std::vector<std::size_t> begin{0};  // of each row in `terms`, and the end
  std::vector<Term> terms;

  [[nodiscard]] std::size_t columns() const { return cost.size(); }
  [[nodiscard]] std::size_t rows() const { return least.size(); }
  [[nodiscard]] std::span<const Term> row(std::size_t i) const { return {terms.data() + begin[i], begin[i + 1] - begin[i]}; }
};

/// Solves (H + sum of w_i a_i a_i^T) dx - sum of a_k dy_k = p, a_k dx + v_k dy_k = q_k: i the sparse rows, k the dense ones. Columns that
/// occur in many rows, and dense rows, are set aside as a border.
class NewtonSystem {
 public:
  /// None if there are too many dense columns or rows, if a sparse row is an equation, or if the blocks are too large.
  [[nodiscard]] static std::optional<NewtonSystem> of(const RowProgram& program);

  [[nodiscard]] std::span<const int> dense_rows() const { return dense_rows_; }
  [[nodiscard]] bool is_dense(std::size_t row) const { return border_of_row_[row] >= 0; }
  /// `diagonal`: H, by column; `weight`: w or v, by row.
  void prepare(std::span<const double> diagonal, std::span<const double> weight);
  struct Solution {
    std::vector<double> dx;  // by column
    std::vector<double> dy;  // by dense row
  };
  [[nodiscard]] Solution solve(std::span<const double> p, std::span<const double> q) const;

 private:
  struct Product {  // of two terms of a row
    std::size_t slot;
    std::size_t row;
    double value;
  };
  explicit NewtonSystem(const RowProgram& program) : program_(&program) {}
  bool find_border();
  bool find_blocks();
  void add_border(std::span<const double> diagonal, std::span<const double> weight);
  [[nodiscard]] double& corner(std::size_t a, std::size_t b) { return corner_(static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(b)); }

  const RowProgram* program_;
  std::vector<int> dense_rows_, dense_columns_;
  std::vector<int> border_of_row_, border_of_column_;  // or -1
  std::vector<int> inner_;                             // of each column within the blocks, or -1
  std::size_t border_ = 0, inside_ = 0;
  std::optional<SparseCholesky> blocks_;
  std::vector<Product> products_;
  std::vector<std::size_t> diagonal_slot_;          // by column within the blocks
  std::vector<std::vector<double>> side_, solved_;  // by border: its column, and the blocks' inverse times it
  Eigen::MatrixXd corner_;                          // the border's own system
  Eigen::PartialPivLU<Eigen::MatrixXd> factors_;    // and its factors
};

}  // namespace rta::analysis
